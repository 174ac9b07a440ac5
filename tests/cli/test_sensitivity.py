"""What rests on something sensitive is as sensitive, and a tree alone lets nothing more into commits."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from tests.cli.people import Clone, World

WORD = "SECRETWORD"
SECRET = ("remember", f"The {WORD} is here", "--sensitivity", "sensitive")


def made(of: Any, prefix: str) -> str:
    return next(i for i in of["made"] if i.startswith(prefix))


def a_secret(ana: Clone) -> tuple[str, str]:
    """The episode and the record of it."""
    done = ana.data(*SECRET)
    return made(done, "ep"), made(done, "blf")


def in_commits(ana: Clone) -> str:
    ana.run("commit", code=None)
    return ana.git("grep", "-l", WORD, "HEAD", code=None)


def sensitivity(ana: Clone, identifier: str) -> str:
    return str(ana.data("show", identifier)["value"]["sensitivity"])


@pytest.mark.parametrize("how", ["--source", "--derived-from", "--supersedes", "--from"])
@pytest.mark.parametrize("verb", ["remember", "propose"])
def test_what_rests_on_something_sensitive_is_as_sensitive(ana: Clone, how: str, verb: str) -> None:
    episode, record = a_secret(ana)
    on = episode if how == "--source" else record
    done = ana.agent().data(verb, f"Somebody said {WORD}", how, on)
    assert done["private"] is True
    assert sensitivity(ana, made(done, "blf")) == "sensitive"
    assert in_commits(ana) == ""


def test_what_is_captured_from_something_sensitive_is_as_sensitive(ana: Clone) -> None:
    episode, _ = a_secret(ana)
    assert ana.agent().data("capture", f"It says {WORD}", "--from", episode)["private"] is True


def test_a_correction_is_as_sensitive_as_what_it_corrects_counts(ana: Clone) -> None:
    episode = made(ana.data("capture", f"I know {WORD}", "--sensitivity", "sensitive"), "ep")
    record = made(ana.data("remember", "Something", "--source", episode), "blf")
    corrected = ana.agent().data("correct", record, f"It is {WORD}")
    assert corrected["private"] is True
    assert sensitivity(ana, made(corrected, "blf")) == "sensitive"


def test_an_agent_and_a_pipe_cannot_say_less_than_what_it_rests_on(ana: Clone) -> None:
    episode, _ = a_secret(ana)
    for who in (ana, ana.agent()):
        less = who.run("remember", f"Somebody said {WORD}", "--source", episode, "--sensitivity", "ordinary", "--json")
        assert less.data["private"] is True
        assert "kept as sensitive, not ordinary" in less.out
    assert in_commits(ana) == ""


def test_a_person_at_a_terminal_says_less_after_a_question(ana: Clone) -> None:
    episode, _ = a_secret(ana)
    less = ("remember", "Nothing of it is secret", "--source", episode, "--sensitivity", "ordinary")
    asked = ana.person(*less, answers=("n",), code=3)
    assert "Keep it as ordinary, although it rests on ep" in asked
    ana.person(*less, answers=("y",))
    (line,) = ana.data("list")
    assert line["private"] is False and line["standing"] == "current"
    assert sensitivity(ana, line["id"]) == "ordinary"
    further = ana.agent().data("remember", "So we may tell it", "--derived-from", line["id"])
    assert further["private"] is False


def test_more_than_what_it_rests_on_may_anybody_say(ana: Clone) -> None:
    episode = made(ana.data("capture", "A plan"), "ep")
    assert ana.agent().data("remember", "Secret", "--source", episode, "--sensitivity", "sensitive")["private"] is True


def test_nobody_but_a_person_rests_on_what_is_restricted(ana: Clone) -> None:
    said = ana.person("remember", f"Only for me: {WORD}", "--sensitivity", "restricted", "--json")
    episode = next(word for word in said.split('"') if word.startswith("ep_"))
    assert "restricted" in ana.agent().run("remember", WORD, "--source", episode, code=3).err


def test_a_revoke_of_what_is_tracked_is_tracked(ana: Clone) -> None:
    ana.git("config", "continuity.trackedCeiling", "sensitive")
    raise_ceiling(ana, "sensitive")
    grant = made(ana.data("remember", "Deploys", "--allow", "deploy", "--sensitivity", "sensitive"), "prm")
    ana.commit()
    ana.git("config", "--unset", "continuity.trackedCeiling")
    assert ana.agent().data("revoke", grant)["private"] is False


def raise_ceiling(clone: Clone, to: str) -> None:
    policy = clone.top / ".continuity" / "workspace.toml"
    policy.write_text(policy.read_text().replace('tracked_ceiling = "limited"', f'tracked_ceiling = "{to}"'))
    clone.git("commit", "--quiet", "-am", "Raise the ceiling")


def test_a_tree_that_raises_the_ceiling_tracks_nothing_more(accepted: Clone, world: World) -> None:
    ben = world.clone("ben")
    raise_ceiling(ben, "restricted")
    ben.git("push", "--quiet", "origin", "HEAD:refs/heads/evil")
    accepted.git("fetch", "--quiet")
    accepted.git("switch", "--quiet", "evil")
    said = accepted.run(*SECRET)
    assert "private although workspace.toml has tracked_ceiling = restricted" in said.err
    assert "refs/remotes/origin/main says limited" in said.err
    assert in_commits(accepted) == ""


def test_the_accepted_branch_raises_the_ceiling_and_a_tree_lowers_it(accepted: Clone) -> None:
    raise_ceiling(accepted, "sensitive")
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert accepted.data(*SECRET)["private"] is False
    policy = accepted.top / ".continuity" / "workspace.toml"
    policy.write_text(policy.read_text().replace('"sensitive"', '"ordinary"', 1))
    assert accepted.data("remember", "For us", "--sensitivity", "limited")["private"] is True


def test_without_an_accepted_branch_a_person_raises_it(ana: Clone) -> None:
    raise_ceiling(ana, "sensitive")
    assert "cc-git trust --tracked-ceiling sensitive" in ana.run(*SECRET).err
    ana.agent().cc("trust", "--tracked-ceiling", "sensitive", code=3)
    ana.cc("trust", "--tracked-ceiling", "sensitive", code=3)
    assert ana.data(*SECRET)["private"] is True
    ana.person("trust", "--tracked-ceiling", "sensitive")
    assert ana.data(*SECRET)["private"] is False
    assert ana.data("remember", "Mine alone", "--sensitivity", "sensitive", "--dry-run")["private"] is False


def test_where_a_branch_is_accepted_nobody_says_otherwise_here(accepted: Clone) -> None:
    assert "refs/remotes/origin/main decides" in accepted.person("trust", "--tracked-ceiling", "sensitive", code=3)
    unset = subprocess.run(["git", "config", "continuity.trackedCeiling"], cwd=accepted.top, capture_output=True)
    assert unset.returncode == 1


def test_what_lies_in_the_private_tier_and_says_nothing_is_sensitive(ana: Clone) -> None:
    done = ana.data("remember", f"The {WORD} is here")
    for rel in (ana.data("show", made(done, prefix))["file"] for prefix in ("ep", "blf")):
        laid = ana.top / ".continuity" / "private" / rel
        laid.parent.mkdir(parents=True, exist_ok=True)
        (ana.top / ".continuity" / rel).rename(laid)
    for words in (("compile", "--ceiling", "ordinary"), ("consolidate", "--dry-run", "--json"), ("diff", "--json")):
        assert WORD not in ana.run(*words, code=None).out, words
    ana.cc("export", "out.json")
    assert WORD not in (ana.top / "out.json").read_text()
    assert ana.standing(made(done, "blf")) == "proposed"
