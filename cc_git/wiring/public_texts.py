"""The texts that look like secrets and that a person allowed, as far as those permissions stand."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime

from cc_git.governance.public_text import allowed_by
from cc_git.model.filed import Filed
from cc_git.model.record import Record
from cc_git.model.scope import Scope
from cc_git.store.git import Git
from cc_git.store.index_pool import Known
from cc_git.store.place import Place
from cc_git.wiring.session import Asked, Session


@dataclass(frozen=True)
class Allowed:
    filed: Filed[Record]
    text: str


def allowed_texts(known: Known, scope: Scope) -> tuple[Allowed, ...]:
    """`scope` is the workspace's own."""
    pool, found = known.pool, []
    for card in pool.cards():
        if card.kind != "permission" or card.standing != "current" or card.duty != "allow":
            continue
        filed, verdict = pool.record(card.id), known.verdict(card.id)
        text = None if verdict is None else allowed_by(filed.value, verdict, scope)
        if text is not None:
            found.append(Allowed(filed, text))
    return tuple(found)


def allowed_in(place: Place, git: Git, now: datetime) -> tuple[str, ...]:
    """The same for a hook, or a check in the middle of a commit: as the workspace is seen at this moment. Looking keeps
    and moves nothing."""
    asked = Asked(place.top or place.git_dir, git.environ, now, look_only=True)
    with closing(Session(asked, place, git)) as session:
        return session.public
