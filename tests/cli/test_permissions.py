"""Model prose proposes, it never grants; restraint from anyone, release by a person: from the command line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cc_git.codec.paths import tombstone_path
from tests.cli.people import Clone, World

GRANT = ("remember", "Deploys to staging are fine", "--allow", "deploy", "--target", "staging/*")


def test_an_agents_permission_is_a_proposal_whatever_it_claims(accepted: Clone) -> None:
    agent = accepted.agent()
    plain = agent.made(*GRANT, prefix="prm")
    claimed = agent.made(*GRANT, "--authority", "user-explicit", prefix="prm")
    assert {agent.standing(plain), agent.standing(claimed)} == {"proposed"}
    assert accepted.offered() == set()


def test_no_flag_makes_an_agent_a_person(accepted: Clone) -> None:
    agent = accepted.agent()
    identifier = agent.made(*GRANT, prefix="prm")
    assert agent.run("accept", identifier, "--actor", "human:ana", code=None).code == 3
    agent.cc("accept", identifier, "--authority", "user-explicit", code=3)
    refused = agent.run("accept", identifier, code=3)
    assert "would change nothing" in refused.err and "cc-git review" in refused.err
    assert accepted.standing(identifier) == "proposed"
    assert accepted.offered() == set()


def test_a_person_without_a_terminal_cannot_grant(accepted: Clone) -> None:
    identifier = accepted.made(*GRANT, prefix="prm")
    warned = accepted.run("accept", identifier)
    assert "no effect here until a person attests it" in warned.err
    assert accepted.standing(identifier) == "proposed"


def test_a_persons_grant_at_a_terminal_stands_after_a_question(accepted: Clone) -> None:
    said = accepted.person(*GRANT, answers=("y",))
    assert "Allow deploy on staging/* (project=harbour)?" in said
    (line,) = accepted.data("list", "--kind", "permission")
    assert (line["standing"], line["attested"]) == ("current", True)
    assert accepted.offered() == {line["id"]}


def test_a_grant_that_is_not_confirmed_is_not_written(accepted: Clone) -> None:
    said = accepted.person(*GRANT, answers=("n",), code=3)
    assert "not confirmed" in said
    assert accepted.data("list", "--all") == []


def test_a_persons_accept_at_a_terminal_grants(accepted: Clone) -> None:
    identifier = accepted.agent().made(*GRANT, prefix="prm")
    accepted.person("accept", identifier, answers=("y",))
    assert accepted.standing(identifier) == "current"
    assert accepted.offered() == {identifier}


def test_review_lets_a_reported_grant_stand(accepted: Clone) -> None:
    identifier = accepted.agent().made(*GRANT, "--authority", "user-explicit", prefix="prm")
    accepted.person("review", answers=("y", "q"))
    assert accepted.standing(identifier) == "current"


def test_a_hand_written_file_that_claims_a_person_grants_nothing(accepted: Clone) -> None:
    identifier = accepted.made(*GRANT, prefix="prm")
    shown = accepted.data("show", identifier)
    text = (accepted.top / ".continuity" / shown["file"]).read_text()
    forged = text.replace(identifier, identifier[:-4] + "zzzz")
    path = accepted.top / ".continuity" / shown["file"].replace(identifier, identifier[:-4] + "zzzz")
    path.write_text(forged)
    assert accepted.standing(identifier[:-4] + "zzzz") == "proposed"
    assert accepted.offered() == set()


def test_a_looser_policy_in_the_tree_grants_nothing(accepted: Clone) -> None:
    identifier = accepted.agent().made(*GRANT, prefix="prm")
    policy = accepted.top / ".continuity" / "workspace.toml"
    policy.write_text(policy.read_text().replace('permission = "user-explicit"', 'permission = "agent-inference"'))
    assert accepted.standing(identifier) == "proposed"
    accepted.git("commit", "--quiet", "-am", "Loosen the policy")
    assert accepted.standing(identifier) == "proposed"


def test_an_agents_deny_works_at_once_and_only_a_person_lifts_it(accepted: Clone) -> None:
    accepted.person(*GRANT, answers=("y",))
    deny = accepted.agent().made(
        "remember", "Staging is frozen", "--deny", "deploy", "--target", "staging/*", prefix="prm"
    )
    assert accepted.standing(deny) == "current"
    assert accepted.offered() == set()
    for verb in ("revoke", "expire", "release", "archive", "reject"):
        accepted.agent().run(verb, deny, code=None)
        accepted.run(verb, deny, code=None)
    assert accepted.standing(deny) == "current"
    accepted.agent().cc("remember", "Thawed", "--deny", "nothing", "--supersedes", deny)
    assert accepted.standing(deny) in ("current", "conflicted")
    assert accepted.offered() == set()
    accepted.person("revoke", deny, answers=("y",))
    assert accepted.standing(deny) == "revoked"
    assert len(accepted.offered()) == 1


def test_a_revoke_is_written_where_its_grant_does_not_stand_yet(accepted: Clone, world: World) -> None:
    grant = accepted.made(*GRANT, prefix="prm")
    warned = accepted.agent().run("revoke", grant)
    assert "wherever one of them would stand" in warned.err
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert accepted.standing(grant) == "revoked"


def test_an_agents_revoke_works_at_once_and_nothing_lifts_it(accepted: Clone) -> None:
    accepted.person(*GRANT, answers=("y",))
    (grant,) = accepted.offered()
    accepted.agent().cc("revoke", grant)
    assert accepted.standing(grant) == "revoked"
    assert accepted.offered() == set()
    accepted.person("accept", grant, answers=("y",), code=3)
    assert accepted.standing(grant) == "revoked"
    accepted.person("correct", grant, "Deploys to staging are fine again", answers=("y",), code=3)
    accepted.person(*GRANT, answers=("y",))
    assert accepted.offered() != {grant} and len(accepted.offered()) == 1


def test_what_is_pushed_into_the_accepted_branch_grants_in_another_clone(accepted: Clone, world: World) -> None:
    identifier = accepted.made(*GRANT, prefix="prm")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    assert ben.standing(identifier) == "proposed"
    ben.git("config", "continuity.acceptedRef", "origin/main")
    assert ben.standing(identifier) == "current"
    assert ben.offered() == {identifier}


def test_a_proposal_in_the_accepted_branch_stays_a_proposal(accepted: Clone) -> None:
    identifier = accepted.agent().made(*GRANT, prefix="prm")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert accepted.standing(identifier) == "proposed"


def _revoked_elsewhere(accepted: Clone, world: World) -> tuple[str, Clone]:
    """A grant in main, and a branch of Ben's, pushed, that revokes it."""
    grant = accepted.made(*GRANT, prefix="prm")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert accepted.offered() == {grant}
    ben = world.clone("ben")
    ben.git("switch", "--quiet", "--create", "ben/freeze")
    ben.cc("revoke", grant, "--reason", "frozen")
    ben.commit()
    ben.git("push", "--quiet", "origin", "HEAD")
    return grant, ben


def test_a_revoke_on_a_branch_that_was_only_fetched_counts_and_is_kept(accepted: Clone, world: World) -> None:
    grant, ben = _revoked_elsewhere(accepted, world)
    accepted.git("fetch", "--quiet")
    assert accepted.offered() == set()
    ben.git("push", "--quiet", "origin", "--delete", "ben/freeze")
    accepted.git("fetch", "--quiet", "--prune")
    assert accepted.offered() == set()
    (withheld,) = accepted.data("review", "--list")["withheld"]
    assert withheld["branch"] == "refs/remotes/origin/ben/freeze"
    assert grant not in accepted.offered()


@pytest.mark.parametrize("named", ["the grant", "the revoke"])
def test_a_person_dismisses_what_another_branch_takes_away(accepted: Clone, world: World, named: str) -> None:
    grant, _ = _revoked_elsewhere(accepted, world)
    accepted.git("fetch", "--quiet")
    (withheld,) = accepted.data("review", "--list")["withheld"]
    part = grant if named == "the grant" else withheld["id"]
    assert "only a person at a terminal" in accepted.agent().run("dismiss", part, code=3).err
    assert "only a person at a terminal" in accepted.run("dismiss", part, code=3).err
    assert "would withhold nothing" in accepted.cc("dismiss", part, "--dry-run")
    assert accepted.offered() == set()
    assert "not confirmed" in accepted.person("dismiss", part, answers=("n",), code=3)
    said = accepted.person("dismiss", part, answers=("y",))
    assert "refs/remotes/origin/ben/freeze, by " in said
    assert accepted.offered() == {grant}
    assert "nothing withholds" in accepted.run("dismiss", grant, code=2).err
    accepted.git("merge", "--quiet", "--no-edit", "origin/ben/freeze")
    assert accepted.offered() == set()


def test_a_revoke_on_a_deleted_local_branch_still_counts(accepted: Clone) -> None:
    grant = accepted.made(*GRANT, prefix="prm")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    accepted.git("switch", "--quiet", "--create", "freeze")
    accepted.cc("revoke", grant)
    accepted.commit()
    accepted.git("switch", "--quiet", "main")
    accepted.git("branch", "--quiet", "-D", "freeze")
    assert accepted.offered() == set()


def test_a_reverted_revoke_still_counts_here_and_in_a_fresh_clone(accepted: Clone, world: World) -> None:
    grant = accepted.made(*GRANT, prefix="prm")
    accepted.commit()
    accepted.cc("revoke", grant)
    accepted.commit("Revoke")
    accepted.git("revert", "--no-edit", "HEAD")
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert accepted.offered() == set()
    cleo = world.clone("cleo")
    cleo.git("config", "continuity.acceptedRef", "origin/main")
    assert cleo.offered() == set()
    assert cleo.standing(grant) == "revoked"


def _narrowed(accepted: Clone) -> tuple[str, str]:
    """A wide grant, and a narrower one of an agent's that a person accepted, in a commit of its own."""
    accepted.person("remember", "Deploy anywhere", "--allow", "deploy", "--target", "*", answers=("y",))
    (wide,) = accepted.offered()
    accepted.commit()
    words = ("remember", "Deploy to staging alone", "--allow", "deploy", "--target", "staging/*", "--supersedes", wide)
    narrow = accepted.agent().made(*words, prefix="prm")
    accepted.person("accept", narrow, answers=("y",))
    accepted.commit()
    assert accepted.offered() == {narrow}
    return wide, narrow


def test_a_grant_that_an_accepted_narrower_one_superseded_comes_back_nowhere(accepted: Clone) -> None:
    wide, _ = _narrowed(accepted)
    accepted.git("switch", "--quiet", "--create", "older", "HEAD~1")
    assert (accepted.standing(wide), accepted.offered()) == ("superseded", set())
    accepted.git("switch", "--quiet", "main")
    accepted.git("revert", "--no-edit", "HEAD")
    assert (accepted.standing(wide), accepted.offered()) == ("superseded", set())


def test_nor_when_the_accepted_branch_takes_the_narrower_one_back(accepted: Clone, world: World) -> None:
    wide = accepted.made("remember", "Deploy anywhere", "--allow", "deploy", "--target", "*", prefix="prm")
    accepted.commit()
    words = ("remember", "Deploy to staging alone", "--allow", "deploy", "--target", "staging/*", "--supersedes", wide)
    narrow = accepted.made(*words, prefix="prm")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    ben.git("config", "continuity.acceptedRef", "origin/main")
    assert (accepted.offered(), ben.offered()) == ({narrow}, {narrow})
    accepted.git("revert", "--no-edit", "HEAD")
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben.git("fetch", "--quiet")
    assert (ben.standing(wide), ben.standing(narrow), ben.offered()) == ("superseded", "proposed", set())
    ben.git("pull", "--quiet")
    cleo = world.clone("cleo")
    cleo.git("config", "continuity.acceptedRef", "origin/main")
    for clone in (accepted, ben, cleo):
        assert (clone.standing(wide), clone.offered()) == ("superseded", set())


@pytest.mark.parametrize(
    ("verb", "standing"), [("expire", "expired"), ("archive", "archived"), ("release", "released")]
)
def test_whatever_a_person_ended_a_grant_with_holds_on_every_branch(accepted: Clone, verb: str, standing: str) -> None:
    accepted.person(*GRANT, answers=("y",))
    (grant,) = accepted.offered()
    accepted.commit()
    accepted.person(verb, grant, answers=("y",))
    accepted.commit()
    accepted.git("switch", "--quiet", "--create", "older", "HEAD~1")
    assert (accepted.standing(grant), accepted.offered()) == (standing, set())
    accepted.git("switch", "--quiet", "main")
    accepted.git("revert", "--no-edit", "HEAD")
    assert (accepted.standing(grant), accepted.offered()) == (standing, set())


def test_a_hostile_branch_of_tombstones_only_withholds(accepted: Clone, world: World) -> None:
    decisions = [accepted.made("remember", f"Decision {n}", "-k", "decision", prefix="dec") for n in range(3)]
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    mallory = world.clone("mallory")
    mallory.git("switch", "--quiet", "--create", "evil")
    for identifier in decisions:
        path = mallory.top / ".continuity" / tombstone_path(identifier)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'format = "cc-git/1"\nid = "{identifier}"\n')
    mallory.git("add", "-A")
    mallory.git("commit", "--quiet", "-m", "Erase")
    mallory.git("push", "--quiet", "origin", "HEAD")
    accepted.git("fetch", "--quiet")
    lines = accepted.data("list", "--all")
    assert {line["id"] for line in lines} == set(decisions)
    assert all("withheld" in line["flags"] for line in lines)
    assert len(accepted.data("review", "--list")["withheld"]) == 3
    for identifier in decisions:
        assert accepted.data("show", identifier)["value"]["title"].startswith("Decision")
    accepted.person("review", answers=("n", "n", "n", "q"))
    assert {line["standing"] for line in accepted.data("list")} == {"current"}


def test_the_processes_of_these_tests_are_real(ana: Clone) -> None:
    done = subprocess.run(["git", "-C", str(ana.top), "log", "--format=%an"], capture_output=True, text=True)
    assert done.stdout == "Ana\n"


def test_whoever_commits_an_agents_claim_is_told(accepted: Clone) -> None:
    accepted.cc("hooks", "install")
    accepted.agent().cc(*GRANT, "--authority", "user-explicit")
    accepted.agent().cc("remember", "Frozen", "--deny", "deploy", "--authority", "user-explicit")
    (accepted.top / "code.c").write_text("int main(void) { return 1; }\n")
    said = accepted.git("commit", "-am", "Fix a typo")
    assert said.count("wrote this in a person's name") == 1
    assert "agent:claude-code/opus wrote this" in said


def test_a_local_branch_is_no_accepted_branch(ana: Clone) -> None:
    assert "is a local branch" in ana.person("trust", "--accepted-ref", "main", code=3)
    assert "there is no branch" in ana.person("trust", "--accepted-ref", "origin/mian", code=2)
    assert ana.data("status")["trusted"] is False


def test_an_agents_environment_names_no_accepted_branch(accepted: Clone) -> None:
    accepted.git("switch", "--quiet", "--create", "evil")
    grant = accepted.made(*GRANT, prefix="prm")
    accepted.commit()
    named = {"GIT_CONFIG_KEY_0": "continuity.acceptedRef", "GIT_CONFIG_VALUE_0": "refs/heads/evil"}
    agent = Clone(accepted.top, "ana", {"GIT_CONFIG_COUNT": "1", **named}).agent()
    assert (agent.standing(grant), agent.offered()) == ("proposed", set())


def _tombstone(clone: Clone, identifier: str, text: str | None = None) -> Path:
    """A tombstone as any agent can write one."""
    path = clone.top / ".continuity" / tombstone_path(identifier)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'format = "cc-git/1"\nid = "{identifier}"\n' if text is None else text)
    return path


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("text", [None, "", "garbage\n"])
def test_a_tombstone_of_an_agents_lifts_no_restraint(accepted: Clone, committed: bool, text: str | None) -> None:
    accepted.person(*GRANT, answers=("y",))
    deny = accepted.made("remember", "Frozen", "--deny", "deploy", prefix="prm")
    promise = accepted.made("remember", "Never force-push", "--kind", "commitment", "--refrain", prefix="cmt")
    if committed:
        accepted.commit()
    for identifier in (deny, promise):
        _tombstone(accepted, identifier, text)
    assert (accepted.standing(deny), accepted.standing(promise), accepted.offered()) == ("current", "current", set())
    shown = {item["id"] for section in accepted.packet()["sections"] for item in section["items"]}
    assert {deny, promise} <= shown
    accepted.git("add", "-A")
    accepted.git("commit", "--quiet", "-m", "Forget the freeze")
    assert (accepted.standing(deny), accepted.standing(promise), accepted.offered()) == ("current", "current", set())


def test_nor_does_it_free_the_other_side_of_a_conflict(accepted: Clone) -> None:
    for when in ("on weekdays", "at night"):
        words = ("remember", f"Deploy staging {when}", "--allow", "deploy", "--subject", "staging")
        accepted.person(*words, answers=("y",))
    accepted.commit()
    first, second = (line["id"] for line in accepted.data("list", "--kind", "permission"))
    assert accepted.offered() == set()
    _tombstone(accepted, first)
    assert (accepted.standing(second), accepted.offered()) == ("conflicted", set())


def test_a_clone_whose_history_is_cut_short_says_so(accepted: Clone, world: World) -> None:
    grant = accepted.made(*GRANT, prefix="prm")
    accepted.commit()
    accepted.cc("revoke", grant)
    accepted.commit("Revoke")
    accepted.git("revert", "--no-edit", "HEAD")
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben", "--depth", "1")
    ben.git("config", "continuity.acceptedRef", "origin/main")
    for words in (("compile",), ("status",), ("doctor",)):
        said = ben.run(*words, code=None)
        assert "history is cut short" in " ".join((said.out + said.err).split())
    ben.git("fetch", "--quiet", "--unshallow")
    assert (ben.standing(grant), ben.offered()) == ("revoked", set())
    assert "cut short" not in ben.cc("compile")
