from __future__ import annotations

from typing import ClassVar

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Items, Prose


class Hypothesis(Payload):
    """A live possibility: what would test it, how far it leaps, what speaks against it. It must expire."""

    KIND: ClassVar[str] = "hypothesis"
    test: Prose = ""
    leap: Prose = ""
    counterevidence: Items = ()
    impact: Prose | None = None
    cost_to_validate: Prose | None = None
