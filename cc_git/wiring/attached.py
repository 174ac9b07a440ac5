"""Files that come with an episode: a log, a picture of a screen. They are kept whole, and read by nobody here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cc_git.errors import UsageFault
from cc_git.governance.evidence import Attached
from cc_git.store.engine import LARGEST_KEPT
from cc_git.store.tracked import read_whole
from cc_git.store.trees import object_id
from cc_git.wiring.session import Session


def attached(session: Session, files: Iterable[Path]) -> tuple[Attached, ...]:
    """`files` as they were typed. Raises UsageFault for what is no file, empty, or longer than the journal keeps."""
    form, found = session.engine.object_format, list[Attached]()
    for path in files:
        data = read_whole(session.asked.start / path, LARGEST_KEPT)
        if not data:
            raise UsageFault(f"{path} is empty", why="an empty file is the place of something that was forgotten")
        found.append(Attached(path.name, object_id("blob", data, form), data))
    return tuple(found)
