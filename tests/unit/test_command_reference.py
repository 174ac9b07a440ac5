"""`docs/commands.md` is what the program says of itself."""

from __future__ import annotations

from pathlib import Path

from cc_git.cli.reference import PAGE, reference
from cc_git.errors import Exit
from tests.unit import frame_commands

PROJECT = Path(__file__).resolve().parent.parent.parent


def test_the_page_is_up_to_date() -> None:
    written = (PROJECT / PAGE).read_text(encoding="utf-8")
    assert written == reference(), "run `python -m cc_git.cli.reference` at the top of the checkout"


def test_a_command_appears_with_usage_help_and_options() -> None:
    verbs = tuple(verb for verb in frame_commands.VERBS if verb.name != "hooks remove")
    page = reference(verbs, frame_commands.GROUPS)
    section = page.partition("### `cc-git hooks install`")[2].partition("\n## ")[0]
    assert "cc-git hooks install [OPTIONS] ID…\n" in section
    assert "\nTake every shared option.\n" in section
    assert "- `--dry-run`: Show the plan and change nothing.\n" in section
    assert "--json" not in section, "options of every command have a place of their own"
    assert [line for line in page.splitlines() if line.startswith("## ")][:3] == ["## Look", "## Stop", "## Hooks"]


def test_every_exit_code_is_explained() -> None:
    page = reference()
    assert [code for code in Exit if f"- `{code}` " not in page] == []
