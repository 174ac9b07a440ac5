"""Every record and episode can be asked why it is in a packet, or is not."""

from __future__ import annotations

from cc_git.compiler.explain import explain
from cc_git.model.scope import Scope
from tests.unit.compiler.world import World, compiled, identifier


def test_each_outcome_has_a_reason_and_a_sentence() -> None:
    world = World()
    said = world.episode("We take SQLite.")
    recent = world.episode("Later on.")
    cases = {
        world.record("permission", "Never", effect="deny"): "reserved",
        world.record("decision", "SQLite", sources=(said,)): "ranked",
        world.record("decision", "Elsewhere", scope=Scope(project="x")): "out-of-scope",
        world.record("decision", "Secret", sensitivity="restricted"): "above-ceiling",
        world.record(
            "decision", "Old", standing="superseded", verdict={"reason": "dec…1 took its place"}
        ): "superseded",
        said: "redundant",
        recent: "ranked",
        identifier("dec", 999): "unknown",
        identifier("ep", 999): "not-asked",
    }
    result, pool = compiled(world, task="sqlite"), world.pool()
    found = {i: explain(result, pool, i) for i in cases}
    assert {i: e.reason for i, e in found.items()} == cases
    assert all(e.sentence for e in found.values())
    assert all((e.form is None) == (e.reason not in ("reserved", "ranked")) for e in found.values())
    ranked = next(e for e in found.values() if e.reason == "ranked" and e.place)
    assert (ranked.place, ranked.relevance) == (1, 1000)
    assert next(e for e in found.values() if e.reason == "redundant").instead == ranked.id
    assert next(e for e in found.values() if e.reason == "superseded").sentence == "dec…1 took its place"


def test_every_id_that_a_packet_shows_or_names_can_be_asked_for() -> None:
    world = World()
    episode = world.episode("Evidence.")
    one = world.record("decision", "A", sources=(episode,), standing="conflicted")
    two = world.record("decision", "B", standing="conflicted")
    world.clash(one, two)
    old = world.record("decision", "Old", standing="superseded")
    revoked = world.record("permission", "P", standing="revoked", verdict={"by": (identifier("ru", 9),)})
    assert compiled(world).packet.named == {episode, one, two, old, revoked, identifier("ru", 9)}
