"""Asking the person at the terminal. There is no flag that answers instead: an agent would only have to pass it."""

from __future__ import annotations

from collections.abc import Mapping

from cc_git.cli.context import Call
from cc_git.cli.streams import write
from cc_git.errors import Refused
from cc_git.model.sanitise import visible
from cc_git.model.who import Who


def confirm(call: Call, who: Who, question: str) -> bool:
    """Yes or no; an empty answer is no. Refused where no person is at a terminal."""
    return choose(call, who, question, {"y": "yes", "n": "no"}, default="n") == "y"


def choose(call: Call, who: Who, question: str, choices: Mapping[str, str], *, default: str | None = None) -> str:
    """The key of a choice, asked for until it is one. `choices`: key → what it does.

    The question goes to standard error, so that standard output stays the result alone.
    """
    require_person(who, question)
    shown = ", ".join(f"{key.upper() if key == default else key} = {what}" for key, what in choices.items())
    while True:
        write(call.streams.stderr, f"{visible(question, multiline=True)} [{visible(shown, multiline=False)}] ")
        line = call.streams.stdin.readline()
        if not line:
            raise Refused("the question was not answered", why="standard input ended")
        answer = line.strip().lower() or default or ""
        if answer in choices:
            return answer
        write(call.streams.stderr, f"please answer {', '.join(choices)}\n")
        question = ""


def require_person(who: Who, what: str) -> None:
    """Refuse unless a person is at a terminal; `what` names what only a person may do."""
    if who.is_person_at_terminal:
        return
    why = f"{who.sign} says that an agent runs this" if who.is_agent else "standard input or output is no terminal"
    raise Refused(
        f"only a person at a terminal can answer this: {what}",
        why=why,
        hints=("a person can run `cc-git review` in a terminal of their own",),
    )
