"""The story, scene by scene. What it says is what happens: each command is run and its exit code checked."""

from __future__ import annotations

import shutil
from pathlib import Path

from cc_git.codec.paths import RECORDS, WORKSPACE_DIR
from cc_git.demo.stage import Stage
from cc_git.demo.work import what_wakes_when_it_fails, where_work_begins
from cc_git.errors import UsageFault
from cc_git.resources import shipped


def tell_story(stage: Stage, records: Path | None) -> None:
    """`records` is a folder of decision records to import; without one, the small set that ships with cc-git."""
    source = records or shipped("templates") / "adr"
    if not source.is_dir() or not any(source.glob("*.md")):
        raise UsageFault(f"{source} is no folder of decision records", why="it has no Markdown files")
    stage.prepare()
    _a_repository(stage, source)
    _a_workspace(stage)
    kept = _what_governs(stage)
    _into_the_commit(stage)
    _who_may_grant(stage)
    decision = _correct_and_revoke(stage, kept)
    _two_people(stage, decision)
    where_work_begins(stage)
    what_wakes_when_it_fails(stage)
    _resume_elsewhere(stage)


def _a_repository(stage: Stage, source: Path) -> None:
    stage.scene("A repository with a history")
    stage.say("Ana has a project with decision records, and a bare remote that everybody pushes to.")
    stage.git("home", "init", "--quiet", "--bare", "../origin.git", shown=False)
    stage.git("nobody", "clone", "--quiet", "origin.git", "ana", shown=False)
    stage.write("ana", "src/deploy.sh", '#!/bin/sh\nexec ./rollout "$@"\n')
    stage.git("ana", "add", "-A", shown=False)
    stage.git("ana", "commit", "--quiet", "-m", "Add the deploy script", shown=False)
    shutil.copytree(source, stage.folder / "ana" / "docs" / "adr")
    stage.git("ana", "add", "-A", shown=False)
    stage.git("ana", "commit", "--quiet", "-m", "Write down what we decided", shown=False)
    stage.git("ana", "push", "--quiet", "origin", "HEAD", shown=False)
    stage.git("ana", "log", "--oneline")


def _a_workspace(stage: Stage) -> None:
    stage.scene("A workspace, and the decisions that exist already")
    stage.say("One command begins the workspace: a folder of small typed files beside the code.")
    stage.cc("ana", "init", "--name", "harbour")
    stage.say("What is reviewed into the remote's main branch counts as people's word: set in Git, not in a file.")
    stage.cc("ana", "trust", "--accepted-ref", "origin/main")
    stage.say("From now on what is remembered joins Ana's ordinary commits.")
    stage.cc("ana", "hooks", "install")
    stage.say("Decision records are read with their status; a second import would change nothing.")
    stage.cc("ana", "import", "adr", "docs/adr")


def _what_governs(stage: Stage) -> dict[str, str]:
    stage.scene("Remember what governs the work")
    kept = {}
    for kind, why, words in (
        ("goal", "A goal.", ("Ship version 2 by the end of the year", "--kind", "goal", "--set", "priority=1")),
        ("commitment", "A promise not to do something.",
         ("The billing schema stays as it is until the audit is over", "--refrain")),
        ("failure", "What went wrong before, and the way out.",
         ("The first deploy after a restart hangs", "--kind", "failure", "--set", "severity=high",
          "--set", "trigger=deploy with a cold cache", "--set", "recovery=warm the cache, then deploy")),
        ("decision", "A decision on a subject: at most one stands.",
         ("Deploys go out on Tuesdays", "--kind", "decision", "--subject", "deploy-day",
          "--set", "rationale=the whole team is in")),
        ("permission", "A permission. It needs a person: Ana is asked at her terminal, and no flag answers for her.",
         ("Deploys to staging need no further question", "--allow", "deploy", "--target", "staging/*")),
    ):  # fmt: skip
        stage.say(why)
        stage.cc("ana", "remember", *words, answers=("y",))
        kept[kind] = stage.ask("ana", "list", "--all", "--kind", kind)[0]["id"]
    return kept


def _into_the_commit(stage: Stage) -> None:
    stage.scene("Memory travels with the code")
    stage.say("Ana commits code as ever; the hook lets what waits join that commit.")
    stage.write("ana", "src/deploy.sh", '#!/bin/sh\nset -e\nexec ./rollout "$@"\n')
    stage.git("ana", "commit", "--quiet", "-am", "Stop at the first error")
    records = f"{WORKSPACE_DIR}/{RECORDS}"
    stage.git("ana", "show", "--stat=100", "--format=%s", "--compact-summary", "HEAD", "--", "src", records)
    stage.say("Pushed into the accepted branch, it counts as people's word in every clone that accepts this branch.")
    stage.git("ana", "push", "--quiet", "origin", "HEAD")
    stage.cc("ana", "list", "--kind", "permission")


def _who_may_grant(stage: Stage) -> None:
    stage.scene("Model prose proposes; it never grants")
    stage.say("An agent writes itself a permission. It stays a proposal until a person accepts it.")
    stage.cc(
        "ana+demo", "remember", "Deploys to production are fine too", "--allow", "deploy", "--target", "production/*"
    )


def _correct_and_revoke(stage: Stage, kept: dict[str, str]) -> str:
    stage.scene("Correct and revoke are ordinary operations")
    stage.say("The old statement stays readable and is superseded; nothing is edited.")
    stage.cc(
        "ana",
        "correct",
        kept["decision"][-6:],
        "Deploys go out on Wednesdays",
        "--set",
        "rationale=the reviews of Tuesday are in",
    )
    stage.say("A revoke takes effect at once, and nothing that merely arrives can undo it. Even an agent may restrain.")
    stage.cc("ana+demo", "revoke", kept["permission"][-6:], "--reason", "staging is frozen for the audit")
    stage.cc("ana", "commit", "--message", "Move the deploy day, freeze staging")
    stage.git("ana", "push", "--quiet", "origin", "HEAD")
    found: list[dict[str, str]] = stage.ask("ana", "list", "--kind", "decision")
    return next(line["id"] for line in found if line["subject"] == "deploy-day")


def _two_people(stage: Stage, decision: str) -> None:
    stage.scene("Two people decide differently")
    stage.say("Ben clones and decides one way on a branch, Ana another way on main.")
    stage.git("nobody", "clone", "--quiet", "origin.git", "ben")
    stage.git("ben", "switch", "--quiet", "--create", "ben/thursdays")
    stage.cc(
        "ben",
        "correct",
        decision[-6:],
        "Deploys go out on Thursdays",
        "--set",
        "rationale=most changes land on Wednesdays",
    )
    stage.cc("ben", "commit", "--message", "Deploy on Thursdays")
    stage.git("ben", "push", "--quiet", "origin", "HEAD")
    stage.cc("ana", "correct", decision[-6:], "Deploys go out on Mondays", "--set", "rationale=the week is ahead of us")
    stage.cc("ana", "commit", "--message", "Deploy on Mondays")
    stage.say("A plain `git merge`: no textual conflict, because both only added files. Nothing is lost.")
    stage.git("ana", "fetch", "--quiet")
    stage.git("ana", "merge", "--no-edit", "origin/ben/thursdays")
    stage.say("In the accepted branch both are people's word. The clash is in the meaning, and there it is shown.")
    stage.git("ana", "push", "--quiet", "origin", "HEAD")
    stage.cc("ana", "status")
    sides: list[dict[str, str]] = stage.ask("ana", "list", "--standing", "conflicted")
    winner = next(line["id"] for line in sides if "Mondays" in line["title"])
    stage.say("Somebody rules; both statements and the ruling stay in history.")
    stage.cc("ana", "resolve", winner[-6:], "--reason", "Thursdays collide with the release train")
    stage.cc("ana", "commit", "--message", "Settle the deploy day")
    stage.git("ana", "push", "--quiet", "origin", "HEAD")


def _resume_elsewhere(stage: Stage) -> None:
    stage.scene("From a clone to a packet")
    stage.say("On another machine, a fresh clone and one command give an agent what it needs to go on.")
    stage.git("nobody", "clone", "--quiet", "origin.git", "cleo")
    stage.say("Cleo adopts the workspace on her machine; until then packets are evidence only.")
    stage.cc("cleo", "trust", "--accepted-ref", "origin/main")
    stage.cc("cleo+demo", "resume", "--task", "prepare the next deploy")
    stage.say("A packet says what it was made from. It holds until something changes.")
    stage.cc("cleo+demo", "packet", "verify")
    stage.cc("cleo+demo", "remember", "The audit ended on Friday", "--kind", "belief")
    stage.cc("cleo+demo", "packet", "verify", expect=1)
