"""Many writers at once, also killed: every record that was acknowledged is there once, in every clone.

`CC_GIT_MANY=500` and `CC_GIT_ROUNDS=100` make the number of writes and of rounds that of a long
run, and `--log-cli-level=info` shows its figures.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.people import Clone, World

from .many_writers import Told, check_whole, served, standings, together

_LOG = logging.getLogger(__name__)
WRITES = int(os.environ.get("CC_GIT_MANY", "8"))
ROUNDS = int(os.environ.get("CC_GIT_ROUNDS", "2"))


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.begin()
    return world


@pytest.fixture
def ana(world: World) -> Clone:
    """A clone with a workspace in the first commit, pushed."""
    ana = world.clone("ana")
    ana.cc("init", "--name", "harbour")
    ana.git("add", "-A")
    ana.git("commit", "--quiet", "-m", "Begin")
    ana.git("push", "--quiet", "origin", "HEAD")
    return ana


@pytest.fixture
def clones(world: World, ana: Clone) -> Iterator[list[Clone]]:
    """Six clones of what a server gives."""
    with served(world.folder) as address:
        if address is None:
            pytest.skip("no port of the loopback can be had, or this Git has no daemon")
        for number in range(6):
            ana.git("clone", "-q", f"{address}/origin.git", str(world.folder / f"clone-{number}"))
        yield [Clone(world.folder / f"clone-{number}", f"person{number}") for number in range(6)]


def _figures(told: Told) -> str:
    took = sorted(told.took)
    half, most = took[len(took) // 2], took[-1]
    return (
        f"{len(told.acknowledged)} acknowledged, {len(told.lost)} lost races, {told.killed} killed, "
        f"{told.again} pushes tried again; a write took {half:.2f} s, at most {most:.2f} s"
    )


@pytest.mark.slow
@pytest.mark.parametrize("kills", [0.0, 0.3], ids=["left alone", "killed"])
def test_eight_processes_write_in_one_worktree(ana: Clone, kills: float) -> None:
    told = together([ana] * 8, WRITES, kills)
    _LOG.info(_figures(told))
    assert told.refused == []
    assert all("Hint:" in said for said in told.lost)
    assert len(told.acknowledged) + len(told.lost) + told.killed == 8 * WRITES
    ana.cc("remember", "The last one")
    check_whole(ana, told)
    ana.commit()
    check_whole(ana, told)
    assert ana.git("status", "--porcelain") == ""


@pytest.mark.slow
@pytest.mark.parametrize("kills", [0.0, 0.3], ids=["left alone", "killed"])
def test_six_clones_write_pull_and_push(clones: list[Clone], kills: float) -> None:
    told = together(clones, ROUNDS, kills, push=True)
    _LOG.info(_figures(told))
    assert told.refused == []
    for clone in clones:
        if clone.run("commit", "-m", "What still waits", code=None).code == 0:
            clone.git("pull", "-q", "--no-edit", "--rebase")
            clone.git("push", "-q")
    for clone in clones:
        clone.git("pull", "-q", "--no-edit", "--rebase")
        check_whole(clone, told)
        assert standings(clone) == standings(clones[0])
        assert clone.git("status", "--porcelain") == ""
