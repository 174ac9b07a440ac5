"""The one transaction: its order, its refusals, and what the next writer does after one that did not finish."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from cc_git.codec.paths import ATTRIBUTES_TEXT, WORKING_CONTEXT, WORKSPACE_FILE
from cc_git.errors import Damaged, LostRace, NotWritable, Refused, Unsupported
from cc_git.store import locks
from cc_git.store import write as write_module
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.journal_state import JournalState
from cc_git.store.place import Place
from cc_git.store.pygit2_engine import open_engine
from cc_git.store.write import Written, write, write_working_context

EPISODE = "episodes/2026-11-30/ep_1.toml"
RECORD = "records/decision/2026-11/dec_1.toml"
RECEIPT = "private/receipts/2026-11-30/rc_1.toml"
FILES = {EPISODE: b"episode\n", RECORD: b"record\n", RECEIPT: b"receipt\n"}
NOBODY = 65_534


def at(top: Path) -> Place:
    return Place(top, top / ".git", top / ".git", ".continuity")


@pytest.fixture
def journal(repository: Path) -> Journal:
    (repository / ".continuity").mkdir()
    return Journal.open(at(repository))


@pytest.fixture
def note(repository: Path, git: Callable[..., str]) -> WriteNote:
    return WriteNote(git(repository, "rev-parse", "HEAD"))


def put(journal: Journal, files: Mapping[str, bytes] = FILES, note: WriteNote = WriteNote()) -> Written:  # noqa: B008
    return write(journal, files, verb="remember", note=note)


def on_disk(directory: Path) -> dict[str, bytes]:
    found = (path for path in directory.rglob("*") if path.is_file() and not path.name.startswith(".git"))
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in found}


def test_a_write_is_in_the_journal_and_on_the_disk_when_it_returns(journal: Journal, repository: Path) -> None:
    written = put(journal)
    assert list(written.blobs) == list(FILES)
    assert on_disk(repository / ".continuity") == FILES
    state = Journal.open(journal.place).read()
    assert {**state.pending, **state.private} == written.blobs
    assert list(state.private) == [RECEIPT]


def test_the_index_is_told_last(journal: Journal, repository: Path) -> None:
    told: list[Mapping[str, str]] = []

    def index(blobs: Mapping[str, str]) -> None:
        assert on_disk(repository / ".continuity") == FILES
        assert set(Journal.open(journal.place).read().pending) == {EPISODE, RECORD}
        told.append(blobs)

    written = write(journal, FILES, verb="remember", note=WriteNote(), indexed=index)
    assert told == [written.blobs]


def test_what_is_private_stays_out_of_every_git_add(
    journal: Journal, repository: Path, git: Callable[..., str]
) -> None:
    write(journal, {WORKSPACE_FILE: b"new"}, verb="init", note=WriteNote())
    put(journal)
    write_working_context(journal, {WORKING_CONTEXT: b"{}"}, replaces=None, note=WriteNote())
    git(repository, "add", "-A")
    staged = set(git(repository, "diff", "--cached", "--name-only").splitlines())
    assert staged == {f".continuity/{rel}" for rel in (".gitattributes", WORKSPACE_FILE, EPISODE, RECORD)}
    assert (repository / ".continuity/.gitattributes").read_text() == ATTRIBUTES_TEXT


def test_other_users_of_the_machine_see_neither_the_private_tier_nor_the_journal(
    journal: Journal, repository: Path
) -> None:
    put(journal)
    for folder in (repository / ".continuity/private", repository / ".git/continuity"):
        assert folder.stat().st_mode & 0o077 == 0


def test_skeleton_files_that_are_there_are_left_alone(journal: Journal, repository: Path) -> None:
    (repository / ".continuity/.gitattributes").write_text("* text\n")
    write(journal, {WORKSPACE_FILE: b"new"}, verb="init", note=WriteNote())
    assert (repository / ".continuity/.gitattributes").read_text() == "* text\n"


class TestRefusals:
    def test_an_immutable_file_never_gets_other_bytes(self, journal: Journal, repository: Path) -> None:
        put(journal)
        before = journal.read()
        other = {"records/decision/2026-11/dec_2.toml": b"new\n", RECORD: b"other\n"}
        with pytest.raises(Refused, match=RECORD):
            put(journal, other)
        assert on_disk(repository / ".continuity") == FILES
        assert journal.read() == before

    def test_what_would_be_too_large_to_be_read_again_is_not_written(self, journal: Journal, repository: Path) -> None:
        long = b"x" * ((1 << 20) + 1)
        with pytest.raises(Refused, match="is not read"):
            put(journal, {EPISODE: b"episode\n", RECORD: long})
        assert on_disk(repository / ".continuity") == {}
        put(journal, {"attachments/2026-11-30/ep_1-1": long})

    def test_the_same_bytes_again_are_no_fault(self, journal: Journal, repository: Path) -> None:
        put(journal)
        inode = (repository / ".continuity" / RECORD).stat().st_ino
        put(journal)
        assert (repository / ".continuity" / RECORD).stat().st_ino == inode

    def test_documents_are_replaced(self, journal: Journal, repository: Path) -> None:
        for data in (b"one\n", b"two\n"):
            put(journal, {"runbooks/a.toml": data, "workspace.toml": data})
        assert (repository / ".continuity/runbooks/a.toml").read_bytes() == b"two\n"
        assert (repository / ".continuity/workspace.toml").read_bytes() == b"two\n"

    @pytest.mark.parametrize("link", ["records", "records/decision", "private"])
    def test_a_link_does_not_lead_a_write_out_of_the_workspace(
        self, journal: Journal, repository: Path, tmp_path: Path, link: str
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        place = repository / ".continuity" / link
        place.parent.mkdir(exist_ok=True)
        place.symlink_to(outside)
        with pytest.raises(Damaged, match="not a folder"):
            put(journal, {f"{link}/x/new.toml" if link != "private" else RECEIPT: b"x"})
        assert list(outside.iterdir()) == []

    @pytest.mark.parametrize("kind", ["link", "pipe"])
    def test_what_is_no_file_in_a_files_place_is_replaced_and_not_followed(
        self, journal: Journal, repository: Path, tmp_path: Path, kind: str
    ) -> None:
        outside, place = tmp_path / "outside", repository / ".continuity/runbooks/a.toml"
        outside.write_text("theirs")
        place.parent.mkdir()
        if kind == "link":
            place.symlink_to(outside)
        else:
            os.mkfifo(place)
        put(journal, {"runbooks/a.toml": b"ours"})
        assert on_disk(repository / ".continuity") == {"runbooks/a.toml": b"ours"}
        assert outside.read_text() == "theirs"

    def test_a_bare_repository_is_not_written(self, repository: Path) -> None:
        bare = Place(None, repository / ".git", repository / ".git", ".continuity")
        with pytest.raises(Unsupported):
            put(Journal.open(bare))


def test_the_working_context_is_replaced_and_its_last_version_is_in_the_journal(
    journal: Journal, repository: Path
) -> None:
    replaces = None
    for data in (b'{"n": 1}', b'{"n": 2}'):
        written = write_working_context(journal, {WORKING_CONTEXT: data}, replaces=replaces, note=WriteNote())
        replaces = written.blobs[WORKING_CONTEXT]
    assert (repository / ".continuity" / WORKING_CONTEXT).read_bytes() == b'{"n": 2}'
    assert journal.read().private == {WORKING_CONTEXT: written.blobs[WORKING_CONTEXT]}


def test_a_working_context_made_from_an_older_one_is_refused_and_nothing_beside_it_is_written(
    journal: Journal, repository: Path
) -> None:
    first = write_working_context(journal, {WORKING_CONTEXT: b"1"}, replaces=None, note=WriteNote()).blobs[
        WORKING_CONTEXT
    ]
    write_working_context(journal, {WORKING_CONTEXT: b"2"}, replaces=first, note=WriteNote())
    for replaces in (first, None):
        with pytest.raises(LostRace):
            write_working_context(journal, {RECORD: b"x", WORKING_CONTEXT: b"3"}, replaces=replaces, note=WriteNote())
    assert (repository / ".continuity" / WORKING_CONTEXT).read_bytes() == b"2"
    assert not (repository / ".continuity" / RECORD).exists() and not journal.read().pending


@pytest.fixture
def unwritable(repository: Path) -> Iterator[Path]:
    """A repository with a workspace, in which this process may read and not write."""
    (repository / ".continuity").mkdir()
    (repository / ".continuity/workspace.toml").touch()
    with tempfile.TemporaryDirectory() as folder:
        top = Path(shutil.copytree(repository, Path(folder) / "repo"))
        everything = [Path(folder), top, *top.rglob("*")]
        for path in everything:
            path.chmod(0o500)
        if os.geteuid() == 0:
            # Root may write everywhere, so it becomes nobody, whom all this belongs to.
            for path in everything:
                os.chown(path, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield top
        finally:
            if os.getuid() == 0:
                os.seteuid(0)
            for path in everything:
                path.chmod(0o700)


class TestWithoutPermission:
    def test_reading_works_and_leaves_nothing(self, unwritable: Path) -> None:
        assert Journal.open(at(unwritable)).read() == JournalState()
        assert not (unwritable / ".git/continuity").exists()

    def test_a_journal_of_another_user_is_not_taken_for_an_empty_one(self, unwritable: Path) -> None:
        folder = unwritable / ".git/continuity"
        if os.getuid() != 0:
            pytest.skip("only root can make a folder of another user's")
        os.seteuid(0)
        folder.mkdir(mode=0o700)
        os.seteuid(NOBODY)
        with pytest.raises(NotWritable, match="cannot read"):
            Journal.open(at(unwritable)).read()

    def test_writing_names_the_guarantee_that_is_lost(self, unwritable: Path) -> None:
        with pytest.raises(NotWritable) as refused:
            put(Journal.open(at(unwritable)))
        assert "persistence" in (refused.value.why or "")


KILLED = """
import os, signal, sys
from pathlib import Path
from cc_git.store import journal, placing, recover, write as module
from cc_git.store.journal_form import WriteNote
from tests.store.test_write import FILES, at

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

point, top, head = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
if point == "objects":
    journal.Journal._publish = die
elif point == "lock":
    (top / ".git/continuity").mkdir(exist_ok=True)
    real = journal.Journal._publish
    def locked(self, engine, ref, *rest):
        lock = self.own.journal / f"{ref}.lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
        die()
    journal.Journal._publish = locked
elif point == "commit":
    module.write_missing = die
elif point == "temporary":
    placing.make_skeleton(top / ".continuity")
    (top / ".continuity/private/.tmp-left").touch()
    module.write_missing = die
elif point == "recovery":
    recover.place_files = die
module.write(journal.Journal.open(at(top)), FILES, verb="remember", note=WriteNote(head), indexed=die)
"""


def killed(point: str, top: Path, head: str) -> None:
    """A real process that dies at a point of its write."""
    done = subprocess.run([sys.executable, "-c", KILLED, point, str(top), head], capture_output=True, text=True)
    assert done.returncode == -9, done.stderr


class TestAfterAKill:
    NEXT = {"records/decision/2026-11/dec_9.toml": b"next\n"}

    @pytest.mark.parametrize(
        ("point", "journaled"),
        [("objects", False), ("lock", False), ("commit", True), ("temporary", True), ("index", True)],
    )
    def test_the_next_write_clears_up_and_completes(
        self, journal: Journal, repository: Path, note: WriteNote, point: str, journaled: bool
    ) -> None:
        assert note.head is not None
        killed(point, repository, note.head)
        put(journal, self.NEXT, note)
        expected = {**self.NEXT, **(FILES if journaled else {})}
        assert on_disk(repository / ".continuity") == expected
        state = journal.read()
        assert {**state.pending, **state.private}.keys() == expected.keys()
        assert not list((repository / ".git/continuity").rglob("*.lock"))

    def test_a_recovery_that_is_killed_itself_is_done_by_the_next(
        self, journal: Journal, repository: Path, note: WriteNote
    ) -> None:
        assert note.head is not None
        killed("commit", repository, note.head)
        for _ in range(2):
            killed("recovery", repository, note.head)
        put(journal, self.NEXT, note)
        assert on_disk(repository / ".continuity") == {**FILES, **self.NEXT}

    def test_files_are_not_put_back_under_another_head(
        self, journal: Journal, repository: Path, note: WriteNote, git: Callable[..., str]
    ) -> None:
        assert note.head is not None
        killed("commit", repository, note.head)
        git(repository, "commit", "-q", "--allow-empty", "-m", "the user went on")
        put(journal, self.NEXT, note)
        assert on_disk(repository / ".continuity") == self.NEXT
        assert set(journal.read().pending) == {EPISODE, RECORD, *self.NEXT}

    def test_files_that_the_user_took_away_after_a_write_that_was_done_stay_away(
        self, journal: Journal, repository: Path, note: WriteNote, git: Callable[..., str]
    ) -> None:
        put(journal, FILES, note)
        git(repository, "stash", "-q", "-u")
        (journal.own.lock).write_text('{"state": "clean", "boot": "another"}\n')
        put(journal, self.NEXT, note)
        assert set(on_disk(repository / ".continuity")) == {RECEIPT, *self.NEXT}

    def test_a_writer_killed_before_its_commit_puts_nothing_of_an_earlier_write_back(
        self, journal: Journal, repository: Path, note: WriteNote, git: Callable[..., str]
    ) -> None:
        assert note.head is not None
        put(journal, FILES, note)
        git(repository, "stash", "-q", "-u")
        killed("objects", repository, note.head)
        put(journal, self.NEXT, note)
        assert set(on_disk(repository / ".continuity")) == {RECEIPT, *self.NEXT}

    def test_a_write_whose_folder_cannot_be_made_keeps_nothing(
        self, journal: Journal, repository: Path, note: WriteNote
    ) -> None:
        (repository / ".continuity/records").touch()
        with pytest.raises(Damaged, match="not a folder"):
            put(journal, FILES, note)
        assert journal.read() == JournalState()
        (repository / ".continuity/records").unlink()
        put(journal, self.NEXT, note)
        assert on_disk(repository / ".continuity") == self.NEXT

    def test_a_write_whose_file_cannot_be_placed_is_done_and_the_next_completes_it(
        self, journal: Journal, repository: Path, note: WriteNote
    ) -> None:
        in_its_place = repository / ".continuity" / RECORD
        in_its_place.mkdir(parents=True)
        assert "kept in the journal" in (put(journal, FILES, note).unplaced or "")
        assert set(journal.read().pending) == {EPISODE, RECORD}
        in_its_place.rmdir()
        assert put(journal, self.NEXT, note).unplaced is None
        assert on_disk(repository / ".continuity") == {**FILES, **self.NEXT}

    def test_a_file_that_cannot_be_placed_stops_no_later_write(
        self, journal: Journal, repository: Path, note: WriteNote
    ) -> None:
        (repository / ".continuity" / RECORD).mkdir(parents=True)
        put(journal, FILES, note)
        assert put(journal, self.NEXT, note).unplaced is None
        assert set(journal.read().pending) == {EPISODE, RECORD, *self.NEXT}

    def test_a_refused_write_puts_nothing_back_later(
        self, journal: Journal, repository: Path, note: WriteNote, git: Callable[..., str]
    ) -> None:
        put(journal, FILES, note)
        git(repository, "stash", "-q", "-u")
        with pytest.raises(Refused):
            (repository / ".continuity" / RECORD).parent.mkdir(parents=True)
            (repository / ".continuity" / RECORD).write_text("another's\n")
            put(journal, FILES, note)
        put(journal, self.NEXT, note)
        assert set(on_disk(repository / ".continuity")) == {RECORD, RECEIPT, *self.NEXT}

    def test_a_working_context_that_was_journaled_is_completed(
        self, journal: Journal, repository: Path, note: WriteNote, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = write_working_context(journal, {WORKING_CONTEXT: b"old"}, replaces=None, note=note)

        def die(*_: object, **__: object) -> None:
            raise SystemExit

        monkeypatch.setattr(write_module, "write_missing", die)
        monkeypatch.setattr(locks, "_note", lambda *_: None)
        with pytest.raises(SystemExit):
            write_working_context(journal, {WORKING_CONTEXT: b"new"}, replaces=first.blobs[WORKING_CONTEXT], note=note)
        monkeypatch.undo()
        tip = open_engine(journal.own.journal).commit(
            next(iter(open_engine(journal.own.journal).refs("refs/writes/").values()))
        )
        place = journal.place
        _left(journal, place, tip.parents[0])
        put(journal, self.NEXT, note)
        assert (repository / ".continuity" / WORKING_CONTEXT).read_bytes() == b"new"


def _left(journal: Journal, place: Place, since: str) -> None:
    """Leave the note that a writer killed after its journal commit leaves."""
    descriptor = os.open(journal.own.lock, os.O_RDWR)
    locks._note(descriptor, {"state": "writing", "since": since, **locks._spelled(place)})
    os.close(descriptor)
