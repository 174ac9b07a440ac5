"""`cc-git hooks install`: our script in our own folder, and a call to it in the hook that Git runs.

The script always goes to `<common dir>/continuity/hooks/`. The call goes into Git's own hooks folder alone; where hooks
are shared (core.hooksPath), managed by another program, linked, switched off, or no shell script, nothing of theirs is
touched and the plan says what to add. A plan is made first and changes nothing; `carry_out` does what it says.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cc_git.entropy import fresh_token
from cc_git.errors import Refused
from cc_git.resources import shipped
from cc_git.store.disk import explained
from cc_git.store.git import Git
from cc_git.store.hook_managers import CALL, manager_of
from cc_git.store.hook_script import (
    has_call,
    is_damaged,
    program_in,
    shell_of,
    with_call,
    with_program,
    without_call,
)
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place

GUARDS = ("pre-commit", "pre-push")
"""Those that may stop something."""
NAMES = (*GUARDS, "prepare-commit-msg", "post-commit", "post-checkout", "post-merge", "post-rewrite")


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that is written (`after`) or removed (None). It stays as it is unless it still has the bytes `before`."""

    path: Path
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Advice:
    """Why a hook is left alone, and the lines that its owner may add, at `where`."""

    why: str
    where: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HooksPlan:
    """`changes` without difference are left out, so an empty plan says that all is as it should be."""

    changes: tuple[FileChange, ...]
    advice: tuple[Advice, ...] = ()


@dataclass(frozen=True, slots=True)
class HookStatus:
    """`calling` is the file that calls our script, None where none is seen to. `program` is the Python recorded at
    install; `current`: the script is there, as this version writes it, and its program exists."""

    name: str
    script: Path
    calling: Path | None
    program: str | None
    current: bool
    advice: Advice | None


def plan_install(place: Place, git: Git, program: str, names: Sequence[str] = NAMES) -> HooksPlan:
    """`program` is the absolute path of the Python that has cc-git. Where hooks are left alone for one reason, lines
    are told for those that may stop something; the others are theirs with another name."""
    changes: list[FileChange] = []
    advice: list[Advice] = []
    for name in names:
        script = _script(place, name)
        changes.append(FileChange(script, _read(script), _shipped_script(name, program)))
        hook = _Hook.of(place, git, name)
        reason = hook.left_alone()
        if reason is not None:
            if name in GUARDS or all(reason.why != told.why for told in advice):
                advice.append(reason)
            continue
        bare = None if hook.text is None else without_call(hook.text)
        changes.append(FileChange(hook.path, hook.text, with_call(bare, name)))
    return _plan(changes, advice)


def plan_uninstall(place: Place, git: Git) -> HooksPlan:
    """Takes our call and our script away. A call that somebody added by hand does nothing without the script."""
    changes: list[FileChange] = []
    advice: list[Advice] = []
    for name in NAMES:
        script = _script(place, name)
        changes.append(FileChange(script, _read(script), None))
        for hook in (_Hook.of(place, git, name), _Hook.in_own_folder(place, name)):
            if hook.text is not None and is_damaged(hook.text):
                advice.append(hook.damaged())
            elif hook.text is not None and has_call(hook.text):
                change = FileChange(hook.path, hook.text, without_call(hook.text))
                if change not in changes:
                    changes.append(change)
    return _plan(changes, advice)


def hooks_status(place: Place, git: Git) -> tuple[HookStatus, ...]:
    return tuple(_status(place, git, name) for name in NAMES)


def carry_out(plan: HooksPlan) -> None:
    """Raises `Refused` where a file is no longer as the plan found it, `NotWritable`."""
    for change in plan.changes:
        if _read(change.path) != change.before:
            raise Refused(f"{change.path} was changed meanwhile", hints=("cc-git hooks install",))
    for change in plan.changes:
        with explained(change.path, lost="the hooks were not changed"):
            if change.after is None:
                change.path.unlink(missing_ok=True)
                if change.path.parent.parent.name == "continuity":
                    with suppress(OSError):
                        change.path.parent.rmdir()
            else:
                _write(change.path, change.after)


def _plan(changes: list[FileChange], advice: list[Advice]) -> HooksPlan:
    return HooksPlan(tuple(change for change in changes if change.before != change.after), tuple(advice))


def _script(place: Place, name: str) -> Path:
    return OwnFolder(place.common_dir).hooks / name


def _shipped_script(name: str, program: str) -> bytes:
    return with_program((shipped("hooks") / name).read_bytes(), program)


def _status(place: Place, git: Git, name: str) -> HookStatus:
    hook, script = _Hook.of(place, git, name), _script(place, name)
    text = _read(script)
    program = None if text is None else program_in(text)
    works = program is not None and os.access(program, os.X_OK)
    current = program is not None and works and text == _shipped_script(name, program)
    called = hook.text is not None and f"continuity/hooks/{name}".encode() in hook.text
    return HookStatus(name, script, hook.path if called else None, program, current, hook.left_alone())


@dataclass(frozen=True, slots=True)
class _Hook:
    """The hook file that Git runs, with its text; None where there is none."""

    place: Place
    name: str
    path: Path
    text: bytes | None
    shared: str | None = None

    @classmethod
    def of(cls, place: Place, git: Git, name: str) -> _Hook:
        said = os.fsdecode(git.run("rev-parse", "--git-path", "hooks").stdout).removesuffix("\n")
        folder = (place.top or place.git_dir) / said
        own = place.common_dir / "hooks"
        shared = None
        if folder.resolve() != own.resolve():
            shared = f"core.hooksPath leads to {folder}"
        elif own.is_symlink():
            shared = f"{own} is a link to {own.resolve()}"
        return cls(place, name, folder / name, _read(folder / name), shared)

    @classmethod
    def in_own_folder(cls, place: Place, name: str) -> _Hook:
        """Where our call was put before somebody set core.hooksPath."""
        path = place.common_dir / "hooks" / name
        return cls(place, name, path, _read(path))

    def left_alone(self) -> Advice | None:
        """Why nothing is written here; None where our call may go in."""
        text = self.text or b""
        manager = manager_of(self.place.top or self.place.git_dir, text)
        if manager is not None:
            lines = tuple(line.replace("{name}", self.name) for line in manager.lines)
            return Advice(f"{manager.name} manages the hooks of this repository", manager.where, lines)
        if self.shared is not None:
            return self._advice(f"{self.shared}, which is not this repository's alone")
        if self.path.is_symlink():
            return self._advice(f"{self.path} is a link")
        if self.text is None:
            return None
        if is_damaged(self.text):
            return self.damaged()
        if not self.path.stat().st_mode & stat.S_IXUSR:
            return self._advice(f"{self.path} is switched off (not executable)")
        bare = without_call(self.text)
        if bare is not None and not _can_be_wrapped(bare, with_call(bare, self.name)):
            return self._advice(f"{self.path} is no shell script that can be added to")
        return None

    def damaged(self) -> Advice:
        return self._advice(f"{self.path} has changed marks of cc-git: remove what stands between them by hand")

    def _advice(self, why: str) -> Advice:
        return Advice(why, f"{self.path}, at its end", (CALL.replace("{name}", self.name),))


def _can_be_wrapped(bare: bytes, wrapped: bytes) -> bool:
    """The shell that runs the hook can read it with our parts in it."""
    shell = shell_of(bare)
    if shell is None or b"\r\n" in bare:
        return False
    try:
        checked = subprocess.run([*shell, "-n"], input=wrapped, capture_output=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return checked.returncode == 0


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _write(path: Path, data: bytes) -> None:
    """Replace whole; a file that was there keeps its mode, a new one is executable."""
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o777 & ~_umask()
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".new-{fresh_token(8)}")
    try:
        temporary.write_bytes(data)
        temporary.chmod(mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
