"""A host model's proposals: checked one by one, put forward, and nothing that stands changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cc_git.codec.proposals_schema import PAGE, page
from cc_git.errors import Exit
from tests.cli.people import Clone

PROJECT = Path(__file__).resolve().parent.parent.parent


def handed_in(clone: Clone, *proposals: dict[str, Any], code: int = 0, more: tuple[str, ...] = ()) -> Any:
    (clone.top / "proposals.json").write_text(
        json.dumps({"format": "cc-git-proposals/1", "proposals": list(proposals)})
    )
    return clone.data("consolidate", "--proposals", "proposals.json", *more, code=code)


def made(done: Any) -> list[str]:
    return [one["proposal"]["id"] for one in done["findings"] if one["proposal"]]


@pytest.fixture
def scene(accepted: Clone) -> tuple[Clone, str, str]:
    """An agent's clone, an episode, and a decision that stands."""
    agent = accepted.agent()
    decision = agent.made("remember", "Deploys go out on Tuesdays", "-k", "decision", "--subject", "day", prefix="dec")
    return agent, agent.made("capture", "We talked about deploys", prefix="ep"), decision


def test_each_of_the_seven_sorts_is_taken_and_none_changes_what_stands(scene: tuple[Clone, str, str]) -> None:
    agent, episode, decision = scene
    end = "2027-01-01T00:00:00Z"
    done = handed_in(
        agent,
        {"sort": "add", "sources": [episode], "kind": "belief", "text": "The cache is cold after a restart"},
        {"sort": "reinforce", "sources": [episode], "target": decision},
        {"sort": "supersede", "sources": [episode], "target": decision, "text": "Deploys go out on Mondays"},
        {"sort": "conflict", "sources": [episode], "target": decision, "text": "Deploys go out on Fridays"},
        {"sort": "expire", "sources": [episode], "target": decision, "valid_to": end},
        {"sort": "no-change", "sources": [episode]},
        {
            "sort": "procedure-candidate",
            "sources": [episode],
            "text": "Warm the cache",
            "fields": {"steps": ["curl /"]},
        },
    )
    assert {sort: number for sort, number in done["counts"].items() if number} == dict.fromkeys(
        ("add", "reinforce", "supersede", "conflict", "expire", "no-change", "procedure-candidate"), 1
    )
    assert {agent.standing(i) for i in made(done)} == {"proposed"}
    assert (agent.standing(decision), done["turned_down"]) == ("current", [])
    assert {one["proposal"]["actor"] for one in done["findings"] if one["proposal"]} == {"agent:claude-code/opus"}
    assert agent.data("consolidate")["counts"]["add"] == 0, "the episode was dealt with"


def test_a_proposal_that_is_accepted_takes_its_place(accepted: Clone, scene: tuple[Clone, str, str]) -> None:
    agent, episode, decision = scene
    done = handed_in(
        agent, {"sort": "supersede", "sources": [episode], "target": decision, "text": "Deploys go out on Mondays"}
    )
    (new,) = made(done)
    accepted.person("accept", new)
    assert (accepted.standing(new), accepted.standing(decision)) == ("current", "superseded")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sources": ["ep_01m8qnrh28m7q8kzjzpqq0z9cc"]}, "no episode"),
        ({"text": "Deploys go out on Tuesdays", "kind": "decision"}, "says it already"),
        ({"kind": "permission", "fields": {"effect": "deny", "action": "deploy"}}, "a restraint is not put forward"),
        ({"kind": "commitment", "fields": {"mode": "refrain"}}, "a restraint is not put forward"),
        ({"kind": "permission", "fields": {"effect": "allow"}}, "action"),
        ({"kind": "hypothesis"}, "expires_at"),
        ({"kind": None}, "of what kind"),
        ({"text": None}, "needs its text"),
        ({"fields": {"rank": 1}}, "rank"),
        ({"sort": "supersede"}, "needs a target"),
        ({"sort": "expire", "target": "decision", "text": None, "kind": None}, "needs valid_to"),
        ({"target": "decision"}, "has no target"),
    ],
)
def test_one_that_does_not_pass_is_turned_down_and_the_others_are_taken(
    scene: tuple[Clone, str, str], change: dict[str, Any], says: str
) -> None:
    agent, episode, decision = scene
    good = {"sort": "add", "sources": [episode], "kind": "belief", "text": "The cache is cold after a restart"}
    bad = {**good, "text": "Something else", **change}
    if bad.get("target") == "decision":
        bad["target"] = decision
    done = handed_in(agent, {k: v for k, v in bad.items() if v is not None}, good, code=Exit.FOUND)
    (one,) = done["turned_down"]
    assert one["number"] == 1 and says in one["why"]
    assert [agent.standing(i) for i in made(done)] == ["proposed"]


@pytest.mark.parametrize("file", ["[]", '{"format": "cc-git-proposals/1", "proposals": [], "grant": 1}', "{", "null"])
def test_a_file_that_is_none_is_refused_whole(scene: tuple[Clone, str, str], file: str) -> None:
    agent, _, _ = scene
    (agent.top / "proposals.json").write_text(file)
    agent.cc("consolidate", "--proposals", "proposals.json", code=Exit.USAGE)


def test_a_grant_that_a_model_proposes_waits_for_an_attested_person(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    grant = {"sort": "add", "sources": [episode], "kind": "permission", "text": "Deploys are fine",
             "fields": {"effect": "allow", "action": "deploy"}}  # fmt: skip
    (new,) = made(handed_in(agent, grant))
    agent.run("accept", new, code=Exit.REFUSED)
    assert (agent.standing(new), agent.offered()) == ("proposed", set())


def test_what_restrains_is_not_superseded_by_a_proposal(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    deny = agent.made("remember", "Not now", "--deny", "deploy", prefix="prm")
    change = {"sort": "supersede", "sources": [episode], "target": deny, "text": "Now", "fields": {"effect": "allow"}}
    done = handed_in(agent, change, code=Exit.FOUND)
    assert "restrains" in done["turned_down"][0]["why"]


def test_it_is_as_sensitive_and_as_narrow_as_what_it_rests_on(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    secret = agent.made("capture", "Between us", "--sensitivity", "sensitive", "--thread", "t1", prefix="ep")
    done = handed_in(agent, {"sort": "add", "sources": [episode, secret], "kind": "belief", "text": "They may leave"})
    shown = agent.data("show", made(done)[0])
    assert shown["file"].startswith("private/")
    assert (shown["value"]["sensitivity"], shown["value"]["scope"]["thread"]) == ("sensitive", "t1")


def test_the_same_file_twice_puts_nothing_forward_again(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    one = {"sort": "add", "sources": [episode], "kind": "belief", "text": "The cache is cold after a restart"}
    assert len(made(handed_in(agent, one))) == 1
    again = handed_in(agent, one, code=Exit.FOUND)
    assert made(again) == [] and "says it already" in again["turned_down"][0]["why"]


def test_a_dry_run_writes_nothing(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    one = {"sort": "add", "sources": [episode], "kind": "belief", "text": "The cache is cold after a restart"}
    before = len(agent.data("list", "--all"))
    assert len(made(handed_in(agent, one, more=("--dry-run",)))) == 1
    assert len(agent.data("list", "--all")) == before


def test_the_published_schema_is_the_models() -> None:
    assert (PROJECT / PAGE).read_text() == page(), "run `python -m cc_git.codec.proposals_schema`"
