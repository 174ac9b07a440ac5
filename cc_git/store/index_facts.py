"""What the index keeps of a file so that it need not be read again: who it is judged together with, and when.

Standing falls apart: what one record counts as depends on the files that it is tied to, directly or over others, and
on nothing else. A *tie* is a token that two files share:

  i:<id>                 the file's own id, and every id it names (supersedes, targets, over, after, conflicts_with,
                         derived_from, sources), whether a file of that id is here or not
  s:<kind>:<subject>     records of one subject
  p                      permissions: a deny reaches any allow
  d:<locator> <blob>     episodes of one document (records imported twice are twins)

Two tokens are looked up and tie nothing: `c:<id>` finds the records that rest on an id, `a:<path>` those anchored to
a path. A record is tied to an episode it rests on only if that is a document's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Literal, NamedTuple

from cc_git.codec import paths
from cc_git.codec.toml_read import TomlFault, load
from cc_git.compiler.cards import millis, sources_of
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.ids import is_id
from cc_git.model.kinds import Permission
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value

FORM = 1
Sort = Literal["record", "ruling", "episode", "tombstone", "ending", "fault"]
JUDGED = frozenset({paths.RECORDS, paths.RULINGS, paths.EPISODES, paths.TOMBSTONES, paths.ENDINGS})
"""The folders whose files decide what stands and what a packet may hold."""

SEARCHED: frozenset[Sort] = frozenset({"record", "episode", "ruling"})
"""What has words to search for."""

_TIMES = frozenset({"recorded_at", "valid_from", "valid_to", "expires_at", "review_by", "due", "decided_at"})
_LAST = millis(datetime.max.replace(tzinfo=UTC))


class Facts(NamedTuple):
    """`cites` are `cards.sources_of` of a record. `document` is an episode's tie to others of its document, else "".
    `times` are the instants in the file at which something could change, in milliseconds, rounded up."""

    rel: str
    blob: str
    sort: Sort
    id: str
    ties: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    document: str = ""
    anchors: tuple[str, ...] = ()
    times: tuple[int, ...] = ()


def is_judged(rel: str) -> bool:
    return paths.folder_of(rel) in JUDGED and not rel.rpartition("/")[2].startswith(".")


def facts_of(rel: str, blob: str, value: Value | Fault) -> Facts:
    match value:
        case Record():
            return _of_record(rel, blob, value)
        case Ruling():
            return Facts(
                rel,
                blob,
                "ruling",
                value.id,
                _ids((value.id, *value.targets, *value.over)),
                times=_times(vars(value).values()),
            )
        case Episode():
            source = value.source
            document = ""
            if source.kind == "document" and source.locator and source.blob:
                document = f"d:{source.locator} {source.blob}"
            return Facts(rel, blob, "episode", value.id, _ids((value.id,)), document=document)
        case Tombstone():
            return Facts(rel, blob, "tombstone", value.id, _ids((value.id,)))
        case Ending():
            return Facts(rel, blob, "ending", value.id, _ids((value.id,)))
    return Facts(rel, blob, "fault", "")


def _of_record(rel: str, blob: str, record: Record) -> Facts:
    return _tied(
        rel, blob, record.id, record.kind, record.subject, (*record.supersedes, *record.after, *record.conflicts_with),
        sources_of(record), (anchor.path for anchor in record.anchors),
        (*vars(record).values(), *vars(record.payload).values()),
    )  # fmt: skip


def _tied(
    rel: str, blob: str, identifier: str, kind: str, subject: str | None, named: Iterable[str], cites: tuple[str, ...],
    anchors: Iterable[str], fields: Iterable[object],
) -> Facts:  # fmt: skip
    ties = [*_ids((identifier, *named, *(source for source in cites if not source.startswith("ep_"))))]
    if subject is not None:
        ties.append(f"s:{kind}:{subject}")
    if kind == Permission.KIND:
        ties.append("p")
    return Facts(rel, blob, "record", identifier, tuple(ties), cites, "", tuple(dict.fromkeys(anchors)), _times(fields))


def sketch_of(rel: str, blob: str, data: bytes) -> Facts:
    """The facts of a record's file as it seems without looking closer: what it is tied to and when.

    For a valid file they are those of `facts_of`. An invalid one may seem to be tied to more than it is.
    """
    try:
        document = load(data.decode())
    except (TomlFault, UnicodeDecodeError, RecursionError):
        return Facts(rel, blob, "fault", "")

    def names(field: str) -> list[str]:
        found = document.get(field)
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    kind, subject = document.get("kind"), document.get("subject")
    payload = document.get(kind) if isinstance(kind, str) else None
    anchors = document.get("anchors")
    return _tied(
        rel, blob, str(document.get("id")), str(kind), subject if isinstance(subject, str) else None,
        (*names("supersedes"), *names("after"), *names("conflicts_with")),
        tuple(dict.fromkeys(s for s in (*names("sources"), *names("derived_from")) if is_id(s))),
        [str(a.get("path")) for a in anchors if isinstance(a, dict)] if isinstance(anchors, list) else (),
        _as_times((*document.items(), *(payload.items() if isinstance(payload, dict) else ()))),
    )  # fmt: skip


def _as_times(fields: Iterable[tuple[str, object]]) -> Iterator[datetime]:
    """Times as they may stand in a file: with a zone or without, a date alone, or spelled as text."""
    for name, value in fields:
        if name in _TIMES and isinstance(value, str):
            with suppress(ValueError):
                yield datetime.fromisoformat(value)
        elif isinstance(value, datetime):
            yield value
        elif isinstance(value, date):
            yield datetime(value.year, value.month, value.day, tzinfo=UTC)


def _ids(named: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"i:{identifier}" for identifier in named))


def _times(fields: Iterable[object]) -> tuple[int, ...]:
    """Every instant among the fields: more than can matter, so that none is missed. One without a zone is UTC."""
    found = {_rounded_up(one) for one in fields if isinstance(one, datetime)}
    return tuple(sorted(found)) if len(found) > 1 else tuple(found)


def _rounded_up(when: datetime) -> int:
    aware = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return min(millis(aware) + (aware.microsecond % 1000 > 0), _LAST)


def from_now_on(facts: Facts, now: int) -> Facts:
    """Without the instants that have come, for what is only asked about later ones."""
    if not facts.times:
        return facts
    return facts._replace(times=tuple(time for time in facts.times if time > now))


def tokens_of(facts: Facts) -> Iterator[str]:
    """Everything under which a file is found."""
    yield from facts.ties
    yield from (f"c:{identifier}" for identifier in facts.cites)
    yield from (f"a:{path}" for path in facts.anchors)
    if facts.document:
        yield facts.document
    yield f"r:{facts.rel}"
