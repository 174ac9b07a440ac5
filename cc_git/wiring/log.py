"""What happened, with what it meant: what was said, put in the place of what, ruled to which effect, and forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from cc_git.governance.differ import differences
from cc_git.model.episode import Episode
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.model.receipt import Receipt
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.sanitise import as_value
from cc_git.wiring.finding import find
from cc_git.wiring.session import Session

_SELF_EVIDENT = frozenset(
    {"remember", "propose", "capture", "correct", "accept", "reject", "revoke", "complete", "release", "expire",
     "reopen", "resolve", "confirm", "archive"}
)  # fmt: skip
"""Operations that what they made tells already: their receipts add nothing."""


@dataclass(frozen=True)
class Happening:
    """One line of the log: an act with its time (of what was imported, that of there), actor and the ids it concerned.
    `text` is what was said, in a line; `means` what follows from it now, in words of ours."""

    when: datetime
    what: str
    id: str
    actor: str
    about: tuple[str, ...]
    text: str
    means: str


def log(session: Session, *, limit: int | None, parts: Sequence[IdPart] = ()) -> tuple[Happening, ...]:
    """Newest first: every episode, record and ruling, and every operation that only its receipt tells of."""
    asked = {find(session, part) for part in parts}
    found = [h for h in _everything(session) if not asked or h.id in asked or asked & set(h.about)]
    found.sort(key=lambda h: (h.when, h.id), reverse=True)
    return tuple(found[:limit])


def _everything(session: Session) -> Iterator[Happening]:
    files = session.loaded.files
    resting = _resting(session)
    for episodes in files.episodes.values():
        yield _of_episode(episodes[0].value, resting.get(episodes[0].value.id, 0))
    for records in files.records.values():
        yield _of_record(session, records[0].value)
    for rulings in files.rulings.values():
        yield _of_ruling(session, rulings[0].value)
    for receipts in files.receipts.values():
        if receipts[0].value.operation not in _SELF_EVIDENT:
            yield _of_receipt(receipts[0].value)


def _of_episode(episode: Episode, resting: int) -> Happening:
    rests = f"{resting or 'nothing'} {'records rest' if resting > 1 else 'record rests' if resting else 'rests'} on it"
    if episode.type == "import":
        return _of_import(episode, rests)
    return Happening(episode.recorded_at, f"episode ({episode.type})", episode.id, episode.actor, (),
                     _first_line(episode.content), rests)  # fmt: skip


def _of_import(episode: Episode, rests: str) -> Happening:
    """What happened elsewhere happened when it did there. Who did it is what the import says: nobody's word here."""
    by = f"said to be by {as_value(episode.speaker)}; " if episode.speaker else ""
    means = f"{by}came here on {episode.recorded_at:%Y-%m-%d}; {rests}"
    return Happening(episode.starts, "episode (import)", episode.id, episode.actor, (),
                     _first_line(episode.content), means)  # fmt: skip


def _of_record(session: Session, record: Record) -> Happening:
    verdict = session.standings.verdicts[record.id]
    counts = ", ".join((verdict.standing, *sorted(verdict.flags)))
    means = [f"now {counts}"]
    for old in record.supersedes:
        held = session.loaded.files.records.get(old)
        changed = ", ".join(differences(held[0].value, record)) if held else ""
        means.append(f"in place of {short(old)}{f': other {changed}' if changed else ''}")
    what = f"{record.kind} corrected" if record.supersedes else record.kind
    return Happening(record.recorded_at, what, record.id, record.actor, (*record.supersedes, *record.sources),
                     record.title, "; ".join(means))  # fmt: skip


def _of_ruling(session: Session, ruling: Ruling) -> Happening:
    verdicts = session.standings.verdicts
    now = [f"{short(t)} is now {verdicts[t].standing}" for t in ruling.targets if t in verdicts]
    now += [f"{short(t)} is not here" for t in ruling.targets if t not in verdicts]
    return Happening(ruling.recorded_at, ruling.verb, ruling.id, ruling.actor, (*ruling.targets, *ruling.over),
                     _first_line(ruling.reason), "; ".join(now))  # fmt: skip


def _of_receipt(receipt: Receipt) -> Happening:
    counted = [f"{number} {name}" for name, number in receipt.counts.items()]
    means = ", ".join((*counted, f"{len(receipt.made)} made, {len(receipt.touched)} touched"))
    return Happening(receipt.recorded_at, receipt.operation, receipt.id, receipt.actor,
                     (*receipt.made, *receipt.touched), "", means)  # fmt: skip


def _resting(session: Session) -> dict[str, int]:
    found: dict[str, int] = {}
    for records in session.loaded.files.records.values():
        for named in {*records[0].value.sources, *records[0].value.derived_from}:
            found[named] = found.get(named, 0) + 1
    return found


def _first_line(text: str) -> str:
    return next((part.strip() for part in text.splitlines() if part.strip()), "")
