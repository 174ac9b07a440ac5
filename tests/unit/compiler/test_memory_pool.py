"""The pool in memory keeps the contract of pools."""

from __future__ import annotations

from cc_git.compiler.memory_pool import MemoryPool
from cc_git.compiler.pool import Pool
from tests.unit.compiler.pool_contract import PoolContract
from tests.unit.compiler.world import NOW, World


class TestMemoryPool(PoolContract):
    def make(self, world: World) -> Pool:
        return MemoryPool(world.files(), world.standings(), NOW)


def test_a_damaged_episode_is_in_no_answer() -> None:
    world = World()
    made = world.episode("one content")
    world.filed.append(type(world.filed[0])("elsewhere.toml", "f" * 40, world.filed[0].value))
    pool = MemoryPool(world.files(), world.standings(), NOW)
    assert list(pool.recent_episodes(5)) == []
    assert made in world.files().episodes
