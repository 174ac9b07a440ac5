"""The tables of standing as data: ladders, kind × authority, verb × kind, and what is gated.

Levels: an authority's place on the ladder of its kind, doubled; an attested `user-explicit` adds one. So a user's word
that nobody attested ranks just below one that is attested, and above everything below that.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc_git.model.authority import LADDER, OUTSIDE_LADDER, SENSITIVITIES, Authority, Sensitivity
from cc_git.model.kinds import KINDS, Belief
from cc_git.model.policy import GATED, Policy
from cc_git.model.record import Record
from cc_git.model.ruling import Verb
from cc_git.model.verdict import Standing

_LEVELS: dict[str, int] = {authority: 2 * place for place, authority in enumerate(LADDER)}
_OUTSIDE_LEVELS: dict[str, int] = {authority: 2 * place for place, authority in enumerate(OUTSIDE_LADDER)}
ATTESTED = _LEVELS["user-explicit"] + 1
"""The level of an attested person's word on the ladder of everything that restrains."""
PERSON = 2 * len(LADDER)
"""Above every level: what a ruling of an attested person weighs."""
REASON_LEVEL = _LEVELS["agent-explicit"]
"""What an agent must at least speak as to complete an act commitment."""

_EVERY = frozenset(KINDS)
VERB_KINDS: Mapping[Verb, frozenset[str]] = {
    "accept": _EVERY,
    "reject": _EVERY,
    "revoke": _EVERY,
    "complete": frozenset({"goal", "commitment"}),
    "release": frozenset({"goal", "commitment", "permission"}),
    "expire": _EVERY,
    "reopen": frozenset({"decision", "goal", "commitment", "belief", "hypothesis", "procedure"}),
    "resolve": _EVERY,
    "confirm": _EVERY,
    "archive": _EVERY,
}
"""A ruling on a kind that its verb does not fit has no effect there."""

ENDS: Mapping[Verb, Standing] = {
    "revoke": "revoked",
    "complete": "completed",
    "release": "released",
    "archive": "archived",
    "expire": "expired",
}
"""Verbs that end a line, in order of precedence."""

TAKES: frozenset[Verb] = frozenset({*ENDS, "reject", "resolve"})
"""Verbs that take something away: of a damaged or forgotten ruling these count, and no others."""

GLOBAL_VERBS: frozenset[Verb] = frozenset({"revoke", "reject"})
"""Verbs that reach any record from wherever the clone has seen them."""

GATED_VERBS: frozenset[Verb] = frozenset({"accept", "reject", "reopen", "resolve", "archive"})
"""On a gated record these need an attested person."""


def level(record: Record, authority: Authority, *, attested: bool) -> int:
    """How much a word of this authority weighs about this record."""
    return levels_of(record)[authority] + (attested and authority == "user-explicit")


def levels_of(record: Record) -> Mapping[str, int]:
    """Authority → level, on the ladder that fits: what is believed about the outside is ranked by observation."""
    if record.kind != "belief":
        return _LEVELS
    payload = record.payload
    return _OUTSIDE_LEVELS if isinstance(payload, Belief) and payload.basis == "external" else _LEVELS


def higher(one: Sensitivity, other: Sensitivity) -> Sensitivity:
    return one if SENSITIVITIES.index(one) >= SENSITIVITIES.index(other) else other


def needs_of(policy: Policy, accepted: Policy | None) -> dict[str, Authority]:
    """Kind → the least authority that makes a record effective.

    For gated kinds the policy of the tree can only tighten; what loosens them is the policy of the accepted branch.
    """
    needs: dict[str, Authority] = {}
    for kind in KINDS:
        asked = policy.need(kind)
        if kind in GATED:
            base = (accepted or Policy()).need(kind)
            asked = max(asked, base, key=LADDER.index) if kind in policy.needs else base
        needs[kind] = asked
    return needs
