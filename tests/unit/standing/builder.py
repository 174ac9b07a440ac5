"""Worlds for the rules of standing, in a few words: names stand for ids, integers for days.

`World()` takes records, rulings and episodes by short names (`a`, `r1`, `e`), gives each an id whose time is its
place in the alphabet, and a blob that is a hash of its content. `attested=True` binds a person to it by the
accepted branch. Nothing is written anywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from cc_git.model.attestation import Attestations, Negatives, SeenNegative
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed, Files, gather
from cc_git.model.ids import new_id
from cc_git.model.kinds import PAYLOADS, PREFIX_OF_KIND
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import Policy
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.scope import Scope
from cc_git.model.spine import Source
from cc_git.model.value import Value
from cc_git.model.verdict import Standings, Verdict
from cc_git.standing import endings_needed, standing

START = datetime(2026, 11, 1, tzinfo=UTC)
TODAY = 10
"""Worlds are judged on this day unless a test says otherwise."""
_REQUIRED: dict[str, dict[str, Any]] = {"permission": {"effect": "allow", "action": "deploy"}}


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def ident(name: str, kind: str = "decision") -> str:
    """The id that a name stands for; the same name of the same kind always stands for the same id."""
    prefix = PREFIX_OF_KIND.get(kind, kind)
    entropy = hashlib.sha256(name.encode()).digest()[:10]
    order = int.from_bytes(name.encode()[:3].ljust(3, b"\0"), "big")
    return new_id(prefix, START - timedelta(days=400) + timedelta(milliseconds=order), entropy)


def blob_of(value: Value) -> str:
    return hashlib.sha1(value.model_dump_json().encode()).hexdigest()


class World:
    """Every method that adds something returns its id. `kinds` says what names stand for before they are written."""

    def __init__(
        self,
        policy: Policy | None = None,
        accepted_policy: Policy | None = None,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        self.filed: list[Filed[Value]] = []
        self.accepted: set[str] = set()
        self.confirmed: set[str] = set()
        self.once: set[str] = set()
        self.seen: dict[str, SeenNegative] = {}
        self.policy = policy or Policy()
        self.accepted_policy = accepted_policy
        self.code: dict[str, str] | None = None
        self._kind: dict[str, str] = dict(kinds or {})

    # what is written
    def record(
        self,
        name: str,
        kind: str = "decision",
        *,
        says: str = "",
        by: str = "agent-explicit",
        attested: bool = False,
        thread: str = "*",
        sources: Iterable[str] | None = None,
        supersedes: Iterable[str] = (),
        conflicts_with: Iterable[str] = (),
        after: Iterable[str] = (),
        derived_from: Iterable[str] = (),
        start: float | None = 0,
        end: float | None = None,
        recorded: float = 0,
        payload: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> str:
        """`sources=None` writes an episode that carries the authority; `by` is who stands behind it. `start=None`
        leaves out from when it is valid, so that only the clock that wrote it says so (`recorded`)."""
        self._kind.setdefault(name, kind)
        carried = (self.evidence(by),) if sources is None else tuple(sources)
        value = Record(
            id=ident(name, kind),
            kind=kind,
            title=says or name,
            authority=by,
            actor="human:ana" if by.startswith("user") else "agent:claude-code/opus",
            scope=Scope(project="p", thread=thread),
            recorded_at=day(recorded),
            valid_from=None if start is None else day(start),
            valid_to=None if end is None else day(end),
            expires_at=day(900) if kind == "hypothesis" else None,
            sources=carried,
            supersedes=tuple(self.id_of(n, kind) for n in supersedes),
            conflicts_with=tuple(self.id_of(n) for n in conflicts_with),
            after=tuple(ident(n, "ru") for n in after),
            derived_from=tuple(self.id_of(n) for n in derived_from),
            payload=PAYLOADS[kind](**(_REQUIRED.get(kind, {}) | dict(payload or {}))),
            **fields,
        )
        return self._file(value, attested)

    def allow(self, name: str, action: str = "deploy", target: str = "*", **fields: Any) -> str:
        """A grant by an attested person, unless `by` says otherwise."""
        return self._permission(name, "allow", action, target, fields)

    def deny(self, name: str, action: str = "deploy", target: str = "*", **fields: Any) -> str:
        return self._permission(name, "deny", action, target, fields)

    def _permission(self, name: str, effect: str, action: str, target: str, fields: dict[str, Any]) -> str:
        fields.setdefault("by", "user-explicit")
        fields.setdefault("attested", fields["by"] == "user-explicit")
        conditions = fields.pop("conditions", ())
        payload = {"effect": effect, "action": action, "target": target, "conditions": conditions}
        return self.record(name, "permission", payload=payload, **fields)

    def rule(
        self,
        name: str,
        verb: str,
        *targets: str,
        by: str = "user-explicit",
        attested: bool | None = None,
        over: Iterable[str] = (),
        winner: str | None = None,
        saw: bool | str = True,
        evidence: Iterable[str] = (),
        effective: float | None = None,
        recorded: float = 0,
        **fields: Any,
    ) -> str:
        """A person's word is attested unless said otherwise. `saw=True` notes the blobs as they are now."""
        ids = tuple(self.id_of(t) for t in dict.fromkeys((*targets, *((winner,) if winner else ()))))
        blobs = {f.value.id: f.blob for f in self.filed if isinstance(f.value, Record)}  # type: ignore[attr-defined]
        seen = tuple(blobs.get(i, "0" * 40) for i in ids) if saw is True else (saw,) * len(ids) if saw else ()
        value = Ruling(
            id=ident(name, "ru"),
            verb=verb,
            targets=ids,
            saw=seen,
            over=tuple(ident(o, "ru") for o in over),
            winner=self.id_of(winner) if winner else None,
            authority=by,
            actor="human:ana" if by.startswith("user") else "agent:claude-code/opus",
            evidence=tuple(evidence),
            recorded_at=day(recorded),
            effective_from=None if effective is None else day(effective),
            **fields,
        )
        return self._file(value, by == "user-explicit" if attested is None else attested)

    def episode(self, name: str, by: str = "user-explicit", source: Source | None = None, **fields: Any) -> str:
        value = Episode(
            id=ident(name, "ep"),
            type="assertion",
            content=f"what {name} says",
            authority=by,
            actor="human:ana" if by.startswith("user") else "agent:claude-code/opus",
            source=source or _source(by),
            recorded_at=day(0),
            **fields,
        )
        return self._file(value, by == "user-explicit")

    def evidence(self, by: str) -> str:
        """The one episode of this authority that records rest on where a test does not say."""
        identifier = ident(f"evidence-{by}", "ep")
        if all(f.value.id != identifier for f in self.filed):  # type: ignore[attr-defined]
            self.episode(f"evidence-{by}", by)
        return identifier

    def forget(self, *names: str, attested: bool = True) -> None:
        """Only the tombstones; the files stay."""
        for name in names:
            self._file(Tombstone(id=self.id_of(name)), attested)

    def ended(self, *names: str) -> None:
        for name in names:
            self._file(Ending(id=self.id_of(name)), False)

    def remove(self, name: str) -> Filed[Value]:
        """Take the last file of this id out, as a checkout or a revert would; returns it."""
        identifier = self.id_of(name)
        filed = next(f for f in reversed(self.filed) if f.value.id == identifier)  # type: ignore[attr-defined]
        self.filed.remove(filed)
        return filed

    def elsewhere(self, name: str, force: str = "counts", branch: str = "refs/remotes/origin/x") -> None:
        """Move what was filed last under this name out of the snapshot into what the clone has seen."""
        filed = self.remove(name)
        self.seen[f"{filed.rel}@{filed.blob}"] = SeenNegative(filed, force, branch, "Eve")  # type: ignore[arg-type]

    def taken_back(self, *names: str) -> None:
        """The accepted branch held these files and does so no more."""
        for name in names:
            blobs = {f.blob for f in self.filed if f.value.id == self.id_of(name)}  # type: ignore[attr-defined]
            blobs |= {n.filed.blob for n in self.seen.values() if n.filed.value.id == self.id_of(name)}
            self.accepted -= blobs
            self.once |= blobs

    def _file(self, value: Any, attested: bool) -> str:
        blob = blob_of(value)
        if attested:
            self.accepted.add(blob)
        self.filed.append(Filed(f"{type(value).__name__.lower()}/{value.id}-{len(self.filed)}", blob, value))
        return str(value.id)

    # what is asked
    def id_of(self, name: str, kind: str | None = None) -> str:
        if "_" in name:
            return name
        if name[:1] == "r" and name[1:].isdigit():
            return ident(name, "ru")
        if name[:1] == "e" and name[1:].isdigit():
            return ident(name, "ep")
        return ident(name, kind or self._kind.get(name, "decision"))

    @property
    def files(self) -> Files:
        return gather(self.filed)

    @property
    def attestations(self) -> Attestations:
        return Attestations(
            frozenset(self.accepted), frozenset(self.confirmed), self.accepted_policy, frozenset(self.once)
        )

    @property
    def negatives(self) -> Negatives:
        return Negatives(dict(self.seen))

    def judge(self, on: float = TODAY) -> Standings:
        return standing(self.files, self.policy, self.attestations, self.negatives, day(on), code=self.code)

    def verdict(self, name: str, on: float = TODAY) -> Verdict:
        return self.judge(on).verdicts[self.id_of(name)]

    def stands(self, *names: str, on: float = TODAY) -> str:
        """The standings of the named records, one word each."""
        verdicts = self.judge(on).verdicts
        return " ".join(verdicts[self.id_of(name)].standing for name in names)

    def endings(self, *names: str, on: float = TODAY) -> set[str]:
        """The ids that need an ending when these are forgotten."""
        gone = [self.id_of(n) for n in names]
        return set(endings_needed(self.files, self.policy, self.attestations, self.negatives, day(on), gone))


def _source(by: str) -> Source:
    if by.startswith("user"):
        return Source(kind="user")
    if by == "verified-observation":
        return Source(kind="tool", locator="ci/run/1")
    if by == "document":
        # without a blob, so that those who rest on it are no twins
        return Source(kind="document", locator="docs/x.md")
    return Source(kind="agent")


def document(locator: str = "docs/adr/1.md", blob: str = "a" * 40) -> Source:
    return Source(kind="document", locator=locator, blob=blob)
