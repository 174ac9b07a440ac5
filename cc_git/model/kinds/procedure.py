from __future__ import annotations

from typing import ClassVar

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Items, Locator


class Procedure(Payload):
    """A reusable method, or a reference to a skill that holds it."""

    KIND: ClassVar[str] = "procedure"
    steps: Items = ()
    preconditions: Items = ()
    outputs: Items = ()
    validators: Items = ()
    known_failures: Items = ()
    skill_ref: Locator | None = None
