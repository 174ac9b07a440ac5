"""With which authority an imported claim arrives: never with more than it had, and never as a person's word.

- What claims a user's word, an observation or a document arrives as `document`: here it is a paper that says so.
- On the ladder of beliefs about the outside a document stands above a user. There a user's word would gain by being
  imported, so it arrives as `agent-explicit`, the nearest below that nothing else has to carry.
- An agent's word stays an agent's, and a dream a dream.
Only the person who takes it in can make it their own word, at a terminal.
"""

from __future__ import annotations

from cc_git.model.authority import LADDER, OUTSIDE_LADDER, USER, Authority
from cc_git.model.kinds import Belief, Payload


def arrives_as(claimed: Authority, payload: Payload | None = None) -> Authority:
    """The authority of a record here, for what its source claims there."""
    outside = isinstance(payload, Belief) and payload.basis == "external"
    if outside and claimed in USER:
        return "agent-explicit"
    return lower(claimed, "document", outside=outside)


def lower(one: Authority, other: Authority, *, outside: bool = False) -> Authority:
    """The lower of two authorities."""
    ladder = OUTSIDE_LADDER if outside else LADDER
    return min(one, other, key=ladder.index)
