"""No workspace, no Git, a disk that takes nothing: what can be done is done, and what is lost is named."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cc_git.errors import Exit
from tests.cli.people import Clone

GRANT = ("remember", "Deploys are fine", "--allow", "deploy", "--target", "staging/*")


@pytest.fixture
def folder(tmp_path: Path) -> Clone:
    """An empty folder, outside any repository."""
    (tmp_path / "nothing").mkdir()
    return Clone(tmp_path / "nothing", more={"GIT_CEILING_DIRECTORIES": str(tmp_path)})


@pytest.fixture
def unpacked(accepted: Clone, folder: Clone) -> Clone:
    """The files of a workspace without the repository around them."""
    accepted.person(*GRANT, answers=("y",))
    accepted.cc("remember", "Deploys go out on Tuesdays", "--kind", "decision")
    accepted.cc("remember", "Between us", "--sensitivity", "sensitive")
    shutil.copytree(accepted.top / ".continuity", folder.top / ".continuity")
    return folder


def without_git(clone: Clone, tmp_path: Path) -> Clone:
    """The same clone on a machine without the git program."""
    there = tmp_path / "bin"
    there.mkdir()
    (there / "python3").symlink_to(sys.executable)
    return Clone(clone.top, clone.name, {**clone.more, "PATH": str(there)})


def artifact(clone: Clone, *words: str, code: int) -> tuple[dict[str, str], list[str]]:
    """What a refused command shows: path → text, and the guarantees it went without."""
    import json

    error = json.loads(clone.run(*words, "--json", code=code).out)["error"]
    return {one["file"]: one["text"] for one in error["artifact"]}, [lost.partition(":")[0] for lost in error["lost"]]


def place(top: Path, files: dict[str, str]) -> None:
    for rel, text in files.items():
        (top / rel).parent.mkdir(parents=True, exist_ok=True)
        (top / rel).write_text(text)


@pytest.mark.parametrize("verb", ["remember", "propose", "capture"])
def test_without_a_workspace_the_files_are_shown_and_one_can_take_them_in_later(folder: Clone, verb: str) -> None:
    files, lost = artifact(folder, verb, "Deploys go out on Tuesdays", code=Exit.NO_WORKSPACE)
    assert lost == ["persistence", "validation", "deletion"]
    assert list(folder.top.iterdir()) == []
    folder.git("init", "--quiet")
    folder.cc("init")
    place(folder.top, files)
    ids = {Path(rel).stem for rel in files}
    assert ids <= {line["id"] for line in folder.data("log")} | {i for i in ids if i.startswith("rc_")}
    assert folder.data("status")["faults"] == []


def test_people_see_the_files_on_standard_output_and_what_is_lost_on_standard_error(folder: Clone) -> None:
    said = folder.run("remember", "Ship\x1b[31m it", "--kind", "goal", code=Exit.NO_WORKSPACE)
    assert said.out.startswith("# .continuity/episodes/")
    assert 'kind = "goal"' in said.out and "\x1b" not in said.out + said.err
    assert "Lost: persistence: nothing was kept here" in said.err
    assert "Hint: git init" in said.err


def test_what_is_sensitive_is_shown_with_its_place_in_the_private_tier(folder: Clone) -> None:
    files, _ = artifact(folder, "remember", "Between us", "--sensitivity", "sensitive", code=Exit.NO_WORKSPACE)
    assert all(rel.startswith(".continuity/private/") for rel in files)


def test_what_only_a_workspace_can_look_up_is_not_guessed(folder: Clone) -> None:
    said = folder.run("remember", "Instead", "--supersedes", "dec", code=Exit.NO_WORKSPACE)
    assert (said.out, "Lost" in said.err) == ("", False)


def test_what_is_wrong_in_itself_is_said_so_without_a_workspace_too(folder: Clone) -> None:
    assert "hypothesis" in folder.run("remember", "Maybe", "--kind", "hypothesis", code=Exit.USAGE).err


def test_without_a_repository_the_files_can_be_read_and_grant_nothing(unpacked: Clone) -> None:
    said = unpacked.run("resume", "--task", "deploys")
    assert "Deploys go out on Tuesdays" in said.out and "evidence only" in said.out
    assert "nobody's word is attested here" in said.err
    assert "what restores it: git init" in said.err
    assert unpacked.offered() == set()
    titles = {line["title"]: line["standing"] for line in unpacked.data("list", "--all")}
    assert titles == {
        "Deploys are fine": "proposed", "Deploys go out on Tuesdays": "current", "Between us": "proposed",
    }  # fmt: skip
    assert unpacked.data("search", "tuesdays") and unpacked.data("log") and unpacked.data("status")["standings"]


def test_reading_files_alone_leaves_nothing_behind(unpacked: Clone, tmp_path: Path) -> None:
    before = sorted(unpacked.top.rglob("*"))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (unpacked.top / ".continuity" / "records" / "leak.toml").symlink_to("/etc/passwd")
    Clone(unpacked.top, more={**unpacked.more, "TMPDIR": str(scratch)}).cc("list")
    (unpacked.top / ".continuity" / "records" / "leak.toml").unlink()
    assert sorted(unpacked.top.rglob("*")) == before
    assert list(scratch.iterdir()) == []


def test_without_the_git_program_it_reads_and_shows_what_it_would_write(accepted: Clone, tmp_path: Path) -> None:
    accepted.person(*GRANT, answers=("y",))
    accepted.cc("remember", "Deploys go out on Tuesdays", "--kind", "decision")
    alone = without_git(accepted, tmp_path)
    said = alone.run("resume", "--task", "deploys")
    assert "Deploys go out on Tuesdays" in said.out and "install Git" in said.err
    assert alone.offered() == set()
    files, lost = artifact(alone, "remember", "Later", code=Exit.REFUSED)
    assert (len(files), lost) == (3, ["persistence", "validation", "deletion"])


def test_history_is_not_made_up_where_there_is_none(unpacked: Clone) -> None:
    assert "not inside a Git repository" in unpacked.run("list", "--at", "HEAD", code=Exit.NO_WORKSPACE).err


@pytest.fixture
def read_only(accepted: Clone) -> Any:
    """Runs commands in the clone while its whole folder is mounted read-only."""
    top = shlex.quote(str(accepted.top))
    mounted = f"mount --bind {top} {top} && mount -o remount,ro,bind {top} && cd {top}"
    apart = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    try:
        probe = subprocess.run([*apart, mounted], capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no unshare to mount a read-only disk with")
    if probe.returncode:
        pytest.skip(f"a read-only disk cannot be mounted here: {probe.stderr.strip()}")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = shlex.join([sys.executable, "-m", "cc_git", *words])
        environ = {**accepted.environ, "PYTHONPATH": os.environ["PYTHONPATH"]}
        return subprocess.run([*apart, f"{mounted} && {command}"], capture_output=True, text=True, env=environ)

    return run


def test_on_a_read_only_disk_it_reads_and_shows_what_it_would_write(accepted: Clone, read_only: Any) -> None:
    record = accepted.made("remember", "Deploys go out on Tuesdays", "--kind", "decision", prefix="dec")
    packet = read_only("resume", "--task", "deploys")
    assert packet.returncode == 0, packet.stderr
    assert "Deploys go out on Tuesdays" in packet.stdout and "is not kept" in packet.stderr
    for words in (("remember", "Later"), ("correct", record, "On Fridays"), ("revoke", record)):
        said = read_only(*words)
        assert said.returncode == Exit.UNSUPPORTED, said.stderr
        assert said.stdout.startswith("# .continuity/") and "Read-only file system" in said.stderr
        assert "Lost: persistence" in said.stderr and "Lost: validation" not in said.stderr
    assert accepted.standing(record) == "current"


def test_what_a_read_only_disk_did_not_take_can_be_put_there_later(accepted: Clone, read_only: Any) -> None:
    import json

    record = accepted.made("remember", "Deploys go out on Tuesdays", "--kind", "decision", prefix="dec")
    error = json.loads(read_only("revoke", record, "--json").stdout)["error"]
    place(accepted.top, {one["file"]: one["text"] for one in error["artifact"]})
    assert accepted.standing(record) == "revoked"
