"""Who may do what before anything is written. A permit can only be had here, and carrying out demands one.

Refusing at the door is a courtesy: it says early what would have no effect. What binds is `standing`, which judges
every file again however it arrived.
"""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.errors import Refused
from cc_git.governance.plan import Plan
from cc_git.model.authority import Authority
from cc_git.model.episode import Episode
from cc_git.model.policy import Policy
from cc_git.model.record import Record
from cc_git.model.who import Who


@dataclass(frozen=True)
class Permit:
    """`attest`: the claims of this plan are bound to the person at this terminal."""

    plan: Plan
    attest: bool


def permit(plan: Plan, who: Who, policy: Policy, *, confirmed: bool) -> Permit:
    """Raises Refused. `confirmed`: a person at this terminal said yes to `plan.asks`."""
    restricted = any(v.sensitivity == "restricted" for v in plan.values if isinstance(v, Record | Episode))
    if restricted and not who.is_person_at_terminal:
        raise Refused(
            "restricted content is kept only at the user's explicit word",
            why=f"{who.actor} is not a person at a terminal",
            hints=("run the same command yourself in a terminal",),
        )
    if plan.asks and who.is_person_at_terminal and not confirmed:
        raise Refused("nothing was written: not confirmed", hints=("answer yes, or run it with --dry-run",))
    return Permit(plan, attest=who.is_person_at_terminal and bool(plan.claims))


def authority_of(who: Who, claimed: Authority | None) -> Authority:
    """What a writer may claim. An agent may report a user's word; it stands as reported until a person attests it.

    Without a claim a person speaks as `user-explicit` and an agent as `agent-explicit`.
    """
    if claimed is None:
        return "agent-explicit" if who.is_agent else "user-explicit"
    return claimed
