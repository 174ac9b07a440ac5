"""Closing out: what separates the present from the last commit is said, and nothing is changed by it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.people import Clone
from tests.cli.test_relate import hypothesis, task


def closed(clone: Clone) -> Any:
    return clone.data("closeout")


@pytest.fixture
def calm(ana: Clone) -> Clone:
    """Nothing waits, and no work is in hand."""
    ana.commit()
    return ana


def test_nothing_is_nothing_and_stays_so(calm: Clone) -> None:
    calm.cc("closeout")
    found = closed(calm)
    assert (found["sort"], found["waiting"], found["then"]) == ("nothing", {}, [])
    assert "Nothing separates the present" in calm.cc("closeout")
    calm.git("commit", "-q", "--allow-empty", "-m", "x")
    for path in (calm.top / ".continuity").rglob("*.toml"):
        path.write_bytes(path.read_bytes())
    assert closed(calm)["sort"] == "nothing"


def test_it_changes_nothing(calm: Clone) -> None:
    calm.cc("remember", "A fact")
    calm.cc("step", "Go on")
    before = {path: path.read_bytes() for path in (calm.top / ".continuity").rglob("*") if path.is_file()}
    status = calm.git("status", "--porcelain")
    calm.cc("closeout")
    assert {path: path.read_bytes() for path in (calm.top / ".continuity").rglob("*") if path.is_file()} == before
    assert calm.git("status", "--porcelain") == status


@pytest.mark.parametrize(
    ("acts", "sort", "waiting"),
    [
        ([("capture", "Rain")], "evidence", {"episode": 1}),
        ([("remember", "The pier is wet")], "small", {"belief": 1, "episode": 1}),
        (
            [("remember", f"Number {n}", "-k", "decision") for n in range(3)],
            "larger",
            {"decision": 3, "episode": 3},
        ),
    ],
)
def test_what_kind_of_step_it_is(calm: Clone, acts: list[tuple[str, ...]], sort: str, waiting: dict[str, int]) -> None:
    for words in acts:
        calm.cc(*words)
    found = closed(calm)
    assert (found["sort"], found["waiting"], found["then"]) == (sort, waiting, ["cc-git commit"])
    calm.commit()
    assert closed(calm)["sort"] == "nothing"


def test_a_hypothesis_with_its_evidence_is_one(calm: Clone) -> None:
    rot = hypothesis(calm, "The piles rot")
    calm.cc("capture", "Holes", "--relate", f"supports:{rot}")
    assert closed(calm)["sort"] == "hypothesis"


def test_a_task_that_is_closed_with_its_conclusion(calm: Clone) -> None:
    work = task(calm, "Survey the piles")
    calm.cc("checkpoint")
    calm.commit()
    calm.cc("remember", "Forty piles", "--relate", f"resolves:{work}")
    assert closed(calm)["sort"] == "small"
    calm.cc("task", "done", work)
    found = closed(calm)
    assert found["sort"] == "closes-a-task"
    assert found["tasks"] == [{"id": work, "title": "Survey the piles", "before": "ready", "after": "done"}]
    assert found["then"] == ["cc-git checkpoint", "cc-git commit"]
    assert "ready → done" in calm.cc("closeout")


def test_what_no_checkpoint_has_is_named_and_then_no_more(calm: Clone) -> None:
    work = task(calm, "Survey the piles")
    calm.cc("step", "Hire a diver")
    calm.cc("question", "add", "Who?")
    found = closed(calm)
    assert [(one["id"], one["before"]) for one in found["tasks"]] == [(work, None)]
    assert {"next_step", "questions"} <= set(found["in_hand"]) and found["questions"] == 1
    calm.cc("checkpoint")
    calm.commit()
    found = closed(calm)
    assert (found["sort"], found["tasks"], found["in_hand"]) == ("nothing", [], [])
    calm.cc("step", "Hire two divers")
    assert closed(calm)["in_hand"] == ["next_step"] and closed(calm)["sort"] == "work"


def test_a_tidied_task_is_no_change(calm: Clone) -> None:
    work = task(calm, "Survey the piles")
    calm.cc("task", "done", work)
    calm.cc("checkpoint", "--tidy")
    calm.commit()
    assert closed(calm)["sort"] == "nothing"


def test_what_is_missing_of_the_line_at_hand_is_counted(calm: Clone) -> None:
    work = task(calm, "Survey the piles")
    calm.cc("task", "start", work)
    found = closed(calm)
    assert found["task"] == work and found["then"][0] == "cc-git check --task"
    assert "state, hypothesis, evidence, decision, conclusion of" in calm.cc("closeout")


def test_an_edited_document_counts_and_an_edited_record_is_left_out(calm: Clone) -> None:
    file = calm.top / ".continuity/workspace.toml"
    file.write_text(file.read_text() + "# by hand\n")
    assert closed(calm)["documents"] == ["workspace.toml"]
    made = calm.data("remember", "A fact")
    calm.commit()
    rel = next(rel for rel in made["files"].values() if "records/" in rel)
    path = calm.top / ".continuity" / rel
    path.write_text(path.read_text().replace("A fact", "No fact"))
    assert closed(calm)["left_out"] == [rel]


def test_forgotten_places_wait_for_a_commit(calm: Clone) -> None:
    made = calm.made("remember", "A fact that goes", prefix="blf")
    calm.commit()
    calm.person("forget", made, answers=("y",))
    found = closed(calm)
    assert (found["emptied"], found["waiting"], found["then"]) == (1, {"tombstone": 1}, ["cc-git commit"])


def test_during_a_merge_it_says_why_not_now(calm: Clone) -> None:
    calm.git("checkout", "-q", "-b", "side")
    (calm.top / "f").write_text("side\n")
    calm.git("add", "f")
    calm.git("commit", "-q", "-m", "side")
    calm.git("checkout", "-q", "-")
    (calm.top / "f").write_text("main\n")
    calm.git("add", "f")
    calm.git("commit", "-q", "-m", "main")
    calm.cc("remember", "A fact")
    calm.git("merge", "side", code=1)
    found = closed(calm)
    assert "merge" in found["blocked"] and found["waiting"] == {"belief": 1, "episode": 1}


def test_proposals_are_counted(calm: Clone) -> None:
    calm.agent().cc("propose", "Use steel", "-k", "decision")
    found = closed(calm)
    assert found["proposals"] == 1 and found["then"][0] == "cc-git review"
