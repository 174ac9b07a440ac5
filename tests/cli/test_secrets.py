"""No act writes what looks like a secret: nothing of it becomes an object, and no message repeats it. What a person
allowed is written, by anyone, as long as that stands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cc_git.codec import paths
from cc_git.codec.documents import to_document
from cc_git.codec.files import decode
from cc_git.codec.toml_write import dump
from cc_git.model.record import Record
from tests.cli.people import Clone, World
from tests.cli.test_dream import candidate, report
from tests.unit.kinds_of_secrets import SECRETS

TOKEN = SECRETS["GitHub Token"]
SAID = f"Deploys use the token {TOKEN} since Monday"
EXAMPLE = SECRETS["AWS Access Key"]


def objects(clone: Clone) -> bytes:
    """Every object of the user's repository and of our journal, and every file of the clone and of our folder."""
    found = b""
    for repository in (clone.top / ".git", clone.top / ".git/continuity/journal.git"):
        words = ("cat-file", "--batch-all-objects", "--unordered", "--batch")
        found += subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True).stdout
    folders = (clone.top / ".continuity", clone.top / ".git/continuity")
    return found + b"".join(path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file())


def refused(clone: Clone, *words: str) -> str:
    """What is said; nothing of the token was kept or repeated anywhere."""
    said = clone.run(*words, code=3)
    assert "nothing was written" in said.err and "GitHub Token, 40 characters" in said.err
    assert TOKEN[4:14] not in said.out + said.err
    assert TOKEN.encode() not in objects(clone)
    as_data = clone.run(*words, "--json", code=3)
    assert TOKEN[4:14] not in as_data.out + as_data.err and json.loads(as_data.out)["ok"] is False
    return said.err


ACTS: dict[str, tuple[str, ...]] = {
    "remember": ("remember", SAID),
    "remember a field": ("remember", "Deploys", "-k", "failure", "--set", f"trigger={SAID}"),
    "remember in private": ("remember", SAID, "--sensitivity", "sensitive"),
    "a goal, with its trigger": ("remember", SAID, "-k", "goal", "--title", "Deploy"),
    "propose": ("propose", SAID),
    "capture": ("capture", SAID),
    "capture from": ("capture", "It was said", "--from", f"https://x:{TOKEN}@example.org/"),
    "a trigger": ("trigger", "add", "Deploy", "--text", SAID),
    "a task": ("task", "add", "Deploy", "--note", SAID),
    "a step": ("step", SAID),
    "a question": ("question", "add", SAID),
    "what returned": ("returned", SAID),
    "a runbook": ("runbook", "add", "Deploy", "--do", SAID),
}


@pytest.mark.parametrize("words", ACTS.values(), ids=ACTS)
def test_no_act_writes_a_secret(ana: Clone, words: tuple[str, ...]) -> None:
    before = ana.git("status", "--porcelain")
    refused(ana, *words, "--dry-run")
    refused(ana, *words)
    assert ana.git("status", "--porcelain") == before


def test_the_message_names_field_and_line_and_what_helps(ana: Clone) -> None:
    said = refused(ana, "remember", f"Deploys\n\nThey use\n{TOKEN}\n", "-k", "decision")
    assert re.search(r'Error: nothing was written: "content" \(line \d+\) of episodes/\S+ looks like it holds', said)
    assert re.search(r'"content" \(line \d+\) of records/decision/', said)
    assert "cc-git secrets allow TEXT --reason WHY" in said


def test_what_changes_and_rules_writes_none_either(accepted: Clone) -> None:
    decision = accepted.made("remember", "Deploys go out on Tuesdays", "-k", "decision", prefix="dec")
    accepted.cc("runbook", "add", "Deploy", "--do", "tag")
    refused(accepted, "correct", decision, SAID)
    refused(accepted, "revoke", decision, "--reason", SAID)
    refused(accepted, "runbook", "edit", "deploy", "--add", f"do={SAID}")
    assert accepted.standing(decision) == "current"


def test_a_dream_and_a_consolidation_write_none(accepted: Clone) -> None:
    episode = accepted.made("capture", "It was slow", prefix="ep")
    told = report(accepted, candidate(episode, text=SAID))
    refused(accepted, "dream", "report", told, "--now", "2026-12-01T12:00:00Z")


def adrs(clone: Clone) -> None:
    for name, text in (("0001-a.md", "Use queues."), ("0002-b.md", SAID)):
        path = clone.top / "docs/adr" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n\nDate: 2026-11-30\n\n## Status\n\nAccepted\n\n## Context\n\nSpeed.\n\n"
                        f"## Decision\n\n{text}\n\n## Consequences\n\nNone.\n")  # fmt: skip


def test_one_secret_stops_a_whole_import(ana: Clone) -> None:
    adrs(ana)
    before = ana.git("status", "--porcelain", "-uall")
    assert "docs/adr/0002-b.md" in refused(ana, "import", "adr", "docs/adr")
    assert ana.git("status", "--porcelain", "-uall") == before
    (ana.top / "docs/adr/0002-b.md").unlink()
    ana.cc("import", "adr", "docs/adr")


def test_a_secret_in_what_goes_in_at_once_keeps_out_what_would_wait(ana: Clone) -> None:
    adrs(ana)
    ana.git("add", "docs/adr/0002-b.md")
    ana.git("commit", "--quiet", "-m", "Decided")
    before = ana.git("status", "--porcelain", "-uall")
    said = ana.run("import", "adr", "docs/adr", code=3).err
    assert "docs/adr/0002-b.md" in said and TOKEN[4:14] not in said
    assert ana.git("status", "--porcelain", "-uall") == before and ana.data("import", "review") == []


def test_a_runbook_left_with_a_secret_by_the_editor_is_not_kept(ana: Clone) -> None:
    ana.cc("runbook", "add", "Deploy", "--do", "tag")
    editor = ana.top / "editor.sh"
    editor.write_text(f'#!/bin/sh\nsed -i "s/tag/{TOKEN}/" "$1"\n')
    editor.chmod(0o755)
    ana.more["GIT_EDITOR"] = ana.more["EDITOR"] = str(editor)
    said = ana.run("runbook", "edit", "deploy", code=3).err
    assert "the file is as you left it" in said and TOKEN[4:14] not in said
    for _ in range(2):
        assert "tag" in ana.cc("runbook", "show", "deploy") and "GitHub Token" in ana.cc("status")
        assert TOKEN in (ana.top / ".continuity/runbooks/deploy.toml").read_text()
        git = ["git", "-C", ana.top / ".git/continuity/journal.git", "cat-file", "--batch-all-objects", "--batch"]
        assert TOKEN.encode() not in subprocess.run(git, check=True, capture_output=True).stdout


def laid_with(clone: Clone, text: str) -> Path:
    """A record that somebody wrote into the workspace by hand, in place of one that cc-git wrote."""
    made = clone.made("remember", "To be replaced", "-k", "belief", prefix="blf")
    whole = next((clone.top / ".continuity/records").rglob(f"{made}.toml"))
    record = decode(paths.path_of(made), whole.read_bytes())
    assert isinstance(record, Record)
    fresh = made[:-4] + "zzzz"
    document = {**to_document(record), "id": fresh, "content": text}
    path = whole.with_name(f"{fresh}.toml")
    path.write_text(dump(document))
    return path


def test_what_is_laid_by_hand_with_a_secret_is_left_out_and_named(ana: Clone) -> None:
    path = laid_with(ana, SAID)
    said = ana.cc("status")
    assert path.name in said and "GitHub Token" in said and TOKEN[4:14] not in said
    assert path.stem not in {one["id"] for one in ana.data("list", "--all")}
    whole = path.read_text()
    path.unlink()
    assert TOKEN.encode() not in objects(ana)
    path.write_text(whole.replace(TOKEN, "of the team"))
    ana.cc("status")
    assert path.stem in {one["id"] for one in ana.data("list", "--all")}


def test_a_deny_that_is_laid_by_hand_with_a_secret_counts_while_it_lies_there(accepted: Clone) -> None:
    words = ("-k", "permission", "--set", "effect=deny", "--set", "action=deploy", "--set", "target=live")
    made = accepted.made("remember", "Not on Fridays", *words, prefix="prm")
    whole = next((accepted.top / ".continuity/records").rglob(f"{made}.toml"))
    record = decode(paths.path_of(made), whole.read_bytes())
    assert isinstance(record, Record)
    laid = whole.with_name(f"{made[:-4]}zzzz.toml")
    laid.write_text(dump({**to_document(record), "id": laid.stem, "content": SAID, "permission": {
        "effect": "deny", "action": "restart", "target": "live"}}))  # fmt: skip
    assert "GitHub Token" in accepted.cc("status")
    assert accepted.standing(laid.stem) == "current"
    accepted.run("preflight", "restart", "--target", "live", code=3)
    assert TOKEN.encode() not in objects(accepted).replace(laid.read_bytes(), b"")
    laid.unlink()
    accepted.run("preflight", "restart", "--target", "live", code=None)
    assert TOKEN.encode() not in objects(accepted)


# What a person allowed.


def test_a_person_allows_a_text_and_then_anyone_writes_it(accepted: Clone) -> None:
    agent = accepted.agent()
    agent.run("remember", f"The manual has {EXAMPLE}", code=3)
    asked = accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    assert "Is this public" in asked and EXAMPLE in asked
    agent.cc("remember", f"The manual has {EXAMPLE}")
    agent.cc("step", f"Look up {EXAMPLE}")
    refused(agent, "remember", SAID)
    (one,) = accepted.data("secrets", "list")
    assert (one["text"], one["reason"].strip()) == (EXAMPLE, "From the manual")


def test_what_is_allowed_is_read_without_git_too(accepted: Clone, tmp_path: Path) -> None:
    accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    copy = Clone(tmp_path / "copy")
    shutil.copytree(accepted.top / ".continuity", copy.top / ".continuity")
    assert copy.run("secrets", "list").out.strip() == "No text was allowed.", "nobody is bound to anything there"


def test_an_agent_allows_nothing_and_neither_does_what_it_writes(accepted: Clone) -> None:
    agent = accepted.agent()
    said = agent.run("secrets", "allow", TOKEN, "--reason", "it is fine", code=3)
    assert "only a person at a terminal" in said.err and TOKEN.encode() not in objects(accepted)
    grant = ("remember", "Fine", "-k", "permission", "--set", "effect=allow", "--set", "action=write-public-text")
    agent.run(*grant, "--set", f"target={TOKEN}", code=3)
    agent.cc(*grant, "--set", "target=*", "--authority", "user-explicit")
    refused(agent, "remember", SAID)


@pytest.mark.parametrize("pattern", ["*", "ghp_*", TOKEN[:12]])
def test_a_permission_allows_its_very_text_and_no_pattern(accepted: Clone, pattern: str) -> None:
    fields = ("effect=allow", "action=write-public-text", f"target={pattern}")
    words = [word for one in fields for word in ("--set", one)]
    accepted.person("remember", "Fine", "-k", "permission", *words, answers=("y",))
    refused(accepted.agent(), "remember", SAID)


def test_an_allowance_ends_with_its_revoke(accepted: Clone) -> None:
    accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    allowance = accepted.data("secrets", "list")[0]["id"]
    accepted.agent().cc("revoke", allowance, "--reason", "it was no example")
    assert accepted.data("secrets", "list") == []
    accepted.agent().run("remember", f"The manual has {EXAMPLE}", code=3)


def test_an_allowance_that_merely_arrives_lets_nothing_through(world: World, accepted: Clone) -> None:
    accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    accepted.git("switch", "--quiet", "-c", "topic")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "topic")
    ben = world.clone("ben", "--branch", "topic")
    ben.person("trust", "--accepted-ref", "origin/main")
    assert ben.data("secrets", "list") == []
    ben.run("remember", f"The manual has {EXAMPLE}", code=3)
    accepted.git("push", "--quiet", "origin", "topic:main")
    ben.git("fetch", "--quiet")
    ben.cc("remember", f"The manual has {EXAMPLE}")


@pytest.mark.parametrize(
    ("text", "why"), [("nothing to see", "nothing in this text looks like a secret"), (f"{TOKEN}\nx", "one line")]
)
def test_only_what_was_refused_is_allowed(accepted: Clone, text: str, why: str) -> None:
    assert why in accepted.person("secrets", "allow", text, "--reason", "why", code=2)


def test_a_no_allows_nothing(accepted: Clone) -> None:
    accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("n",), code=3)
    assert EXAMPLE.encode() not in objects(accepted)


def test_what_the_work_in_hand_said_already_stops_no_step_but_is_frozen_into_no_checkpoint(accepted: Clone) -> None:
    accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    accepted.cc("question", "add", f"What is {EXAMPLE}?")
    accepted.cc("revoke", accepted.data("secrets", "list")[0]["id"])
    accepted.cc("question", "add", "Who knows?")
    accepted.cc("step", "Ask ben")
    accepted.run("step", f"Look up {EXAMPLE}", code=3)
    said = accepted.run("checkpoint", code=3).err
    assert "of checkpoints/" in said and EXAMPLE not in said


def test_what_was_allowed_once_stops_no_forgetting(accepted: Clone) -> None:
    accepted.person("secrets", "allow", EXAMPLE, "--reason", "From the manual", answers=("y",))
    text = "The manual of the old crane names its key where anybody can read it"
    accepted.cc("question", "add", f"What is {EXAMPLE}?")
    accepted.cc("step", text)
    record = accepted.made("remember", f"{text}: {EXAMPLE}", "-k", "belief", prefix="blf")
    accepted.cc("revoke", accepted.data("secrets", "list")[0]["id"])
    accepted.person("forget", record, answers=("y",))
    assert "its content was forgotten" in accepted.run("show", record, code=2).err
    state = (accepted.top / ".continuity/private/working-context.json").read_text()
    assert text not in state and EXAMPLE in state
