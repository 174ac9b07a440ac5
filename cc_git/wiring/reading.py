"""What is shown and nothing changes: lists, one object with its history, the state of the workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from cc_git.codec import paths
from cc_git.compiler.frame import CUT
from cc_git.errors import UsageFault
from cc_git.importers.settled import settled
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed
from cc_git.model.id_part import IdPart
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.sanitise import as_value
from cc_git.model.spine import Attachment
from cc_git.model.value import Value
from cc_git.model.verdict import Clash, Verdict
from cc_git.store.accepted import CONFIG_KEY
from cc_git.store.attributes import attribute_faults
from cc_git.store.edits import edits
from cc_git.store.left_worktrees import left_behind
from cc_git.store.present import Edit
from cc_git.store.private_kept import tracked_private
from cc_git.store.remains import emptied, remains
from cc_git.store.search import Hit, Wanted
from cc_git.store.search import search as find_words
from cc_git.wiring.finding import find, record_of
from cc_git.wiring.imports import imports_waiting
from cc_git.wiring.knowledge import waiting_ids
from cc_git.wiring.session import Session
from cc_git.wiring.stale_packets import misleading

_DOUBTED = frozenset({"needs-review", "stale"})


@dataclass(frozen=True)
class Line:
    """A record with what it counts as; `waits`: in no commit yet; `private`: never committed."""

    record: Record
    verdict: Verdict
    waits: bool
    private: bool


@dataclass(frozen=True)
class Shown:
    """One object whole. For a record: its verdict, the rulings on it, its sources, and what supersedes it."""

    filed: Filed[Value]
    text: str
    verdict: Verdict | None
    rulings: tuple[Ruling, ...]
    sources: tuple[Episode, ...]
    superseded_by: tuple[str, ...]

    @property
    def attached(self) -> tuple[Attachment, ...]:
        """The files that came with it, at the paths where they lie."""
        value, hidden = self.filed.value, paths.is_private(self.filed.rel)
        there = value.attachments if isinstance(value, Episode) else ()
        return tuple(one.model_copy(update={"path": paths.private(one.path)}) if hidden else one for one in there)


@dataclass(frozen=True)
class State:
    """What `status` tells. `standings` is standing → number of records, `clashing` id → the record in a clash."""

    name: str
    directory: str
    head: str | None
    trusted: bool
    accepted_ref: str | None
    standings: dict[str, int]
    waiting: tuple[str, ...]
    private: int
    quarantined: tuple[str, ...]
    reported: int
    proposed: tuple[Line, ...]
    clashes: tuple[Clash, ...]
    clashing: Mapping[str, Line]
    withdrawn: tuple[str, ...]
    stranded: tuple[str, ...]
    left_behind: tuple[str, ...]
    edited: tuple[Edit, ...]
    forgotten: tuple[str, ...]
    emptied: tuple[str, ...]
    faults: tuple[Fault, ...]
    underway: tuple[str, ...]
    due: tuple[Line, ...]
    doubted: tuple[Line, ...]
    misleading: tuple[str, ...]
    warnings: tuple[str, ...]


def list_records(
    session: Session, *, kinds: Sequence[str] = (), standings: Sequence[str] = (), everything: bool = False
) -> tuple[Line, ...]:
    """Current and conflicted records, newest first; with `everything` or `standings` the others too."""
    judged, waiting = session.standings, waiting_ids(session)
    lines = []
    for identifier, variants in session.loaded.files.records.items():
        verdict = judged.verdicts[identifier]
        wanted = verdict.standing in standings if standings else everything or verdict.eligible
        if wanted and (not kinds or variants[0].value.kind in kinds):
            private = paths.is_private(variants[0].rel)
            lines.append(Line(variants[0].value, verdict, identifier in waiting, private))
    return tuple(sorted(lines, key=lambda line: (line.record.recorded_at, line.record.id), reverse=True))


def passed_over(session: Session, kinds: Sequence[str] = ()) -> dict[str, int]:
    """Standing → number of the records of these kinds that `list_records` leaves out unasked."""
    judged, counts = session.standings, dict[str, int]()
    for identifier, variants in session.loaded.files.records.items():
        verdict = judged.verdicts[identifier]
        if not verdict.eligible and (not kinds or variants[0].value.kind in kinds):
            counts[verdict.standing] = counts.get(verdict.standing, 0) + 1
    return dict(sorted(counts.items()))


def show(session: Session, part: IdPart) -> Shown:
    """The object that `part` names; raises UsageFault."""
    identifier = find(session, part)
    files = session.loaded.files
    groups = (files.records, files.episodes, files.rulings, files.triggers, files.checkpoints, files.receipts)
    variants: tuple[Filed[Value], ...] = next((g[identifier] for g in groups if identifier in g), ())
    if not variants:
        record_of(session, identifier)
    filed = variants[0]
    rulings = [v[0].value for v in files.rulings.values() if identifier in v[0].value.targets]
    sources = [
        files.episodes[s][0].value for s in getattr(filed.value, "sources", ()) if s in files.episodes
    ]  # fmt: skip
    newer = [i for i, v in files.records.items() if identifier in v[0].value.supersedes]
    return Shown(
        filed=filed,
        text=session.read(filed.blob).decode("utf-8", "replace"),
        verdict=session.standings.of(identifier),
        rulings=tuple(sorted(rulings, key=lambda r: r.recorded_at)),
        sources=tuple(sources),
        superseded_by=tuple(sorted(newer)),
    )


def taken_back(session: Session) -> dict[str, tuple[str, ...]]:
    """Every id that a revoke here names, and by which: it waits for nobody's word any more, whatever it counts as."""
    found: dict[str, tuple[str, ...]] = {}
    for identifier, rulings in sorted(session.loaded.files.rulings.items()):
        if rulings[0].value.verb == "revoke":
            for target in rulings[0].value.targets:
                found[target] = (*found.get(target, ()), identifier)
    return found


def is_over(session: Session, record: Record) -> bool:
    """A proposal past its end waits for nobody's word any more: an accept would let nothing stand."""
    return record.ends is not None and record.ends <= session.now


def state_of(session: Session) -> State:
    present, judged = session.present, session.standings
    lines = list_records(session, everything=True)
    revoked = taken_back(session)
    clashing = {identifier for clash in judged.clashes for identifier in clash.ids}
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.verdict.standing] = counts.get(line.verdict.standing, 0) + 1
    broken = (session.policy_fault,) if session.policy_fault else ()
    return State(
        name=session.workspace.name,
        directory=session.place.prefix,
        head=present.head,
        trusted=session.trusted,
        accepted_ref=session.attestations.branch.ref,
        standings=dict(sorted(counts.items())),
        waiting=present.waiting,
        private=sum(1 for rel in session.blobs if paths.is_private(rel) and paths.id_at(rel)),
        quarantined=quarantined(session),
        reported=sum(1 for line in lines if line.verdict.eligible and "reported" in line.verdict.flags),
        proposed=tuple(
            line
            for line in lines
            if line.verdict.standing == "proposed"
            and line.record.id not in revoked
            and not is_over(session, line.record)
        ),
        clashes=judged.clashes,
        clashing={line.record.id: line for line in lines if line.record.id in clashing},
        withdrawn=present.withdrawn,
        stranded=present.stranded,
        left_behind=tuple(left_behind(session.sources, present)),
        edited=edits(session.sources, present),
        forgotten=remains(session.place, present),
        emptied=emptied(session.place, present),
        faults=(
            *dict.fromkeys((*broken, *session.loaded.files.faults, *present.faults)),
            *private_in_git(session),
            *attributes_of(session),
        ),
        underway=present.underway,
        due=tuple(line for line in lines if _is_due(line, session.now)),
        doubted=tuple(line for line in lines if line.verdict.eligible and not _DOUBTED.isdisjoint(line.verdict.flags)),
        misleading=misleading(session),
        warnings=(
            *session.attestations.warnings,
            *unheard_accepted_ref(session),
            *([CUT] if session.elsewhere.cut else ()),
            *session.loaded.warnings,
        ),
    )


def private_in_git(session: Session) -> tuple[Fault, ...]:
    """Files of the private tier that Git tracks, in the index or at HEAD."""
    tracked = {rel for rel in session.present.hidden if paths.is_private(rel)}
    return tracked_private(session.place, session.git, tracked)


def unheard_accepted_ref(session: Session) -> tuple[str, ...]:
    """An accepted branch that is named where an agent may name it too, and so attests nothing."""
    branch = session.attestations.branch
    named = session.git.settings("continuity").get(CONFIG_KEY.lower())
    if branch.ref is not None or branch.warning is not None or not named:
        return ()
    helps = f"cc-git trust --accepted-ref {as_value(named)}"
    return (f"{CONFIG_KEY} counts in this repository's own configuration alone, not in yours or a variable: {helps}",)


def attributes_of(session: Session) -> tuple[Fault, ...]:
    """What would have Git change the bytes of our files on their way in or out."""
    rels = [rel for rel in session.present.entries if not paths.is_private(rel)]
    return attribute_faults(session.place, session.git, rels)


def title_of(session: Session, identifier: str) -> str:
    """The title of a record, or its id where it cannot be read."""
    try:
        return record_of(session, identifier).value.title
    except UsageFault:
        return identifier


def quarantined(session: Session) -> tuple[str, ...]:
    """The imports of which something waits in quarantine."""
    return imports_waiting(session, settled(session.loaded.files))


def _is_due(line: Line, now: datetime) -> bool:
    due = getattr(line.record.payload, "due_at", None)
    return due is not None and due <= now and line.verdict.standing == "current"


def search(session: Session, wanted: Wanted) -> tuple[Hit, ...]:
    """Records of every standing, episodes and rulings, by words, best first."""
    return tuple(find_words(session.question, wanted, session.index))
