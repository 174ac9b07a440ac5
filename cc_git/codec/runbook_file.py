"""A runbook's file, changed in place: comments, unknown keys and layout stay (tomlkit)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cc_git.codec.toml_write import dump


def edited(data: bytes, changes: Mapping[str, str | Sequence[str]]) -> bytes:
    """Give fields new values; an empty one takes its key away. Of a list, items that stay keep their lines and
    comments. The bytes must be TOML; everything else in them stays as it is."""
    import tomlkit  # slow to import (30 ms); only an edit needs it

    document: Any = tomlkit.parse(data.decode())
    for name, value in changes.items():
        if not value:
            document.pop(name, None)
        elif isinstance(value, str) or not _followed(document.get(name), list(value)):
            written: Any = tomlkit.parse(dump({name: value if isinstance(value, str) else list(value)}))[name]
            if name in document:
                written.trivia.comment_ws = document[name].trivia.comment_ws
                written.trivia.comment = document[name].trivia.comment
            document[name] = written
    return bytes(tomlkit.dumps(document).encode())


def _followed(array: Any, wanted: list[str]) -> bool:
    """Make the list be `wanted`: what is not in it goes, what is new is put at its place. False, and nothing is
    changed, where what stays would have to change places, or there is no list of texts."""
    if not (isinstance(array, list) and array and all(isinstance(one, str) for one in array)):
        return False
    left, there = Counter(wanted), []
    for at, one in enumerate(array):
        if left[str(one)] > 0:
            left[str(one)] -= 1
            there.append(at)
    kept = [str(array[at]) for at in there]
    rest = iter(wanted)
    if not all(text in rest for text in kept):
        return False
    for at in reversed(range(len(array))):
        if at not in there:
            del array[at]
    for at, text in enumerate(wanted):
        if at >= len(array) or str(array[at]) != text:
            array.insert(at, _escaped(text))
    return True


def _escaped(text: str) -> Any:
    """One item as our writer spells it: no character in it acts on a terminal."""
    import tomlkit  # as above

    listed: Any = tomlkit.parse(dump({"item": [text]}))["item"]
    return listed.item(0) if hasattr(listed, "item") else listed[0]
