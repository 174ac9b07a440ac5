"""Each cleaning step matters: with one left out on purpose, the look from outside or the search sees what is left."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cc_git.cli.forgotten import explained
from cc_git.model.id_part import IdPart
from cc_git.model.who import Who
from cc_git.store import erase
from cc_git.wiring import finish_forget
from cc_git.wiring.acts import Hand
from cc_git.wiring.finish_forget import Completed
from cc_git.wiring.forget import ForgetRequest, do_forget
from cc_git.wiring.session import Asked, open_session
from tests.cli.forgetting import Scene, copied

ANA = Who("human:ana", is_agent=False, at_terminal=True)
NAMES = [name for name, _ in erase.STEPS]


@pytest.fixture
def scene(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return copied(tmp_path, tmp_path_factory)


def forget(scene: Scene, *ids: str) -> Completed:
    session = open_session(Asked(scene.clone.top, os.environ, datetime(2026, 12, 2, tzinfo=UTC)))
    try:
        hand = Hand(ANA, lambda question: True)
        done = do_forget(session, ForgetRequest([IdPart(i) for i in ids]), hand, explain=explained)
        assert done.completed is not None
        return done.completed
    finally:
        session.close()


def _wrong(scene: Scene, completed: Completed) -> list[str]:
    """Everything that shows the forgetting to be incomplete."""
    wrong = [f"found {one}" for one in completed.findings] + scene.holding() + scene.told_blobs()
    wrong += [f"held {b}" for b in completed.residue.boundaries if b.kind == "index"]
    marks = list((scene.directory / "tombstones").rglob("*.toml"))
    return wrong if marks else [*wrong, "no tombstones"]


def test_with_every_step_nothing_is_left(scene: Scene) -> None:
    assert _wrong(scene, forget(scene, scene.episode)) == []


@pytest.mark.parametrize("left_out", NAMES)
def test_with_one_step_left_out_it_shows(scene: Scene, monkeypatch: pytest.MonkeyPatch, left_out: str) -> None:
    steps = tuple(step for step in erase.STEPS if step[0] != left_out)
    monkeypatch.setattr(finish_forget, "STEPS", steps)
    completed = forget(scene, scene.episode)
    assert _wrong(scene, completed) != []
    if left_out not in ("marks", "user index", "said"):
        assert completed.findings, "the search of our own is blind to it"
