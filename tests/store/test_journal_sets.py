"""What the journal keeps beside the writes: negatives once seen, and snapshots that packets name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from cc_git.errors import Damaged
from cc_git.store.engine import MissingObject
from cc_git.store.journal import Journal
from cc_git.store.kept_trees import Kept, KeptTrees
from cc_git.store.place import Place
from cc_git.store.seen_negatives import SeenNegative, SeenNegatives
from cc_git.store.trees import object_id

COMMIT, TREE, OTHER = "ab" * 20, "cd" * 20, "ef" * 20


@pytest.fixture
def journal(repository: Path) -> Journal:
    return Journal.open(Place(repository, repository / ".git", repository / ".git", ".continuity"), durable=False)


def negative(
    rel: str, data: bytes, branch: str = "refs/heads/x", author: str = "Ö <o@x>"
) -> tuple[SeenNegative, bytes]:
    return SeenNegative(rel, object_id("blob", data, "sha1"), branch, author), data


class TestNegatives:
    def test_they_are_kept_with_bytes_branch_and_author_for_every_worktree(self, journal: Journal) -> None:
        one, two = negative("rulings/2026-11/a.toml", b"one"), negative("tombstones/2026-11/b.toml", b"two")
        seen = SeenNegatives(journal)
        assert seen.read() == ()
        seen.add([two, one])
        other = Place(journal.place.top, journal.place.git_dir / "worktrees/x", journal.place.common_dir, ".continuity")
        again = SeenNegatives(Journal.open(other))
        assert again.read() == (one[0], two[0])
        assert [journal.blob(n.blob) for n in again.read()] == [b"one", b"two"]

    def test_the_first_sighting_is_told_and_nothing_is_ever_taken_out(self, journal: Journal) -> None:
        seen = SeenNegatives(journal)
        first = negative("rulings/a", b"one", branch="refs/heads/first")
        seen.add([first])
        seen.add([negative("rulings/a", b"one", branch="refs/heads/later")])
        seen.add([])
        assert seen.read() == (first[0],)

    def test_each_content_of_a_damaged_id_counts(self, journal: Journal) -> None:
        seen = SeenNegatives(journal)
        seen.add([negative("rulings/a", b"one")])
        seen.add([negative("rulings/a", b"two"), negative("rulings/a", b"")])
        assert {journal.blob(n.blob) for n in seen.read()} == {b"one", b"two", b""}

    @pytest.mark.parametrize("object_format", ["sha1", "sha256"])
    def test_many_at_once_go_into_a_pack_in_either_object_format(
        self, repository: Path, git: Callable[..., str], object_format: Literal["sha1", "sha256"]
    ) -> None:
        place = Place(repository, repository / ".git", repository / ".git", ".continuity")
        journal = Journal.open(place, object_format=object_format, durable=True)
        data = {f"rulings/{n}": b"%d" % n for n in range(300)}
        blobs = {rel: object_id("blob", of, object_format) for rel, of in data.items()}
        SeenNegatives(journal).add([(SeenNegative(rel, blobs[rel], "b", "c"), of) for rel, of in data.items()])
        objects = journal.own.journal / "objects"
        assert list(objects.glob("??/*")) == []
        assert len(list((objects / "pack").glob("*.pack"))) == 1
        assert {one.rel: journal.blob(one.blob) for one in SeenNegatives(journal).read()} == data
        git(journal.own.journal, "fsck", "--strict")
        journal.prune_now()
        assert len(SeenNegatives(journal).read()) == 300
        journal.close()

    def test_they_survive_a_prune_and_a_whole_state(self, journal: Journal, git: Callable[..., str]) -> None:
        SeenNegatives(journal).add([negative("rulings/a", b"one")])
        journal.replace(journal.read())
        journal.prune_now()
        (kept,) = SeenNegatives(journal).read()
        assert Journal.open(journal.place).blob(kept.blob) == b"one"
        assert git(journal.own.journal, "fsck", "--full", "--strict") == ""

    def test_workspaces_have_sets_of_their_own(self, journal: Journal, repository: Path) -> None:
        SeenNegatives(journal).add([negative("rulings/a", b"one")])
        other = Place(repository, repository / ".git", repository / ".git", "sub/.continuity")
        assert SeenNegatives(Journal.open(other)).read() == ()

    def test_bytes_that_are_not_the_blobs_are_refused(self, journal: Journal) -> None:
        with pytest.raises(Damaged):
            SeenNegatives(journal).add([(SeenNegative("a", COMMIT, "b", "c"), b"others")])


class TestKeptSnapshots:
    def test_a_snapshot_is_kept_as_what_lies_over_a_commit(self, journal: Journal, git: Callable[..., str]) -> None:
        kept = KeptTrees(journal)
        assert (kept.read(TREE), kept.names()) == (None, frozenset())
        with journal.locked():
            blob = journal.put(b"waiting")
            kept.keep(TREE, Kept(COMMIT, {"records/a": blob}))
        kept.keep(OTHER, Kept(COMMIT, {}))
        journal.prune_now()
        again = KeptTrees(Journal.open(journal.place))
        assert again.read(TREE) == Kept(COMMIT, {"records/a": blob})
        assert again.read(OTHER) == Kept(COMMIT, {})
        assert journal.blob(blob) == b"waiting"
        assert git(journal.own.journal, "fsck", "--full", "--strict") == ""

    def test_it_can_be_kept_anew_without_its_commit(self, journal: Journal) -> None:
        kept = KeptTrees(journal)
        with journal.locked():
            one, two = journal.put(b"one"), journal.put(b"two")
            kept.keep(TREE, Kept(COMMIT, {"records/a": one}))
            kept.keep(TREE, Kept(None, {"records/b": two}))
        assert kept.read(TREE) == Kept(None, {"records/b": two})

    def test_what_is_dropped_can_be_pruned(self, journal: Journal) -> None:
        kept = KeptTrees(journal)
        with journal.locked():
            blob = journal.put(b"waiting")
            kept.keep(TREE, Kept(None, {"records/a": blob}))
        kept.drop([TREE, OTHER])
        journal.prune_now()
        assert kept.names() == frozenset()
        with pytest.raises(MissingObject):
            Journal.open(journal.place).blob(blob)
