"""Before an operation: what forbids it, what needs a look, and what stands in nobody's way."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.model.ids import short
from tests.cli.people import Clone, World

FAILED = "fatal: Unable to create '/w/.git/index.lock': File exists."


def before(clone: Clone, *words: str, code: int) -> Any:
    return clone.data("preflight", *words, code=code)


def concerns(found: Any) -> list[tuple[str, str]]:
    return [(one["weight"], one["why"]) for one in found["concerns"]]


def test_nothing_concerns_it_in_an_empty_workspace(accepted: Clone) -> None:
    found = before(accepted, "git push", "--target", "main", code=0)
    assert (found["verdict"], found["concerns"], found["runbooks"]) == ("clear", [], [])


def test_a_deny_forbids_what_it_covers_whoever_wrote_it(accepted: Clone) -> None:
    accepted.agent().cc("remember", "Hands off", "--deny", "deploy", "--target", "production/*")
    assert concerns(before(accepted, "deploy", "--target", "production/eu", code=3))[0] == ("forbids", "denied")
    assert concerns(before(accepted, "Deploy", "--target", "production/eu", code=3))[0][0] == "forbids"
    assert concerns(before(accepted, "kubectl deploy", "--target", "production/eu", code=3))[0][0] == "forbids"
    assert ("look", "denied for a part of it") in concerns(before(accepted, "deploy", "--target", "*", code=1))
    found = before(accepted, "deploy", code=1)
    assert ("look", "denied for some targets: name yours with --target") in concerns(found)
    assert not any("denied" in why for _, why in concerns(before(accepted, "deploy", "--target", "test", code=1)))


def test_the_words_of_a_command_line_name_what_a_deny_is_about(accepted: Clone) -> None:
    accepted.cc("remember", "Not there", "--deny", "push", "--target", "main")
    assert before(accepted, "git push origin main", code=3)["verdict"] == "forbidden"
    assert "denied" not in [why for _, why in concerns(before(accepted, "git pushd origin domain", code=1))]


def test_a_deny_under_conditions_is_for_a_person_to_read(accepted: Clone) -> None:
    accepted.cc("remember", "With care", "--deny", "deploy", "--set", "conditions=the audit runs")
    found = before(accepted, "deploy", code=1)
    assert ("look", "denied under conditions, which nothing here can check") in concerns(found)


def test_a_grant_permits_only_what_it_covers_whole(accepted: Clone) -> None:
    accepted.person("remember", "Staging is free", "--allow", "deploy", "--target", "staging/*", answers=("y",))
    assert concerns(before(accepted, "deploy", "--target", "staging/eu", code=0)) == [("permits", "permitted")]
    for words in (("deploy", "--target", "production"), ("deploy all", "--target", "staging/eu"), ("delete",)):
        found = before(accepted, *words, code=1)
        assert concerns(found) == [("look", "nothing here permits it: what is not permitted needs a person's word")]
    assert ("look", "permitted for some targets: name yours with --target") in concerns(
        before(accepted, "deploy", code=1)
    )


def test_what_an_agent_grants_itself_permits_nothing(accepted: Clone) -> None:
    accepted.cc("remember", "Something is granted or denied here", "--deny", "delete")
    accepted.agent().cc("remember", "I may", "--allow", "deploy")
    assert "permits" not in [weight for weight, _ in concerns(before(accepted.agent(), "deploy", code=1))]


def test_a_revoked_grant_and_a_deny_inside_a_grant_are_told(accepted: Clone) -> None:
    accepted.person("remember", "Free", "--allow", "deploy", answers=("y",))
    grant = accepted.data("list", "-k", "permission")[0]["id"]
    accepted.agent().cc("remember", "Not there", "--deny", "deploy", "--target", "production")
    assert before(accepted, "deploy", "--target", "production", code=3)["verdict"] == "forbidden"
    assert concerns(before(accepted, "deploy", "--target", "staging", code=0)) == [("permits", "permitted")]
    accepted.agent().cc("revoke", grant)
    found = before(accepted, "deploy", "--target", "staging", code=1)
    assert ("look", "was permitted, and is no more") in concerns(found)


def test_in_a_workspace_that_nobody_adopted_no_grant_is_in_force(ana: Clone) -> None:
    ana.person("remember", "Free", "--allow", "deploy", answers=("y",))
    assert ("look", "a grant that is not in force here (cc-git trust)") in concerns(before(ana, "deploy", code=1))


def test_a_promise_forbids_what_it_names_and_asks_for_a_look_where_it_may(accepted: Clone) -> None:
    accepted.agent().cc("remember", "The billing schema is not migrated until the audit is over", "--refrain")
    found = before(accepted, "migrate", "--target", "billing schema", code=3)
    assert concerns(found) == [("forbids", "promised not to")]
    assert concerns(before(accepted, "migrate users", code=1)) == [("look", "a promise to refrain that may mean this")]
    assert before(accepted, "write notes", code=0)["other_restraints"] == 1


def test_a_restraint_above_the_ceiling_forbids_in_brief(accepted: Clone) -> None:
    accepted.cc("remember", "Never to the bank", "--deny", "deploy", "--sensitivity", "sensitive")
    said = accepted.run("preflight", "deploy", code=3)
    assert "bank" not in said.out and "deny deploy" in said.out


def test_known_failures_of_consequence_and_what_just_failed_need_a_look(accepted: Clone) -> None:
    accepted.cc("remember", "The migration locked the table", "-k", "failure", "--set", "severity=high")
    assert concerns(before(accepted, "run the migration", code=1)) == [("look", "went wrong before")]
    accepted.cc("capture", "deploy: exit code 1", "--type", "outcome", "--tag", "failed")
    assert ("look", "it failed just now, or something that names it did") in concerns(
        before(accepted, "deploy", code=1)
    )


def test_guardrails_about_it_need_a_look_and_procedures_are_shown(accepted: Clone) -> None:
    accepted.person("runbook", "add", "How to deploy", "--trigger", "deploy", "--do", "run it")
    found = before(accepted, "deploy", code=0)
    assert [(b["name"], b["do"]) for b in found["runbooks"]] == [("how-to-deploy", ["run it"])]
    accepted.person("runbook", "add", "Always", "-k", "guardrail")
    assert before(accepted, "deploy", code=0)["runbooks"][1]["reasons"] == ["holds for all work"]
    accepted.person("runbook", "add", "--template", "hard-to-take-back")
    found = before(accepted, "deploy", code=1)
    assert [(b["name"], b["weight"]) for b in found["runbooks"]] == [
        ("hard-to-take-back", "look"),
        ("how-to-deploy", "known"),
        ("always", "known"),
    ]


def test_a_reported_failure_wakes_the_remedy_and_only_then(accepted: Clone) -> None:
    accepted.person("runbook", "add", "--template", "git-index-lock")
    assert before(accepted, "git commit", code=0)["runbooks"] == []
    found = before(accepted, "git commit", "--signal", FAILED, code=1)
    assert [b["name"] for b in found["runbooks"]] == ["git-index-lock"]


def test_a_runbook_that_cannot_be_read_is_told_and_needs_a_look(accepted: Clone) -> None:
    accepted.cc("runbook", "add", "How", "--trigger", "deploy")
    (accepted.top / ".continuity" / "runbooks" / "how.toml").write_text("<<<<<<< HEAD\n")
    found = accepted.run("preflight", "deploy", code=1)
    assert "how.toml:1: has merge conflict markers" in found.err


@pytest.mark.parametrize("code", [0, 3])
def test_people_read_the_verdict_first(accepted: Clone, code: int) -> None:
    if code:
        accepted.cc("remember", "No", "--deny", "deploy")
    first = accepted.run("preflight", "deploy", code=code).out.splitlines()[0]
    assert first == ('"deploy": forbidden' if code else '"deploy": clear')


def test_a_deny_covers_its_target_however_that_is_spelled(accepted: Clone) -> None:
    accepted.person("remember", "All is free", "--allow", "deploy", answers=("y",))
    accepted.cc("remember", "Frozen", "--deny", "deploy", "--target", "staging/*")
    for target in ("./staging/x", "/staging/x", "STAGING/x", "prod/../staging/x", "staging\\x", "staging%2fx"):
        assert concerns(before(accepted, "deploy", "--target", target, code=3))[0] == ("forbids", "denied"), target
    before(accepted, "deploy", "--target", "staging-2", code=0)


def test_where_nobody_adopted_the_workspace_nothing_is_clear(world: World, accepted: Clone) -> None:
    accepted.commit()
    accepted.git("push", "-q", "origin", "main")
    ben = world.clone("ben")
    assert before(ben, "deploy", code=1)["verdict"] == "needs a look"


def test_a_grant_does_not_reach_out_of_its_folder(accepted: Clone) -> None:
    accepted.person("remember", "Here", "--allow", "deploy", "--target", "prod/*", answers=("y",))
    before(accepted, "deploy", "--target", "prod/x", code=0)
    before(accepted, "deploy", "--target", "prod/../staging/x", code=1)


def test_in_an_untrusted_clone_nothing_is_clear_and_what_nobody_attested_is_named(
    accepted: Clone, world: World
) -> None:
    grant = accepted.made("remember", "Free", "--allow", "deploy", "--target", "staging/*", prefix="prm")
    revoke = accepted.made("revoke", grant, prefix="ru")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    found = before(ben, "deploy", "--target", "staging/eu", code=1)
    assert found["verdict"] == "needs a look"
    assert (
        "look",
        "nobody has adopted this workspace on this machine: nothing permits here (cc-git trust)",
    ) in concerns(found)
    assert [one["id"] for one in found["concerns"]] == [None, grant]
    assert f"was taken back by {short(revoke)}" in found["concerns"][1]["why"]
    assert concerns(before(ben, "format", code=1))[0][0] == "look"
    assert grant not in {one["id"] for one in before(ben, "deploy", "--target", "production", code=1)["concerns"]}
