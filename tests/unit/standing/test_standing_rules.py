"""One property for each rule, on random worlds."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from hypothesis import given, settings

from cc_git.model.authority import LADDER, OUTSIDE_LADDER
from cc_git.model.policy import NEEDS
from cc_git.model.record import Record
from cc_git.model.verdict import Standing, Verdict
from cc_git.standing import narrower_overrides, standing
from tests.unit.standing import worlds
from tests.unit.standing.builder import TODAY, World, day, document
from tests.unit.standing.worlds import Deed, Plot, chances, eligible, plots, usable

SOME = settings(max_examples=700)
ORDER: tuple[Standing, ...] = (
    "forgotten", "damaged", "rejected", "proposed", "revoked", "completed", "released", "archived", "ended",
    "superseded", "expired", "not-yet-valid", "conflicted", "overruled", "current",
)  # fmt: skip
GATED = ("permission", "identity", "relationship")


def _held(world: World) -> dict[str, Record]:
    return {f.value.id: f.value for f in world.filed if isinstance(f.value, Record)}


def _judged(world: World) -> list[tuple[Record, Verdict]]:
    judged = world.judge().verdicts
    return [(record, judged[i]) for i, record in _held(world).items()]


@SOME
@given(plots())
def test_rule_1_what_is_gated_and_eligible_stands_by_an_attested_person(plot: Plot) -> None:
    for record, verdict in _judged(plot.world()):
        gated = verdict.sensitivity == "sensitive" or (record.kind in GATED and not record.restrains)
        if gated and verdict.eligible and not record.restrains:
            assert verdict.attested or any("ru_" in cause for cause in verdict.by)
            assert verdict.authority == "user-explicit"


@SOME
@given(plots())
def test_rule_1_without_an_attestation_nothing_that_was_not_already_there_stands(plot: Plot) -> None:
    world = plot.world()
    was = usable(world)
    for blob in sorted(world.accepted):
        world.accepted.discard(blob)
        assert usable(world) <= was


@SOME
@given(plots(("permission", "commitment")))
def test_rule_2_a_restraint_is_gone_only_by_an_attested_person_by_time_or_forgotten(plot: Plot) -> None:
    world = plot.world()
    judged = world.judge().verdicts
    for record, verdict in _judged(world):
        if record.restrains and record.authority != "dream" and not verdict.eligible:
            by_person = any(_is_attested(world, cause) for cause in verdict.by)
            timely = verdict.standing in ("forgotten", "not-yet-valid", "expired")
            assert by_person or timely, judged


@SOME
@given(plots())
def test_rule_3_what_is_effective_has_the_authority_of_its_kind(plot: Plot) -> None:
    for record, verdict in _judged(plot.world()):
        if verdict.standing not in ("forgotten", "damaged", "rejected", "proposed") and not record.restrains:
            external = record.kind == "belief" and getattr(record.payload, "basis", "") == "external"
            ladder = OUTSIDE_LADDER if external else LADDER
            if verdict.reason not in ("rulings contradict each other", "twin"):
                assert ladder.index(verdict.authority) >= ladder.index(NEEDS[record.kind])
                assert verdict.authority != "dream"


@SOME
@given(plots())
def test_rule_4_a_superseder_is_of_the_kind_covers_the_scope_and_has_begun(plot: Plot) -> None:
    world = plot.world()
    held = _held(world)
    for record, verdict in _judged(world):
        if verdict.standing == "superseded":
            for by in (held[i] for i in verdict.by):
                assert by.kind == record.kind and by.scope.covers(record.scope) and by.starts <= day(TODAY)
                assert record.id in _below(by, held)


@SOME
@given(plots(("permission",)))
def test_rule_5_a_revoke_ends_the_whole_line_of_a_grant(plot: Plot) -> None:
    world = plot.world()
    held = _held(world)
    for record, verdict in _judged(world):
        if verdict.standing == "revoked" and not record.restrains:
            for other, stands in _judged(world):
                names = {ruling for ruling in verdict.by if ruling not in other.after}
                if record.id in other.supersedes and names and not other.restrains and other.id in held:
                    assert not stands.eligible


@SOME
@given(plots())
def test_rule_6_a_conflict_has_two_sides_that_name_each_other(plot: Plot) -> None:
    judged = plot.world().judge()
    for identifier, verdict in judged.verdicts.items():
        if verdict.standing == "conflicted":
            assert any(identifier in clash.ids for clash in judged.clashes)
        for flag in ("conflicted", "overruled"):
            assert verdict.standing != flag or verdict.by
    for clash in judged.clashes:
        assert clash.ids == tuple(sorted(clash.ids))
        assert any(
            judged.verdicts[i].standing in ("conflicted", "overruled") for i in clash.ids if i in judged.verdicts
        )


@SOME
@given(plots())
def test_rule_6_one_kind_scope_and_subject_has_at_most_one_current_statement(plot: Plot) -> None:
    current: dict[object, Record] = {}
    for record, verdict in _judged(plot.world()):
        if verdict.standing == "current" and record.subject is not None and not record.restrains:
            key = (record.kind, record.scope, record.subject, getattr(record.payload, "effect", None))
            other = current.setdefault(key, record)
            assert (other.title, other.payload, other.ends) == (record.title, record.payload, record.ends)


@SOME
@given(plots(("permission",)))
def test_rule_6_no_usable_allow_lies_inside_a_deny(plot: Plot) -> None:
    world = plot.world()
    judged = world.judge().verdicts
    held = _held(world)
    denies = [r for i, r in held.items() if r.restrains and judged[i].eligible]
    for identifier in usable(world):
        for deny in denies:
            one, other = held[identifier].payload.target, deny.payload.target  # type: ignore[attr-defined]
            if held[identifier].scope.meets(deny.scope) and other == "*":
                assert not deny.scope.covers(held[identifier].scope)
            if held[identifier].scope.meets(deny.scope) and one == "*":
                assert deny.id in judged[identifier].limited_by


@SOME
@given(plots())
def test_rule_7_forgotten_beats_everything(plot: Plot) -> None:
    world = plot.world()
    for identifier in _held(world):
        world.forget(identifier)
    assert {v.standing for v in world.judge().verdicts.values()} <= {"forgotten"}


@SOME
@given(plots(), chances())
def test_rule_8_a_stronger_reason_takes_precedence(plot: Plot, rnd: Random) -> None:
    world = plot.world()
    held = sorted(_held(world))
    if not held:
        return
    chosen = rnd.choice(held)
    before = ORDER.index(world.judge().verdicts[chosen].standing)
    world.rule("r8", rnd.choice(["revoke", "archive", "release", "reject"]), chosen)
    after = ORDER.index(world.judge().verdicts[chosen].standing)
    assert after <= before or before == ORDER.index("proposed")


@SOME
@given(plots())
def test_flags_lie_beside_what_may_be_used_alone(plot: Plot) -> None:
    for _, verdict in _judged(plot.world()):
        if not verdict.eligible:
            assert verdict.flags <= {"claimed"} and not verdict.doubts
        assert ("reported" in verdict.flags) == (
            verdict.eligible and verdict.authority == "user-explicit" and not verdict.attested
        )


@SOME
@given(plots())
def test_nothing_changes_before_until(plot: Plot) -> None:
    world = plot.world()
    now = TODAY
    judged = world.judge(now)
    until = judged.until
    if until is None:
        later = world.judge(500)
        assert (later.verdicts, later.clashes) == (judged.verdicts, judged.clashes)
        return
    assert until > day(now)
    just_before = standing(
        world.files, world.policy, world.attestations, world.negatives, until - timedelta(milliseconds=1)
    )
    assert just_before == judged


@SOME
@given(plots(("decision", "procedure"), marks=False), chances())
def test_a_twin_changes_nothing_that_anybody_is_told(plot: Plot, rnd: Random) -> None:
    documents = [d for d in plot.deeds if d.do == "record"]
    imported = rnd.sample(documents, rnd.randint(0, len(documents)))

    def build(copies: list[str]) -> World:
        world = World(kinds=plot.kinds)
        for deed in plot.deeds:
            if deed not in imported:
                deed.onto(world)
                continue
            again = ["twin", deed.name] if deed.name in copies else [deed.name]
            for name in again:
                episode = world.episode(
                    f"doc-{deed.name}-{name}", "document", document(f"docs/{deed.name}.md"), tags=(name,)
                )
                fields = dict(deed.fields) | {
                    "by": "document",
                    "sources": [episode],
                    "subject": deed.name,
                    "rests_on": "",
                }
                # a younger import of the same document; the other one has the lower id
                Deed("record", deed.name if name == deed.name else f"z{deed.name}", fields).onto(world)
        return world

    once, twice = build([]), build([d.name for d in imported])
    assert eligible(once.judge()) == eligible(twice.judge())


@SOME
@given(plots(("decision", "commitment", "belief")))
def test_a_question_never_loses_both_of_two_layers(plot: Plot) -> None:
    judged = plot.world().judge()
    seen = eligible(judged)
    dropped = narrower_overrides(judged.verdicts, seen)
    assert not seen or set(dropped) != seen
    for identifier, to in dropped.items():
        for other in to:
            assert identifier not in judged.verdicts[other].yields_to


@SOME
@given(plots(), chances())
def test_a_record_that_nobody_links_to_stands_alone(plot: Plot, rnd: Random) -> None:
    world = plot.world()
    before = world.judge().verdicts
    stranger = worlds.record(rnd, "q", "failure", simple=True)
    Deed("record", "q", dict(stranger.fields) | {"supersedes": []}).onto(world)
    after = world.judge().verdicts
    assert {i: v for i, v in after.items() if i != world.id_of("q")} == before


@SOME
@given(plots(("decision", "commitment", "belief", "identity")), plots(("decision", "goal", "user_model")))
def test_worlds_that_share_nothing_are_judged_apart(one: Plot, other: Plot) -> None:
    """What the index rests on, which judges again only what a change is tied to."""
    first, second = one.world(), _renamed(other).world()
    both = World()
    both.filed = [*first.filed, *second.filed]
    both.accepted = first.accepted | second.accepted
    ones, others, together = first.judge(), second.judge(), both.judge()
    assert together.verdicts == {**ones.verdicts, **others.verdicts}
    assert set(together.clashes) == {*ones.clashes, *others.clashes}
    assert together.until == min((t for t in (ones.until, others.until) if t is not None), default=None)


def _renamed(plot: Plot) -> Plot:
    """The same world under other names."""

    def name(old: str) -> str:
        return f"r1{old[1:]}" if old[:1] == "r" and old[1:].isdigit() else f"{old}{old}"

    lists = ("supersedes", "conflicts_with", "after", "derived_from", "over")
    deeds = []
    for deed in plot.deeds:
        fields = {k: [name(n) for n in v] if k in lists else v for k, v in deed.fields.items()}
        if deed.do == "record":
            fields |= {"rests_on": "", "subject": fields["subject"] and f"other-{fields['subject']}"}
        elif fields.get("winner"):
            fields["winner"] = name(fields["winner"])
        targets = (*deed.targets[:1], *map(name, deed.targets[1:]))
        deeds.append(Deed(deed.do, name(deed.name), fields, targets))
    return Plot({name(n): kind for n, kind in plot.kinds.items()}, tuple(deeds))


def _below(record: Record, held: dict[str, Record]) -> set[str]:
    seen: set[str] = set()
    ways = [record]
    while ways:
        for target in ways.pop().supersedes:
            if target not in seen:
                seen.add(target)
                ways += [held[target]] if target in held else []
    return seen


def _is_attested(world: World, identifier: str) -> bool:
    named = [f for f in world.filed if f.value.id == identifier]  # type: ignore[attr-defined]
    accepts = [f for f in world.filed if getattr(f.value, "verb", "") == "accept" and identifier in f.value.targets]  # type: ignore[attr-defined]
    return any(f.blob in world.accepted for f in (*named, *accepts))
