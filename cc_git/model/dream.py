"""DREAM: what may be recombined, what came of it, and what a waking mind made of that. Nothing here is canonical.

Consolidation asks what the evidence supports, a dream what else could be. Both come back through the same gate.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from cc_git.model.authority import Sensitivity
from cc_git.model.kinds import Kind
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import FORMAT, Id, Instant, OneLine, Prose, Slug, Value, has_prefix

Mode = Literal["replay", "down-selection", "perturbation", "threat-rehearsal", "incubation"]
Strength = Literal["light", "moderate", "strong"]
Disposition = Literal["discard", "hypothesis", "test", "proposal", "procedure"]
REPORT_FORMAT: Literal["cc-git-dream-report/1"] = "cc-git-dream-report/1"

Said = Annotated[str, Field(min_length=1, strict=True)]


class Image(Value):
    """Whether a picture was made of it. Off by default; a picture is never evidence."""

    mode: Literal["off", "on"] = "off"
    status: Literal["disabled", "generated", "brief-only", "failed"] = "disabled"


class Candidate(Value):
    """One thing that could be. `anchors` are the sources it starts from, `transformation` what was done to them, `leap`
    what of it goes beyond the evidence. `kind` is what it would be, were it remembered; None for a mere possibility."""

    title: OneLine
    text: Said
    anchors: Annotated[tuple[Id, ...], Field(min_length=1)]
    transformation: Said
    leap: Said
    counterevidence: Said
    consequence: Said
    next_test: Said
    expires_at: Instant
    kind: Kind | None = None
    subject: Slug | None = None


class Report(Value):
    """What a host hands in. Unknown keys are refused, and so is any claim that it may write."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    format: Literal["cc-git-dream-report/1"]
    target: Said
    modes: Annotated[tuple[Mode, ...], Field(min_length=1)]
    strength: Strength = "moderate"
    sources: Annotated[tuple[Id, ...], Field(min_length=1)]
    image: Image = Image()
    canonical_write_permitted: Literal[False] = False
    expires_at: Instant
    candidates: Annotated[tuple[Candidate, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        for number, candidate in enumerate(self.candidates, 1):
            if strange := sorted(set(candidate.anchors) - set(self.sources)):
                raise ValueError(f"candidate {number} is anchored in {strange[0]}, which is no source of the report")
            if candidate.expires_at > self.expires_at:
                raise ValueError(f"candidate {number} outlives its report")
            if candidate.unknown:
                raise ValueError(f"candidate {number} has no field {next(iter(candidate.unknown))!r}")
        return self


class Dream(Value):
    """A report as it is stored, below `dreams/`. Immutable; no standing reads it."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    target: Prose
    modes: tuple[Mode, ...]
    strength: Strength = "moderate"
    actor: OneLine
    scope: Scope = EVERYWHERE
    sensitivity: Sensitivity = "ordinary"
    recorded_at: Instant
    expires_at: Instant
    sources: tuple[Id, ...]
    image: Image = Image()
    candidates: tuple[Candidate, ...]

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "dr")
        return self


class Became(Value):
    """What became of one candidate, by its number from 1; `made` is the record that it became, if any."""

    candidate: Annotated[int, Field(strict=True, ge=1)]
    disposition: Disposition
    made: Id | None = None


class WakingReview(Value):
    """Who looked at a report awake, and what they made of its candidates. Immutable."""

    format: Literal["cc-git/1"] = FORMAT
    id: Id
    dream: Id
    actor: OneLine
    recorded_at: Instant
    sensitivity: Sensitivity = "ordinary"
    reviewed: Prose
    verdicts: tuple[Became, ...]

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        has_prefix(self.id, "wr")
        has_prefix(self.dream, "dr")
        return self
