"""A clone in which a secret is everywhere, and a look for it that shares nothing with the program."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cc_git.codec.files import encode, path_for
from cc_git.codec.paths import private
from cc_git.model.trigger import Trigger
from cc_git.model.working_context import Checkpoint, Question, Task, WorkingContext
from tests.cli.people import Clone, World

TOKEN = "quokkaberth"
SECRET = f"The clé of the {TOKEN} crane lies under the third stone of the old pier"
WHEN = "2026-11-30T12:00:00Z"
ULID = "01kb7z9n00{:016d}"


def ident(prefix: str, number: int) -> str:
    return f"{prefix}_{ULID.format(number)}"


ESCAPED = {
    "json": "The cl\\u00e9 of the quo\\u006bkaberth crane lies under the third stone",
    "xml": "The cl&eacute; of the quo&#x6b;kaberth crane lies under the third &lt;stone&gt; of the old pier",
    "nfd": f"The cle\u0301 of the {TOKEN} crane lies under",
    "lines": f"The clé of\n> the {TOKEN}\n> crane lies\n> under the third stone",
}


@dataclass
class Scene:
    """`episode` is what was captured; `quoting` are ids of everything that repeats it; `resting` rests on it and on
    another episode and says something else."""

    clone: Clone
    episode: str
    quoting: dict[str, str]
    resting: str
    plain: str

    @property
    def directory(self) -> Path:
        return self.clone.top / ".continuity"

    @property
    def git_dir(self) -> Path:
        return self.clone.top / ".git"

    def lie(self, value: object, *, hidden: bool = False) -> None:
        """Put a file of ours into the work tree, as another program would."""
        rel = path_for(value)  # type: ignore[arg-type]
        path = self.directory / (private(rel) if hidden else rel)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(value))  # type: ignore[arg-type]

    def holding(self) -> list[str]:
        """Every place of ours in which the secret is, byte for byte or as a blob's id in a list of ours."""
        found = [str(p.relative_to(self.directory)) for p in _files(self.directory) if _has(p.read_bytes())]
        own = self.git_dir / "continuity"
        found += [str(p.relative_to(own)) for p in _files(own) if _has(p.read_bytes())]
        bundle = self.clone.top.parent / "harbour.json"
        found += ["export"] if bundle.exists() and _has(bundle.read_bytes()) else []
        found += [f"journal {oid}" for oid, data in objects_of(own / "journal.git") if _has(data)]
        staged = self.clone.git("ls-files", "-s", ".continuity").splitlines()
        head = self.clone.git("ls-tree", "-r", "HEAD", ".continuity").splitlines()
        known = {line.split()[2] for line in head}
        found += [f"staged {line}" for line in staged if (blob := line.split()[1]) not in known and self._held(blob)]
        return found

    def told_blobs(self) -> list[str]:
        """Lists of ours that name a forgotten file by its blob, which lets anyone test a guess of its text."""
        kept = self.clone.git("rev-list", "--objects", "--all", "--reflog").splitlines()
        ids = [self.episode, *self.quoting.values()]
        blobs = [line.split()[0] for line in kept if any(i in line for i in ids) and "tombstones" not in line]
        files = [p for p in _files(self.git_dir / "continuity") if "objects" not in p.parts]
        return [f"{p.name} {b}" for p in files for b in blobs if b.encode() in p.read_bytes() and b[:9] != "e69de29bb"]

    def _held(self, blob: str) -> bool:
        return _has(self.clone.git("cat-file", "blob", blob).encode())


def _has(data: bytes) -> bool:
    plain = data.replace(b"\\u006b", b"k").replace(b"&#x6b;", b"k").replace(b"\n> ", b" ")
    return TOKEN.encode() in plain.lower()


def _files(folder: Path) -> Iterator[Path]:
    for top, _, names in os.walk(folder):
        for name in names:
            yield Path(top, name)


def objects_of(repository: Path | str) -> Iterator[tuple[str, bytes]]:
    """Everything in a repository's object database, reached or not, by the git program."""
    words = ["git", "-C", str(repository), "cat-file"]
    listed = subprocess.run([*words, "--batch-all-objects", "--batch-check"], capture_output=True, check=True).stdout
    oids = [line.split()[0] for line in listed.decode().splitlines()]
    given = "".join(f"{oid}\n" for oid in oids).encode()
    out = subprocess.run([*words, "--batch"], input=given, capture_output=True, check=True).stdout
    at = 0
    for oid in oids:
        end = out.index(b"\n", at)
        size = int(out[at:end].split()[2])
        yield oid, out[end + 1 : end + 1 + size]
        at = end + 2 + size


def stage(world: World, clone: Clone) -> Scene:
    """The secret is captured, and repeated wherever it can be: committed, tagged, pushed, stashed, waiting, private."""
    clone.cc("capture", SECRET)
    episode = _newest(clone, "ep")
    other = clone.made("capture", "The pier was measured in spring", prefix="ep")
    first = clone.made("remember", "A key is kept", "-k", "decision", "--source", episode, prefix="dec")
    known = f"We know: {SECRET.lower()}."
    quoting = {
        "sole source": first,
        "quote": clone.made("remember", known, "-k", "decision", "--source", other, prefix="dec"),
        "proposal": clone.made("propose", f"Say it: {SECRET[20:]}", "-k", "procedure", "--source", other, prefix="prc"),
    }  # fmt: skip
    for name, text in ESCAPED.items():
        quoting[name] = clone.made("remember", text, "--title", name, "-k", "belief", "--source", other, prefix="blf")
    resting = clone.made("remember", "The pier is short", "-k", "belief", "--source", episode, "--source", other,
                         prefix="blf")  # fmt: skip
    plain = clone.made("remember", "Paint it green", "-k", "decision", "--source", other, prefix="dec")
    scene = Scene(clone, episode, quoting, resting, plain)
    trigger = Trigger(
        id=ident("tr", 1), kind="user-prompt", summary="Asked", text=SECRET, actor="human:ana", recorded_at=WHEN
    )
    scene.lie(trigger)
    task = Task(id=ident("tsk", 1), title="Oil the crane", note=SECRET)
    context = WorkingContext(
        version=1,
        project_line="Harbour",
        tasks=(task,),
        questions=(Question(text=f"Is it so that {SECRET}?", asked_at=WHEN), Question(text="When?", asked_at=WHEN)),
        next_step=SECRET,
    )
    scene.lie(Checkpoint(id=ident("cp", 1), actor="human:ana", recorded_at=WHEN, context=context))
    clone.person("remember", f"Told: {SECRET}", "-k", "user_model", "--source", other)
    quoting["told"] = clone.data("list", "--kind", "user_model")[0]["id"]
    clone.commit()
    clone.git("tag", "v1")
    clone.git("push", "--quiet", "origin", "HEAD")
    (scene.directory / "private" / "working-context.json").write_bytes(encode(context))
    dream = scene.directory / "dreams" / "2026-11" / f"{ident('dr', 1)}.toml"
    dream.parent.mkdir(parents=True)
    dream.write_text(f'format = "cc-git/1"\nid = "{ident("dr", 1)}"\nreport = "{SECRET}"\n')
    clone.cc("remember", f"A private copy: {SECRET}", "-k", "belief", "--source", other, "--sensitivity", "sensitive")
    _quarantine(clone)
    staged = clone.data("remember", f"Stashed: {SECRET}", "-k", "belief", "--source", other)
    quoting["stashed"] = next(i for i in staged["made"] if i.startswith("blf"))
    path = f".continuity/{staged['files'][quoting['stashed']]}"
    clone.git("add", path)
    clone.git("stash")
    again = clone.data("remember", f"Staged: {SECRET}", "-k", "belief", "--source", other)
    quoting["staged"] = next(i for i in again["made"] if i.startswith("blf"))
    clone.git("add", f".continuity/{again['files'][quoting['staged']]}")
    clone.cc("compile", "--ceiling", "sensitive")
    clone.cc("export", "../harbour.json")
    clone.cc("resume", "--task", SECRET)
    return scene


def _quarantine(clone: Clone) -> None:
    folder = clone.top / "adr"
    folder.mkdir()
    text = f"# 1. Keep the key\n\n## Status\n\nAccepted\n\n## Context\n\n{SECRET}\n\n## Decision\n\nKeep it.\n"
    (folder / "0001-key.md").write_text(text)
    clone.cc("import", "adr", "adr")
    (folder / "0001-key.md").unlink()
    folder.rmdir()


def _newest(clone: Clone, prefix: str) -> str:
    return next(line["id"] for line in clone.data("log") if line["id"].startswith(prefix))


_BUILT: dict[str, tuple[Path, Scene]] = {}


def copied(folder: Path, factory: pytest.TempPathFactory) -> Scene:
    """The scene in a folder of its own; it is built once, for that takes seconds."""
    if "scene" not in _BUILT:
        world = World(factory.mktemp("scene"))
        world.begin()
        clone = world.clone("ana")
        clone.cc("init", "--name", "harbour")
        clone.git("add", "-A")
        clone.git("commit", "--quiet", "-m", "Begin")
        clone.git("push", "--quiet", "origin", "HEAD")
        clone.person("trust", "--accepted-ref", "origin/main")
        _BUILT["scene"] = (world.folder, stage(world, clone))
    source, scene = _BUILT["scene"]
    target = folder / "world"
    shutil.copytree(source, target, symlinks=True)
    clone = Clone(target / "ana")
    note = clone.top / ".git" / "continuity" / "exports"
    note.write_text(note.read_text().replace(str(source), str(target)))
    clone.git("remote", "set-url", "origin", (target / "origin.git").as_uri())
    return Scene(clone, scene.episode, dict(scene.quoting), scene.resting, scene.plain)
