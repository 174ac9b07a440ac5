"""The contract of `Engine`. A test module inherits `EngineContract` and says how its engine is opened."""

from __future__ import annotations

import hashlib
import tracemalloc
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cc_git.errors import Damaged
from cc_git.store.engine import (
    EXECUTABLE,
    FILE,
    GITLINK,
    LINK,
    TREE,
    Change,
    Engine,
    Entry,
    MissingObject,
    Person,
    TooLarge,
)

ANA = Person("Ana Test", "ana@example.org")


def absent_in(engine: Engine) -> str:
    """An id of nothing."""
    return "ab" * (20 if engine.object_format == "sha1" else 32)


class EngineContract(ABC):
    @abstractmethod
    def open(self, git_dir: Path) -> Engine: ...

    @pytest.fixture
    def engine(self, repository: Path) -> Iterator[Engine]:
        engine = self.open(repository / ".git")
        yield engine
        engine.close()

    # objects
    @pytest.mark.parametrize("data", [b"", b"text\n", b"\0\xff" * 100_000], ids=["empty", "text", "binary"])
    def test_a_written_blob_is_read_back_and_named_as_git_names_it(self, engine: Engine, data: bytes) -> None:
        oid = engine.write_blob(data)
        named = hashlib.new(engine.object_format, b"blob %d\0" % len(data) + data).hexdigest()
        assert (oid, engine.blob(oid), engine.has(oid)) == (named, data, True)

    @pytest.mark.parametrize("packed", [False, True])
    def test_a_blob_that_is_too_large_is_not_read(
        self, engine: Engine, repository: Path, git: Callable[..., str], packed: bool
    ) -> None:
        large, allowed = engine.write_blob(b"x" * (64 << 20)), engine.write_blob(b"y" * (2 << 20))
        if packed:
            for oid in (large, allowed):
                git(repository, "tag", oid, oid)
            git(repository, "repack", "-adq")
        reading = self.open(repository / ".git")
        tracemalloc.start()
        with pytest.raises(TooLarge) as refused:
            reading.blob(large)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert (refused.value.size, most < 1 << 20) == (64 << 20, True)
        with pytest.raises(TooLarge):
            reading.blob(allowed)
        assert len(reading.blob(allowed, 4 << 20)) == 2 << 20
        reading.close()

    def test_absent_objects_are_named_in_the_error(self, engine: Engine) -> None:
        absent = absent_in(engine)
        assert not engine.has(absent)
        for read in (engine.blob, engine.tree, engine.commit):
            with pytest.raises(MissingObject, match=absent):
                read(absent)

    def test_an_object_of_another_kind_is_refused(self, engine: Engine) -> None:
        with pytest.raises(Damaged):
            engine.tree(engine.write_blob(b"no tree"))

    def test_trees_keep_gits_order_modes_and_any_name(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        blob = engine.write_blob(b"x")
        inner = engine.write_tree([Entry("f", FILE, blob)])
        entries = [
            Entry("a", TREE, inner),
            Entry("a.c", FILE, blob),
            Entry("a-b", EXECUTABLE, blob),
            Entry("ünïcode", LINK, blob),
            Entry("\udcff raw", FILE, blob),
            Entry("sub", GITLINK, absent_in(engine)),
        ]
        tree = engine.write_tree(reversed(entries))
        assert {entry.name: entry for entry in engine.tree(tree)} == {entry.name: entry for entry in entries}
        assert [entry.name for entry in engine.tree(tree)][:3] == ["a-b", "a.c", "a"]
        git(repository, "ls-tree", "-r", tree)

    def test_the_empty_tree_can_be_written(self, engine: Engine) -> None:
        assert engine.tree(engine.write_tree(())) == []

    def test_a_commit_is_read_as_it_was_written(self, engine: Engine) -> None:
        head = engine.head()[1]
        assert head is not None
        tree = engine.commit(head).tree
        oid = engine.write_commit(tree, [head], "why\n\nmore ü\n", Person("Bö <x>\n", "b@x"), seconds=1_796_040_000)
        commit = engine.commit(oid)
        assert (commit.tree, commit.parents, commit.message) == (tree, (head,), "why\n\nmore ü\n")
        assert (commit.author, commit.committed_at) == (Person("Bö x", "b@x"), 1_796_040_000)
        assert engine.head()[1] == head

    def test_a_commit_in_another_encoding_is_read(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        (repository / "message").write_bytes("f\xfcr\n".encode("latin-1"))
        git(repository, "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--allow-empty", "-q", "-F", "message")
        head = engine.resolve("HEAD")
        assert head is not None
        assert engine.commit(head).message == "für\n"
        assert engine.commit(head).author == ANA

    def test_a_pack_holds_what_was_named(self, engine: Engine, repository: Path, git: Callable[..., str]) -> None:
        oids = {engine.write_blob(b"%d\n" % n * 50) for n in range(20)}
        name = engine.write_pack(sorted(oids))
        listed = git(repository, "verify-pack", "-v", f".git/objects/pack/{name}.idx")
        assert {line.split()[0] for line in listed.splitlines() if " blob " in line} == oids
        assert [p.name for p in (repository / ".git/objects").iterdir() if p.name.startswith("tmp")] == []

    def test_what_is_written_many_at_once_is_there_afterwards_inside_and_outside(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        with engine.many():
            blobs = [engine.write_blob(b"%d\n" % n * n) for n in (*range(40), 5_000)]
            tree = engine.write_tree(Entry(f"f{n}", FILE, oid) for n, oid in enumerate(blobs))
            commit = engine.write_commit(tree, (), "many\n", ANA, seconds=0)
            assert (engine.blob(blobs[9]), engine.has(tree), len(engine.tree(tree))) == (b"9\n" * 9, True, 41)
        assert (engine.blob(blobs[-1]), engine.commit(commit).tree) == (b"5000\n" * 5_000, tree)
        git(repository, "fsck", "--strict", commit)
        assert {oid for oid, _, _ in engine.all_objects()} >= {*blobs, tree, commit}

    def test_what_fails_in_between_does_not_spoil_later_writing(self, engine: Engine) -> None:
        with pytest.raises(KeyError), engine.many():
            engine.write_blob(b"lost or not")
            raise KeyError
        oid = engine.write_blob(b"kept")
        assert (engine.has(oid), engine.blob(oid)) == (True, b"kept")

    @pytest.mark.parametrize("durable", [True, False])
    def test_objects_are_written_synced_or_not(self, engine: Engine, durable: bool) -> None:
        engine.durable(durable)
        try:
            oid = engine.write_blob(b"synced %d" % durable)
            assert engine.blob(oid) == b"synced %d" % durable
            engine.write_pack([oid])
        finally:
            engine.durable(False)

    def test_all_objects_are_told_with_kind_and_bytes_loose_or_packed(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        git(repository, "repack", "-adq")
        loose = engine.write_blob(b"loose\n\0")
        found = {oid: (kind, data) for oid, kind, data in engine.all_objects()}
        head = engine.head()[1]
        assert head is not None
        assert found[loose] == ("blob", b"loose\n\0")
        assert found[head][0] == "commit"
        assert b"tree " + engine.commit(head).tree.encode() in found[head][1]
        assert len(found) == 4

    def test_what_others_write_and_pack_later_is_found(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        assert engine.head()[1] is not None
        (repository / "more").write_text("more\n")
        oid = git(repository, "hash-object", "-w", "more")
        assert engine.blob(oid) == b"more\n"
        git(repository, "tag", "keeps", oid)
        git(repository, "repack", "-adq")
        assert engine.blob(oid) == b"more\n"

    def test_who_serves_it_is_told(self, engine: Engine) -> None:
        assert engine.served_by.startswith(("libgit2 1.", "the git program 2."))

    # trees as folders of files
    def test_files_lists_regular_files_at_every_depth_and_nothing_else(self, engine: Engine) -> None:
        blob = engine.write_blob(b"x")
        inner = engine.write_tree([Entry("deep ü", FILE, blob), Entry("link", LINK, blob)])
        tree = engine.write_tree(
            [Entry("a", TREE, inner), Entry("x", EXECUTABLE, blob), Entry("sub", GITLINK, absent_in(engine))]
        )
        assert dict(engine.files(tree)) == {"a/deep ü": blob, "x": blob}

    def test_entry_finds_files_folders_and_the_tree_itself(self, engine: Engine) -> None:
        blob = engine.write_blob(b"x")
        inner = engine.write_tree([Entry("f", FILE, blob)])
        tree = engine.write_tree([Entry("a", TREE, inner)])
        assert engine.entry(tree, "a/f") == Entry("f", FILE, blob)
        assert engine.entry(tree, "a") == Entry("a", TREE, inner)
        assert engine.entry(tree, "") == Entry("", TREE, tree)
        assert [engine.entry(tree, path) for path in ("b", "a/g", "a/f/g")] == [None] * 3

    def test_diff_tells_added_removed_and_changed_files_and_reads_no_equal_subtree(self, engine: Engine) -> None:
        one, two = engine.write_blob(b"1"), engine.write_blob(b"2")
        equal_but_absent = Entry("equal", TREE, absent_in(engine))

        def tree(*files: tuple[str, str]) -> str:
            inner = engine.write_tree(Entry(name, FILE, oid) for name, oid in files)
            return engine.write_tree([Entry("in", TREE, inner), equal_but_absent])

        before, after = tree(("gone", one), ("same", one), ("new bytes", one)), tree(("same", one), ("new bytes", two))
        assert engine.diff(before, after) == {"in/gone": Change(one, None), "in/new bytes": Change(one, two)}
        assert engine.diff(before, before) == {}
        assert engine.diff(None, engine.write_tree([Entry("f", FILE, one)])) == {"f": Change(None, one)}

    def test_diff_sees_a_file_that_became_a_folder(self, engine: Engine) -> None:
        blob = engine.write_blob(b"x")
        inner = engine.write_tree([Entry("f", FILE, blob)])
        before, after = engine.write_tree([Entry("a", FILE, blob)]), engine.write_tree([Entry("a", TREE, inner)])
        assert engine.diff(before, after) == {"a": Change(blob, None), "a/f": Change(None, blob)}

    def test_diff_ignores_a_changed_mode(self, engine: Engine) -> None:
        blob = engine.write_blob(b"x")
        before, after = engine.write_tree([Entry("a", FILE, blob)]), engine.write_tree([Entry("a", EXECUTABLE, blob)])
        assert engine.diff(before, after) == {}

    def test_overlay_sets_adds_and_removes_and_leaves_no_empty_folder(self, engine: Engine) -> None:
        one, two = engine.write_blob(b"1"), engine.write_blob(b"2")
        base = engine.overlay(None, {"a/b/c": (FILE, one), "a/d": (FILE, one), "e": (FILE, one)})
        assert base is not None
        made = engine.overlay(base, {"a/b/c": None, "a/d": (FILE, two), "n/m": (FILE, one), "absent/x": None})
        assert made is not None
        assert dict(engine.files(made)) == {"a/d": two, "e": one, "n/m": one}
        assert {entry.name for entry in engine.tree(made)} == {"a", "e", "n"}
        assert engine.overlay(made, {"a/d": None, "e": None, "n/m": None}) is None

    # names and history
    def test_revisions_resolve_to_commits(self, engine: Engine, repository: Path, git: Callable[..., str]) -> None:
        first = git(repository, "rev-parse", "HEAD")
        git(repository, "commit", "-q", "--allow-empty", "-m", "second")
        git(repository, "tag", "-a", "v1", "-m", "annotated", first)
        for revision in ("HEAD~1", "v1", first, first[:12], "main^"):
            assert engine.resolve(revision) == first
        blob = git(repository, "rev-parse", "HEAD:code.c")
        for revision in ("nothing", "HEAD~9", "", "HEAD..main", blob, "HEAD:code.c"):
            assert engine.resolve(revision) is None

    def test_refs_are_listed_by_prefix_with_tags_peeled(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        head = git(repository, "rev-parse", "HEAD")
        git(repository, "tag", "-a", "v1", "-m", "annotated")
        git(repository, "branch", "ünï/x")
        git(repository, "pack-refs", "--all")
        git(repository, "symbolic-ref", "refs/remotes/o/HEAD", "refs/heads/main")
        git(repository, "symbolic-ref", "refs/remotes/o/broken", "refs/heads/none")
        assert engine.refs() == {
            "refs/heads/main": head,
            "refs/heads/ünï/x": head,
            "refs/remotes/o/HEAD": head,
            "refs/tags/v1": head,
        }
        assert engine.refs("refs/tags/") == {"refs/tags/v1": head}
        assert (engine.ref("refs/heads/main"), engine.ref("refs/heads/none")) == (head, None)

    def test_head_is_told_on_a_branch_detached_and_unborn(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        head = git(repository, "rev-parse", "HEAD")
        assert engine.head() == ("refs/heads/main", head)
        git(repository, "checkout", "-q", "--detach")
        assert engine.head() == (None, head)
        git(repository, "switch", "-q", "--orphan", "new")
        assert engine.head() == ("refs/heads/new", None)

    def test_a_linked_worktree_has_its_own_head(
        self, repository: Path, tmp_path: Path, git: Callable[..., str]
    ) -> None:
        git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
        engine = self.open(repository / ".git/worktrees/linked")
        assert engine.head()[0] == "refs/heads/side"
        assert set(engine.refs()) == {"refs/heads/main", "refs/heads/side"}
        engine.close()

    def test_a_ref_moves_only_from_what_was_expected(self, engine: Engine) -> None:
        head = engine.head()[1]
        assert head is not None
        other = engine.write_commit(engine.commit(head).tree, [head], "other\n", ANA, seconds=0)
        name = "refs/heads/mine"
        assert not engine.move_ref(name, other, head)
        assert engine.move_ref(name, head, None)
        assert not engine.move_ref(name, other, None)
        assert not engine.move_ref(name, other, other)
        assert engine.ref(name) == head
        assert engine.move_ref(name, other, head)
        assert engine.ref(name) == other
        assert not engine.move_ref(name, None, head)
        assert engine.move_ref(name, None, other)
        assert engine.ref(name) is None

    def test_walk_yields_children_before_parents_and_leaves_out_what_is_hidden(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        ids = [git(repository, "rev-parse", "HEAD")]
        for _ in range(3):
            git(repository, "commit", "-q", "--allow-empty", "-m", "more")
            ids.insert(0, git(repository, "rev-parse", "HEAD"))
        assert list(engine.walk([ids[0]])) == ids
        assert list(engine.walk([ids[0], ids[2]], [ids[2]])) == ids[:2]
        assert list(engine.walk([absent_in(engine)])) == []

    def test_reachability_is_right_even_where_clocks_ran_backwards(self, engine: Engine) -> None:
        head = engine.head()[1]
        assert head is not None
        tree = engine.commit(head).tree

        def commit(*parents: str, seconds: int) -> str:
            return engine.write_commit(tree, parents, "c\n", ANA, seconds=seconds)

        old = commit(seconds=2_000_000_000)
        line = [old]
        for step in range(30):
            line.append(commit(line[-1], seconds=1_000 + step))
        young, side, loose = commit(line[-1], seconds=1_500_000_000), commit(old, seconds=5), commit(seconds=1)
        wanted = [old, line[7], young, side, loose, absent_in(engine)]
        assert engine.unreached(wanted, [young]) == {side, loose, absent_in(engine)}
        assert engine.unreached(wanted, [young, side]) == {loose, absent_in(engine)}
        assert engine.unreached(wanted, []) == set(wanted)
        assert engine.unreached([], [young]) == frozenset()
        assert engine.is_ancestor(old, young)
        assert engine.is_ancestor(young, young)
        assert not engine.is_ancestor(young, old)

    def test_a_branch_whose_commit_is_lost_stops_no_listing_and_no_walk(self, engine: Engine, repository: Path) -> None:
        head, absent = engine.head()[1], absent_in(engine)
        assert head is not None
        (repository / ".git/refs/heads/lost").write_text(f"{absent}\n")
        (repository / ".git/refs/tags/lost").write_text(f"{absent}\n")
        assert engine.refs() == {"refs/heads/main": head, "refs/heads/lost": absent}
        assert engine.ref("refs/heads/lost") == absent
        assert list(engine.walk(engine.refs().values())) == [head]
        assert list(engine.walk([head], [absent])) == [head]

    def test_a_tag_of_a_tag_is_peeled_to_the_end(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        head = git(repository, "rev-parse", "HEAD")
        git(repository, "tag", "-a", "one", "-m", "one")
        git(repository, "tag", "-a", "two", "-m", "two", "one")
        assert engine.refs("refs/tags/") == {"refs/tags/one": head, "refs/tags/two": head}
        assert engine.resolve("two") == head
        assert engine.ref("refs/tags/two") == git(repository, "rev-parse", "two")

    def test_a_ref_that_names_no_commit_does_not_stop_a_walk(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        git(repository, "update-ref", "refs/odd/blob", git(repository, "rev-parse", "HEAD:code.c"))
        head = engine.head()[1]
        assert head is not None
        named = [head, git(repository, "rev-parse", "refs/odd/blob")]
        assert list(engine.walk(named)) == [head]
        assert engine.unreached([head], named) == frozenset()

    def test_refs_that_lead_to_no_commit_are_not_listed(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        head, tree, blob = (git(repository, "rev-parse", name) for name in ("HEAD", "HEAD^{tree}", "HEAD:code.c"))
        git(repository, "tag", "tree", tree)
        git(repository, "tag", "-a", "-m", "x", "tree-told", tree)
        git(repository, "tag", "blob", blob)
        git(repository, "tag", "-a", "-m", "x", "tagged", "HEAD")
        git(repository, "update-ref", "refs/odd/tree", tree)
        git(repository, "update-ref", "refs/odd/tagged", "tagged")
        git(repository, "replace", blob, git(repository, "hash-object", "-w", ".git/HEAD"))
        found = {"refs/heads/main": head, "refs/tags/tagged": head, "refs/odd/tagged": head}
        assert engine.refs() == found
        assert engine.refs() == found

    def test_the_empty_tree_is_known_though_nobody_stored_it(
        self, engine: Engine, repository: Path, git: Callable[..., str]
    ) -> None:
        empty = git(repository, "hash-object", "-t", "tree", "/dev/null")
        commit = git(repository, "commit-tree", "-m", "empty", empty)
        assert (engine.commit(commit).tree, engine.has(empty), engine.tree(empty)) == (empty, True, [])
        assert engine.entry(empty, ".continuity") is None
