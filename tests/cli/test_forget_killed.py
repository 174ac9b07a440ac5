"""A forgetting that is killed, wherever: nothing half-forgotten is eligible, and the next command completes it."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from cc_git.codec import paths
from cc_git.store.erasure_note import is_begun, note_path
from cc_git.store.place import Place
from cc_git.wiring.session import Asked, open_session
from tests.cli.forgetting import TOKEN, Scene, copied
from tests.cli.killing import in_child, spread
from tests.cli.people import Clone
from tests.cli.test_forget_steps import forget

KILLS = 20


def _copy(scene: Scene, folder: Path) -> Scene:
    source = scene.clone.top.parent
    shutil.copytree(source, folder, symlinks=True)
    note = folder / "ana" / ".git" / "continuity" / "exports"
    note.write_text(note.read_text().replace(str(source), str(folder)))
    return Scene(Clone(folder / "ana"), scene.episode, scene.quoting, scene.resting, scene.plain)


@pytest.mark.slow
def test_whoever_is_killed_in_it_leaves_it_done_or_undone(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scene = copied(tmp_path, tmp_path_factory)
    whole = _copy(scene, tmp_path / "whole")
    calls = in_child(lambda: forget(whole, whole.episode), None)
    assert calls > 200, "the kills have nothing to aim at"
    kills = list(spread(calls, KILLS))
    done = undone = missed = 0
    for at in kills:
        one = _copy(scene, tmp_path / f"kill{at}")
        # The number of calls differs a little from run to run: the last may come too late.
        missed += in_child(partial(forget, one, one.episode), at) != -1
        done, undone = (done + 1, undone) if _next_command(one, at) else (done, undone + 1)
        shutil.rmtree(tmp_path / f"kill{at}")
    assert done > len(kills) // 2 and undone > 0 and missed <= max(1, len(kills) // 20)


def _next_command(scene: Scene, at: int) -> bool:
    """Whether it is done; it fails where it is neither done nor undone."""
    session = open_session(Asked(scene.clone.top, os.environ, datetime(2026, 12, 2, 1, tzinfo=UTC)))
    try:
        known = session.known
        ids = {scene.episode, *scene.quoting.values()}
        standing = {i: v.standing for i in ids if (v := known.verdict(i)) is not None}
        tombs = session.loaded.files.tombstones
        assert not is_begun(session.place), at
    finally:
        session.close()
    if scene.episode not in tombs:
        assert not tombs and "forgotten" not in standing.values(), at
        return False
    assert ids <= tombs and set(standing.values()) <= {"forgotten"}, (at, standing)
    assert scene.holding() == [], at
    receipts = [p for p in (scene.directory / paths.RECEIPTS).rglob("*") if p.is_file() and "forget" in p.read_text()]
    assert len(receipts) == 1 and 'result = "clean"' in receipts[0].read_text(), at
    assert TOKEN not in receipts[0].read_text()
    return True


@pytest.mark.parametrize(("name", "left"), [("", b""), ("", bytes(400)), (".begun", b'{"operation": "forg')])
def test_a_note_that_was_not_yet_or_no_longer_one_is_put_away(accepted: Clone, name: str, left: bytes) -> None:
    identifier = accepted.made("remember", "Paint it green", "-k", "decision", prefix="dec")
    note = note_path(Place(accepted.top, accepted.top / ".git", accepted.top / ".git", paths.WORKSPACE_DIR))
    note = note.with_name(note.name + name)
    note.write_bytes(left)
    assert accepted.standing(identifier) == "current"
    assert not note.exists()


def test_nothing_that_waits_is_committed_while_a_forgetting_is_unfinished(accepted: Clone) -> None:
    accepted.cc("hooks", "install")
    made = accepted.data("remember", "Paint it green", "-k", "decision")
    note = note_path(Place(accepted.top, accepted.top / ".git", accepted.top / ".git", paths.WORKSPACE_DIR))
    note.write_bytes(b"{}")
    (accepted.top / "code.c").write_text("int main(void) { return 1; }\n")
    accepted.git("commit", "--quiet", "-am", "Work")
    assert not any(rel in accepted.git("ls-tree", "-r", "--name-only", "HEAD") for rel in made["files"].values())
    assert "interrupted" in accepted.run("status", code=6).err
