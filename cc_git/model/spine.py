"""The small tables that several stored objects share."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from cc_git.model.value import Blob, Id, Locator, OneLine, Prose, Value

Entitlement = Literal["weak", "moderate", "strong"]
"""How strongly the source permits relying on a statement; confidence is how likely it is."""

INSTRUCTION_LIKE = "instruction-like"
"""The tag of an episode or record whose text reads like an instruction to whoever reads it: a flag, never a gate."""


class Anchor(Value):
    """Code that a statement depends on: a repository path, its blob when written, and lines such as `10-24`."""

    path: Locator
    blob: Blob | None = None
    lines: str | None = Field(default=None, pattern=r"^[0-9]+(-[0-9]+)?$")


class Relation(Value):
    """A named link: `rel` is a word such as `supports`, `to` an id."""

    rel: OneLine
    to: Id


class Source(Value):
    """Where an episode comes from. `blob` is the document's Git blob, part of an import's natural key."""

    kind: Literal["user", "agent", "tool", "system", "document"]
    locator: Locator | None = None
    blob: Blob | None = None


class Attachment(Value):
    """A file that came with an episode: its path below the workspace (below `private/` where the episode is), its blob,
    and as the note the name that it had."""

    path: Locator
    blob: Blob | None = None
    note: Prose | None = None
