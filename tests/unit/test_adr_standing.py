"""What imported decisions count as, judged by the real rules; alone, changed, and merged from two clones by Git."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.policy import Policy
from cc_git.resources import shipped
from cc_git.standing.rules import standing

from .adr_workspace import Workspace, document

ONE, TWO, THREE = "docs/adr/0001-one.md", "docs/adr/0002-two.md", "docs/adr/0003-three.md"


def stands(workspace: Workspace) -> dict[str, list[str]]:
    """Title → the standing of each record with it, the one that counts first."""
    files = workspace.values()
    found = standing(files, Policy(), Attestations(), Negatives(), workspace.now)
    out: dict[str, list[str]] = {}
    for identifier in sorted(found.verdicts):
        title = files.records[identifier][0].value.title
        out.setdefault(title, []).append(found.verdicts[identifier].standing)
    assert not found.clashes
    return {title: sorted(names, key=lambda name: name == "superseded") for title, names in out.items()}


def flags(workspace: Workspace, title: str) -> set[str]:
    found = standing(workspace.values(), Policy(), Attestations(), Negatives(), workspace.now)
    return {flag for record in workspace.records()[title] for flag in found.verdicts[record.id].flags}


def ours() -> dict[str, str]:
    folder = shipped("templates") / "adr"
    return {f"docs/adr/{path.name}": path.read_text() for path in sorted(folder.iterdir())}


OURS = {
    "Record architecture decisions": ["current"],
    "Keep bookings in SQLite": ["superseded"],
    "Warn of low tide by text message": ["expired"],
    "Render pages on the server": ["current"],
    "Keep bookings in PostgreSQL": ["current"],
    "Sign in with a link by mail": ["current"],
    "Sell berths by auction in August": ["rejected"],
    "Record who changed a booking": ["proposed"],
}


def test_each_status_becomes_its_standing() -> None:
    workspace = Workspace()
    workspace.imports(ours())
    assert stands(workspace) == OURS


def test_the_public_collections_stand_as_their_documents_say(data: Path) -> None:
    texts = {f"docs/{p.parent.name}/{p.name}": p.read_text() for p in sorted((data / "adr").rglob("*.md"))}
    workspace = Workspace()
    workspace.imports(texts)
    found = stands(workspace)
    assert found.pop("Write Own MADR Tooling") == ["proposed"]
    assert found.pop("Use Markdown Architectural Decision Records") == ["current", "current"]
    assert len(found) == 26
    assert set(map(tuple, found.values())) == {("current",)}


def test_two_clones_that_imported_the_same_count_each_decision_once_after_a_merge() -> None:
    one, other = Workspace(1), Workspace(2)
    one.imports(ours())
    other.now += timedelta(hours=3)
    other.imports(ours())
    found = stands(one.merged_with(other))
    # of twins one counts; the end that the document names reaches both
    counted = {title: names[0] for title, names in found.items()}
    assert counted == {title: names[0] for title, names in OURS.items()}
    assert all(names[1] in {"superseded", names[0]} and names.count("current") < 2 for names in found.values())


def test_what_a_later_importer_reads_differently_is_shown_as_a_conflict_until_the_next_text() -> None:
    one, other = Workspace(1), Workspace(2)
    one.imports({ONE: document("One")})
    other.imports({ONE: document("One")})
    other.files = {
        rel: data.replace(b'title = "One"', b'title = "One, read better"') if rel.startswith("records/") else data
        for rel, data in other.files.items()
    }
    merged = one.merged_with(other)
    found = standing(merged.values(), Policy(), Attestations(), Negatives(), merged.now)
    assert {verdict.standing for verdict in found.verdicts.values()} == {"conflicted"}
    assert merged.imports({ONE: document("One")}).plan is None
    merged.imports({ONE: document("One again")})
    assert stands(merged) == {"One": ["superseded"], "One, read better": ["superseded"], "One again": ["current"]}


@pytest.mark.parametrize(
    ("history", "last"),
    [
        (["Proposed", "Accepted"], "current"),
        (["Accepted", "Rejected"], "rejected"),
        (["Accepted", "Deprecated"], "expired"),
        (["Deprecated", "Accepted"], "current"),
        (["Rejected", "Accepted"], "current"),
        (["Proposed", "Accepted", "Rejected", "Accepted"], "current"),
        (["Accepted", "Superseded by ADR-9", "Accepted"], "current"),
        (["Accepted", "Deprecated", "Accepted", "Deprecated"], "expired"),
        (["Proposed", "Rejected"], "rejected"),
        (["Proposed", "Deprecated"], "expired"),
    ],
)
@pytest.mark.parametrize("merges", ["none", "after the first", "at the end"])
def test_the_last_status_of_a_document_counts_whatever_came_before(history: list[str], last: str, merges: str) -> None:
    here, there = Workspace(1), Workspace(2)
    for number, status in enumerate(history):
        for side in (here, there):
            side.now += timedelta(days=1)
            side.imports({ONE: document(f"Text {number}", status)})
        if merges == "after the first" and number == 0:
            here = here.merged_with(there)
    if merges == "at the end":
        here = here.merged_with(there)
    # an earlier text is superseded, or rejected where it only proposed or the document is rejected at last
    found = stands(here)
    assert found[f"Text {len(history) - 1}"][0] == last
    earlier = {name for number in range(len(history) - 1) for name in found[f"Text {number}"]}
    assert earlier <= {"superseded", "rejected"}


def test_a_decision_that_its_document_reopens_is_under_review_until_the_document_decides() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One")})
    workspace.imports({ONE: document("One, in doubt", "Proposed")})
    assert (stands(workspace), flags(workspace, "One")) == (
        {"One": ["current"], "One, in doubt": ["proposed"]}, {"under-review"},
    )  # fmt: skip
    workspace.imports({ONE: document("One, decided")})
    assert stands(workspace) == {"One": ["superseded"], "One, in doubt": ["rejected"], "One, decided": ["current"]}


@pytest.mark.parametrize("edited", [ONE, TWO])
@pytest.mark.parametrize("saying", ["old", "new", "both"])
def test_an_edit_of_either_side_of_a_supersession_changes_nothing(edited: str, saying: str) -> None:
    texts = {
        ONE: document("One", "Accepted" if saying == "new" else "Superseded by [2](0002-two.md)"),
        TWO: document("Two", "Accepted" + ("" if saying == "old" else "\n\nSupersedes [1](0001-one.md)")),
    }
    workspace = Workspace()
    workspace.imports(texts)
    assert stands(workspace) == {"One": ["superseded"], "Two": ["current"]}
    texts[edited] = texts[edited].replace("Why.", "Why, spelled right.") + "\nMore.\n"
    workspace.now += timedelta(days=1)
    workspace.imports(texts)
    found = stands(workspace)
    assert sorted(found["Two"])[0] == "current"
    assert not set(found["One"]) & {"current", "conflicted"}


def test_two_clones_that_changed_one_document_differently_are_settled_by_the_merged_document() -> None:
    one, other = Workspace(1), Workspace(2)
    for side in (one, other):
        side.imports({ONE: document("One", decision="First.")})
    one.imports({ONE: document("Here", decision="Here.")})
    other.imports({ONE: document("There", decision="There.")})
    merged = one.merged_with(other)
    files = merged.values()
    clashing = standing(files, Policy(), Attestations(), Negatives(), merged.now)
    assert [verdict.standing for verdict in clashing.verdicts.values()].count("conflicted") == 2
    merged.imports({ONE: document("Merged", decision="Both.")})
    assert stands(merged) == {
        "One": ["superseded", "superseded"], "Here": ["superseded"], "There": ["superseded"], "Merged": ["current"],
    }  # fmt: skip


def test_git_merges_the_imports_of_two_clones_without_a_conflict(
    tmp_path: Path, repository: Path, git: Callable[..., str]
) -> None:
    for rel, text in ours().items():
        (repository / rel).parent.mkdir(parents=True, exist_ok=True)
        (repository / rel).write_text(text)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "decisions")
    git(tmp_path, "clone", "-q", str(repository), "other")
    texts = ours() | {ONE: document("Loose")}
    sides = []
    for seed, clone in ((1, repository), (2, tmp_path / "other")):
        workspace = Workspace(seed)
        workspace.imports(ours(), {ONE: texts[ONE]})
        for rel, data in workspace.files.items():
            (clone / ".continuity" / rel).parent.mkdir(parents=True, exist_ok=True)
            (clone / ".continuity" / rel).write_bytes(data)
        git(clone, "add", "-A")
        git(clone, "commit", "-q", "-m", "import")
        sides.append(workspace)
    git(repository, "pull", "-q", "--no-rebase", "--no-edit", str(tmp_path / "other"), "HEAD")
    found = {
        path.relative_to(repository / ".continuity").as_posix(): path.read_bytes()
        for path in (repository / ".continuity").rglob("*")
        if path.is_file()
    }
    assert found == sides[0].merged_with(sides[1]).files
    merged = Workspace(3, found)
    assert {title: names[0] for title, names in stands(merged).items()} == {t: names[0] for t, names in OURS.items()}
    assert merged.imports(ours(), {ONE: texts[ONE]}).plan is None
