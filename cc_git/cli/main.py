"""The entry point of `cc-git` and `git cc`: build the call, parse, run one command, show one outcome."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import click

from cc_git import __version__
from cc_git.cli.context import Call
from cc_git.cli.failure import guarded
from cc_git.cli.lazy import LazyGroup
from cc_git.cli.show import Outcome
from cc_git.cli.streams import Streams, write
from cc_git.cli.verb import Verb
from cc_git.cli.verbs import GROUPS, VERBS

_HELP = """Keep an agent's state in your Git repository, and resume from a clone.

Goals, commitments, permissions, decisions and their evidence are small files in `.continuity/`. They travel, branch
and merge with the code."""


def run() -> None:
    """What the installed scripts call."""
    # A command lives for a moment. Collecting garbage costs it a tenth of that, and looking for plugins of pydantic's,
    # of which we want none in our process, reads the metadata of every installed package.
    gc.set_threshold(100_000, 50, 50)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # git finds `git-cc` when somebody types `git cc`
    program = "git cc" if PurePath(sys.argv[0]).stem == "git-cc" else "cc-git"
    sys.exit(main(sys.argv[1:], program=program))


def main(
    arguments: Sequence[str],
    *,
    program: str = "cc-git",
    verbs: Sequence[Verb] = VERBS,
    groups: Mapping[str, str] = GROUPS,
) -> int:
    """Run one command in this process and return its exit code. The current directory is as before afterwards."""
    call = Call(environ=dict(os.environ), streams=Streams.of_process())
    root = root_group(verbs, groups)

    def work() -> Outcome | None:
        with root.make_context(program, list(arguments), obj=call) as context:
            outcome = root.invoke(context)
            assert outcome is None or isinstance(outcome, Outcome)
            return outcome

    try:
        return int(guarded(call, tuple(arguments), work))
    finally:
        call.come_back()


def root_group(verbs: Sequence[Verb] = VERBS, groups: Mapping[str, str] = GROUPS) -> LazyGroup:
    """The whole program as click sees it."""
    version = click.Option(
        ("--version",), is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
        help="Show the version.",
    )  # fmt: skip
    return LazyGroup("cc-git", verbs, groups=groups, summary=_HELP, extra=(version,))


def _show_version(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    call = context.find_object(Call)
    if value and call is not None:
        write(call.streams.stdout, f"cc-git {__version__}\n")
        context.exit()
