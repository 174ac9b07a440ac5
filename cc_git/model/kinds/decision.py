from __future__ import annotations

from typing import ClassVar

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Instant, Items, OneLine, Prose


class Decision(Payload):
    """A selected course, why, what else was weighed, and what would reopen it."""

    KIND: ClassVar[str] = "decision"
    owner: OneLine | None = None
    rationale: Prose = ""
    alternatives: Items = ()
    decided_at: Instant | None = None
    reopen_when: Prose | None = None
