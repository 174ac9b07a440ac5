"""Restraints in force that no whole record of the snapshot holds: ghosts that deny, or commit to refrain (`world`).

They hold like any other, so whoever is shown what is permitted must be shown them. What only another branch holds is
among them as well: it withholds until a person says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cc_git.model.attestation import SeenNegative
from cc_git.model.filed import Filed, Files
from cc_git.model.record import Record
from cc_git.model.verdict import Flag, Restraint, Verdict, Whence
from cc_git.standing.member import Member
from cc_git.standing.world import World

_NONE: frozenset[Flag] = frozenset()
_REPORTED: frozenset[Flag] = frozenset({"reported"})


def restraining(
    in_effect: Iterable[Member], world: World, files: Files, seen: Iterable[SeenNegative]
) -> tuple[Restraint, ...]:
    """`in_effect` are the members that stand with what they take."""
    ghosts = [member for member in in_effect if member.ghost and member.restrains]
    if not ghosts:
        return ()
    negatives = _by_content(seen)
    found: dict[tuple[str, str], Restraint] = {}
    for ghost in ghosts:
        key = (ghost.id, ghost.blob)
        reported = ghost.authority == "user-explicit" and not ghost.attested
        verdict = Verdict(
            "current", ghost.authority, ghost.attested, flags=_REPORTED if reported else _NONE,
            sensitivity=ghost.sensitivity,
        )  # fmt: skip
        forgotten = ghost.id in world.forgotten
        if ghost.seen_only:
            filed, negative = negatives[key]
            whence: Whence = "forgotten" if forgotten else negative.force
            found[key] = Restraint(filed, verdict, whence, negative.branch, negative.lost)
        else:
            found[key] = Restraint(_variant(files, key), verdict, "forgotten" if forgotten else "damaged")
    return tuple(found[key] for key in sorted(found))


def joined(judged: Iterable[Restraint], held: Iterable[Restraint], files: Files) -> tuple[Restraint, ...]:
    """What restrains, and what does only because of another branch. What is whole in the snapshot has a standing."""
    found = {one.key: one for one in judged}
    for one in held:
        if all(one.filed.blob != variant.blob for variant in files.records.get(one.filed.value.id, ())):
            found.setdefault(one.key, one)
    return tuple(found[key] for key in sorted(found))


def _by_content(seen: Iterable[SeenNegative]) -> Mapping[tuple[str, str], tuple[Filed[Record], SeenNegative]]:
    found: dict[tuple[str, str], tuple[Filed[Record], SeenNegative]] = {}
    for negative in sorted(seen, key=lambda one: one.filed.rel):
        filed = negative.filed
        if isinstance(filed.value, Record):
            placed = Filed(filed.rel, filed.blob, filed.value)
            found.setdefault((filed.value.id, filed.blob), (placed, negative))
    return found


def _variant(files: Files, key: tuple[str, str]) -> Filed[Record]:
    return next(variant for variant in files.records[key[0]] if variant.blob == key[1])
