"""The journal's refs, as Git keeps them in files: read, and moved by compare-and-swap through `<ref>.lock`.

libgit2 can do the same in ten times as long, and one write moves a ref once. The journal's repository is ours: its
refs are loose files, and a `packed-refs` is there only if somebody ran `git gc` in it.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from cc_git.errors import LostRace, NotWritable
from cc_git.store.disk import read_file, write_all

_TRIES, _PAUSE = 40, 0.025
"""One second in all, as patient as Git's own: a lock file is somebody's who works here by hand."""


class JournalRefs:
    def __init__(self, repository: Path) -> None:
        self._base = str(repository)

    def read(self, name: str) -> str | None:
        """The commit that a ref names, or None."""
        found = read_file(f"{self._base}/{name}")
        return found.decode("ascii").strip() if found is not None else self._packed(name)

    def below(self, start: str) -> tuple[str, ...]:
        """The names of all refs that begin so (`start` ends in a slash), sorted."""
        top = Path(self._base)
        loose = (path for path in (top / start).rglob("*") if path.suffix != ".lock" and path.is_file())
        packed = (name for name in self._all_packed() if name.startswith(start))
        return tuple(sorted({path.relative_to(top).as_posix() for path in loose}.union(packed)))

    def _packed(self, name: str) -> str | None:
        return self._all_packed().get(name)

    def _all_packed(self) -> dict[str, str]:
        lines = (read_file(f"{self._base}/packed-refs") or b"").decode("ascii").splitlines()
        return {name: oid for oid, _, name in (line.partition(" ") for line in lines)}

    def move(self, name: str, new: str, expected: str | None, *, durable: bool) -> bool:
        """Set a ref if it still is `expected` (None: absent); False when it is not."""
        path = f"{self._base}/{name}"
        descriptor = self._lock(path)
        try:
            try:
                if self.read(name) != expected:
                    return False
                write_all(descriptor, f"{new}\n".encode())
                if durable:
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.rename(f"{path}.lock", path)  # noqa: PTH104  in every write
        finally:
            with suppress(OSError):
                Path(f"{path}.lock").unlink()
        if durable:
            _confirm(path)
        return True

    def _lock(self, path: str) -> int:
        for _ in range(_TRIES):
            try:
                return os.open(f"{path}.lock", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            except FileNotFoundError:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            except FileExistsError:
                time.sleep(_PAUSE)
        raise LostRace(
            "the journal's ref stays locked",
            why=f"{path}.lock is there, and no other writer of ours is",
            hints=(f"rm {path}.lock",),
        )


def _confirm(path: str) -> None:
    """Wait until the disk has the new name. A disk that fails here has taken the write, and may yet lose it."""
    try:
        _sync_folder(os.path.dirname(path))  # noqa: PTH120  in every write
    except OSError as fault:
        raise NotWritable(
            f"the disk took {path} and does not say that it keeps it",
            why=f"{fault.strerror}; it is remembered, and a power failure may take it back (persistence)",
            hints=("look after the disk, then: cc-git status",),
        ) from fault


def _sync_folder(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
