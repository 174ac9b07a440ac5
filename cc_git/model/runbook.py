"""The runbook: a short operational procedure that people edit; an ordinary versioned document."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from cc_git.model.value import FORMAT, Id, Ids, Items, OneLine, Prose, Value, has_prefix


class Runbook(Value):
    format: Literal["cc-git/1"] = FORMAT
    id: Id
    title: OneLine
    kind: Literal["procedure", "troubleshooting", "policy", "guardrail"] = "procedure"
    state: Literal["active", "archived"] = "active"
    triggers: Items = ()
    when_to_use: Prose = ""
    preconditions: Items = ()
    do: Items = ()
    verify: Items = ()
    failure_signals: Items = ()
    escalation_boundary: Items = ()
    references: Items = ()
    goal_ids: Ids = ()
    task_ids: Ids = ()

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "rb")
        return self
