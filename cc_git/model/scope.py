"""Scopes: where a record holds. An absent field or `*` covers all."""

from __future__ import annotations

from cc_git.model.sanitise import as_value
from cc_git.model.value import OneLine, Value

FIELDS = ("user", "project", "agent", "thread", "organization")


class Scope(Value):
    user: OneLine = "*"
    project: OneLine = "*"
    agent: OneLine = "*"
    thread: OneLine = "*"
    organization: OneLine = "*"

    def fields(self) -> tuple[str, str, str, str, str]:
        return (self.user, self.project, self.agent, self.thread, self.organization)

    def covers(self, other: Scope) -> bool:
        """Equal or wider: where `other` holds, this holds. A record is visible where it covers the question."""
        return all(a in ("*", b) for a, b in zip(self.fields(), other.fields(), strict=True))

    def meets(self, other: Scope) -> bool:
        """There is a place where both hold."""
        return all(a == b or a == "*" or b == "*" for a, b in zip(self.fields(), other.fields(), strict=True))

    def __str__(self) -> str:
        """In a line of ours: no value looks like another field."""
        named = [f"{n}={as_value(v)}" for n, v in zip(FIELDS, self.fields(), strict=True) if v != "*"]
        return " ".join(named) or "everywhere"


EVERYWHERE = Scope()
