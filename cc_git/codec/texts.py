"""What a file says and what it names, whatever it holds: the texts and the links in it, without knowing its kind.

Used by forgetting, which must see into files that this version cannot validate: unknown keys, reports, imports,
attachments. What says nothing by itself (instants, codes, names of actors, scopes and places) is no text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cc_git.codec.toml_read import TomlFault, load
from cc_git.model.ids import is_id

_SILENT = frozenset(
    {
        "format", "id", "kind", "type", "verb", "version", "authority", "actor", "speaker", "scope", "confidence",
        "entitlement", "sensitivity", "retention", "rel", "blob", "saw", "path", "lines", "locator", "fingerprint",
        "commit", "state", "mode", "effect", "basis", "severity", "assertion", "operation", "importer", "due",
        "owner", "promisor", "beneficiary", "grantor", "subject", "tags", "action", "target", "claimed",
    }
)  # fmt: skip
"""Keys whose values are no prose: codes, names, places. Two records of one scope quote nothing of each other."""
_RESTS_ON = ("sources", "derived_from", "trace")


@dataclass(frozen=True, slots=True)
class Texts:
    """`prose` are the texts in a file, `links` every id that it names as a link, `rests_on` what it was made from (ids
    and, for a source outside, its locator), `document` all of it, where it is one."""

    prose: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()
    rests_on: tuple[str, ...] = ()
    document: Mapping[str, Any] = field(default_factory=dict)


def texts_in(data: bytes) -> Texts:
    """Of a TOML or JSON document, value by value; of anything else all of it as one text."""
    document = document_in(data)
    if document is None:
        return Texts((data.decode("utf-8", "replace"),) if data else ())
    strings = list(strings_in(document))
    return Texts(
        prose=tuple(text for key, text in strings if key not in _SILENT and not is_id(text)),
        links=frozenset(text for key, text in strings if key != "id" and is_id(text)),
        rests_on=tuple(dict.fromkeys(str(named) for key in _RESTS_ON for named in listed(document.get(key)))),
        document=document,
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


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
