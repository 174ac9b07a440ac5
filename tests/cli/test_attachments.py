"""Files that come with an episode: kept whole beside it, in its tier, and gone with it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.people import Clone, World
from tests.cli.test_secrets import objects
from tests.unit.kinds_of_secrets import SECRETS

LOG = "step 3 of 9: no space left on the pier of the northern harbour\n"
PICTURE = bytes(range(256)) * 4


def attach(clone: Clone, *files: str, more: tuple[str, ...] = ()) -> tuple[str, list[Path]]:
    """The episode, and where the files that came with it lie."""
    words = [word for file in files for word in ("--attach", file)]
    data = clone.data("capture", "The build failed", *words, *more)
    (episode,) = data["made"]
    return episode, [clone.top / ".continuity" / rel for rel in data["attached"]]


@pytest.fixture
def log(ana: Clone) -> Path:
    path = ana.top / "build.log"
    path.write_text(LOG)
    return path


def test_it_is_kept_to_the_byte_and_travels(world: World, ana: Clone, log: Path) -> None:
    (ana.top / "screen.png").write_bytes(PICTURE)
    episode, places = attach(ana, "build.log", "screen.png")
    assert [place.read_bytes() for place in places] == [LOG.encode(), PICTURE]
    assert [place.name for place in places] == [f"{episode}-1", f"{episode}-2"]
    shown = ana.data("show", episode)["attached"]
    assert [(one["note"], ana.top / ".continuity" / one["path"]) for one in shown] == [
        ("build.log", places[0]),
        ("screen.png", places[1]),
    ]
    assert [one["blob"] for one in shown] == [ana.git("hash-object", str(place)) for place in places]
    assert f"{episode}-2 (screen.png)" in ana.cc("show", episode)
    ana.commit()
    ana.git("push", "-q", "origin", "HEAD")
    there = world.clone("ben")
    assert (there.top / places[1].relative_to(ana.top)).read_bytes() == PICTURE
    assert there.data("show", episode)["attached"] == shown
    assert there.data("check")["findings"] == ana.data("check")["findings"] == []


def test_while_it_waits_it_comes_back(ana: Clone, log: Path) -> None:
    _, (place,) = attach(ana, "build.log")
    ana.git("clean", "-fdxq")
    assert not place.exists()
    ana.cc("status")
    assert place.read_text() == LOG


def test_it_goes_with_its_episode(ana: Clone, log: Path) -> None:
    episode, (place,) = attach(ana, "build.log")
    ana.commit()
    assert LOG.strip() in ana.git("log", "-p", "-1")
    plan = ana.data("forget", "--match", "the pier of the northern harbour", "--dry-run")["plan"]
    assert [one["id"] for one in plan["remove"]] == [episode]
    said = ana.person("forget", episode, answers=("y",))
    assert "1 id (1 attachment, 1 episode" in said and "finds none of it" in said
    assert place.read_bytes() == b""
    journal = ana.top / ".git/continuity/journal.git"
    kept = subprocess.run(
        ["git", "-C", journal, "cat-file", "--batch-all-objects", "--batch"], capture_output=True, check=True
    )
    assert b"northern harbour" not in kept.stdout


def test_above_the_ceiling_it_is_private_like_its_episode(ana: Clone, log: Path) -> None:
    episode, (place,) = attach(ana, "build.log", more=("--sensitivity", "sensitive"))
    assert place.relative_to(ana.top / ".continuity").parts[0] == "private"
    assert ana.data("show", episode)["attached"][0]["path"].startswith("private/attachments/")
    ana.git("add", "-A")
    ana.git("commit", "-q", "--allow-empty", "-m", "All")
    assert "northern harbour" not in ana.git("log", "-p", "-1", "--", ".continuity")


@pytest.mark.parametrize("as_what", ["the file itself", "a copy", "what names it", "what says so"])
def test_what_is_private_makes_the_episode_private(ana: Clone, as_what: str) -> None:
    made = ana.data("remember", "The harbour is sold", "--sensitivity", "sensitive")
    rel = next(rel for rel in made["files"].values() if "records/" in rel)
    inside, brought = ana.top / ".continuity" / rel, ana.top / "brought"
    text = inside.read_text()
    brought.write_text(
        {
            "the file itself": "",
            "a copy": text,
            "what names it": f"see {inside.stem}",
            "what says so": 'sensitivity = "sensitive"\n',
        }[as_what]
    )
    given = str(inside) if as_what == "the file itself" else "brought"
    said = ana.run("capture", "Look at this", "--attach", given)
    assert "kept as sensitive: it rests on" in said.err and "It is private" in said.err
    assert not (ana.top / ".continuity/attachments").exists()


def test_a_secret_in_it_is_refused_before_anything_is_written(ana: Clone) -> None:
    token = SECRETS["GitHub Token"]
    (ana.top / "env").write_text(f"A=1\nTOKEN={token}\n")
    said = ana.run("capture", "The environment", "--attach", "env", code=3)
    assert "line 2 of attachments/2026-" in said.err and "GitHub Token, 40 characters" in said.err
    assert token not in said.out + said.err
    assert token.encode() not in objects(ana)


@pytest.mark.parametrize("what", ["nothing", "a folder", "a pipe", "an empty file", "a device"])
def test_what_is_no_file_with_something_in_it_is_refused(ana: Clone, what: str) -> None:
    path = ana.top / "it"
    if what == "a folder":
        path.mkdir()
    elif what == "a pipe":
        os.mkfifo(path)
    elif what == "an empty file":
        path.touch()
    elif what == "a device":
        path.symlink_to("/dev/zero")
    said = ana.run("capture", "It", "--attach", "it", code=2)
    assert ("is empty" if what == "an empty file" else "is not a file") in said.err
    assert not list((ana.top / ".continuity").rglob("ep_*"))


def test_what_is_too_long_is_refused(ana: Clone) -> None:
    with (ana.top / "long").open("wb") as file:
        file.truncate((16 << 20) + 1)
    assert "is larger than 16 MiB" in ana.run("capture", "It", "--attach", "long", code=2).err


def test_from_elsewhere_it_is_found_from_where_one_is(ana: Clone, log: Path) -> None:
    below = ana.top / "deep/er"
    below.mkdir(parents=True)
    _, (place,) = attach(Clone(below, more=ana.more), "../../build.log")
    assert (ana.top / place.relative_to(below)).read_text() == LOG


def test_a_dry_run_and_a_folder_without_workspace_say_where_it_would_lie(ana: Clone, log: Path, tmp_path: Path) -> None:
    dry = ana.run("capture", "It", "--attach", "build.log", "--dry-run")
    assert "with attachments/2026-" in dry.out and not (ana.top / ".continuity/attachments").exists()
    bare = tmp_path / "nowhere"
    bare.mkdir()
    (bare / "build.log").write_text(LOG)
    assert "It" in Clone(bare).run("capture", "It", "--attach", "build.log", code=7).out
