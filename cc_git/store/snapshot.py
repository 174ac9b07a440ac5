"""Reading a workspace as a commit holds it: `--at REV`, the record-time axis."""

from __future__ import annotations

from collections.abc import Mapping

from cc_git.errors import NoWorkspace
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.store.engine import FILE, Engine
from cc_git.store.place import Place
from cc_git.store.revisions import commit_of
from cc_git.store.trees import Line, lines_of, object_id, overlay, tree_bytes


def snapshot_at(engine: Engine, place: Place, revision: str) -> tuple[RepositorySnapshot, Mapping[str, str]]:
    """The snapshot at a revision and its files, as path → blob.

    Raises `UsageFault` for a revision that names no commit and `NoWorkspace` for one without this workspace.
    """
    commit = commit_of(engine, place, revision)
    entry = engine.entry(engine.commit(commit).tree, place.prefix)
    if entry is None or not entry.is_tree:
        raise NoWorkspace(
            f"commit {commit[:12]} has no {place.prefix}/",
            why="the workspace is younger than this commit, or lies on another branch",
            hints=(f"git log --oneline -- {place.prefix}",),
        )
    return RepositorySnapshot(entry.oid, commit, revision), engine.files(entry.oid)


def tree_with(engine: Engine, base: str | None, files: Mapping[str, str]) -> str:
    """The id of `base` with `files` (path → blob) laid over it; nothing is written, the id is only computed."""
    made: dict[str, list[Line]] = {}
    size = 20 if engine.object_format == "sha1" else 32

    def read(oid: str) -> list[Line]:
        return made[oid] if oid in made else list(engine.lines(oid))

    def name(data: bytes) -> str:
        oid = object_id("tree", data, engine.object_format)
        made[oid] = lines_of(data, size)
        return oid

    return overlay(read, name, base, {path: (FILE, oid) for path, oid in files.items()}) or name(tree_bytes(()))
