"""What a question may see at all: by scope, by ceiling, by time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from cc_git.model.authority import SENSITIVITIES, Sensitivity
from cc_git.model.scope import EVERYWHERE, FIELDS, Scope

Reason = Literal[
    "out-of-scope", "above-ceiling", "not-yet-valid", "expired", "sources-gone", "yields", "withheld", "revoked",
    "redundant", "behind-ended", "budget",
]  # fmt: skip
"""Why a record or an episode is left out that its own standing would let in. `revoked` and `withheld` records are
named in the packet, as what does not hold."""


def scope_of(asked: Scope, workspace: Scope) -> Scope:
    """The question's scope: what was asked, completed by the workspace's where nothing was named."""
    pairs: Mapping[str, str] = {
        name: own if own != "*" else getattr(workspace, name) for name, own in zip(FIELDS, asked.fields(), strict=True)
    }
    return Scope(**pairs)


class Gate:
    """What a question may see: its scope, its ceiling, its instant (milliseconds). `named` is the scope that the
    request itself names: what may restrain it is measured by that alone."""

    def __init__(self, scope: Scope, ceiling: Sensitivity, now: int, named: Scope = EVERYWHERE) -> None:
        self._question = scope.fields()
        self._named = named.fields()
        self._allowed = frozenset(SENSITIVITIES[: SENSITIVITIES.index(ceiling) + 1])
        self.now = now

    def in_scope(self, scope: tuple[str, ...]) -> bool:
        """Every field is open or the question's."""
        return all(own in ("*", asked) for own, asked in zip(scope, self._question, strict=True))

    def meets(self, scope: tuple[str, ...]) -> bool:
        """There is a place in the request's own scope where this holds."""
        return all("*" in pair or pair[0] == pair[1] for pair in zip(scope, self._named, strict=True))

    def under_ceiling(self, sensitivity: str) -> bool:
        return sensitivity in self._allowed

    def reason(self, scope: tuple[str, ...], sensitivity: str, starts: int, ends: int | None) -> Reason | None:
        """Why something of this scope, sensitivity and time is not seen, or None."""
        # the ceiling first: ids are named by reason, and those above it never are
        if sensitivity not in self._allowed:
            return "above-ceiling"
        if not self.in_scope(scope):
            return "out-of-scope"
        if starts > self.now:
            return "not-yet-valid"
        return "expired" if ends is not None and ends <= self.now else None
