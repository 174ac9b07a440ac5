from __future__ import annotations

from typing import ClassVar

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Items, Prose


class Relationship(Payload):
    """A pattern of working together and its boundaries; never a claim of attachment."""

    KIND: ClassVar[str] = "relationship"
    pattern: Prose = ""
    boundaries: Items = ()
    history_anchors: Items = ()
