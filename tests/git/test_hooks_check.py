"""What the pre-commit hook says about what is committed below `.continuity/`, and what it stops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cc_git.codec import paths
from cc_git.codec.files import encode
from tests.unit.model.samples import an_id, record

from .histories.memory import an_episode
from .twins import Side, Twins, make_twins

DECISION = record("decision")
REL = paths.path_of(DECISION.id)
PATH = f".continuity/{REL}"
SOUND = encode(DECISION).decode()


@pytest.fixture
def side(tmp_path: Path) -> Side:
    """Nothing waits; the workspace is committed."""
    return make_twins(tmp_path, number=0).ours


def commit(side: Side, *words: str) -> str:
    """What was said; the exit code goes to `side.codes`."""
    side.run("add", ".continuity")
    side.said = ""
    side.git("commit", "-qm", "x", *words)
    return side.said.partition("\n")[2]


def test_a_sound_record_is_committed_without_a_word(side: Side) -> None:
    side.write(PATH, SOUND)
    assert commit(side) == ""
    assert side.codes == [0]


BROKEN: dict[str, tuple[str, str]] = {
    "syntax": (SOUND + "title = \n", f"{PATH}:{SOUND.count(chr(10)) + 1}: "),
    "a field": (SOUND.replace('title = "A decision"', f'title = "{"x" * 200}"'), f"{PATH}:4: title: "),
    "no format": (SOUND.replace('format = "cc-git/1"\n', ""), f"{PATH}: does not name its format"),
    "another id": (SOUND.replace(DECISION.id, an_id("dec", 7)), f"{PATH}: holds {an_id('dec', 7)}, whose place is"),
    "conflict markers": (f"<<<<<<< ours\n{SOUND}", f"{PATH}:1: has merge conflict markers"),
    "too large": (SOUND + "# long\n" * 200_000, f"{PATH}: has {len(SOUND) + 1_400_000} bytes"),
    "empty": ("", f"{PATH}: the file is empty and no tombstone explains it"),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
def test_a_record_that_breaks_the_format_stops_the_commit_with_file_line_and_remedy(
    side: Side, text: str, said: str
) -> None:
    side.write(PATH, text)
    told = commit(side)
    assert side.codes == [1]
    assert f"cc-git: error: {said}" in told
    assert "git restore --staged" in told
    assert side.ask("log", "--format=%s") == "base"


def test_a_broken_workspace_file_stops_too(side: Side) -> None:
    side.write(f".continuity/{paths.WORKSPACE_FILE}", "<<<<<<< HEAD\n")
    assert f".continuity/{paths.WORKSPACE_FILE}:1" in commit(side)
    assert side.codes == [1]


def test_the_policy_can_make_it_a_warning(side: Side) -> None:
    side.write(f".continuity/{paths.WORKSPACE_FILE}", 'format = "cc-git/1"\n[policy]\nbroken_records = "warn"\n')
    side.write(PATH, SOUND + "title = \n")
    assert commit(side).startswith(f"cc-git: warning: {PATH}:")
    assert side.codes == [0]


def test_no_verify_skips_it(side: Side) -> None:
    side.write(PATH, "broken =\n")
    assert commit(side, "--no-verify") == ""
    assert side.codes == [0]


def test_the_index_is_judged_and_not_the_disk(side: Side) -> None:
    side.write(PATH, "broken =\n")
    side.run("add", PATH)
    side.write(PATH, SOUND)
    side.git("commit", "-qm", "x")
    assert side.codes == [1]
    side.run("add", PATH)
    side.write(PATH, "broken =\n")
    side.git("commit", "-qm", "x")
    assert side.codes == [1, 0]


def test_the_index_of_a_partial_commit_is_judged(side: Side) -> None:
    side.write(PATH, "broken =\n")
    side.write("code.c", "changed\n")
    side.run("add", PATH)
    side.git("commit", "-qm", "x", "code.c")
    side.git("commit", "-qm", "x", PATH)
    assert side.codes == [0, 1]


def _an_edit(side: Side) -> str:
    side.write(PATH, SOUND.replace("A decision", "Another decision"))
    return f"cc-git: warning: {PATH}: is written once, and this changes it; cc-git correct keeps both\n"


def _a_newer_format(side: Side) -> str:
    path = f".continuity/{paths.path_of(an_id('dec', 5))}"
    side.write(path, 'format = "cc-git/2"\n')
    return f"cc-git: warning: {path}: has the format cc-git/2, newer than cc-git/1: upgrade cc-git to read it\n"


def _a_private_file(side: Side) -> str:
    """The path of one that is forced into the index."""
    rel, data = an_episode(Random(1))
    path = f".continuity/{paths.private(rel)}"
    side.write(path, data.decode())
    side.run("add", "-f", path)
    return path


def test_a_private_file_stops_the_commit_whatever_the_policy_says(side: Side) -> None:
    side.write(f".continuity/{paths.WORKSPACE_FILE}", 'format = "cc-git/1"\n[policy]\nbroken_records = "warn"\n')
    path = _a_private_file(side)
    told = commit(side)
    assert side.codes == [1]
    assert f"cc-git: error: {path}: is private, and stays on this machine\n" in told
    assert "it holds a private file\n" in told and "git rm -r --cached" in told
    assert side.ask("log", "--format=%s") == "base"
    side.run("rm", "-q", "--cached", path)
    side.git("commit", "-qm", "x")
    assert side.codes == [1, 0]
    assert (side.top / path).exists()


def test_a_private_file_stops_a_commit_on_a_branch_without_the_workspace(side: Side) -> None:
    side.run("rm", "-rq", "--cached", ".continuity")
    side.git("commit", "-qm", "without")
    _a_private_file(side)
    side.git("commit", "-qm", "x")
    assert side.codes == [0, 1]


def test_taking_a_private_file_out_of_the_history_is_not_stopped(side: Side) -> None:
    path = _a_private_file(side)
    side.git("commit", "-qm", "x", "--no-verify")
    side.run("rm", "-q", "--cached", path)
    side.git("commit", "-qm", "out")
    assert side.codes == [0, 0]


@pytest.mark.parametrize("change", [_an_edit, _a_newer_format])
def test_what_is_only_doubtful_is_named_and_committed(side: Side, change: Callable[[Side], str]) -> None:
    side.write(PATH, SOUND)
    commit(side)
    expected = change(side)
    assert commit(side) == expected
    assert side.codes == [0, 0]


def _notes_of_the_users(side: Side) -> None:
    side.write(".continuity/README.md", "# notes\n")


def _a_quarantined_item(side: Side) -> None:
    side.write(f".continuity/{paths.QUARANTINE}/{an_id('im')}/1.toml", "anything\n")


def _an_attachment(side: Side) -> None:
    side.write(f".continuity/{paths.attachment_path(an_id('ep'), 1)}", "anything\n")


def _a_deletion(side: Side) -> None:
    (side.top / PATH).unlink()


def _a_forgotten_record(side: Side) -> None:
    side.write(PATH, "")
    side.write(f".continuity/{paths.tombstone_path(DECISION.id)}", f'format = "cc-git/1"\nid = "{DECISION.id}"\n')


def _another_tools_folder(side: Side) -> None:
    side.write("tool/.continuity/manifest.json", "{}\n")
    side.write(f"tool/.continuity/{REL}", "of another tool\n")
    side.run("add", "tool")


@pytest.mark.parametrize(
    "change",
    [_notes_of_the_users, _a_quarantined_item, _an_attachment, _a_deletion, _a_forgotten_record, _another_tools_folder],
)
def test_what_is_no_record_or_no_fault_passes_without_a_word(side: Side, change: Callable[[Side], None]) -> None:
    side.write(PATH, SOUND)
    commit(side)
    change(side)
    assert commit(side) == ""
    assert side.codes == [0, 0]


def test_what_a_merge_brings_from_the_other_side_is_not_held_against_it(side: Side) -> None:
    side.run("switch", "-qc", "topic")
    side.write(PATH, "broken =\n")
    side.write("code.c", "topic\n")
    commit(side, "--no-verify", "-a")
    side.run("switch", "-q", "main")
    side.write("code.c", "main\n")
    side.run("commit", "-qam", "main")
    side.codes.clear()
    side.git("merge", "-q", "topic")
    side.write("code.c", "both\n")
    side.git("commit", "-qam", "merged")
    assert side.codes == [1, 0]


def test_a_workspace_below_the_top_level_is_checked(side: Side) -> None:
    side.write(f"services/a/.continuity/{paths.WORKSPACE_FILE}", 'format = "cc-git/1"\n')
    side.write(f"services/a/{PATH}", "broken =\n")
    side.run("add", "services")
    assert f"cc-git: error: services/a/{PATH}:1" in commit(side)
    assert side.codes == [1]


def test_what_is_said_shows_hostile_names_harmlessly(side: Side) -> None:
    path = f".continuity/{paths.RUNBOOKS}/\x1b[31m\u202e.toml"
    side.write(path, "broken =\n")
    told = commit(side)
    assert side.codes == [1]
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert r"\u{1b}[31m\u{202e}.toml:1" in told


def test_many_findings_are_cut_with_their_number(side: Side) -> None:
    for number in range(30):
        side.write(f".continuity/{paths.path_of(an_id('dec', number))}", "broken =\n")
    told = commit(side).splitlines()
    assert sum("error:" in line for line in told) == 20
    assert "cc-git: and 10 more" in told


def test_records_of_ours_that_join_are_not_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading the models takes longer than everything else in the hook."""
    twins: Twins = make_twins(tmp_path)
    twins.ours.write("code.c", "changed\n")
    twins.ours.git("commit", "-qam", "x", PYTHONVERBOSE="1")
    assert twins.ours.codes == [0]
    assert "import 'cc_git.store.into_commit'" in twins.ours.said
    assert "import 'cc_git.codec.files'" not in twins.ours.said
    assert "import 'pydantic'" not in twins.ours.said
    assert "import 'click'" not in twins.ours.said
