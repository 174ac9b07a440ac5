"""Our program in one worktree, as a new process would run it: nothing is kept between two commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from cc_git.codec import paths
from cc_git.codec.files import decode, encode
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.ids import new_id
from cc_git.model.spine import Source
from cc_git.store.facts import Sources
from cc_git.store.git import Git
from cc_git.store.journal import Journal
from cc_git.store.journal_form import WriteNote
from cc_git.store.journal_state import JournalState
from cc_git.store.observe import observe
from cc_git.store.place import Place
from cc_git.store.present import PresentSnapshot
from cc_git.store.repository import open_repository
from cc_git.store.restore import Restored, restore
from cc_git.store.unstage import take_back
from cc_git.store.waiting_mark import mark_waiting
from cc_git.store.write import write

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
WORKSPACE = b'format = "cc-git/1"\n'


def judge(rel: str, data: bytes) -> Fault | None:
    value = decode(rel, data)
    return value if isinstance(value, Fault) else None


def an_episode(rng: Random, *, content: str = "") -> tuple[str, bytes]:
    """A path and valid bytes."""
    identifier = new_id("ep", NOW, rng.randbytes(10))
    value = Episode(
        id=identifier,
        type="assertion",
        content=content or f"said {rng.random()}\n" * 3,
        authority="user-explicit",
        actor="human:ana",
        source=Source(kind="user"),
        recorded_at=NOW,
    )
    return paths.path_of(identifier), encode(value)


@dataclass(frozen=True)
class Memory:
    """`top` is the worktree's top level; the workspace is at `prefix`."""

    top: Path
    prefix: str = ".continuity"
    bare: bool = False

    @property
    def place(self) -> Place:
        if self.bare:
            return Place(None, self.top, self.top, self.prefix)
        git_dir = self.top / ".git"
        if git_dir.is_file():
            git_dir = Path(git_dir.read_text().removeprefix("gitdir: ").strip())
            common = git_dir / (git_dir / "commondir").read_text().strip()
            return Place(self.top, git_dir, common.resolve(), self.prefix)
        return Place(self.top, git_dir, git_dir, self.prefix)

    @contextmanager
    def command(self) -> Iterator[Sources]:
        """What every command of ours begins with, but for `observe`."""
        place = self.place
        git = Git(place)
        engine = open_repository(place, git)
        journal = Journal.open(place, object_format=engine.object_format, durable=False)
        try:
            take_back(place, engine, git)
            yield Sources(place, engine, git, journal, judge)
        finally:
            journal.close()
            engine.close()

    def look(self) -> PresentSnapshot:
        with self.command() as sources:
            return observe(sources)

    def state(self) -> JournalState:
        journal = Journal.open(self.place, durable=False)
        try:
            return journal.read()
        finally:
            journal.close()

    def write(self, files: dict[str, bytes]) -> PresentSnapshot:
        with self.command() as sources:
            present = observe(sources)
            write(sources.journal, files, verb="test", note=WriteNote(present.head))
            mark_waiting(sources.place, waits=True)
            return present

    def init(self) -> None:
        (self.top / self.prefix).mkdir(parents=True, exist_ok=True)
        self.write({paths.WORKSPACE_FILE: WORKSPACE})

    def remember(self, rng: Random) -> tuple[str, bytes]:
        rel, data = an_episode(rng)
        self.write({rel: data})
        return rel, data

    def restore(self, wanted: str) -> Restored:
        with self.command() as sources:
            return restore(sources, (wanted,))[0]

    def kept(self, oid: str) -> bytes | None:
        """The bytes of a blob that the journal holds."""
        with self.command() as sources:
            return sources.journal.blob(oid)
