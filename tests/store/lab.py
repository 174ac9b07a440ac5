"""A workspace that changes at random in every way that matters to standing, asked with and without an index."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cc_git.codec import paths
from cc_git.codec.files import encode, path_for
from cc_git.model.authority import LADDER
from cc_git.model.episode import Episode
from cc_git.model.ids import new_id
from cc_git.model.kinds import PAYLOADS, PREFIX_OF_KIND
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import Policy, Workspace
from cc_git.model.record import Record
from cc_git.model.ruling import VERBS, Ruling
from cc_git.model.scope import Scope
from cc_git.model.spine import Anchor, Source
from cc_git.model.value import Value
from cc_git.standing.negative import is_negative
from cc_git.store.accepted import AcceptedBranch
from cc_git.store.attestations import AttestationSources
from cc_git.store.cache import Cache, MemoryCache
from cc_git.store.engine import FILE, Engine, Person
from cc_git.store.index_pool import Known
from cc_git.store.index_question import Question
from cc_git.store.loader import reading
from cc_git.store.negative_files import NegativeFiles
from cc_git.store.negatives import SeenElsewhere, Sighting, SnapshotAt
from cc_git.store.place import Place
from cc_git.store.present import Entries, Entry, Where
from cc_git.store.search import Wanted, search

START = datetime(2026, 11, 1, tzinfo=UTC)
DAY = timedelta(days=1)
WORDS = ("index", "lock", "cache", "deploy", "branch", "merge", "token", "budget", "review", "packet", "journal")
KINDS = ("permission", "commitment", "decision", "decision", "belief", "user_model")
CODE = ("src/a.py", "src/b.py")


@dataclass
class Lab:
    engine: Engine
    folder: Path
    dice: random.Random
    now: datetime = START + 10 * DAY
    committed: dict[str, bytes] = field(default_factory=dict)
    waiting: dict[str, bytes] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    accepted: dict[str, bytes] = field(default_factory=dict)
    confirmed: dict[str, str] = field(default_factory=dict)
    elsewhere: dict[tuple[str, str], Any] = field(default_factory=dict)
    once: dict[str, str] = field(default_factory=dict)
    code: dict[str, bytes] = field(default_factory=dict)
    workspace: Workspace = field(default_factory=Workspace)
    accepted_policy: Policy | None = None

    # values
    def an_id(self, prefix: str, *, known: bool = True) -> str:
        """Out of few for each prefix, so that everything meets everything; sometimes a new one."""
        number = self.dice.randrange(7) if known else self.dice.randrange(100, 10**6)
        return new_id(prefix, START + number * DAY / 24, number.to_bytes(10, "big"))

    def _ids(self, prefix: str, most: int = 2, odds: int = 3) -> tuple[str, ...]:
        if self.dice.randrange(odds):
            return ()
        return tuple({self.an_id(prefix) for _ in range(self.dice.randint(1, most))})

    def _when(self, *choices: int | None) -> datetime | None:
        days = self.dice.choice(choices)
        return None if days is None else START + days * DAY + timedelta(microseconds=self.dice.choice([0, 0, 1, 999]))

    def text(self, most: int = 6) -> str:
        return " ".join(self.dice.choice(WORDS) for _ in range(self.dice.randint(1, most)))

    def a_record(self) -> Record:
        dice = self.dice
        kind = dice.choice(KINDS)
        prefix = PREFIX_OF_KIND[kind]
        identifier = self.an_id(prefix, known=dice.random() < 0.7)
        payload: dict[str, Any] = {}
        if kind == "permission":
            payload = {
                "effect": dice.choice(["allow", "allow", "deny"]),
                "action": dice.choice(["deploy", "push", "*"]),
                "target": dice.choice(["prod", "*", "p*"]),
            }
        elif kind == "commitment":
            payload = {"mode": dice.choice(["act", "refrain"]), "due": self._when(None, 5, 20)}
        elif kind == "failure":
            payload = {"severity": dice.choice(["low", "high", "catastrophic"])}
        elif kind == "belief":
            payload = {"basis": dice.choice(["external", "user", "project"])}
        without = {identifier}
        sources = (
            *self._ids("ep", odds=2),
            *self._ids(prefix, odds=8),
            *(("docs/x.md",) if not dice.randrange(9) else ()),
        )
        return Record(
            id=identifier,
            kind=kind,
            title=self.text(4),
            content=self.text(8),
            scope=Scope(thread=dice.choice(["*", "*", "*", "t", "u"])),
            authority=dice.choice([*LADDER, *["user-explicit"] * 5, "agent-explicit", "agent-explicit"]),
            actor="human:ana",
            sensitivity=dice.choice(["ordinary"] * 6 + ["limited", "sensitive"]),
            recorded_at=START + dice.randrange(10) * DAY,
            valid_from=self._when(*[None] * 6, 2, 15),
            valid_to=self._when(*[None] * 6, 16, 30),
            review_by=self._when(*[None] * 4, 3, 17),
            expires_at=self._when(*[None] * 6, 9, 12),
            sources=sources,
            derived_from=tuple(i for i in (*self._ids(prefix, odds=5), *self._ids("ep", odds=8)) if i not in without),
            supersedes=tuple(i for i in self._ids(prefix) if i not in without),
            conflicts_with=tuple(i for i in self._ids(prefix, odds=8) if i not in without),
            after=self._ids("ru", odds=6),
            subject=dice.choice([None, None, "s", "t"]),
            anchors=(Anchor(path=dice.choice(CODE), blob=dice.choice(["a", "b"]) * 40),)
            if not dice.randrange(5)
            else (),
            payload=PAYLOADS[kind](**payload),
        )

    def a_ruling(self) -> Ruling:
        dice = self.dice
        verb = dice.choice(VERBS)
        prefix = PREFIX_OF_KIND[dice.choice(KINDS)]
        targets = tuple(dict.fromkeys(self.an_id(prefix) for _ in range(dice.randint(1, 2))))
        identifier = self.an_id("ru", known=dice.random() < 0.8)
        blobs = self.blobs()
        if not blobs.keys() & {self.place_of(target) for target in targets} and blobs:
            some = [i for rel in blobs if rel.startswith("records/") and (i := paths.id_at(rel))]
            targets = (dice.choice(some),) if some else targets
        saw = tuple(blobs.get(self.place_of(target), "0" * 40) for target in targets)
        return Ruling(
            id=identifier,
            verb=verb,
            targets=targets,
            saw=saw if dice.random() < 0.8 else (),
            over=tuple(i for i in self._ids("ru", odds=4) if i != identifier),
            winner=targets[0] if verb == "resolve" else None,
            authority=dice.choice([*LADDER, *["user-explicit"] * 8]),
            actor="human:ana",
            evidence=("seen",) if dice.random() < 0.5 else (),
            recorded_at=START + dice.randrange(10) * DAY,
            effective_from=self._when(*[None] * 4, 4, 18),
        )

    def an_episode(self) -> Episode:
        dice = self.dice
        kind = dice.choice(["user", "user", "tool", "document", "document"])
        blob = dice.choice(["c", "d"]) * 40
        source = Source(kind=kind, locator=dice.choice(["docs/1.md", "docs/2.md"]), blob=blob)  # type: ignore[arg-type]
        return Episode(
            id=self.an_id("ep", known=dice.random() < 0.8),
            type="assertion",
            content=self.text(),
            authority=dice.choice(["user-explicit", "document", "verified-observation"]),
            actor="human:ana",
            source=source,
            sensitivity=dice.choice(["ordinary", "ordinary", "sensitive"]),
            recorded_at=START + dice.randrange(10) * DAY,
        )

    def a_value(self) -> Value:
        dice = self.dice.randrange(20)
        if dice < 9:
            return self.a_record()
        if dice < 14:
            return self.a_ruling()
        if dice < 18:
            return self.an_episode()
        prefix = self.dice.choice([*(PREFIX_OF_KIND[k] for k in KINDS), "ru", "ep", "ep"])
        return (Tombstone if dice == 18 else Ending)(id=self.an_id(prefix))

    # changes
    def place_of(self, identifier: str) -> str:
        return paths.path_of(identifier)

    def blobs(self) -> dict[str, str]:
        return {rel: self.engine.write_blob(data) for rel, data in {**self.committed, **self.waiting}.items()}

    def write(self, many: int = 1) -> None:
        for _ in range(many):
            value = self.a_value()
            rel = path_for(value)
            if not self.dice.randrange(8) and not isinstance(value, Tombstone | Ending):
                rel = paths.private(rel)
            self.waiting[rel] = encode(value)

    def commit(self) -> None:
        """What waits and is not private goes into the tree."""
        for rel in [rel for rel in self.waiting if not paths.is_private(rel)]:
            self.committed[rel] = self.waiting.pop(rel)

    def remove(self) -> None:
        for group in (self.committed, self.waiting):
            if group and self.dice.randrange(2):
                group.pop(self.dice.choice(sorted(group)))

    def damage(self) -> None:
        if self.waiting:
            self.waiting[self.dice.choice(sorted(self.waiting))] = self.dice.choice([b"", b"not = toml = [", b"\xff"])

    def hide(self) -> None:
        self.hidden = {rel for rel in self.committed if not self.dice.randrange(10)}

    def confirm(self) -> None:
        blobs = self.blobs()
        for rel in self.dice.sample(sorted(blobs), len(blobs) // 2):
            self.confirmed[blobs[rel]] = rel

    def accept(self) -> None:
        """The accepted branch moves: to what is committed now, or to a part of it."""
        self.accepted = {rel: data for rel, data in self.committed.items() if self.dice.randrange(4)}

    def see(self) -> None:
        """Something that takes away is seen on another branch, or its force changes."""
        value = self.a_value()
        if is_negative(value):
            rel = path_for(value)
            blob = self.engine.write_blob(encode(value))
            self.elsewhere[(rel, blob)] = self.dice.choice(["counts", "withholds", "withholds", "dismissed"])
        elif self.elsewhere:
            self.elsewhere.pop(self.dice.choice(sorted(self.elsewhere)))

    def remember_accepted(self) -> None:
        """The accepted branch held some of what takes away, be it that it does so no more."""
        held = {**self.blobs(), **dict(self.elsewhere.keys())}
        takes = NegativeFiles(reading(self.engine.blob), MemoryCache()).takes_away
        self.once |= {blob: rel for rel, blob in held.items() if takes(rel, blob) and self.dice.randrange(2)}

    def change_code(self) -> None:
        self.code = {path: self.dice.choice([b"1", b"2"]) for path in CODE if self.dice.randrange(3)}

    def later(self) -> None:
        self.now += self.dice.choice([0.01, 0.5, 1, 5]) * DAY
        self.now = self.now.replace(microsecond=self.now.microsecond // 1000 * 1000)

    def change_policy(self) -> None:
        needs = self.dice.choice([{}, {"decision": "user-explicit"}, {"permission": "agent-explicit"}])
        policy = Policy(needs=needs)
        if self.dice.randrange(2):
            self.workspace = Workspace(policy=policy)
        else:
            self.accepted_policy = self.dice.choice([policy, None])

    def step(self) -> None:
        deeds: list[tuple[int, Callable[[], None]]] = [
            (10, lambda: self.write(self.dice.choice([1, 1, 2, 5]))), (4, self.commit), (3, self.remove),
            (1, self.damage), (1, self.hide), (3, self.confirm), (2, self.accept), (3, self.see),
            (2, self.remember_accepted), (1, self.change_code), (3, self.later), (1, self.change_policy),
        ]  # fmt: skip
        odds, acts = zip(*deeds, strict=True)
        self.dice.choices(acts, odds)[0]()

    # asking
    def question(self) -> Question:
        tree = self._tree(self.committed)
        accepted = dict(self.accepted)
        if self.accepted_policy is not None:
            accepted[paths.WORKSPACE_FILE] = encode(Workspace(policy=self.accepted_policy))
        added = {
            rel: Entry(self.engine.write_blob(data), Where.PRIVATE if paths.is_private(rel) else Where.WAITING)
            for rel, data in self.waiting.items()
        }
        hidden = frozenset(self.hidden & set(self.committed))
        committed = {} if tree is None else self.engine.files(tree)
        head = self.engine.write_commit(
            self._tree(self.code) or self.engine.write_tree(()), (), "code", Person("a", "b"), seconds=0
        )
        read = reading(self.engine.blob)
        entries = Entries(committed, added, hidden)
        sightings = tuple(
            Sighting(rel, blob, force, "refs/heads/x", "Eva", lost=rel > "records/permission")
            for (rel, blob), force in sorted(self.elsewhere.items())
            if entries.get(rel) is None or entries[rel].oid != blob
        )
        return Question(
            place=Place(None, self.folder, self.folder, ".continuity"),
            engine=self.engine,
            snapshot=SnapshotAt(head, tree, entries, added, hidden),
            read=read,
            workspace=self.workspace,
            attestations=AttestationSources(
                self.engine, AcceptedBranch("refs/heads/main", head, self._tree(accepted)), dict(self.confirmed)
            ),
            negatives=SeenElsewhere(sightings, NegativeFiles(read, MemoryCache()), dict(self.once)),
            now=self.now,
        )

    def _tree(self, files: dict[str, bytes]) -> str | None:
        return self.engine.overlay(None, {rel: (FILE, self.engine.write_blob(data)) for rel, data in files.items()})


SEARCHES = (
    Wanted("index lock", limit=None), Wanted("deploy the branch", limit=3), Wanted("the"), Wanted("seen"),
    Wanted("cache", kinds=frozenset({"episode", "decision"})),
    Wanted("token", standings=frozenset({"proposed", "forgotten"})),
)  # fmt: skip


def answers(question: Question, cache: Cache | None) -> dict[str, Any]:
    """Everything that can be asked, as plain values."""
    known = Known(question, cache)
    pool = known.pool
    cards = list(pool.cards())
    recent = list(pool.recent_episodes(50))
    episodes = [card.id for card in recent]
    found = known.standings
    verdicts = dict(found.verdicts)
    return {
        "cards": cards,
        "excluded": list(pool.excluded()),
        "words": {t: dict(f) for t, f in pool.frequencies([*WORDS, "absent"]).items() if f},
        "records": [pool.record(card.id) for card in cards],
        "pool verdicts": {i: pool.verdict(i) for i in verdicts},
        "recent": recent,
        "few recent": list(pool.recent_episodes(3)),
        "episodes": [pool.episode(i) for i in episodes],
        "behind": {i: list(b) for i, b in pool.behind(episodes).items() if b},
        "verdicts": verdicts,
        "clashes": found.clashes,
        "until": found.until,
        "restraining": (found.restraining, known.restraining, tuple(pool.restraining())),
        "apart": (known.clashes, known.until),
        "rulings on": {i: known.rulings_on(i) for i in verdicts},
        "searches": [search(question, wanted, cache) for wanted in SEARCHES],
    }
