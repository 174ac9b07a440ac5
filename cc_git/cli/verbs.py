"""Every command of the program, in the order `--help` shows them. An explicit table: nothing is discovered.

To add a command, write `cli/commands/<name>.py` (see `command.py` for the shape) and a row here. `name` may have two
words (`hooks install`); the first then needs an entry in `GROUPS`. `target` is imported only when the command runs, so
`help` stands here too: the first line of the command's docstring, word for word (a test compares them). Then write the
reference again: `python -m cc_git.cli.reference`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """`target` is `module:attribute`; `section` is the heading in the help."""

    name: str
    target: str
    help: str
    section: str


GROUPS: dict[str, str] = {}
"""First words of two-word commands, with the line of help for the group."""

VERBS: tuple[Verb, ...] = ()
