"""What a person should look at after a change of branch, in numbers; found without changing anything of anybody's."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.store.remains import remains
from cc_git.wiring.session import Session
from cc_git.wiring.stale_packets import showing_what_is_over


@dataclass(frozen=True, slots=True)
class Looks:
    """`forgotten`: files whose id a tombstone names and that have bytes again. `withheld`: records that only another
    branch takes back. `stranded`: records that no ref reaches."""

    conflicts: int
    forgotten: int
    withheld: int
    stranded: int
    packets: int


def needs_a_look(session: Session) -> Looks:
    judged, present = session.standings, session.present
    return Looks(
        conflicts=len(judged.clashes),
        forgotten=len(remains(session.place, present)),
        withheld=sum(1 for verdict in judged.verdicts.values() if "withheld" in verdict.flags),
        stranded=len(present.stranded),
        packets=len(showing_what_is_over(session)),
    )
