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

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from cc_git.codec import paths
from cc_git.compiler.cards import millis, sources_of
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
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

_MILLISECOND = timedelta(milliseconds=1)


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
                rel, blob, "ruling", value.id, _ids((value.id, *value.targets, *value.over)), times=_times(value)
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
    cites = sources_of(record)
    named = (record.id, *record.supersedes, *record.after, *record.conflicts_with)
    ties = [*_ids((*named, *(source for source in cites if not source.startswith("ep_"))))]
    if record.subject is not None:
        ties.append(f"s:{record.kind}:{record.subject}")
    if isinstance(record.payload, Permission):
        ties.append("p")
    anchors = tuple(dict.fromkeys(anchor.path for anchor in record.anchors))
    times = (*_times(record), *_times(record.payload))
    return Facts(rel, blob, "record", record.id, tuple(ties), cites, anchors=anchors, times=times)


def _ids(named: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"i:{identifier}" for identifier in named))


def _times(value: Value) -> tuple[int, ...]:
    """Every instant among the fields: more than can matter, so that none is missed."""
    found = (getattr(value, name) for name in type(value).model_fields)
    return tuple(sorted({_rounded_up(one) for one in found if isinstance(one, datetime)}))


def _rounded_up(when: datetime) -> int:
    return millis(when + _MILLISECOND - timedelta.resolution)


def tokens_of(facts: Facts) -> Iterator[str]:
    """Everything under which a file is found."""
    yield from facts.ties
    yield from (f"c:{identifier}" for identifier in facts.cites)
    yield from (f"a:{path}" for path in facts.anchors)
    if facts.document:
        yield facts.document
    yield f"r:{facts.rel}"
