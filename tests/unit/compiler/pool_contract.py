"""The contract of every pool. Subclass `PoolContract`, give `make`, and let pytest collect it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cc_git.compiler.cards import millis
from cc_git.compiler.pool import EXCLUDED_NAMED, Excluded, Pool
from cc_git.compiler.terms import bag_of
from cc_git.model.record import Record
from cc_git.model.scope import Scope
from cc_git.model.spine import Anchor
from tests.unit.compiler.world import NOW, World, identifier


class PoolContract:
    def make(self, world: World) -> Pool:
        """The pool over `world.data` (or `world.files()`) with `world.standings()`, at NOW."""
        raise AssertionError("a pool's own tests say how it is made")

    def test_an_empty_workspace_has_nothing(self) -> None:
        pool = self.make(World())
        assert list(pool.cards()) == []
        assert list(pool.excluded()) == []
        assert not any(pool.frequencies(["word"]).values())
        assert list(pool.recent_episodes(5)) == []
        assert not any(pool.behind([identifier("ep", 1)]).values())
        assert pool.verdict(identifier("dec", 1)) is None

    def test_cards_are_what_is_current_or_conflicted_in_order_of_ids(self) -> None:
        world = World()
        made = [world.record("decision", "B"), world.record("belief", "A"), world.record("decision", "C")]
        world.record("decision", "Old", standing="superseded")
        world.verdicts[made[2]] = world.verdicts[made[2]].__class__("conflicted", "user-explicit")
        pool = self.make(world)
        assert [(card.id, card.standing) for card in pool.cards()] == sorted(
            [(made[0], "current"), (made[1], "current"), (made[2], "conflicted")]
        )

    def test_a_card_says_what_its_record_and_its_verdict_say(self) -> None:
        world = World()
        episode = world.episode("We agreed.")
        made = world.record(
            "commitment",
            "Ship it",
            content="By the end of the month.",
            mode="act",
            due=NOW + timedelta(days=2),
            scope=Scope(project="demo"),
            sensitivity="limited",
            sources=(episode, "docs/plan.md"),
            anchors=(Anchor(path="src/a.py", blob="a" * 40), Anchor(path="src/a.py", lines="3-4")),
            valid_from=NOW - timedelta(days=1),
            valid_to=NOW + timedelta(days=9),
            expires_at=NOW + timedelta(days=5),
            verdict={
                "attested": True,
                "flags": frozenset({"stale", "reported"}),
                "by": (identifier("ru", 7),),
                "limited_by": (identifier("prm", 8),),
                "yields_to": (identifier("cmt", 9),),
                "sensitivity": "sensitive",
            },
        )
        filed = next(f for f in world.filed if isinstance(f.value, Record))
        (card,) = self.make(world).cards()
        assert card.id == made
        assert (card.rel, card.blob, card.kind, card.title) == (filed.rel, filed.blob, "commitment", "Ship it")
        assert card.scope == ("*", "demo", "*", "*", "*")
        assert (card.sensitivity, card.authority, card.attested) == ("sensitive", "user-explicit", True)
        assert card.flags == ("reported", "stale")
        assert (card.by, card.limited_by) == ((identifier("ru", 7),), (identifier("prm", 8),))
        assert card.yields_to == (identifier("cmt", 9),)
        assert (card.starts, card.ends) == (millis(NOW - timedelta(days=1)), millis(NOW + timedelta(days=5)))
        assert card.recorded == millis(filed.value.recorded_at)
        assert (card.duty, card.due, card.priority) == ("act", millis(NOW + timedelta(days=2)), 0)
        assert (card.sources, card.anchors, card.reach) == ((episode,), ("src/a.py",), "")
        assert card.length == sum(bag_of(filed.value).values())

    @pytest.mark.parametrize(
        ("kind", "fields", "duty", "priority"),
        [
            ("permission", {"effect": "deny"}, "deny", 0),
            ("permission", {"effect": "allow"}, "allow", 0),
            ("commitment", {"mode": "refrain"}, "refrain", 0),
            ("failure", {"severity": "catastrophic"}, "catastrophic", 0),
            ("goal", {"priority": 2}, "", 2),
            ("decision", {}, "", 0),
        ],
    )
    def test_a_card_names_the_duty_of_its_kind(self, kind: str, fields: dict, duty: str, priority: int) -> None:
        world = World()
        world.record(kind, "One", **fields)
        (card,) = self.make(world).cards()
        assert (card.duty, card.priority) == (duty, priority)

    def test_a_due_in_words_is_no_instant(self) -> None:
        world = World()
        world.record("commitment", "One", due="after the merge")
        assert [card.due for card in self.make(world).cards()] == [None]

    def test_a_revoked_or_withheld_grant_has_a_card_as_long_as_it_would_run(self) -> None:
        world = World()
        runs = world.record("permission", "Runs", standing="revoked", valid_to=NOW + timedelta(days=1))
        open_ended = world.record("permission", "Open", standing="revoked")
        world.record("permission", "Over", standing="revoked", valid_to=NOW)
        world.record("permission", "A deny", standing="revoked", effect="deny")
        world.record("decision", "No grant", standing="revoked")
        withheld = world.record("permission", "Held", standing="overruled", verdict={"flags": frozenset({"withheld"})})
        pool = self.make(world)
        assert [card.id for card in pool.cards()] == sorted([runs, open_ended, withheld])
        assert [(row.kind, row.number) for row in pool.excluded()] == [("decision", 1), ("permission", 2)]

    def test_what_is_excluded_is_counted_by_standing_and_kind_and_the_highest_ids_are_named(self) -> None:
        world = World()
        old = [world.record("decision", f"D{n}", standing="superseded") for n in range(EXCLUDED_NAMED + 2)]
        waiting = world.record("belief", "B", standing="proposed")
        world.record("belief", "Current")
        assert list(self.make(world).excluded()) == [
            Excluded("proposed", "belief", 1, (waiting,)),
            Excluded("superseded", "decision", len(old), tuple(sorted(old, reverse=True)[:EXCLUDED_NAMED])),
        ]

    def test_frequencies_count_the_bag_of_carded_records_only(self) -> None:
        world = World()
        first = world.record("decision", "Index rebuild", content="The index is rebuilt.", rationale="index")
        second = world.record("belief", "Other", content="an indexing run")
        world.record("belief", "Index index", standing="superseded")
        found = self.make(world).frequencies(["index", "absent"])
        assert dict(found["index"]) == {first: 4, second: 1}
        assert not found.get("absent")

    def test_a_term_is_any_text(self) -> None:
        world = World()
        made = world.record("belief", "漢字 o'clock", content='say "x" AND y* -z')
        found = self.make(world).frequencies(["漢字", '"', "'", "*", "x"])
        assert dict(found["漢字"]) == {made: 2}
        assert dict(found["x"]) == {made: 1}
        assert not any(found.get(term) for term in ('"', "'", "*"))

    def test_a_record_is_read_by_the_id_of_its_card(self) -> None:
        world = World()
        made = world.record("decision", "One", content="Text\nof two lines")
        old = world.record("decision", "Old", standing="superseded")
        pool = self.make(world)
        assert pool.record(made).value == world.filed[0].value
        assert (pool.record(made).rel, pool.record(made).blob) == (world.filed[0].rel, world.filed[0].blob)
        for other in (old, identifier("dec", 99)):
            with pytest.raises(KeyError):
                pool.record(other)

    def test_the_verdict_of_every_record_is_known(self) -> None:
        world = World()
        made = world.record("decision", "One")
        old = world.record("decision", "Old", standing="rejected", verdict={"by": (identifier("ru", 7),)})
        pool = self.make(world)
        assert pool.verdict(made) == world.verdicts[made]
        assert pool.verdict(old) == world.verdicts[old]

    def test_recent_episodes_come_newest_first_then_by_id(self) -> None:
        world = World()
        same = NOW - timedelta(days=1)
        made = [world.episode("a", recorded_at=same), world.episode("b", recorded_at=same)]
        oldest = world.episode("c", recorded_at=NOW - timedelta(days=9))
        newest = world.episode("d", recorded_at=NOW)
        pool = self.make(world)
        assert [card.id for card in pool.recent_episodes(10)] == [newest, made[1], made[0], oldest]
        assert [card.id for card in pool.recent_episodes(2)] == [newest, made[1]]
        assert list(pool.recent_episodes(0)) == []

    def test_an_episode_card_says_what_its_episode_says(self) -> None:
        world = World()
        made = world.episode(
            "Text", type="outcome", scope=Scope(thread="t"), sensitivity="sensitive", authority="document",
            valid_from=NOW - timedelta(days=2), valid_to=NOW + timedelta(days=1),
        )  # fmt: skip
        pool = self.make(world)
        (card,) = pool.recent_episodes(1)
        assert (card.id, card.type, card.sensitivity, card.authority) == (made, "outcome", "sensitive", "document")
        assert card.scope == ("*", "*", "*", "t", "*")
        assert (card.starts, card.ends) == (millis(NOW - timedelta(days=2)), millis(NOW + timedelta(days=1)))
        assert pool.episode(made).value == world.filed[0].value
        assert (card.rel, card.blob) == (world.filed[0].rel, world.filed[0].blob)

    def test_a_forgotten_episode_is_in_no_answer(self) -> None:
        world = World()
        gone, kept = world.episode("secret"), world.episode("plain")
        world.forget(gone)
        pool = self.make(world)
        assert [card.id for card in pool.recent_episodes(5)] == [kept]
        with pytest.raises(KeyError):
            pool.episode(gone)

    def test_records_of_every_standing_are_behind_an_episode(self) -> None:
        world = World()
        episode, lonely = world.episode("evidence"), world.episode("alone")
        current = world.record("decision", "One", sources=(episode, "a file"))
        old = world.record("decision", "Two", derived_from=(episode,), standing="superseded")
        found = self.make(world).behind([episode, lonely])
        assert list(found[episode]) == sorted([(current, "current"), (old, "superseded")])
        assert not found.get(lonely)

    def test_reach_tells_whether_the_sources_are_here(self) -> None:
        world = World()
        here, gone = world.episode("here"), world.episode("gone")
        world.forget(gone)
        away = identifier("ep", 999)
        cases = {
            world.record("belief", "all", sources=(here,)): "",
            world.record("belief", "none named"): "",
            world.record("belief", "one away", sources=(here, away)): "absent",
            world.record("belief", "one gone", sources=(here, gone)): "absent",
            world.record("belief", "only gone", sources=(gone,)): "gone",
            world.record("belief", "locators", sources=("https://example.org/x",)): "",
        }
        assert {card.id: card.reach for card in self.make(world).cards()} == cases
