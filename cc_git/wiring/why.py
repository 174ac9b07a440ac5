"""Why something is as it is: what it rests on, what rests on it, what was ruled, which packets used it or did not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from cc_git.compiler.explain import sentence_for
from cc_git.model.id_part import IdPart
from cc_git.model.packet import Packet
from cc_git.model.ruling import Ruling
from cc_git.model.verdict import Verdict
from cc_git.store.ledger import KeptPacket, Ledger
from cc_git.wiring.finding import find
from cc_git.wiring.session import Session


@dataclass(frozen=True)
class Link:
    """One id that something names, or that names it. `what` says how; `state` is a standing, `here` or `missing`."""

    id: str
    what: str
    state: str
    actor: str = ""
    text: str = ""


@dataclass(frozen=True)
class Use:
    """A packet that showed it (`full` or `line`), or left it out for `reason`."""

    packet: str
    compiled: datetime
    task: str
    form: str
    reason: str
    sentence: str
    stale: tuple[str, ...]


@dataclass(frozen=True)
class Why:
    """`rests_on` and `dependants` are neighbours, not the whole chain: ask again for the next one."""

    id: str
    verdict: Verdict | None
    rests_on: tuple[Link, ...]
    dependants: tuple[Link, ...]
    rulings: tuple[Ruling, ...]
    uses: tuple[Use, ...]


def why(session: Session, part: IdPart, *, packets: int) -> Why:
    """About the record, episode or ruling that `part` names, with the newest `packets` that had to do with it."""
    identifier = find(session, part)
    files = session.loaded.files
    rulings = [r for v in files.rulings.values() for r in (v[0].value,) if identifier in (*r.targets, *r.over)]
    return Why(
        id=identifier,
        verdict=session.standings.of(identifier),
        rests_on=_rests_on(session, identifier),
        dependants=_dependants(session, identifier),
        rulings=tuple(sorted(rulings, key=lambda ruling: (ruling.recorded_at, ruling.id))),
        uses=_uses(session, identifier, packets),
    )


def _rests_on(session: Session, identifier: str) -> tuple[Link, ...]:
    files = session.loaded.files
    held = files.records.get(identifier) or files.rulings.get(identifier) or ()
    links: list[Link] = []
    for filed in held[:1]:
        value = filed.value
        for field in ("sources", "derived_from", "supersedes", "targets"):
            links += (_link(session, named, field.replace("_", " ")) for named in getattr(value, field, ()))
    return tuple(links)


def _dependants(session: Session, identifier: str) -> tuple[Link, ...]:
    links: list[Link] = []
    words = {"sources": "rests on it", "derived_from": "derives from it", "supersedes": "stands in its place",
             "conflicts_with": "contradicts it"}  # fmt: skip
    for other, variants in sorted(session.loaded.files.records.items()):
        record = variants[0].value
        links += (_link(session, other, said) for field, said in words.items() if identifier in getattr(record, field))
    for other, rulings in sorted(session.loaded.files.rulings.items()):
        if identifier in rulings[0].value.sources:
            links.append(_link(session, other, "rests on it"))
    return tuple(links)


def _link(session: Session, named: str, what: str) -> Link:
    files = session.loaded.files
    if named in files.tombstones or named in session.elsewhere.forgotten:
        return Link(named, what, "forgotten")
    if named in files.records:
        record, verdict = files.records[named][0].value, session.standings.verdicts[named]
        return Link(named, what, verdict.standing, record.actor, record.title)
    if named in files.episodes:
        episode = files.episodes[named][0].value
        return Link(named, f"{what} ({episode.type})", "here", episode.actor, episode.content)
    if named in files.rulings:
        ruling = files.rulings[named][0].value
        return Link(named, f"{what} ({ruling.verb})", "here", ruling.actor, ruling.reason)
    return Link(named, what, "missing" if "_" in named else "a locator")


def _uses(session: Session, identifier: str, limit: int) -> tuple[Use, ...]:
    ledger = Ledger(session.place)
    try:
        kept = ledger.mentioning(identifier, limit)
    finally:
        ledger.close()
    return tuple(_use(session, one, identifier) for one in kept)


def _use(session: Session, kept: KeptPacket, identifier: str) -> Use:
    packet = Packet.model_validate_json(kept.body)
    shown = next((item for item in packet.items() if item.id == identifier), None)
    reason = "shown" if shown else _left_out(packet, kept, identifier)
    sentence = "; ".join(shown.labels) if shown else sentence_for(reason)
    return Use(kept.id, kept.created, packet.task, shown.form if shown else "", reason, sentence, kept.stale)


def _left_out(packet: Packet, kept: KeptPacket, identifier: str) -> str:
    decided: dict[str, str] = json.loads(kept.verdicts)
    if identifier in decided:
        return decided[identifier]
    return next((one.reason for one in packet.omitted if identifier in one.ids), "named")
