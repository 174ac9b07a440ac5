"""One sample of every stored value, for the shared round-trip and property tests. A new kind is one row here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from cc_git.model.episode import Episode
from cc_git.model.ids import new_id
from cc_git.model.kinds import PAYLOADS, PREFIX_OF_KIND
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.receipt import Receipt
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.runbook import Runbook
from cc_git.model.trigger import Trigger
from cc_git.model.value import Value
from cc_git.model.working_context import Checkpoint, Question, Task, WorkingContext

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def an_id(prefix: str, number: int = 1) -> str:
    return new_id(prefix, NOW, number.to_bytes(10, "big"))


PAYLOAD_SAMPLES: dict[str, dict[str, Any]] = {
    "identity": {"role": "maintainer", "contract": ("asks before pushing",), "owner": "ana", "version": "2"},
    "user_model": {"assertion": "inferred", "constraints": ("mornings only",)},
    "relationship": {"pattern": "pairs", "boundaries": ("no nights",), "history_anchors": ("the 2025 outage",)},
    "permission": {"effect": "allow", "action": "deploy", "target": "staging/*", "conditions": ("tests pass",)},
    "goal": {"outcome": "released", "priority": 1, "parent": an_id("goal", 9), "success_evidence": ("tag",)},
    "commitment": {"mode": "refrain", "promisor": "agent", "due": datetime(2026, 12, 24, tzinfo=UTC)},
    "belief": {"basis": "external", "evidence": ("log",), "counterevidence": ("other log",)},
    "decision": {"owner": "ana", "rationale": "fewer parts\nto break", "alternatives": ("a", "b"), "decided_at": NOW},
    "procedure": {"steps": ("build", "test"), "validators": ("green",), "skill_ref": "skills/release"},
    "failure": {"trigger": "index.lock", "recovery": "remove it", "severity": "catastrophic"},
    "hypothesis": {"test": "profile it", "leap": "large", "cost_to_validate": "an hour"},
}


def record(kind: str, number: int = 1, **changes: Any) -> Record:
    fields: dict[str, Any] = {
        "id": an_id(PREFIX_OF_KIND[kind], number),
        "kind": kind,
        "title": f"A {kind}",
        "authority": "user-explicit",
        "actor": "human:ana",
        "recorded_at": NOW,
        "expires_at": NOW + timedelta(days=30) if kind == "hypothesis" else None,
        "payload": PAYLOADS[kind].model_validate(PAYLOAD_SAMPLES[kind]),
    }
    return Record(**(fields | changes))


OTHERS: tuple[Value, ...] = (
    Episode(
        id=an_id("ep"),
        type="assertion",
        content="We ship on Fridays.\nAlways.",
        subject="ship-day",
        speaker="ana",
        authority="user-explicit",
        actor="human:ana",
        source={"kind": "user", "locator": "chat"},
        recorded_at=NOW,
        attachments=({"path": "attachments/x", "note": "a log"},),
    ),
    Ruling(
        id=an_id("ru"),
        verb="resolve",
        targets=(an_id("dec"), an_id("dec", 2)),
        saw=("a" * 40, "b" * 40),
        winner=an_id("dec", 2),
        reason="the newer one",
        authority="user-explicit",
        actor="human:ana",
        recorded_at=NOW,
    ),
    Trigger(
        id=an_id("tr"),
        kind="user-prompt",
        summary="Fix it",
        text="Fix it\nplease",
        fingerprint="0" * 64,
        actor="human:ana",
        recorded_at=NOW,
    ),
    Runbook(id=an_id("rb"), title="Release", kind="guardrail", triggers=("release",), do=("tag", "push")),
    Receipt(
        id=an_id("rc"),
        operation="remember",
        actor="human:ana",
        recorded_at=NOW,
        made=(an_id("dec"),),
        counts={"new": 1},
    ),
    Tombstone(id=an_id("dec")),
    Ending(id=an_id("prm")),
    Checkpoint(
        id=an_id("cp"),
        actor="agent:claude",
        recorded_at=NOW,
        commit="c" * 40,
        context=WorkingContext(
            version=3,
            basis=(an_id("cp", 2),),
            focus=an_id("tsk"),
            tasks=(Task(id=an_id("tsk"), title="Write it", state="blocked", priority=1, reason="no ink"),),
            questions=(Question(text="Why?", asked_at=NOW),),
            next_step="go on",
        ),
    ),
)

ALL: tuple[Value, ...] = (*(record(kind) for kind in PAYLOADS), *OTHERS)
