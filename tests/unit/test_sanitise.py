"""The one sanitiser: nothing invisible acts, nothing visible is lost, and the file's text comes back from JSON."""

from __future__ import annotations

import json
import unicodedata
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cc_git.model.sanitise import (
    escape_inline_markdown,
    escape_xml,
    fence_for,
    fenced,
    harmless_json,
    in_one_line,
    visible,
)

FORBIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
SELECTORS_AND_FILLERS = {
    *map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0000, 0xE1000)), *map(chr, range(0x180B, 0x1810)),
    "\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u3164", "\uffa0", "\ufdd0", "\uffff", "\U0010ffff",
}  # fmt: skip
IN_EMOJI = {"\u200d", "\ufe0e", "\ufe0f"}

hostile = st.text(
    st.one_of(
        st.sampled_from(sorted(SELECTORS_AND_FILLERS | IN_EMOJI)),
        st.sampled_from("\x00\x1b\x07\x9b\r\n\t\u202e\u2066\u200b\u2028\U000e0041\ud800<!-[](){}\\`~*_&;:/#1"),
        st.sampled_from("👨👩❤☺🏽🏳⚧1#*\u20e3aé字"),
        st.characters(exclude_categories=()),
    )
)
PIECES = [
    "![", "[", "]", "(", ")", "http://x", "//x", "<img src=x>", "<IMG", "<!--", "-->", "`", "```", "~~~", "\n", " ",
    "[a]: http://x\n", "&#104;ttp://x", "**", "_", "a", "# ", "- ", "1. ", "| ", "$x$", "&lt;", "\\",
]  # fmt: skip
markdown = st.lists(st.sampled_from(PIECES)).map("".join)


def _acts_unseen(text: str, allowed: str) -> list[str]:
    return [
        f"U+{ord(char):04X} at {at}"
        for at, char in enumerate(text)
        if char not in allowed
        and (unicodedata.category(char) in FORBIDDEN or char in SELECTORS_AND_FILLERS)
        and not (char in IN_EMOJI and at and _in_emoji(text, at))
    ]


def _in_emoji(text: str, at: int) -> bool:
    """A selector behind a symbol or a keycap's digit; a joiner between two symbols (or their modifiers)."""
    before, after = text[at - 1], text[at + 1 : at + 2]
    if text[at] == "\u200d":
        return _symbol(before) and _symbol(after)
    return _symbol(before) or (before in "0123456789#*" and after == "\u20e3")


def _symbol(char: str) -> bool:
    # unassigned characters of the emoji blocks are emoji of a later Unicode
    return char in IN_EMOJI or (
        char != "" and (unicodedata.category(char) in {"So", "Sm", "Sk", "Po", "Cn", "Ps", "Pe", "Pd"} or char in "ℹⓂ")
    )


def test_every_format_character_this_python_knows_is_replaced() -> None:
    every = [chr(n) for n in range(0x110000) if unicodedata.category(chr(n)) in FORBIDDEN]
    assert [char for char in every if visible(char, multiline=False) == char] == []


@given(hostile)
@example("👨\u200d")
@example("x\ufe0f")
@example("\u200d👩")
@example("1\ufe0f")
def test_nothing_that_acts_unseen_is_left_on_one_line(text: str) -> None:
    assert _acts_unseen(visible(text, multiline=False), allowed="") == []


@given(hostile)
def test_only_line_feed_and_tab_are_left_on_many_lines(text: str) -> None:
    assert _acts_unseen(visible(text, multiline=True), allowed="\n\t") == []


@given(st.one_of(hostile, markdown), st.booleans())
@example("\r\r\n", True)
@example("![](<IMG", False)
def test_sanitising_twice_changes_nothing(text: str, multiline: bool) -> None:
    once = visible(text, multiline=multiline)
    assert visible(once, multiline=multiline) == once
    assert visible(visible(text, multiline=False), multiline=True) == visible(text, multiline=False)


@given(st.one_of(hostile, markdown), st.integers(1, 30))
def test_a_shortened_line_is_short_and_clean(text: str, limit: int) -> None:
    line = in_one_line(text, limit)
    assert len(line) <= limit
    assert _acts_unseen(line, allowed="") == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]0;owned\x07", r"\u{1b}[2J\u{1b}]0;owned\u{7}"),
        ("\x9b31m", r"\u{9b}31m"),
        ("user\u202egpj.exe", r"user\u{202e}gpj.exe"),
        ("pay\u200bpal", r"pay\u{200b}pal"),
        ("hi\U000e0068\U000e0069", r"hi\u{e0068}\u{e0069}"),
        ("a\u2028b\u2029c", r"a\u{2028}b\u{2029}c"),
        ("a\x00b", r"a\u{0}b"),
        ("\udcff", r"\u{dcff}"),
        ("x\ufe0f\U000e0100", r"x\u{fe0f}\u{e0100}"),
        ("<!-- hidden -->", r"\u{3c}!-- hidden -->"),
        ("![x](https://evil.example/?q=1)", r"!\[x](https://evil.example/?q=1)"),
        ("![x](&#104;ttps://evil.example)", r"!\[x](&#104;ttps://evil.example)"),
        ("![x][r]\n\n[r]: //evil.example", "!\\[x][r]\n\n[r]: //evil.example"),
        ("<IMG SRC=//evil.example>", r"\u{3c}IMG SRC=//evil.example>"),
        ("one\r\ntwo\rthree", "one\ntwo\\u{d}three"),
    ],
)  # fmt: skip
def test_what_acts_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text, multiline=True) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain words, naïve café, 日本語, العربية, हिन्दी",
        "👨‍👩‍👧‍👦 ❤️ 🏳️‍🌈 👩🏽‍🚀 1️⃣ ☺︎ 🇮🇹 ❤️‍🔥",
        "#![allow(dead_code)] vec![1, 2]; if (a < b) return <T>;",
        "![diagram](docs/picture.png)",
        "[bold]not rich markup[/bold]",
        "tabs\tand\nlines",
    ],
)
def test_harmless_text_and_emoji_stay_as_they_are(text: str) -> None:
    assert visible(text, multiline=True) == text


def test_white_space_is_folded_and_the_rest_shown_on_one_line() -> None:
    assert in_one_line("  first\n\n\tsecond \x1b third ") == r"first second \u{1b} third"
    assert in_one_line("abcdefgh", 5) == "abcd…"
    assert in_one_line("a👨\u200d👩b", 4) == "a👨…"


@given(st.one_of(hostile, markdown))
@example("```\ninner\n```")
@example("~~~~~\n`````")
def test_nothing_inside_a_fence_closes_it(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(fenced(text, "text"))
    assert [token.type for token in tokens] == ["fence"]
    shown = visible(text, multiline=True)
    assert tokens[0].content == (shown if shown.endswith("\n") or not shown else shown + "\n")


def test_the_fence_is_longer_than_any_run_inside() -> None:
    assert fence_for("no fence") == "```"
    assert fence_for("a ```` b ~~~~~~ c") == "```````"


@given(st.one_of(hostile, markdown, st.text("_*`~[]<>|&#;:!()\\a1 .-+=$")))
@example("a_b_c __init__ 2 * 3")
@example("1) not a list")
def test_inline_escaping_renders_as_the_text_itself(text: str) -> None:
    expected = visible(text.strip(), multiline=False)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(escape_inline_markdown(text))
    if not expected:
        return
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    children = tokens[1].children or []
    assert {child.type for child in children} <= {"text", "text_special"}
    assert "".join(child.content for child in children).split() == expected.split()


@given(hostile)
def test_escaped_text_is_well_formed_xml_and_reads_back_as_shown(text: str) -> None:
    inside, attribute = escape_xml(text, multiline=True), escape_xml(text, multiline=False)
    root = ElementTree.fromstring(f'<r a="{attribute}">{inside}</r>')
    assert (root.text or "") == visible(text, multiline=True)
    assert root.attrib["a"] == visible(text, multiline=False)


@given(st.recursive(hostile, lambda inner: st.lists(inner) | st.dictionaries(hostile, inner)))
def test_harmless_json_reads_back_as_the_same_value(value: object) -> None:
    written = harmless_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(written) == value
    laid_out = harmless_json(json.dumps(value, ensure_ascii=False, indent=2))
    assert json.loads(laid_out) == value
    assert visible(laid_out, multiline=True) == laid_out
    assert _acts_unseen(written, allowed="") == []
    assert "<!--" not in written
