"""From a clone to a packet: one command, the right sections, the same bytes, and a check that notices change."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.people import NOW, Clone, World

SECTIONS = (
    "Identity and role",
    "Goals and agenda",
    "Commitments",
    "Beliefs and evidence",
    "Decisions and rationale",
    "Relationships and permissions",
    "Procedures",
    "Failures and overrides",
    "Recent episodes",
)
TASK = ("resume", "--task", "prepare the next deploy", "--now", NOW)


@pytest.fixture
def full(accepted: Clone) -> Clone:
    """One record of every responsibility, pushed into the accepted branch."""
    for text, *words in (
        ("You keep the harbour's software", "-k", "identity", "--set", "role=maintainer"),
        ("Ana prefers small commits", "-k", "user_model"),
        ("Ship version 2", "-k", "goal", "--set", "priority=1"),
        ("Do not touch the billing schema", "--refrain"),
        ("The cache is cold after a restart", "-k", "belief"),
        ("Deploys go out on Tuesdays", "-k", "decision", "--subject", "deploy-day"),
        ("Deploys to staging are fine", "--allow", "deploy", "--target", "staging/*"),
        ("Release", "-k", "procedure", "--set", "steps=tag", "--set", "steps=push"),
        ("The first deploy hangs", "-k", "failure", "--set", "severity=high"),
        ("Ana and the agent pair on releases", "-k", "relationship"),
    ):
        accepted.cc("remember", text, *words, "--now", "2026-11-29T12:00:00Z")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    return accepted


@pytest.fixture
def fresh(full: Clone, world: World) -> Clone:
    clone = world.clone("cleo")
    clone.person("trust", "--accepted-ref", "origin/main")
    return clone


def test_a_fresh_clone_resumes_with_every_section_in_order(fresh: Clone) -> None:
    said = fresh.cc(*TASK)
    found = [line.removeprefix("## ") for line in said.splitlines() if line.startswith("## ")]
    assert [name for name in found if name in SECTIONS] == list(SECTIONS)
    for title in ("Ship version 2", "Do not touch the billing schema", "Deploys go out on Tuesdays"):
        assert title in said
    assert "allow deploy" in said


def test_a_clone_that_nobody_adopted_gets_evidence_only(full: Clone, world: World) -> None:
    said = world.clone("dora").cc(*TASK)
    assert "not trusted here" in said.lower()


def _index(clone: Clone) -> list[Path]:
    return sorted((clone.top / ".git" / "continuity").glob("index.sqlite*"))


def test_the_same_command_gives_the_same_bytes_with_any_index(fresh: Clone) -> None:
    cold = fresh.cc(*TASK)
    assert fresh.cc(*TASK) == cold, "warm"
    for file in _index(fresh):
        data = bytearray(file.read_bytes())
        data[len(data) // 3 : len(data) // 2] = bytes(len(data) // 2 - len(data) // 3)
        file.write_bytes(bytes(data))
    assert fresh.cc(*TASK) == cold, "damaged"
    for file in _index(fresh):
        file.unlink()
    (fresh.top / ".git" / "continuity" / "index.sqlite").mkdir()
    assert fresh.cc(*TASK) == cold, "none"
    (fresh.top / ".git" / "continuity" / "index.sqlite").rmdir()
    assert fresh.cc(*TASK) == cold, "new"


def test_two_clones_get_the_same_bytes(fresh: Clone, world: World) -> None:
    other = world.clone("cleo-2")
    other.person("trust", "--accepted-ref", "origin/main")
    assert other.cc(*TASK) == fresh.cc(*TASK)


@pytest.mark.parametrize("form", ["markdown", "json", "xml"])
def test_every_form_is_deterministic(fresh: Clone, form: str) -> None:
    assert fresh.cc(*TASK, "--format", form) == fresh.cc(*TASK, "--format", form)


def test_a_packet_is_valid_until_something_changes(fresh: Clone) -> None:
    fresh.cc("resume", "--task", "x")
    assert fresh.data("packet", "verify")["state"] == "valid"
    (decision,) = fresh.data("list", "--kind", "decision")
    fresh.cc("correct", decision["id"], "Deploys go out on Mondays")
    stale = fresh.data("packet", "verify", code=1)
    assert stale["state"] == "stale" and stale["reasons"]


@pytest.mark.parametrize("change", ["revoke", "commit", "trust", "policy", "private", "pull"])
def test_a_packet_turns_stale_after_any_change(fresh: Clone, full: Clone, change: str) -> None:
    fresh.cc("resume", "--task", "x")
    (grant,) = fresh.data("list", "--kind", "permission")
    if change == "revoke":
        fresh.agent().cc("revoke", grant["id"])
    elif change == "commit":
        fresh.cc("remember", "Something", "-k", "belief")
        fresh.commit()
    elif change == "trust":
        fresh.cc("trust", "--take-back")
    elif change == "policy":
        policy = fresh.top / ".continuity" / "workspace.toml"
        policy.write_text(policy.read_text().replace("packet_budget = 4000", "packet_budget = 3000"))
    elif change == "private":
        fresh.cc("remember", "Something private", "-k", "belief", "--sensitivity", "sensitive")
    else:
        full.cc("revoke", grant["id"])
        full.git("switch", "--quiet", "--create", "freeze")
        full.commit()
        full.git("push", "--quiet", "origin", "HEAD")
        fresh.git("fetch", "--quiet")
    assert fresh.data("packet", "verify", code=1)["state"] == "stale"


def test_a_packet_from_elsewhere_is_verified_from_its_file(fresh: Clone, tmp_path: Path) -> None:
    packet = tmp_path / "packet.json"
    packet.write_text(fresh.run("resume", "--task", "x", "--format", "json").out)
    assert fresh.data("packet", "verify", "--file", str(packet))["state"] == "valid"
    packet.write_text(packet.read_text().replace("Ship version 2", "Ship version 3"))
    assert fresh.data("packet", "verify", "--file", str(packet), code=1)["state"] == "altered"


def test_a_budget_too_small_names_what_is_missing_and_what_suffices(fresh: Clone) -> None:
    said = fresh.run("compile", "--budget", "60", "--now", NOW, "--json", code=4)
    assert said.out.startswith('{"schema": "cc-git/compile/1", "ok": false')
    refused = fresh.run("compile", "--budget", "60", "--now", NOW, code=4)
    needed = refused.err.rpartition("--budget ")[2].split()[0]
    for line in fresh.data("list", "--kind", "permission") + fresh.data("list", "--kind", "commitment"):
        assert line["id"] in refused.err
    fresh.cc("compile", "--budget", needed, "--now", NOW)
    fresh.run("compile", "--budget", str(int(needed) - 1), "--now", NOW, code=4)


def test_a_bare_repository_is_read(full: Clone, world: World) -> None:
    bare = Clone(world.remote)
    assert {line["id"] for line in bare.data("list", "--all")} == {line["id"] for line in full.data("list", "--all")}
    assert "Ship version 2" in bare.cc(*TASK)
    assert bare.run("remember", "x", code=None).code == 8


def test_a_read_only_clone_is_read(full: Clone, world: World) -> None:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        pytest.skip("needs unshare to mount a folder read-only")
    script = f'mount --bind "{full.top}" "{full.top}" && mount -o remount,ro,bind "{full.top}" && exec "$@"'
    words = ["unshare", "-rm", "sh", "-c", script, "-", sys.executable, "-m", "cc_git", "-C", str(full.top)]
    done = subprocess.run([*words, *TASK], capture_output=True, text=True, env=full.environ)
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip(f"this machine does not allow a read-only mount: {done.stderr.strip()[:100]}")
    assert done.returncode == 0, done.stderr
    assert "Ship version 2" in done.stdout
    written = subprocess.run([*words, "remember", "x"], capture_output=True, text=True, env=full.environ)
    assert written.returncode == 8 and "persistence" in written.stderr


def test_an_older_revision_is_compiled_as_it_was(fresh: Clone) -> None:
    (decision,) = fresh.data("list", "--kind", "decision")
    fresh.cc("correct", decision["id"], "Deploys go out on Mondays")
    fresh.commit()
    assert "Mondays" in fresh.cc(*TASK[:3])
    said = fresh.cc(*TASK[:3], "--at", "HEAD~1")
    assert "Tuesdays" in said and "Mondays" not in said
