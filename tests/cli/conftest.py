from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.people import Clone, World


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.begin()
    return world


@pytest.fixture
def ana(world: World) -> Clone:
    """Ana's clone with a workspace in the first commit, pushed; nobody has confirmed anything."""
    ana = world.clone("ana")
    (ana.top / "code.c").write_text("int main(void) { return 0; }\n")
    ana.cc("init", "--name", "harbour")
    ana.git("add", "-A")
    ana.git("commit", "--quiet", "-m", "Begin")
    ana.git("push", "--quiet", "origin", "HEAD")
    return ana


@pytest.fixture
def accepted(ana: Clone) -> Clone:
    """Ana's clone, where a person adopted the workspace and named the accepted branch."""
    ana.person("trust", "--accepted-ref", "origin/main")
    return ana
