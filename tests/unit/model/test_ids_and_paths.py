from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.codec.paths import id_at, path_of, private, public
from cc_git.model.ids import PREFIXES, is_id, new_id, short, time_of

times = st.datetimes(datetime(1970, 1, 1), datetime(9999, 1, 1)).map(
    lambda t: t.replace(microsecond=t.microsecond // 1000 * 1000, tzinfo=UTC)
)


@given(prefix=st.sampled_from(PREFIXES), when=times, entropy=st.binary(min_size=10, max_size=10))
def test_an_id_carries_its_time(prefix: str, when: datetime, entropy: bytes) -> None:
    identifier = new_id(prefix, when, entropy)
    assert is_id(identifier) and identifier == identifier.lower()
    assert time_of(identifier) == when


@given(
    when=times,
    later=st.integers(1, 10**9),
    a=st.binary(min_size=10, max_size=10),
    b=st.binary(min_size=10, max_size=10),
)
def test_ids_sort_by_time(when: datetime, later: int, a: bytes, b: bytes) -> None:
    try:
        after = when + timedelta(milliseconds=later)
    except OverflowError:
        return
    assert new_id("ep", when, a) < new_id("ep", after, b)


def test_an_id_gives_its_path_without_a_search() -> None:
    when, zero = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC), bytes(10)
    assert path_of(new_id("dec", when, zero)) == "records/decision/2026-11/dec_01m8qedb0r0000000000000000.toml"
    assert path_of(new_id("dec", when, zero), folders="day").startswith("records/decision/2026-11-30/")
    assert path_of(new_id("ep", when, zero)).startswith("episodes/2026-11-30/ep_")
    assert path_of(new_id("cp", when, zero)).endswith(".json")
    with pytest.raises(ValueError, match="no path"):
        path_of(new_id("rb", when, zero))


def test_a_private_path_is_the_same_folder_again() -> None:
    rel = path_of(new_id("ep", datetime(2026, 1, 1, tzinfo=UTC), bytes(10)))
    assert public(private(rel)) == rel and id_at(private(rel)) == id_at(rel)


def test_ids_are_shortened_to_their_end() -> None:
    assert short("dec_01m8qecm7r0000000000abcdef") == "dec…abcdef"


@pytest.mark.parametrize(
    "text",
    ["", "dec_", "dec_01M8QECM7R0000000000000000", "xx_01m8qecm7r0000000000000000", "dec_81m8qecm7r0000000000000000"],
)
def test_what_only_looks_like_an_id_is_none(text: str) -> None:
    assert not is_id(text)


def test_an_id_beyond_the_year_9999_is_none_and_stops_nothing() -> None:
    assert is_id("dec_76ez91zpzz" + "0" * 16)
    assert not is_id("dec_76ez91zq00" + "0" * 16)
    assert not is_id("dec_" + "7" * 26)
