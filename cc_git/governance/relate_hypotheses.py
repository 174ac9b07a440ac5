"""Which links of hypotheses are not written, although nothing is wrong with their form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cc_git.errors import Refused, UsageFault
from cc_git.governance.lineage import Lineage, Link
from cc_git.model.ids import short
from cc_git.model.verdict import Verdict

_NAMED = 8


def refuse_link(new: Link, lineage: Lineage, verdicts: Mapping[str, Verdict]) -> None:
    """Raises Refused for one that is there, a second merge of one thing, and a merge into what does not stand;
    UsageFault for one that closes a circle."""
    if said := lineage.says(new):
        raise Refused(
            f"that {short(new.source)} {new.word} {short(new.target)} is known already",
            why=f"{short(said.said_by)} says so",
        )
    refuse_circle((new,), lineage)
    if new.word != "merged-into":
        return
    if merged := next((link for link in lineage.into(new.source) if link.word == "merged-into"), None):
        raise Refused(
            f"{short(new.source)} is merged into {short(merged.target)} already",
            why=f"{short(merged.said_by)} says so",
            hints=(f"cc-git forget {short(merged.said_by)}",),
        )
    verdict = verdicts.get(new.target)
    if verdict is not None and not verdict.eligible:
        by = verdict.by[0] if verdict.standing == "superseded" and verdict.by else None
        hint = f"cc-git hypothesis merge {short(new.source)} --into {short(by)}" if by else "cc-git hypothesis list"
        raise Refused(f"{short(new.target)} is {verdict.standing}: nothing can be merged into it", hints=(hint,))


def refuse_circle(new: Iterable[Link], lineage: Lineage) -> None:
    """Raises UsageFault where with these a hypothesis would come from, or go into, itself."""
    if circle := lineage.circle_with(new):
        raise UsageFault("these hypotheses would come back to themselves", why=in_words(circle))


def in_words(circle: tuple[Link, ...]) -> str:
    """Its first links; a long one is counted."""
    said = "; ".join(f"{short(one.source)} {one.word} {short(one.target)}" for one in circle[:_NAMED])
    return f"{said}; and {len(circle) - _NAMED} more" if len(circle) > _NAMED else said
