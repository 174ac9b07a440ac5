"""Files on disk: written whole or not at all, read back, never through a link that leads elsewhere."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from cc_git.codec.paths import PRIVATE_DIR
from cc_git.entropy import fresh_token
from cc_git.errors import Damaged, NotWritable

Where = Path | str


def replace_file(target: Where, data: bytes, *, temporary: Where, durable: bool) -> None:
    """Put `data` at `target` by a rename from `temporary` (a free name on the same file system), and read it back.

    The folder itself is not synced: the journal holds the bytes, so a rename lost with the power is made good.
    """
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        try:
            write_all(descriptor, data)
            if durable:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(temporary, target)  # noqa: PTH104  three times a write: a Path costs as much as the call
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
    if read_file(target) != data:
        raise Damaged(
            f"{target} does not hold what was just written",
            why="the disk or another program changed it",
            hints=("cc-git doctor",),
        )


def write_all(descriptor: int, data: bytes) -> None:
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, data[written:])


def read_file(path: Where) -> bytes | None:
    """The bytes of a regular file; None when there is none, or a link, a folder or a pipe in its place."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as fault:
        if fault.errno in (errno.ELOOP, errno.ENXIO):
            return None
        raise
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return None
        parts = []
        # One byte more than there should be: most files are read and known to have ended in two calls.
        while part := os.read(descriptor, max(found.st_size, 4096) + 1):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def blob_of_file(path: Path, object_format: Literal["sha1", "sha256"]) -> str | None:
    """The blob id of what `read_file` would read, of any length, without holding it in memory."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return None
        digest = hashlib.new(object_format, b"blob %d\0" % found.st_size, usedforsecurity=False)
        while part := file.read(1 << 20):
            digest.update(part)
        return digest.hexdigest()


def make_folder(base: Path, below: str) -> Path:
    """`base/below`, made where missing; refuses a link on the way, which could lead out of the workspace."""
    return Path(made_folder(str(base), below))


def made_folder(base: str, below: str) -> str:
    """The same for a caller in a hurry."""
    folder = base
    for part in below.split("/") if below else ():
        folder = f"{folder}/{part}"
        try:
            plain = stat.S_ISDIR(os.lstat(folder).st_mode)
        except FileNotFoundError:
            with suppress(FileExistsError):
                # The private tier is no business of the machine's other users.
                Path(folder).mkdir(mode=0o700 if part == PRIVATE_DIR else 0o777)
            plain = stat.S_ISDIR(os.lstat(folder).st_mode)
        if not plain:
            raise Damaged(
                f"{folder} is not a folder",
                why="a link or a file stands where a folder of the workspace belongs",
                hints=(f"git rm -r {folder}, where a commit brought it", f"else: mv {folder} {folder}.away"),
            )
    return folder


def make_file_once(target: Path, data: bytes) -> bytes:
    """Create `target` with `data` unless it exists; the bytes that stand there afterwards, whoever was first."""
    temporary = target.with_name(f".new-{fresh_token(8)}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            file.write(data)
            os.fsync(descriptor)
        with suppress(FileExistsError):
            os.link(temporary, target)
    finally:
        with suppress(OSError):
            temporary.unlink()
    return target.read_bytes()


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_REFUSALS = _FULL | {errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOLCK, errno.EIO, errno.EMFILE, errno.ENFILE}


def is_full(fault: OSError) -> bool:
    return fault.errno in _FULL


@contextmanager
def explained(folder: Path, *, lost: str) -> Iterator[None]:
    """Turn a refusal of the file system (read-only, full, failing) into an error that names what is `lost`."""
    try:
        yield
    except OSError as fault:
        if fault.errno not in _REFUSALS:
            raise
        raise not_writable(fault.filename or folder, fault.strerror or str(fault), lost=lost) from fault


def not_writable(where: Where, said: str, *, lost: str) -> NotWritable:
    """The error for a place that took nothing; `said` are the system's words (or hold them, as a library's do)."""
    if any(os.strerror(code) in said for code in _FULL):
        helps = "make room there, then run the command again"
    elif os.strerror(errno.EIO) in said:
        helps = "look after the disk, then run the command again"
    else:
        helps = "make it writable, or run the command in a writable clone"
    return NotWritable(f"cannot write to {where}", why=f"{said}; {lost}", hints=(helps,))
