"""The whole way on every kind of repository: begin, trust, remember, commit by the hook, merge two clones, resume in a
third, forget, and a packet that knows it; the first on libgit2 as it is, for comparison."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.people import Clone, World
from tests.kinds import KINDS

KIND_OF_IDS = {"libgit2": 40, "program": 40, "sha256": 64, "reftable": 40}


@pytest.fixture(params=["libgit2", *KINDS])
def kind(request: pytest.FixtureRequest, of_kind: Callable[[str], None]) -> str:
    if request.param != "libgit2":
        of_kind(request.param)
    return str(request.param)


def _engine(clone: Clone) -> str:
    (found,) = [one["says"] for one in clone.data("doctor", code=None) if one["what"] == "engine"]
    return str(found)


def test_everything_from_the_beginning_to_forgetting(kind: str, world: World) -> None:
    ana = world.clone("ana")
    (ana.top / "code.c").write_text("int main(void) { return 0; }\n")
    ana.cc("init", "--name", "harbour")
    ana.cc("hooks", "install")
    ana.git("add", "-A")
    ana.git("commit", "--quiet", "-m", "Begin")
    ana.git("push", "--quiet", "origin", "HEAD")
    assert len(ana.git("rev-parse", "HEAD")) == KIND_OF_IDS[kind]
    assert _engine(ana).startswith("libgit2" if kind == "libgit2" else "the git program")

    # by the hook into a commit of the user's
    grant = ana.made(
        "remember", "Deploys to staging are fine", "--allow", "deploy", "--target", "stage/*", prefix="prm"
    )
    decision = ana.made("remember", "Deploys go out on Tuesdays", "-k", "decision", prefix="dec")
    assert len(ana.data("status")["waiting"]) == 6
    (ana.top / "code.c").write_text("int main(void) { return 1; }\n")
    ana.git("commit", "--quiet", "-am", "Code")
    assert ana.data("status")["waiting"] == []
    assert f"{decision}.toml" in ana.git("show", "--format=", "--name-only")
    ana.git("push", "--quiet", "origin", "HEAD")

    # two people, two corrections, a merge by Git alone
    ben = world.clone("ben")
    bens = ben.made("correct", decision, "Deploys go out on Thursdays", prefix="dec")
    ben.commit()
    ben.git("push", "--quiet", "origin", "HEAD:refs/heads/ben")
    anas = ana.made("correct", decision, "Deploys go out on Mondays", prefix="dec")
    ana.commit()
    ana.git("fetch", "--quiet")
    ana.git("merge", "--quiet", "--no-edit", "origin/ben")
    clash = {one["id"]: one["standing"] for one in ana.data("list", "--kind", "decision")}
    assert clash == {anas: "conflicted", bens: "conflicted"}
    ana.cc("resolve", bens, "--reason", "the train leaves on Mondays")
    assert (ana.standing(bens), ana.standing(anas)) == ("current", "overruled")
    ana.commit("Settle")
    ana.git("push", "--quiet", "origin", "HEAD")

    # a third one goes on where they are
    cleo = world.clone("cleo")
    cleo.person("trust", "--accepted-ref", "origin/main")
    assert cleo.offered() == {grant}
    packet = cleo.data("resume", "--task", "deploy on Thursdays")
    assert {grant, bens} <= {item["id"] for section in packet["sections"] for item in section["items"]}
    cleo.cc("packet", "verify", packet["id"])

    # what another branch took away counts here, and the packet says that it is overtaken
    ben.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    ben.cc("revoke", grant, "--reason", "staging is gone")
    ben.commit()
    ben.git("push", "--quiet", "origin", "HEAD:refs/heads/ben")
    cleo.git("fetch", "--quiet")
    assert cleo.offered() == set()
    cleo.cc("packet", "verify", packet["id"], code=1)

    # forgotten for good
    said = ana.person("forget", "--match", "Thursdays", answers=("y",))
    assert "The search finds none of it" in said
    ana.commit("Forget")
    assert ana.git("status", "--porcelain") == ""
    ana.git("push", "--quiet", "origin", "HEAD")
    cleo.git("pull", "--quiet", "--no-rebase")
    assert "Thursdays" not in cleo.cc("resume", "--task", "deploy")
    for clone in (ana, ben, cleo):
        assert [one for one in clone.data("doctor", code=None) if not one["fine"] and one["what"] == "journal"] == []
        clone.git("fsck", "--strict")
