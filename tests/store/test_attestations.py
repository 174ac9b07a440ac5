"""What binds a person to a file on this clone: the accepted branch and confirmations. And who trusts the workspace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cc_git.codec import paths
from cc_git.codec.files import encode, path_for
from cc_git.errors import Refused
from cc_git.model.policy import Policy, Workspace
from cc_git.model.who import Who
from cc_git.store.accepted import AcceptedBranch, accepted_blobs
from cc_git.store.append_only import append_lines, read_lines
from cc_git.store.attestations import AttestationSources, attestation_sources
from cc_git.store.confirmations import Confirmations
from cc_git.store.git import Git
from cc_git.store.place import Place
from cc_git.store.pygit2_engine import open_engine
from cc_git.store.trust import Trust
from tests.store.worlds import AGENT, ANA, NOW, Clone, a_clone, a_record, a_workspace

GRANT = a_record("permission", 1)
REL = path_for(GRANT)
PIPED = Who("human:ana", is_agent=False, at_terminal=False)


@pytest.fixture
def origin(tmp_path: Path) -> Clone:
    return a_workspace(tmp_path / "origin", GRANT)


@pytest.fixture
def clone(origin: Clone, tmp_path: Path) -> Clone:
    return a_clone(origin, tmp_path / "clone")


def sources(clone: Clone) -> AttestationSources:
    place = clone.place
    return attestation_sources(open_engine(place.git_dir), place, Git(place).own_config)


def blob_of(clone: Clone, rel: str = REL) -> str:
    return clone.git("rev-parse", f"HEAD:.continuity/{rel}")


def test_without_a_configured_branch_nothing_is_accepted(clone: Clone) -> None:
    assert clone.accepted() == AcceptedBranch()
    assert sources(clone).among([(REL, blob_of(clone))]).accepted == frozenset()


@pytest.mark.parametrize(
    ("named", "ref"),
    [
        ("origin/main", "refs/remotes/origin/main"),
        ("refs/remotes/origin/main", "refs/remotes/origin/main"),
        ("main", "refs/heads/main"),
        ("refs/heads/main", "refs/heads/main"),
    ],
)
def test_the_branch_is_named_in_gits_configuration(clone: Clone, named: str, ref: str) -> None:
    clone.git("config", "continuity.acceptedRef", named)
    found = clone.accepted()
    assert (found.ref, found.warning) == (ref, None)
    known = sources(clone)
    assert known.among([(REL, blob_of(clone))]).accepted == {blob_of(clone)}
    assert known.value.accepted == {blob_of(clone)}


@pytest.mark.parametrize("how", ["count", "parameters", "global", "system", "file", "include", "user"])
def test_nothing_but_the_repositorys_own_file_names_it(
    clone: Clone, sealed: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    other = sealed / "other"
    other.write_text("[continuity]\n\tacceptedRef = refs/heads/main\n")
    variables = {
        "count": {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "continuity.acceptedRef",
            "GIT_CONFIG_VALUE_0": "refs/heads/main",
        },
        "parameters": {"GIT_CONFIG_PARAMETERS": "'continuity.acceptedref'='refs/heads/main'"},
        "global": {"GIT_CONFIG_GLOBAL": str(other)},
        "system": {"GIT_CONFIG_SYSTEM": str(other)},
        "file": {"GIT_CONFIG": str(other)},
    }
    for name, value in variables.get(how, {}).items():
        monkeypatch.setenv(name, value)
    if how == "include":
        clone.git("config", "include.path", str(other))
    if how == "user":
        clone.git("config", "--global", "continuity.acceptedRef", "refs/heads/main")
    assert clone.accepted().ref is None
    monkeypatch.delenv("GIT_CONFIG", raising=False)
    clone.git("config", "--local", "continuity.acceptedRef", "origin/main")
    for name, value in variables.get(how, {}).items():
        monkeypatch.setenv(name, value)
    assert clone.accepted().ref == "refs/remotes/origin/main"


def test_a_worktree_may_have_one_of_its_own(clone: Clone) -> None:
    clone.git("config", "continuity.acceptedRef", "origin/main")
    clone.git("config", "extensions.worktreeConfig", "true")
    clone.git("config", "--worktree", "continuity.acceptedRef", "refs/heads/main")
    assert clone.accepted().ref == "refs/heads/main"
    clone.git("config", "extensions.worktreeConfig", "false")
    assert clone.accepted().ref == "refs/remotes/origin/main"


@pytest.mark.parametrize("named", ["HEAD", "main~0", "v1", "refs/tags/v1", "origin/gone", "-x", "@{u}", "refs/heads/*"])
def test_what_is_no_branch_attests_nothing_and_is_warned_about(clone: Clone, named: str) -> None:
    clone.git("tag", "v1")
    clone.git("config", "continuity.acceptedRef", named)
    found = clone.accepted()
    assert found.tree is None
    assert found.warning is not None
    assert "acceptedRef" in found.warning


def test_a_tag_that_is_named_like_the_branch_changes_nothing(origin: Clone, clone: Clone) -> None:
    """Tags come with every fetch, and Git itself would prefer the tag."""
    clone.git("config", "continuity.acceptedRef", "origin/main")
    before = clone.accepted()
    origin.git("switch", "-q", "-c", "evil")
    origin.commit(a_record("permission", 66))
    origin.git("tag", "origin/main")
    clone.git("fetch", "-q", "--tags")
    assert clone.git("rev-parse", "refs/tags/origin/main") == origin.git("rev-parse", "evil")
    assert clone.accepted() == before


def test_a_name_that_could_be_two_branches_attests_nothing(clone: Clone) -> None:
    clone.git("branch", "origin/main")
    clone.git("config", "continuity.acceptedRef", "origin/main")
    found = clone.accepted()
    assert found.tree is None
    assert "full name" in str(found.warning)


def test_a_file_is_accepted_at_its_place_with_its_bytes_alone(clone: Clone) -> None:
    clone.git("config", "continuity.acceptedRef", "main")
    known, blob = sources(clone), blob_of(clone)
    asked = [
        (REL, "0" * 40),
        (path_for(a_record("permission", 2)), blob),
        (f"attachments/{REL}", blob),
        (paths.WORKSPACE_FILE, blob_of(clone, paths.WORKSPACE_FILE)),
    ]
    assert known.among(asked).accepted == frozenset()
    assert known.among([(paths.private(REL), blob)]).accepted == {blob}


def test_what_lies_in_quarantine_or_as_an_attachment_is_not_accepted() -> None:
    identifier = GRANT.id
    places = [f"quarantine/im_x/{REL}", f"attachments/2026-11-30/{identifier}", f"private/{REL}", "README.md"]
    assert accepted_blobs(dict.fromkeys(places, "a" * 40)) == frozenset()
    assert accepted_blobs({REL: "b" * 40, "runbooks/release.toml": "c" * 40}) == {"b" * 40, "c" * 40}


def test_the_policy_that_may_loosen_comes_from_the_accepted_branch(origin: Clone, clone: Clone) -> None:
    origin.git("switch", "-q", "--detach")
    clone.git("config", "continuity.acceptedRef", "origin/main")
    loose = Workspace(policy=Policy(needs={"permission": "agent-explicit"}))
    (clone.top / ".continuity" / paths.WORKSPACE_FILE).write_bytes(encode(loose))
    clone.commit()
    assert sources(clone).policy == Policy()
    clone.git("push", "-q")
    assert sources(clone).policy == loose.policy


def test_an_accepted_branch_that_is_damaged_has_no_policy(clone: Clone) -> None:
    clone.git("config", "continuity.acceptedRef", "main")
    (clone.top / ".continuity" / paths.WORKSPACE_FILE).write_text("<<<<<<< x\n")
    clone.commit()
    assert sources(clone).policy is None


def test_a_person_confirms_at_a_terminal_and_the_digest_changes(clone: Clone) -> None:
    before = sources(clone).digest
    Confirmations(clone.place).confirm({REL: blob_of(clone)}, ANA, NOW)
    after = sources(clone)
    assert after.among([(REL, blob_of(clone))]).confirmed == {blob_of(clone)}
    assert after.among([("elsewhere", "0" * 40)]).confirmed == frozenset()
    assert after.digest != before
    [kept] = Confirmations(clone.place).all()
    assert (kept.rel, kept.actor, kept.when) == (REL, "human:ana", NOW)


@pytest.mark.parametrize("who", [AGENT, PIPED])
def test_nobody_else_can_confirm_or_trust(clone: Clone, who: Who) -> None:
    with pytest.raises(Refused, match="only a person at a terminal"):
        Confirmations(clone.place).confirm({REL: "a" * 40}, who, NOW)
    with pytest.raises(Refused, match="only a person at a terminal"):
        Trust(clone.place).adopt(who, NOW)
    assert not (clone.place.common_dir / "continuity").exists()


def test_a_confirmation_holds_in_its_workspace_alone(clone: Clone) -> None:
    Confirmations(clone.place).confirm({REL: "a" * 40}, ANA, NOW)
    place = clone.place
    other = Place(place.top, place.git_dir, place.common_dir, "services/a/.continuity")
    assert Confirmations(other).blobs() == {}


def test_worktrees_share_confirmations_and_trust(clone: Clone, tmp_path: Path) -> None:
    other = Clone(tmp_path / "other")
    clone.git("worktree", "add", "-q", str(other.top))
    Confirmations(other.place).confirm({REL: "a" * 40}, ANA, NOW)
    Trust(other.place).adopt(ANA, NOW)
    assert Confirmations(clone.place).blobs() == {"a" * 40: REL}
    assert Trust(clone.place).mark() is not None


def test_a_clone_carries_neither(clone: Clone, tmp_path: Path) -> None:
    Confirmations(clone.place).confirm({REL: blob_of(clone)}, ANA, NOW)
    Trust(clone.place).adopt(ANA, NOW)
    fresh = a_clone(clone, tmp_path / "fresh")
    assert Confirmations(fresh.place).blobs() == {}
    assert Trust(fresh.place).mark() is None


def test_trust_is_given_and_taken_back(clone: Clone) -> None:
    trust = Trust(clone.place)
    assert trust.mark() is None
    trust.adopt(ANA, NOW)
    mark = Trust(clone.place).mark()
    assert mark is not None
    assert (mark.actor, mark.when) == ("human:ana", NOW)
    trust.take_back(AGENT, NOW)
    assert trust.mark() is None


def test_a_mark_made_elsewhere_does_not_count(clone: Clone, tmp_path: Path) -> None:
    """An archive may bring a whole Git directory, marks and all."""
    Trust(clone.place, machine="another machine").adopt(ANA, NOW)
    assert Trust(clone.place).mark() is None
    Trust(clone.place).adopt(ANA, NOW)
    moved = clone.top.rename(tmp_path / "moved")
    assert Trust(Clone(moved).place).mark() is None


def test_lines_that_cannot_be_read_are_skipped_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "continuity" / "lines"
    append_lines(path, ({"n": 1}, {"n": 2}))
    with path.open("ab") as file:
        file.write(b'\xff\n[1]\n{"torn": ')
    append_lines(path, ({"n": 3, "name": "\udcff"},))
    found = read_lines(path)
    assert [entry["n"] for entry in found.entries] == [1, 2, 3]
    assert found.unreadable == 3
    assert path.stat().st_mode & 0o077 == 0


def test_forged_and_broken_confirmations_do_not_stop_the_others(clone: Clone) -> None:
    confirmations = Confirmations(clone.place)
    confirmations.confirm({REL: "a" * 40}, ANA, NOW)
    path = clone.place.common_dir / "continuity" / "confirmed"
    with path.open("a") as file:
        for broken in (
            {},
            {"workspace": ".continuity", "rel": 1},
            {"workspace": ".continuity", "rel": "x", "blob": "b", "who": "w", "when": "soon"},
        ):
            file.write(json.dumps(broken) + "\n")
    confirmations.confirm({REL: "c" * 40}, ANA, NOW)
    assert set(confirmations.blobs()) == {"a" * 40, "c" * 40}
