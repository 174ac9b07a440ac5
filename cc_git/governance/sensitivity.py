"""How sensitive what is written is, and up to which sensitivity it may get into a commit.

1. What is written is no less sensitive than anything that it rests on: its sources, what it was concluded from, what
   it takes the place of, and whatever else it names (`leaks.py`). That is written into it, and decides the tier, for
   its text may quote any of them.
2. Less is a person's word alone: asked at the terminal, and bound to the record (`user-explicit`). Anybody else's is
   raised, and told so.
3. The ceiling above which files stay private is the lower one of two: the tree's, which anybody may commit, and the
   accepted branch's, or where that has none what a person on this clone said, else the default. So a tree can keep
   more private, and never less.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_git.model.authority import SENSITIVITIES, Authority, Sensitivity, at_most
from cc_git.model.ids import is_id, short
from cc_git.model.who import Who

if TYPE_CHECKING:
    from cc_git.model.policy import Policy

_SHOWN = 3


@dataclass(frozen=True)
class Weighed:
    """`asks` is what a person has to confirm, `notes` what a writer should know."""

    sensitivity: Sensitivity
    asks: str | None = None
    notes: tuple[str, ...] = ()


def weigh(asked: Sensitivity | None, rests_on: Mapping[str, Sensitivity], *, authority: Authority, who: Who) -> Weighed:
    """`rests_on` is id or path → sensitivity as it counts; `asked` is None where the writer named none."""
    least = highest(*rests_on.values())
    if asked is None or at_most(least, asked):
        return Weighed(asked or least)
    cause = f"it rests on {above(asked, rests_on)}, up to {least}"
    if authority == "user-explicit" and who.is_person_at_terminal:
        return Weighed(asked, asks=f"Keep it as {asked}, although {cause}?")
    return Weighed(least, notes=(f"kept as {least}, not {asked}: {cause}; only a person at a terminal says less",))


def above(sensitivity: Sensitivity, rests_on: Mapping[str, Sensitivity]) -> str:
    """What of it is more than that, in words."""
    by = [named for named, weight in rests_on.items() if not at_most(weight, sensitivity)]
    more = f" and {len(by) - _SHOWN} more" if len(by) > _SHOWN else ""
    return ", ".join(short(named) if is_id(named) else named for named in by[:_SHOWN]) + more


def highest(*sensitivities: Sensitivity) -> Sensitivity:
    return max(sensitivities, key=SENSITIVITIES.index, default="ordinary")


def ceiling(tree: Policy, accepted: Policy | None, said: Sensitivity | None) -> Sensitivity:
    """Up to which sensitivity files are tracked; `said` is what a person said on this clone."""
    # A hook weighs files without loading the models.
    from cc_git.model.policy import Policy

    most = accepted.tracked_ceiling if accepted is not None else said or Policy().tracked_ceiling
    return min(tree.tracked_ceiling, most, key=SENSITIVITIES.index)
