"""The order of eligible records."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from cc_git.compiler.cards import millis
from cc_git.compiler.ranking import Question, Ranked, Ranking, touches
from cc_git.compiler.terms import terms
from tests.unit.compiler.world import NOW, World

DAY = timedelta(days=1)


def order(world: World, task: str = "", *, changed: tuple[str, ...] = (), without: int = 0) -> list[Ranked]:
    """Everything ranked; `without` leaves the last so many cards out of the eligible."""
    pool = world.pool()
    cards = pool.cards()
    eligible, others = cards[: len(cards) - without], [card.id for card in cards[len(cards) - without :]]
    question = Question((tuple(terms(task)),) if task else (), frozenset(changed))
    ranking = Ranking(eligible, others, pool.frequencies(question.terms), question, millis(NOW))
    best = ranking.best(1000, ())
    assert [ranking.of(entry.card) for entry in best] == best
    return best


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    world = World()
    for n in range(9):
        world.record("belief", f"index note {n}")
    rare = world.record("belief", "parser note")
    assert order(world, "index parser")[0].card.id == rare


def test_a_word_of_the_title_tells_more_than_one_of_the_text() -> None:
    world = World()
    world.record("belief", "note about things", content="parser other words")
    title = world.record("belief", "parser about things", content="note other words", recorded_at=NOW - 900 * DAY)
    world.record("belief", "filler", content="filler")
    assert order(world, "parser")[0].card.id == title


def test_what_may_not_be_seen_changes_no_score() -> None:
    world = World()
    for n in range(6):
        world.record("belief", f"index note {n}", content="word " * n)
    alone = [(entry.relevance, entry.utility) for entry in order(world, "index note")]
    for n in range(5):
        world.record("procedure", f"index index note {n}")
    assert [(entry.relevance, entry.utility) for entry in order(world, "index note", without=5)] == alone


def test_the_newer_of_equals_comes_first_and_the_clock_of_the_future_gives_no_lead() -> None:
    world = World()
    old = world.record("belief", "A note", recorded_at=NOW - 100 * DAY)
    new = world.record("belief", "A note", recorded_at=NOW)
    future = world.record("belief", "A note", recorded_at=NOW + 9000 * DAY)
    best = order(world)
    assert [entry.card.id for entry in best] == [new, future, old]
    assert best[0].utility == best[1].utility


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"authority": "user-explicit"}, {"authority": "agent-inference"}),
        ({"verdict": {"attested": True}}, {}),
        ({}, {"verdict": {"flags": frozenset({"stale"})}}),
        ({}, {"verdict": {"flags": frozenset({"disputed"})}}),
        ({"content": "short"}, {"content": "much longer than the other one"}),
    ],
)
def test_what_speaks_for_a_record_decides_between_equals(better: dict[str, Any], worse: dict[str, Any]) -> None:
    for first, second in ((better, worse), (worse, better)):
        world = World()
        ids = [world.record("belief", "A note", recorded_at=NOW, **fields) for fields in (first, second)]
        assert order(world)[0].card.id == ids[0 if first is better else 1]


def test_goals_of_a_higher_priority_come_first() -> None:
    world = World()
    ids = [world.record("goal", "A goal", recorded_at=NOW, priority=n) for n in (3, 1, 9, 2)]
    assert [entry.card.id for entry in order(world)] == [ids[1], ids[3], ids[0], ids[2]]


def test_full_ties_go_by_kind_then_id() -> None:
    world = World()
    ids = [world.record(kind, "A note", recorded_at=NOW) for kind in ("procedure", "decision", "decision")]
    assert [entry.card.id for entry in order(world)] == [ids[1], ids[2], ids[0]]


def test_relevance_is_the_best_of_several_queries() -> None:
    world = World()
    one, two = world.record("belief", "alpha"), world.record("belief", "beta")
    pool = world.pool()
    question = Question((("alpha",), ("beta",)), frozenset())
    ranking = Ranking(pool.cards(), (), pool.frequencies(question.terms), question, millis(NOW))
    assert {entry.card.id: entry.relevance for entry in ranking.best(9, ())} == {one: 1000, two: 1000}


def test_the_best_are_the_same_however_few_are_asked_for() -> None:
    world = World()
    for n in range(40):
        world.record("belief", f"index {'note ' * (n % 7)}x", content="word " * (n % 5))
    pool = world.pool()
    question = Question((("index", "note"),), frozenset())
    ranking = Ranking(pool.cards(), (), pool.frequencies(question.terms), question, millis(NOW))
    whole = ranking.best(40, ())
    for number in range(41):
        assert ranking.best(number, ()) == whole[:number]
    without = {whole[0].card.id, whole[5].card.id}
    assert ranking.best(10, without) == [e for e in whole if e.card.id not in without][:10]


@pytest.mark.parametrize(
    ("anchor", "changed", "expected"),
    [
        ("src/a.py", "src/a.py", True),
        ("src", "src/a.py", True),
        ("src/", "src/a.py", True),
        ("sr", "src/a.py", False),
        ("src/a.py", "src", False),
        ("src/a.py", "src/a.pyx", False),
    ],
)
def test_an_anchor_is_a_changed_file_or_a_folder_that_holds_one(anchor: str, changed: str, expected: bool) -> None:
    assert touches([anchor], {changed}) is expected
