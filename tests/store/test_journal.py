"""The journal: what was written is read, by whoever opens it next, and what was dropped is gone."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cc_git.errors import Damaged, LostRace, Unsupported
from cc_git.store import journal as journal_module
from cc_git.store import journal_refs
from cc_git.store.engine import MissingObject
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.journal_repository import create_repository
from cc_git.store.journal_state import JournalState, ReflogPosition, Watched
from cc_git.store.names import OwnFolder, encoded
from cc_git.store.place import Place

HEAD = "cd" * 20


def at(top: Path, prefix: str = ".continuity") -> Place:
    return Place(top, top / ".git", top / ".git", prefix)


@pytest.fixture(params=["sha1", "sha256"])
def journal(repository: Path, request: pytest.FixtureRequest) -> Iterator[Journal]:
    journal = Journal.open(at(repository), object_format=request.param, durable=False)
    yield journal
    journal.close()


@pytest.fixture
def short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "WHOLE_EVERY", 8)
    monkeypatch.setattr(journal_module, "PACK_EVERY", 20)


def added(journal: Journal, **files: bytes) -> dict[str, str]:
    """Write files, given as keyword arguments, below `records/`; path → blob."""
    with journal.locked():
        blobs = {f"records/{name}": journal.put(data) for name, data in files.items()}
        journal.append(blobs)
    return blobs


def an_id(journal: Journal, number: int) -> str:
    """As the user's repository would have it, whose object format the journal shares."""
    return f"{number:0{40 if journal.writable().object_format == 'sha1' else 64}x}"


def reopened(journal: Journal) -> JournalState:
    return Journal.open(journal.place).read()


def test_without_a_journal_the_state_is_empty_and_nothing_is_made(journal: Journal) -> None:
    assert journal.read() == JournalState()
    assert journal.note("records/a") is None
    with pytest.raises(MissingObject):
        journal.blob(HEAD)
    assert not journal.own.path.exists()


def test_what_is_added_waits_and_what_is_private_is_apart(journal: Journal) -> None:
    with journal.locked():
        public, private = journal.put(b"public"), journal.put(b"private")
        journal.append({"records/ü %2F x": public, "private/records/b": private}, tips="t")
    state = reopened(journal)
    assert state == journal.read()
    assert state == JournalState({"records/ü %2F x": public}, {}, {"private/records/b": private}, tips="t")
    assert journal.blob(private) == b"private"


def test_a_journal_that_is_taken_away_is_not_made_again_by_reading(journal: Journal) -> None:
    blobs = added(journal, a=b"1")
    shutil.rmtree(journal.own.journal)
    with pytest.raises(MissingObject):
        journal.blob(blobs["records/a"])
    assert journal.read() == JournalState()
    assert not journal.own.journal.exists()


def test_a_write_of_three_files_makes_five_objects(journal: Journal) -> None:
    def objects() -> int:
        return sum(1 for path in (journal.own.journal / "objects").glob("??/*"))

    added(journal, a=b"1")
    before = objects()
    added(journal, b=b"2", c=b"3", d=b"4")
    assert objects() - before == 5


def test_position_and_tips_stay_until_they_are_given_again(journal: Journal) -> None:
    journal.append(position=ReflogPosition(7, "last ü\udcff"), tips="one")
    added(journal, a=b"1")
    assert reopened(journal).position == ReflogPosition(7, "last ü\udcff")
    journal.append(tips="two")
    assert (reopened(journal).position.lines, reopened(journal).tips) == (7, "two")


@pytest.mark.usefixtures("short_chains")
@pytest.mark.parametrize("seed", range(4))
def test_random_writes_and_changes_are_read_as_a_plain_dictionary_would_hold_them(
    journal: Journal, seed: int, git: Callable[..., str]
) -> None:
    chance = random.Random(seed)
    model = JournalState()
    readers = [Journal.open(journal.place) for _ in range(2)]
    for step in range(90):
        match chance.choice(["add", "add", "add", "add", "commit", "push", "forget", "position"]):
            case "add":
                rels = [f"{chance.choice(['private/', ''])}records/k/{chance.randrange(60)}" for _ in range(3)]
                with journal.locked():
                    blobs = {rel: journal.put(f"{step}{rel}".encode()) for rel in rels}
                    journal.append(blobs)
                private = {rel: blob for rel, blob in blobs.items() if rel.startswith("private/")}
                public = {rel: blob for rel, blob in blobs.items() if rel not in private}
                watch = {rel: seen for rel, seen in model.watch.items() if rel not in public}
                model = replace(
                    model,
                    pending={**model.pending, **public},
                    private={**model.private, **private},
                    watch=watch,
                )
            case "commit":
                gone = {rel: blob for rel, blob in model.pending.items() if chance.random() < 0.5}
                pending = {rel: blob for rel, blob in model.pending.items() if rel not in gone}
                commit = an_id(journal, step)
                seen = {rel: Watched(commit, blob) for rel, blob in gone.items()}
                model = replace(model, pending=pending, watch={**model.watch, **seen})
                journal.read()
                journal.replace(model)
            case "push":
                model = replace(model, watch={})
                journal.read()
                journal.replace(model, verb="push")
            case "forget":
                kept = {rel: blob for rel, blob in model.private.items() if chance.random() < 0.5}
                model = replace(model, private=kept)
                journal.read()
                journal.replace(model)
                journal.prune_now()
            case "position":
                model = replace(model, position=ReflogPosition(step, f"mark {step}"), tips=str(step))
                journal.append(position=model.position, tips=model.tips)
        if chance.random() < 0.3:
            assert chance.choice(readers).read() == model
    assert reopened(journal) == model == journal.read() == readers[0].read()
    for blob in (*model.pending.values(), *model.private.values(), *(s.blob for s in model.watch.values())):
        assert journal.blob(blob)
    assert git(journal.own.journal, "fsck", "--full", "--strict", "--no-dangling") == ""


@pytest.mark.usefixtures("short_chains")
def test_packing_drops_the_old_chain_and_keeps_few_files(journal: Journal) -> None:
    for step in range(200):
        added(journal, **{f"n{step}": b"text %d\n" % step * 20})
    objects = journal.own.journal / "objects"
    assert len(list((objects / "pack").glob("*.pack"))) <= 8
    journal.prune_now()
    assert not list(objects.glob("??/*"))
    assert [len(list((objects / "pack").glob(f"*.{kind}"))) for kind in ("pack", "idx")] == [1, 1]
    assert len(reopened(journal).pending) == 200


def test_what_the_whole_state_leaves_out_is_off_the_disk_after_a_prune(journal: Journal) -> None:
    blobs = added(journal, secret=b"a secret", other=b"kept")
    state = journal.read()
    journal.replace(replace(state, pending={"records/other": blobs["records/other"]}))
    assert journal.blob(blobs["records/secret"]) == b"a secret"
    journal.prune_now()
    with pytest.raises(MissingObject):
        Journal.open(journal.place).blob(blobs["records/secret"])
    assert journal.blob(blobs["records/other"]) == b"kept"


@pytest.mark.usefixtures("short_chains")
def test_notes_of_a_write_outlive_the_chain_until_the_path_is_let_go(journal: Journal) -> None:
    note = WriteNote(HEAD, {"src/a.c": "ef" * 20})
    with journal.locked():
        journal.append({"records/a": journal.put(b"a"), "records/b": journal.put(b"b")}, note=note)
    assert journal.note("records/a") == note
    for step in range(20):
        added(journal, **{f"n{step}": b"x%d" % step})
    state = journal.read()
    watch = {"records/a": Watched(an_id(journal, 7), state.pending["records/a"])}
    journal.replace(replace(state, pending={}, watch=watch))
    again = Journal.open(journal.place)
    assert (again.note("records/a"), again.note("records/b")) == (note, None)


class TestRaces:
    def test_both_of_two_writers_are_kept(self, journal: Journal) -> None:
        other = Journal.open(journal.place, durable=False)
        for step in range(5):
            added(journal, **{f"a{step}": b"a"})
            added(other, **{f"b{step}": b"b"})
        assert len(reopened(journal).pending) == 10

    def test_a_whole_state_that_follows_from_an_old_reading_is_refused(self, journal: Journal) -> None:
        added(journal, a=b"a")
        state = journal.read()
        added(Journal.open(journal.place), b=b"b")
        with pytest.raises(LostRace):
            journal.replace(replace(state, pending={}))
        assert len(reopened(journal).pending) == 2

    def test_the_lock_nests_also_over_two_objects(self, journal: Journal) -> None:
        other = Journal.open(journal.place, durable=False)
        with journal.locked(), other.locked():
            added(other, a=b"a")
            added(journal, b=b"b")
        assert len(reopened(journal).pending) == 2

    def test_a_reader_survives_a_prune_of_what_it_walked(self, journal: Journal) -> None:
        added(journal, a=b"a")
        reader = Journal.open(journal.place)
        reader.read()
        for step in range(5):
            added(journal, **{f"n{step}": b"n%d" % step})
        journal.replace(journal.read())
        journal.prune_now()
        assert reader.read() == journal.read()

    def test_a_reader_whose_chain_is_pruned_while_it_walks_starts_again(
        self, journal: Journal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        added(journal, a=b"a")
        reader = Journal.open(journal.place)
        (name,) = (path.relative_to(journal.own.journal).as_posix() for path in _refs(journal))
        tips = iter([reader.refs.read(name)])
        journal.replace(journal.read())
        journal.prune_now()
        real = reader.refs.read
        monkeypatch.setattr(reader.refs, "read", lambda ref: next(tips, None) or real(ref))
        assert reader.read() == journal.read()

    def test_a_chain_that_is_really_broken_is_named(self, journal: Journal) -> None:
        added(journal, a=b"a")
        (ref,) = _refs(journal)
        ref.write_text(HEAD + "\n")
        with pytest.raises(Damaged, match=re.escape(f"the journal at {journal.own.journal} is damaged")):
            Journal.open(journal.place).read()

    def test_refs_that_somebody_packed_are_read_and_moved(self, journal: Journal, git: Callable[..., str]) -> None:
        added(journal, a=b"a")
        git(journal.own.journal, "gc", "-q")
        assert not _refs(journal)
        assert set(reopened(journal).pending) == {"records/a"}
        added(journal, b=b"b")
        assert set(reopened(journal).pending) == {"records/a", "records/b"}

    def test_a_lock_of_somebody_elses_is_named(self, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
        added(journal, a=b"a")
        (ref,) = _refs(journal)
        ref.with_name(f"{ref.name}.lock").touch()
        monkeypatch.setattr(journal_refs, "_PAUSE", 0.0)
        with pytest.raises(LostRace, match="stays locked"):
            added(journal, b=b"b")


def _refs(journal: Journal) -> list[Path]:
    return [path for path in (journal.own.journal / "refs").rglob("*") if path.is_file()]


class TestOwners:
    def test_worktrees_and_workspaces_have_states_of_their_own_and_one_journal(
        self, repository: Path, tmp_path: Path, git: Callable[..., str]
    ) -> None:
        git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
        own = repository / ".git/worktrees/linked"
        places = [
            at(repository),
            at(repository, "a/.continuity"),
            at(repository, "A/.continuity"),
            Place(tmp_path / "linked", own, repository / ".git", ".continuity"),
        ]
        for number, place in enumerate(places):
            added(Journal.open(place, durable=False), **{f"f{number}": b"x"})
        states = [set(Journal.open(place).read().pending) for place in places]
        assert states == [{f"records/f{number}"} for number in range(4)]
        assert len(list((repository / ".git").rglob("journal.git"))) == 1

    def test_a_worktree_made_anew_under_an_old_name_inherits_nothing(
        self, repository: Path, tmp_path: Path, git: Callable[..., str]
    ) -> None:
        place = Place(tmp_path / "w", repository / ".git/worktrees/w", repository / ".git", ".continuity")
        git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "w"))
        added(Journal.open(place, durable=False), a=b"a")
        git(repository, "worktree", "remove", "--force", str(tmp_path / "w"))
        git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "w"))
        assert Journal.open(place).read() == JournalState()

    def test_nothing_of_the_journal_shows_in_the_users_repository(
        self, journal: Journal, repository: Path, tmp_path: Path, git: Callable[..., str]
    ) -> None:
        before = git(repository, "for-each-ref"), git(repository, "count-objects")
        added(journal, a=b"a")
        assert (git(repository, "for-each-ref"), git(repository, "count-objects")) == before
        git(tmp_path, "init", "-q", "--bare", "mirror.git")
        git(repository, "push", "-q", "--mirror", str(tmp_path / "mirror.git"))
        assert git(tmp_path / "mirror.git", "for-each-ref", "--format=%(refname)") == "refs/heads/main"

    def test_a_bare_repository_is_never_written(self, repository: Path) -> None:
        journal = Journal.open(Place(None, repository / ".git", repository / ".git", ".continuity"))
        assert journal.read() == JournalState()
        with pytest.raises(Unsupported, match="bare"):
            journal.append()


def test_prefixes_are_spelled_as_different_refs_that_git_accepts(git: Callable[..., str], tmp_path: Path) -> None:
    prefixes = [
        ".continuity", "a/.continuity", "a=2f.continuity", "A/.continuity", "ü x/.continuity", "x.lock/.continuity",
        "a..b/@{c}/.continuity", "n" * 300 + "/a/.continuity", "n" * 300 + "/b/.continuity", "\udcff/.continuity",
    ]  # fmt: skip
    spelled = [encoded(prefix) for prefix in prefixes]
    assert len({name.casefold() for name in spelled}) == len(prefixes)
    for name in spelled:
        git(tmp_path, "check-ref-format", f"refs/writes/{name}")
        assert len(name) < 200


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_the_repository_that_is_made_is_one_for_git(
    tmp_path: Path, git: Callable[..., str], object_format: str
) -> None:
    own = OwnFolder(tmp_path)
    own.path.mkdir()
    for _ in range(2):
        create_repository(own, object_format)  # type: ignore[arg-type]
    assert git(own.journal, "rev-parse", "--show-object-format", "--is-bare-repository").split() == [
        object_format,
        "true",
    ]
    assert git(own.journal, "fsck") == ""
    assert [path.name for path in own.path.iterdir()] == ["journal.git"]
