from __future__ import annotations

from typing import ClassVar

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Items, OneLine, Prose


class Identity(Payload):
    """An assigned role and its contract of behaviour."""

    KIND: ClassVar[str] = "identity"
    role: Prose = ""
    contract: Items = ()
    owner: OneLine | None = None
    version: OneLine | None = None
