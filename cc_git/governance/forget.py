"""Forget: the plan. Pure: what goes and why, what stays and needs review, what stays ended, and a digest to confirm.

`reach.py` finds what goes. Endings are computed by standing with and without it, so that forgetting never widens. The
digest names the plan by ids and blobs: whoever confirms it confirms exactly this, and a plan that changed since has
another one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from cc_git.errors import Refused
from cc_git.governance.quotes import names_one
from cc_git.governance.reach import Asked, Held, Reach, Why
from cc_git.governance.reach import reach as reach_of
from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.filed import Files
from cc_git.model.policy import Policy
from cc_git.model.who import Who
from cc_git.standing.forgetting import endings_needed


@dataclass(frozen=True, slots=True)
class Removal:
    """`rels` are the files that go with the id; none where only its name is known here."""

    id: str
    why: Why
    rels: tuple[str, ...]
    mine: bool


@dataclass(frozen=True)
class ForgetPlan:
    """Everything is sorted. `packets` are those compiled here that name or repeat what goes, `exports` the bundles of
    this clone that are still there and hold it, `others` the ids that go
    or are redacted and are not the asker's own."""

    removals: tuple[Removal, ...]
    reach: Reach
    endings: tuple[str, ...]
    packets: tuple[str, ...]
    exports: tuple[str, ...]
    others: tuple[str, ...]
    digest: str

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(removal.id for removal in self.removals)

    @property
    def changes_nothing(self) -> bool:
        return not (self.removals or self.packets or self.reach.redacted)


@dataclass(frozen=True)
class Ground:
    """What standing is asked about, with and without what goes."""

    files: Files
    policy: Policy
    attestations: Attestations
    negatives: Negatives
    now: datetime

    def endings(self, gone: Collection[str]) -> frozenset[str]:
        if not gone:
            return frozenset()
        return endings_needed(self.files, self.policy, self.attestations, self.negatives, self.now, gone)


def plan_forget(
    asked: Asked,
    held: Sequence[Held],
    ground: Ground,
    packets: Mapping[str, Sequence[str]],
    exports: Mapping[str, frozenset[str]],
) -> ForgetPlan:
    """`packets`: id → texts of every packet that was kept here; `exports`: file → ids of every bundle that is there."""
    found = reach_of(asked, held, ground.files.tombstones)
    rels: dict[str, list[Held]] = {identifier: [] for identifier in found.why}
    for one in held:
        if one.owner in rels:
            rels[one.owner].append(one)
    removals = tuple(
        Removal(i, found.why[i], tuple(sorted(f.rel for f in files)), bool(files) and all(f.mine for f in files))
        for i, files in sorted(rels.items())
    )
    endings = tuple(sorted(ground.endings(found.why) - found.why.keys()))
    repeated = tuple(sorted(packet for packet, texts in packets.items() if repeats(found, texts)))
    bundles = tuple(sorted(file for file, ids in exports.items() if not ids.isdisjoint(found.why)))
    blobs = sorted((f.rel, f.blob) for f in held if f.owner in found.why or f.rel in found.redacted)
    said = [
        sorted(found.why.items()), blobs, endings, repeated, sorted(found.review), sorted(found.kept),
        sorted(found.redacted), sorted(found.documents), bundles,
    ]  # fmt: skip
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]
    cut = {f.owner for f in held if f.rel in found.redacted and f.owner is not None and not f.mine}
    # A runbook has no writer to ask: what it says is taken out by a person.
    cut |= {f.rel for f in held if f.rel in found.redacted and f.may_be_cut}
    others = tuple(sorted(cut.union(removal.id for removal in removals if not removal.mine)))
    return ForgetPlan(removals, found, endings, repeated, bundles, others, digest)


def repeats(found: Reach, texts: Sequence[str]) -> bool:
    """A derived text goes as soon as it names an id that goes, or has anything of what is looked for."""
    return any(names_one(text, found.why) for text in texts) or found.quotes.found_in(texts) is not None


@dataclass(frozen=True)
class ForgetPermit:
    """`attest`: the tombstones are bound to the person at this terminal."""

    plan: ForgetPlan
    attest: bool


def permit_forget(plan: ForgetPlan, who: Who, *, confirmed: bool) -> ForgetPermit:
    """Raises Refused. `confirmed`: the digest of this very plan was given, or a person said yes to it.

    An agent, or whoever has no terminal, forgets only what an agent wrote under this name, on which nobody else's word
    rests and which restrains nothing.
    """
    if plan.others and not who.is_person_at_terminal:
        number = len(plan.others)
        raise Refused(
            f"{number} of {len(plan.removals)} {'is' if number == 1 else 'are'} not {who.actor}'s own to forget",
            why=f"among them {plan.others[0]}; only a person at a terminal may forget these",
            hints=("run the same command yourself in a terminal",),
        )
    if plan.exports and not who.is_person_at_terminal:
        raise Refused(
            f"it was exported to {plan.exports[0]}, and only a person at a terminal may remove that",
            hints=("run the same command yourself in a terminal",),
        )
    if not confirmed:
        raise Refused(
            "nothing was forgotten: the plan was not confirmed",
            why="what is forgotten does not come back",
            hints=(f"look at it with --dry-run, then add --confirm {plan.digest}",),
        )
    return ForgetPermit(plan, attest=who.is_person_at_terminal)
