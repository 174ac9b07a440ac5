"""A correction or revocation reaches what was derived, and the packets that held the old statement say so."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.errors import Exit
from tests.cli.people import Clone, World

NO_EPISODES = ("--episodes", "0")


def remembered(clone: Clone, text: str, *words: str) -> str:
    return clone.made("remember", text, "--kind", "decision", *words, prefix="dec")


def packets(clone: Clone) -> dict[str, list[str]]:
    """Task → the marks of the newest packet for it."""
    return {line["task"]: line["stale"] for line in reversed(clone.data("packet", "list"))}


@pytest.fixture
def chain(accepted: Clone) -> tuple[Clone, list[str]]:
    """An agent's clone with a statement, what was derived from it, and what was derived from that."""
    agent = accepted.agent()
    ground = remembered(agent, "The queue is Redis")
    derived = remembered(agent, "Keep Redis on one host", "--derived-from", ground)
    further = remembered(agent, "Buy one large host", "--derived-from", derived)
    return agent, [ground, derived, further]


def doubts(clone: Clone) -> set[str]:
    return set(clone.data("status")["needs_review"])


def test_a_correction_says_at_once_what_rests_on_it_however_it_is_reached(chain: tuple[Clone, list[str]]) -> None:
    agent, (ground, derived, further) = chain
    told = agent.data("correct", ground, "The queue is NATS")
    assert told["standings"][ground]["standing"] == "superseded"
    assert {i for i, v in told["standings"].items() if v["flags"] == ["needs-review"]} == {derived, further}
    assert doubts(agent) == {derived, further}
    said = agent.cc("status")
    assert "To be looked at again" in said and "current, needs-review" in said
    packet = {item["id"]: item["labels"] for s in agent.packet(*NO_EPISODES)["sections"] for item in s["items"]}
    assert packet[further][-1].startswith("needs review: dec…") and packet[further][-1].endswith("needs-review")


def test_a_dry_run_says_what_would_need_review(chain: tuple[Clone, list[str]]) -> None:
    agent, (ground, derived, further) = chain
    for words in (("revoke", ground), ("correct", ground, "The queue is NATS")):
        told = agent.data(*words, "--dry-run")
        assert {i for i, v in told["standings"].items() if v["flags"] == ["needs-review"]} == {derived, further}
    assert doubts(agent) == set()


def test_confirming_what_is_between_settles_the_rest(chain: tuple[Clone, list[str]]) -> None:
    agent, (ground, derived, further) = chain
    agent.cc("revoke", ground)
    assert agent.data("why", derived)["verdict"]["doubts"][0].startswith(f"{ground} revoked ru_")
    agent.cc("confirm", derived)
    assert doubts(agent) == set()
    assert agent.standing(further) == "current"


@pytest.mark.parametrize("act", ["correct", "revoke", "expire"])
def test_packets_that_held_it_are_stale_at_once_and_others_are_not(chain: tuple[Clone, list[str]], act: str) -> None:
    agent, (ground, _, _) = chain
    agent.cc("compile", "--task", "queue", "--require", ground, *NO_EPISODES)
    agent.cc("compile", "--task", "elsewhere", "--project", "another", *NO_EPISODES)
    words = (act, ground, "The queue is NATS") if act == "correct" else (act, ground)
    told = agent.data(*words)
    assert len(told["stale_packets"]) == 1
    assert packets(agent) == {"queue": [f"{act} {ground}"], "elsewhere": []}
    shown = agent.run("packet", "show", told["stale_packets"][0])
    assert "this packet no longer holds" in shown.err
    assert "1 packet compiled here shows what no longer holds" in agent.cc("status")


def test_what_a_merge_brings_makes_packets_stale_too(accepted: Clone, world: World) -> None:
    accepted.person("remember", "Deploys are fine", "--allow", "deploy", "--target", "staging/*", answers=("y",))
    (grant,) = accepted.offered()
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    ben.cc("revoke", grant)
    ben.commit()
    ben.git("push", "--quiet", "origin", "HEAD")
    accepted.cc("compile", "--task", "deploy", *NO_EPISODES)
    assert accepted.data("status")["misleading_packets"] == []
    accepted.git("pull", "--quiet")
    assert f"{grant} revoked" in packets(accepted)["deploy"]
    assert len(accepted.data("status")["misleading_packets"]) == len(accepted.data("packet", "list")) == 2


def test_a_deny_that_cuts_into_a_grant_makes_its_packets_stale(accepted: Clone) -> None:
    accepted.person("remember", "Deploys are fine", "--allow", "deploy", "--target", "*", answers=("y",))
    (grant,) = accepted.offered()
    accepted.cc("compile", "--task", "deploy", *NO_EPISODES)
    accepted.agent().cc("remember", "Not on production", "--deny", "deploy", "--target", "production/*")
    assert packets(accepted)["deploy"] == [f"{grant} limited"]


def test_code_that_changed_makes_the_packets_that_rest_on_it_stale(accepted: Clone) -> None:
    record = remembered(accepted.agent(), "main returns zero", "--anchor", "code.c")
    accepted.cc("compile", "--task", "main", *NO_EPISODES)
    (accepted.top / "code.c").write_text("int main(void) { return 1; }\n")
    accepted.git("commit", "--quiet", "-am", "Fail")
    assert packets(accepted)["main"] == [f"{record} stale"]
    assert accepted.data("status")["stale"] == [record]


def test_what_is_merely_new_misleads_nobody(chain: tuple[Clone, list[str]]) -> None:
    agent, _ = chain
    agent.cc("compile", "--task", "queue", *NO_EPISODES)
    remembered(agent, "Something else")
    assert packets(agent)["queue"] == []
    agent.cc("packet", "verify", code=Exit.FOUND)
    assert agent.data("status")["misleading_packets"] == []


def rebuilt(clone: Clone, *words: str, code: int = 0) -> list[Any]:
    found: list[Any] = clone.data("packet", "rebuild", *words, code=code)
    return found


def test_one_command_compiles_the_stale_ones_anew_each_request_once(chain: tuple[Clone, list[str]]) -> None:
    agent, (ground, _, _) = chain
    for budget in ("3000", "3000", "2000"):
        agent.cc("compile", "--task", "queue", "--budget", budget, *NO_EPISODES)
        remembered(agent, f"Note {budget} {len(agent.data('list'))}")
    newer = agent.made("correct", ground, "The queue is NATS", prefix="dec")
    found = rebuilt(agent)
    assert len(found) == 3 and len({one["new"] for one in found}) == 2
    packet = agent.data("packet", "show", found[0]["new"])
    shown = {item["id"] for section in packet["sections"] for item in section["items"]}
    assert newer in shown and ground not in shown
    assert rebuilt(agent) == []
    assert agent.data("status")["misleading_packets"] == []


def test_a_packet_that_no_longer_fits_is_named_with_the_budget_it_needs(chain: tuple[Clone, list[str]]) -> None:
    agent, (ground, _, _) = chain
    agent.cc("compile", "--task", "queue", "--budget", "400", *NO_EPISODES)
    for number in range(20):
        agent.cc("remember", f"Never touch shard {number}", "--deny", "write", "--target", f"shard/{number}")
    agent.cc("correct", ground, "The queue is NATS")
    (one,) = rebuilt(agent, code=Exit.DOES_NOT_FIT)
    assert one["new"] is None and one["needed"] > 400
    assert len(agent.data("status")["misleading_packets"]) == 1
