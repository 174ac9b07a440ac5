"""What a person released and somebody reopened stays reopened, whatever becomes of the file: from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cc_git.codec.paths import tombstone_path
from tests.cli.people import Clone, World

RESTRAINTS = {
    "promise": ("--kind", "commitment", "--set", "mode=refrain"),
    "deny": ("--deny", "deploy", "--target", "prod/*"),
}


def released(ana: Clone, sort: str) -> tuple[str, str]:
    """A restraint of an agent and the ruling by which Ana released it at her terminal."""
    prefix = "cmt" if sort == "promise" else "prm"
    restraint = ana.agent().made("remember", "Never on Fridays", *RESTRAINTS[sort], prefix=prefix)
    ruling = made(ana.settles("release", restraint))
    assert ana.standing(restraint) == "released"
    return restraint, ruling


def made(data: dict[str, list[str]]) -> str:
    return next(i for i in data["made"] if i.startswith("ru_"))


def reopened(ana: Clone, sort: str) -> tuple[str, str, str]:
    """The restraint, its release, and the ruling that reopened it: an agent's, or for a deny Ana's own accept."""
    restraint, release = released(ana, sort)
    if sort == "promise":
        words = ("reopen", restraint, "--lifts", release, "--reason", "It was not over")
        ruling = ana.agent().made(*words, prefix="ru")
    else:
        ruling = made(ana.settles("accept", restraint, "--lifts", release))
    assert ana.standing(restraint) == "current"
    ana.commit()
    return restraint, release, ruling


def file_of(ana: Clone, ruling: str) -> Path:
    return next((ana.top / ".continuity" / "rulings").rglob(f"{ruling}.toml"))


@pytest.mark.parametrize("sort", RESTRAINTS)
@pytest.mark.parametrize("how", ["git rm", "edited", "forgotten by nobody"])
def test_a_reopened_restraint_holds_whatever_an_agent_does_to_the_reopening(
    accepted: Clone, sort: str, how: str
) -> None:
    restraint, release, ruling = reopened(accepted, sort)
    file = file_of(accepted, ruling)
    if how == "git rm":
        accepted.git("rm", "--quiet", str(file))
    elif how == "edited":
        file.write_text(file.read_text().replace(release, ruling[:-1] + ("0" if ruling[-1] != "0" else "1")))
    else:
        mark = accepted.top / ".continuity" / tombstone_path(ruling)
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(f'format = "cc-git/1"\nid = "{ruling}"\n')
    accepted.git("add", "--all")
    accepted.git("commit", "--quiet", "--no-verify", "-m", "Tidy up")
    assert accepted.standing(restraint) == "current"
    assert "Never on Fridays" in accepted.cc("compile")
    accepted.settles("release", restraint)
    assert accepted.standing(restraint) == "released"


def test_a_reopening_that_was_removed_is_reported_as_lost(accepted: Clone) -> None:
    *_, ruling = reopened(accepted, "promise")
    accepted.git("rm", "--quiet", str(file_of(accepted, ruling)))
    accepted.git("commit", "--quiet", "-m", "Tidy up")
    lost = [one["id"] for one in accepted.data("audit", code=1)["needs"] if "lost" in str(one)]
    assert lost == [ruling]


def test_a_reopening_on_a_fetched_branch_holds_until_a_person_dismisses_it(accepted: Clone, world: World) -> None:
    restraint, release = released(accepted, "promise")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    bo = world.clone("bo")
    bo.person("trust", "--accepted-ref", "origin/main")
    bo.git("checkout", "--quiet", "-b", "topic")
    bo.agent().cc("reopen", restraint, "--lifts", release)
    bo.commit()
    bo.git("push", "--quiet", "origin", "topic")
    accepted.git("fetch", "--quiet")
    assert accepted.standing(restraint) == "current"
    assert "reopened on another branch" in accepted.cc("show", restraint)
    accepted.person("review", answers=("n",))
    assert accepted.standing(restraint) == "released"


def test_reopening_a_restraint_asks_nothing_and_lifting_that_names_the_restraint(accepted: Clone) -> None:
    restraint, release = released(accepted, "promise")
    ruling = made(accepted.settles("reopen", restraint, "--lifts", release, answers=()))
    said = accepted.person("reopen", restraint, "--lifts", ruling, answers=("y",))
    assert f"lifts the promise to refrain {restraint}" in " ".join(said.split())
    assert accepted.standing(restraint) == "released"


def test_forgetting_the_reopening_removes_its_text_and_releases_nothing(accepted: Clone) -> None:
    restraint, release, ruling = reopened(accepted, "promise")
    accepted.git("rm", "--quiet", str(file_of(accepted, ruling)))
    accepted.git("commit", "--quiet", "-m", "Tidy up")
    assert accepted.standing(restraint) == "current"
    refused = accepted.agent().run("forget", ruling, code=3)
    assert "terminal" in refused.err
    said = accepted.person("forget", ruling, answers=("y",))
    assert "The search finds none of it" in said
    assert f"stays ended: ru…{release[-6:]}" in " ".join(said.split())
    assert accepted.standing(restraint) == "current"
    accepted.settles("release", restraint)
    assert accepted.standing(restraint) == "released"
