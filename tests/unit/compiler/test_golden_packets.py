"""Whole packets are the same bytes as those kept; `golden_packets` says how to renew them."""

from __future__ import annotations

import pytest

from tests.unit.compiler.golden_packets import CASES, FOLDER


@pytest.mark.parametrize("name", CASES)
def test_a_packet_is_the_same_bytes_as_the_one_kept(name: str) -> None:
    assert CASES[name]().encode() == (FOLDER / name).read_bytes()


def test_every_kept_packet_is_compared() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(CASES)
