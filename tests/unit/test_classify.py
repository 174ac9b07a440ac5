"""The rules of the present snapshot on bare facts: one case a test."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.codec import paths
from cc_git.model.fault import Fault
from cc_git.store.classify import classify, owner_of
from cc_git.store.journal_state import JournalState, ReflogPosition, Watched
from cc_git.store.present import Edit, EditedAt, Entry, Where, Workspace
from cc_git.store.present_facts import Facts, Found, Reach, Verdict

ONE = "dec_01kb9zq3e80000000000000001"
TWO = "dec_01kb9zq3e80000000000000002"
REL = paths.path_of(ONE)
OTHER = paths.path_of(TWO)
PRIVATE = paths.private(REL)
BOOK = paths.runbook_path("release")
A, B = "a" * 40, "b" * 40
C1, C2, HEAD = "1" * 40, "2" * 40, "f" * 40


def facts(**changes: object) -> Facts:
    plain = Facts(
        state=JournalState(),
        head_commit=HEAD,
        head={},
        found={},
        workspace=Workspace.READABLE,
        position=ReflogPosition(3, "x"),
        tips="t",
    )
    return replace(plain, **changes)


def pending(**more: str) -> JournalState:
    return JournalState(pending={REL: A, **more})


def watched(commit: str = C1) -> JournalState:
    return JournalState(watch={REL: Watched(commit, A)})


def classes(verdict: Verdict, rel: str, head: object = ()) -> list[str]:
    named = {
        "waiting": verdict.waiting,
        "guest": verdict.guests,
        "withdrawn": verdict.withdrawn,
        "elsewhere": verdict.elsewhere,
        "stranded": verdict.stranded,
        "committed": tuple(r for r in head if r not in verdict.hidden),  # type: ignore[attr-defined]
    }
    return [name for name, rels in named.items() if rel in rels]


def test_file_in_head_and_pending_is_watched_from_then_on():
    verdict = classify(facts(state=pending(), head={REL: A}))
    assert verdict.state.pending == {}
    assert verdict.state.watch == {REL: Watched(HEAD, A)}
    assert classes(verdict, REL, {REL: A}) == ["committed"]


def test_pending_file_that_a_visited_commit_holds_is_watched_and_out():
    verdict = classify(facts(state=pending(), holders={REL: C1}, reach={C1: Reach.REF}))
    assert verdict.state.watch == {REL: Watched(C1, A)}
    assert classes(verdict, REL) == ["elsewhere"]
    assert verdict.added == {}


@pytest.mark.parametrize(
    ("reach", "expected"),
    [({C1: Reach.HEAD}, "withdrawn"), ({C1: Reach.REF}, "elsewhere"), ({}, "stranded")],
)
def test_watched_file_outside_head_goes_by_what_reaches_its_commit(reach: dict[str, Reach], expected: str) -> None:
    verdict = classify(facts(state=watched(), reach=reach))
    assert classes(verdict, REL) == [expected]
    assert verdict.added == {}


def test_watched_file_whose_commit_was_rewritten_is_anchored_to_the_new_one():
    verdict = classify(facts(state=watched(C1), anchors={REL: C2}, reach={C2: Reach.HEAD}))
    assert verdict.state.watch == {REL: Watched(C2, A)}
    assert classes(verdict, REL) == ["withdrawn"]


def test_published_file_is_watched_no_longer():
    verdict = classify(facts(state=watched(), published=frozenset({REL}), reach={C1: Reach.REF}))
    assert verdict.state.watch == {}
    assert classes(verdict, REL) == []


def test_committed_file_with_other_bytes_than_first_seen_is_edited_and_in():
    verdict = classify(facts(state=watched(), head={REL: B}))
    assert verdict.edited == (Edit(REL, EditedAt.COMMITTED, A, B),)
    assert classes(verdict, REL, {REL: B}) == ["committed"]


def test_untracked_valid_file_is_adopted():
    verdict = classify(facts(found={REL: Found(A)}))
    assert verdict.state.pending == {REL: A}
    assert verdict.adopt == (REL,)
    assert verdict.added == {REL: Entry(A, Where.WAITING)}


@pytest.mark.parametrize(
    "facts_of",
    [
        {"found": {REL: Found(A, staged=True)}},
        {"found": {REL: Found(A)}, "underway": ("merge",)},
    ],
)
def test_staged_file_or_file_met_in_a_merge_is_a_guest_and_never_adopted(facts_of: dict[str, object]) -> None:
    verdict = classify(facts(**facts_of))
    assert verdict.adopt == ()
    assert verdict.state.pending == {}
    assert verdict.put_back == ()
    assert classes(verdict, REL) == ["guest"]
    assert verdict.added == {REL: Entry(A, Where.GUEST)}


def test_own_file_staged_again_is_a_guest_and_not_withdrawn_at_once():
    verdict = classify(facts(state=watched(), reach={C1: Reach.HEAD}, found={REL: Found(A, staged=True)}))
    assert classes(verdict, REL) == ["guest"]


def test_invalid_untracked_file_is_named_and_not_adopted():
    fault = Fault(REL, "syntax", "is no TOML")
    verdict = classify(facts(found={REL: Found(A, fault)}))
    assert verdict.faults == (fault,)
    assert (verdict.adopt, verdict.added) == ((), {})


def test_watched_file_back_on_disk_waits_again_with_the_bytes_first_seen():
    verdict = classify(facts(state=watched(), found={REL: Found(B)}))
    assert verdict.state.pending == {REL: A}
    assert verdict.state.watch == {}
    assert verdict.adopt == ()
    assert verdict.edited == (Edit(REL, EditedAt.ON_DISK, A, B),)
    assert classes(verdict, REL) == ["waiting"]


def test_file_taken_out_of_this_history_and_left_lying_is_a_guest():
    verdict = classify(facts(state=watched(), reach={C1: Reach.HEAD}, found={REL: Found(A)}))
    assert classes(verdict, REL) == ["guest"]
    assert verdict.state.watch == watched().watch


def test_missing_waiting_file_is_put_back():
    assert classify(facts(state=pending())).put_back == (REL,)


@pytest.mark.parametrize(
    "barrier",
    [
        {"underway": ("rebase",)},
        {"stashed": frozenset({REL})},
        {"excluded": frozenset({REL})},
        {"workspace": Workspace.ABSENT},
        {"found": None},
    ],
)
def test_missing_waiting_file_stays_in_but_is_not_put_back_where_git_would_trip_over_it(
    barrier: dict[str, object],
) -> None:
    verdict = classify(facts(state=pending(), **barrier))
    assert verdict.put_back == ()
    assert verdict.waiting == (REL,)
    assert verdict.added == {REL: Entry(A, Where.WAITING)}


def test_branch_without_workspace_adopts_nothing():
    verdict = classify(facts(workspace=Workspace.ABSENT, found={REL: Found(A)}))
    assert verdict.state.pending == {}


def test_broken_workspace_goes_on_keeping_what_lies_there():
    verdict = classify(facts(workspace=Workspace.BROKEN, found={REL: Found(A)}))
    assert verdict.state.pending == {REL: A}


def test_forgotten_id_is_in_no_class_and_its_remains_are_named():
    verdict = classify(
        facts(
            state=JournalState(pending={REL: A}, private={PRIVATE: A}, watch={OTHER: Watched(C1, A)}),
            tombstones=frozenset({ONE, TWO}),
            head={OTHER: B},
            entombed={OTHER: B},
            found={REL: Found(A)},
        )
    )
    assert verdict.added == {}
    assert verdict.hidden == frozenset({OTHER})
    assert verdict.put_back == ()
    assert verdict.edited == ()
    assert verdict.forgotten == tuple(sorted([REL, PRIVATE, OTHER]))


def test_emptied_place_of_a_forgotten_id_is_no_remains():
    empty = Facts.empty_blob
    verdict = classify(facts(tombstones=frozenset({ONE}), head={REL: empty}, entombed={REL: empty}))
    assert verdict.forgotten == ()
    assert verdict.hidden == frozenset({REL})


def test_forgotten_untracked_file_is_not_adopted_even_if_it_is_empty():
    verdict = classify(
        facts(tombstones=frozenset({ONE}), found={REL: Found(Facts.empty_blob, Fault(REL, "empty", ""))})
    )
    assert (verdict.adopt, verdict.faults, verdict.forgotten) == ((), (), ())


def test_tombstone_and_ending_of_a_forgotten_id_are_not_forgotten_themselves():
    assert owner_of(paths.tombstone_path(ONE)) is None
    assert owner_of(paths.ending_path(ONE)) is None
    grave = paths.tombstone_path(ONE)
    verdict = classify(facts(tombstones=frozenset({ONE}), state=JournalState(pending={grave: A})))
    assert verdict.waiting == (grave,)


def test_attachment_is_forgotten_with_its_episode():
    episode = "ep_01kb9zq3e80000000000000001"
    assert owner_of(paths.attachment_path(episode, 1)) == episode
    assert owner_of(paths.private(paths.attachment_path(episode, 12))) == episode


def test_document_on_disk_counts_instead_of_heads():
    verdict = classify(facts(head={BOOK: A}, found={BOOK: Found(B)}))
    assert verdict.added == {BOOK: Entry(B, Where.DRAFT)}
    assert verdict.state.pending == {}
    assert verdict.guests == ()


def test_broken_document_on_disk_leaves_heads_in():
    fault = Fault(BOOK, "conflict-markers", "x", 1)
    verdict = classify(facts(head={BOOK: A}, found={BOOK: Found(B, fault)}))
    assert verdict.added == {}
    assert verdict.faults == (fault,)


def test_waiting_document_follows_its_file():
    verdict = classify(facts(state=JournalState(pending={BOOK: A}), found={BOOK: Found(B)}))
    assert verdict.state.pending == {BOOK: B}
    assert verdict.adopt == (BOOK,)


def test_waiting_document_in_a_merge_counts_as_it_lies_and_the_journal_keeps_its_own():
    verdict = classify(facts(state=JournalState(pending={BOOK: A}), found={BOOK: Found(B)}, underway=("merge",)))
    assert verdict.state.pending == {BOOK: A}
    assert verdict.added == {BOOK: Entry(B, Where.DRAFT)}


def test_private_file_found_on_disk_joins_the_private_tier():
    verdict = classify(facts(found={PRIVATE: Found(A)}))
    assert verdict.state.private == {PRIVATE: A}
    assert verdict.state.pending == {}
    assert verdict.added == {PRIVATE: Entry(A, Where.PRIVATE)}


def test_missing_private_file_is_put_back():
    assert classify(facts(state=JournalState(private={PRIVATE: A}))).put_back == (PRIVATE,)


def test_private_file_that_git_tracks_never_counts():
    verdict = classify(facts(found={PRIVATE: Found(A, staged=True)}))
    assert verdict.added == {}
    assert [fault.rel for fault in verdict.faults] == [PRIVATE]
    tracked = classify(facts(head={PRIVATE: A}, tracked_private=frozenset({PRIVATE})))
    assert tracked.hidden == frozenset({PRIVATE})


def test_working_context_on_disk_does_not_replace_the_journals():
    context = paths.WORKING_CONTEXT
    verdict = classify(facts(state=JournalState(private={context: A}), found={context: Found(B)}))
    assert verdict.state.private == {context: A}


def test_position_and_tips_are_kept():
    state = classify(facts()).state
    assert (state.position, state.tips) == (ReflogPosition(3, "x"), "t")


BLOBS = st.sampled_from([A, B])
RELS = (REL, OTHER, paths.path_of("ep_01kb9zq3e80000000000000003"))
SUBSETS = st.frozensets(st.sampled_from(RELS))


@st.composite
def any_facts(draw: st.DrawFn) -> Facts:
    commits = st.sampled_from([C1, C2])
    state_pending = draw(st.dictionaries(st.sampled_from(RELS), BLOBS))
    watch = draw(st.dictionaries(st.sampled_from(RELS), st.builds(Watched, commits, BLOBS)))
    head = draw(st.dictionaries(st.sampled_from(RELS), BLOBS))
    forgotten = draw(st.frozensets(st.sampled_from([ONE, TWO])))
    found = draw(
        st.dictionaries(
            st.sampled_from(RELS),
            st.builds(Found, BLOBS, st.one_of(st.none(), st.just(Fault(REL, "empty", ""))), st.booleans()),
        )
    )
    return facts(
        state=JournalState(
            pending=state_pending, watch={rel: w for rel, w in watch.items() if rel not in state_pending}
        ),
        head=head,
        found={rel: file for rel, file in found.items() if rel not in head},
        underway=draw(st.sampled_from([(), ("merge",)])),
        workspace=draw(st.sampled_from(Workspace)),
        holders=draw(st.dictionaries(st.sampled_from(RELS), commits)),
        reach=draw(st.dictionaries(commits, st.sampled_from(Reach))),
        stashed=draw(SUBSETS),
        excluded=draw(SUBSETS),
        tombstones=forgotten,
        entombed={rel: blob for rel, blob in head.items() if owner_of(rel) in forgotten},
    )


@given(any_facts())
def test_no_file_is_in_two_classes_and_none_that_was_kept_is_in_none(case: Facts) -> None:
    verdict = classify(case)
    for rel in RELS:
        forgotten = owner_of(rel) in case.tombstones
        named = classes(verdict, rel, case.head)
        assert len(named) <= 1
        assert not (forgotten and named)
        if rel in (*case.state.pending, *case.state.watch) and not forgotten:
            assert len(named) == 1
    assert verdict.state.pending.keys().isdisjoint(verdict.state.watch)
    assert set(verdict.put_back) <= verdict.state.pending.keys()


@given(any_facts())
def test_classifying_again_changes_nothing(case: Facts) -> None:
    first = classify(case)
    if first.put_back:
        return
    again = classify(replace(case, state=first.state, holders={}))
    assert again.state == first.state
    assert again.added == first.added
    assert (again.withdrawn, again.elsewhere, again.stranded) == (first.withdrawn, first.elsewhere, first.stranded)


@given(any_facts())
def test_waiting_file_leaves_only_by_a_commit_or_by_being_forgotten(case: Facts) -> None:
    verdict = classify(case)
    for rel in case.state.pending:
        seen = rel in case.head or rel in case.holders
        assert rel in verdict.waiting or seen or owner_of(rel) in case.tombstones
