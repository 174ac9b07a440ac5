"""Attributes that would have Git change the bytes of our files on their way in or out, and the file that gives them.

What a record is bound to is its exact bytes, so `init` writes attributes that keep every conversion off. A line after
that one, a nested attributes file or `info/attributes` can turn one on again: then Git refuses the files, or commits
other ones. Git is asked for what holds (`git check-attr`) about one file for each folder and way of being named.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from cc_git.codec import paths
from cc_git.errors import Refused
from cc_git.model.fault import Fault
from cc_git.store.disk import read_file
from cc_git.store.git import Git
from cc_git.store.place import Place

_ASKED = ("text", "eol", "ident", "filter", "working-tree-encoding")
_OFF = frozenset({"unset", "unspecified"})
_LINE = paths.ATTRIBUTES_TEXT.strip()


def attribute_faults(place: Place, git: Git, rels: Iterable[str]) -> tuple[Fault, ...]:
    """What is wrong with the attributes of these files (paths below `.continuity/`): the first conversion, or that our
    own attributes file no longer keeps them off."""
    if place.directory is None:
        return ()
    found = _converting(place, git, rels)
    if found is not None:
        return (found,)
    own = _text(place.directory / paths.ATTRIBUTES_FILE)
    if own is not None and _LINE not in map(str.strip, own.splitlines()):
        where = f"{place.prefix}/{paths.ATTRIBUTES_FILE}"
        says = f"lacks the line `{_LINE}`, without which Git may change the bytes of what lies here: put it back"
        return (Fault(paths.ATTRIBUTES_FILE, "edited", f"{says} (git log -- {where})"),)
    return ()


def require_plain_attributes(place: Place, git: Git, rels: Iterable[str]) -> None:
    """Raises `Refused` where Git would commit other bytes than those that were written."""
    found = None if place.directory is None else _converting(place, git, rels)
    if found is not None:
        raise Refused(
            f"{found.rel} {found.reason}",
            why="what is committed has to be what was written, byte for byte",
            hints=("cc-git commit, when that is taken out", f"git check-attr --all -- {place.prefix}/{found.rel}"),
        )


def _converting(place: Place, git: Git, rels: Iterable[str]) -> Fault | None:
    probes = {rel.rpartition("/")[0] + Path(rel).suffix: rel for rel in sorted(rels) if rel != paths.ATTRIBUTES_FILE}
    if not probes:
        return None
    if (stuck := unreadable_attributes(place, probes.values())) is not None:
        return stuck
    listed = "".join(f"{place.prefix}/{rel}\0" for rel in probes.values()).encode("utf-8", "surrogateescape")
    said = git.run("check-attr", "-z", "--stdin", *_ASKED, input=listed, check=False)
    fields = said.stdout.decode("utf-8", "surrogateescape").split("\0")
    values: dict[str, dict[str, str]] = {}
    for path, attribute, value in zip(fields[0::3], fields[1::3], fields[2::3], strict=False):
        values.setdefault(path.removeprefix(f"{place.prefix}/"), {})[attribute] = value
    for rel, told in values.items():
        for attribute in _turned_on(told):
            given = attribute if told[attribute] == "set" else f"{attribute}={told[attribute]}"
            file = _file_with(attribute, place, rel)
            says = f"has the attribute `{given}` by {file}, which has Git change its bytes: take that out for our files"
            return Fault(rel, "invalid", says)
    return None


def unreadable_attributes(place: Place, rels: Iterable[str] = ()) -> Fault | None:
    """An attributes file that is a pipe or a device, in the workspace's folder or one that leads to these files: Git
    opens it, whatever it is asked about the files there, and waits."""
    folders = {"/".join(parts[:depth]) for rel in rels for parts in (rel.split("/"),) for depth in range(len(parts))}
    folders.add("")
    for folder in sorted(folders):
        name = f"{folder}/{paths.ATTRIBUTES_FILE}" if folder else paths.ATTRIBUTES_FILE
        try:
            mode = os.lstat(f"{place.directory}/{name}").st_mode
        except OSError:
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
            says = "is neither a file nor a folder, and Git would wait for ever to read it: remove it"
            return Fault(name, "misplaced", says)
    return None


def _turned_on(told: Mapping[str, str]) -> Iterator[str]:
    for attribute in ("working-tree-encoding", "filter"):
        if told.get(attribute, "unset") not in _OFF and told[attribute].lower() != "utf-8":
            yield attribute
    if told.get("ident") == "set":
        yield "ident"
    if told.get("text", "unset") not in _OFF:
        yield "text"
    elif told.get("text") == "unspecified" and told.get("eol", "unset") not in _OFF:
        yield "eol"


def _file_with(attribute: str, place: Place, rel: str) -> str:
    """The attributes file that gives it, in Git's order: the clone's own, then the nearest folder's."""
    assert place.top is not None
    mentions = re.compile(rf"(?<![-!\w]){re.escape(attribute)}(?![-\w])")
    inside = f"{place.prefix}/{rel}".split("/")[:-1]
    folders = ["/".join((*inside[:depth], paths.ATTRIBUTES_FILE)) for depth in range(len(inside), -1, -1)]
    clone = place.common_dir / "info" / "attributes"
    for name, file in ((str(clone), clone), *((name, place.top / name) for name in folders)):
        if mentions.search(_text(file) or ""):
            return name
    return "the attributes file of your own Git configuration (core.attributesFile)"


def _text(file: Path) -> str | None:
    try:
        data = read_file(file)
    except OSError:
        return None
    return None if data is None else data.decode("utf-8", "replace")
