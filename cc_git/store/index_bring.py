"""Bringing the index to a snapshot: what stands in it, from what stood in the last one and what differs.

The last state of this worktree is taken, the files that differ are found by comparing trees, with attestations,
negatives and anchored code that differ and instants that have come, and only the parts of the snapshot that these touch
are judged again. Without a last state, or under another policy, or when very much differs, everything is judged and
written as a new base. A base that much was laid over is written anew from what is known, without judging.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cc_git.codec import paths
from cc_git.compiler.cards import millis
from cc_git.errors import Damaged
from cc_git.model.attestation import SeenNegative as Negative
from cc_git.model.fault import Fault
from cc_git.model.value import Value
from cc_git.store import index_base
from cc_git.store import index_form as form
from cc_git.store.cache import Cache, LayeredCache
from cc_git.store.engine import MissingObject
from cc_git.store.index_base import BaseLost, open_base
from cc_git.store.index_change import (
    Forcing,
    affected,
    changed_paths,
    moved_beside_files,
    seeds_beside_files,
    situation_of,
)
from cc_git.store.index_facts import Facts, facts_of, from_now_on, sketch_of
from cc_git.store.index_judge import Ground, Judging, Outcome
from cc_git.store.index_layer import Judged, Layer
from cc_git.store.index_links import Holders, OwnIds, Tokens, seeds_of
from cc_git.store.index_question import Question
from cc_git.store.index_state import State, keep_state, known_state, last_state
from cc_git.store.loader import read_object
from cc_git.store.negative_acts import Item

_COMPARED_AT_MOST = 2000
"""Changed files beyond which everything is judged, unless the base is ten times as large."""
_LAID_OVER_AT_MOST = 600
"""Size of a layer up to which no base is written anew, however small the base is."""
_KEPT_VALUES = 10_000
"""Decoded values held at once while everything is judged; one takes some 3.5 KB."""


def bring(question: Question, cache: Cache) -> State | None:
    """The state that the question is about; None where the index cannot help: before the instants it knows."""
    layered = LayeredCache(cache)
    state = known_state(question, layered)
    if state is not None:
        return state
    last = last_state(question, layered)
    if last is not None and millis(question.now) < last.computed:
        return None
    with form.without_collecting():
        work = _Bringing(question, layered)
        try:
            state = None if last is None else work.from_last(last)
        except BaseLost:
            state = None
        if state is None:
            state = work.anew()
        if work.complete:
            keep_state(question, layered, state)
    return state


class _Bringing:
    def __init__(self, question: Question, cache: LayeredCache) -> None:
        self._question = question
        self._cache = cache
        self._forced: dict[Item, Negative] = {}
        self._forcings: list[Forcing] = []
        for negative in question.negatives.value.seen.values():
            filed = negative.filed
            self._forced[(filed.rel, filed.blob)] = negative
            self._forcings.append((negative.force, facts_of(filed.rel, filed.blob, filed.value)))
        self._values: dict[Item, Value] = {}
        self.complete = True
        """False when a blob is not in this clone: it may arrive, and nothing in a key would tell."""

    def anew(self) -> State:
        """Judge everything, and write it as a base."""
        question = self._question
        sketched = [self._sketched(rel, blob) for rel, blob in question.files().items()]
        forced = [one for _, one in self._forcings]
        code = question.code(sorted({path for one in sketched for path in one.anchors}))
        judging = self._judging(OwnIds((*sketched, *forced)), code)
        outcome = judging.judge([*sketched, *forced])
        facts = [judging.unusable.get((one.rel, one.blob), one) for one in sketched]
        return self._written(facts, outcome, None)

    def _sketched(self, rel: str, blob: str) -> Facts:
        """Of a record only what decides with whom it is judged: it is decoded when it is judged, and let go."""
        if paths.folder_of(rel) != paths.RECORDS:
            return self._read(rel, blob)
        try:
            data = self._question.read(blob)
        except (MissingObject, Damaged):
            return self._read(rel, blob)
        return from_now_on(sketch_of(rel, blob, data), millis(self._question.now))

    def from_last(self, last: State) -> State | None:
        """Judge again what differs; None when that would be most of it."""
        question, judged = self._question, last.judged
        paths = changed_paths(question.engine, last.situation, question)
        if len(paths) > max(_COMPARED_AT_MOST, judged.base.files // 10):
            return None
        removed: list[Facts] = []
        added: list[Facts] = []
        for rel in sorted(paths):
            old, new = judged.facts_at(rel), question.blob_at(rel)
            if (None if old is None else old.blob) != new:
                removed += () if old is None else (old,)
                added += () if new is None else (self._read(rel, new),)
        files = Judged(judged.base, _with_files(judged, removed, added))
        forced = Tokens(one for _, one in self._forcings)

        def holders(token: str) -> Iterable[Facts]:
            return (*files.holders(token), *forced(token))

        anchors = {*judged.base.anchors, *(path for one in files.layer.facts for path in one.anchors)}
        now = situation_of(question, self._forcings, anchors)
        seeds = [seed for one in (*removed, *added) for seed in seeds_of(one)]
        seeds += seeds_beside_files(question.engine, last.situation, now, holders)
        at = millis(question.now)
        seeds += (f"i:{i}" for group in judged.timed if group.valid_until <= at for i in group.ids)
        moved = moved_beside_files(last.situation, now)
        again, timed = affected(seeds, (one.id for one in (*removed, *moved)), judged.timed, holders)
        outcome = self._judging(holders, now.code).judge(list(again.values()))
        ids = {one.id for one in (*again.values(), *removed, *moved)} - {""}
        files.layer.outcome.timed = [*timed, *outcome.timed]
        _lay_over(judged, files, outcome, ids)
        state = State(files, at, now)
        if files.layer.size > max(_LAID_OVER_AT_MOST, files.base.files // 10):
            return self._written(files.all_facts(), _whole(files), files.base.name)
        return state

    def _read(self, rel: str, blob: str) -> Facts:
        value = read_object(rel, blob, self._question.read)
        if isinstance(value, Fault):
            self.complete = self.complete and value.code != "missing"
        elif len(self._values) < _KEPT_VALUES:
            self._values[(rel, blob)] = value
        return from_now_on(facts_of(rel, blob, value), millis(self._question.now))

    def _judging(self, holders: Holders, code: Mapping[str, str]) -> Judging:
        question = self._question
        ground = Ground(question.rules, question.workspace.policy, question.attest, self._forced, question.now, code)
        return Judging(ground, question.read, holders, self._values)

    def _written(self, facts: list[Facts], outcome: Outcome, before: str | None) -> State:
        question = self._question
        situation = situation_of(question, self._forcings, {path for one in facts for path in one.anchors})
        # What was judged without a blob that is missing serves this command alone.
        name = form.name_of(
            question.mark, form.dump(sorted(situation.code.items())), str(millis(question.now)), before or "",
            "" if self.complete else "incomplete",
        )  # fmt: skip
        facts = sorted(facts, key=lambda one: one.rel)
        for kind, entries in index_base.payloads(name, facts, outcome, before=before).items():
            self._cache.put(kind, entries, lasting=self.complete)
        base = open_base(self._cache, name)
        assert base is not None
        judged = Judged(base, Layer(outcome=Outcome(clashes=base.clashes, timed=base.timed)))
        judged.layer.excluded = judged.count_excluded()
        return State(judged, millis(question.now), situation)


def _with_files(judged: Judged, removed: list[Facts], added: list[Facts]) -> Layer:
    """The layer with other files, and nothing said of them yet."""
    old = judged.layer
    gone = {(one.rel, one.blob) for one in removed}
    return Layer(
        facts=[*(one for one in old.facts if (one.rel, one.blob) not in gone), *added],
        gone=old.gone | {one.rel for one in removed},
        outcome=Outcome(
            dict(old.outcome.verdicts),
            dict(old.outcome.cards),
            dict(old.outcome.bags),
            dict(old.outcome.episodes),
            ghosts=dict(old.outcome.ghosts),
        ),
        was=dict(old.was),
    )


def _lay_over(before: Judged, after: Judged, outcome: Outcome, ids: set[str]) -> None:
    """Let the layer of `after` say of `ids` what was found now, be it that there is nothing."""
    layer = after.layer
    for identifier in ids:
        if identifier.startswith("ep_"):
            layer.outcome.episodes[identifier] = outcome.episodes.get(identifier)
            continue
        if identifier in before.ghosts or identifier in outcome.ghosts:
            layer.outcome.ghosts[identifier] = outcome.ghosts.get(identifier, ())
        verdict = outcome.verdicts.get(identifier)
        if verdict is None and before.verdict(identifier) is None:
            continue
        if identifier not in layer.was:
            layer.was[identifier] = Judged(before.base, Layer()).group_of(identifier)
        layer.outcome.verdicts[identifier] = verdict
        layer.outcome.cards[identifier] = outcome.cards.get(identifier)
        layer.outcome.bags.pop(identifier, None)
        if identifier in outcome.bags:
            layer.outcome.bags[identifier] = outcome.bags[identifier]
    kept = (clash for clash in before.clashes if ids.isdisjoint(clash.ids))
    layer.outcome.clashes = list(form.in_order((*kept, *outcome.clashes)))
    layer.excluded = after.count_excluded()


def _whole(judged: Judged) -> Outcome:
    """All that is known of a snapshot, as if everything had just been judged."""
    return Outcome(
        verdicts=dict(judged.all_verdicts()),
        cards={card.id: card for card in judged.cards},
        bags=judged.all_bags(),
        episodes={card.id: card for card in judged.episodes()},
        clashes=judged.clashes,
        timed=judged.timed,
        ghosts=judged.ghosts,
    )
