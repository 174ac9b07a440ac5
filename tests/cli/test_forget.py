"""Forgetting from the command line: a secret that is everywhere is gone from everything of ours, and the rest named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cc_git.codec.paths import path_of, tombstone_path
from cc_git.model.ids import short
from tests.cli.forgetting import SECRET, TOKEN, Scene, copied, ident
from tests.cli.people import Clone

CONTENT_FREE = re.compile(r'format = "cc-git/1"\nid = "[a-z]+_[0-9a-z]{26}"\n')


@pytest.fixture
def scene(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return copied(tmp_path, tmp_path_factory)


def _receipts(scene: Scene, operation: str) -> list[str]:
    texts = [path.read_text() for path in (scene.directory / "receipts").rglob("*.toml")]
    return [text for text in texts if f'operation = "{operation}"' in text]


def test_a_secret_is_gone_from_everything_of_ours_and_the_rest_is_named(scene: Scene) -> None:
    clone = scene.clone
    head = clone.git("rev-parse", "HEAD")
    assert len(scene.holding()) > 20, "the look is blind"
    said = clone.person("forget", scene.episode, answers=("y",))
    assert scene.holding() == []
    assert TOKEN not in said and "The search finds none of it" in said
    (receipt,) = _receipts(scene, "forget")
    assert 'result = "clean"' in receipt
    for held in ("branch refs/heads/main: 1", "remote refs/remotes/origin/main: 1", "tag refs/tags/v1: 1",
                 "stash refs/stash: 1", f"commit {head}"):  # fmt: skip
        assert held in receipt, receipt
    assert "index" not in receipt


def test_what_says_that_it_was_forgotten_says_nothing_of_it(scene: Scene) -> None:
    clone = scene.clone
    clone.person("forget", scene.episode, answers=("y",))
    marks = [p for folder in ("tombstones", "endings") for p in (scene.directory / folder).rglob("*.toml")]
    assert len(marks) >= 15
    assert [p for p in marks if not CONTENT_FREE.fullmatch(p.read_text())] == []
    (receipt,) = _receipts(scene, "forget")
    names = "\n".join(str(p) for p in scene.directory.rglob("*")) + clone.git("for-each-ref")
    words = {word.lower() for word in re.findall(r"\w{4,}", SECRET)}
    for text in (receipt, names, clone.git("log", "--format=%B", "-1")):
        assert not words & {word.lower() for word in re.findall(r"\w+", text)}


def test_what_goes_what_is_redacted_and_what_stays(scene: Scene) -> None:
    clone = scene.clone
    plan = clone.data("forget", scene.episode, "--dry-run")["plan"]
    why = {one["id"]: one["why"] for one in plan["remove"]}
    assert why[scene.episode] == "asked"
    assert why[scene.quoting.pop("sole source")] == "sole source"
    assert {why[i] for i in scene.quoting.values()} == {"quotes"}
    assert {ident("tr", 1), ident("dr", 1)} <= why.keys()
    assert [i for i in why if i.startswith("im_")], "the import goes with its last item"
    assert plan["review"] == [scene.resting]
    assert scene.plain not in why
    assert len(plan["packets"]) == 2
    assert plan["redact"] == [path_of(ident("cp", 1)), "private/working-context.json"]
    clone.person("forget", scene.episode, "--confirm", plan["digest"])
    assert clone.standing(scene.resting) == "current"
    assert "needs-review" in clone.data("show", scene.resting)["verdict"]["flags"]
    assert clone.standing(scene.plain) == "current"
    context = (scene.directory / "private" / "working-context.json").read_text()
    assert "Oil the crane" in context and "When?" in context and '"version": 2' in context
    (new,) = [p for p in (scene.directory / "checkpoints").rglob("*.json") if p.stat().st_size]
    assert ident("cp", 1) in new.read_text() and "Oil the crane" in new.read_text()


def test_the_commit_holds_tombstones_and_emptied_files_and_then_nothing_is_left_to_do(scene: Scene) -> None:
    clone = scene.clone
    clone.person("forget", scene.episode, answers=("y",))
    assert clone.data("status")["emptied"] != []
    assert clone.data("status")["edited"] == []
    clone.commit("Forget")
    assert clone.git("cat-file", "-s", f"HEAD:.continuity/{path_of(scene.episode)}") == "0"
    clone.git("cat-file", "-e", f"HEAD:.continuity/{tombstone_path(scene.episode)}")
    state = clone.data("status")
    assert (state["emptied"], state["forgotten"], state["faults"], state["edited"]) == ([], [], [], [])
    assert TOKEN not in clone.cc("resume", "--task", "the crane") and TOKEN not in clone.cc("search", TOKEN)
    assert scene.holding() == []


def test_nothing_is_forgotten_without_the_plan_being_confirmed(scene: Scene) -> None:
    clone, before = scene.clone, scene.holding()
    clone.person("forget", scene.episode, answers=("n",), code=3)
    digest = clone.data("forget", scene.episode, "--dry-run")["plan"]["digest"]
    clone.person("forget", scene.episode, "--confirm", "0" * 16, code=3)
    refused = clone.run("forget", scene.episode, "--confirm", digest, code=3)
    assert "only a person at a terminal" in refused.err
    clone.agent().run("forget", scene.episode, "--confirm", digest, code=3)
    assert scene.holding() == before


def test_an_agent_forgets_what_is_its_own_and_restrains_nothing(accepted: Clone) -> None:
    agent = accepted.agent()
    mine = agent.made("remember", "A thought that nobody else had", "-k", "belief", prefix="blf")
    deny = agent.made("remember", "Frozen for the night", "--deny", "deploy", prefix="prm")
    ben = accepted.agent("other").made("remember", "Somebody else's own thought", "-k", "belief", prefix="blf")
    agent.run("forget", mine, code=3)
    digest = agent.data("forget", mine, "--dry-run")["plan"]["digest"]
    agent.cc("forget", mine, "--confirm", digest)
    accepted.run("show", mine, code=2)
    for other in (deny, ben):
        digest = agent.data("forget", other, "--dry-run")["plan"]["digest"]
        agent.run("forget", other, "--confirm", digest, code=3)
        assert accepted.standing(other) == "current"


def test_an_episode_with_five_hundred_records_that_have_other_sources_takes_none_of_them(accepted: Clone) -> None:
    one = accepted.made("capture", "It was said in the morning", prefix="ep")
    other = accepted.made("capture", "It was said again at night", prefix="ep")
    first = accepted.made("remember", "Number 0", "-k", "belief", "--source", one, "--source", other, prefix="blf")
    path = accepted.top / ".continuity" / accepted.data("show", first)["file"]
    for number in range(1, 500):
        identifier = f"{first[:-6]}{number:06}"
        text = path.read_text().replace(first, identifier).replace("Number 0", f"Number {number}")
        path.with_name(f"{identifier}.toml").write_text(text)
    plan = accepted.data("forget", one, "--dry-run")["plan"]
    assert [one["id"] for one in plan["remove"]] == [one]
    assert len(plan["review"]) == 500
    accepted.person("forget", one, answers=("y",))
    assert len(accepted.data("list")) == 500


def test_a_text_is_forgotten_wherever_it_is_however_short(scene: Scene) -> None:
    clone = scene.clone
    clone.person("forget", "--match", TOKEN, answers=("y",))
    assert scene.holding() == []
    assert clone.standing(scene.plain) == "current"
    assert clone.standing(scene.resting) == "current"


def test_a_short_text_is_shown_where_it_may_be_chance_and_stays(accepted: Clone) -> None:
    one = accepted.made("capture", "Pier seven", prefix="ep")
    alike = accepted.made("remember", "Go to pier seven", "-k", "belief", prefix="blf")
    plan = accepted.data("forget", one, "--dry-run")["plan"]
    assert (len(plan["remove"]), alike in plan["alike"]) == (1, True)
    said = accepted.person("forget", one, answers=("y",))
    assert "finds none of it" in said
    assert accepted.standing(alike) == "current"


def test_what_is_kept_by_word_is_no_finding(accepted: Clone) -> None:
    text = "The north gate opens at six in the morning"
    one = accepted.made("capture", text, prefix="ep")
    quoting = accepted.made("remember", text, "-k", "belief", prefix="blf")
    said = accepted.person("forget", one, "--keep", quoting, answers=("y",))
    assert "finds none of it" in said
    assert accepted.standing(quoting) == "current"


def test_a_document_that_people_edit_is_named_and_found_until_they_do(accepted: Clone) -> None:
    text = "The north gate opens at six in the morning"
    one = accepted.made("capture", text, prefix="ep")
    workspace = accepted.top / ".continuity" / "workspace.toml"
    workspace.write_text(f'{workspace.read_text()}\n[custom]\nnote = "{text}"\n')
    assert accepted.data("forget", one, "--dry-run")["plan"]["by_hand"] == ["workspace.toml"]
    said = accepted.person("forget", one, answers=("y",), code=1)
    assert "workspace.toml" in said


def test_where_it_is_still_held_is_looked_up_again_later(scene: Scene) -> None:
    clone = scene.clone
    clone.person("forget", scene.episode, answers=("y",))
    clone.commit("Forget")
    head, before = clone.git("rev-parse", "HEAD"), clone.git("rev-parse", "v1")
    held = clone.data("forget", "--residue", scene.episode)["held"]
    assert held["commits"] == [before] and head not in held["commits"]
    kinds = {place["kind"] for place in held["places"]}
    assert {"branch", "tag", "remote"} <= kinds
    stash = scene.quoting["stashed"]
    places = clone.data("forget", "--residue", stash)["held"]["places"]
    assert [p["kind"] for p in places if p["kind"] in ("stash", "branch")] == ["stash"]
    clone.git("stash", "drop")
    clone.git("reflog", "expire", "--expire=now", "--all")
    assert {p["kind"] for p in clone.data("forget", "--residue", stash)["held"]["places"]} <= {
        "unreachable", "loose objects", "export"}  # fmt: skip
    clone.git("gc", "--quiet", "--prune=now")
    assert {p["kind"] for p in clone.data("forget", "--residue", stash)["held"]["places"]} <= {"export"}
    receipt = next(
        p.stem for p in (scene.directory / "receipts").rglob("*") if p.is_file() and '"forget"' in p.read_text()
    )
    assert clone.data("forget", "--residue", receipt)["held"]["commits"] == [before]


def test_reflogs_notes_worktrees_and_the_index_are_looked_at(accepted: Clone) -> None:
    text = "The north gate opens at six in the morning"
    one = accepted.made("remember", text, "-k", "belief", prefix="blf")
    accepted.commit()
    accepted.git("worktree", "add", "--quiet", "../side")
    path = accepted.data("show", one)["file"]
    accepted.git("notes", "add", "-m", (accepted.top / ".continuity" / path).read_text(), "HEAD")
    accepted.git("commit", "--quiet", "--amend", "-m", "Amended")
    accepted.git("worktree", "lock", "../side")
    accepted.person("forget", one, answers=("y",))
    places = {p["kind"]: p for p in accepted.data("forget", "--residue", one)["held"]["places"]}
    assert places.keys() >= {"branch", "notes", "worktree", "loose objects"}
    assert places["worktree"]["name"] == "side" and places["notes"]["name"] == "refs/notes/commits"
    accepted.git("worktree", "unlock", "../side")
    accepted.git("worktree", "remove", "--force", "../side")
    accepted.git("branch", "-D", "side")
    accepted.commit("Forget")
    places = {p["kind"]: p for p in accepted.data("forget", "--residue", one)["held"]["places"]}
    assert places["reflog"]["number"] == 1 and "worktree" not in places


def test_the_history_plan_names_blobs_paths_refs_and_people_and_runs_nothing(scene: Scene) -> None:
    clone = scene.clone
    clone.person("forget", scene.episode, answers=("y",))
    clone.commit("Forget")
    before = clone.git("for-each-ref")
    plan = clone.data("forget", "--history-plan")
    assert plan["commits"] == [clone.git("rev-parse", "v1")]
    assert f".continuity/{path_of(scene.episode)}" in plan["paths"]
    assert clone.git("rev-parse", f"v1:.continuity/{path_of(scene.episode)}") in plan["blobs"]
    assert {"refs/heads/main", "refs/tags/v1", "refs/remotes/origin/main", "refs/stash"} <= set(plan["refs"])
    assert plan["must_reclone"] == ["Ana <ana@example.org>"] and plan["remotes"][0].startswith("origin ")
    script = clone.cc("forget", "--history-plan")
    assert "git filter-repo --strip-blobs-with-ids forgotten-blobs" in script
    assert clone.git("for-each-ref") == before


def test_the_private_tier_in_a_stash_is_looked_at(accepted: Clone) -> None:
    text = "The north gate opens at six in the morning"
    one = accepted.made("remember", text, "-k", "belief", "--sensitivity", "sensitive", prefix="blf")
    accepted.git("stash", "push", "--quiet", "--all")
    accepted.person("forget", one, answers=("y",))
    places = {p["kind"] for p in accepted.data("forget", "--residue", one)["held"]["places"]}
    assert "stash" in places
    accepted.git("stash", "pop", "--quiet")
    assert text not in accepted.cc("compile", "--ceiling", "sensitive")
    files = [path for path in (accepted.top / ".continuity").rglob("*") if path.is_file()]
    assert [path for path in files if text.encode() in path.read_bytes()] == []


def test_the_question_says_of_which_kind_what_goes_is_and_repeats_none_of_it(accepted: Clone) -> None:
    record = accepted.made("remember", "The locker code is 4711", "-k", "decision", prefix="dec")
    said = accepted.person("forget", record, answers=("n",), code=3)
    assert f"{short(record)}  decision  " in said and "cc-git show ID" in said and "4711" not in said
