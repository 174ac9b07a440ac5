"""Audit: what is remembered, and what of it needs a person.

A *need* is something that only gets better when somebody acts; each names the command that helps. What is merely worth
knowing (records that no packet here ever showed, episodes that nothing rests on, a person's words that nobody attested
and that stand as reported) is counted beside them and needs nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from cc_git.compiler.facts import instant_text
from cc_git.governance.loss import Lost
from cc_git.model.fault import Fault
from cc_git.model.filed import Files
from cc_git.model.ids import short
from cc_git.model.record import Record
from cc_git.model.verdict import Standings, Verdict

Sort = Literal[
    "proposal", "unattested", "conflict", "withheld", "overdue", "expiring", "needs-review", "stale", "source-missing",
    "scope-crossing", "dream", "quarantined", "edited", "broken", "forgotten", "lost", "circle",
]  # fmt: skip
_AGES = ((7, "up to a week"), (30, "up to a month"), (90, "up to three months"), (365, "up to a year"))
_OLDER = "older"


@dataclass(frozen=True, slots=True)
class Need:
    """`id` is what it is about (a path for a file without an id), `says` why in a sentence, `helps` a command."""

    sort: Sort
    id: str
    says: str
    helps: str
    title: str = ""


@dataclass(frozen=True)
class Evidence:
    """What the audit looks at. `waiting` are the ids that wait for a person's word, as (id, why); `used` what a packet
    of this clone showed, None where no packet was kept; `found` needs that the files alone do not tell."""

    files: Files
    standings: Standings
    now: datetime
    within: timedelta
    waiting: tuple[tuple[str, str], ...] = ()
    used: frozenset[str] | None = None
    lost: tuple[Lost, ...] = ()
    found: tuple[Need, ...] = ()


@dataclass(frozen=True)
class Audit:
    """`remembered` counts what stands (current or conflicted) by kind, scope, sensitivity and age, and all records by
    what they count as."""

    remembered: dict[str, dict[str, int]]
    needs: tuple[Need, ...]
    reported: tuple[str, ...] = ()
    never_used: tuple[str, ...] | None = None
    uncited: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


def audit(evidence: Evidence) -> Audit:
    files, judged = evidence.files, evidence.standings
    standing = [(r, v) for r, v in _records(evidence) if v.eligible]
    needs = (
        *_waiting(evidence),
        *(Need("conflict", clash.ids[0], f"clashes with {_named(clash.ids[1:])} by {clash.cause}",
               f"cc-git resolve {short(clash.ids[0])}", _title(files, clash.ids[0])) for clash in judged.clashes),
        *(need for record, verdict in standing for need in _of_record(record, verdict, evidence)),
        *evidence.found,
        *(_of_fault(fault) for fault in files.faults),
        *(_of_lost(one) for one in evidence.lost),
    )  # fmt: skip
    used = evidence.used
    return Audit(
        remembered=_remembered(evidence, standing),
        needs=needs,
        reported=tuple(r.id for r, v in standing if "reported" in v.flags),
        never_used=None if used is None else tuple(r.id for r, _ in standing if r.id not in used),
        uncited=tuple(sorted(files.episodes.keys() - cited(files))),
        counts=dict(Counter[str](need.sort for need in needs)),
    )


def cited(files: Files) -> frozenset[str]:
    """Every id that a record or ruling rests on."""
    found: set[str] = set()
    for records in files.records.values():
        for record in records:
            found.update(record.value.sources, record.value.derived_from)
    for rulings in files.rulings.values():
        for ruling in rulings:
            found.update(ruling.value.sources)
    return frozenset(found)


def _records(evidence: Evidence) -> Iterator[tuple[Record, Verdict]]:
    for identifier, variants in sorted(evidence.files.records.items()):
        yield variants[0].value, evidence.standings.verdicts[identifier]


def _remembered(evidence: Evidence, standing: Collection[tuple[Record, Verdict]]) -> dict[str, dict[str, int]]:
    def count(key: Callable[[Record, Verdict], str], order: Iterable[str] | None = None) -> dict[str, int]:
        found = Counter[str](key(record, verdict) for record, verdict in standing)
        return {name: found[name] for name in (order or sorted(found)) if found[name]}

    return {
        "standing": dict(sorted(Counter[str](verdict.standing for _, verdict in _records(evidence)).items())),
        "kind": count(lambda record, _: record.kind),
        "scope": count(lambda record, _: str(record.scope)),
        "sensitivity": count(lambda _, verdict: verdict.sensitivity),
        "age": count(lambda record, _: _age(record, evidence.now), (*(name for _, name in _AGES), _OLDER)),
    }


def _age(record: Record, now: datetime) -> str:
    return next((name for days, name in _AGES if now - record.recorded_at <= timedelta(days=days)), _OLDER)


def _waiting(evidence: Evidence) -> Iterator[Need]:
    says = {
        "proposed": "a proposal that waits for an accept",
        "reported": "claims a person's word that nobody attested, and needs it",
        "ruling": "a ruling that has no effect until a person attests it",
        "runbook": "a runbook whose text nobody attested: it informs and does not instruct",
    }
    for identifier, why in evidence.waiting:
        yield Need("unattested" if why in ("ruling", "runbook") else "proposal", identifier, says[why], "cc-git review",
                   _title(evidence.files, identifier))  # fmt: skip


def _of_record(record: Record, verdict: Verdict, evidence: Evidence) -> Iterator[Need]:
    name = short(record.id)
    due = getattr(record.payload, "due_at", None)
    if due is not None and due <= evidence.now:
        yield Need("overdue", record.id, f"was due {instant_text(due)}", f"cc-git complete {name}", record.title)
    soon = record.ends is not None and record.ends <= evidence.now + evidence.within
    if record.kind == "permission" and not record.restrains and soon and record.ends is not None:
        says = f"is over at {instant_text(record.ends)}"
        yield Need("expiring", record.id, says, f"cc-git correct {name} --expires …", record.title)
    if "needs-review" in verdict.flags:
        yield Need("needs-review", record.id, _doubts(verdict, record, code=False),
                   f"cc-git confirm {name} or cc-git correct {name}", record.title)  # fmt: skip
    if "stale" in verdict.flags:
        yield Need("stale", record.id, _doubts(verdict, record, code=True),
                   f"cc-git confirm {name} or cc-git correct {name}", record.title)  # fmt: skip
    known = evidence.files.episodes.keys() | evidence.files.records.keys() | evidence.files.tombstones
    missing = [s for s in (*record.sources, *record.derived_from) if s.startswith("ep_") and s not in known]
    if missing:
        yield Need("source-missing", record.id, f"rests on {_named(missing)}, not in this branch",
                   f"cc-git show {name}", record.title)  # fmt: skip
    if crossed := _crossed(record, evidence.files):
        yield Need("scope-crossing", record.id, f"holds at {record.scope} and rests on or takes the place of "
                   f"{_named(crossed)}, which never holds there", f"cc-git show {name}", record.title)  # fmt: skip


def _crossed(record: Record, files: Files) -> list[str]:
    """What it names that no question sees together with it: a copy from another scope, or a link written wrongly."""
    named = dict.fromkeys((*record.sources, *record.derived_from, *record.supersedes))
    held = ((i, files.records.get(i) or files.episodes.get(i)) for i in named)
    return [i for i, variants in held if variants and not variants[0].value.scope.meets(record.scope)]


def _doubts(verdict: Verdict, record: Record, *, code: bool) -> str:
    """What unsettles it: `<path> <blob>` lines are about code, the others about what it rests on."""
    paths = {anchor.path for anchor in record.anchors}
    lines = [doubt for doubt in verdict.doubts if (doubt.rpartition(" ")[0] in paths) == code]
    if code:
        return f"the code changed: {', '.join(line.rpartition(' ')[0] for line in lines)}"
    words = (" ".join(short(w) if "_" in w else w for w in line.split(" ")) for line in lines)
    return f"what it rests on changed: {'; '.join(words)}"


def _of_fault(fault: Fault) -> Need:
    return Need("broken", fault.rel, str(fault), "git log -- FILE, then restore its bytes")


def _of_lost(one: Lost) -> Need:
    name = short(one.id)
    match one.sort:
        case "dropped":
            says, helps = f"came with {one.came[:12]}, went with {one.went or 'a commit'}", _checkout(one)
        case "gone":
            says, helps = f"came with {one.came[:12]}, and no branch has it now", _checkout(one)
        case "unkept":
            says, helps = f"receipt {short(one.came)} made it, and it is nowhere", f"cc-git log {short(one.came)}"
        case "stranded":
            says, helps = "written here, and no branch holds it", f"cc-git restore {name}"
    return Need("lost", one.id, f"{says}, without a tombstone", helps)


def _checkout(one: Lost) -> str:
    return f"git checkout {one.came[:12]} -- {one.path}"


def _title(files: Files, identifier: str) -> str:
    held = files.records.get(identifier) or files.rulings.get(identifier)
    value = held[0].value if held else None
    return value.title if isinstance(value, Record) else value.verb if value is not None else ""


def _named(ids: Iterable[str]) -> str:
    return ", ".join(map(short, ids))
