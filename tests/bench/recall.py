"""The compiler's order, as a system for an evidence-recall bench over stored episodes.

The bench calls `index(episodes)` once for a store and `rank(question, episodes, as_of)` for each question; an episode
has `id`, `pos`, `date`, `actor` and `text`. Each episode becomes a belief record, so that only text and time differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from cc_git.compiler.cards import millis
from cc_git.compiler.memory_pool import MemoryPool
from cc_git.compiler.ranking import Question, Ranking
from cc_git.compiler.terms import terms
from cc_git.model.filed import Filed, gather
from cc_git.model.ids import new_id
from cc_git.model.kinds import Belief
from cc_git.model.record import Record
from cc_git.model.value import clean_line
from cc_git.model.verdict import Standings, Verdict

_START = datetime(2000, 1, 1, tzinfo=UTC)


class CompilerOrder:
    def index(self, episodes: Sequence[Any]) -> None:
        self.ids = [new_id("blf", _START + timedelta(days=e.pos), e.pos.to_bytes(10, "big")) for e in episodes]
        self.names = {identifier: e.id for identifier, e in zip(self.ids, episodes, strict=True)}
        filed = [Filed(i, "0" * 40, _record(i, e)) for i, e in zip(self.ids, episodes, strict=True)]
        verdict = Verdict("current", "agent-explicit")
        self.now = max(f.value.recorded_at for f in filed)
        self.pool = MemoryPool(gather(filed), Standings(dict.fromkeys(self.ids, verdict)), self.now)
        self.cards = self.pool.cards()
        self.pool.frequencies(())

    def rank(self, question: str, episodes: Sequence[Any], as_of: int | None) -> list[str]:
        eligible = self.cards if as_of is None else self.cards[:as_of]
        asked = tuple(terms(question))
        later = self.ids[len(eligible) :]
        question = Question((asked,), frozenset())
        ranking = Ranking(eligible, later, self.pool.frequencies(question.terms), question, millis(self.now))
        return [self.names[ranked.card.id] for ranked in ranking.best(len(eligible), ())]


def _record(identifier: str, episode: Any) -> Record:
    when = _START + timedelta(days=episode.pos)
    if episode.date:
        read = datetime.fromisoformat(episode.date)
        when = read if read.tzinfo else read.replace(tzinfo=UTC)
    text = f"{episode.actor}: {episode.text}" if episode.actor else episode.text
    title, stop, rest = text.partition(". ")
    if not stop or len(title) > 120:
        title, rest = clean_line(episode.actor) or "-", text
    return Record(
        id=identifier,
        kind="belief",
        title=clean_line(title) or "-",
        content=rest,
        authority="agent-explicit",
        actor="agent:bench",
        recorded_at=when,
        payload=Belief(),
    )
