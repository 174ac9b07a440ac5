"""The receipt: proof of what an operation did. It holds ids, verbs, counts and reason codes, never text."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from cc_git.model.value import FORMAT, Id, Ids, Instant, Lines, OneLine, Value, has_prefix


class Receipt(Value):
    """`operation` is the command's verb; `made` the ids it wrote, `touched` the ids it concerned."""

    LATE: ClassVar[tuple[str, ...]] = ("counts",)

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    operation: OneLine
    actor: OneLine
    recorded_at: Instant
    result: OneLine = "done"
    made: Ids = ()
    touched: Ids = ()
    counts: dict[str, Annotated[int, Field(strict=True)]] = Field(default_factory=dict)
    notes: Lines = ()

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "rc")
        return self
