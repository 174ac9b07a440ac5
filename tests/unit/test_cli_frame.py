"""The frame of the command line, exercised with commands that exist for that alone (`frame_commands.py`)."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import click
import pytest

from cc_git import __version__
from cc_git.cli.context import Call
from cc_git.cli.global_options import GlobalOption, global_options
from cc_git.cli.main import main, root_group
from cc_git.cli.streams import Streams
from cc_git.cli.verb import Verb
from cc_git.cli.verbs import GROUPS, VERBS
from tests.unit import frame_commands

SCRIPT = Path(frame_commands.__file__)


class Frame:
    """Runs the program in this process: `frame("call", "--json")` → exit code, standard output, standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        code = main(words, verbs=frame_commands.VERBS, groups=frame_commands.GROUPS)
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def json(self, *words: str) -> dict[str, Any]:
        _, out, _ = self(*words, "--json")
        assert out.count("\n") == 1 and out.endswith("\n"), "one document on one line"
        document = json.loads(out)
        assert isinstance(document, dict)
        return document


@pytest.fixture
def frame(capsys: pytest.CaptureFixture[str]) -> Frame:
    return Frame(capsys)


def test_without_arguments_help_is_printed_and_all_is_well(frame: Frame) -> None:
    code, out, err = frame()
    assert (code, err) == (0, "")
    assert out == frame("--help")[1] == frame("-h")[1]


def test_help_lists_commands_by_section_without_importing_one(frame: Frame) -> None:
    out = frame("--help")[1]
    assert "Look:\n  call           Say what was asked of every command.\n" in out
    # `hooks remove` points at a module that does not exist
    assert "Hooks:\n  hooks install  Take every shared option.\n  hooks remove   Point at nothing.\n" in out


def test_a_group_alone_shows_its_own_help(frame: Frame) -> None:
    code, out, _ = frame("hooks")
    assert code == 0
    assert out.startswith("Usage: cc-git hooks [OPTIONS] COMMAND")
    assert "\n  install  Take every shared option.\n" in out


def test_version_is_shown(frame: Frame) -> None:
    assert frame("--version") == (0, f"cc-git {__version__}\n", "")


HEAVY = ("rich", "pydantic", "pygit2", "tomlkit", "rtoml", "sqlite3", "asyncio", "yaml", "markdown_it")


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("bogus",)])
def test_help_version_and_mistakes_start_without_heavy_modules(words: tuple[str, ...]) -> None:
    program = (
        "import sys; from cc_git.cli.main import main; code = main(sys.argv[1:]);"
        "sys.stderr.write(' '.join(m for m in sys.modules if '.' not in m))"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True)
    loaded = set(done.stderr.splitlines()[-1].split(" "))
    assert "click" in loaded, "the list of modules itself must be there"
    assert loaded.isdisjoint(HEAVY)


def test_both_installed_names_lead_to_the_same_program() -> None:
    folder = Path(sys.executable).parent
    shown = {
        name: subprocess.run([folder / name, "-h"], capture_output=True, text=True) for name in ("cc-git", "git-cc")
    }
    assert {name: done.returncode for name, done in shown.items()} == {"cc-git": 0, "git-cc": 0}
    assert shown["git-cc"].stdout.startswith("Usage: git cc ")
    assert shown["git-cc"].stdout.replace("git cc", "cc-git", 1) == shown["cc-git"].stdout


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(("cal",), "cc-git call"), (("instal",), "cc-git hooks install"), (("hooks", "instll"), "cc-git hooks install")],
)
def test_a_mistyped_command_is_a_usage_error_with_a_suggestion(
    frame: Frame, typed: tuple[str, ...], meant: str
) -> None:
    code, out, err = frame(*typed)
    assert (code, out) == (2, "")
    assert f"Hint: did you mean `{meant}`?\n" in err


@pytest.mark.parametrize(
    "words", [("call", "--bogus"), ("call", "extra"), ("echo",), ("echo", "a", "--exit", "x"), ("--quiet",)]
)
def test_a_command_line_that_does_not_parse_has_exit_code_2_and_names_the_help(
    frame: Frame, words: tuple[str, ...]
) -> None:
    code, out, err = frame(*words)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert "--help` shows how it is used\n" in err


@pytest.mark.parametrize("after", [True, False])
def test_global_options_count_before_and_after_the_command(frame: Frame, tmp_path: Path, after: bool) -> None:
    given = ("--now", "2026-11-30", "-C", str(tmp_path), "--workspace", "w", "--json", "--quiet")
    code, out, _ = frame("call", *given) if after else frame(*given, "call")
    data = json.loads(out)["data"]
    assert code == 0
    assert (data["now"], data["start"], data["workspace"]) == ("2026-11-30T00:00:00Z", tmp_path.name, "w")


def test_what_stands_after_the_command_wins_and_c_adds_up(frame: Frame, tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    document = frame.json(
        "--now", "2020-01-01", "-C", str(tmp_path), "-C", "a", "call", "--now", "2026-11-30", "-C", "b"
    )
    assert (document["data"]["now"], document["data"]["start"]) == ("2026-11-30T00:00:00Z", "b")


def test_the_current_directory_is_as_before_after_a_call(frame: Frame, tmp_path: Path) -> None:
    before = Path.cwd()
    frame("-C", str(tmp_path), "call")
    frame("-C", str(tmp_path), "stop", "bug")
    assert Path.cwd() == before


def test_a_directory_that_is_not_there_is_a_usage_error(frame: Frame) -> None:
    assert frame("-C", "nowhere", "call") == (
        2,
        "",
        "Error: cannot change to nowhere\nCaused by: No such file or directory\n",
    )


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-30", "2026-11-30T00:00:00Z"),
        ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z"),
        ("2026-11-30 12:00+02:00", "2026-11-30T10:00:00Z"),
        ("2026-11-30T12:00:00.1239999Z", "2026-11-30T12:00:00.123Z"),
    ],
)
def test_now_is_read_as_utc_in_milliseconds(frame: Frame, text: str, instant: str) -> None:
    assert frame.json("call", "--now", text)["data"]["now"] == instant


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("2026-11-30T12:00", "write 2026-11-30T12:00:00Z for UTC"),
        ("yesterday", "write ISO 8601"),
        ("1969-12-31", ""),
        ("0001-01-01T00:00:00+14:00", ""),
    ],
)
def test_a_naive_wrong_or_too_early_instant_is_refused(frame: Frame, text: str, hint: str) -> None:
    code, out, err = frame("--now", text, "call")
    assert (code, out) == (2, "")
    assert err.startswith(f"Error: --now: '{text}' ")
    assert hint in err


def test_without_now_the_clock_is_read_once() -> None:
    call = Call(environ={}, streams=Streams.of_process())
    first = call.now
    assert call.now is first
    assert first.tzinfo is UTC


def test_an_error_says_what_why_and_what_helps_and_no_line_of_it_can_be_forged(frame: Frame) -> None:
    assert frame("stop", "refused") == (
        3,
        "",
        "Error: policy says no\nCaused by: a deny\n  Error: forged \\u{1b}[2J\nHint: `cc-git review` helps\n",
    )


def test_an_error_in_json_has_the_same_fields_on_standard_output(frame: Frame) -> None:
    code, out, err = frame("stop", "refused", "--json")
    assert (code, err) == (3, "")
    assert json.loads(out) == {
        "schema": "cc-git/stop/1",
        "ok": False,
        "data": None,
        "warnings": [],
        "receipt": None,
        "error": {
            "kind": "refused",
            "exit": 3,
            "what": "policy says no",
            "why": "a deny\nError: forged \x1b[2J",
            "hints": ["`cc-git review` helps"],
        },
    }
    assert "\x1b" not in out


@pytest.mark.parametrize("words", [("call", "--bogus", "--json"), ("bogus", "--json"), ("--json", "echo")])
def test_a_parse_error_is_json_too_when_json_was_asked_for(frame: Frame, words: tuple[str, ...]) -> None:
    code, out, err = frame(*words)
    assert (code, err) == (2, "")
    assert json.loads(out)["error"]["kind"] == "usage"


def test_json_after_the_double_dash_is_text(frame: Frame) -> None:
    assert frame("echo", "--", "--json")[1].startswith("--json\n")


def test_a_bug_is_called_ours_and_reported_without_arguments(frame: Frame) -> None:
    code, out, err = frame("stop", "bug")
    assert (code, out) == (70, "")
    assert err.startswith("Error: this is a bug in cc-git, not your mistake: KeyError")
    assert f"cc-git {__version__}, `cc-git stop`, Python" in err
    assert "Traceback" not in err and "CC_GIT_DEBUG=1" in err and "\x1b" not in err


def test_a_bug_shows_its_traceback_when_asked_to(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC_GIT_DEBUG", "1")
    code, out, err = frame("stop", "bug", "--json")
    assert code == 70
    assert err.startswith("Traceback (most recent call last):")
    assert json.loads(out)["error"]["kind"] == "bug"


@pytest.mark.parametrize("how", ["set", "none", "pipe"])
def test_what_a_command_must_not_return_or_raise_is_a_bug_and_not_a_success(frame: Frame, how: str) -> None:
    code, out, _ = frame("stop", how, "--json")
    assert code == 70
    assert json.loads(out)["error"]["kind"] == "bug"


def test_an_interrupt_has_its_own_exit_code(frame: Frame) -> None:
    assert frame("stop", "interrupt") == (130, "", "Error: interrupted\n")


@pytest.mark.parametrize("words", [("--help",), ("echo", "text"), ("echo", "text", "--json"), ("bogus",)])
def test_a_reader_that_has_gone_is_no_error(words: tuple[str, ...]) -> None:
    process = subprocess.Popen([sys.executable, SCRIPT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    if words == ("bogus",):
        process.stderr.close()
        assert process.wait() == 2
    else:
        assert process.stderr.read().decode().removesuffix("text\n") in ("", "Warning: text\n")
        assert process.wait() == 0


def test_closed_streams_do_not_turn_a_success_into_a_failure() -> None:
    done = subprocess.run(["sh", "-c", f'"{sys.executable}" "{SCRIPT}" echo text <&- >&- 2>&-'])
    assert done.returncode == 0


def test_a_locale_that_lacks_letters_gets_escapes_and_json_stays_utf8() -> None:
    environment = {"PYTHONPATH": str(SCRIPT.parent.parent.parent), "PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    text = subprocess.run([sys.executable, SCRIPT, "echo", "naïve"], env=environment, capture_output=True)
    assert (text.returncode, text.stdout.splitlines()[0]) == (0, b"na\\xefve")
    document = subprocess.run([sys.executable, SCRIPT, "echo", "naïve", "--json"], env=environment, capture_output=True)
    assert json.loads(document.stdout.decode("utf-8"))["data"]["text"] == "naïve"
    assert "naïve".encode() in document.stdout


def test_an_argument_that_is_not_utf8_is_refused_by_name() -> None:
    done = subprocess.run([sys.executable, SCRIPT, b"echo", b"\xff"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "Error: text is not valid UTF-8\n")


def test_the_envelope_has_its_keys_in_one_order_and_gives_stored_text_back(frame: Frame) -> None:
    hostile = "\x1b[2J \u202e <!-- \U000e0041 👩\u200d🚀 \x00"
    code, out, _ = frame("echo", hostile, "--exit", "1", "--json")
    document = json.loads(out)
    assert code == 1
    assert "👩\u200d🚀" in out
    assert [bad for bad in ("\x1b", "\u202e", "<!--", "\U000e0041", "\x00") if bad in out] == []
    assert list(document) == ["schema", "ok", "data", "warnings", "receipt"]
    assert document == {
        "schema": "cc-git/echo/1",
        "ok": False,
        "data": {"text": hostile, hostile: [hostile]},
        "warnings": [hostile],
        "receipt": None,
    }


def test_the_schema_of_a_two_word_command_joins_its_words(frame: Frame) -> None:
    assert frame.json("hooks", "install", "dec")["schema"] == "cc-git/hooks-install/1"


def test_an_outcome_decides_the_exit_code(frame: Frame) -> None:
    assert frame("echo", "text", "--exit", "5")[0] == 5


def test_quiet_leaves_out_notes_and_warnings_and_keeps_the_result(frame: Frame) -> None:
    loud, quiet = frame("call", "--now", "2026-11-30"), frame("call", "--now", "2026-11-30", "-q")
    assert loud[2] == "Warning: a warning\na note\n"
    assert quiet == (0, loud[1], "")


def test_shared_options_arrive_as_values(frame: Frame) -> None:
    words = (
        "dec…k3f9q2",
        "--project",
        "atlas",
        "--dry-run",
        "--source",
        "ep",
        "--source",
        "ab12",
        "--due",
        "2026-11-30",
    )
    data = frame.json("hooks", "install", *words)["data"]
    assert data["ids"] == [{"text": "dec…k3f9q2"}]
    assert data["scope"] == {"project": "atlas", "agent": None, "thread": None, "user": None}
    assert (data["dry_run"], data["reason"], data["due"]) == (True, None, "2026-11-30T00:00:00Z")
    assert [source["text"] for source in data["sources"]] == ["ep", "ab12"]


@pytest.mark.parametrize(
    "words",
    [
        ("dec-x",),
        (),
        ("dec", "--project", "two\nlines"),
        ("dec", "--thread", "zero\u200bwidth"),
        ("dec", "--user", ""),
        ("dec", "--due", "soon"),
    ],
)
def test_shared_options_refuse_what_their_field_cannot_hold(frame: Frame, words: tuple[str, ...]) -> None:
    assert frame("hooks", "install", *words)[0] == 2


def test_a_dash_reads_the_text_from_standard_input(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("from\nbelow\n"))
    assert frame.json("echo", "-")["data"]["text"] == "from\nbelow\n"


def _commands() -> Iterator[tuple[Verb, click.Command]]:
    context = click.Context(click.Command("cc-git"))
    for verb in VERBS:
        command: click.Command | None = root_group(VERBS, GROUPS)
        for word in verb.name.split(" "):
            assert isinstance(command, click.Group)
            command = command.get_command(context, word)
        assert command is not None, verb.name
        yield verb, command


def test_every_row_of_the_table_leads_to_a_command_with_the_same_first_line_of_help() -> None:
    said = {verb.name: (command.help or "").strip().splitlines()[0] for verb, command in _commands()}
    assert said == {verb.name: verb.help for verb in VERBS}


def test_no_option_of_a_command_hides_one_that_every_command_has() -> None:
    everywhere = {name for option in global_options() for name in option.opts}
    assert {"--json", "-q", "-C"} <= everywhere
    for verb, command in _commands():
        own = [option for option in command.params if not isinstance(option, GlobalOption)]
        assert everywhere.isdisjoint(name for option in own for name in option.opts), verb.name
