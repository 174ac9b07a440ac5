"""How a result looks: plain for pipes, fitted on a terminal, and asking a person there. Terminals are real (pty)."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cc_git.cli.tables import Fields, Heading, Prose, Table, Toned, cell_width, plain
from tests.unit import frame_commands

SCRIPT = Path(frame_commands.__file__)
_SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")


def at_terminal(*words: str, types: str = "", **variables: str) -> tuple[int, str]:
    """Run the program with a terminal on all three streams: exit code and everything it showed."""
    controller, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **variables}
    process = subprocess.Popen(
        [sys.executable, SCRIPT, *words], stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    )
    os.close(terminal)
    if types:
        os.write(controller, types.encode())
    shown = b""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            chunk = os.read(controller, 65536)
        except OSError:  # Linux's way to say that the other end was closed
            break
        if not chunk:
            break
        shown += chunk
    os.close(controller)
    return process.wait(timeout=30), shown.decode().replace("\r\n", "\n")


def test_a_plain_table_has_aligned_columns_whatever_is_in_it() -> None:
    table = Table(
        ("id", "title", "state"), (("dec…1", "日本\nlong", Toned("ok", "good")), ("d", "é", "x")), empty="none"
    )
    assert plain(table) == ("id     title      state\ndec…1  日本 long  ok\nd      é          x\n")


def test_a_table_without_rows_is_a_sentence() -> None:
    assert plain(Table(("id",), (), empty="no records yet")) == "no records yet\n"


def test_a_row_of_the_wrong_length_is_not_shown_as_if_it_were_right() -> None:
    with pytest.raises((ValueError, IndexError)):
        plain(Table(("a", "b"), (("one",),), empty=""))


def test_values_of_several_lines_continue_below_their_first() -> None:
    assert plain(Fields((("a", "one\ntwo"), ("long", "x")))) == "a     one\n      two\nlong  x\n"


def test_every_block_passes_the_sanitiser() -> None:
    bad = "a\x1b[2J\u202eb"
    blocks = (
        Heading(bad),
        Prose(bad),
        Fields(((bad, bad), (bad, Toned(bad, "bad")))),
        Table((bad,), ((bad,), (Toned(bad, "dim"),)), empty=""),
        Table((), (), empty=bad),
    )
    shown = "".join(plain(block) for block in blocks)
    assert shown.count(r"a\u{1b}[2J\u{202e}b") == 10
    assert "\x1b" not in shown and "\u202e" not in shown


def test_a_packet_is_shown_byte_for_byte_with_one_line_feed_at_its_end() -> None:
    packet = "# Packet\n\n```text\n[not markup] :smile: " + "long " * 100 + "\n```\n"
    assert plain(Prose(packet)) == packet


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("❤️", 1)])
def test_cells_are_as_wide_as_a_terminal_shows_them(text: str, width: int) -> None:
    assert cell_width(text) == width


def test_a_terminal_gets_colour_and_no_markup_from_data() -> None:
    code, shown = at_terminal("echo", "[b]x[/b] :smile: 3.1 \x1b[31m", "--quiet", COLUMNS="200")
    assert code == 0
    assert _SEQUENCE.search(shown), "the frame's own colour"
    text = "[b]x[/b] :smile: 3.1 \\u{1b}[31m"
    assert _SEQUENCE.sub("", shown).count(text) == 7, "heading, prose, two fields, two cells and a sentence"
    assert "\x1b" not in _SEQUENCE.sub("", shown)
    assert "\x1b[31m" not in shown.replace("\x1b[1;31m", "")


def test_no_color_leaves_words_without_colour() -> None:
    _, shown = at_terminal("echo", "text", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", shown)


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_dumb_terminal_gets_what_a_pipe_gets(term: str) -> None:
    piped = subprocess.run(
        [sys.executable, SCRIPT, "echo", "text"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    _, shown = at_terminal("echo", "text", "--quiet", TERM=term)
    assert shown == piped.stdout


def test_rich_is_not_loaded_for_a_pipe_or_for_an_error() -> None:
    program = f"import sys; sys.argv[0]={str(SCRIPT)!r}; from tests.unit import frame_commands as f;" + (
        "from cc_git.cli.main import main; code = main(sys.argv[1:], verbs=f.VERBS, groups=f.GROUPS);"
        "print('rich' in sys.modules, code)"
    )
    for words, code in ((("echo", "text"), 0), (("stop", "refused"), 3)):
        done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True)
        assert done.stdout.splitlines()[-1] == f"False {code}"


def test_a_narrow_terminal_gets_rows_one_below_the_other_and_ids_whole() -> None:
    _, shown = at_terminal("echo", "text", "--quiet", COLUMNS="30")
    assert "id    dec…k3f9q2\ntext  text\n\nid    text\ntext  red\n" in _SEQUENCE.sub("", shown)


def test_a_terminals_width_is_kept_and_ids_and_text_are_whole() -> None:
    _, shown = at_terminal("table", "word " * 60, COLUMNS="70", NO_COLOR="1")
    clean = _SEQUENCE.sub("", shown)
    assert max(map(len, clean.splitlines())) <= 70
    assert "\ndec…k3f9q2   word word " in clean and "\ndec…77w0aa   short " in clean
    assert clean.count("word") == 120, "nothing is cut from the fields or from the table"


def test_a_long_name_or_id_does_not_push_the_rest_off_the_screen() -> None:
    _, shown = at_terminal("echo", "w" * 300, "--quiet", COLUMNS="70", NO_COLOR="1")
    clean = _SEQUENCE.sub("", shown)
    assert re.search(r"\bvalue\b", clean) and re.search(r"\bred\b", clean)
    assert clean.count("w") == 300 * 7, "heading, prose, fields, table and sentence"


def test_errors_are_coloured_on_a_terminal_alone() -> None:
    assert "\x1b[1;31mError:\x1b[0m policy says no\n" in at_terminal("stop", "refused")[1]
    assert "Error: policy says no\n" in at_terminal("stop", "refused", NO_COLOR="1")[1]


@pytest.mark.parametrize(
    ("typed", "answer"), [("y\n", "confirmed"), ("N\n", "declined"), ("\n", "declined"), ("what\ny\n", "confirmed")]
)
def test_a_person_at_a_terminal_is_asked_and_answers(typed: str, answer: str) -> None:
    code, shown = at_terminal("ask", types=typed)
    assert code == 0
    assert "May \\u{1b}[8mhidden\\u{1b}[0m permission stand? [y = yes, N = no]" in shown
    assert shown.rstrip().endswith(answer)


def test_a_question_without_an_answer_is_refused() -> None:
    code, shown = at_terminal("ask", types="\x04")
    assert code == 3
    assert "the question was not answered" in shown


@pytest.mark.parametrize(
    ("variables", "words"),
    [({"CLAUDECODE": "1"}, ()), ({"CC_GIT_ACTOR": "agent:mine"}, ()), ({}, ("--actor", "agent:mine"))],
)
def test_an_agent_at_a_terminal_is_not_asked(variables: dict[str, str], words: tuple[str, ...]) -> None:
    code, shown = at_terminal("ask", *words, types="y\n", **variables)
    assert code == 3
    assert "only a person at a terminal can answer this" in shown
    assert "confirmed" not in shown


def test_an_agent_that_takes_a_persons_name_is_refused() -> None:
    code, shown = at_terminal("ask", "--actor", "human:ana", types="y\n", CLAUDECODE="1")
    assert code == 3
    assert "an agent cannot act as human:ana" in shown


def test_without_a_terminal_nobody_is_asked() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "ask"], input="y\n", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "")
    assert "Caused by: standard input or output is no terminal\n" in done.stderr
    assert "Hint: " in done.stderr
