"""An act that is killed, wherever: the next command finds it whole or not at all, and doing it again does it once."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cc_git.codec.paths import TEMP_PREFIX
from cc_git.compiler.compile import compile_whole
from cc_git.governance.ask import request_from
from cc_git.model.packet import Unfit
from cc_git.wiring.packets import inputs_of
from cc_git.wiring.session import Asked, open_session
from tests.cli.killing import at_terminal, spread
from tests.cli.people import Clone

KILLS = 6
"""For each act."""
GRANT = ("--allow", "deploy", "--target")
NOTES = "# Deploys\n\nDeploys go out on Tuesdays.\n\n# Tests\n\nRun them before a push.\n"

Words = tuple[str, ...]
Prepared = Callable[[Clone], Words]


def _remembered(clone: Clone) -> Words:
    return "remember", "Deploys go out on Tuesdays", "-k", "decision"


def _with_evidence(clone: Clone) -> Words:
    (clone.top / "build.log").write_text("no space left\n" * 500)
    clone.person("remember", "Deploys go out on Mondays", "-k", "decision")
    told = clone.agent().made("capture", "It failed", "--attach", "build.log", prefix="ep")
    return "remember", "Deploys need space", "-k", "failure", "--source", told


def _corrected(clone: Clone) -> Words:
    clone.person("remember", "Deploys go out on Mondays", "-k", "decision")
    return "correct", clone.data("list")[0]["id"], "Deploys go out on Tuesdays"


def _corrected_grant(clone: Clone) -> Words:
    clone.person("remember", "Deploys are fine", *GRANT, "*", answers=("y",))
    return "correct", clone.data("list")[0]["id"], "Deploys to staging are fine", "--set", "target=staging/*"


def _accepted(clone: Clone) -> Words:
    clone.person("remember", "Deploys go out on Mondays", "-k", "decision")
    old = clone.data("list")[0]["id"]
    told = ("propose", "Deploys go out on Tuesdays", "-k", "decision", "--supersedes", old)
    return "accept", clone.agent().made(*told, prefix="dec")


def _accepted_grant(clone: Clone) -> Words:
    clone.person("remember", "Deploys are fine", *GRANT, "*", answers=("y",))
    old = clone.data("list")[0]["id"]
    told = ("propose", "Deploys to staging are fine", *GRANT, "staging/*", "--supersedes", old)
    return "accept", clone.agent().made(*told, prefix="prm")


def _accepted_by_an_agent(clone: Clone) -> Words:
    clone.agent().cc("remember", "The cache is warm", "-k", "goal")
    old = clone.data("list")[0]["id"]
    made = clone.agent().made("propose", "The cache is hot", "-k", "goal", "--supersedes", old, prefix="goal")
    return "accept", made, "--actor", "agent:claude-code/opus"


def _taken_in(clone: Clone) -> Words:
    (clone.top / "CLAUDE.md").write_text(NOTES)
    clone.cc("import", "notes", "CLAUDE.md")
    (waiting,) = clone.data("import", "review")
    return "import", "accept", waiting["import"]


def _taken_in_as_own(clone: Clone) -> Words:
    words = _taken_in(clone)
    (waiting,) = clone.data("import", "review")
    return *words, "--mine", waiting["items"][0]["id"]


ACTS = (_corrected, _corrected_grant, _accepted, _accepted_grant, _accepted_by_an_agent, _taken_in, _taken_in_as_own)
NEW = (_remembered, _with_evidence)
"""Given again, they are said again."""


@dataclass(frozen=True)
class State:
    """`standings`: every record by what it says and counts as; `packet`: what a packet shows, and as what."""

    standings: tuple[tuple[object, ...], ...]
    packet: tuple[tuple[object, ...], ...]
    made: dict[str, int]


def _state(clone: Clone) -> State:
    """What the next ordinary command sees."""
    session = open_session(Asked(clone.top, os.environ, datetime.now(UTC)))
    try:
        files, judged = session.loaded.files, session.standings
        whole = [(variants[0].value, judged.verdicts[i]) for i, variants in files.records.items()]
        standings = sorted((r.title, v.standing, v.authority, v.attested, sorted(v.flags)) for r, v in whole)
        assert all(source in files.episodes for record, _ in whole for source in record.sources)
        compiled = compile_whole(inputs_of(session), request_from(task="deploy", budget=4000), session.now)
        assert not isinstance(compiled, Unfit)
        shown = sorted(
            (i.title, i.standing, i.attested, i.labels) for i in compiled.packet.items() if i.kind != "episode"
        )
        made = {"records": len(whole), "receipts": len(files.receipts)}
        return State(tuple(map(tuple, standings)), tuple(map(tuple, shown)), made)
    finally:
        session.close()


def _is_tidy(clone: Clone) -> None:
    own = clone.top / ".git" / "continuity"
    assert not list((clone.top / ".continuity").rglob(f"{TEMP_PREFIX}*"))
    assert not [*own.rglob("*.lock"), *own.rglob(".new-*"), *(clone.top / ".git").glob("*.lock")]
    assert "error" not in clone.git("-C", str(own / "journal.git"), "fsck", "--full", "--strict", "--no-dangling")


@pytest.mark.slow
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__.strip("_"))
def test_an_act_that_is_killed_is_whole_or_absent_and_done_again_it_is_done_once(
    accepted: Clone, tmp_path: Path, act: Prepared
) -> None:
    words, kept = act(accepted), tmp_path / "kept"
    before = _state(accepted)
    shutil.copytree(accepted.top, kept, symlinks=True)
    calls = at_terminal(accepted, words, None)
    after = _state(accepted)
    assert calls > 50 and after != before, "the kills have nothing to aim at"
    done = undone = 0
    for at in spread(calls, KILLS):
        shutil.rmtree(accepted.top)
        shutil.copytree(kept, accepted.top, symlinks=True)
        at_terminal(accepted, words, at)
        state = _state(accepted)
        assert state in (before, after), at
        done, undone = (done + 1, undone) if state == after else (done, undone + 1)
        assert TEMP_PREFIX not in accepted.git("status", "--porcelain")
        at_terminal(accepted, words, None)
        assert _state(accepted) == after, at
        _is_tidy(accepted)
        accepted.git("add", "-A")
        accepted.git("commit", "--quiet", "-m", "As it is")
        assert accepted.git("status", "--porcelain") == ""
        assert _state(accepted) == after, at
    assert done and undone


@pytest.mark.slow
@pytest.mark.parametrize("act", NEW, ids=lambda act: act.__name__.strip("_"))
def test_what_is_new_is_there_whole_or_not_at_all(accepted: Clone, tmp_path: Path, act: Prepared) -> None:
    words, kept = act(accepted), tmp_path / "kept"
    before = _state(accepted)
    shutil.copytree(accepted.top, kept, symlinks=True)
    calls = at_terminal(accepted, words, None)
    after = _state(accepted)
    assert calls > 50 and after != before, "the kills have nothing to aim at"
    for at in spread(calls, KILLS):
        shutil.rmtree(accepted.top)
        shutil.copytree(kept, accepted.top, symlinks=True)
        at_terminal(accepted, words, at)
        state = _state(accepted)
        assert state in (before, after), at
        _is_tidy(accepted)
        accepted.git("add", "-A")
        accepted.git("commit", "--quiet", "--allow-empty", "-m", "As it is")
        assert accepted.git("status", "--porcelain") == "" and _state(accepted) == state, at


@pytest.mark.slow
def test_a_commit_that_is_killed_loses_nothing_and_leaves_what_is_the_users(accepted: Clone, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    made = accepted.made("remember", "Deploys go out on Tuesdays", "-k", "decision", prefix="dec")
    (accepted.top / "code.c").write_text("mine\n")
    accepted.git("add", "code.c")
    before = _state(accepted)
    shutil.copytree(accepted.top, kept, symlinks=True)
    calls = at_terminal(accepted, ("commit", "-m", "Memory"), None)
    assert calls > 20, "the kills have nothing to aim at"
    for at in spread(calls, KILLS):
        shutil.rmtree(accepted.top)
        shutil.copytree(kept, accepted.top, symlinks=True)
        at_terminal(accepted, ("commit", "-m", "Memory"), at)
        _end_of_git(accepted)
        assert _state(accepted) == before, at
        accepted.cc("commit", "-m", "Memory, again")
        assert accepted.git("status", "--porcelain") == "M  code.c", at
        assert any(made in line for line in accepted.git("ls-tree", "-r", "--name-only", "HEAD").splitlines())
        for left in (accepted.top / ".git/continuity").glob(".new-*"):
            os.utime(left, (0, 0))
        accepted.cc("capture", "What writes next takes away what was left long ago")
        _is_tidy(accepted)


def _end_of_git(clone: Clone) -> None:
    """The git program that a killed command had started goes on by itself."""
    for _ in range(200):
        if not (clone.top / ".git/index.lock").exists():
            return
        time.sleep(0.05)
    raise AssertionError("the index stays locked")
