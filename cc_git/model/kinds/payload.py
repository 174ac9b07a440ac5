"""What each record kind must say of itself: one explicit registry in `cc_git.model.kinds`."""

from __future__ import annotations

from typing import ClassVar

from cc_git.model.value import Value


class Payload(Value):
    """The kind's own fields, stored in a table named after the kind."""

    KIND: ClassVar[str]

    @property
    def restrains(self) -> bool:
        """A restraint takes effect from any authority but a dream, and only a person lifts it."""
        return False
