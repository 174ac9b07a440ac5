"""What the user's index says about a workspace, as the git program says it.

`base` is HEAD's commit or, on an unborn branch, the empty tree (`user_index.EMPTY_TREE`).
"""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.store.attributes import unreadable_attributes
from cc_git.store.git import Git
from cc_git.store.place import Place

_LITERAL = {"GIT_LITERAL_PATHSPECS": "1"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that differs: `before` is the blob on the older side, `after` on the newer (None: not computed). `gone`:
    the newer side has no such file."""

    rel: str
    before: str
    after: str | None
    gone: bool = False


def staged(git: Git, place: Place, base: str) -> frozenset[str]:
    """Paths below the workspace that have an entry in the index and none in HEAD (`base`); unmerged ones count."""
    out = git.run(
        *("diff-index", "--cached", "--no-renames", "--name-only", "--diff-filter=AU", "-z"),
        *(base, "--", place.prefix),
        more=_LITERAL,
    ).stdout
    return frozenset(_rel(place, name) for name in out.split(b"\0") if name)


def modified_in_index(git: Git, place: Place, base: str) -> list[Difference]:
    """Files of HEAD (`base`) that the index holds with other bytes."""
    return _differing(git, place, "M", "diff-index", "--cached", base)


def modified_on_disk(git: Git, place: Place) -> list[Difference]:
    """Files of the index that seem to have other bytes on disk (Git compares what `lstat` says, so read them), or that
    are not there. What a sparse checkout leaves out is none of them."""
    return [] if unreadable_attributes(place) else _differing(git, place, "MD", "diff-files")


def _differing(git: Git, place: Place, which: str, *words: str) -> list[Difference]:
    options = ("--no-renames", "--raw", "--no-abbrev", f"--diff-filter={which}", "-z")
    fields = git.run(words[0], *options, *words[1:], "--", place.prefix, more=_LITERAL).stdout.split(b"\0")
    found = []
    for about, path in zip(fields[::2], fields[1::2], strict=False):
        _, _, before, after, letter = about.split(b" ")
        known = after.decode() if after.strip(b"0") else None
        found.append(Difference(_rel(place, path), before.decode(), known, gone=letter == b"D"))
    return found


def _rel(place: Place, path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")[len(place.prefix) + 1 :]
