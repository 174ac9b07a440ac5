"""Reading objects through `git cat-file --batch-command`, one child for all of them (Git 2.36 or newer).

A question is one line and its answer is read whole before the next, so neither side ever waits for the other with a
full pipe. The child sees objects that others write while it runs. It ends where an object is torn, and, in a partial
clone, where one is missing and may not be fetched: the next question starts another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cc_git.errors import Damaged
from cc_git.store.engine import MissingObject, TooLarge
from cc_git.store.program import Child, Program, failed

_FOUND = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) (blob|tree|commit|tag) (\d+)\n")
_NOT_HERE = (b" missing\n", b" ambiguous\n")
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_NOT_FETCHED = re.compile(r"could not fetch|lazy fetching disabled|transport '.*' not allowed|promisor", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class About:
    oid: str
    kind: str
    size: int


class ProgramObjects:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._child: Child | None = None

    def about(self, name: str) -> About | None:
        """What a name (an id, a revision) stands for; None where there is no such thing here."""
        if not name or "\n" in name or "\0" in name:
            return None
        return self._asked("info", name, None)[0]

    def read(self, oid: str, most: int | None = None) -> tuple[str, bytes]:
        """Kind and bytes. Raises `MissingObject`, `Damaged`, and `TooLarge` before it reads more than `most`."""
        if not _ID.fullmatch(oid):
            raise MissingObject(oid)
        if most is not None:
            about = self.about(oid)
            if about is not None and about.size > most:
                raise TooLarge(oid, about.size)
        found, data = self._asked("contents", oid, oid)
        if found is None:
            raise MissingObject(oid)
        return found.kind, data

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def _asked(self, verb: str, name: str, oid: str | None) -> tuple[About | None, bytes]:
        """The answer to one question, read whole; an interrupted one leaves no child that is out of step."""
        if self._child is None:
            self._child = self._program.child("cat-file", "--batch-command")
        child = self._child
        try:
            child.tell(f"{verb} {name}\n".encode("utf-8", "surrogateescape"))
            head = child.line()
            found = _FOUND.fullmatch(head)
            if found is not None:
                about = About(found[1].decode(), found[2].decode(), int(found[3]))
                if oid is None:
                    return about, b""
                data = child.read(about.size)
                if child.read(1) == b"\n":
                    return about, data
            elif head.endswith(_NOT_HERE):
                return None, b""
        except BaseException:
            self.close()
            raise
        child.end()
        said = child.said
        self.close()
        if _NOT_FETCHED.search(said):
            return None, b""
        if oid is None:
            raise failed("cat-file", said)
        raise Damaged(f"the Git object {oid} cannot be read", why=said or None, hints=("git fsck",))
