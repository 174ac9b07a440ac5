"""Counting what a packet uses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.compiler.counter import CHARACTERS, ESTIMATE


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a short word", 3),
        ("configuration", 2),
        ("internationalization", 4),
        ("1234567", 3),
        ("a\n\n\nb", 3),
        ("==== ====", 4),
        ("漢字", 2),
        ("🚀", 3),
        (" " * 160, 10),
    ],
)
def test_the_estimate_counts_pieces_and_adds_a_tenth(text: str, tokens: int) -> None:
    assert ESTIMATE.count(text) == (tokens * 11 + 9) // 10


@given(st.lists(st.text(), max_size=8))
def test_the_whole_counts_no_more_than_its_lines(lines: list[str]) -> None:
    pieces = [line.replace("\n", " ") + "\n" for line in lines]
    for counter in (ESTIMATE, CHARACTERS):
        assert counter.count("".join(pieces)) <= sum(map(counter.count, pieces))
