"""Record → card: the one reading of a record that all pools share."""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import UTC, datetime, timedelta

from cc_git.compiler.pool import Card, EpisodeCard
from cc_git.model.authority import SENSITIVITIES
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed
from cc_git.model.ids import is_id
from cc_git.model.kinds import Commitment, Failure, Goal, Permission
from cc_git.model.record import Record
from cc_git.model.verdict import Verdict

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def millis(instant: datetime) -> int:
    """Milliseconds since 1970, rounded down."""
    return (instant - _EPOCH) // _MILLISECOND


def instant_of(milliseconds: int) -> datetime:
    return _EPOCH + milliseconds * _MILLISECOND


def sources_of(record: Record) -> tuple[str, ...]:
    """The ids that a record rests on, in order of first mention."""
    return tuple(dict.fromkeys(s for s in (*record.sources, *record.derived_from) if is_id(s)))


def reach_of(sources: Iterable[str], present: Container[str], lost: Container[str]) -> str:
    """`present` holds the ids that this snapshot has, `lost` those that are forgotten or damaged. See Card.reach."""
    named = tuple(sources)
    if named and all(s in lost for s in named):
        return "gone"
    return "" if all(s in present and s not in lost for s in named) else "absent"


def is_carded(record: Record, verdict: Verdict, now: datetime) -> bool:
    """Whether a record gets a card: current, conflicted, or a revoked or withheld grant whose time would still run."""
    if verdict.eligible:
        return True
    if not (verdict.standing == "revoked" or "withheld" in verdict.flags) or not isinstance(record.payload, Permission):
        return False
    return record.payload.effect == "allow" and (record.ends is None or now < record.ends)


def card_of(filed: Filed[Record], verdict: Verdict, *, length: int, reach: str) -> Card:
    """`length` is the sum of the record's `terms.bag_of`, `reach` comes from `reach_of`."""
    record = filed.value
    duty, due, priority = _duty(record)
    return Card(
        id=record.id,
        rel=filed.rel,
        blob=filed.blob,
        kind=record.kind,
        title=record.title,
        scope=record.scope.fields(),
        sensitivity=max(record.sensitivity, verdict.sensitivity, key=SENSITIVITIES.index),
        standing=verdict.standing,
        authority=verdict.authority,
        attested=verdict.attested,
        flags=tuple(sorted(verdict.flags)),
        by=verdict.by,
        limited_by=verdict.limited_by,
        yields_to=verdict.yields_to,
        starts=millis(record.starts),
        ends=None if record.ends is None else millis(record.ends),
        recorded=millis(record.recorded_at),
        due=due,
        duty=duty,
        priority=priority,
        sources=sources_of(record),
        anchors=tuple(dict.fromkeys(anchor.path for anchor in record.anchors)),
        length=length,
        reach=reach,
    )


def _duty(record: Record) -> tuple[str, int | None, int]:
    payload = record.payload
    if isinstance(payload, Permission):
        return payload.effect, None, 0
    if isinstance(payload, Commitment):
        return payload.mode, None if payload.due_at is None else millis(payload.due_at), 0
    if isinstance(payload, Failure):
        return payload.severity, None, 0
    return "", None, payload.priority if isinstance(payload, Goal) else 0


def episode_card_of(filed: Filed[Episode]) -> EpisodeCard:
    episode = filed.value
    return EpisodeCard(
        id=episode.id,
        rel=filed.rel,
        blob=filed.blob,
        type=episode.type,
        scope=episode.scope.fields(),
        sensitivity=episode.sensitivity,
        authority=episode.authority,
        starts=millis(episode.starts),
        ends=None if episode.valid_to is None else millis(episode.valid_to),
        recorded=millis(episode.recorded_at),
    )
