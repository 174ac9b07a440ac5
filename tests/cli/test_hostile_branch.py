"""A branch that was only fetched may hold anything at all: no command of this clone stops for it."""

from __future__ import annotations

import subprocess

import pytest

from cc_git.codec.paths import path_of, tombstone_path
from tests.cli.people import Clone, World
from tests.unit.model.samples import an_id

LONG = b"1" * 5000
REVOKE = path_of(an_id("ru"))
HOSTILE: dict[str, tuple[str, bytes]] = {
    "a number of 5,000 digits": (REVOKE, b'format = "cc-git/1"\nx = ' + LONG),
    "the same in a tombstone": (tombstone_path(an_id("dec")), b"x = " + LONG),
    "a key of 100,000 parts": (REVOKE, b"x" + b".a" * 100_000 + b" = 1"),
    "a date before all dates": (
        path_of(an_id("prm")),
        b'format = "cc-git/1"\nvalid_from = "0001-01-01T00:00:00+14:00"\n',
    ),
    "the last instant of all": (
        path_of(an_id("prm")),
        b'format = "cc-git/1"\nid = "%s"\nkind = "permission"\ntitle = "x"\nauthority = "agent-explicit"\n'
        b'actor = "agent:x"\nrecorded_at = 2026-11-30T11:00:00Z\nvalid_to = 9999-12-31T23:59:59.999999Z\n\n'
        b'[permission]\neffect = "deny"\naction = "x"\n' % an_id("prm").encode(),
    ),
    "1,500 folders": ("records/" + "d/" * 1500 + "f", b"x"),
    "64 MiB": (REVOKE, b'format = "cc-git/1"\n' + b"#" * (64 << 20)),
    "a name that is no text": ("rulings/2026-11/ru_\udcff\udcfe.toml", b"x"),
}


def push_hostile(world: World, rel: str, data: bytes) -> None:
    """Objects made by hand: no work tree could hold some of these."""
    mallory = world.clone("mallory")

    def made(kind: str, content: bytes) -> str:
        words = ["git", "hash-object", "-t", kind, "-w", "--stdin", "--literally"]
        done = subprocess.run(words, cwd=mallory.top, input=content, capture_output=True, check=True)
        return done.stdout.decode().strip()

    oid, mode = made("blob", data), "100644"
    for name in reversed(f".continuity/{rel}".split("/")):
        raw = name.encode("utf-8", "surrogateescape")
        oid, mode = made("tree", f"{mode} ".encode() + raw + b"\0" + bytes.fromhex(oid)), "40000"
    commit = mallory.git("commit-tree", "-p", "HEAD", "-m", "Hostile", oid)
    mallory.git("push", "--quiet", "origin", f"{commit}:refs/heads/hostile")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_command_stops_for_a_fetched_branch(accepted: Clone, world: World, name: str) -> None:
    grant = accepted.made("remember", "Deploys are fine", "--allow", "deploy", prefix="prm")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    push_hostile(world, *HOSTILE[name])
    accepted.git("fetch", "--quiet")
    assert accepted.offered() == {grant}
    for words in (("status",), ("list",), ("compile",)):
        accepted.cc(*words)
    accepted.agent().cc("remember", "Frozen", "--deny", "deploy")
    assert accepted.offered() == set()
