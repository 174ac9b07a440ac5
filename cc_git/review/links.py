"""What the objects of a proposal name: is it there, is it named once, and may it be named from there.

A missing source is a warning, for it may be on another branch or in somebody's private tier; what decides what stands
must be there. Revokes and rejects may name anything: they count wherever they are seen. A forgotten id is not missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cc_git.codec import paths
from cc_git.model.episode import Episode
from cc_git.model.filed import Filed
from cc_git.model.ids import KIND_OF_PREFIX, is_id, prefix_of, short
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.trigger import Trigger
from cc_git.model.value import Value
from cc_git.review.finding import Code, Finding
from cc_git.review.proposal import Proposal, is_mark
from cc_git.standing.tables import GLOBAL_VERBS

_HAVE_FILES = frozenset({*KIND_OF_PREFIX, "ep", "ru", "tr", "rb", "cp"})
_SHOWN = 3


def links(proposal: Proposal) -> Iterator[Finding]:
    files = proposal.files
    yield from _duplicates(proposal)
    for group in (files.records, files.rulings, files.episodes, files.triggers):
        for variants in group.values():
            for filed in variants:
                if filed.rel in proposal.changed:
                    yield from _missing(proposal, filed)
    for records in files.records.values():
        for record in records:
            if record.rel in proposal.changed:
                yield from _crossings(proposal, record)


def named_by(value: Value) -> Iterator[tuple[Code, str, tuple[str, ...]]]:
    """(what it is if missing, field, ids) for everything that a value names."""
    match value:
        case Record():
            for name in ("supersedes", "after", "conflicts_with"):
                yield "dangling", name, getattr(value, name)
            yield "source-missing", "sources", value.sources
            yield "source-missing", "derived_from", value.derived_from
            yield "source-missing", "relations", tuple(relation.to for relation in value.relations)
        case Ruling():
            yield "source-missing" if value.verb in GLOBAL_VERBS else "dangling", "targets", value.targets
            yield "dangling", "over", value.over
            yield "source-missing", "sources", value.sources
        case Episode():
            yield "source-missing", "relations", tuple(relation.to for relation in value.relations)
            yield "source-missing", "trigger", () if value.trigger is None else (value.trigger,)
        case Trigger():
            yield "source-missing", "goal_ids", value.goal_ids


def _missing(proposal: Proposal, filed: Filed[Value]) -> Iterator[Finding]:
    for code, field, ids in named_by(filed.value):
        gone = [i for i in ids if is_id(i) and prefix_of(i) in _HAVE_FILES and not _is_known(proposal, i)]
        if gone:
            helps = "commit what it names with it" if code == "dangling" else "git log --all -- the file it names"
            yield proposal.about(code, filed.rel, f"{field} names {_some(gone)}, not there", field, helps=helps)


def _is_known(proposal: Proposal, identifier: str) -> bool:
    return identifier in proposal.ids or identifier in proposal.marked or identifier in proposal.forgotten


def _duplicates(proposal: Proposal) -> Iterator[Finding]:
    places: dict[str, list[str]] = {}
    for rel in proposal.blobs:
        identifier = paths.id_at(rel)
        if identifier is not None and not is_mark(rel) and paths.folder_of(rel) != paths.QUARANTINE:
            places.setdefault(identifier, []).append(rel)
    for identifier, rels in sorted(places.items()):
        if len({proposal.blobs[rel] for rel in rels}) > 1:
            for rel in sorted(rels):
                if rel in proposal.changed:
                    other = next(one for one in sorted(rels) if one != rel)
                    says = f"{short(identifier)} has other bytes in {other}: one id, two contents, and none counts"
                    yield proposal.about("duplicate", rel, says, helps="take the wrong one out")


def _crossings(proposal: Proposal, filed: Filed[Record]) -> Iterator[Finding]:
    record = filed.value
    for identifier in record.supersedes:
        for old in proposal.files.records.get(identifier, ()):
            if old.value.kind != record.kind:
                says = f"would take the place of {short(identifier)}, of another kind ({old.value.kind}): it does not"
                yield proposal.about("scope", filed.rel, says, "supersedes", helps="cc-git correct ID")
            elif not record.scope.covers(old.value.scope):
                says = f"would take the place of {short(identifier)} beyond its own scope: it does not"
                yield proposal.about(
                    "scope", filed.rel, says, "supersedes", helps="widen its scope, or supersede nothing"
                )
    for identifier in dict.fromkeys((*record.sources, *record.derived_from)) if proposal.is_new(filed.rel) else ():
        held: Iterable[Filed[Record] | Filed[Episode]] = (
            proposal.files.episodes.get(identifier) or proposal.files.records.get(identifier) or ()
        )
        if any(not source.value.scope.covers(record.scope) for source in held):
            says = f"holds where {short(identifier)}, on which it rests, does not: it tells more widely"
            yield proposal.about("wider-than-source", filed.rel, says, "scope", helps="narrow its scope")


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(map(short, ids[:_SHOWN])) + more
