from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, ValidationInfo

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Instant, Items, OneLine, Prose, _an_instant


def _due(value: Any, info: ValidationInfo) -> Any:
    return value if isinstance(value, str) else _an_instant(value, info)


class Commitment(Payload):
    """An obligation to act or to refrain; due at a time or under a condition in words."""

    KIND: ClassVar[str] = "commitment"
    mode: Literal["act", "refrain"] = "act"
    promisor: OneLine | None = None
    beneficiary: OneLine | None = None
    due: Annotated[Instant | Prose | None, BeforeValidator(_due)] = None
    completion_evidence: Items = ()

    @property
    def restrains(self) -> bool:
        return self.mode == "refrain"

    @property
    def due_at(self) -> datetime | None:
        return self.due if isinstance(self.due, datetime) else None
