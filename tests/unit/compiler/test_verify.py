"""A packet says whether it is still valid, and if not what changed."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta
from typing import Any

import pytest

from cc_git.compiler.inputs import Inputs, Origin
from cc_git.compiler.verify import verify
from cc_git.model.packet import Packet
from cc_git.model.policy import Policy, Workspace
from cc_git.model.runbook import Runbook
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.model.trigger import Trigger
from cc_git.model.working_context import WorkingContext
from cc_git.runbooks.selection import Shelved
from tests.unit.compiler.world import NOW, World, compiled, identifier


def world() -> World:
    made = World()
    made.record("decision", "One", anchors=({"path": "src/a.py", "blob": "a" * 40},))
    return made


BEFORE: dict[str, Any] = {
    "private": "p", "attestations": "a", "negatives": "n", "until": NOW + timedelta(days=1),
    "head": {"src/a.py": "a" * 40, "src/b.py": "b" * 40},
}  # fmt: skip
BOOK = Runbook(id=identifier("rb", 1), title="x")
TRIGGER = Trigger(id=identifier("tr", 1), kind="user-prompt", summary="x", actor="human:ana", recorded_at=NOW)


def made() -> tuple[Packet, Inputs]:
    inputs = world().inputs(**BEFORE)
    return compiled(world(), inputs=BEFORE).packet, inputs


def test_the_same_inputs_verify_at_any_time_before_it_expires() -> None:
    packet, inputs = made()
    for when in (NOW, NOW + timedelta(days=1) - timedelta(milliseconds=1)):
        assert verify(packet, inputs, when).state == "valid"


def test_it_is_stale_from_the_instant_at_which_it_expires() -> None:
    packet, inputs = made()
    check = verify(packet, inputs, NOW + timedelta(days=1))
    assert (check.state, check.reasons) == ("stale", ("something in it changed by itself at 2026-12-01T12:00:00Z",))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"snapshot": RepositorySnapshot("9" * 40, None, "HEAD")}, "the snapshot changed"),
        ({"private": "q"}, "the private records changed"),
        ({"attestations": ""}, "what persons attested changed"),
        ({"negatives": "m"}, "a revocation, denial or tombstone was seen or dismissed"),
        ({"head": {"src/a.py": "c" * 40}}, "code that its records depend on changed"),
        ({"head": {"src/a.py": None}}, "code that its records depend on changed"),
        ({"workspace": Workspace(name="demo", policy=Policy(packet_budget=500))}, "the workspace's policy changed"),
        ({"working_context": WorkingContext(next_step="x")}, "the working context changed"),
        ({"runbooks": (Shelved(BOOK, "x", attested=True),)}, "the runbooks at hand changed"),
        ({"origins": (Origin(TRIGGER, "direct"),)}, "the origin of the work changed"),
        ({"trusted": False}, "the workspace is no longer trusted"),
    ],
)
def test_any_change_makes_it_stale_and_is_named(change: dict[str, Any], reason: str) -> None:
    packet, inputs = made()
    check = verify(packet, dataclasses.replace(inputs, **change), NOW)
    assert (check.state, check.reasons) == ("stale", (reason,))


def test_code_that_no_item_depends_on_may_change() -> None:
    packet, inputs = made()
    changed = dataclasses.replace(inputs, head={**inputs.head, "src/b.py": "c" * 40})
    assert verify(packet, changed, NOW).state == "valid"


def test_another_counter_makes_it_stale() -> None:
    class Other:
        name = "other/1"

        def count(self, text: str) -> int:
            return len(text)

    packet, inputs = made()
    check = verify(packet, dataclasses.replace(inputs, tokens=Other()), NOW)
    assert check.reasons == ("the compiler changed",)


@pytest.mark.parametrize("change", [{"task": "another"}, {"sections": ()}, {"trusted": False}, {"expires": None}])
def test_an_altered_packet_is_recognised(change: dict[str, Any]) -> None:
    packet, inputs = made()
    assert verify(packet.model_copy(update=change), inputs, NOW).state == "altered"


def test_a_packet_survives_its_json_form() -> None:
    packet, inputs = made()
    assert verify(Packet.model_validate_json(packet.model_dump_json()), inputs, NOW).state == "valid"


def test_the_id_holds_the_instant_and_the_digest() -> None:
    one = compiled(world(), inputs=BEFORE)
    same = compiled(world(), inputs=BEFORE)
    later = compiled(world(), inputs=BEFORE, now=NOW + timedelta(seconds=1))
    other = compiled(world(), inputs=BEFORE, task="x")
    assert (one.packet.id, one.text) == (same.packet.id, same.text)
    assert len({one.packet.id, later.packet.id, other.packet.id}) == 3
    assert one.packet.id[:13] == other.packet.id[:13] < later.packet.id[:13]
    assert isinstance(one.packet.instant, datetime)
