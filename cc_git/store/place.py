"""Where a workspace is: the repository around a directory and the `.continuity/` in it.

The usual layouts are read straight from the disk, without starting a process: `.git` as a folder, as a file (linked
worktree, submodule), or a bare repository. Whatever is said elsewhere (GIT_DIR and its like, `core.worktree`) is left
to the git program to find.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from cc_git.codec.paths import WORKSPACE_DIR, WORKSPACE_FILE
from cc_git.errors import NoRepository, NoWorkspace
from cc_git.store.git_files import common_dir, pointed_at

FOREIGN_MARK = "manifest.json"
_NAMED_OUTRIGHT = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES")
_ELSEWHERE = re.compile(rb"^\s*(worktree\s*=|bare\s*=\s*(true|yes|on|1)\b)", re.IGNORECASE | re.MULTILINE)
_NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace's place; `top` is None in a bare repository.

    `prefix` is the path of the workspace below the repository's top level: POSIX, ends in `.continuity`.
    """

    top: Path | None
    git_dir: Path
    common_dir: Path
    prefix: str

    @property
    def directory(self) -> Path | None:
        """The workspace on disk, or None in a bare repository."""
        return None if self.top is None else self.top / self.prefix


class ForeignWorkspace(NoWorkspace):
    """A `.continuity/` of another tool's: never written into."""

    kind = "foreign-workspace"


@dataclass(frozen=True, slots=True)
class _Repository:
    top: Path | None
    git_dir: Path
    common_dir: Path


def discover(start: Path, environ: Mapping[str, str] = _NO_VARIABLES, *, prefix: str | None = None) -> Place:
    """The workspace nearest to `start`, upwards, inside its repository; or the one at `prefix`.

    `environ` are the variables to obey. Raises `NoWorkspace` (`ForeignWorkspace`) with the command that helps.
    """
    start = start.resolve()
    repository = _repository(start, environ)
    place = _at_prefix(repository, prefix, environ) if prefix else _nearest(repository, start, environ)
    if place is None:
        raise NoWorkspace(
            f"no workspace at {start} or above",
            why=f"no folder up to {repository.top or repository.git_dir} has {WORKSPACE_DIR}/{WORKSPACE_FILE}",
            hints=("cc-git init",),
        )
    return place


def repository_at(start: Path, environ: Mapping[str, str] = _NO_VARIABLES) -> Place:
    """The place that `init` would use, or that a workspace has whose `workspace.toml` this branch lacks.

    Its prefix is that of the nearest `.continuity/` folder, and of one at the top level where there is none.
    """
    start = start.resolve()
    repository = _repository(start, environ)
    for folder in _upwards(repository, start):
        found = folder / WORKSPACE_DIR
        if found.is_dir() and not found.is_symlink():
            if not (found / WORKSPACE_FILE).exists():
                refuse_foreign(found)
            return _place(repository, folder)
    return Place(repository.top, repository.git_dir, repository.common_dir, WORKSPACE_DIR)


def refuse_foreign(directory: Path) -> None:
    """Stop where `directory` was made by another tool (a manifest, no `workspace.toml`)."""
    if (directory / FOREIGN_MARK).exists() and not (directory / WORKSPACE_FILE).exists():
        raise ForeignWorkspace(
            f"{directory} belongs to another tool",
            why=f"it has a {FOREIGN_MARK} and no {WORKSPACE_FILE}; cc-git never writes into it",
            hints=("move it away, then: cc-git init && cc-git import continuity PATH",),
        )


def _nearest(repository: _Repository, start: Path, environ: Mapping[str, str]) -> Place | None:
    if repository.top is None:
        return _at_prefix(repository, WORKSPACE_DIR, environ)
    for folder in _upwards(repository, start):
        found = folder / WORKSPACE_DIR
        if (found / WORKSPACE_FILE).is_file() and not found.is_symlink():
            return _place(repository, folder)
        refuse_foreign(found)
    if (repository.git_dir / "info" / "sparse-checkout").is_file():
        # A sparse checkout may leave the file out; HEAD has it all the same.
        for folder in _upwards(repository, start):
            place = _place(repository, folder)
            if _head_has_workspace(place, environ):
                return place
    return None


def _at_prefix(repository: _Repository, prefix: str, environ: Mapping[str, str]) -> Place | None:
    place = Place(repository.top, repository.git_dir, repository.common_dir, PurePosixPath(prefix).as_posix())
    if place.directory is not None and (place.directory / WORKSPACE_FILE).is_file():
        return place
    return place if _head_has_workspace(place, environ) else None


def _head_has_workspace(place: Place, environ: Mapping[str, str]) -> bool:
    # Only bare and sparse repositories come here: the others need not wait for libgit2.
    from cc_git.store.engines import open_engine
    from cc_git.store.git_process import clean, refusal

    around = clean(environ)
    engine = open_engine(place.git_dir, place.top, around, lambda: refusal(place.top or place.git_dir, around))
    try:
        commit = engine.head()[1]
        return commit is not None and (
            engine.entry(engine.commit(commit).tree, f"{place.prefix}/{WORKSPACE_FILE}") is not None
        )
    finally:
        engine.close()


def _place(repository: _Repository, folder: Path) -> Place:
    assert repository.top is not None
    below = folder.relative_to(repository.top).as_posix()
    prefix = WORKSPACE_DIR if below == "." else f"{below}/{WORKSPACE_DIR}"
    return Place(repository.top, repository.git_dir, repository.common_dir, prefix)


def _upwards(repository: _Repository, start: Path) -> Iterator[Path]:
    if repository.top is None or not start.is_relative_to(repository.top):
        return
    for folder in (start, *start.parents):
        # A start inside `.continuity/` itself belongs to the folder around it.
        if folder.name != WORKSPACE_DIR:
            yield folder
        if folder == repository.top:
            return


def _repository(start: Path, environ: Mapping[str, str]) -> _Repository:
    found = _on_disk(start)
    named = {name: environ[name] for name in _NAMED_OUTRIGHT if environ.get(name)}
    if found is not None and (not named or _names_the_same(start, named, found)):
        return found
    return _asked(start, environ)


def _on_disk(start: Path) -> _Repository | None:
    """The repository as the files tell; None when they do not tell all."""
    for folder in (start, *start.parents):
        dot_git = folder / ".git"
        if dot_git.is_dir() and _is_git_dir(dot_git):
            if _ELSEWHERE.search((dot_git / "config").read_bytes()):
                return None
            return _Repository(folder, dot_git.resolve(), dot_git.resolve())
        if dot_git.is_file():
            git_dir = pointed_at(dot_git)
            return _Repository(folder, git_dir, common_dir(git_dir))
        if folder.name != ".git" and _is_git_dir(folder):
            return _Repository(None, folder, common_dir(folder))
    return None


def _names_the_same(start: Path, named: Mapping[str, str], found: _Repository) -> bool:
    """Whether the variables that Git sets for a hook say what the disk says: then no process is needed."""
    git_dir, work_tree = named.get("GIT_DIR"), named.get("GIT_WORK_TREE")
    return (
        named.keys() <= {"GIT_DIR", "GIT_WORK_TREE"}
        and git_dir is not None
        and (start / git_dir).resolve() == found.git_dir
        and found.top == ((start / work_tree).resolve() if work_tree else start)
    )


def _is_git_dir(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _asked(start: Path, environ: Mapping[str, str]) -> _Repository:
    # Starting a process is for odd layouts alone, so the module that does it is not always needed.
    from cc_git.store.git_process import QUIET, run_git

    quiet = {**environ, **QUIET}
    ran = run_git(start, quiet, ("rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--git-common-dir"))
    if ran.code:
        raise _no_repository(start, ran.said)
    inside, git_dir, common = os.fsdecode(ran.stdout).rstrip("\n").split("\n")
    top = None
    if inside == "true":
        top = Path(os.fsdecode(run_git(start, quiet, ("rev-parse", "--show-toplevel")).stdout).removesuffix("\n"))
    return _Repository(top, Path(git_dir).resolve(), (start / common).resolve())


def _no_repository(start: Path, why: str | None = None) -> NoRepository:
    return NoRepository(f"{start} is not inside a Git repository", why=why, hints=("git init", "cc-git init"))
