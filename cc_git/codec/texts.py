"""What a file says and what it names, whatever it holds: the texts and the links in it, without knowing its kind.

Used by forgetting, which must see into files that this version cannot validate: unknown keys, reports, imports,
attachments. What says nothing by itself (instants, codes, names of actors, scopes and places) is no text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cc_git.codec.toml_read import TomlFault, load
from cc_git.model.ids import is_id
from cc_git.model.scope import EVERYWHERE, FIELDS, Scope
from cc_git.model.value import slug

_SILENT = frozenset(
    {
        "format", "id", "kind", "type", "verb", "version", "authority", "actor", "speaker", "scope", "confidence",
        "entitlement", "sensitivity", "retention", "rel", "blob", "saw", "path", "lines", "locator", "fingerprint",
        "commit", "state", "mode", "effect", "basis", "severity", "assertion", "operation", "importer", "due",
        "owner", "promisor", "beneficiary", "grantor", "subject", "tags", "action", "target",
    }
)  # fmt: skip
"""Keys whose values are no prose: codes, names, places. Two records of one scope quote nothing of each other."""
_RESTS_ON = ("sources", "derived_from")


_NAMES = frozenset({"subject", "owner", "promisor", "beneficiary", "grantor"})


@dataclass(frozen=True, slots=True)
class About:
    """What a file says of itself: in which scope it is, who wrote or said it, where it can be looked up, and whom or
    what it concerns (its subject, and who owns, promises, gains or grants), as slugs."""

    scope: Scope = EVERYWHERE
    authors: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


NOTHING = About()


@dataclass(frozen=True, slots=True)
class Texts:
    """`prose` are the texts in a file, `links` every id that it names as a link, `rests_on` what it was made from (ids
    and, for a source outside, its locator)."""

    prose: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()
    rests_on: tuple[str, ...] = ()
    about: About = NOTHING


def texts_in(data: bytes) -> Texts:
    """Of a TOML or JSON document, value by value; of anything else all of it as one text."""
    document = document_in(data)
    if document is None:
        return Texts((data.decode("utf-8", "replace"),) if data else ())
    strings = list(strings_in(document))
    return Texts(
        prose=tuple(text for key, text in strings if key not in _SILENT and not is_id(text)),
        links=frozenset(text for key, text in strings if key != "id" and is_id(text)),
        rests_on=tuple(dict.fromkeys(str(named) for key in _RESTS_ON for named in _listed(document.get(key)))),
        about=_about(document, strings),
    )


def _about(document: Mapping[str, Any], strings: list[tuple[str, str]]) -> About:
    source, scope = document.get("source"), document.get("scope")
    authors = (document.get("actor"), document.get("speaker"))
    places = [source.get("locator") if isinstance(source, Mapping) else None, *_listed(document.get("sources"))]
    fields = (
        {n: v for n, v in scope.items() if n in FIELDS and isinstance(v, str)} if isinstance(scope, Mapping) else {}
    )
    return About(
        scope=Scope.model_construct(None, **fields) if fields else EVERYWHERE,
        authors=frozenset(one for one in authors if isinstance(one, str)),
        places=frozenset(one for one in places if isinstance(one, str) and not is_id(one)),
        names=frozenset(slug(text) for key, text in strings if key in _NAMES),
    )


def document_in(data: bytes) -> dict[str, Any] | None:
    """The TOML or JSON document that the bytes spell, or None."""
    try:
        text = data.decode()
        found = json.loads(text) if text.lstrip().startswith("{") else load(text)
    except (UnicodeDecodeError, TomlFault, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def strings_in(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(key, string) of every string, at any depth; an item of a list has the key of its list."""
    left: list[tuple[str, Any]] = list(document.items())
    while left:
        key, value = left.pop()
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, Mapping):
            left.extend((str(inner), item) for inner, item in value.items() if key != "scope")
        elif isinstance(value, list):
            left.extend((key, item) for item in value)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
