"""What an import plans: which files, which links, which standing, and what a second one changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cc_git.codec.files import encode, path_for
from cc_git.codec.paths import tombstone_path
from cc_git.importers.adr_known import known_imports, subject_for
from cc_git.importers.known import path_and_count
from cc_git.importers.quarantine import read_quarantine
from cc_git.model.fault import Fault
from cc_git.model.value import one_line, slug
from cc_git.resources import shipped

from .adr_workspace import NOW, Workspace, document

ONE, TWO, THREE = "docs/adr/0001-one.md", "docs/adr/0002-two.md", "docs/adr/0003-three.md"


def ours() -> dict[str, str]:
    folder = shipped("templates") / "adr"
    return {f"docs/adr/{path.name}": path.read_text() for path in sorted(folder.iterdir())}


def done(plan: object) -> dict[str, str]:
    return {one.path.rpartition("/")[2]: one.done for one in plan.outcomes}  # type: ignore[attr-defined]


def test_a_tracked_document_becomes_an_episode_and_a_decision_with_its_reasons() -> None:
    workspace = Workspace()
    plan = workspace.imports(ours())
    record = workspace.record("Render pages on the server")
    episode = workspace.values().episodes[record.sources[0]][0].value
    assert (episode.type, episode.authority, episode.content) == ("import", "document", ours()[episode.source.locator])
    assert (record.authority, record.actor, record.subject) == (
        "document", "human:ana", "docs/adr/0004-render-pages-on-the-server",
    )  # fmt: skip
    assert record.content.startswith("Chosen option: Plain pages from the server\n\nConsequences:\n\n* Good, because")
    assert record.payload.rationale.startswith("it is the only one that works on the kiosk")  # type: ignore[attr-defined]
    assert record.payload.alternatives == ("An application in the browser", "A native application")  # type: ignore[attr-defined]
    assert record.payload.owner == "Ines, Ruth"  # type: ignore[attr-defined]
    assert record.payload.decided_at == record.valid_from == datetime(2025, 4, 21, tzinfo=UTC)  # type: ignore[attr-defined]
    assert plan.plan is not None
    assert plan.plan.receipt.counts == {"imported": 8}
    assert set(plan.plan.receipt.made) == set(plan.plan.ids)


def test_the_order_of_ids_is_the_order_of_the_documents() -> None:
    workspace = Workspace()
    workspace.imports(ours())
    records = workspace.values().records
    assert [records[key][0].value.subject for key in sorted(records)] == sorted(subject_for(path) for path in ours())


def test_texts_and_times_of_two_imports_in_two_clones_are_equal_and_ids_are_not() -> None:
    one, other = Workspace(1), Workspace(2)
    one.imports(ours())
    other.imports(ours())
    shape = [
        {key: (r.content, r.subject, r.valid_from, r.valid_to, r.authority, r.payload, len(r.supersedes))
         for key, (r,) in side.records().items()}
        for side in (one, other)
    ]  # fmt: skip
    assert shape[0] == shape[1]
    assert not one.values().records.keys() & other.values().records.keys()


def test_a_second_import_of_the_same_documents_writes_nothing() -> None:
    workspace = Workspace()
    workspace.imports(ours())
    before = dict(workspace.files)
    plan = workspace.imports(ours())
    assert (plan.plan, plan.quarantine, plan.count("already here")) == (None, None, 8)
    assert workspace.files == before


def test_after_two_clones_imported_the_same_and_merged_a_further_import_writes_nothing() -> None:
    one, other = Workspace(1), Workspace(2)
    one.imports(ours())
    other.imports(ours())
    merged = one.merged_with(other)
    assert merged.imports(ours()).plan is None
    assert len(merged.files) == len(one.files) + len(other.files)


def test_a_changed_document_supersedes_the_record_of_its_former_text() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One")})
    old = workspace.record("One")
    plan = workspace.imports({ONE: document("One again")})
    assert workspace.record("One again").supersedes == (old.id,)
    assert (done(plan), plan.plan and plan.plan.receipt.touched) == ({"0001-one.md": "changed"}, (old.id,))


def test_a_changed_document_supersedes_both_twins_after_a_merge() -> None:
    one, other = Workspace(1), Workspace(2)
    one.imports({ONE: document("One")})
    other.imports({ONE: document("One")})
    twins = {one.record("One").id, other.record("One").id}
    merged = one.merged_with(other)
    merged.imports({ONE: document("One again")})
    assert set(merged.record("One again").supersedes) == twins


def test_a_change_that_only_one_clone_imported_counts_for_the_twin_of_the_other() -> None:
    one, other = Workspace(1), Workspace(2)
    one.imports({ONE: document("One")})
    other.imports({ONE: document("One")})
    other.imports({ONE: document("One again")})
    merged = one.merged_with(other)
    assert merged.imports({ONE: document("One again")}).plan is None
    assert [head.record for head in known_imports(merged.values()).heads(ONE)] == [other.record("One again").id]


def test_two_changes_in_two_clones_are_united_by_the_import_of_the_merged_document() -> None:
    one, other = Workspace(1), Workspace(2)
    one.imports({ONE: document("One")})
    other.imports({ONE: document("One")})
    one.imports({ONE: document("One here")})
    other.imports({ONE: document("One there")})
    merged = one.merged_with(other)
    merged.imports({ONE: document("One here")})
    heads = {one.record("One here").id, other.record("One there").id}
    (latest,) = (r for r in merged.records()["One here"] if set(r.supersedes) == heads)
    assert merged.values().episodes[latest.sources[0]][0].value.source.locator == f"{ONE}#2"


def test_a_text_that_returns_is_a_new_record_with_a_key_of_its_own() -> None:
    workspace = Workspace()
    first, second = document("One"), document("One again")
    for text in (first, second, first):
        workspace.imports({ONE: text})
    again, *_ = (r for r in workspace.records()["One"] if r.supersedes)
    locator = workspace.values().episodes[again.sources[0]][0].value.source.locator
    assert (again.supersedes, locator) == ((workspace.record("One again").id,), f"{ONE}#2")
    assert again.subject == workspace.record("One again").subject
    assert workspace.imports({ONE: first}).plan is None
    assert path_and_count(f"{ONE}#2") == (ONE, 2)


@pytest.mark.parametrize("text", [document("One"), document("One", decision="We do it otherwise.")])
def test_a_moved_document_supersedes_the_record_of_its_former_place(text: str) -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One")})
    old = workspace.record("One").id
    workspace.imports({"decisions/0001-one.md": text}, gone=[ONE])
    moved = next(r for records in workspace.records().values() for r in records if r.id != old)
    assert (moved.supersedes, moved.subject) == ((old,), "decisions/0001-one")
    later = workspace.imports({"decisions/0001-one.md": text, "other/0001-one.md": document("Other")}, gone=[ONE])
    assert done(later) == {"0001-one.md": "imported"}
    assert workspace.record("Other").supersedes == ()


def test_a_new_document_with_the_name_of_a_removed_one_does_not_supersede_it() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One")})
    workspace.imports({"other/0001-one.md": document("Quite another")}, gone=[ONE])
    assert workspace.record("Quite another").supersedes == ()


def test_a_file_that_is_not_committed_is_not_taken_for_removed() -> None:
    workspace = Workspace()
    plan = workspace.imports({}, {ONE: document("One")})
    assert plan.quarantine is not None
    workspace.accepts(plan.quarantine.id)
    assert done(workspace.imports({TWO: document("Two")}, {ONE: document("One")}, gone=[ONE])) == {
        "0001-one.md": "already here", "0002-two.md": "imported",
    }  # fmt: skip


def test_a_document_that_was_removed_is_named_and_its_record_stays() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One"), TWO: document("Two")})
    plan = workspace.imports({TWO: document("Two")}, gone=[ONE])
    assert (done(plan), plan.plan) == ({"0001-one.md": "gone", "0002-two.md": "already here"}, None)


def test_two_collections_with_equal_file_names_do_not_meet(data: Path) -> None:
    texts = {
        f"docs/{folder}/{path.name}": path.read_text()
        for folder in ("madr", "python-tuf")
        for path in sorted((data / "adr" / folder).iterdir())
    }
    workspace = Workspace()
    plan = workspace.imports(texts)
    records = [variants[0].value for variants in workspace.values().records.values()]
    assert (plan.count("imported"), len({r.subject for r in records}), {r.supersedes for r in records}) == (
        29,
        29,
        {()},
    )
    held = workspace.record("Write Own MADR Tooling")
    assert (held.authority, held.content.endswith("Status in the document: on hold")) == ("agent-inference", True)
    adr4 = workspace.record("Add classes for complex metadata attributes")
    adr6 = workspace.record("Separate metadata serialization from metadata class model but keep helpers")
    assert [(relation.rel, relation.to) for relation in adr6.relations] == [("links-to", adr4.id)]


@pytest.mark.parametrize("status", ["Proposed", "Draft", "On hold", "perhaps"])
def test_an_undecided_document_has_the_authority_of_an_inference(status: str) -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One", status)})
    assert workspace.record("One").authority == "agent-inference"


def test_a_document_without_a_status_stands_with_a_warning() -> None:
    workspace = Workspace()
    plan = workspace.imports({ONE: "# One\n\n## Decision\n\nWe do it.\n"})
    assert workspace.record("One").authority == "document"
    assert [warning.text for warning in plan.outcomes[0].warnings] == [
        "no status: it counts as accepted where it is tracked at HEAD"
    ]


def test_a_rejected_document_is_rejected_by_a_ruling_that_saw_it() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One", "Rejected 2026-01-02")})
    record = workspace.values().records[workspace.record("One").id][0]
    (ruling,) = workspace.rulings()
    assert (ruling.verb, ruling.targets, ruling.saw) == ("reject", (record.value.id,), (record.blob,))
    assert (ruling.authority, ruling.sources) == ("document", record.value.sources)
    assert ruling.reason == "the document says: Rejected 2026-01-02"


def test_a_document_that_is_rejected_later_rejects_all_its_texts() -> None:
    workspace = Workspace()
    for status in ("Proposed", "Accepted", "Rejected"):
        workspace.imports({ONE: document("One", status)})
    (ruling,) = (r for r in workspace.rulings() if r.reason == "the document says: Rejected")
    assert set(ruling.targets) == set(workspace.values().records)


def test_a_decision_that_goes_back_to_proposed_is_reopened() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One")})
    old = workspace.record("One").id
    workspace.imports({ONE: document("One", "Proposed")})
    assert [(r.verb, r.targets) for r in workspace.rulings()] == [("reopen", (old,))]


def test_a_deprecated_document_is_over_on_the_day_it_names() -> None:
    workspace = Workspace()
    workspace.imports(ours())
    record = workspace.record("Warn of low tide by text message")
    assert (record.valid_from, record.valid_to) == (
        datetime(2025, 3, 2, tzinfo=UTC), datetime(2025, 11, 17, tzinfo=UTC),
    )  # fmt: skip
    assert not [r for r in workspace.rulings() if record.id in r.targets]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Superseded by [2](0002-two.md)", "Accepted"),
        ("Superseded by ADR-2", "Accepted"),
        ("Accepted", "Accepted\n\nSupersedes [1. One](0001-one.md)"),
        ("Superseded by [2](0002-two.md)", "Accepted\n\nSupersedes [1. One](0001-one.md)"),
        ("Deprecated in favour of [2](0002-two.md)", "Accepted"),
    ],
)
def test_the_successor_in_the_collection_supersedes_whoever_says_it(old: str, new: str) -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One", old), TWO: document("Two", new)})
    assert workspace.record("Two").supersedes == (workspace.record("One").id,)
    assert (workspace.record("One").valid_to is not None) == old.startswith("Deprecated")


@pytest.mark.parametrize(
    ("status", "successor"),
    [("Superseded by ADR-9", "Accepted"), ("Superseded by [2](0002-two.md)", "Proposed"),
     ("Superseded by [2](0002-two.md)", "Rejected"), ("Superseded by https://example.org/x", "Accepted")],
)  # fmt: skip
def test_what_is_superseded_by_nothing_in_force_here_is_over_by_its_own_word(status: str, successor: str) -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One", status), TWO: document("Two", successor)})
    assert workspace.record("One").valid_to == NOW


def test_a_superseded_document_that_is_edited_stays_over_although_its_successor_is_unchanged() -> None:
    workspace = Workspace()
    two = document("Two", "Accepted\n\nSupersedes [1. One](0001-one.md)")
    workspace.imports({ONE: document("One"), TWO: two})
    workspace.imports({ONE: document("One, spelled right"), TWO: two})
    edited = workspace.record("One, spelled right")
    assert edited.valid_to == NOW
    assert [(r.rel, r.to) for r in edited.relations] == [("superseded-by", workspace.record("Two").id)]


def test_a_successor_that_is_edited_supersedes_again() -> None:
    workspace = Workspace()
    one = document("One", "Superseded by [2](0002-two.md)")
    workspace.imports({ONE: one, TWO: document("Two")})
    workspace.imports({ONE: one, TWO: document("Two, better")})
    ids = {workspace.record("One").id, workspace.record("Two").id}
    assert set(workspace.record("Two, better").supersedes) == ids


def test_documents_that_supersede_each_other_are_put_in_order() -> None:
    workspace = Workspace()
    plan = workspace.imports(
        {
            ONE: document("One", "Superseded by [2](0002-two.md)"),
            TWO: document("Two", "Superseded by [3](0003-three.md)"),
            THREE: document("Three", "Superseded by [1](0001-one.md)"),
        }
    )
    assert workspace.record("One").supersedes == ()
    assert workspace.record("Three").supersedes == (workspace.record("Two").id,)
    assert workspace.record("Three").valid_to is not None
    texts = [warning.text for one in plan.outcomes for warning in one.warnings]
    assert texts == [f"{ONE} and {THREE} supersede each other; the later document counts"]


def test_a_document_that_supersedes_itself_is_warned_about_and_nothing_else() -> None:
    workspace = Workspace()
    plan = workspace.imports({ONE: document("One", "Accepted\n\nSupersedes [1](0001-one.md)")})
    assert workspace.record("One").supersedes == ()
    assert [w.text for w in plan.outcomes[0].warnings] == ["supersedes 0001-one.md: itself"]


def test_a_future_date_does_not_keep_a_standing_decision_from_being_valid() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One", "Accepted 2031-01-01")})
    record = workspace.record("One")
    assert (record.starts, record.payload.decided_at) == (NOW, datetime(2031, 1, 1, tzinfo=UTC))  # type: ignore[attr-defined]


def test_files_that_are_no_decisions_are_in_the_outcome() -> None:
    plan = Workspace().imports(
        {"docs/adr/README.md": "# Us\n", "docs/adr/0001-x.md": "", "docs/adr/a\nb.md": document("A")}
    )
    assert [(one.path, one.done) for one in plan.outcomes] == [
        ("docs/adr/0001-x.md", "skipped"), ("docs/adr/README.md", "skipped"), ("docs/adr/a\\nb.md", "broken"),
    ]  # fmt: skip
    assert plan.plan is None


@pytest.mark.parametrize("path", [ONE, "Docs/ADR/0001 Über uns.md", "a/" * 200 + "0001-x.md", "d\u200b/0001-x.md"])
def test_a_subject_fits_its_grammar_and_tells_paths_apart(path: str) -> None:
    subject = subject_for(path)
    assert one_line(subject) == slug(subject) == subject
    assert subject != subject_for("x" + path)


def test_a_decision_that_only_cites_an_imported_document_is_not_that_document() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One")})
    imported = workspace.record("One")
    derived = imported.model_copy(update={"id": workspace.mint()("dec"), "title": "Derived", "subject": "mine"})
    workspace.files[path_for(derived)] = encode(derived)
    workspace.imports({ONE: document("One again")})
    assert workspace.record("One again").supersedes == (imported.id,)


# -- quarantine --------------------------------------------------------------------------------------------------


def test_an_untracked_document_waits_in_quarantine_and_stands_nowhere() -> None:
    workspace = Workspace()
    plan = workspace.imports({}, {ONE: document("One")})
    assert plan.quarantine is not None and plan.plan is not None
    assert (plan.plan.values, plan.plan.receipt.touched) == ((), (plan.quarantine.id,))
    assert workspace.values().records == {}
    held = workspace.held(plan.quarantine.id)
    assert [(one.item.path, one.record.title) for one in held.items] == [(ONE, "One")]
    assert done(plan) == {"0001-one.md": "quarantined"}


def test_what_waits_is_not_put_there_again() -> None:
    workspace = Workspace()
    first = workspace.imports({}, {ONE: document("One")})
    second = workspace.imports({}, {ONE: document("One"), TWO: document("Two")})
    assert first.quarantine is not None
    assert done(second) == {"0001-one.md": "already waiting", "0002-two.md": "quarantined"}
    assert second.outcomes[0].waits_in == first.quarantine.id


def test_accepted_documents_come_in_with_their_links_and_only_once() -> None:
    workspace = Workspace()
    loose = {ONE: document("One", "Superseded by [2](0002-two.md)"), TWO: document("Two")}
    plan = workspace.imports({}, loose)
    assert plan.quarantine is not None
    accepted = workspace.accepts(plan.quarantine.id)
    assert accepted.plan is not None
    assert (accepted.plan.operation, accepted.plan.receipt.touched) == ("accept", (plan.quarantine.id,))
    assert accepted.plan.asks == "Take 2 decisions from quarantine (human:ana imported them)?"
    assert workspace.record("Two").supersedes == (workspace.record("One").id,)
    assert workspace.accepts(plan.quarantine.id).plan is None
    assert workspace.imports(loose).plan is None


def test_one_document_can_be_accepted_without_the_others() -> None:
    workspace = Workspace()
    plan = workspace.imports({}, {ONE: document("One"), TWO: document("Two")})
    assert plan.quarantine is not None
    waiting = next(one.record.id for one in workspace.held(plan.quarantine.id).items if one.item.path == TWO)
    workspace.accepts(plan.quarantine.id, only=frozenset({waiting}))
    assert list(workspace.records()) == ["Two"]


def test_a_quarantined_document_that_was_committed_meanwhile_is_not_doubled() -> None:
    workspace = Workspace()
    plan = workspace.imports({}, {ONE: document("One")})
    assert plan.quarantine is not None
    assert done(workspace.imports({ONE: document("One")})) == {"0001-one.md": "imported"}
    assert done(workspace.accepts(plan.quarantine.id)) == {"0001-one.md": "already here"}


def test_a_quarantined_text_does_not_supersede_a_newer_one() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One")})
    plan = workspace.imports({}, {ONE: document("One, mine")})
    assert plan.quarantine is not None
    workspace.imports({ONE: document("One, theirs")})
    assert done(workspace.accepts(plan.quarantine.id)) == {"0001-one.md": "conflicting"}


def test_a_quarantined_change_supersedes_the_text_it_was_made_from() -> None:
    workspace = Workspace()
    workspace.imports({ONE: document("One")})
    plan = workspace.imports({}, {ONE: document("One, mine")})
    assert plan.quarantine is not None
    assert done(workspace.accepts(plan.quarantine.id)) == {"0001-one.md": "changed"}
    assert workspace.record("One, mine").supersedes == (workspace.record("One").id,)


def test_nothing_in_quarantine_ends_or_is_named_by_what_is_reviewed() -> None:
    workspace = Workspace()
    claim = document("Two", "Accepted\n\nSupersedes [1. One](0001-one.md)")
    workspace.imports({ONE: document("One"), THREE: document("Three", "Supersedes [2](0002-two.md)")}, {TWO: claim})
    assert (workspace.record("One").valid_to, workspace.record("Three").supersedes) == (None, ())


def test_a_tombstone_forbids_what_waits() -> None:
    workspace = Workspace()
    plan = workspace.imports({}, {ONE: document("One")})
    assert plan.quarantine is not None
    (one,) = workspace.held(plan.quarantine.id).items
    workspace.files[tombstone_path(one.record.id)] = b""
    assert done(workspace.accepts(plan.quarantine.id)) == {"0001-one.md": "forgotten"}


def test_an_emptied_or_altered_file_in_quarantine_is_named_and_the_rest_goes_on() -> None:
    workspace = Workspace()
    plan = workspace.imports({}, {ONE: document("One"), TWO: document("Two"), THREE: document("Three")})
    assert plan.quarantine is not None
    one, two, _ = (item.item for item in workspace.held(plan.quarantine.id).items)
    paths = {rel.rpartition("/")[2].removesuffix(".toml"): rel for rel in workspace.files}
    workspace.files[paths[one.record]] = b""
    data = workspace.files[paths[two.episode]]
    workspace.files[paths[two.episode]] = data.replace(b"0002-two", b"0009-two")
    held = workspace.held(plan.quarantine.id)
    assert [fault.reason for fault in held.faults] == [
        "the file is empty and no tombstone explains it", "does not agree with the manifest",
    ]  # fmt: skip
    workspace.accepts(plan.quarantine.id)
    assert list(workspace.records()) == ["Three"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [(b"cc-git/1", b"cc-git/2", "future"), (b"format", b"for mat", "syntax"), (b"adr", b"a\\u0007", "invalid"),
     (b"im_", b"ep_", "invalid")],
)  # fmt: skip
def test_a_broken_manifest_is_named(old: bytes, new: bytes, code: str) -> None:
    workspace = Workspace()
    plan = workspace.imports({}, {ONE: document("One")})
    assert plan.quarantine is not None
    rel = f"quarantine/{plan.quarantine.id}/manifest.toml"
    fault = read_quarantine(plan.quarantine.id, {rel: workspace.files[rel].replace(old, new)})
    assert isinstance(fault, Fault)
    assert (fault.rel, fault.code) == (rel, code)


def test_the_same_acceptance_in_two_clones_makes_twins_and_a_third_import_writes_nothing() -> None:
    origin = Workspace(1)
    plan = origin.imports({}, {ONE: document("One"), TWO: document("Two", "Supersedes [1](0001-one.md)")})
    assert plan.quarantine is not None
    here, there = origin.copy(2), origin.copy(3)
    there.now += timedelta(minutes=5)
    here.accepts(plan.quarantine.id)
    there.accepts(plan.quarantine.id)
    merged = here.merged_with(there)
    assert {title: len(records) for title, records in merged.records().items()} == {"One": 2, "Two": 2}
    assert merged.accepts(plan.quarantine.id).plan is None
