"""How the result of an act is told: what was made, what it counts as, and what is needed for more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Heading, Prose, Tone, Toned
from cc_git.model.ids import KIND_OF_PREFIX, prefix_of, short

if TYPE_CHECKING:
    from cc_git.model.verdict import Verdict
    from cc_git.wiring.acts import Acted

_TONE: dict[str, Tone] = {
    "current": "good",
    "proposed": "warn",
    "conflicted": "bad",
    "revoked": "bad",
    "rejected": "bad",
}


def standing_cell(verdict: Verdict) -> Cell:
    flags = "".join(f", {flag}" for flag in sorted(verdict.flags))
    return Toned(f"{verdict.standing}{flags}", _TONE.get(verdict.standing, "dim"))


def told(acted: Acted, *, dry_run: bool) -> Outcome:
    """The outcome of a change, for people and for programs."""
    plan = acted.done.plan
    verb = "would be" if dry_run else "is"
    sentences = [_sentence(identifier, verdict, verb) for identifier, verdict in acted.verdicts.items()]
    if not sentences:
        sentences = [f"{short(i)} {'would be' if dry_run else 'is'} kept" for i in plan.ids]
    sentences += [f"with {rel}" for rel in acted.done.attached]
    blocks: list[Block] = [Prose("\n".join(sentences))]
    if dry_run:
        from cc_git.codec.files import encode, path_for  # only a dry run shows whole files

        for value in plan.values:
            blocks += [Heading(f"\n{path_for(value)}"), Prose(encode(value).decode())]
    return Outcome(
        data={
            "operation": plan.operation,
            "dry_run": dry_run,
            "made": [] if dry_run else list(plan.ids),
            "files": acted.done.rels,
            "attached": list(acted.done.attached),
            "private": acted.done.private,
            "stale_packets": list(acted.stale),
            "standings": {i: verdict_data(v) for i, v in acted.verdicts.items()},
        },
        blocks=blocks,
        notes=_notes(acted, dry_run=dry_run),
        warnings=acted.warnings,
        receipt=acted.done.receipt,
    )


def verdict_data(verdict: Verdict) -> dict[str, object]:
    return {
        "standing": verdict.standing,
        "authority": verdict.authority,
        "attested": verdict.attested,
        "flags": sorted(verdict.flags),
        "by": list(verdict.by),
        "reason": verdict.reason,
        "doubts": list(verdict.doubts),
    }


def _sentence(identifier: str, verdict: Verdict, verb: str) -> str:
    kind = KIND_OF_PREFIX.get(prefix_of(identifier), "object")
    flags = f" ({', '.join(sorted(verdict.flags))})" if verdict.flags else ""
    said = f"{short(identifier)}  {kind} {verb} {verdict.standing}{flags}"
    if verdict.standing == "current":
        return said
    cause = f" by {', '.join(map(short, verdict.by[:3]))}" if verdict.by else ""
    says_more = verdict.reason and not verdict.reason.startswith(verdict.standing)
    return f"{said}{cause}: {verdict.reason}" if says_more else f"{said}{cause}"


def _notes(acted: Acted, *, dry_run: bool) -> tuple[str, ...]:
    if dry_run:
        return ("Nothing was written (--dry-run).",)
    notes = []
    if acted.done.private:
        notes.append("It is private: it stays on this machine and is in no commit.")
    else:
        notes.append("It waits for your next commit (or: cc-git commit).")
    if any(v.standing == "proposed" for i, v in acted.verdicts.items() if i in acted.done.plan.ids):
        notes.append("A person can let it stand: cc-git review")
    if acted.stale:
        number = f"{len(acted.stale)} packet{'' if len(acted.stale) == 1 else 's'}"
        notes.append(f"{number} compiled here showed it: cc-git packet rebuild")
    if any("reported" in v.flags and v.eligible for i, v in acted.verdicts.items() if i in acted.done.plan.ids):
        notes.append("Reported: it claims a person's word, which nobody confirmed on this clone (cc-git review).")
    return tuple(notes)
