"""The trigger: the origin that opened or redirected a line of work. Immutable."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import FORMAT, Id, Ids, Instant, Items, OneLine, Value, has_prefix

TriggerKind = Literal["user-prompt", "agent-prompt", "continuation", "runbook-trigger", "issue-trigger"]
TEXT_LIMIT = 2000


class Trigger(Value):
    """`fingerprint` is the SHA-256 of the stored text (NFC, trimmed, white space folded); none without text."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    kind: TriggerKind
    summary: OneLine
    text: Annotated[str, Field(max_length=TEXT_LIMIT)] | None = None
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    scope: Scope = EVERYWHERE
    actor: OneLine
    recorded_at: Instant
    goal_ids: Ids = ()
    task_ids: Ids = ()
    runbook_ids: Ids = ()
    trace: Items = ()

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "tr")
        if self.fingerprint and not self.text:
            raise ValueError("a fingerprint needs a text")
        return self
