"""Tombstones and endings: marks free of content, with the same bytes whoever writes them."""

from __future__ import annotations

from typing import Literal

from cc_git.model.value import FORMAT, Id, Value


class Tombstone(Value):
    """This id was forgotten and must not come back."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id


class Ending(Value):
    """What a forgotten object had ended stays ended."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
