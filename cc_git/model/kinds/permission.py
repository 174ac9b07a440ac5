from __future__ import annotations

from typing import ClassVar, Literal

from cc_git.model.kinds.payload import Payload
from cc_git.model.value import Items, Locator, OneLine


class Permission(Payload):
    """An authorised or forbidden action. `action` and `target` are shell patterns (`*`, `?`, `[…]`)."""

    KIND: ClassVar[str] = "permission"
    effect: Literal["allow", "deny"]
    action: OneLine
    target: Locator = "*"
    grantor: OneLine | None = None
    conditions: Items = ()

    @property
    def restrains(self) -> bool:
        return self.effect == "deny"
