"""What differs between two states, and so which files must be judged again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cc_git.codec import paths
from cc_git.store.engine import Engine
from cc_git.store.index_facts import Facts, is_judged
from cc_git.store.index_form import facts_from
from cc_git.store.index_judge import Timed
from cc_git.store.index_links import Holders, seeds_of, touched
from cc_git.store.index_question import Question
from cc_git.store.negative_acts import Item

Forcing = tuple[str, Facts]
"""How a negative that only the clone has seen counts, and what it is tied to."""


@dataclass
class Situation:
    """What a state was judged with, apart from the files themselves, so that the next one can be compared with it."""

    tree: str | None
    over: Mapping[str, str | None]
    accepted: str | None
    confirmed: Mapping[str, str]
    once: Mapping[str, str] = field(default_factory=dict)
    forced: list[Forcing] = field(default_factory=list)
    code: Mapping[str, str] = field(default_factory=dict)
    """Of all anchored paths, those that HEAD has."""

    def plain(self) -> dict[str, Any]:
        return {
            "tree": self.tree,
            "over": dict(self.over),
            "accepted": self.accepted,
            "confirmed": dict(self.confirmed),
            "once": dict(self.once),
            "forced": [(force, tuple(facts)) for force, facts in self.forced],
            "code": dict(self.code),
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Situation:
        facts = facts_from(row for _, row in plain["forced"])
        forced = [(force, one) for (force, _), one in zip(plain["forced"], facts, strict=True)]
        attested = plain["accepted"], plain["confirmed"], plain["once"]
        return cls(plain["tree"], plain["over"], *attested, forced, plain["code"])


def situation_of(question: Question, forced: list[Forcing], anchors: Iterable[str]) -> Situation:
    attestations = question.attestations
    return Situation(
        tree=question.snapshot.tree,
        over=question.over,
        accepted=attestations.branch.tree,
        confirmed=attestations.confirmed_at,
        once=question.negatives.once,
        forced=forced,
        code=question.code(sorted(anchors)),
    )


def changed_paths(engine: Engine, before: Situation, question: Question) -> set[str]:
    """Every judged path at which the two snapshots may differ."""
    changed = set(engine.diff(before.tree, question.snapshot.tree))
    over = question.over
    changed |= {rel for rel in (*before.over, *over) if before.over.get(rel, "") != over.get(rel, "")}
    return {rel for rel in changed if is_judged(rel)}


def moved_beside_files(before: Situation, now: Situation) -> list[Facts]:
    """Negatives that only the clone has seen, and that came, went or count otherwise."""
    return [facts for _, facts in set(before.forced) ^ set(now.forced)]


def seeds_beside_files(engine: Engine, before: Situation, now: Situation, holders: Holders) -> Iterator[str]:
    """Tokens of what is to be judged again for another reason than a changed file."""
    for facts in moved_beside_files(before, now):
        yield from seeds_of(facts)
    attested = _by_twins(engine.diff(before.accepted, now.accepted))
    attested |= _by_twins(rel for _, rel in before.confirmed.items() ^ now.confirmed.items())
    attested |= _by_twins(rel for _, rel in before.once.items() ^ now.once.items())
    for rel in attested:
        for one in holders(f"r:{rel}"):
            yield from seeds_of(one)
    for path, _ in before.code.items() ^ now.code.items():
        yield f"a:{path}"


def _by_twins(rels: Iterable[str]) -> set[str]:
    found = set()
    for rel in rels:
        name = paths.public(rel)
        if is_judged(name):
            found |= {name, paths.private(name)}
    return found


def affected(
    seeds: Iterable[str], gone: Iterable[str], timed: list[Timed], holders: Holders
) -> tuple[dict[Item, Facts], list[Timed]]:
    """The files to judge again, and the timed groups that stay as they are. `gone` are ids of files that went.

    A group that time can change is judged as a whole, because what it waits for is known for the whole only.
    """
    group_of = {identifier: number for number, group in enumerate(timed) for identifier in group.ids}
    opened: set[int] = set()
    left = list(seeds)

    def open_group(identifier: str) -> None:
        number = group_of.get(identifier)
        if number is not None and number not in opened:
            opened.add(number)
            left.extend(f"i:{other}" for other in timed[number].ids)

    for identifier in gone:
        open_group(identifier)
    found: dict[Item, Facts] = {}
    while left:
        more = touched(left, holders)
        left.clear()
        for item, one in more.items():
            if item not in found:
                found[item] = one
                open_group(one.id)
    return found, [group for number, group in enumerate(timed) if number not in opened]
