"""`import beads`: the issues of a beads database (`issues.jsonl`) → claims: goals for what is open, else evidence.

One JSON object a line. An open issue becomes a goal: its priority (0 to 4) is the goal's (1 to 5), its acceptance
criteria are the evidence of success, its links become relations. A closed issue is evidence alone, for what is done
governs nothing; where its goal came in before, that is told. A tombstone of beads says that its issue was deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from cc_git.codec.bundle_file import BundleFault, read_json
from cc_git.importers.claims import Claim, Draft, Reading
from cc_git.importers.importing import BlobOf
from cc_git.importers.outcomes import Outcome
from cc_git.importers.table import BEADS
from cc_git.model.kinds import Goal
from cc_git.model.scope import Scope
from cc_git.model.value import clean_line, slug

LARGEST = 64 << 20
"""Bytes of the file."""
_OVER = frozenset(("closed", "tombstone", "done"))
_TEXTS = ("description", "design", "acceptance_criteria", "notes", "close_reason")
_RELATIONS = {"blocks": "depends-on", "parent-child": "parent", "related": "related", "discovered-from": "derived-from"}


def read_beads(data: bytes, scope: Scope, blob_of: BlobOf) -> Reading:
    """Never raises: a line that cannot be read is told with its number."""
    claims: list[Claim] = []
    outcomes: list[Outcome] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            claim = _claim(read_json(line), line, scope, blob_of)
        except BundleFault as fault:
            claim = Outcome(f"line {number}", "broken", str(fault).removeprefix("line 1: "))
        claims.append(claim) if isinstance(claim, Claim) else outcomes.append(claim)
    return Reading(BEADS, tuple(claims), tuple(outcomes))


def _claim(issue: dict[str, Any], line: bytes, scope: Scope, blob_of: BlobOf) -> Claim | Outcome:
    identifier, title = clean_line(_text(issue, "id")), clean_line(_text(issue, "title"))
    if not identifier or not title:
        raise BundleFault("an issue needs an id and a title")
    place = f"beads:{identifier}"
    status = _text(issue, "status").lower()
    if status == "tombstone":
        return Outcome(place, "skipped", "was deleted in beads", title)
    content = "\n\n".join(_parts(issue))
    over = status in _OVER
    return Claim(
        place=place,
        blob=blob_of(line.strip()),
        text=f"{identifier}: {title} ({status or 'no status'})\n\n{content}".strip(),
        title=title,
        scope=scope,
        speaker=clean_line(_text(issue, "created_by") or _text(issue, "assignee")) or None,
        said_at=_instant(_text(issue, "created_at")),
        tags=("beads",),
        draft=None if over else _goal(issue, identifier, title, content),
    )


def _goal(issue: dict[str, Any], identifier: str, title: str, content: str) -> Draft:
    priority = issue.get("priority")
    accepted = _text(issue, "acceptance_criteria").strip()
    labels = issue.get("labels")
    words = [clean_line(str(label)) for label in labels] if isinstance(labels, list) else []
    return Draft(
        kind="goal",
        title=title,
        content=content,
        payload=Goal(
            owner=clean_line(_text(issue, "assignee")) or None,
            priority=priority + 1 if isinstance(priority, int) and 0 <= priority <= 8 else 5,
            success_evidence=(accepted,) if accepted else (),
        ),
        subject=slug(f"beads-{identifier}"),
        tags=tuple(dict.fromkeys(word for word in (clean_line(_text(issue, "issue_type")), *words) if word)),
        links=dict(_links(issue)),
    )


def _links(issue: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    found: dict[str, list[str]] = {}
    dependencies = issue.get("dependencies")
    for one in dependencies if isinstance(dependencies, list) else ():
        if isinstance(one, dict) and (other := clean_line(_text(one, "depends_on_id"))):
            word = _RELATIONS.get(_text(one, "type"), "related")
            found.setdefault(word, []).append(f"beads:{other}")
    yield from ((word, tuple(places)) for word, places in found.items())


def _parts(issue: dict[str, Any]) -> Iterator[str]:
    for name in _TEXTS:
        if text := _text(issue, name).strip():
            yield text if name == "description" else f"{name.replace('_', ' ').capitalize()}:\n\n{text}"
    comments = issue.get("comments")
    for one in comments if isinstance(comments, list) else ():
        if isinstance(one, dict) and (text := _text(one, "text").strip()):
            yield f"{clean_line(_text(one, 'author')) or 'Somebody'} said:\n\n{text}"


def _text(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _instant(text: str) -> datetime | None:
    """Nothing where the text is no time; beads writes nanoseconds, which are cut."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
