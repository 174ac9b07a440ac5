"""Where something holds that rests on several things."""

from __future__ import annotations

from collections.abc import Iterable

from cc_git.errors import UsageFault
from cc_git.model.scope import Scope


def narrowest(scopes: Iterable[Scope]) -> Scope:
    """The scope that all others cover. Raises UsageFault where they do not lie in each other."""
    found = sorted(dict.fromkeys(scopes), key=lambda scope: sum(field != "*" for field in scope.fields()))
    if not all(scope.covers(found[-1]) for scope in found):
        raise UsageFault("the sources belong to several scopes", hints=("take them apart, one scope at a time",))
    return found[-1]
