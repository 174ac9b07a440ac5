"""Ids as people type them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.model.id_part import IdPart
from cc_git.model.ids import PREFIXES, new_id, short

WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)
ONE = new_id("dec", WHEN, bytes(range(10)))
TWO = new_id("dec", WHEN, bytes(range(10, 20)))
GOAL = new_id("goal", WHEN, bytes(range(10)))
ALL = (TWO, GOAL, ONE)


@given(st.sampled_from(PREFIXES), st.binary(min_size=10, max_size=10), st.integers(1, 26), st.integers(6, 30))
def test_every_beginning_every_end_and_the_short_form_name_the_id(
    prefix: str, entropy: bytes, end: int, beginning: int
) -> None:
    identifier = new_id(prefix, WHEN, entropy)
    for typed in (identifier, short(identifier), identifier[-end:], identifier[:beginning], identifier.upper()):
        assert IdPart(typed).matches(identifier), typed


def test_letters_that_look_like_digits_are_read_as_those() -> None:
    identifier = new_id("goal", WHEN, b"\x08\x40" * 5)
    end = identifier[-8:]
    assert "1" in end or "0" in end
    assert IdPart(end.replace("1", "l").replace("0", "O")).matches(identifier)


def test_a_part_names_all_that_it_fits_in_one_order() -> None:
    assert IdPart("dec_").among(ALL) == tuple(sorted((ONE, TWO)))
    assert IdPart(ONE[-6:]).among(ALL) == (ONE, GOAL), "two kinds may end alike"
    assert IdPart(short(ONE)).among(ALL) == (ONE,)
    assert IdPart("dec..." + ONE[-4:]).among(ALL) == (ONE,)
    assert IdPart("prc").among(ALL) == ()


def test_a_whole_id_names_itself_alone() -> None:
    assert IdPart(ONE).among(ALL) == (ONE,)
    assert IdPart(ONE).among((TWO,)) == ()
    receipt, procedure = (new_id(prefix, WHEN, bytes(10)) for prefix in ("rc", "prc"))
    assert IdPart(receipt).among((procedure, receipt)) == (receipt,), "one prefix is the end of another"


def test_a_whole_id_is_looked_up_and_not_compared_with_each() -> None:
    class Many(frozenset[str]):
        def __iter__(self) -> Iterator[str]:
            raise AssertionError("gone through one by one")

    assert IdPart(ONE.upper()).among(Many(ALL)) == (ONE,)
    assert IdPart(ONE).among(Many((TWO,))) == ()


@pytest.mark.parametrize("text", ["", " ", "dec-1", "a…b…c", "../x", "dec_é", "a\x1b"])
def test_what_can_be_part_of_no_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither the beginning nor the end"):
        IdPart(text)
