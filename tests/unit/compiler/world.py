"""A small world to compile from: values made by hand, standings given, no files and no Git."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from cc_git.codec.files import encode, path_for
from cc_git.compiler.compile import Compiled, compile_whole
from cc_git.compiler.inputs import Inputs
from cc_git.compiler.memory_pool import MemoryPool
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed, Files, gather
from cc_git.model.ids import new_id
from cc_git.model.kinds import PAYLOADS, PREFIX_OF_KIND
from cc_git.model.marks import Tombstone
from cc_git.model.packet import Item
from cc_git.model.policy import Workspace
from cc_git.model.record import Record
from cc_git.model.request import Request
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.model.spine import Source
from cc_git.model.value import Value
from cc_git.model.verdict import Clash, Restraint, Standings, Verdict

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TREE = "1" * 40


def identifier(prefix: str, number: int) -> str:
    """The same id for the same number; a higher one is newer."""
    return new_id(prefix, NOW - timedelta(days=400) + timedelta(hours=number), number.to_bytes(10, "big"))


class World:
    """Records and episodes with their standings. `record` and `episode` return ids; `data` holds the files."""

    def __init__(self) -> None:
        self.filed: list[Filed[Value]] = []
        self.data: dict[str, bytes] = {}
        self.verdicts: dict[str, Verdict] = {}
        self.clashes: list[Clash] = []
        self.ghosts: list[Restraint] = []

    def record(
        self, kind: str, title: str, *, standing: Any = "current", verdict: dict[str, Any] | None = None, **fields: Any
    ) -> str:
        """Fields of the kind are told from those of the spine by name."""
        number = len(self.filed) + len(self.ghosts) + 1
        model = PAYLOADS[kind]
        own = {name: fields.pop(name) for name in list(fields) if name in model.model_fields}
        if kind == "permission":
            own = {"effect": "allow", "action": "push"} | own
        if kind == "hypothesis":
            fields.setdefault("expires_at", NOW + timedelta(days=30))
        authority = fields.pop("authority", "user-explicit")
        value = Record(
            id=fields.pop("id", identifier(PREFIX_OF_KIND[kind], number)),
            kind=kind,
            title=title,
            authority=authority,
            actor=fields.pop("actor", "human:ana"),
            recorded_at=fields.pop("recorded_at", NOW - timedelta(days=400) + timedelta(hours=number)),
            payload=model(**own),
            **fields,
        )
        self.file(value)
        self.verdicts[value.id] = Verdict(standing, authority, **(verdict or {}))
        return value.id

    def episode(self, content: str, **fields: Any) -> str:
        number = len(self.filed) + len(self.ghosts) + 1
        value = Episode(
            id=identifier("ep", number),
            type=fields.pop("type", "assertion"),
            content=content,
            authority=fields.pop("authority", "user-explicit"),
            actor=fields.pop("actor", "human:ana"),
            source=Source(kind="user"),
            recorded_at=fields.pop("recorded_at", NOW - timedelta(days=400) + timedelta(hours=number)),
            **fields,
        )
        self.file(value)
        return value.id

    def forget(self, identifier: str) -> None:
        self.file(Tombstone(id=identifier))

    def clash(self, *ids: str, cause: Any = "subject") -> None:
        self.clashes.append(Clash(tuple(sorted(ids)), cause))

    def ghost(self, effect: str, title: str, *, whence: Any = "counts", branch: str = "", lost: bool = False,
              sensitivity: Any = "ordinary", **fields: Any) -> str:  # fmt: skip
        """A restraint in force that no whole record holds; `effect` is deny or refrain."""
        before = dict(self.verdicts)
        own = {"mode": effect} if effect == "refrain" else {"effect": effect}
        made = self.record("commitment" if effect == "refrain" else "permission", title, **own, **fields)
        filed = self.filed.pop()
        del self.data[filed.rel]
        verdict = replace(self.verdicts[made], sensitivity=sensitivity)
        self.verdicts = before
        self.ghosts.append(Restraint(filed, verdict, whence, branch, lost))  # type: ignore[arg-type]
        return made

    def file(self, value: Value) -> None:
        """File a value at its own path, with the blob that Git would give its bytes."""
        data = encode(value)
        blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        self.filed.append(Filed(path_for(value), blob, value))
        self.data[path_for(value)] = data

    def files(self, order: Iterable[int] | None = None) -> Files:
        """`order` lets a test file the same values in another order."""
        return gather(self.filed if order is None else [self.filed[i] for i in order])

    def standings(self) -> Standings:
        ghosts = tuple(sorted(self.ghosts, key=lambda ghost: ghost.key))
        return Standings(self.verdicts, tuple(self.clashes), restraining=ghosts)

    def pool(self, order: Iterable[int] | None = None) -> MemoryPool:
        return MemoryPool(self.files(order), self.standings(), NOW)

    def inputs(self, **fields: Any) -> Inputs:
        order = fields.pop("order", None)
        given = {
            "snapshot": RepositorySnapshot(tree=TREE, commit="2" * 40, origin="HEAD"),
            "pool": self.pool(order),
            "workspace": Workspace(name="demo"),
            "trusted": True,
            "clashes": tuple(self.clashes),
        }
        return Inputs(**(given | fields))


def compiled(world: World, *, inputs: dict[str, Any] | None = None, now: datetime = NOW, **request: Any) -> Compiled:
    """Compile with room enough unless the request says otherwise; fails where the outcome is Unfit."""
    outcome = compile_whole(world.inputs(**(inputs or {})), Request(**request), now)
    assert isinstance(outcome, Compiled), outcome
    return outcome


def shown(result: Compiled) -> dict[str, Item]:
    """id → item of everything in the packet."""
    return {item.id: item for item in result.packet.items()}


def section_of(result: Compiled, name: str) -> list[Item]:
    return [item for section in result.packet.sections if section.name == name for item in section.items]
