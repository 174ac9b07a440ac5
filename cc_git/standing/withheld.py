"""What only another branch takes away is withheld: not eligible, and neither ended nor forgotten.

Everything is judged a second time as if those negatives counted. What stood before and does not stand then is
`overruled` with the flag `withheld`, whatever the negative was: `forgotten` or `revoked` would say that it happened.
`by` names what holds it back; branch and author are in `Negatives`. Nothing is given by it: what stands only then
does not stand, and a restraint is not withheld, for else anyone who may push a branch could lift it. One that stands
only then, reopened by a ruling of that branch, is in force like one that only that branch has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cc_git.model.attestation import SeenNegative
from cc_git.model.filed import Files
from cc_git.model.ruling import Ruling
from cc_git.model.verdict import Standings, Verdict
from cc_git.standing.restraining import joined


def hold_back(judged: Standings, held: Standings, files: Files, withholding: Iterable[SeenNegative]) -> Standings:
    rulings = [one.filed.value for one in withholding if isinstance(one.filed.value, Ruling)]
    verdicts: dict[str, Verdict] = {}
    for identifier, verdict in judged.verdicts.items():
        other = held.verdicts[identifier]
        if files.records[identifier][0].value.restrains:
            if other.eligible and not verdict.eligible:
                by = tuple(sorted({ruling.id for ruling in rulings if identifier in ruling.targets}))
                verdict = replace(other, by=by or other.by, reason="reopened on another branch")
        elif verdict.eligible:
            if not other.eligible:
                by = other.by or (identifier,)
                verdict = replace(
                    verdict, standing="overruled", by=by, reason=f"withheld: {other.standing} on another branch",
                    flags=verdict.flags | {"withheld"},
                )  # fmt: skip
            elif set(other.limited_by) - set(verdict.limited_by):
                verdict = replace(
                    verdict,
                    flags=verdict.flags | {"limited"},
                    limited_by=tuple(sorted({*verdict.limited_by, *other.limited_by})),
                    yields_to=tuple(sorted({*verdict.yields_to, *other.yields_to})),
                )
        verdicts[identifier] = verdict
    times = [t for t in (judged.until, held.until) if t is not None]
    restraining = joined(judged.restraining, held.restraining, files)
    return Standings(verdicts, judged.clashes, min(times, default=None), restraining)
