"""Git's commit format: header lines, an empty line, the message."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cc_git.store.engine import Commit, Person


def commit_bytes(tree: str, parents: Sequence[str], message: str, author: Person, *, seconds: int) -> bytes:
    """A commit that `author` made and committed at `seconds` since 1970 UTC."""
    who = f"{_plain(author.name)} <{_plain(author.email)}> {seconds} +0000"
    lines = [f"tree {tree}", *(f"parent {p}" for p in parents), f"author {who}", f"committer {who}", "", ""]
    return ("\n".join(lines) + message).encode()


def _plain(text: str) -> str:
    return re.sub(r"[<>\n\0]", "", text).strip()


def commit_of(oid: str, data: bytes) -> Commit:
    """Read a commit's own format: headers, an empty line, the message (UTF-8 unless it says otherwise)."""
    head, _, message = data.partition(b"\n\n")
    tree, parents, author, seconds, encoding = "", [], Person("", ""), 0, "utf-8"
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"tree":
            tree = value.decode()
        elif key == b"parent":
            parents.append(value.decode())
        elif key == b"author":
            author = _person(value)[0]
        elif key == b"committer":
            seconds = _person(value)[1]
        elif key == b"encoding":
            encoding = value.decode("ascii", "replace")
    try:
        words = message.decode(encoding, "replace")
    except LookupError:
        words = message.decode("utf-8", "replace")
    return Commit(oid, tree, tuple(parents), author, seconds, words)


def _person(value: bytes) -> tuple[Person, int]:
    found = re.fullmatch(rb"(.*?) ?<([^>]*)> ?(-?\d+)?.*", value, re.DOTALL)
    if found is None:
        return Person(value.decode("utf-8", "replace"), ""), 0
    name, email, seconds = found.groups()
    return Person(name.decode("utf-8", "replace"), email.decode("utf-8", "replace")), int(seconds or 0)
