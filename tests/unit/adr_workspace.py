"""A workspace in memory for the tests of `import adr`: files by path, each import through codec and back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath
from random import Random

from cc_git.codec.files import decode, encode, path_for
from cc_git.governance.plan import Mint
from cc_git.importers.adr import ImportRequest, plan_import
from cc_git.importers.adr_accept import plan_accept
from cc_git.importers.adr_known import known_imports
from cc_git.importers.adr_parse import parse_adr
from cc_git.importers.adr_succession import Document
from cc_git.importers.adr_values import Adr
from cc_git.importers.importing import AcceptRequest, Here, ImportPlan
from cc_git.importers.quarantine import Held, manifests_in, read_quarantine, waiting_in
from cc_git.importers.settled import settled
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed, Files, gather
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.who import Who

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ANA = Who("human:ana", is_agent=False, at_terminal=True)


def blob_of(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _entropy(random: Random) -> Callable[[], bytes]:
    return lambda: random.randbytes(10)


@dataclass
class Workspace:
    """`files` by path below `.continuity`. `seed` stands for the clone: each draws ids of its own."""

    seed: int = 1
    files: dict[str, bytes] = field(default_factory=dict)
    now: datetime = NOW

    def __post_init__(self) -> None:
        self._entropy = _entropy(Random(self.seed))

    def mint(self) -> Mint:
        return Mint(self.now, self._entropy)

    def values(self) -> Files:
        filed = []
        for rel, data in sorted(self.files.items()):
            if rel.startswith(("quarantine/", "tombstones/")):
                continue
            value = decode(rel, data)
            assert not isinstance(value, Fault), value
            filed.append(Filed(rel, blob_of(data), value))
        return gather(filed)

    def imports(
        self, tracked: Mapping[str, str], loose: Mapping[str, str] | None = None, *, gone: Iterable[str] = ()
    ) -> ImportPlan:
        """Import documents by path and text, and write what the plan says."""
        documents, not_read = [], []
        for reviewed, group in ((True, tracked), (False, loose or {})):
            for path, text in group.items():
                adr = parse_adr(path, text.encode())
                if isinstance(adr, Adr):
                    documents.append(Document(adr, blob_of(text.encode()), reviewed))
                else:
                    not_read.append(adr)
        manifests, faults = manifests_in(self.files)
        assert not faults
        plan = plan_import(
            ImportRequest(
                documents=tuple(documents),
                not_read=tuple(not_read),
                known=known_imports(self.values()),
                who=ANA,
                mint=self.mint(),
                blob_of=blob_of,
                gone=frozenset(gone),
                waiting=waiting_in(manifests, settled(self.values()).taken, self.files),
            )
        )
        self.write(plan)
        return plan

    def accepts(self, import_id: str, *, who: Who = ANA, only: frozenset[str] | None = None) -> ImportPlan:
        plan = plan_accept(
            AcceptRequest(
                held=self.held(import_id),
                here=Here(
                    self.values(),
                    tombstones=frozenset(
                        PurePosixPath(rel).stem for rel in self.files if rel.startswith("tombstones/")
                    ),
                ),
                who=who,
                mint=self.mint(),
                blob_of=blob_of,
                only=only,
            )
        )
        self.write(plan)
        return plan

    def held(self, import_id: str) -> Held:
        held = read_quarantine(import_id, self.files)
        assert isinstance(held, Held), held
        return held

    def write(self, plan: ImportPlan) -> None:
        new = {path_for(value): encode(value) for value in plan.plan.files} if plan.plan else {}
        new |= plan.quarantine.files if plan.quarantine else {}
        assert not new.keys() & self.files.keys()
        self.files |= new

    def merged_with(self, other: Workspace) -> Workspace:
        """What a plain merge gives: the union; nothing may differ."""
        for rel in self.files.keys() & other.files.keys():
            assert self.files[rel] == other.files[rel]
        return Workspace(self.seed * 1000 + other.seed, self.files | other.files, max(self.now, other.now))

    def copy(self, seed: int) -> Workspace:
        return Workspace(seed, dict(self.files), self.now)

    def records(self) -> dict[str, list[Record]]:
        """Decision records by title."""
        found: dict[str, list[Record]] = {}
        for variants in self.values().records.values():
            found.setdefault(variants[0].value.title, []).append(variants[0].value)
        return found

    def record(self, title: str) -> Record:
        (record,) = self.records()[title]
        return record

    def rulings(self) -> list[Ruling]:
        return [variants[0].value for variants in self.values().rulings.values()]


def document(title: str, status: str = "Accepted", *, decision: str = "We do it.", extra: str = "") -> str:
    return f"# {title}\n\n## Status\n\n{status}\n\n## Context\n\nWhy.\n\n## Decision\n\n{decision}\n{extra}"
