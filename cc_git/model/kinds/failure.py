from __future__ import annotations

from typing import ClassVar, Literal

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Prose


class Failure(Payload):
    """A known trap and the way out of it."""

    KIND: ClassVar[str] = "failure"
    trigger: Prose = ""
    consequence: Prose = ""
    recovery: Prose = ""
    verification: Prose = ""
    severity: Literal["low", "high", "catastrophic"] = "low"
