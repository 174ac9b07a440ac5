"""What speaks for a hypothesis and against it, and which is worth testing first.

The score is a sum of factors in thousandths: how likely it is said to be, what it would mean, what the evidence that
stands makes of it, less what it costs to find out. Evidence is what supports or contradicts it by a link, and what was
observed that it was taken from; each weighs by who stands behind it (a person's word that nobody attested as the word
of an agent, who may have written it down), and the strength is what supports out of all, with
one unit of doubt: two observations do not make certain. What was merged into a hypothesis brings its evidence along,
and what it borrows evidence from lends it; each counts once. Nothing here changes what a hypothesis counts as.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cc_git.governance.links import Edge, in_order
from cc_git.model.authority import Authority
from cc_git.model.episode import Episode
from cc_git.model.kinds import Hypothesis
from cc_git.model.record import Record
from cc_git.model.value import Value
from cc_git.model.verdict import Verdict

WEIGHTS: Mapping[str, int] = {"likely": 35, "impact": 35, "evidence": 20, "cost": -10}
"""In hundredths of the score."""
SUPPORTS, CONTRADICTS, MERGED_INTO, BORROWS = "supports", "contradicts", "merged-into", "borrows-evidence-from"
_READ = frozenset({SUPPORTS, CONTRADICTS, MERGED_INTO, BORROWS, "sources", "derived_from"})
"""The links that anything is weighed by."""
_NEUTRAL, _DOUBT = 500, 1000
_BEARS: Mapping[Authority, int] = {
    "verified-observation": 1000, "user-explicit": 800, "document": 700, "user-implicit": 600, "agent-explicit": 500,
    "agent-inference": 300, "dream": 0,
}  # fmt: skip
_WORDS = {"none": 0, "low": 200, "small": 200, "minor": 200, "medium": 500, "moderate": 500, "high": 800, "large": 800,
          "major": 800, "critical": 1000}  # fmt: skip
_NUMBER = re.compile(r"(0(?:\.\d+)?|1(?:\.0+)?|\.\d+)(?![\d.%])|(\d{1,2}|100) ?%")
_OBSERVED = frozenset({"observation", "outcome"})
_SEEN = frozenset({"verified-observation", "document"})
_FROM_CTX = "ctx-evidence"


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """`of` is the hypothesis that it is linked to, which may be one that was merged into this or that it borrows of."""

    id: str
    supports: bool
    weight: int
    of: str


@dataclass(frozen=True)
class Weighed:
    """`factors` and `score` are thousandths. `unsaid` are the factors that nobody gave in a form that counts, taken as
    neutral. `merged` are the hypotheses that were merged into it."""

    id: str
    score: int
    factors: Mapping[str, int]
    evidence: tuple[Evidence, ...]
    unsaid: tuple[str, ...]
    merged: tuple[str, ...]


def weigh(
    values: Mapping[str, Value],
    edges: Collection[Edge],
    verdicts: Mapping[str, Verdict],
    attested: Collection[str] = (),
) -> tuple[Weighed, ...]:
    """Every hypothesis that stands and was not merged into another that stands; the best first. `attested` are the
    episodes that a person is bound to."""
    bears = _Bears(values, verdicts, attested)
    standing = {
        i for i, v in values.items() if isinstance(v, Record) and v.kind == Hypothesis.KIND and _holds(i, verdicts)
    }
    into: dict[str, list[str]] = {}
    ahead: dict[str, list[str]] = {}
    about: dict[str, list[Edge]] = {}
    for edge in sorted((edge for edge in edges if edge.what in _READ), key=in_order):
        if edge.what == MERGED_INTO:
            into.setdefault(edge.target, []).append(edge.source)
            ahead.setdefault(edge.source, []).append(edge.target)
        elif edge.what in (SUPPORTS, CONTRADICTS):
            about.setdefault(edge.target, []).append(edge)
        elif edge.what in ("sources", "derived_from", BORROWS):
            about.setdefault(edge.source, []).append(edge)
    found = []
    for identifier in standing:
        merged = _reached(identifier, into) - {identifier}
        if (_reached(identifier, ahead) - merged - {identifier}) & standing:
            continue
        record = values[identifier]
        assert isinstance(record, Record)
        evidence = _evidence({identifier, *merged}, about, bears)
        found.append(_weighed(record, tuple(sorted(evidence)), tuple(sorted(merged))))
    return tuple(sorted(found, key=lambda one: (-one.score, one.id)))


def _weighed(record: Record, evidence: tuple[Evidence, ...], merged: tuple[str, ...]) -> Weighed:
    payload = record.payload
    assert isinstance(payload, Hypothesis)
    said = {
        "likely": None if record.confidence is None else round(record.confidence * 1000),
        "impact": measure(payload.impact),
        "cost": measure(payload.cost_to_validate),
    }
    factors = {name: _NEUTRAL if value is None else value for name, value in said.items()}
    factors["evidence"] = strength(evidence)
    score = sum(weight * factors[name] for name, weight in WEIGHTS.items()) // 100
    unsaid = tuple(name for name, value in said.items() if value is None)
    return Weighed(record.id, score, {name: factors[name] for name in WEIGHTS}, evidence, unsaid, merged)


def strength(evidence: Iterable[Evidence]) -> int:
    """In thousandths: what supports, of all that there is and one unit of doubt."""
    once = {(one.id, one.supports): one.weight for one in evidence}
    supports = sum(weight for (_, by), weight in once.items() if by)
    return 1000 * supports // (sum(once.values()) + _DOUBT)


def measure(text: str | None) -> int | None:
    """What a field of prose begins with, in thousandths: a number from 0 to 1, per cent, or a word; else None."""
    if not text or not text.strip():
        return None
    number = _NUMBER.match(text.strip())
    if number is not None:
        return round(float(number[1]) * 1000) if number[1] else int(number[2]) * 10
    first = re.match(r"[a-z]+", text.strip().casefold())
    return None if first is None else _WORDS.get(first[0])


def _evidence(hypotheses: set[str], about: Mapping[str, list[Edge]], bears: _Bears) -> Iterator[Evidence]:
    lent = {edge.target for one in hypotheses for edge in about.get(one, ()) if edge.what == BORROWS}
    seen: set[tuple[str, bool]] = set()
    for one in sorted(hypotheses) + sorted(lent - hypotheses):
        for edge in about.get(one, ()):
            by = edge.source if edge.what in (SUPPORTS, CONTRADICTS) else edge.target
            supports = edge.what != CONTRADICTS
            counts = edge.what in (SUPPORTS, CONTRADICTS) or _observed(bears.values.get(by))
            weight = bears.weight_of(by) if counts and by not in hypotheses else None
            if edge.what != BORROWS and weight is not None and (by, supports) not in seen:
                seen.add((by, supports))
                yield Evidence(by, supports, weight, one)


def _observed(value: Value | None) -> bool:
    """What a hypothesis was taken from is evidence where it was observed or concluded; that it was said is none, and of
    an import its own text comes along beside its evidence."""
    if isinstance(value, Episode) and value.type == "import":
        return _FROM_CTX in value.tags
    if isinstance(value, Episode):
        return value.type in _OBSERVED or value.authority in _SEEN
    return isinstance(value, Record)


@dataclass(frozen=True)
class _Bears:
    """What single things weigh as evidence."""

    values: Mapping[str, Value]
    verdicts: Mapping[str, Verdict]
    attested: Collection[str]

    def weight_of(self, identifier: str) -> int | None:
        """None for what is not here or does not stand."""
        value = self.values.get(identifier)
        if isinstance(value, Episode):
            return self._weight(value.authority, attested=identifier in self.attested)
        verdict = self.verdicts.get(identifier)
        if verdict is None or not verdict.eligible:
            return None
        return self._weight(verdict.authority, attested=verdict.attested)

    def _weight(self, authority: Authority, *, attested: bool) -> int:
        return _BEARS["agent-explicit" if authority == "user-explicit" and not attested else authority]


def _holds(identifier: str, verdicts: Mapping[str, Verdict]) -> bool:
    verdict = verdicts.get(identifier)
    return verdict is not None and verdict.eligible


def _reached(start: str, ahead: Mapping[str, list[str]]) -> set[str]:
    """By any number of steps; a circle that a merge brought ends by itself."""
    found, waiting = {start}, [start]
    while waiting:
        for after in ahead.get(waiting.pop(), ()):
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found
