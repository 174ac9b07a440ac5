"""The gate for a pull request, a push or a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import asked, looked_at
from cc_git.cli.options import ID_PART
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Heading, Prose
from cc_git.errors import Exit, UsageFault

if TYPE_CHECKING:
    from cc_git.wiring.check import Checked

_LEVELS = ("error", "warning", "notice")
_FAILS = {"error": ("error",), "warning": ("error", "warning"), "never": ()}


@command()
@click.option("--range", "range_", metavar="A..B", help="What B would bring into A; a single A means A..HEAD.")
@click.option("--staged", is_flag=True, help="What the index would commit.")
@click.option("--task", "task", metavar="[ID]", is_flag=False, flag_value="", help="Instead: what is missing before a "
              "line of work can be closed; without an id that of the focus.")  # fmt: skip
@click.option("--format", "format_", type=click.Choice(["text", "markdown", "github", "gitlab"]), default="text",
              show_default=True,
              help="markdown: a summary; github: annotations; gitlab: a code quality report.")  # fmt: skip
@click.option("--fail-on", type=click.Choice(["error", "warning", "never"]), default="error", show_default=True,
              help="From which findings on the exit code is 1.")  # fmt: skip
def check(call: Call, range_: str | None, staged: bool, task: str | None, format_: str, fail_on: str) -> Outcome:
    """Find what must not be merged, by the policy of its base: a range, what is staged, or all (exit 1 if so)."""
    from cc_git.wiring.check import check_present, check_range, check_staged

    if sum((range_ is not None, staged, task is not None)) > 1:
        raise UsageFault("--range, --staged and --task exclude each other")
    if task is not None:
        if (format_, fail_on) != ("text", "error"):
            raise UsageFault("--format and --fail-on are for what must not be merged", hints=("--task with --json",))
        return _of_a_line(call, task)
    if range_ is not None:
        done = check_range(asked(call), range_)
    else:
        done = check_staged(asked(call)) if staged else check_present(asked(call))
    worst = Exit.FOUND if any(one.level in _FAILS[fail_on] for one in done.findings) else Exit.OK
    return Outcome(data=_data(done), blocks=_blocks(done, format_), warnings=done.warnings, exit=worst)


def _of_a_line(call: Call, named: str) -> Outcome:
    from cc_git.cli.lines import checked
    from cc_git.wiring.line import line_at_hand

    with looked_at(call) as session:
        return checked(line_at_hand(session, ID_PART.convert(named, None, None) if named else None, "restricted"))


def _data(done: Checked) -> dict[str, object]:
    return {
        "base": done.base,
        "workspaces": list(done.workspaces),
        "files": done.files,
        "counts": {level: sum(one.level == level for one in done.findings) for level in _LEVELS},
        "findings": list(done.findings),
    }


def _blocks(done: Checked, form: str) -> list[Block]:
    from cc_git.review.reports import code_quality, summary, workflow_commands

    if form == "github":
        return [Prose(workflow_commands(done.findings))] if done.findings else []
    if form == "markdown":
        return [Prose(summary(done.findings))]
    if form == "gitlab":
        return [Prose(code_quality(done.findings))]
    files = f"{done.files} {'file' if done.files == 1 else 'files'}"
    told: list[Block] = [Heading(f"{files}, judged by {done.base}")]
    lines = [f"{one.level}[{one.code}] {one.where}\n    {one.says}" + (f"\n    help: {one.helps}" if one.helps else "")
             for one in done.findings]  # fmt: skip
    return [*told, Prose("\n".join(lines) or "Nothing was found.")]
