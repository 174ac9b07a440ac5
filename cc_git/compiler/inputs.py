"""All that a packet depends on, as values. What is not here cannot change a packet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from cc_git.compiler.counter import ESTIMATE, TokenCounter
from cc_git.compiler.pool import Pool
from cc_git.model.policy import Workspace
from cc_git.model.snapshot import RepositorySnapshot
from cc_git.model.verdict import Clash
from cc_git.model.work import Line
from cc_git.model.working_context import WorkingContext
from cc_git.origin.inherit import Origin
from cc_git.runbooks.selection import Shelved


@dataclass(frozen=True)
class Inputs:
    """`private`, `attestations` and `negatives` are digests of what the pool was judged with beyond the snapshot.

    `cut`: history is cut short here, so what older commits took away is not known (`negatives` tells it apart).

    `head` maps the repository paths of anchors to their blobs at HEAD (None: HEAD has no such file): the pool was
    judged with them, and a packet depends on those that its items name. `until` is when the next standing changes by
    time alone. `lines` are the other lines of the work, newest first. `runbooks` are all there are; those that serve
    the work are chosen (`work`). `tokens` counts where the profile counts tokens.
    """

    snapshot: RepositorySnapshot
    pool: Pool
    workspace: Workspace
    trusted: bool
    working_context: WorkingContext | None = None
    lines: tuple[Line, ...] = ()
    origins: tuple[Origin, ...] = ()
    runbooks: tuple[Shelved, ...] = ()
    clashes: tuple[Clash, ...] = ()
    until: datetime | None = None
    private: str = ""
    attestations: str = ""
    negatives: str = ""
    cut: bool = False
    head: Mapping[str, str | None] = field(default_factory=dict)
    tokens: TokenCounter = ESTIMATE
