"""Files that an agent lays into the work tree by hand: whatever they claim, they loosen nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from cc_git.codec.files import encode, path_for
from cc_git.model.episode import Episode
from cc_git.model.ids import new_id
from cc_git.model.kinds import Commitment, Permission
from cc_git.model.record import Record
from cc_git.model.spine import Source
from cc_git.model.value import Value
from tests.cli.people import Clone

WHEN = datetime(2026, 11, 30, 11, tzinfo=UTC)
FREEZE = Source(kind="document", locator="docs/freeze.md", blob="1" * 40)
GRANT = ("remember", "Deploys to staging are fine", "--allow", "deploy", "--target", "staging/*")


def ident(prefix: str, order: int) -> str:
    return new_id(prefix, WHEN + timedelta(milliseconds=order), bytes(10))


def lay(clone: Clone, *values: Value) -> None:
    for value in values:
        path = clone.top / ".continuity" / path_for(value)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(value))


def episode(identifier: str, source: Source, by: str, **fields: Any) -> Episode:
    said = {"type": "assertion", "content": "said", "actor": "agent:x", "recorded_at": WHEN}
    return Episode(id=identifier, source=source, authority=by, **said | fields)


def deny(identifier: str, source: str, **fields: Any) -> Record:
    payload = Permission(effect="deny", action="deploy", target="staging/*")
    return record(identifier, source, payload, authority="document", title="Frozen", **fields)


def record(identifier: str, source: str, payload: Any, **fields: Any) -> Record:
    said = {"actor": "agent:x", "recorded_at": WHEN}
    return Record(id=identifier, kind=payload.KIND, sources=(source,), payload=payload, **said | fields)


def shown(clone: Clone) -> set[str]:
    return {item["id"] for section in clone.packet()["sections"] for item in section["items"]}


@pytest.mark.parametrize(
    "other",
    [{"valid_from": datetime(2099, 1, 1, tzinfo=UTC)}, {"valid_to": WHEN + timedelta(seconds=1)}, {}],
    ids=["begins later", "is over", "is equal"],
)
def test_no_twin_of_a_deny_takes_its_place(accepted: Clone, other: dict[str, Any]) -> None:
    accepted.person(*GRANT, answers=("y",))
    sources = [episode(ident("ep", n), FREEZE, "document") for n in (1, 2)]
    forged, real = deny(ident("prm", 1), sources[0].id, **other), deny(ident("prm", 2), sources[1].id)
    lay(accepted, sources[1], real)
    assert accepted.offered() == set()
    lay(accepted, sources[0], forged)
    assert (accepted.standing(real.id), accepted.offered()) == ("current", set())
    assert real.id in shown(accepted)


def test_no_episode_hides_a_restraint_that_names_it(accepted: Clone) -> None:
    source = ident("ep", 1)
    refrain = record(
        ident("cmt", 1), source, Commitment(mode="refrain"), authority="agent-explicit", title="Never force-push"
    )
    lay(accepted, refrain)
    assert refrain.id in shown(accepted)
    lay(accepted, episode(source, Source(kind="agent"), "agent-explicit", sensitivity="restricted"))
    assert refrain.id in shown(accepted)


def test_no_episode_makes_a_person_of_an_agents_claim_in_the_accepted_branch(accepted: Clone) -> None:
    source = ident("ep", 1)
    payload = Permission(effect="allow", action="deploy")
    grant = record(ident("prm", 1), source, payload, authority="user-explicit", title="Deploys are fine")
    lay(accepted, grant)
    accepted.cc("commit")
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert accepted.offered() == set()
    lay(accepted, episode(source, Source(kind="user"), "user-explicit"))
    assert (accepted.standing(grant.id), accepted.offered()) == ("proposed", set())
    accepted.cc("commit")
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert accepted.offered() == {grant.id}


def test_a_deny_from_a_clock_that_is_ahead_holds_at_once(accepted: Clone) -> None:
    accepted.person(*GRANT, answers=("y",))
    ahead = deny(ident("prm", 1), ident("ep", 1), recorded_at=datetime(2099, 1, 1, tzinfo=UTC))
    lay(accepted, ahead)
    assert (accepted.standing(ahead.id), accepted.offered()) == ("current", set())
    assert ahead.id in shown(accepted)
