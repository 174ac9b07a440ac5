"""Evidence first: the episode that a new record or ruling cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cc_git.codec.paths import attachment_path
from cc_git.errors import UsageFault
from cc_git.governance.build import build
from cc_git.governance.plan import Mint
from cc_git.model.authority import Authority, Sensitivity
from cc_git.model.episode import Episode, EpisodeType
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.spine import Attachment, Relation, Source
from cc_git.model.value import clean_line, slug
from cc_git.model.who import Who

_TYPE_OF_KIND: dict[str, EpisodeType] = {
    "permission": "permission",
    "decision": "decision",
    "commitment": "commitment",
    "goal": "request",
    "failure": "outcome",
}


@dataclass(frozen=True)
class Attached:
    """A file that comes with an episode, under the name that it had."""

    name: str
    blob: str
    data: bytes


@dataclass(frozen=True)
class Said:
    """What was said or happened. `speaker` is who said it, where that is not the actor who writes it down."""

    text: str
    type: EpisodeType = "assertion"
    authority: Authority = "user-explicit"
    locator: str | None = None
    blob: str | None = None
    speaker: str | None = None
    scope: Scope = EVERYWHERE
    sensitivity: Sensitivity = "ordinary"
    retention: str | None = None
    valid_from: Any = None
    valid_to: Any = None
    tags: tuple[str, ...] = ()
    trigger: str | None = None
    subject: str | None = None
    attached: tuple[Attached, ...] = ()
    relations: tuple[Relation, ...] = ()


def episode(said: Said, who: Who, mint: Mint) -> Episode:
    """The episode of `said`; raises UsageFault where the authority lacks what carries it."""
    if said.authority == "verified-observation" and not said.locator:
        raise UsageFault(
            "an observation needs a locator that says where it can be looked up", hints=("--source <file, URL or run>",)
        )
    if said.authority == "document" and not said.locator:
        raise UsageFault("a document's word needs its path", hints=("--source <path>",))
    identifier = mint("ep")
    return build(
        Episode,
        id=identifier,
        type=said.type,
        content=said.text,
        speaker=said.speaker,
        scope=said.scope,
        authority=said.authority,
        actor=who.actor,
        source=Source(kind=source_kind(said.authority), locator=said.locator, blob=said.blob),
        sensitivity=said.sensitivity,
        retention=said.retention,
        recorded_at=mint.now,
        valid_from=said.valid_from,
        valid_to=said.valid_to,
        tags=said.tags,
        trigger=said.trigger,
        subject=slug(said.subject) if said.subject else None,
        relations=said.relations,
        attachments=tuple(
            Attachment(path=attachment_path(identifier, number), blob=one.blob, note=clean_line(one.name))
            for number, one in enumerate(said.attached, start=1)
        ),
    )


def source_kind(authority: Authority) -> str:
    if authority.startswith("user-"):
        return "user"
    return {"verified-observation": "tool", "document": "document"}.get(authority, "agent")


def type_for(kind: str) -> EpisodeType:
    """What sort of episode a record of this kind is remembered from."""
    return _TYPE_OF_KIND.get(kind, "assertion")
