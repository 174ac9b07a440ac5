"""Consolidate: episodes that nobody has dealt with are compared with what stands, and become proposals.

The rules
- A finding is of one of seven sorts, or deferred. Only *add*, *supersede*, *conflict*, *expire* and
  *procedure-candidate* write a record. It is put forward (`proposal`), by nobody but `agent:cc-git/consolidate`, and
  stands by an accept alone. How often a thing was said raises no authority: what *reinforces* is noted in the receipt,
  by ids, and no more.
- What kind of record an episode may become is its type's to say; what it is about, its `subject`'s; whether it replaces
  what stands on that subject, its type's and authority's (`_REPLACES`), and what is older replaces nothing. None of
  this is read out of its text. Whether an outcome was good, what a permission allows, whether a promise is to act or
  to refrain is in no episode: such a one is left alone or deferred, to be remembered by somebody who knows.
- Without a subject an episode replaces and contradicts nothing. Texts that say the same are one statement (`alike`);
  those that are merely near are proposed, and name what they resemble.
- A receipt names the episodes that were dealt with, so that one that a merge brings later is not passed over, however
  old it is. The deferred are not among them, and are asked again.
- The same files give the same proposals to the byte, in every clone and however the work is cut into batches: a
  record's time is its episode's, and its id is drawn from ids alone, never from text (a tombstone must not let anyone
  test a guess). What was proposed, rejected or forgotten before has that id, and is not proposed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, get_args

from cc_git.errors import UsageFault
from cc_git.governance.alike import Words, words_of
from cc_git.governance.build import build, payload_for, title_and_content
from cc_git.governance.consolidate_known import ACTOR, Entry, Known, considered, in_order
from cc_git.governance.links import OF
from cc_git.governance.sensitivity import highest
from cc_git.model.authority import Sensitivity
from cc_git.model.episode import Episode
from cc_git.model.filed import Files
from cc_git.model.ids import new_id, time_of
from cc_git.model.kinds import PREFIX_OF_KIND, Payload
from cc_git.model.policy import GATED
from cc_git.model.record import Record
from cc_git.model.spine import Relation
from cc_git.model.verdict import Standings
from cc_git.standing.tables import levels_of

Sort = Literal[
    "add", "reinforce", "supersede", "conflict", "expire", "no-change", "procedure-candidate", "deferred",
]  # fmt: skip
SORTS: tuple[Sort, ...] = get_args(Sort)

REPETITIONS = 3
"""So often must the same be done before it is a candidate for a procedure."""
_NAMED = 8
"""So many of what it contradicts a proposal names; by its subject it meets all of them."""
_FORM = "1"
_KIND_OF_TYPE = {"assertion": "belief", "observation": "belief", "decision": "decision", "request": "goal"}
_LEFT_ALONE = {
    "message": "a message asserts nothing",
    "outcome": "an outcome is evidence: whether it was good is not in it",
    "import": "an import has its own review",
}
_DEFERRED = {
    "permission": "what is allowed or denied is not in an episode: cc-git remember --allow or --deny",
    "commitment": "whether to act or to refrain is not in an episode: cc-git remember",
}
_REPLACES = {"correction": "no less", "decision": "no less", "observation": "more"}
"""With which authority, against that of what stands; an episode of any other type only contradicts."""
_ONLY_BY_A_PERSON = GATED | {"user_model", "hypothesis"}


@dataclass(frozen=True)
class Finding:
    """What becomes of episodes. `records`: what they were compared with. `near`: what the text resembles."""

    sort: Sort
    episodes: tuple[str, ...]
    reason: str
    sensitivity: Sensitivity
    records: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    proposal: Record | None = None


@dataclass(frozen=True)
class _Draft:
    sort: Sort
    kind: str
    reason: str
    about: Episode | None
    sources: tuple[Episode, ...]
    over: tuple[Entry, ...] = ()
    near: tuple[str, ...] = ()
    payload: Payload | None = None
    fields: dict[str, Any] = field(default_factory=dict)


def consolidate(files: Files, standings: Standings, now: datetime) -> tuple[Finding, ...]:
    """The findings in the order of the episodes, then the records whose evidence is over."""
    return tuple(_Consolidation(files, standings, now).findings())


class _Consolidation:
    def __init__(self, files: Files, standings: Standings, now: datetime) -> None:
        self.known = Known(files, standings)
        self.files, self.standings, self.now = files, standings, now
        self.done: dict[object, list[Episode]] = {}
        """What was done, as often as it was: words and scope → actions."""

    def findings(self) -> Iterator[Finding]:
        past = considered(self.files)
        episodes = in_order(self.files)
        for episode in episodes:
            if episode.id in past and episode.type == "action" and episode.authority != "dream":
                self._repeated(episode)
        for episode in episodes:
            if episode.id not in past:
                yield self._judge(episode)
        for entry in sorted(self.known.entries.values(), key=lambda entry: entry.id):
            if (until := self._evidence_until(entry)) is not None and (finding := self._expire(entry, until)):
                yield finding

    def _judge(self, episode: Episode) -> Finding:
        if episode.authority == "dream":
            return _nothing(episode, "a dream goes on only through a waking review")
        if episode.sensitivity == "restricted":
            return _deferred(episode, "restricted: it becomes a record at a person's own word")
        if citing := self.known.cited.get(episode.id):
            return _nothing(episode, "a record rests on it already", citing)
        if any(link.rel == OF for link in episode.relations):
            return _nothing(episode, "it links two others, and says nothing else")
        if not episode.content.strip():
            return _nothing(episode, "it says nothing")
        if episode.valid_to is not None and episode.valid_to <= max(self.now, episode.starts):
            return _nothing(episode, "its time is over")
        if episode.type in _LEFT_ALONE:
            return _nothing(episode, _LEFT_ALONE[episode.type])
        if episode.type in _DEFERRED:
            return _deferred(episode, _DEFERRED[episode.type])
        if episode.type == "action":
            return self._action(episode)
        if episode.type == "correction":
            return self._correction(episode)
        return self._statement(episode, _KIND_OF_TYPE[episode.type])

    def _action(self, episode: Episode) -> Finding:
        words, times = words_of(episode.content), self._repeated(episode)
        if same := self._said("procedure", words, episode):
            return _reinforces(episode, same)
        if len(times) < REPETITIONS:
            return _nothing(episode, f"done {len(times)} of {REPETITIONS} times that make a candidate")
        sources = tuple(sorted(times, key=lambda one: (one.starts, one.id))[:REPETITIONS])
        steps = payload_for("procedure", {"steps": (sources[0].content,)})
        why = f"done {len(times)} times"
        return self._put(_Draft("procedure-candidate", "procedure", why, episode, sources, payload=steps))

    def _repeated(self, episode: Episode) -> list[Episode]:
        times = self.done.setdefault((words_of(episode.content), episode.scope.fields()), [])
        times.append(episode)
        return [one for one in times if (one.starts, one.id) <= (episode.starts, episode.id)]

    def _correction(self, episode: Episode) -> Finding:
        if episode.subject is None:
            return _deferred(episode, "a correction without a subject: cc-git correct ID says what it corrects")
        on_it = [entry for entry in self.known.ever_about(episode.subject)
                 if entry.record.scope.meets(episode.scope) and entry.is_older(episode)]  # fmt: skip
        kinds = {entry.record.kind for entry in on_it}
        if not on_it:
            return _deferred(episode, "nothing that is older stands on its subject")
        if len(kinds) > 1:
            return _deferred(episode, "records of several kinds have its subject", on_it)
        if not kinds.isdisjoint(_ONLY_BY_A_PERSON) or any(entry.record.restrains for entry in on_it):
            return _deferred(episode, f"a {on_it[0].record.kind} is corrected by hand: cc-git correct", on_it)
        return self._statement(episode, kinds.pop())

    def _statement(self, episode: Episode, kind: str) -> Finding:
        words = words_of(episode.content)
        if same := self._said(kind, words, episode):
            return _reinforces(episode, same)
        if turned_down := self.known.rejected.get((kind, words)):
            return _nothing(episode, "it was rejected", [turned_down])
        near = self.known.near(kind, words, episode)
        rivals = tuple(
            entry for entry in self.known.about(episode)
            if entry.record.kind == kind and entry.record.scope.meets(episode.scope)
            and (episode.scope.covers(entry.record.scope) or not entry.record.scope.covers(episode.scope))
        )  # fmt: skip
        near = tuple(i for i in near if i not in {entry.id for entry in rivals})
        payload = rivals[0].record.payload if len(rivals) == 1 and episode.type == "correction" else None
        if not rivals:
            why = f"nothing says it yet ({episode.type}, {episode.authority})"
            return self._put(_Draft("add", kind, why, episode, (episode,), (), near))
        if all(_replaces(episode, rival) for rival in rivals):
            why = f"replaces what has its subject ({episode.type}, {episode.authority})"
            return self._put(_Draft("supersede", kind, why, episode, (episode,), rivals, near, payload))
        why = f"says otherwise on the same subject ({episode.type}, {episode.authority})"
        return self._put(_Draft("conflict", kind, why, episode, (episode,), rivals[:_NAMED], near, payload))

    def _said(self, kind: str, words: Words, episode: Episode) -> Entry | None:
        for entry in self.known.same(kind, words, episode):
            if entry.record.scope.covers(episode.scope) and episode.subject in (None, entry.record.subject):
                return entry
        return None

    def _evidence_until(self, entry: Entry) -> datetime | None:
        """When the last evidence of what stands without an end was over, or None."""
        record = entry.record
        if entry.waits or record.ends or record.restrains or record.kind in _ONLY_BY_A_PERSON or not record.sources:
            return None
        sources = [self.files.episodes.get(source, ()) for source in record.sources]
        ends = [variants[0].value.valid_to for variants in sources if len(variants) == 1]
        known = [end for end in ends if end is not None]
        over = len(known) == len(record.sources) and max(known) <= self.now
        return max(known) if over and max(known) >= (record.valid_from or record.recorded_at) else None

    def _expire(self, entry: Entry, until: datetime) -> Finding | None:
        old = entry.record
        sources = tuple(self.files.episodes[source][0].value for source in old.sources)
        fields = {
            "title": old.title, "content": old.content, "scope": old.scope, "subject": old.subject, "tags": old.tags,
            "retention": old.retention, "valid_from": old.valid_from or old.recorded_at, "valid_to": until,
            "recorded_at": max(until, old.recorded_at), "anchors": old.anchors,
        }  # fmt: skip
        draft = _Draft("expire", old.kind, "all its evidence is over", None, sources, (entry,), (), old.payload, fields)
        finding = self._put(draft)
        return finding if finding.proposal is not None else None

    def _put(self, draft: _Draft) -> Finding:
        about = tuple(episode.id for episode in (draft.sources if draft.about is None else (draft.about,)))
        weight, over = _weight(draft), tuple(entry.id for entry in draft.over)
        if weight == "restricted":
            return Finding("deferred", about, "restricted: it becomes a record at a person's own word", weight, over)
        try:
            record = _record(draft)
        except UsageFault:
            return Finding("deferred", about, "its fields fit no record", weight, over)
        if record.id in self.known.taken:
            return Finding("no-change", about, "proposed before, or forgotten", weight, (record.id,))
        if draft.sort != "expire":
            ladder = levels_of(record)
            self.known.propose(record, max((e.authority for e in draft.sources), key=ladder.__getitem__))
        return Finding(draft.sort, about, draft.reason, weight, over, draft.near, record)


def _record(draft: _Draft) -> Record:
    """The record that a draft puts forward; raises UsageFault."""
    lead = draft.sources[0]
    title, content = title_and_content(lead.content, None)
    over = tuple(entry.id for entry in draft.over)
    fields: dict[str, Any] = {
        "title": title, "content": content, "scope": lead.scope, "subject": lead.subject, "tags": lead.tags,
        "retention": lead.retention, "valid_from": lead.valid_from or (lead.starts if lead.valid_to else None),
        "valid_to": lead.valid_to, "recorded_at": max(episode.recorded_at for episode in draft.sources),
    }  # fmt: skip
    return build(
        Record,
        id=_id_for(draft),
        kind=draft.kind,
        authority="agent-inference",
        actor=ACTOR,
        proposal=True,
        sensitivity=_weight(draft),
        sources=tuple(episode.id for episode in draft.sources),
        supersedes=over if draft.sort in ("supersede", "expire") else (),
        conflicts_with=over if draft.sort == "conflict" else (),
        relations=tuple(Relation(rel="resembles", to=one) for one in draft.near),
        payload=draft.payload or payload_for(draft.kind, {}),
        **(fields | draft.fields),
    )


def _id_for(draft: _Draft) -> str:
    """Equal for equal proposals; drawn from ids and words of ours."""
    sources = [episode.id for episode in draft.sources]
    over = [entry.id for entry in draft.over]
    until = draft.fields.get("valid_to")
    told = [_FORM, draft.sort, draft.kind, _weight(draft), *sources, "over", *over, "near", *draft.near, str(until)]
    entropy = sha256("\n".join(told).encode()).digest()[:10]
    return new_id(PREFIX_OF_KIND[draft.kind], max(map(time_of, sources)), entropy)


def _weight(draft: _Draft) -> Sensitivity:
    own = (episode.sensitivity for episode in draft.sources)
    return highest(*own, *(entry.sensitivity for entry in draft.over))


def _replaces(episode: Episode, rival: Entry) -> bool:
    needed = _REPLACES.get(episode.type)
    if needed is None or not rival.is_older(episode) or not episode.scope.covers(rival.record.scope):
        return False
    ladder = levels_of(rival.record)
    own, other = ladder[episode.authority], ladder[rival.weight]
    return own > other if needed == "more" else own >= other


def _nothing(episode: Episode, reason: str, records: Iterable[str] = ()) -> Finding:
    return Finding("no-change", (episode.id,), reason, episode.sensitivity, tuple(records))


def _deferred(episode: Episode, reason: str, entries: Iterable[Entry] = ()) -> Finding:
    return Finding("deferred", (episode.id,), reason, episode.sensitivity, tuple(entry.id for entry in entries))


def _reinforces(episode: Episode, entry: Entry) -> Finding:
    return Finding("reinforce", (episode.id,), "says the same again", episode.sensitivity, (entry.id,))
