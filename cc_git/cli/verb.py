"""What a row in the table of commands holds."""

from __future__ import annotations

from dataclasses import dataclass

AT = "cc_git.cli.commands."
"""Where commands lie; a target goes on from here."""


@dataclass(frozen=True, slots=True)
class Verb:
    """`target` is `module:attribute`; `section` is the heading in the help."""

    name: str
    target: str
    help: str
    section: str
