"""What holds of every packet: within its budget, the named budget suffices, and the same inputs give the same bytes."""

from __future__ import annotations

import dataclasses
import random
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc_git.compiler.compile import Compiled, compile_whole
from cc_git.compiler.counter import CHARACTERS, ESTIMATE
from cc_git.compiler.render import render
from cc_git.model.packet import Packet, Unfit
from cc_git.model.request import Request
from tests.unit.compiler.world import NOW, World, identifier

WORDS = (
    "index",
    "rebuild",
    "fails",
    "merge",
    "漢字",
    "camelCase",
    "```",
    "\u202e",
    "<b>",
    "🚀",
    "x" * 40,
    "9" * 12,
    "—",
)
KINDS = ("decision", "belief", "permission", "commitment", "failure", "goal", "hypothesis", "identity", "procedure")
TITLES = tuple(word for word in WORDS if word != "\u202e")

texts = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
titles = st.lists(st.sampled_from(TITLES), min_size=1, max_size=2).map(" ".join)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    world = World()
    made: list[str] = []
    for _ in range(draw(st.integers(0, 14))):
        kind = draw(st.sampled_from(KINDS))
        fields: dict[str, Any] = {"content": draw(texts)}
        if kind == "permission":
            fields |= {"effect": draw(st.sampled_from(("allow", "deny"))), "target": "origin/" + draw(titles)}
        if kind == "commitment":
            fields["due"] = draw(st.one_of(st.none(), texts, st.just(NOW + timedelta(days=3))))
        standing = draw(st.sampled_from(("current", "current", "current", "conflicted", "superseded", "revoked")))
        verdict = {"by": (identifier("ru", 5),)} if standing == "revoked" else {}
        made.append(world.record(kind, draw(titles), standing=standing, verdict=verdict, **fields))
    for _ in range(draw(st.integers(0, 4))):
        sources = draw(texts)
        episode = world.episode(sources or "nothing")
        if made and draw(st.booleans()):
            world.record("belief", draw(titles), sources=(episode,))
    clashing = [i for i in made if world.verdicts[i].standing == "conflicted"]
    if len(clashing) > 1:
        world.clash(*clashing[:2])
    return world


requests = st.builds(
    Request,
    task=texts,
    queries=st.lists(texts, max_size=2).map(tuple),
    budget=st.one_of(st.none(), st.integers(1, 3000)),
    profile=st.sampled_from(("plain", "claude-hook", "codex-hook")),
    format=st.sampled_from(("markdown", "json", "xml")),
    episodes=st.integers(0, 4),
)


@settings(max_examples=60)
@given(worlds(), requests)
def test_the_output_is_within_its_budget_or_the_named_budget_suffices(world: World, request_: Request) -> None:
    outcome = compile_whole(world.inputs(), request_, NOW)
    counter = CHARACTERS if request_.profile == "claude-hook" else ESTIMATE
    if isinstance(outcome, Unfit):
        assert outcome.needed > outcome.budget
        most = request_.measure.most
        if most is not None and outcome.needed > most:
            return
        outcome = compile_whole(world.inputs(), request_.model_copy(update={"budget": outcome.needed}), NOW)
        assert isinstance(outcome, Compiled)
    assert counter.count(outcome.text) == outcome.packet.used <= outcome.packet.budget
    assert outcome.text == render(outcome.packet)


@settings(max_examples=30)
@given(worlds(), requests)
def test_the_named_budget_is_the_least_that_suffices(world: World, request_: Request) -> None:
    outcome = compile_whole(world.inputs(), request_, NOW)
    if isinstance(outcome, Unfit) and outcome.needed > 1:
        less = request_.model_copy(update={"budget": max(1, outcome.needed - 1)})
        assert isinstance(compile_whole(world.inputs(), less, NOW), Unfit)


@settings(max_examples=30)
@given(worlds(), requests, st.randoms(use_true_random=False))
def test_the_order_of_the_inputs_changes_no_byte(world: World, request_: Request, chance: random.Random) -> None:
    order = list(range(len(world.filed)))
    chance.shuffle(order)
    shuffled = World()
    shuffled.filed, shuffled.clashes = world.filed, world.clashes
    shuffled.verdicts = dict(chance.sample(list(world.verdicts.items()), len(world.verdicts)))
    one = compile_whole(world.inputs(), request_, NOW)
    two = compile_whole(shuffled.inputs(order=order), request_, NOW)
    assert _bytes(one) == _bytes(two)


def _bytes(outcome: Compiled | Unfit) -> object:
    return outcome if isinstance(outcome, Unfit) else (outcome.text, outcome.packet, sorted(outcome.verdicts.items()))


@settings(max_examples=30)
@given(worlds(), requests)
def test_the_json_form_read_back_is_the_packet(world: World, request_: Request) -> None:
    outcome = compile_whole(world.inputs(), request_.model_copy(update={"format": "json"}), NOW)
    if isinstance(outcome, Compiled):
        assert Packet.model_validate_json(outcome.text) == outcome.packet


@settings(max_examples=30)
@given(worlds(), requests)
def test_every_record_in_reach_is_shown_or_has_a_reason(world: World, request_: Request) -> None:
    outcome = compile_whole(world.inputs(), request_, NOW)
    if isinstance(outcome, Unfit):
        return
    shown = set(outcome.packet.selected)
    cards = {card.id for card in world.pool().cards()}
    assert cards <= shown | outcome.verdicts.keys()
    assert not shown & outcome.verdicts.keys()
    left = sum(row.number for row in outcome.packet.omitted)
    assert left == len(outcome.verdicts) + sum(row.number for row in world.pool().excluded())


class Lumpy:
    """A counter that is not additive over lines: each text costs seven beside its words."""

    name = "lumpy/1"

    def count(self, text: str) -> int:
        return len(text.split()) + len(text) // 7 + (50 if text.count("\n") > 20 else 0)


@settings(max_examples=25)
@given(worlds(), st.integers(100, 1500))
def test_a_counter_that_is_not_additive_is_kept_to_as_well(world: World, budget: int) -> None:
    inputs = dataclasses.replace(world.inputs(), tokens=Lumpy())
    outcome = compile_whole(inputs, Request(task="index", budget=budget), NOW)
    if isinstance(outcome, Compiled):
        assert Lumpy().count(outcome.text) == outcome.packet.used <= budget


@pytest.mark.parametrize(("profile", "budget", "expected"), [
    ("plain", None, 4000), ("mcp", None, 4000), ("plain", 50_000, 50_000), ("claude-hook", None, 9000),
    ("claude-hook", 20_000, 9000), ("claude-hook", 3000, 3000), ("codex-hook", None, 2500), ("codex-hook", 9000, 2500),
])  # fmt: skip
def test_each_profile_keeps_to_what_its_host_accepts(profile: Any, budget: int | None, expected: int) -> None:
    world = World()
    for n in range(80):
        world.record("decision", f"Decision {n}", content=f"Because of reason {n}. " * 20)
    outcome = compile_whole(world.inputs(), Request(profile=profile, budget=budget), NOW)
    assert isinstance(outcome, Compiled)
    assert outcome.packet.budget == expected
    if expected < 50_000:
        assert expected * 0.8 < outcome.packet.used <= expected
    if profile == "claude-hook":
        assert len(outcome.text) == outcome.packet.used
