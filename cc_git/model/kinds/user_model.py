from __future__ import annotations

from typing import ClassVar, Literal

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Items


class UserModel(Payload):
    """A preference or working constraint of the user; what was said is kept apart from what was inferred."""

    KIND: ClassVar[str] = "user_model"
    assertion: Literal["direct", "inferred"] = "direct"
    constraints: Items = ()
