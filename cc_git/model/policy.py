"""`workspace.toml` as a value: the workspace's name and scope, and the policy that people edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.kinds import Kind
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import FORMAT, Items, OneLine, Value

NEEDS: dict[str, Authority] = {
    "identity": "user-explicit",
    "user_model": "user-explicit",
    "relationship": "user-explicit",
    "permission": "user-explicit",
    "goal": "agent-explicit",
    "commitment": "agent-explicit",
    "belief": "agent-inference",
    "decision": "agent-explicit",
    "procedure": "document",
    "failure": "agent-explicit",
    "hypothesis": "agent-inference",
}
"""The least authority with which a record of each kind is effective without an accept."""

GATED: frozenset[str] = frozenset({"permission", "identity", "relationship"})
"""Kinds that need an attested person (a permission only when it allows)."""


class Retention(Value):
    """Until when records under this rule are kept, and what happens then."""

    days: Annotated[int, Field(strict=True, ge=1)] | None = None
    then: Literal["expire", "review", "propose-forget"] = "review"


class Policy(Value):
    tracked_ceiling: Sensitivity = "limited"
    folders: Literal["month", "day"] = "month"
    commit: Literal["with-code", "by-hand"] = "with-code"
    broken_records: Literal["stop", "warn"] = "stop"
    """What the pre-commit hook does about a record that breaks the format."""
    packet_budget: Annotated[int, Field(strict=True, ge=100)] = 4000
    packet_days: Annotated[int, Field(strict=True, ge=1)] = 30
    needs: dict[Kind, Authority] = Field(default_factory=dict)

    def need(self, kind: str) -> Authority:
        return self.needs.get(kind) or NEEDS[kind]  # type: ignore[call-overload]


class Signals(Value):
    """The project's own phrases, beside those of `templates/origin-signals.toml`, by the same names."""

    continuity: Items = ()
    fillers: Items = ()
    steps: Items = ()
    constraints: Items = ()
    issues: Items = ()
    openings: Items = ()


class Workspace(Value):
    format: Literal["cc-git/1"] = FORMAT
    name: OneLine = "workspace"
    scope: Scope = EVERYWHERE
    policy: Policy = Policy()
    signals: Signals = Signals()
    retention: dict[str, Retention] = Field(default_factory=dict)
