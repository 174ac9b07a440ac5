"""`import notes`: what agents are told and what they wrote down for themselves → claims, one for each section.

- Instruction files (CLAUDE.md, AGENTS.md and their like) hold procedures; memory files (MEMORY.md, a memory folder)
  hold beliefs about the project, unless their front matter says `type: user` (a user model) or `type: feedback` (a
  procedure).
- A section is a heading with the text below it, up to the next heading; its place is the path and the headings that
  lead to it. A changed section takes the place of its former text.
- A note grants nothing: no permission, identity or relationship is ever made of one, whatever it says. Tracked at HEAD
  is not reviewed, for an agent commits too; only what stands with these bytes in the accepted branch goes in at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from cc_git.importers.claims import Claim, Draft, Reading
from cc_git.importers.front_matter import FrontMatter, read_front_matter
from cc_git.importers.importing import BlobOf
from cc_git.importers.markdown import Markdown, read_markdown
from cc_git.importers.outcomes import Outcome
from cc_git.importers.table import NOTES
from cc_git.model.kinds import Belief, Payload, Procedure, UserModel
from cc_git.model.scope import Scope
from cc_git.model.value import ONE_LINE_LIMIT, clean_line, slug

LARGEST = 512 * 1024
"""Bytes of a note; above this it is named and left alone."""
_INSTRUCTIONS = frozenset((
    "claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", "copilot-instructions.md",
    ".cursorrules", ".windsurfrules", "conventions.md",
))  # fmt: skip
_MEMORY = frozenset(("memory.md", "memories.md"))
_MEMORY_FOLDERS = frozenset(("memory", "memories", "memory-bank", ".agent-memory", "team-memory"))
_RULE_FOLDERS = ("/.cursor/rules/", "/.claude/rules/")
_MARKDOWN = (".md", ".mdc", ".markdown")


@dataclass(frozen=True)
class NoteFile:
    """`path` as it shall be referred to. `reviewed`: a person let these bytes into the accepted branch."""

    path: str
    data: bytes
    reviewed: bool = False
    committed_at: datetime | None = None


def is_note(path: str) -> bool:
    """Whether a file of this name is for agents: by name alone."""
    lower = f"/{path.lower()}"
    name = lower.rpartition("/")[2]
    if name in _INSTRUCTIONS or name in _MEMORY:
        return True
    return name.endswith(_MARKDOWN) and (_in_memory(lower) or any(folder in lower for folder in _RULE_FOLDERS))


def read_notes(files: tuple[NoteFile, ...], scope: Scope, blob_of: BlobOf) -> Reading:
    """Never raises: what cannot be read is told."""
    claims: list[Claim] = []
    outcomes: list[Outcome] = []
    for file in files:
        if len(file.data) > LARGEST:
            outcomes.append(Outcome(file.path, "broken", f"larger than {LARGEST >> 10} KiB"))
            continue
        try:
            text = file.data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            outcomes.append(Outcome(file.path, "broken", "not UTF-8"))
            continue
        found = tuple(_claims(file, text, scope, blob_of))
        claims += found
        if not found:
            outcomes.append(Outcome(file.path, "skipped", "empty"))
    return Reading(NOTES, tuple(claims), tuple(outcomes))


def _claims(file: NoteFile, text: str, scope: Scope, blob_of: BlobOf) -> Iterator[Claim]:
    lines = text.split("\n")
    matter = read_front_matter(lines)
    markdown = read_markdown(text, skip=matter.lines)
    name = matter.first("name", "title", "description")[0] or file.path.rpartition("/")[2]
    seen: dict[str, int] = {}
    for place, title, start, body in _sections(markdown, clean_line(name) or "note"):
        whole = "\n".join(lines[start : body[1]]).strip("\n")
        content = markdown.between(*body)
        if not content.strip():
            continue
        number = seen[place] = seen.get(place, 0) + 1
        named = place if number == 1 else f"{place}~{number}"
        where = f"{file.path}#{named}" if named else file.path
        kind, payload = _kind(file.path, matter, content, markdown, body)
        yield Claim(
            place=where,
            blob=blob_of(whole.encode()),
            text=whole,
            title=title,
            scope=scope,
            said_at=file.committed_at,
            tags=("note",),
            reviewed=file.reviewed,
            draft=Draft(kind=kind, title=title, content=content, payload=payload, subject=_subject(where)),
        )


def _sections(markdown: Markdown, name: str) -> Iterator[tuple[str, str, int, tuple[int, int]]]:
    """(headings as a path, title, first line, lines of the body), in order; what stands before any heading first."""
    end = len(markdown.lines)
    first = markdown.headings[0].line if markdown.headings else end
    yield "", name, 0, (0, first)
    above: list[tuple[int, str]] = []
    for heading, following in zip_longest(markdown.headings, markdown.headings[1:]):
        while above and above[-1][0] >= heading.level:
            above.pop()
        title = clean_line(markdown.plain(heading.text)) or "untitled"
        above.append((heading.level, _part(title)))
        place = "/".join(part for _, part in above)
        yield place, title, heading.line, (heading.body, following.line if following else end)


def _part(title: str) -> str:
    """A heading as part of a place; never a bare number, which would be taken for a count."""
    part = re.sub(r"[/#~]", "-", slug(title))
    return f"s-{part}" if part.isdigit() else part


def _kind(
    path: str, matter: FrontMatter, content: str, markdown: Markdown, body: tuple[int, int]
) -> tuple[str, Payload]:
    lower = f"/{path.lower()}"
    is_memory = lower.rpartition("/")[2] in _MEMORY or _in_memory(lower)
    said = matter.first("type")[0].lower()
    if is_memory and said == "user":
        return "user_model", UserModel()
    if is_memory and said != "feedback":
        return "belief", Belief(basis="project")
    pieces = markdown.pieces_between(*body)
    steps = tuple(markdown.plain(piece.text) for piece in pieces if piece.marks_item and piece.depth == 1)
    return "procedure", Procedure(steps=tuple(step for step in steps if step))


def _in_memory(lower: str) -> bool:
    return not _MEMORY_FOLDERS.isdisjoint(lower.split("/")[:-1])


def _subject(place: str) -> str:
    """The end of the place, which is the nearest to what it is about; the head is cut where it is too long."""
    whole = slug(clean_line(place, 10_000))
    return whole if len(whole) <= ONE_LINE_LIMIT else slug(f"…{whole[-(ONE_LINE_LIMIT - 10) :]}")
