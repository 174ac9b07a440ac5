"""The sentences of a comparison: the same words at a terminal and in a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cc_git.model.ids import short
from cc_git.review.changes import RecordChange, Review, Ruled, RulingChange, Shift, Stand
from cc_git.review.told import Size

HEADINGS = {
    "shifts": "Permissions and restraints",
    "sensitivity": "Sensitivity",
    "policy": "Policy of the workspace",
    "conflicts": "Conflicts",
    "records": "Records",
    "rulings": "Rulings",
    "evidence": "Evidence",
    "runbooks": "Runbooks",
    "broken": "Files that cannot be read",
    "others": "Other files",
}
"""Part of a review → its heading, in the order in which the parts are shown."""
TOLD = "What the next agent will be told differently"
THE_SAME = "The packet for this task is the same."
NOTHING = "Nothing changed in meaning."
HOW = {
    "added": "new",
    "edited": "edited in place (files are written once)",
    "removed": "removed without a tombstone",
    "forgotten": "forgotten",
    "stands": "counts as something else",
}
_REACH = {"widens": "widens", "narrows": "narrows", "changes": "changes"}


def counted(review: Review) -> str:
    """One line that says how much changed."""
    kinds = Counter(("superseding" if one.replaces else HOW[one.how].partition(" (")[0]) for one in review.records)
    said = [f"{_many(len(review.records), 'record')} ({', '.join(f'{n} {how}' for how, n in kinds.items())})"]
    said = said if review.records else []
    for number, what in (
        (len(review.rulings), "ruling"), (len(review.evidence), "episode"), (len(review.runbooks), "runbook"),
        (sum(one.how == "new" for one in review.conflicts), "new conflict"),
    ):  # fmt: skip
        said += [_many(number, what)] if number else []
    wider = sum(one.direction == "widens" for one in review.shifts)
    said += [f"{wider} of them {'widens' if wider == 1 else 'widen'} what is permitted"] if wider else []
    return ", ".join(said) if said else NOTHING if review.is_empty else "no record, ruling or episode"


def counts_as(change: RecordChange) -> str:
    """What it counted as and what it counts as, and what it will once it is accepted."""
    was, now = _standing(change.before), _standing(change.after)
    said = now if was == now or change.before is None else f"{was} → {now}"
    after = change.after
    if after is not None and after.by and after.standing not in ("current", "proposed"):
        said += f" by {', '.join(map(short, after.by[:3]))}"
    if change.accepted is not None:
        said += f"; once accepted: {_standing(change.accepted)}"
    return said


def behind(change: RecordChange) -> str:
    """Who wrote it, whose word it claims, and whether a person is bound to that."""
    now = change.after or change.before
    said = change.claims
    if now is not None and now.authority != change.claims:
        said += f" (counts as {now.authority})"
    if now is not None and now.attested:
        said += ", attested"
    elif change.claims == "user-explicit":
        said += ", which nobody here attested"
        if change.accepted is not None and change.accepted.attested:
            said += " (a merge into the accepted branch would)"
    return said


def ruled(change: RulingChange) -> str:
    said = f"{change.authority}{', attested' if change.attested else ''}"
    return f"{said}, over {', '.join(map(short, change.over))}" if change.over else said


def effect(target: Ruled) -> str:
    """What a ruling did to one target."""
    was, now = target.before or "not here", target.after or "not here"
    said = now if was == now else f"{was} → {now}"
    return f"{said}; once accepted: {target.accepted}" if target.accepted else said


def moved(shift: Shift) -> str:
    """One line of ours: direction, and from when on."""
    return _REACH[shift.direction] + ("" if shift.when == "now" else " once accepted")


def sized(size: Size) -> str:
    """How large a packet is."""
    if size.used is None:
        return f"does not fit into {size.budget} {size.unit} (it needs {size.needed})"
    return f"{_many(size.items, 'item')}, {size.used} of {size.budget} {size.unit}"


def other_files(review: Review) -> Iterator[tuple[str, str]]:
    for folder, numbers in review.others.items():
        yield folder, ", ".join(f"{number} {how}" for how, number in numbers.items())


def _standing(stand: Stand | None) -> str:
    return "absent" if stand is None else ", ".join((stand.standing, *stand.flags))


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
