"""States of the index: what stood in a snapshot when it was judged, kept until time or a file changes it.

A *state* is everything that standing depends on but the clock; its key names all of it. `paths` leads from the mark of
a question to the anchored paths, and with the code there to the state; `last` leads to where a worktree's next state
starts from.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cc_git.compiler.cards import millis
from cc_git.store import index_form as form
from cc_git.store.cache import Cache
from cc_git.store.index_base import open_base
from cc_git.store.index_change import Situation
from cc_git.store.index_layer import Judged, Layer
from cc_git.store.index_question import Question

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class State:
    """`judged` holds from `computed` until before `valid_until` (milliseconds)."""

    judged: Judged
    computed: int
    situation: Situation

    @property
    def valid_until(self) -> int | None:
        return min((group.valid_until for group in self.judged.timed), default=None)

    @property
    def until(self) -> datetime | None:
        """When a standing changes by itself, as the rules say."""
        micros = [group.until for group in self.judged.timed if group.until is not None]
        return _EPOCH + timedelta(microseconds=min(micros)) if micros else None

    def holds_at(self, now: datetime) -> bool:
        at, until = millis(now), self.valid_until
        return self.computed <= at and (until is None or at < until)


def known_state(question: Question, cache: Cache) -> State | None:
    """The state of exactly this question, if it was judged before and still holds."""
    payload = cache.get("paths", question.mark)
    if payload is None:
        return None
    state = _state_at(_key(question, form.load(payload)), cache)
    return state if state is not None and state.holds_at(question.now) else None


def last_state(question: Question, cache: Cache) -> State | None:
    """The last state of this worktree (else of any of the clone's), if it was judged under the same policy."""
    for name in (question.where, question.place.prefix):
        payload = cache.get("last", name)
        if payload is not None:
            policy, key = form.load(payload)
            state = _state_at(key, cache) if policy == question.policy_mark else None
            if state is not None:
                return state
    return None


def keep_state(question: Question, cache: Cache, state: State) -> None:
    over = state.judged.layer.facts
    anchors = sorted({*state.judged.base.anchors, *(path for one in over for path in one.anchors)})
    key = _key(question, anchors)
    plain = {
        "base": state.judged.base.name,
        "layer": state.judged.layer.plain(),
        "computed": state.computed,
        "situation": state.situation.plain(),
    }
    cache.put("state", {key: zlib.compress(form.dump(plain), 1)})
    cache.put("paths", {question.mark: form.dump(anchors)})
    last = form.dump((question.policy_mark, key))
    cache.put("last", {question.where: last, question.place.prefix: last})


def _key(question: Question, anchors: Collection[str]) -> str:
    return form.name_of(question.mark, form.dump(sorted(question.code(anchors).items())))


def _state_at(key: str, cache: Cache) -> State | None:
    payload = cache.get("state", key)
    if payload is None:
        return None
    plain = form.load(zlib.decompress(payload))
    base = open_base(cache, plain["base"])
    if base is None:
        return None
    return State(Judged(base, Layer.of(plain["layer"])), plain["computed"], Situation.of(plain["situation"]))
