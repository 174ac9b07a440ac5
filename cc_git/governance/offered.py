"""A host model's proposals, checked one by one: what passes is put forward, and nothing that stands changes.

1. Every source is an episode that can be read here. Restricted ones, and dreams, become records in their own ways.
2. Whatever is written is a proposal of the authority `agent-inference`, also where its kind would need no accept.
3. A restraint is not put forward: it takes effect from anybody, and is remembered. What restrains is not superseded
   or ended by a proposal; a person lifts it.
4. No wider than the narrowest source, no less sensitive than any.
5. What is said already, or was rejected, is not put forward again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cc_git.errors import CcGitError, UsageFault
from cc_git.governance.alike import words_of
from cc_git.governance.build import build, payload_for, title_and_content
from cc_git.governance.consolidate import Finding
from cc_git.governance.consolidate_known import Entry, Known
from cc_git.governance.plan import Mint
from cc_git.governance.scopes import narrowest
from cc_git.governance.sensitivity import highest
from cc_git.model.episode import Episode
from cc_git.model.filed import Files
from cc_git.model.ids import short
from cc_git.model.kinds import PREFIX_OF_KIND
from cc_git.model.offered import Offered
from cc_git.model.record import Record
from cc_git.model.verdict import Standings
from cc_git.model.who import Who

_WITH_TARGET = frozenset({"reinforce", "supersede", "conflict", "expire"})


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """A proposal that did not pass, by its number from 1."""

    number: int
    sort: str
    why: str


@dataclass(frozen=True)
class Checked:
    findings: tuple[Finding, ...]
    turned_down: tuple[TurnedDown, ...]


def check(offered: Sequence[Offered], files: Files, standings: Standings, who: Who, mint: Mint) -> Checked:
    """In the order of the file. What one proposal of it says, a later one does not say again."""
    checking = _Checking(files, standings, who, mint)
    findings: list[Finding] = []
    refused: list[TurnedDown] = []
    for number, one in enumerate(offered, 1):
        try:
            findings.append(checking.finding(one))
        except CcGitError as fault:
            refused.append(TurnedDown(number, one.sort, f"{fault.what}: {fault.why}" if fault.why else fault.what))
    return Checked(tuple(findings), tuple(refused))


class _Checking:
    def __init__(self, files: Files, standings: Standings, who: Who, mint: Mint) -> None:
        self._files, self._standings, self._who, self._mint = files, standings, who, mint
        self._known = Known(files, standings)

    def finding(self, one: Offered) -> Finding:
        """Raises CcGitError for one that does not pass."""
        sources = tuple(self._episodes(one))
        target = self._target(one)
        weight = highest(*(episode.sensitivity for episode in sources), *((target.sensitivity,) if target else ()))
        over = (target.id,) if target else ()
        if one.sort in ("no-change", "reinforce"):
            why = "a host found nothing durable" if one.sort == "no-change" else "a host says that it bears it out"
            return Finding(one.sort, one.sources, why, weight, over)
        record = self._record(one, sources, target)
        if record.restrains:
            raise UsageFault(
                "a restraint is not put forward, it takes effect", why="cc-git remember --deny or --refrain"
            )
        self._is_new(record)
        self._known.propose(record, "agent-inference")
        return Finding(one.sort, one.sources, f"put forward by {self._who.actor}", record.sensitivity, over, (), record)

    def _episodes(self, one: Offered) -> Iterator[Episode]:
        for source in dict.fromkeys(one.sources):
            variants = self._files.episodes.get(source, ())
            if len(variants) != 1 or source in self._files.tombstones:
                raise UsageFault(f"{short(source)} is no episode that can be read here")
            episode = variants[0].value
            if episode.sensitivity == "restricted" or episode.authority == "dream":
                raise UsageFault(f"{short(source)} becomes a record in its own way", why="restricted, or a dream")
            yield episode

    def _target(self, one: Offered) -> Entry | None:
        if one.sort not in _WITH_TARGET:
            if one.target is not None:
                raise UsageFault(f"{one.sort} has no target")
            return None
        entry = self._known.entries.get(one.target or "")
        if entry is None:
            raise UsageFault(f"{one.sort} needs a target that stands here", why="or waits, for reinforce")
        if entry.waits and one.sort != "reinforce":
            raise UsageFault(f"{short(entry.id)} does not stand yet")
        if one.kind not in (None, entry.record.kind):
            raise UsageFault(f"{short(entry.id)} is a {entry.record.kind}")
        if entry.record.restrains and one.sort in ("supersede", "expire"):
            raise UsageFault(f"{short(entry.id)} restrains", why="only a person lifts it")
        return entry

    def _record(self, one: Offered, sources: tuple[Episode, ...], target: Entry | None) -> Record:
        old = target.record if target else None
        kind = old.kind if old else "procedure" if one.sort == "procedure-candidate" else one.kind
        if kind is None:
            raise UsageFault(f"{one.sort} says of what kind it would be")
        told = self._ending(one, old) if one.sort == "expire" and old else self._saying(one, kind)
        over = (old.id,) if old else ()
        return build(
            Record,
            id=self._mint(PREFIX_OF_KIND[kind]),
            kind=kind,
            scope=narrowest([*(e.scope for e in sources), *((old.scope,) if old else ())]),
            authority="agent-inference",
            actor=self._who.actor,
            sensitivity=highest(*(e.sensitivity for e in sources), *((target.sensitivity,) if target else ())),
            proposal=True,
            recorded_at=self._mint.now,
            expires_at=one.expires_at,
            sources=tuple(episode.id for episode in sources),
            supersedes=over if one.sort in ("supersede", "expire") else (),
            conflicts_with=over if one.sort == "conflict" else (),
            **told,
        )

    def _saying(self, one: Offered, kind: str) -> dict[str, Any]:
        if one.text is None:
            raise UsageFault(f"{one.sort} needs its text")
        title, content = title_and_content(one.text, one.title)
        payload = payload_for(kind, one.fields)
        return {
            "title": title,
            "content": content,
            "subject": one.subject,
            "valid_to": one.valid_to,
            "payload": payload,
        }

    def _ending(self, one: Offered, old: Record) -> dict[str, Any]:
        if one.valid_to is None or one.text is not None or one.fields:
            raise UsageFault("expire says the same with an end", why="it needs valid_to, and no text or fields")
        return {"title": old.title, "content": old.content, "subject": old.subject, "valid_to": one.valid_to,
                "valid_from": old.starts, "payload": old.payload, "anchors": old.anchors, "tags": old.tags}  # fmt: skip

    def _is_new(self, record: Record) -> None:
        words = words_of(record.content or record.title)
        if turned_down := self._known.rejected.get((record.kind, words)):
            raise UsageFault(f"it was rejected: {short(turned_down)}")
        for entry in self._known.entries.values():
            if (entry.record.kind, entry.words, entry.record.ends) == (record.kind, words, record.ends):
                raise UsageFault(f"{short(entry.id)} says it already")
