"""Why a record or an episode is in a packet, or is not."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.compiler.compile import Compiled
from cc_git.compiler.pool import Pool
from cc_git.model.packet import Form

_SENTENCES = {
    "reserved": "it has its room before anything is ranked",
    "ranked": "it was useful enough for the room there was",
    "out-of-scope": "it holds only in a narrower or another scope",
    "above-ceiling": "its sensitivity lies above the ceiling of the request",
    "not-yet-valid": "its time has not come",
    "expired": "its time is over",
    "sources-gone": "all its sources are forgotten or damaged",
    "yields": "a record of a narrower scope takes its place here",
    "withheld": "a negative on another branch holds it back until a person reviews it",
    "redundant": "what is shown already says it",
    "behind-ended": "what rests on it was taken back",
    "budget": "there was no room for it",
    "not-asked": "it is no record, and not among the recent episodes that were looked at",
    "unknown": "this snapshot does not know it",
    "named": "it was named beside something that is shown",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """`form` is None for what is not in the packet. `reason` is a code: one of this module's, or the standing that
    keeps a record out. `place` counts from 1 among the records that were not reserved and were looked at; `utility`
    and `relevance` (0 to 1000) are the ranking's. `instead` is the id that stands for a redundant one."""

    id: str
    form: Form | None
    reason: str
    sentence: str
    standing: str | None = None
    by: tuple[str, ...] = ()
    instead: str | None = None
    place: int | None = None
    relevance: int | None = None
    utility: int | None = None


def sentence_for(reason: str, otherwise: str = "") -> str:
    """A reason code in words."""
    return _SENTENCES.get(reason) or otherwise or f"it counted as {reason}"


def explain(compiled: Compiled, pool: Pool, identifier: str) -> Explanation:
    """`pool` is the one of the compile."""
    form = next((item.form for item in compiled.packet.items() if item.id == identifier), None)
    verdict = pool.verdict(identifier)
    reason = compiled.verdicts.get(identifier)
    if form is not None:
        reason = "reserved" if identifier in compiled.reserved else "ranked"
    elif reason is None and verdict is not None and not verdict.eligible:
        reason = verdict.standing
    elif reason is None:
        reason = "not-asked" if identifier.startswith("ep_") else "unknown"
    sentence = sentence_for(reason, verdict.reason if verdict else "")
    place, entry = next(
        ((place, entry) for place, entry in enumerate(compiled.best, 1) if entry.card.id == identifier), (None, None)
    )
    return Explanation(
        id=identifier,
        form=form,
        reason=reason,
        sentence=sentence,
        standing=verdict.standing if verdict else None,
        by=verdict.by if verdict else (),
        instead=compiled.instead.get(identifier),
        place=place,
        relevance=entry.relevance if entry else None,
        utility=entry.utility if entry else None,
    )
