from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.show import Outcome
from cc_git.cli.streams import write
from cc_git.cli.tables import Prose
from cc_git.errors import UsageFault
from cc_git.model.sanitise import visible

_MARKS = {"scene": "\n== ", "step": "\n# ", "command": "", "output": ""}


@command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="[ADR-DIR]", required=False)
@click.option("--keep", type=click.Path(path_type=Path), metavar="DIR", help="Play it in this new folder and keep it.")
def demo(call: Call, folder: Path | None, keep: Path | None) -> Outcome:
    """Play the five-minute story in a throw-away folder, with real repositories."""
    from cc_git.demo.stage import Stage
    from cc_git.demo.story import tell_story

    records = call.start / folder if folder else None
    if keep is not None:
        _make(keep)
        tell_story(Stage(keep.resolve(), call.environ, _teller(call)), records)
        return Outcome(data={"kept": keep}, blocks=(Prose(f"\nKept in {keep}"),))
    with TemporaryDirectory(prefix="cc-git-demo-") as place:
        tell_story(Stage(Path(place).resolve(), call.environ, _teller(call)), records)
    return Outcome(data={"kept": None}, blocks=(Prose("\nThat was the whole story; the folder is gone again."),))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise UsageFault(f"--keep {folder}: {error.strerror}", hints=("name a folder that is not there yet",)) from None


def _teller(call: Call) -> Callable[[str, str], None]:
    """Shows each step as it happens; a program gets the outcome alone."""

    def tell(kind: str, text: str) -> None:
        shown = visible(text, multiline=True)
        if kind == "output":
            shown = "\n".join(f"    {line}".rstrip() for line in shown.splitlines())
        if not call.as_json:
            write(call.streams.stdout, f"{_MARKS[kind]}{shown}\n")

    return tell
