"""Real repositories with a workspace in them, for the tests of what the store knows."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cc_git.codec import paths
from cc_git.codec.files import decode, encode, path_for
from cc_git.model.fault import Fault
from cc_git.model.ids import new_id
from cc_git.model.kinds import PREFIX_OF_KIND, Commitment, Decision, Permission
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import Workspace
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.model.who import Who
from cc_git.store.accepted import AcceptedBranch, find_accepted
from cc_git.store.attestations import attestation_sources
from cc_git.store.cache import Cache, MemoryCache
from cc_git.store.confirmations import Confirmations
from cc_git.store.facts import Sources
from cc_git.store.git import Git
from cc_git.store.index_pool import Known
from cc_git.store.index_question import Question
from cc_git.store.journal import Journal
from cc_git.store.loader import reading
from cc_git.store.negatives import NegativesOfClone, SeenElsewhere, SnapshotAt
from cc_git.store.observe import observe
from cc_git.store.place import Place
from cc_git.store.present import PresentSnapshot
from cc_git.store.pygit2_engine import open_engine

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ANA = Who("human:ana", is_agent=False, at_terminal=True)
AGENT = Who("agent:claude-code", is_agent=True, at_terminal=True, sign="CLAUDECODE")


def an_id(prefix: str, number: int) -> str:
    return new_id(prefix, NOW, number.to_bytes(10, "big"))


def a_record(kind: str, number: int, **changes: Any) -> Record:
    payload = {
        "permission": lambda: Permission(effect=changes.pop("effect", "allow"), action="deploy"),
        "commitment": lambda: Commitment(mode=changes.pop("mode", "act")),
        "decision": lambda: Decision(rationale="because"),
    }[kind]()
    fields: dict[str, Any] = {
        "id": an_id(PREFIX_OF_KIND[kind], number),
        "kind": kind,
        "title": f"{kind} {number}",
        "authority": "user-explicit",
        "actor": "human:ana",
        "recorded_at": NOW,
        "payload": payload,
    }
    return Record(**(fields | changes))


def a_ruling(verb: str, number: int, *targets: str, **changes: Any) -> Ruling:
    fields: dict[str, Any] = {
        "id": an_id("ru", number),
        "verb": verb,
        "targets": targets,
        "authority": "agent-explicit",
        "actor": "agent:claude-code",
        "recorded_at": NOW + timedelta(minutes=1),
    }
    return Ruling(**(fields | changes))


def revoke(number: int, *targets: str) -> Ruling:
    return a_ruling("revoke", number, *targets)


def judge(rel: str, data: bytes) -> Fault | None:
    value = decode(rel, data)
    return value if isinstance(value, Fault) else None


@dataclass
class Clone:
    """One clone with its work tree; `git` runs the real program in it."""

    top: Path
    cache: Cache = field(default_factory=MemoryCache)
    prefix: str = paths.WORKSPACE_DIR

    @property
    def place(self) -> Place:
        git_dir = Path(self.git("rev-parse", "--absolute-git-dir"))
        common = (self.top / self.git("rev-parse", "--git-common-dir")).resolve()
        return Place(self.top, git_dir, common, self.prefix)

    def git(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(["git", *words], cwd=self.top, capture_output=True, text=True)
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(words)} → {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def put(self, *values: Value) -> tuple[str, ...]:
        """Write files by hand, as plain Git sees them; nothing is committed."""
        rels = []
        for value in values:
            rel = path_for(value)
            target = self.top / self.prefix / rel
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(encode(value))
            rels.append(rel)
        return tuple(rels)

    def commit(self, *values: Value, message: str = "memory") -> str:
        self.put(*values)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def remove(self, *values: Value, message: str = "take out") -> None:
        self.git("rm", "-q", "--", *(f"{self.prefix}/{path_for(value)}" for value in values))
        self.git("commit", "-q", "-m", message)

    def present(self) -> PresentSnapshot:
        place = self.place
        engine = open_engine(place.git_dir)
        return observe(Sources(place, engine, Git(place), Journal.open(place), judge))

    def accepted(self) -> AcceptedBranch:
        place = self.place
        return find_accepted(open_engine(place.git_dir), place, Git(place).own_config)

    def negatives(self, *, cache: Cache | None = None) -> SeenElsewhere:
        """One command: look at the present, then gather what was seen elsewhere."""
        place = self.place
        engine = open_engine(place.git_dir)
        journal = Journal.open(place)
        present = observe(Sources(place, engine, Git(place), journal, judge))
        gathering = NegativesOfClone(place, engine, journal, self.cache if cache is None else cache)
        snapshot = SnapshotAt(present.head, present.tree, present.entries, present.added, present.hidden)
        found = gathering.seen_elsewhere(snapshot, find_accepted(engine, place, Git(place).own_config))
        journal.close()
        engine.close()
        return found

    def confirm(self, *values: Value) -> None:
        """A person at this clone's terminal confirms files that are committed."""
        blobs = {path_for(v): self.git("rev-parse", f"HEAD:{self.prefix}/{path_for(v)}") for v in values}
        Confirmations(self.place).confirm(blobs, ANA, NOW)

    def usable(self) -> set[str]:
        """The ids of what a packet here may offer: asked of the index and of the files, which must agree."""
        place = self.place
        git, engine, journal = Git(place), open_engine(place.git_dir), Journal.open(place)
        present = observe(Sources(place, engine, git, journal, judge))
        attestations = attestation_sources(engine, place, git.own_config)
        snapshot = SnapshotAt(present.head, present.tree, present.entries, present.added, present.hidden)
        gathering = NegativesOfClone(place, engine, journal, self.cache)
        question = Question(
            place=place,
            engine=engine,
            snapshot=snapshot,
            read=reading(present.loose, engine.blob, journal.blob),
            workspace=Workspace(),
            attestations=attestations,
            negatives=gathering.seen_elsewhere(snapshot, attestations.branch),
            now=NOW + timedelta(hours=1),
        )
        by_index, by_files = (Known(question, cache).pool.cards() for cache in (self.cache, None))
        assert list(by_index) == list(by_files)
        return {card.id for card in by_index if card.standing in ("current", "conflicted")}

    def forces(self) -> dict[str, str]:
        """Id → force of all that the present snapshot lacks."""
        return {one.id: one.force for one in self.negatives().sightings}


def a_workspace(top: Path, *values: Value) -> Clone:
    """A new repository with a workspace and a first commit."""
    top.mkdir(parents=True)
    clone = Clone(top)
    clone.git("init", "-q")
    (top / "code.c").write_text("int main(void) { return 0; }\n")
    (top / clone.prefix).mkdir()
    (top / clone.prefix / paths.WORKSPACE_FILE).write_bytes(encode(Workspace(name="demo")))
    (top / clone.prefix / paths.ATTRIBUTES_FILE).write_text(paths.ATTRIBUTES_TEXT)
    clone.commit(*values, message="base")
    return clone


def a_clone(of: Clone, top: Path, *words: str) -> Clone:
    subprocess.run(["git", "clone", "-q", *words, str(of.top), str(top)], check=True, capture_output=True)
    return Clone(top)


def marks_of(ids: Iterable[str]) -> tuple[Tombstone | Ending, ...]:
    return tuple(mark for identifier in ids for mark in (Tombstone(id=identifier), Ending(id=identifier)))
