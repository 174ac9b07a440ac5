"""Allowing a text that looks like a secret and is none: an example of a manual, a public id, a password of a test.

The allowance is a permission like any other: a record in review, with a reason, that stands by a person's attested word
and ends with a revoke. It names the very text. So whoever reviews it sees what is let through, and no pattern or hash
can let through more, or tell a guess.
"""

from __future__ import annotations

from dataclasses import replace

from cc_git.errors import UsageFault
from cc_git.governance.plan import Mint, Plan
from cc_git.governance.remember import Statement, remember
from cc_git.governance.secrets import secrets_in
from cc_git.model.kinds import Permission
from cc_git.model.record import Record
from cc_git.model.sanitise import as_value
from cc_git.model.scope import Scope
from cc_git.model.value import LOCATOR_LIMIT, forbidden_in_a_line
from cc_git.model.verdict import Verdict
from cc_git.model.who import Who

ACTION = "write-public-text"
"""The action of such a permission; its target is the text, taken literally."""


def allow_text(text: str, reason: str, scope: Scope, who: Who, mint: Mint) -> Plan:
    """What the person is asked shows the text. Raises UsageFault."""
    if not secrets_in(text.encode("utf-8", "replace")):
        raise UsageFault(
            "nothing in this text looks like a secret, so there is nothing to allow",
            why="an allowance is for the very text that was refused, whole: a part of it lets nothing through",
        )
    if len(text) > LOCATOR_LIMIT or forbidden_in_a_line(text) is not None:
        raise UsageFault(f"an allowed text is one line of at most {LOCATOR_LIMIT} characters")
    statement = Statement(
        kind="permission",
        text=reason,
        title="A text that looks like a secret and is public",
        authority="user-explicit",
        scope=scope,
        payload={"effect": "allow", "action": ACTION, "target": text},
    )
    asks = f"Is this public, so that anyone may write, commit and push it here ({scope}): {as_value(text)}?"
    return replace(remember(statement, who, mint), asks=asks, public=(text,))


def allowed_by(record: Record, verdict: Verdict, scope: Scope) -> str | None:
    """The text that this record allows in a workspace of this scope; None where it allows none, or does not stand."""
    payload = record.payload
    if not isinstance(payload, Permission) or payload.restrains or payload.action != ACTION or payload.conditions:
        return None
    stands = verdict.standing == "current" and verdict.attested and "withheld" not in verdict.flags
    if not stands or verdict.limited_by or not record.scope.covers(scope):
        return None
    return payload.target
