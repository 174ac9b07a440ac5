"""Whole packets, kept as files beside this one and compared byte by byte.

    python -m tests.unit.compiler.golden_packets

writes them anew; read the difference before committing it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from cc_git.model.runbook import Runbook
from cc_git.model.scope import Scope
from cc_git.model.spine import Anchor
from cc_git.model.trigger import Trigger
from cc_git.model.working_context import Question, Task, WorkingContext
from cc_git.origin.inherit import Origin
from cc_git.runbooks.selection import Shelved
from tests.unit.compiler.world import NOW, World, compiled, identifier

FOLDER = Path(__file__).parent / "golden"


def world() -> World:
    """A small project in the middle of its work, with something of everything."""
    w = World()
    measured = w.episode(
        "Ten connections are enough: p99 is 12 ms.", type="observation", authority="verified-observation"
    )
    w.episode("Ana said: never touch the release branch on Fridays.", type="assertion")
    w.record("identity", "Release engineer", role="Keeps releases green.", contract=("never force push",), version="2")
    w.record("user_model", "Prefers small commits", assertion="inferred", constraints=("one change a commit",),
             authority="user-implicit", verdict={"flags": frozenset({"reported"})})  # fmt: skip
    goal = w.record("goal", "Ship 1.0", outcome="A tagged release.", priority=1, owner="ana")
    w.record("commitment", "Release notes", due=NOW + timedelta(days=3), beneficiary="users")
    w.record("commitment", "No mail to customers", mode="refrain")
    w.record("belief", "The pool is large enough", content="Ten connections suffice.", basis="external",
             evidence=("p99 of 12 ms",), sources=(measured,), confidence=0.9)  # fmt: skip
    w.record("hypothesis", "The index is the bottleneck", test="profile a rebuild", authority="agent-inference",
             actor="agent:claude-code/opus")  # fmt: skip
    w.record("decision", "Use SQLite for the index", content="It ships with Python.\n```sql\nSELECT 1;\n```",
             rationale="No server to run.\nNo second source of truth.", alternatives=("Postgres", "plain files"),
             verdict={"attested": True, "flags": frozenset({"stale"}), "doubts": ("src/index.py " + "b" * 40,)},
             anchors=(Anchor(path="src/index.py", blob="a" * 40),), derived_from=(goal,))  # fmt: skip
    one = w.record("decision", "Rebuild nightly", standing="conflicted")
    two = w.record("decision", "Rebuild on every commit <b>now</b>", standing="conflicted", actor="human:bo")
    w.clash(one, two)
    deny = w.record("permission", "Never the release branch", effect="deny", action="push", target="origin/release/*",
                    authority="agent-explicit", actor="agent:claude-code/opus")  # fmt: skip
    w.record("permission", "Push to origin", action="push", target="origin/*",
             verdict={"attested": True, "limited_by": (deny,), "flags": frozenset({"limited"})})  # fmt: skip
    w.record("permission", "Deploy", action="deploy", target="prod", standing="revoked",
             verdict={"by": (identifier("ru", 70),)})  # fmt: skip
    w.record("relationship", "Reviews first", pattern="Ana reviews before a merge.", boundaries=("no merge at night",))
    w.record("procedure", "Rebuild the index", steps=("stop writers", "rebuild", "compare"), validators=("doctor",))
    w.record(
        "failure", "A stale lock stops every write", severity="catastrophic", trigger="kill -9", recovery="remove it"
    )
    w.record("decision", "For another project", scope=Scope(project="other"))
    w.record("decision", "A secret", sensitivity="restricted")
    w.record("belief", "Once true", standing="superseded")
    w.record("procedure", "Perhaps", standing="proposed")
    w.episode("\x1b[31mred\x1b[0m \u202eevil\u202c ![x](https://evil.example/x.png) <!-- hidden -->", type="message")
    return w


def inputs() -> dict[str, Any]:
    trigger = Trigger(id=identifier("tr", 60), kind="user-prompt", summary="Make the rebuild fast",
                      actor="human:ana", recorded_at=NOW - timedelta(days=2))  # fmt: skip
    context = WorkingContext(
        focus=identifier("tsk", 61),
        tasks=(Task(id=identifier("tsk", 61), title="Profile the rebuild", state="in-progress", priority=2),
               Task(id=identifier("tsk", 62), title="Write the notes")),
        questions=(Question(text="Is the cache warm?", asked_at=NOW),),
        next_step="Run the profiler on the large store.",
    )  # fmt: skip
    remedy = Runbook(id=identifier("rb", 63), title="Slow rebuild", kind="troubleshooting",
                     do=("profile", "compare"), verify=("doctor is quiet",), failure_signals=("slow",))  # fmt: skip
    rule = Runbook(id=identifier("rb", 64), title="Before what is hard to take back", kind="guardrail",
                   preconditions=("a way back",), do=("on the smallest target first",))  # fmt: skip
    found = Runbook(id=identifier("rb", 65), title="Pushed by somebody", triggers=("rebuild",), do=("curl it",))
    return {
        "origins": (Origin(trigger, "direct"),),
        "working_context": context,
        "runbooks": (
            Shelved(remedy, "slow-rebuild", attested=True),
            Shelved(rule, "hard", attested=True),
            Shelved(found, "pushed", attested=False),
        ),
        "head": {"src/index.py": "b" * 40},
        "until": NOW + timedelta(days=30),
        "private": "1", "attestations": "2", "negatives": "3",
    }  # fmt: skip


TASK = "why is the rebuild of the index slow?"
CASES: dict[str, Callable[[], str]] = {
    "everything.md": lambda: compiled(world(), inputs=inputs(), task=TASK).text,
    "everything.json": lambda: compiled(world(), inputs=inputs(), task=TASK, format="json").text,
    "everything.xml": lambda: compiled(world(), inputs=inputs(), task=TASK, format="xml").text,
    "tight.md": lambda: compiled(world(), inputs=inputs(), task=TASK, budget=700).text,
    "untrusted.md": lambda: compiled(world(), inputs={"trusted": False}, budget=800, profile="codex-hook").text,
    "empty.md": lambda: compiled(World()).text,
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, make in CASES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")
