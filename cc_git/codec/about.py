"""What a file says of itself, without knowing its kind: what a forgetting can be aimed at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cc_git.codec.texts import listed, strings_in
from cc_git.model.ids import is_id
from cc_git.model.scope import EVERYWHERE, FIELDS, Scope
from cc_git.model.value import slug

_NAMES = frozenset({"subject", "owner", "promisor", "beneficiary", "grantor"})


@dataclass(frozen=True, slots=True)
class About:
    """In which scope it is, who wrote or said it, where it can be looked up, and whom or what it concerns (its subject,
    and who owns, promises, gains or grants), as slugs."""

    scope: Scope = EVERYWHERE
    authors: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


NOTHING = About()


def about_of(document: Mapping[str, Any]) -> About:
    source, scope = document.get("source"), document.get("scope")
    authors = (document.get("actor"), document.get("speaker"))
    places = [source.get("locator") if isinstance(source, Mapping) else None, *listed(document.get("sources"))]
    fields = (
        {n: v for n, v in scope.items() if n in FIELDS and isinstance(v, str)} if isinstance(scope, Mapping) else {}
    )
    return About(
        scope=Scope.model_construct(None, **fields) if fields else EVERYWHERE,
        authors=frozenset(one for one in authors if isinstance(one, str)),
        places=frozenset(one for one in places if isinstance(one, str) and not is_id(one)),
        names=frozenset(slug(text) for key, text in strings_in(document) if key in _NAMES),
    )
