"""Random Git histories against the present snapshot: nothing lost, nothing in two classes, nobody else's adopted."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from .histories.checks import check, check_at_rest
from .histories.steps import RARE, WEIGHTS
from .histories.world import World

STEPS = 45
SEEDS = range(150)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_random_history_loses_nothing_and_stands_in_nobodys_way(seed: int, tmp_path: Path) -> None:
    world = World(tmp_path / "repo", Random(seed))
    world.begin(union=bool(seed % 2))
    weights = WEIGHTS | RARE if seed % 3 == 0 else WEIGHTS
    steps = world.rng.choices(list(weights), list(weights.values()), k=STEPS)
    try:
        for number, step in enumerate(steps):
            world.trace.append(f"-- {number} {step.__name__}")
            step(world)
            if number % 9 == 8:
                check(world, world.look())
        check(world, world.look())
        check_at_rest(world)
        check(world, world.look())
    except Exception as failed:
        failed.add_note("\n".join(world.trace))
        raise
