"""What an act would change, computed before it is written: an act without effect is not written in silence."""

from __future__ import annotations

from collections.abc import Mapping

from cc_git.errors import Refused
from cc_git.governance.plan import Plan
from cc_git.model.ids import short
from cc_git.model.ruling import Ruling
from cc_git.model.verdict import Verdict
from cc_git.model.who import Who
from cc_git.wiring.knowledge import known_with
from cc_git.wiring.session import Session

_LATER = "it has no effect here until a person attests it: cc-git review, at a terminal"
_REVOKES_ELSEWHERE = "nothing stands here that it ends; wherever one of them would stand, it does"
Verdicts = Mapping[str, Verdict]


def verdicts_with(session: Session, plan: Plan, *, attested: bool, written: bool) -> Verdicts:
    """What every record that the plan makes or touches counts as with it, and what rests on what it touches: as far as
    the doubt reaches, and one step further."""
    known = known_with(session, plan, attested=attested, written=written)
    found = {i: v for i in (*plan.ids, *plan.receipt.touched) if (v := known.verdict(i)) is not None}
    ground = plan.receipt.touched
    while ground:
        resting = dict.fromkeys(i for behind in known.pool.behind(ground).values() for i, _ in behind)
        reached = {i: v for i in resting if i not in found and (v := known.verdict(i)) is not None}
        found |= reached
        ground = tuple(i for i, verdict in reached.items() if "needs-review" in verdict.flags)
    return found


def warnings_for(session: Session, plan: Plan, who: Who) -> tuple[str, ...]:
    """What to know of a ruling that changes nothing yet. Raises Refused where it never would by this hand.

    A person without a terminal may write one that takes effect once it is attested (by a review here, or by standing
    in the accepted branch); an agent may not, for it would lie in wait.
    """
    ruling = next((value for value in plan.values if isinstance(value, Ruling)), None)
    if ruling is None or ruling.verb == "confirm":
        return ()
    if ruling.effective_from is not None and ruling.effective_from > session.now:
        return (f"it takes effect at {ruling.effective_from.isoformat().replace('+00:00', 'Z')}",)
    before = {i: v for i in ruling.targets if (v := session.known.verdict(i)) is not None}
    after = verdicts_with(session, plan, attested=who.is_person_at_terminal, written=False)
    if ruling.verb == "accept" and before and all(after[i].standing == "revoked" for i in before if i in after):
        ended = "; ".join(
            f"{short(i)} is revoked by {', '.join(map(short, after[i].by))}" for i in before if i in after
        )
        raise Refused("nothing would stand by this accept, so it was not written", why=ended)
    if _changes(before, after):
        return ()
    if ruling.verb == "revoke" and any(v.standing != "revoked" for v in before.values()):
        return (_LATER if any(v.eligible for v in before.values()) else _REVOKES_ELSEWHERE,)
    if not who.is_agent and _changes(before, verdicts_with(session, plan, attested=True, written=False)):
        return (_LATER,)
    told = "; ".join(f"{short(i)} is {v.standing}" + (f" ({v.reason})" if v.reason else "") for i, v in before.items())
    raise Refused(
        f"this {ruling.verb} would change nothing, so it was not written",
        why=told or None,
        hints=_hints(ruling) if who.is_agent else (),
    )


def _hints(ruling: Ruling) -> tuple[str, ...]:
    """For an agent. A completion is in no queue of a person's, so what shows it is kept where they read."""
    if ruling.verb != "complete":
        return ("a person at a terminal can settle it: cc-git review",)
    ids = " ".join(ruling.targets)
    return ("keep what shows it: cc-git capture TEXT --type outcome", f"a person completes it: cc-git complete {ids}")


def _changes(before: Verdicts, after: Verdicts) -> bool:
    return any((after[i].standing, after[i].flags, after[i].authority) != (v.standing, v.flags, v.authority)
               for i, v in before.items() if i in after)  # fmt: skip
