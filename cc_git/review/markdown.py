"""A comparison as Markdown for a pull request.

A forge keeps what is posted, also after `cc-git forget`. So what is above the ceiling is named by id and kind alone.
Stored text stands in code spans, where it mentions nobody, links nowhere and closes nothing, on one line and cut to
`SHOWN` characters; what there is no room for is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from cc_git.model.authority import Sensitivity, at_most
from cc_git.model.ids import short
from cc_git.model.sanitise import in_one_line
from cc_git.review import words
from cc_git.review.changes import FieldChange, RecordChange, Review, RulingChange, Shift
from cc_git.review.told import Told

SHOWN = 300
LONGEST = 60_000
"""Characters of the whole; GitHub refuses comments of more than 65,536."""


def markdown(review: Review, ceiling: Sensitivity, told: Told | None = None) -> str:
    """The whole comment; ends in a line feed. The packets in `told` were compiled under the same ceiling."""
    head = f"## Memory: {span(review.before)} → {span(review.after)}\n\n{words.counted(review)}.\n".replace(
        "..\n", ".\n"
    )
    return _Page(review, ceiling, told).written(head)


def span(text: str, limit: int = SHOWN) -> str:
    """Stored text as a code span that nothing inside can close."""
    shown = in_one_line(text, limit)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}" if shown else "(empty)"


class _Page:
    def __init__(self, review: Review, ceiling: Sensitivity, told: Told | None) -> None:
        self._review, self._ceiling, self._told = review, ceiling, told

    def written(self, head: str) -> str:
        """Sections in their order, item by item, as long as there is room."""
        parts, left, missing = [head], LONGEST - len(head), 0
        headed = [(heading, list(_SECTIONS[name](self))) for name, heading in words.HEADINGS.items()]
        for heading, items in (*headed, (words.TOLD, list(self.told()))):
            told = f"\n### {heading}\n\n"
            for item in items:
                if len(told) + len(item) > left:
                    missing += 1
                    continue
                parts.append(told + item)
                left -= len(told) + len(item)
                told = ""
        if missing:
            parts.append(f"\n{missing} more changes have no room here; `cc-git diff` shows them all.\n")
        return "".join(parts)

    def _text(self, text: str, sensitivity: Sensitivity, limit: int = SHOWN) -> str:
        return span(text, limit) if at_most(sensitivity, self._ceiling) else f"*({sensitivity}: not shown here)*"

    def shifts(self) -> Iterator[str]:
        for one in self._review.shifts:
            mark = "⚠️ " if one.direction != "narrows" else ""
            governs = self._text(one.what, one.sensitivity)
            where = "" if one.scope == "everywhere" else f" in {self._text(one.scope, one.sensitivity)}"
            instead = f" in place of {self._text(one.instead, one.sensitivity)}" if one.instead else ""
            yield (
                f"- {mark}**{words.moved(one)}**: {governs}{where}{instead} — `{short(one.id)}` "
                f"{self._title(one)}: {one.says}\n"
            )

    def _title(self, one: Shift) -> str:
        return self._text(one.title, one.sensitivity)

    def sensitivity(self) -> Iterator[str]:
        for one in self._review.sensitivity:
            higher = one.before if at_most(one.after, one.before) else one.after
            mark = "⚠️ " if higher == one.before else ""
            instead = f", in place of `{short(one.instead)}`" if one.instead else ""
            title = self._text(one.title, higher)
            yield f"- {mark}{one.kind} `{short(one.id)}` {title}: {one.before} → {one.after}{instead}\n"

    def policy(self) -> Iterator[str]:
        yield from (self._field(one, "ordinary") for one in self._review.policy)

    def conflicts(self) -> Iterator[str]:
        for one in self._review.conflicts:
            named = "; ".join(
                f"`{short(i)}` {self._text(title, one.sensitivity)}"
                for i, title in zip(one.ids[:5], one.titles, strict=False)
            )
            more = f" and {len(one.ids) - 5} more" if len(one.ids) > 5 else ""
            yield f"- {one.how} ({one.cause}): {named}{more}\n"

    def records(self) -> Iterator[str]:
        for one in self._review.records:
            title = self._text(one.title, one.sensitivity)
            lines = [f"- **{words.HOW[one.how]}**: {one.kind} `{short(one.id)}` {title}\n"]
            lines.append(f"  - counts as {words.counts_as(one)}\n")
            if one.how != "stands":
                lines.append(f"  - {words.behind(one)}; written by {span(one.actor)}\n")
            yield "".join((*lines, *self._fields(one)))

    def _fields(self, one: RecordChange) -> Iterator[str]:
        for old in one.replaces:
            yield f"  - in place of `{short(old.id)}` {self._text(old.title, old.sensitivity)}\n"
            if at_most(old.sensitivity, self._ceiling):
                yield from (f"    {self._field(change, one.sensitivity)}" for change in old.fields)
        if not one.replaces:
            yield from (f"  {self._field(change, one.sensitivity)}" for change in one.fields)

    def _field(self, change: FieldChange, sensitivity: Sensitivity) -> str:
        if not at_most(sensitivity, self._ceiling):
            return f"- {span(change.name)} *({sensitivity}: not shown here)*\n"
        new = "gone" if change.after is None else span(change.after)
        return f"- {span(change.name)}: {new if change.before is None else f'{span(change.before)} → {new}'}\n"

    def rulings(self) -> Iterator[str]:
        for one in self._review.rulings:
            how = "" if one.how == "added" else f" ({words.HOW[one.how]})"
            reason = f": {self._text(one.reason, one.sensitivity)}" if one.reason else ""
            yield (
                f"- **{one.verb}** `{short(one.id)}`{how} by {span(one.actor)} ({words.ruled(one)}){reason}\n"
                + "".join(self._targets(one))
            )

    def _targets(self, one: RulingChange) -> Iterator[str]:
        for target in one.targets:
            title = self._text(target.title, target.sensitivity) if target.title else ""
            yield f"  - `{short(target.id)}` {title}: {words.effect(target)}\n"

    def evidence(self) -> Iterator[str]:
        for one in self._review.evidence:
            how = "" if one.how == "added" else f" ({words.HOW[one.how]})"
            text = self._text(one.text, one.sensitivity)
            yield f"- {one.type} `{short(one.id)}`{how} by {span(one.actor)}, from {one.source}: {text}\n"

    def runbooks(self) -> Iterator[str]:
        for one in self._review.runbooks:
            fields = "".join(f"  {self._field(change, 'ordinary')}" for change in one.fields)
            yield f"- {one.how}: {span(one.title)}\n{fields}"

    def broken(self) -> Iterator[str]:
        for one in self._review.broken:
            yield f"- {span(one.path)}{f', line {one.line}' if one.line else ''}\n"

    def told(self) -> Iterator[str]:
        told = self._told
        if told is None:
            return
        yield f"Task {span(told.task)}: {words.sized(told.before)} → {words.sized(told.after)}.\n\n"
        for one in told.items:
            named = f"`{short(one.id)}` " if one.id else ""
            fields = "".join(f"  {self._field(change, 'ordinary')}" for change in one.fields)
            yield f"- **{one.how}** ({one.section}): {one.kind} {named}{span(one.title)}\n{fields}"
        if not told.items:
            yield f"{words.THE_SAME}\n"

    def others(self) -> Iterator[str]:
        yield from (f"- {span(folder)}: {numbers}\n" for folder, numbers in words.other_files(self._review))


_SECTIONS: dict[str, Callable[[_Page], Iterator[str]]] = {
    "shifts": _Page.shifts,
    "sensitivity": _Page.sensitivity,
    "policy": _Page.policy,
    "conflicts": _Page.conflicts,
    "records": _Page.records,
    "rulings": _Page.rulings,
    "evidence": _Page.evidence,
    "runbooks": _Page.runbooks,
    "broken": _Page.broken,
    "others": _Page.others,
}
