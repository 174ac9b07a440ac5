"""How hypotheses hang together as values: circles are found, whatever words they are made of, and soon."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from cc_git.governance.lineage import WORDS, Lineage, Link, link_between

NODES = "abcdef"


def links(*said: str) -> Lineage:
    """`a merged-into b`, each said by itself."""
    return Lineage(tuple(Link(*said_of(text), text) for text in said))


def said_of(text: str) -> tuple[str, str, str]:
    one, word, other = text.split()
    return one, word, other


def told(circle: tuple[Link, ...]) -> list[str]:
    return [one.said_by for one in circle]


def test_a_circle_may_be_of_several_words_and_is_named_in_its_order() -> None:
    found = links("a merged-into b", "c supersedes b", "c merged-into a", "b competes-with c").circles
    assert [told(circle) for circle in found] == [["a merged-into b", "c supersedes b", "c merged-into a"]]


def test_one_that_another_came_from_and_later_went_into_is_no_circle() -> None:
    assert links("b derived-from a", "a merged-into b").circles == ()
    assert links("a borrows-evidence-from b", "b borrows-evidence-from a", "a competes-with b").circles == ()


def test_a_circle_is_told_once_although_it_is_one_in_both_orders() -> None:
    (circle,) = links("a supersedes b", "b supersedes a").circles
    assert sorted(told(circle)) == ["a supersedes b", "b supersedes a"]


def test_inside_a_circle_nothing_goes_into_anything_and_outside_it_does() -> None:
    found = links("a merged-into b", "b merged-into a", "c merged-into a")
    assert found.into("a") == found.into("b") == ()
    assert told(found.into("c")) == ["c merged-into a"]


@given(said=st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(WORDS), st.sampled_from(NODES)), max_size=8))
def test_a_link_that_would_close_a_circle_is_seen_before_it_does(said: list[tuple[str, str, str]]) -> None:
    kept: list[Link] = []
    for one, word, other in said:
        new = Link(one, word, other, "")
        circle = Lineage(tuple(kept)).circle_with((new,))
        assert bool(circle) == bool(Lineage((*kept, new)).circles)
        assert not circle or new in circle
        kept += [] if circle else [new]
    assert Lineage(tuple(kept)).circles == ()


def test_many_circles_and_a_long_one_are_found_soon() -> None:
    many = [link for n in range(3000) for link in (f"x{n} merged-into y{n}", f"y{n} merged-into x{n}")]
    long = [f"z{n} derived-from z{(n + 1) % 3000}" for n in range(3000)]
    wide = [link for n in range(1, 3000) for link in (f"w0 merged-into w{n}", f"w{n} merged-into w0")]
    began = time.process_time()
    found = links(*many, *long, *wide).circles
    assert len(found) == 3002 and max(map(len, found)) == 3000
    assert time.process_time() - began < 10


def test_only_words_of_hypotheses_link_them() -> None:
    one, other = "hyp_01kb7z9n000000000000000001", "hyp_01kb7z9n000000000000000002"
    assert link_between(one, "superseded-by", other) == Link(other, "supersedes", one, "")
    assert link_between(one, "supports", other) is None
    assert link_between(one, "merged-into", "blf_01kb7z9n000000000000000002") is None
