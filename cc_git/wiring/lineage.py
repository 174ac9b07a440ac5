"""How the hypotheses that are here hang together, and which further links have no place among those."""

from __future__ import annotations

from cc_git.governance.lineage import Lineage, lineage_of, link_between, links_of
from cc_git.governance.links import Edge
from cc_git.governance.plan import Plan
from cc_git.governance.relate_hypotheses import refuse_circle, refuse_link
from cc_git.model.record import Record
from cc_git.wiring.session import Session


def lineage_at_hand(session: Session) -> Lineage:
    files = session.loaded.files
    records = (same[0].value for same in files.records.values())
    episodes = (same[0].value for i, same in files.episodes.items() if len(same) == 1 and i not in files.tombstones)
    return lineage_of(records, episodes, session.standings.verdicts)


def refuse_needless(session: Session, link: Edge) -> None:
    """A link of two hypotheses that says nothing new, or cannot be. Raises Refused, UsageFault."""
    new = link_between(link.source, link.what, link.target)
    if new is not None:
        refuse_link(new, lineage_at_hand(session), session.standings.verdicts)


def refuse_circle_by(session: Session, plan: Plan) -> None:
    """Raises UsageFault where a plan would have a hypothesis come from, or go into, itself."""
    records = (value for value in plan.values if isinstance(value, Record))
    if new := [link for one in records for link in links_of(one)]:
        refuse_circle(new, lineage_at_hand(session))
