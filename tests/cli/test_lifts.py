"""Who is asked to confirm something is told what it lifts and what it gives force to, however it does so."""

from __future__ import annotations

import re

import pytest

from tests.cli.people import Clone

GRANT = ("remember", "Deploys to staging are fine", "--allow", "deploy", "--target", "staging/*")
DENY = ("remember", "No deploys", "--deny", "deploy")
FROZEN = r'lifts the deny prm_\w+, deploy on \* \(project=harbour\): "No deploys", which is then {}'


def test_accepting_what_supersedes_a_deny_names_the_deny(accepted: Clone) -> None:
    agent = accepted.agent()
    deny = agent.made(*DENY, prefix="prm")
    allow = agent.made(*GRANT, "--supersedes", deny, prefix="prm")
    refused = accepted.person("accept", allow, answers=("n",), code=3)
    assert f"lifts the deny {deny}" in refused
    assert re.search(FROZEN.format("superseded"), refused)
    assert accepted.standing(deny) == "current"
    accepted.person("accept", allow, answers=("y",))
    assert accepted.standing(deny) == "superseded"


@pytest.mark.parametrize("how", ["removed", "damaged"])
def test_a_deny_that_no_whole_record_holds_is_named_too(accepted: Clone, how: str) -> None:
    agent = accepted.agent()
    deny = agent.made(*DENY, prefix="prm")
    allow = agent.made(*GRANT, "--supersedes", deny, prefix="prm")
    accepted.commit()
    file = next(accepted.top.rglob(f"{deny}.toml"))
    if how == "removed":
        file.unlink()
        accepted.git("commit", "--quiet", "--all", "--no-verify", "-m", "Remove")
    else:
        day = file.parent.parent / "2026-11-30"
        day.mkdir()
        (day / file.name).write_text(file.read_text().replace("No deploys", "No deploys today"))
    refused = accepted.person("accept", allow, answers=("n",), code=3)
    assert f"lifts the deny {deny}" in refused


def test_a_deny_that_supersedes_another_is_asked_about(accepted: Clone) -> None:
    deny = accepted.agent().made(*DENY, prefix="prm")
    narrower = ("remember", "No deploys on Fridays", "--deny", "fridays", "--supersedes", deny)
    refused = accepted.person(*narrower, answers=("n",), code=3)
    assert re.search(FROZEN.format("superseded"), refused) and "Go on with this remember?" in refused
    assert accepted.standing(deny) == "current"


def test_grants_that_come_back_with_a_lifted_deny_are_named(accepted: Clone) -> None:
    accepted.person(*GRANT, answers=("y",))
    (grant,) = accepted.offered()
    deny = accepted.agent().made(*DENY, prefix="prm")
    said = accepted.person("revoke", deny, answers=("n",), code=3)
    assert f"lifts the deny {deny}" in said
    assert f"lets the allow {grant}, deploy on staging/*" in said
    narrow = accepted.agent().made(*DENY[:2], "--deny", "deploy", "--target", "staging/a", prefix="prm")
    accepted.person("revoke", deny, answers=("y",))
    assert f"widens the allow {grant}" in accepted.person("revoke", narrow, answers=("n",), code=3)


def test_a_correction_of_a_deny_names_what_it_no_longer_forbids(accepted: Clone) -> None:
    deny = accepted.agent().made(*DENY, prefix="prm")
    said = accepted.person("correct", deny, "--set", "target=production/*", answers=("n",), code=3)
    assert f"lifts the deny {deny}" in said


def test_a_promise_to_refrain_is_named(accepted: Clone) -> None:
    promise = accepted.agent().made("remember", "Never force-push", "--refrain", prefix="cmt")
    new = accepted.agent().made("remember", "Push as you like", "-k", "commitment", "--set", "mode=act",
                                "--supersedes", promise, prefix="cmt")  # fmt: skip
    said = accepted.person("accept", new, answers=("n",), code=3)
    assert f'lifts the promise to refrain {promise} (project=harbour): "Never force-push"' in said


def test_what_is_lifted_only_later_is_named_today(accepted: Clone) -> None:
    deny = accepted.agent().made(*DENY, prefix="prm")
    later = ("--supersedes", deny, "--valid-from", "2099-01-01T00:00:00Z")
    said = accepted.person(*GRANT, *later, answers=("n",), code=3)
    assert f"From 2099-01-01T00:00:00Z on it lifts the deny {deny}" in said


def test_a_deny_that_only_begins_is_named_also_at_an_earlier_now(accepted: Clone) -> None:
    deny = accepted.agent().made(*DENY, "--valid-from", "2099-01-01T00:00:00Z", prefix="prm")
    allow = accepted.agent().made(*GRANT, "--supersedes", deny, prefix="prm")
    for words in ((), ("--now", "2020-01-01")):
        said = accepted.person("accept", allow, *words, answers=("n",), code=3)
        assert f"lifts the deny {deny}" in said


@pytest.mark.parametrize("claims", [(), ("--authority", "user-explicit")], ids=["proposed", "reported"])
def test_review_names_it_in_the_list_and_in_the_question(accepted: Clone, claims: tuple[str, ...]) -> None:
    agent = accepted.agent()
    deny = agent.made(*DENY, prefix="prm")
    allow = agent.made(*GRANT, "--supersedes", deny, *claims, prefix="prm")
    (item,) = accepted.data("review", "--list")["items"]
    assert item["id"] == allow
    assert any(f"lifts the deny {deny}" in line for line in item["effects"])
    assert f"lifts the deny {deny}" in accepted.cc("review", "--list")
    assert re.search(FROZEN.format("superseded"), accepted.person("review", answers=("s",)))


def test_review_judges_each_answer_with_the_ones_before(accepted: Clone) -> None:
    agent = accepted.agent()
    deny = agent.made(*DENY, prefix="prm")
    for number in range(2):
        agent.made(*GRANT[:1], f"Deploys {number}", *GRANT[2:], "--supersedes", deny, prefix="prm")
    said = accepted.person("review", answers=("y", "s"))
    assert said.count("lifts the deny") == 1


def test_what_lifts_nothing_is_asked_about_no_more_than_before(accepted: Clone) -> None:
    accepted.agent().cc(*DENY)
    accepted.person("remember", "We use tabs", "-k", "decision")
    accepted.person("remember", "No pushes", "--deny", "push")
    accepted.person(*GRANT, answers=("y",))
    assert accepted.offered() == set()
