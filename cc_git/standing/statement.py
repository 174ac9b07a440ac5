"""What a record says, apart from who says it and when: equal statements never clash."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from cc_git.model.kinds import Payload
from cc_git.model.record import Record


class Statement(NamedTuple):
    """`ends` belongs to it: a grant until tomorrow says less than a grant for ever."""

    title: str
    content: str
    payload: Payload
    ends: datetime | None


def statement(record: Record) -> Statement:
    return Statement(record.title, record.content, record.payload, record.ends)
