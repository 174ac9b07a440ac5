"""What becomes of episodes: decided by type, subject and authority, the same in every clone and every batch."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from cc_git.codec.files import encode
from cc_git.governance.alike import Near, words_of
from cc_git.governance.consolidate import Finding, consolidate
from cc_git.governance.consolidate_plan import earlier, plans
from cc_git.governance.plan import Mint
from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.authority import Sensitivity
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed, Files, gather
from cc_git.model.kinds import PAYLOADS
from cc_git.model.marks import Tombstone
from cc_git.model.policy import Policy
from cc_git.model.record import Record
from cc_git.model.scope import Scope
from cc_git.model.spine import Source
from cc_git.model.value import Value
from cc_git.model.verdict import Standings
from cc_git.standing import standing
from tests.unit.standing.builder import TODAY, blob_of, day, ident

NOW = day(TODAY)


@dataclass
class Clone:
    """A workspace in memory."""

    values: list[Value] = field(default_factory=list)
    seed: int = 0

    @property
    def files(self) -> Files:
        return gather(Filed("x", blob_of(value), value) for value in self.values)

    @property
    def standings(self) -> Standings:
        return standing(self.files, Policy(), Attestations(), Negatives(), NOW)

    def says(self, name: str, text: str, type_: str = "assertion", by: str = "agent-explicit", **more: Any) -> str:
        at = more.pop("at", float(len(self.values)) / 10_000)
        kind = "user" if by.startswith("user-") else "agent"
        said = {"source": Source(kind=kind), "actor": "human:ana", "recorded_at": day(at), **more}  # type: ignore[arg-type]
        value = Episode(id=ident(name, "ep"), type=type_, content=text, authority=by, **said)  # type: ignore[arg-type]
        self.values.append(value)
        return value.id

    def holds(self, name: str, text: str, kind: str = "belief", by: str = "agent-explicit", **more: Any) -> str:
        said = {
            "actor": "human:ana",
            "recorded_at": day(0),
            "payload": PAYLOADS[kind](**more.pop("payload", {})),
            **more,
        }
        value = Record(id=ident(name, kind), kind=kind, title=text, authority=by, **said)  # type: ignore[arg-type]
        self.values.append(value)
        return value.id

    def findings(self) -> tuple[Finding, ...]:
        return consolidate(self.files, self.standings, NOW)

    def only(self) -> Finding:
        (finding,) = self.findings()
        return finding

    def run(self, ceiling: Sensitivity = "limited", *, batch: int = 1000, most: int | None = None) -> int:
        """Write what follows; with `most`, as if killed after so many batches. Returns how many there were."""
        chance = random.Random(self.seed)
        self.seed += 1
        mint = Mint(NOW, lambda: chance.randbytes(10))
        written = list(plans(self.findings(), ceiling, "human:ana", mint, batch=batch))[:most]
        for plan in written:
            self.values += plan.files
        return len(written)

    def proposals(self) -> dict[str, bytes]:
        return {v.id: encode(v) for v in self.values if isinstance(v, Record) and v.proposal}

    def forget(self, identifier: str) -> None:
        self.values = [value for value in self.values if getattr(value, "id", None) != identifier]
        self.values.append(Tombstone(id=identifier))


@pytest.fixture
def clone() -> Clone:
    return Clone()


@pytest.mark.parametrize(
    ("type_", "kind"),
    [("assertion", "belief"), ("observation", "belief"), ("decision", "decision"), ("request", "goal")],
)
def test_what_nothing_says_yet_is_put_forward_and_stands_by_an_accept_alone(
    clone: Clone, type_: str, kind: str
) -> None:
    said = clone.says("a", "The cache is warm", type_, "user-explicit")
    found = clone.only()
    assert (found.sort, found.episodes) == ("add", (said,))
    assert found.proposal is not None
    assert (found.proposal.kind, found.proposal.sources, found.proposal.authority) == (kind, (said,), "agent-inference")
    clone.run()
    assert clone.standings.verdicts[found.proposal.id].standing == "proposed"


@pytest.mark.parametrize(
    ("type_", "sort"),
    [("permission", "deferred"), ("commitment", "deferred"), ("correction", "deferred"), ("message", "no-change"),
     ("outcome", "no-change"), ("import", "no-change"), ("action", "no-change")],
)  # fmt: skip
def test_what_an_episode_does_not_say_is_not_guessed_from_its_text(clone: Clone, type_: str, sort: str) -> None:
    clone.says("a", "You may deploy to production", type_, "user-explicit")
    found = clone.only()
    assert (found.sort, found.proposal) == (sort, None)


@pytest.mark.parametrize(
    ("type_", "by", "standing_by", "sort"),
    [
        ("correction", "agent-explicit", "agent-explicit", "supersede"),
        ("correction", "agent-inference", "agent-explicit", "conflict"),
        ("decision", "agent-explicit", "agent-explicit", "supersede"),
        ("decision", "agent-inference", "agent-explicit", "conflict"),
        ("request", "user-explicit", "agent-explicit", "conflict"),
    ],
)
def test_type_and_authority_decide_what_replaces(
    clone: Clone, type_: str, by: str, standing_by: str, sort: str
) -> None:
    kind = "goal" if type_ == "request" else "decision"
    old = clone.holds("old", "Deploys go out on Tuesdays", kind, standing_by, subject="deploy-day")
    clone.says("a", "Deploys go out on Mondays", type_, by, subject="deploy-day")
    found = clone.only()
    assert (found.sort, found.records) == (sort, (old,))
    assert found.proposal is not None
    linked = found.proposal.supersedes if sort == "supersede" else found.proposal.conflicts_with
    assert linked == (old,) and {*found.proposal.supersedes, *found.proposal.conflicts_with} == {old}


def test_an_observation_replaces_what_it_outranks_and_contradicts_its_equal(clone: Clone) -> None:
    clone.holds("old", "Port 80", subject="port")
    clone.says("a", "Port 81", "observation", "verified-observation", subject="port")
    assert clone.only().sort == "supersede"
    clone.values[-1] = clone.values[-1].model_copy(update={"authority": "agent-explicit"})
    assert clone.only().sort == "conflict"


def test_without_a_subject_nothing_is_replaced_however_near_the_text(clone: Clone) -> None:
    old = clone.holds("old", "The limit of the queue is 100 messages")
    clone.says("a", "The limit of the queue is 200 messages", by="user-explicit")
    found = clone.only()
    assert (found.sort, found.records, found.near) == ("add", (), (old,))
    assert found.proposal is not None and [r.to for r in found.proposal.relations] == [old]


def test_what_says_the_same_reinforces_and_is_noted_without_a_record(clone: Clone) -> None:
    old = clone.holds("old", "Deploys go out on Tuesdays.")
    said = clone.says("a", "deploy go out on  “Tuesday”", by="user-explicit")
    assert (clone.only().sort, clone.only().records) == ("reinforce", (old,))
    clone.run()
    (receipt,) = (v for v in clone.files.receipts.values())
    assert receipt[0].value.notes == (f"reinforce {said} {old}",) and not clone.proposals()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It is cached", "It is not cached"),
        ("Use 10 threads", "Use 100 threads"),
        ("a < b", "a > b"),
        ("b on a", "a on b"),
        ("Restart works", "Restart works?"),
        ("Martin owns it", "Martina owns it"),
        ("It is safe", "It is unsafe"),
    ],
)
def test_a_small_difference_is_not_taken_for_the_same(one: str, other: str) -> None:
    assert words_of(one) != words_of(other)


def test_near_names_the_nearest_first_and_equals_by_name() -> None:
    near = Near()
    for name in "dcba":
        near.add(name, words_of(f"the queue holds one hundred messages in {name * 2}"))
    near.add("far", words_of("something else"))
    assert near.to(words_of("the queue holds one hundred messages in cc")) == ("c", "a", "b", "d")


def test_a_narrower_scope_adds_beside_the_wider_and_a_crossing_one_contradicts(clone: Clone) -> None:
    clone.holds("old", "Mondays", "decision", subject="day", scope=Scope(project="harbour"))
    clone.says("a", "Tuesdays", "decision", subject="day", scope=Scope(project="harbour", thread="night"))
    assert clone.only().sort == "add"
    clone.values[-1] = clone.values[-1].model_copy(update={"scope": Scope(agent="opus")})
    assert clone.only().sort == "conflict"


@pytest.mark.parametrize("kind", ["permission", "commitment", "identity"])
def test_a_correction_of_what_only_a_person_changes_is_deferred(clone: Clone, kind: str) -> None:
    payload = {"permission": {"effect": "deny", "action": "deploy"}, "commitment": {"mode": "refrain"}}.get(kind, {})
    clone.holds("old", "Never deploy", kind, subject="deploys", payload=payload)
    clone.says("a", "Deploy whenever you like", "correction", "user-explicit", subject="deploys")
    assert clone.findings()[-1].sort == "deferred"


def test_what_was_done_three_times_is_a_candidate_however_it_was_spread(clone: Clone) -> None:
    times = [clone.says(name, "Run the migration, then restart", "action") for name in "ab"]
    clone.run()
    assert clone.proposals() == {}
    times.append(clone.says("c", "run the migration then restart.", "action"))
    found = clone.only()
    assert found.sort == "procedure-candidate"
    assert found.proposal is not None and found.proposal.sources == tuple(times)
    clone.run()
    clone.says("d", "Run the migration, then restart", "action")
    assert (clone.only().sort, clone.only().records) == ("reinforce", (found.proposal.id,))


def test_what_stands_after_all_its_evidence_is_over_is_to_expire(clone: Clone) -> None:
    source = clone.says("a", "The freeze holds", "decision", valid_to=day(5))
    old = clone.holds("old", "The freeze holds", "decision", sources=(source,))
    beside = clone.says("b", "Another freeze holds", "decision")
    clone.holds("kept", "Another freeze holds", "decision", sources=(source, beside))
    found = [finding for finding in clone.findings() if finding.sort == "expire"]
    assert [finding.records for finding in found] == [(old,)]
    proposal = found[0].proposal
    assert proposal is not None and (proposal.supersedes, proposal.valid_to) == ((old,), day(5))
    clone.run()
    assert clone.run() == 0


def test_an_episode_that_a_record_rests_on_changes_nothing(clone: Clone) -> None:
    source = clone.says("a", "Port 80")
    old = clone.holds("old", "The port is 80", sources=(source,))
    assert (clone.only().sort, clone.only().records) == ("no-change", (old,))


@pytest.mark.parametrize("more", [{"by": "dream"}, {"valid_to": NOW}, {"text": " \n"}, {"sensitivity": "restricted"}])
def test_a_dream_what_is_over_what_is_empty_and_what_is_restricted_are_not_put_forward(
    clone: Clone, more: dict[str, Any]
) -> None:
    clone.says("a", more.pop("text", "Port 80"), **more)
    assert clone.only().proposal is None


def test_the_deferred_are_asked_again_and_the_rest_is_not(clone: Clone) -> None:
    clone.says("a", "Port 80")
    waits = clone.says("b", "Deploy", "permission")
    assert clone.run() == 1
    assert [finding.episodes for finding in clone.findings()] == [(waits,)]
    assert clone.run() == 0


def test_an_episode_that_a_merge_brings_later_is_not_passed_over_however_old(clone: Clone) -> None:
    clone.says("b", "Port 80", at=5)
    clone.run()
    late = clone.says("a", "Port 81", at=1)
    assert clone.only().episodes == (late,)


def test_a_later_decision_replaces_the_proposal_of_an_earlier_one_and_what_that_would_replace(clone: Clone) -> None:
    old = clone.holds("old", "Mondays", "decision", subject="day")
    for name, text in (("a", "Tuesdays"), ("b", "Fridays")):
        clone.says(name, text, "decision", subject="day")
    first, second = clone.findings()
    assert first.proposal is not None and second.proposal is not None
    assert first.proposal.supersedes == (old,)
    assert second.proposal.supersedes == (old, first.proposal.id)


def test_what_is_older_replaces_nothing_and_is_no_correction_of_it(clone: Clone) -> None:
    clone.holds("new", "Mondays", "decision", subject="day", recorded_at=day(8))
    clone.says("a", "Tuesdays", "correction", subject="day")
    assert clone.only().sort == "deferred"
    clone.says("b", "Fridays", "decision", subject="day")
    assert clone.findings()[-1].sort == "conflict"


def test_what_was_rejected_or_forgotten_is_not_put_forward_again(clone: Clone) -> None:
    clone.says("a", "Port 80")
    proposal = clone.only().proposal
    assert proposal is not None
    clone.forget(proposal.id)
    assert (clone.only().sort, clone.only().proposal) == ("no-change", None)


def test_what_is_above_the_ceiling_stays_apart_with_its_receipt(clone: Clone) -> None:
    secret = clone.says("a", "Ana is ill", sensitivity="sensitive")
    plain = clone.says("b", "Port 80")
    written = list(plans(clone.findings(), "limited", "human:ana", Mint(NOW, lambda: bytes(10))))
    assert [(plan.receipt.touched, plan.is_private("limited")) for plan in written] == [
        ((plain,), False),
        ((secret,), True),
    ]


def test_what_became_of_earlier_proposals_is_counted(clone: Clone) -> None:
    clone.says("a", "Port 80")
    last = clone.says("b", "Port 443")
    clone.run()
    clone.forget(next(iter(clone.proposals())))
    told = earlier(clone.files, clone.standings)
    assert told.last == last
    assert dict(told.fates) == {"accepted": 0, "rejected": 0, "waiting": 1, "conflicted": 0, "forgotten": 1}


def many(number: int) -> Clone:
    """Episodes of every sort and some records that they meet."""
    chance, clone = random.Random(number), Clone()
    for i in range(number // 50):
        clone.holds(f"r{i}", f"Statement {i} of the {i % 7}th kind", "decision", subject=f"subject-{i % 40}")
    types = (
        "assertion",
        "decision",
        "correction",
        "observation",
        "request",
        "action",
        "message",
        "outcome",
        "permission",
    )
    authorities = ("agent-inference", "agent-explicit", "user-explicit", "verified-observation")
    for i in range(number):
        subject = f"subject-{chance.randrange(200)}" if chance.random() < 0.4 else None
        text = f"Statement {chance.randrange(number // 4)} of the {chance.randrange(9)}th kind"
        weight = chance.choice(("ordinary", "ordinary", "sensitive"))
        about = {"subject": subject, "at": chance.random() * 9, "sensitivity": weight}
        clone.says(f"e{i}", text, chance.choice(types), chance.choice(authorities), **about)
    return clone


@pytest.mark.slow
def test_five_thousand_episodes_give_the_same_proposals_twice_and_then_nothing() -> None:
    one = many(5000)
    other = Clone([*one.values], seed=7)
    random.Random(1).shuffle(other.values)
    one.run()
    other.run()
    assert len(one.proposals()) > 500
    assert one.proposals() == other.proposals()
    sorts = {finding.sort for finding in Clone(many(5000).values).findings()}
    assert sorts >= {"add", "reinforce", "supersede", "conflict", "no-change", "procedure-candidate", "deferred"}
    assert one.run() == 0 and one.proposals() == other.proposals()


@pytest.mark.parametrize(("number", "batch"), [(300, 1), (300, 7), (300, 50), (1500, 200)])
def test_work_that_stops_after_any_batch_goes_on_to_the_same_proposals(number: int, batch: int) -> None:
    """Also between what is tracked and what is private of one batch."""
    whole, broken = many(number), many(number)
    whole.run()
    chance = random.Random(batch)
    while broken.run(batch=batch, most=chance.choice((1, 1, 3, 10))):
        pass
    assert broken.proposals() == whole.proposals()


def test_nothing_that_is_put_forward_stands() -> None:
    world = many(400)
    before = world.standings
    world.run()
    after = world.standings
    assert {after.verdicts[i].standing for i in world.proposals()} == {"proposed"}
    assert all(after.verdicts[i].standing == verdict.standing for i, verdict in before.verdicts.items())
