"""Who acts: the name that goes into files, and whether it is a person who can be asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Who:
    """`actor` is `human:<slug>`, or `agent:<name>[/<model>]`. `sign` says what betrayed an agent, for messages.

    `at_terminal`: standard input and output are both terminals. Whoever can write a terminal can forge this.
    """

    actor: str
    is_agent: bool
    at_terminal: bool
    sign: str = ""

    @property
    def is_person_at_terminal(self) -> bool:
        """The only one who can attest, confirm and lift a restraint on this clone."""
        return self.at_terminal and not self.is_agent
