"""Patterns as sets: against every text of a small alphabet, and against `fnmatch`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cc_git.standing import patterns
from cc_git.standing.patterns import covers, literal_prefix, overlaps

_TEXTS = ["".join(chars) for length in range(6) for chars in product("ab-", repeat=length)]
_PIECES = st.sampled_from(
    [
        "a",
        "b",
        "-",
        "*",
        "?",
        "[ab]",
        "[!a]",
        "[a-b]",
        "[!ab]",
        "[b-a]",
        "[-a]",
        "[!-b]",
        "[",
        "]",
        "!",
        "[]a]",
        "[!]a]",
    ]
)
_PATTERNS = st.lists(_PIECES, max_size=4).map("".join)


def _matched(pattern: str) -> set[str]:
    return {text for text in [*_TEXTS, "]", "a]", "]a", "[", "[a", "!", "z", "zz"] if fnmatchcase(text, pattern)}


@settings(max_examples=1500)
@given(_PATTERNS, _PATTERNS)
@example("a*", "*b")
@example("[!]a]", "?")
def test_overlap_is_never_missed_and_cover_never_claimed(one: str, other: str) -> None:
    first, second = _matched(one), _matched(other)
    if first & second:
        assert overlaps(one, other)
    if first - second:
        assert not covers(other, one)
    assert overlaps(one, other) == overlaps(other, one)
    if covers(other, one) and first:
        assert overlaps(one, other)
    # what `permissions` looks denies up by
    prefixes = (literal_prefix(one), literal_prefix(other))
    if overlaps(one, other):
        assert prefixes[0].startswith(prefixes[1]) or prefixes[1].startswith(prefixes[0])


@settings(max_examples=500)
@given(st.text("ab-", max_size=4), _PATTERNS)
def test_a_literal_is_a_set_of_one_text(text: str, pattern: str) -> None:
    assert overlaps(text, pattern) == covers(pattern, text) == fnmatchcase(text, pattern)


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("a*", "*b", True),
        ("a?c", "ab*", True),
        ("a?", "?b?", False),
        ("[a-c]x", "[c-e]x", True),
        ("[a-c]x", "[d-e]x", False),
        ("[!a]", "a", False),
        ("[!a]", "[!b]", True),
        ("*", "", True),
        ("src/*", "src/a/b", True),
        ("[", "[", True),
        ("[b-a]", "*", True),
        ("[]]", "]", True),
        ("é*", "[à-ü]x", True),
        ("A", "a", False),
    ],
)
def test_whether_two_patterns_overlap(one: str, other: str, answer: bool) -> None:
    assert (overlaps(one, other), overlaps(other, one)) == (answer, answer)


@pytest.mark.parametrize(
    ("wide", "narrow", "answer"),
    [
        ("*", "a*", True),
        ("a*", "*", False),
        ("a*", "ab*c", True),
        ("*b*", "a*b*c", True),
        ("?*", "*", False),
        ("?*", "a*", True),
        ("[a-c]*", "b*", True),
        ("[!a]*", "b?", True),
        ("[!a]*", "?", False),
        ("a*b", "a*ab", True),
        ("*a?", "*a", False),
        ("**", "*", True),
        ("[ab]", "[a-b]", True),
    ],
)
def test_whether_one_pattern_covers_another(wide: str, narrow: str, answer: bool) -> None:
    assert covers(wide, narrow) == answer


def test_a_pattern_made_to_be_slow_is_answered_in_bounded_work() -> None:
    # telling exactly would take a million states
    assert covers("*a" + "?" * 20, "*a" + "[ab]" * 20)


def test_what_takes_too_long_to_tell_counts_as_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not covers.__wrapped__("a*", "[ab]*")
    monkeypatch.setattr(patterns, "_WORK_LIMIT", 0)
    assert covers.__wrapped__("a*", "[ab]*")
