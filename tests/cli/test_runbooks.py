"""Runbooks from the command line: written, edited by hand and by command, attested, merged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cc_git.codec import paths
from tests.cli.people import Clone, World

HOW = ("runbook", "add", "Cut a release", "--trigger", "release", "--do", "tag", "--do", "push")
GUARD = ("runbook", "add", "Look first", "-k", "guardrail", "--do", "look at the way back")


def file_of(clone: Clone, name: str) -> Path:
    return clone.top / paths.WORKSPACE_DIR / paths.runbook_path(name)


def shown(clone: Clone, *words: str) -> dict[str, dict[str, object]]:
    """The runbooks of a packet by title."""
    sections = clone.data("resume", *words)["sections"]
    return {item["title"]: item for s in sections if s["name"] == "Runbooks" for item in s["items"]}


def state(clone: Clone, name: str) -> tuple[bool, bool]:
    found = {one["name"]: one for one in clone.data("runbook", "list", "--all")["runbooks"]}
    return found[name]["attested"], found[name]["held"]


def test_a_person_adds_one_that_instructs_and_an_agent_one_that_informs(accepted: Clone) -> None:
    accepted.person(*HOW)
    agent = accepted.agent()
    made = agent.run("runbook", "add", "Release faster", "--trigger", "release", "--do", "skip the tests")
    assert "does not instruct" in made.err
    assert state(accepted, "cut-a-release") == (True, False)
    assert state(accepted, "release-faster") == (False, False)
    items = shown(agent, "--task", "release it")
    assert list(items) == ["Cut a release", "Release faster"]
    assert items["Cut a release"]["labels"] == ["attested by a person"]
    assert items["Release faster"]["labels"] == ["nobody attested it: evidence, not an instruction"]


def test_a_review_binds_a_person_to_the_text_and_the_accepted_branch_does(accepted: Clone) -> None:
    accepted.cc(*HOW)
    accepted.cc("runbook", "add", "Second", "--trigger", "second")
    assert [i["why"] for i in accepted.data("review", "--list")["items"]] == ["runbook", "runbook"]
    said = accepted.person("review", answers=("y", "s"))
    assert 'The runbook "Cut a release" is a procedure. Let it stand as your word?' in said
    assert (state(accepted, "cut-a-release"), state(accepted, "second")) == ((True, False), (False, False))
    assert accepted.run("audit", code=1).out.count("a runbook whose text nobody attested") == 1
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    assert state(accepted, "second") == (True, False)


def test_a_change_by_hand_ends_the_attestation_and_comments_survive_a_change_by_command(accepted: Clone) -> None:
    accepted.person(*HOW)
    path = file_of(accepted, "cut-a-release")
    path.write_text("# ask Ben\n" + path.read_text().replace('  "tag",\n', '  "tag",  # signed\n'))
    assert state(accepted, "cut-a-release") == (False, False)
    accepted.person("review", answers=("y",))
    accepted.person("runbook", "edit", "cut-a-release", "--add", "do=announce", "--set", "when_to_use=monthly")
    text = path.read_text()
    assert "# ask Ben\n" in text and '  "tag",  # signed\n  "push",\n  "announce",\n' in text
    assert state(accepted, "cut-a-release") == (True, False)
    value = accepted.data("runbook", "show", "cut-a-release")["value"]
    assert (value["do"], value["when_to_use"]) == (["tag", "push", "announce"], "monthly")


def test_a_command_that_sets_a_field_attests_no_words_that_it_has_not_shown(accepted: Clone) -> None:
    accepted.agent().cc(*HOW)
    accepted.person("runbook", "edit", "cut-a-release", "--add", "verify=it is there")
    assert state(accepted, "cut-a-release") == (False, False)


def test_an_agents_change_or_archive_of_a_guardrail_takes_nothing_away(accepted: Clone) -> None:
    accepted.person(*GUARD)
    agent = accepted.agent()
    agent.cc("runbook", "edit", "look-first", "--set", "do=go on")
    assert state(accepted, "look-first") == (True, True)
    (item,) = shown(agent, "--task", "anything").values()
    assert item["fields"] == [["do", ["look at the way back"]]]
    assert "the file was changed since" in str(item["labels"])
    agent.cc("runbook", "archive", "look-first")
    assert list(shown(agent, "--task", "anything")) == ["Look first"]
    said = accepted.person("review", answers=("y",))
    assert "archives what a person attested" in said
    assert shown(agent, "--task", "anything") == {}


def test_neither_a_copy_nor_another_id_takes_a_guardrail_away(accepted: Clone) -> None:
    accepted.person(*GUARD)
    path = file_of(accepted, "look-first")
    text = path.read_text()
    file_of(accepted, "copy").write_text(text + "# mine\n")
    found = accepted.data("runbook", "list")
    assert ([one["name"] for one in found["runbooks"]], len(found["faults"])) == (["look-first"], 2)
    assert list(shown(accepted, "--task", "anything")) == ["Look first"]
    file_of(accepted, "copy").unlink()
    path.write_text(text.replace(accepted.data("runbook", "list")["runbooks"][0]["id"], "rb_" + "0" * 26))
    assert list(shown(accepted, "--task", "anything")) == ["Look first"]
    assert state(accepted, "look-first") == (True, True)


def test_a_guardrail_whose_file_is_broken_goes_on_holding(accepted: Clone) -> None:
    accepted.person(*GUARD)
    accepted.commit()
    path = file_of(accepted, "look-first")
    path.write_text("title = \n")
    accepted.git("commit", "--quiet", "-am", "Break it")
    found = accepted.data("runbook", "list")
    assert [(one["name"], one["held"]) for one in found["runbooks"]] == [("look-first", True)]
    assert found["faults"][0].startswith("runbooks/look-first.toml:1: ")


def test_an_archived_one_is_readable_and_selected_no_more(accepted: Clone) -> None:
    accepted.person(*HOW)
    accepted.person("runbook", "archive", "cut-a-release")
    assert shown(accepted, "--task", "release it") == {}
    assert accepted.data("runbook", "list")["runbooks"] == []
    assert "archived" in accepted.cc("runbook", "show", "cut-a-release")
    accepted.person("runbook", "edit", "cut-a-release", "--set", "state=active")
    assert list(shown(accepted, "--task", "release it")) == ["Cut a release"]


@pytest.mark.parametrize("chosen", ["GIT_EDITOR", "VISUAL", "EDITOR", "core.editor"])
def test_the_editor_is_chosen_as_git_chooses_it(accepted: Clone, monkeypatch: pytest.MonkeyPatch, chosen: str) -> None:
    monkeypatch.delenv("GIT_EDITOR", raising=False)
    editor = "sed -i 's/push/push and wait/'"
    if chosen == "core.editor":
        accepted.git("config", chosen, editor)
    accepted.cc(*HOW)
    Clone(accepted.top, "ana", {"TERM": "xterm", chosen: editor}).cc("runbook", "edit", "cut-a-release")
    assert '"push and wait"' in file_of(accepted, "cut-a-release").read_text()


def test_what_a_person_leaves_in_the_editor_is_attested_where_the_text_before_was(accepted: Clone) -> None:
    accepted.person(*HOW)
    Clone(accepted.top, "ana", {"GIT_EDITOR": "sed -i s/push/wait/"}).person("runbook", "edit", "cut-a-release")
    assert state(accepted, "cut-a-release") == (True, False)
    Clone(accepted.top, "ana", {"GIT_EDITOR": "sed -i s/wait/go/"}).cc("runbook", "edit", "cut-a-release")
    assert state(accepted, "cut-a-release") == (False, False)


def test_without_an_editor_the_command_says_how_to_choose_one(accepted: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_EDITOR", raising=False)
    accepted.cc(*HOW)
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    bare = Clone(accepted.top, "ana", {"TERM": "dumb"})
    assert "there is no editor to start" in bare.run("runbook", "edit", "cut-a-release", code=3).err


def test_a_fault_leads_back_into_the_editor_until_it_is_mended(accepted: Clone, tmp_path: Path) -> None:
    accepted.person(*HOW)
    editor = tmp_path / "editor"
    editor.write_text(
        '#!/bin/sh\nif grep -q broken "$1"; then sed -i \'s/broken.*/title = "Mended"/\' "$1"\n'
        "else sed -i 's/^title.*/broken/' \"$1\"; fi\n"
    )
    editor.chmod(0o755)
    person = Clone(accepted.top, accepted.name, {"GIT_EDITOR": str(editor)})
    said = person.person("runbook", "edit", "cut-a-release", answers=("y",))
    assert "runbooks/cut-a-release.toml:3: " in said and "Go back into the editor?" in said
    assert accepted.data("runbook", "show", "cut-a-release")["title"] == "Mended"
    stopped = person.run("runbook", "edit", "cut-a-release", code=6)
    assert "cut-a-release.toml:3" in stopped.err
    listed = accepted.run("runbook", "list")
    assert "Mended" in listed.out and "cut-a-release.toml:3: " in listed.err


def test_the_id_of_a_runbook_cannot_be_edited_away(accepted: Clone) -> None:
    accepted.cc(*HOW)
    editor = Clone(accepted.top, accepted.name, {"GIT_EDITOR": "sed -i 's/^id = .*/id = \"rb_" + "0" * 26 + "\"/'"})
    assert "was changed" in editor.run("runbook", "edit", "cut-a-release", code=6).err
    assert "cannot be set" in accepted.run("runbook", "edit", "cut-a-release", "--set", "id=x", code=2).err


def test_wrong_words_are_told_with_what_helps(accepted: Clone) -> None:
    accepted.cc(*HOW)
    for words, said in (
        (("add", "Cut a release"), "there is a runbook cut-a-release"),
        (("add", "Fix it", "-k", "troubleshooting"), "needs a signal"),
        (("add", "…"), "does not name a file"),
        (("add", "x", "--name", "../x"), "does not name a file"),
        (("add",), "needs a title"),
        (("add", "--template", "none"), "hard-to-take-back"),
        (("edit", "cut-a-release", "--set", "titel=x"), "titel cannot be set"),
        (("edit", "cut-a-release", "--add", "title=x"), "title is no list"),
        (("edit", "cut-a-release", "--drop", "do=jump"), "has no item 'jump'"),
        (("edit", "cut-a-release", "--set", "kind=recipe"), "runbook: kind: "),
        (("edit", "cut-a-release", "--set", "title=Cut a release"), "changes nothing"),
        (("show", "nothing"), "there is no runbook nothing"),
    ):
        assert said in accepted.run("runbook", *words, code=2).err


def test_a_dry_run_writes_nothing(accepted: Clone) -> None:
    said = accepted.cc(*HOW, "--dry-run")
    assert "would be added" in said and 'title = "Cut a release"' in said
    assert not file_of(accepted, "cut-a-release").exists()


def test_templates_are_listed_and_begun_from_with_their_comments(accepted: Clone) -> None:
    listed = {one["name"]: one["kind"] for one in accepted.data("runbook", "add", "--list-templates")}
    assert listed == {
        "close-a-line-of-work": "procedure",
        "git-index-lock": "troubleshooting",
        "hard-to-take-back": "guardrail",
        "secrets": "policy",
    }
    ids = {accepted.data("runbook", "add", "--template", name)["id"] for name in listed}
    accepted.cc("runbook", "add", "Our lock", "--template", "git-index-lock", "--signal", "packed-refs.lock")
    assert len(ids) == 4
    text = file_of(accepted, "git-index-lock").read_text()
    assert text.startswith('# Wakes when "index.lock" stands in what failed')
    assert accepted.data("runbook", "show", "our-lock")["value"]["failure_signals"] == ["packed-refs.lock"]


def test_the_remedy_wakes_when_its_signal_is_reported_and_only_then(accepted: Clone) -> None:
    accepted.person("runbook", "add", "--template", "git-index-lock")
    title = "Git says that index.lock exists"
    assert title not in shown(accepted, "--task", "commit the lock file")
    failed = "fatal: Unable to create '/w/.git/index.lock': File exists."
    assert title in shown(accepted, "--task", "commit", "--signal", failed)
    piped = accepted.run("resume", "--task", "commit", "--signal", "-", "--json", text=failed).data["sections"]
    assert piped[0]["items"][0]["title"] == title
    accepted.cc("capture", failed, "--type", "outcome", "--tag", "failed")
    assert title in shown(accepted, "--task", "commit")
    accepted.cc("capture", "It is committed", "--type", "outcome", "--now", "2099-01-01T00:00:00Z")
    assert title not in shown(accepted, "--task", "commit", "--now", "2099-01-02T00:00:00Z")


def test_a_private_one_is_shown_under_its_ceiling_alone_and_a_guardrail_restrains_without_its_text(ana: Clone) -> None:
    for name, kind in (("door", "procedure"), ("gate", "guardrail")):
        words = ("--name", name, "--kind", kind, "--do", "Say plugh", "--trigger", "zebra")
        ana.cc("runbook", "add", f"Zebra {name}", *words)
        laid = file_of(ana, name)
        private = ana.top / ".continuity/private/runbooks" / laid.name
        private.parent.mkdir(parents=True, exist_ok=True)
        laid.rename(private)
    for words in (("compile", "-t", "zebra"), ("resume", "-t", "zebra"), ("preflight", "zebra", "--json")):
        said = ana.run(*words, "--ceiling", "ordinary", code=None).out
        assert ("plugh" in said, "Zebra" in said, "sensitive: content not shown" in said) == (False, False, True)
        assert "plugh" in ana.run(*words, "--ceiling", "sensitive", code=None).out
    assert ana.run("preflight", "zebra", code=None).code == 1


def test_match_says_the_order_and_the_reasons(accepted: Clone) -> None:
    accepted.person(*HOW)
    accepted.person(*GUARD)
    accepted.person("runbook", "add", "Notes", "--trigger", "release notes")
    found = accepted.data("runbook", "match", "write the release notes")
    assert [(m["name"], m["shown"], m["reasons"]) for m in found["matches"]] == [
        ("cut-a-release", True, ['the task says "release"']),
        ("notes", True, ['the task says "release notes"']),
        ("look-first", False, ["holds for all work"]),
    ]
    assert found["risks"] == ['the task says "release"']


def test_match_names_the_files_that_it_could_not_read(accepted: Clone) -> None:
    accepted.person(*HOW)
    (accepted.top / ".continuity" / "runbooks" / "deploy.toml").write_text("title = \n")
    said = accepted.run("runbook", "match", "write the release notes")
    assert "cut-a-release" in said.out and "runbooks/deploy.toml:1: " in said.err


def test_a_goal_selects_by_its_id(accepted: Clone) -> None:
    goal = accepted.made("remember", "Ship it", "-k", "goal", prefix="goal")
    accepted.cc("runbook", "add", "How", "--goal", goal[-6:])
    assert accepted.data("runbook", "show", "how")["value"]["goal_ids"] == [goal]


def test_a_packet_that_showed_it_is_named_and_stale_after_a_change(accepted: Clone) -> None:
    accepted.person(*HOW)
    packet = accepted.packet("--task", "release it")
    changed = accepted.settles("runbook", "edit", "cut-a-release", "--add", "do=announce", answers=())
    assert changed["stale_packets"] == [packet["id"]]
    assert accepted.run("packet", "verify", packet["id"], code=1).out.count("the runbooks at hand changed") == 1


def test_two_edits_of_one_line_conflict_in_text_and_are_named_by_file_and_line(world: World, accepted: Clone) -> None:
    accepted.person(*HOW)
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    ben.cc("runbook", "edit", "cut-a-release", "--set", "title=Cut a version")
    ben.commit()
    ben.git("push", "--quiet", "origin", "HEAD")
    accepted.cc("runbook", "edit", "cut-a-release", "--set", "title=Cut one")
    accepted.commit()
    accepted.git("pull", "--quiet", "--no-rebase", code=1)
    listed = accepted.run("runbook", "list")
    assert "Cut one" in listed.out
    assert "runbooks/cut-a-release.toml:3: has merge conflict markers" in listed.err
    assert "cut-a-release.toml:3" in accepted.cc("status")
    mend = "sed -i -e '/^[<=>]\\{7\\}/d' -e '/Cut a version/d'"
    Clone(accepted.top, "ana", {"GIT_EDITOR": mend}).cc("runbook", "edit", "cut-a-release")
    accepted.git("commit", "--quiet", "--no-edit", "-a")
    assert accepted.data("runbook", "show", "cut-a-release")["title"] == "Cut one"
    assert accepted.run("runbook", "list").err == ""


def test_edits_of_different_fields_merge_like_code(world: World, accepted: Clone) -> None:
    accepted.cc(*HOW, "--verify", "seen")
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    ben.cc("runbook", "edit", "cut-a-release", "--set", "title=Cut a version")
    ben.commit()
    ben.git("push", "--quiet", "origin", "HEAD")
    accepted.cc("runbook", "edit", "cut-a-release", "--add", "verify=announced")
    accepted.commit()
    accepted.git("pull", "--quiet", "--no-rebase")
    value = accepted.data("runbook", "show", "cut-a-release")["value"]
    assert (value["title"], value["verify"]) == ("Cut a version", ["seen", "announced"])


def test_a_copied_file_keeps_its_id_and_both_are_named(accepted: Clone) -> None:
    accepted.cc(*HOW)
    file_of(accepted, "copy").write_text(file_of(accepted, "cut-a-release").read_text() + "# mine\n")
    found = accepted.data("runbook", "list")
    assert found["runbooks"] == [] and len(found["faults"]) == 2
    assert all("one id, two contents" in fault for fault in found["faults"])


def test_an_earlier_commit_shows_the_text_of_its_time(accepted: Clone) -> None:
    accepted.cc(*HOW)
    accepted.commit()
    accepted.cc("runbook", "edit", "cut-a-release", "--set", "title=Later")
    assert accepted.data("runbook", "show", "cut-a-release", "--at", "HEAD")["title"] == "Cut a release"
    assert accepted.data("runbook", "show", "cut-a-release")["title"] == "Later"


def test_hostile_words_reach_neither_terminal_nor_packet(accepted: Clone) -> None:
    accepted.cc("runbook", "add", "Evil", "--trigger", "go", "--do", "\x1b[31mred \u202e``` ![x](https://e.example/x)")
    for said in (accepted.cc("runbook", "show", "evil"), accepted.cc("resume", "--task", "go")):
        assert "\x1b" not in said and "\u202e" not in said
    assert "](https" not in accepted.cc("resume", "--task", "go").replace("!\\[x](https", "")


def test_json_has_a_schema_and_a_receipt(accepted: Clone) -> None:
    said = json.loads(accepted.cc(*HOW, "--json"))
    assert said["schema"] == "cc-git/runbook-add/1"
    assert said["receipt"]["operation"] == "runbook-add" and said["receipt"]["made"] == [said["data"]["id"]]
