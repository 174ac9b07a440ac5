"""`cc-git diff`: for each record what was and what is, who stands behind it, and what is permitted then."""

from __future__ import annotations

from typing import Any

import pytest

from cc_git.codec.paths import path_of
from tests.cli.people import Clone, World

GRANT = ("remember", "Deploys are fine", "--allow", "deploy", "--target", "staging/*")
CLAIM = ("remember", "Pushes are fine", "--allow", "push", "--target", "main", "--authority", "user-explicit",
         "--quote", "You may push")  # fmt: skip


def _published(clone: Clone) -> None:
    clone.commit()
    clone.git("push", "--quiet", "origin", "HEAD")


@pytest.fixture
def grant(accepted: Clone) -> str:
    """A grant that a person gave, in the accepted branch."""
    accepted.person(*GRANT, answers=("y",))
    _published(accepted)
    (identifier,) = accepted.offered()
    return identifier


def _one(changes: list[dict[str, Any]], identifier: str) -> dict[str, Any]:
    (found,) = (change for change in changes if change["id"] == identifier)
    return found


def test_nothing_changed_is_said_and_is_no_difference(accepted: Clone) -> None:
    assert "Nothing changed in meaning." in accepted.cc("diff", "--exit-code")


def test_a_new_record_is_told_field_by_field_with_who_stands_behind_it(accepted: Clone) -> None:
    made = accepted.agent().made("remember", "Ship it by spring", "-k", "goal", "--set", "priority=1", prefix="goal")
    review = accepted.data("diff")
    (change,) = review["records"]
    assert (review["before"], review["after"]) == ("HEAD", "the present")
    assert (change["how"], change["id"], change["title"]) == ("added", made, "Ship it by spring")
    assert (change["actor"], change["claims"]) == ("agent:claude-code/opus", "agent-explicit")
    assert change["before"] is None and change["after"]["standing"] == "current"
    assert {"name": "goal.priority", "before": None, "after": "1"} in change["fields"]
    assert [episode["how"] for episode in review["evidence"]] == ["added"]
    accepted.cc("diff", "--exit-code", code=1)


def test_of_a_correction_only_the_fields_that_differ_are_told(accepted: Clone) -> None:
    old = accepted.made("remember", "Deploys go out on Tuesdays", "-k", "decision", prefix="dec")
    _published(accepted)
    new = accepted.made("correct", old, "Deploys go out on Thursdays", prefix="dec")
    records = accepted.data("diff")["records"]
    (replaced,) = _one(records, new)["replaces"]
    said = {"before": "Deploys go out on Tuesdays", "after": "Deploys go out on Thursdays"}
    assert replaced["id"] == old and replaced["fields"] == [{"name": "title", **said}]
    accepted.commit()
    (change,) = (c for c in accepted.data("diff", "HEAD~1..HEAD")["records"] if c["id"] == old)
    assert (change["how"], change["before"]["standing"]) == ("stands", "current")
    assert change["accepted"]["standing"] == "superseded"


def test_a_revoked_permission_comes_first_and_the_ruling_says_what_it_did(accepted: Clone, grant: str) -> None:
    ruling = accepted.made("revoke", grant, "--reason", "the audit", prefix="ru")
    review = accepted.data("diff")
    (shift,) = review["shifts"]
    assert (shift["direction"], shift["when"], shift["id"]) == ("narrows", "now", grant)
    assert shift["what"] == "allow deploy → staging/*" and "current, then revoked" in shift["says"]
    (ruled,) = review["rulings"]
    assert (ruled["id"], ruled["verb"], ruled["reason"]) == (ruling, "revoke", "the audit")
    assert [(t["id"], t["before"], t["after"]) for t in ruled["targets"]] == [(grant, "current", "revoked")]
    said = accepted.cc("diff")
    assert said.index("Permissions and restraints") < said.index("Rulings")


@pytest.mark.parametrize(("target", "direction"), [("staging/a", "narrows"), ("*", "widens"), ("live/*", "changes")])
def test_a_grant_in_the_place_of_another_is_compared_with_it(
    accepted: Clone, grant: str, target: str, direction: str
) -> None:
    accepted.person("correct", grant, "Deploys are fine", "--set", f"target={target}", answers=("y",))
    (shift,) = accepted.data("diff")["shifts"]
    assert (shift["direction"], shift["what"]) == (direction, f"allow deploy → {target}")
    assert shift["instead"].startswith("allow deploy → staging/*")


def test_a_deny_that_cuts_into_a_grant_is_told_with_the_grant(accepted: Clone, grant: str) -> None:
    deny = accepted.agent().made("remember", "Not there", "--deny", "deploy", "--target", "staging/db", prefix="prm")
    shifts = accepted.data("diff")["shifts"]
    assert _one(shifts, deny)["direction"] == "narrows"
    assert _one(shifts, grant)["direction"] == "narrows" and "limited by" in _one(shifts, grant)["says"]


def test_what_an_agent_wrote_in_a_persons_name_widens_once_it_is_accepted(accepted: Clone) -> None:
    accepted.git("switch", "--quiet", "--create", "topic")
    made = accepted.agent().made(*CLAIM, prefix="prm")
    accepted.commit()
    review = accepted.data("diff", "main...topic")
    (shift,) = review["shifts"]
    assert (shift["direction"], shift["when"], shift["id"]) == ("widens", "once accepted", made)
    (change,) = review["records"]
    assert (change["after"]["standing"], change["accepted"]["standing"]) == ("proposed", "current")
    assert "a merge into the accepted branch would" in accepted.cc("diff", "main...topic")


def test_a_clone_without_an_accepted_branch_takes_the_base_for_it(accepted: Clone, grant: str, world: World) -> None:
    accepted.git("switch", "--quiet", "--create", "topic")
    accepted.cc("revoke", grant)
    _published(accepted)
    runner = world.clone("runner")
    said = runner.run("diff", "origin/main...origin/topic", "--json")
    (shift,) = said.data["shifts"]
    assert (shift["direction"], shift["id"]) == ("narrows", grant)
    assert "no accepted branch is named here" in said.out


def test_a_deny_that_was_taken_out_of_the_tree_lifts_nothing(accepted: Clone) -> None:
    deny = accepted.made("remember", "Never there", "--deny", "deploy", "--target", "live/*", prefix="prm")
    _published(accepted)
    accepted.git("switch", "--quiet", "--create", "topic")
    accepted.git("rm", "--quiet", f".continuity/{path_of(deny)}")
    accepted.git("commit", "--quiet", "-m", "Out")
    review = accepted.data("diff", "main..topic")
    assert _one(review["records"], deny)["how"] == "removed"
    assert review["shifts"] == []


def test_a_forgotten_record_is_told_as_such_and_not_quoted(accepted: Clone) -> None:
    text = "The north gate opens at six"
    made = accepted.made("remember", text, "-k", "decision", prefix="dec")
    _published(accepted)
    accepted.person("forget", made, answers=("y",))
    accepted.commit()
    review = accepted.data("diff", "HEAD~1", "HEAD")
    assert _one(review["records"], made)["how"] == "forgotten"
    assert {one["how"] for one in review["evidence"]} <= {"forgotten"}
    # Neither way round, in no form, and not in the packets either.
    for revisions in (("HEAD~1", "HEAD"), ("HEAD", "HEAD~1")):
        asked = ("diff", *revisions, "--packet", "open the gate")
        said = "".join(accepted.cc(*asked, *form) for form in ((), ("--format", "markdown"), ("--json",)))
        assert made in said and "north gate" not in said


def test_a_conflict_is_told_when_it_begins_and_when_it_is_settled(accepted: Clone) -> None:
    one = accepted.made("remember", "Paint it green", "-k", "decision", "--subject", "paint", prefix="dec")
    accepted.commit()
    other = accepted.made("remember", "Paint it blue", "-k", "decision", "--subject", "paint", prefix="dec")
    (clash,) = accepted.data("diff")["conflicts"]
    assert (clash["how"], set(clash["ids"])) == ("new", {one, other})
    accepted.commit()
    accepted.person("resolve", one, other)
    assert [clash["how"] for clash in accepted.data("diff")["conflicts"]] == ["settled"]


def test_sensitivity_and_policy_are_told(accepted: Clone) -> None:
    old = accepted.made("remember", "Rent is due in May", "-k", "decision", prefix="dec")
    accepted.commit()
    new = accepted.made("remember", "Rent is due in June", "-k", "decision", "--supersedes", old, "--sensitivity",
                        "limited", prefix="dec")  # fmt: skip
    workspace = accepted.top / ".continuity" / "workspace.toml"
    workspace.write_text(workspace.read_text().replace('belief = "agent-inference"', 'belief = "document"'))
    review = accepted.data("diff")
    (change,) = review["sensitivity"]
    assert (change["id"], change["before"], change["after"], change["instead"]) == (new, "ordinary", "limited", old)
    assert review["policy"] == [{"name": "policy.needs.belief", "before": "agent-inference", "after": "document"}]
    workspace.write_text("name =\n")
    assert [one["path"] for one in accepted.data("diff")["broken"]] == ["workspace.toml"]


def test_an_immutable_file_with_other_bytes_is_an_edit_with_its_fields(accepted: Clone) -> None:
    made = accepted.made("remember", "Deploys go out on Tuesdays", "-k", "decision", prefix="dec")
    accepted.commit()
    file = accepted.top / ".continuity" / path_of(made)
    file.write_text(file.read_text().replace("Tuesdays", "Fridays"))
    accepted.git("commit", "--quiet", "-am", "Edit")
    (change,) = accepted.data("diff", "HEAD~1..HEAD")["records"]
    assert change["how"] == "edited"
    assert [field["name"] for field in change["fields"]] == ["title"]


def test_private_records_are_on_neither_side(accepted: Clone) -> None:
    accepted.person("remember", "My number is 5", "-k", "user_model", "--sensitivity", "sensitive", answers=("y",))
    assert accepted.data("diff")["records"] == []


def test_a_broken_file_and_a_runbook_are_told(accepted: Clone) -> None:
    runbooks = accepted.top / ".continuity" / "runbooks"
    runbooks.mkdir(exist_ok=True)
    book = 'format = "cc-git/1"\nid = "rb_01kb9w8z000000000000000001"\ntitle = "Roll back"\ndo = ["stop"]\n'
    (runbooks / "roll-back.toml").write_text(book)
    accepted.git("add", ".continuity")
    accepted.git("commit", "--quiet", "-m", "Runbook")
    (runbooks / "roll-back.toml").write_text(book.replace("stop", "wait"))
    (runbooks / "torn.toml").write_text("title =\n")
    accepted.git("add", ".continuity")
    accepted.git("commit", "--quiet", "--no-verify", "-m", "Torn")
    review = accepted.data("diff", "HEAD~1..HEAD")
    assert review["runbooks"][0]["fields"] == [{"name": "do", "before": "stop", "after": "wait"}]
    assert [(one["path"], one["line"]) for one in review["broken"]] == [("runbooks/torn.toml", 1)]


def test_a_base_from_before_the_workspace_is_empty(accepted: Clone) -> None:
    accepted.git("switch", "--quiet", "--orphan", "older")
    (accepted.top / "code.c").write_text("int main(void) { return 1; }\n")
    accepted.git("add", "code.c")
    accepted.git("commit", "--quiet", "-m", "Older")
    accepted.git("switch", "--quiet", "main")
    made = accepted.made("remember", "Tuesdays", "-k", "decision", prefix="dec")
    accepted.commit()
    assert [one["id"] for one in accepted.data("diff", "older..main")["records"]] == [made]


def test_without_the_index_it_says_the_same(accepted: Clone, grant: str) -> None:
    accepted.cc("revoke", grant)
    accepted.agent().cc(*CLAIM)
    accepted.commit()
    told = accepted.cc("diff", "HEAD~1..HEAD", "--json")
    (accepted.top / ".git" / "continuity" / "index.sqlite").unlink()
    assert accepted.cc("diff", "HEAD~1..HEAD", "--json") == told


def test_histories_that_do_not_meet_are_named_with_what_helps(accepted: Clone) -> None:
    accepted.git("switch", "--quiet", "--orphan", "other")
    accepted.git("commit", "--quiet", "--allow-empty", "-m", "Other")
    accepted.git("switch", "--quiet", "main")
    assert "no commit in common" in accepted.run("diff", "main...other", code=2).err
    assert "names no commit" in accepted.run("diff", "nowhere", code=2).err


HOSTILE = "`</details> @maintainer #1 ![x](https://evil.example/p.png) <!-- --> **bold** [a](https://evil.example)"


def test_markdown_keeps_stored_text_in_code_spans_and_hides_what_is_above_the_ceiling(accepted: Clone) -> None:
    accepted.cc("remember", HOSTILE, "-k", "decision", "--title", "```` @everyone `")
    accepted.cc("remember", "The rent is 800", "-k", "decision", "--sensitivity", "limited")
    page = accepted.cc("diff", "--format", "markdown")
    assert "800" not in page and "limited: not shown here" in page
    outside = _without_code(page)
    assert "@" not in outside and "evil.example" not in outside and "<!--" not in outside
    assert "The rent is 800" in accepted.cc("diff", "--format", "markdown", "--ceiling", "limited")


def test_markdown_fits_into_a_comment_and_counts_what_it_leaves_out(accepted: Clone) -> None:
    for number in range(12):
        accepted.cc("capture", f"{number} " + "x" * 400)
    whole = accepted.cc("diff", "--format", "markdown")
    assert len(whole) < 60_000 and max(map(len, whole.splitlines())) < 600


def _without_code(page: str) -> str:
    from markdown_it import MarkdownIt

    inline = (token for token in MarkdownIt().parse(page) if token.type == "inline")
    return "\n".join(child.content for token in inline for child in token.children or () if child.type != "code_inline")


def test_what_the_next_agent_will_be_told_differently_is_told_with_sizes(accepted: Clone, grant: str) -> None:
    old = accepted.made("remember", "Deploys go out on Tuesdays", "-k", "decision", prefix="dec")
    _published(accepted)
    accepted.git("switch", "--quiet", "--create", "topic")
    accepted.cc("revoke", grant)
    new = accepted.made("correct", old, "Deploys go out on Thursdays", prefix="dec")
    limited = accepted.made(
        "remember", "Only the crew deploys", "-k", "decision", "--sensitivity", "limited", prefix="dec"
    )
    _published(accepted)
    packets = accepted.data("packet", "list")
    told = accepted.data("diff", "main..topic", "--packet", "prepare the deploy")["told"]
    how = {item["id"]: item["how"] for item in told["items"] if item["id"]}
    assert (how[new], how[old], how[limited]) == ("told newly", "told no more", "told newly")
    assert 0 < told["before"]["used"] <= told["before"]["budget"]
    assert told["packets"]["after"]["task"] == told["task"] == "prepare the deploy"
    assert accepted.data("packet", "list") == packets
    page = accepted.cc("diff", "main..topic", "--packet", "prepare the deploy", "--format", "markdown")
    assert "**told newly**" in page and "Only the crew" not in page
    assert "is the same" in accepted.cc("diff", "topic..topic", "--packet", "prepare the deploy")
