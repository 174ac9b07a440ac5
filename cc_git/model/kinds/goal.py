from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Id, Ids, Items, OneLine, Prose


class Goal(Payload):
    """A desired change of the world; priority 1 is first."""

    KIND: ClassVar[str] = "goal"
    outcome: Prose = ""
    owner: OneLine | None = None
    priority: Annotated[int, Field(strict=True, ge=1, le=9)] = 5
    parent: Id | None = None
    depends_on: Ids = ()
    success_evidence: Items = ()
