from __future__ import annotations

from typing import ClassVar, Literal

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Items


class Belief(Payload):
    """A working conclusion. `basis` says to whom this kind of truth belongs and so which ladder ranks it."""

    KIND: ClassVar[str] = "belief"
    basis: Literal["external", "user", "project"] = "project"
    evidence: Items = ()
    counterevidence: Items = ()
    alternatives: Items = ()
