"""What a hypothesis weighs: evidence by who stands behind it, once each, also what was merged into it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.governance.hypotheses import WEIGHTS, Evidence, Weighed, measure, strength, weigh
from cc_git.governance.links import Edge
from cc_git.model.authority import Authority
from cc_git.model.episode import Episode
from cc_git.model.ids import new_id
from cc_git.model.kinds import Belief, Hypothesis
from cc_git.model.record import Record
from cc_git.model.spine import Source
from cc_git.model.verdict import Verdict

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def an_id(prefix: str, number: int) -> str:
    return new_id(prefix, NOW, number.to_bytes(10, "big"))


def a_record(number: int, payload: Hypothesis | Belief, **more: object) -> Record:
    prefix = "hyp" if isinstance(payload, Hypothesis) else "blf"
    if prefix == "hyp":
        more.setdefault("expires_at", datetime(2027, 1, 1, tzinfo=UTC))
    return Record(
        id=an_id(prefix, number), kind=payload.KIND, title=f"Number {number}", authority="agent-explicit",
        actor="agent:x", recorded_at=NOW, payload=payload, **more,
    )  # fmt: skip


def an_episode(number: int, authority: Authority = "verified-observation", kind: str = "observation") -> Episode:
    source = Source(kind="tool", locator="run/1")
    return Episode(
        id=an_id("ep", number), type=kind, content="Holes", actor="agent:x", authority=authority, source=source,
        recorded_at=NOW,
    )  # fmt: skip


def weighed(values: list[Record | Episode], edges: set[Edge], ended: tuple[str, ...] = ()) -> dict[str, Weighed]:
    verdicts = {
        v.id: Verdict("revoked" if v.id in ended else "current", v.authority) for v in values if isinstance(v, Record)
    }
    return {one.id: one for one in weigh({v.id: v for v in values}, edges, verdicts)}


ROT, WORMS = a_record(1, Hypothesis(impact="high", cost_to_validate="0.2"), confidence=0.7), a_record(2, Hypothesis())
HOLES, DRY = an_episode(3), an_episode(4, "agent-explicit")


def test_the_score_is_the_sum_of_its_factors() -> None:
    one = weighed([ROT, HOLES], {Edge(HOLES.id, "supports", ROT.id)})[ROT.id]
    assert one.factors == {"likely": 700, "impact": 800, "evidence": 500, "cost": 200}
    assert one.score == (35 * 700 + 35 * 800 + 20 * 500 - 10 * 200) // 100 == 605
    assert one.unsaid == () and sum(WEIGHTS.values()) == 80


def test_what_nobody_said_is_neutral_and_named() -> None:
    one = weighed([WORMS], set())[WORMS.id]
    assert one.unsaid == ("likely", "impact", "cost")
    assert one.factors == {"likely": 500, "impact": 500, "evidence": 0, "cost": 500}


def test_the_best_is_first_and_what_ended_is_not_there() -> None:
    found = weighed([ROT, WORMS, HOLES], {Edge(HOLES.id, "supports", WORMS.id)})
    assert list(found) == [ROT.id, WORMS.id]
    assert list(weighed([ROT, WORMS], set(), ended=(ROT.id,))) == [WORMS.id]


def test_what_contradicts_makes_it_weaker() -> None:
    links = {Edge(HOLES.id, "supports", ROT.id)}
    alone = weighed([ROT, HOLES, DRY], links)[ROT.id].factors["evidence"]
    both = weighed([ROT, HOLES, DRY], {*links, Edge(DRY.id, "contradicts", ROT.id)})[ROT.id].factors["evidence"]
    assert (alone, both) == (500, 400)


def test_a_belief_that_was_revoked_supports_nothing() -> None:
    belief = a_record(5, Belief())
    links = {Edge(belief.id, "supports", ROT.id)}
    assert weighed([ROT, belief], links)[ROT.id].evidence == (Evidence(belief.id, True, 500, ROT.id),)
    assert weighed([ROT, belief], links, ended=(belief.id,))[ROT.id].evidence == ()


@pytest.mark.parametrize(
    ("episode", "counts"),
    [
        (an_episode(6), True),
        (an_episode(6, "user-explicit", "assertion"), False),
        (an_episode(6, "document", "assertion"), True),
        (an_episode(6, "agent-explicit", "outcome"), True),
    ],
)
def test_what_it_was_taken_from_is_evidence_where_it_was_observed(episode: Episode, counts: bool) -> None:
    one = weighed([ROT, episode], {Edge(ROT.id, "sources", episode.id)})[ROT.id]
    assert bool(one.evidence) is counts


def test_what_was_merged_brings_its_evidence_along_once() -> None:
    links = {
        Edge(HOLES.id, "supports", ROT.id),
        Edge(HOLES.id, "supports", WORMS.id),
        Edge(DRY.id, "supports", WORMS.id),
        Edge(WORMS.id, "merged-into", ROT.id),
    }
    found = weighed([ROT, WORMS, HOLES, DRY], links)
    assert list(found) == [ROT.id] and found[ROT.id].merged == (WORMS.id,)
    assert sorted(one.id for one in found[ROT.id].evidence) == sorted([HOLES.id, DRY.id])
    assert found[ROT.id].factors["evidence"] == 1000 * 1500 // 2500


def test_what_was_merged_into_something_that_ended_stands_alone_again() -> None:
    links = {Edge(WORMS.id, "merged-into", ROT.id)}
    assert list(weighed([ROT, WORMS], links, ended=(ROT.id,))) == [WORMS.id]


def test_a_circle_of_merges_ends_and_hides_none() -> None:
    links = {Edge(WORMS.id, "merged-into", ROT.id), Edge(ROT.id, "merged-into", WORMS.id)}
    assert set(weighed([ROT, WORMS], links)) == {ROT.id, WORMS.id}


def test_borrowed_evidence_counts_for_both() -> None:
    links = {Edge(HOLES.id, "supports", ROT.id), Edge(WORMS.id, "borrows-evidence-from", ROT.id)}
    found = weighed([ROT, WORMS, HOLES], links)
    assert [one.evidence[0].id for one in found.values()] == [HOLES.id, HOLES.id]
    assert found[WORMS.id].evidence[0].of == ROT.id


@pytest.mark.parametrize(
    ("text", "thousandths"),
    [("0.8", 800), ("1", 1000), ("0", 0), (".25 of it", 250), ("80%", 800), ("100 %", 1000), ("High: ships stop", 800),
     ("low", 200), ("critical", 1000), ("two weeks", None), ("1.5", None), ("10 days", None), ("", None), (None, None),
     ("highest", None), ("0.8%", None)],
)  # fmt: skip
def test_how_prose_is_measured(text: str | None, thousandths: int | None) -> None:
    assert measure(text) == thousandths


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.integers(0, 1000))))
def test_strength_is_never_certain_and_never_twice_the_same(found: list[tuple[int, bool, int]]) -> None:
    evidence = [Evidence(str(number), supports, weight, "h") for number, supports, weight in found]
    assert 0 <= strength(evidence) < 1000
    assert strength(evidence) == strength(evidence * 2)
