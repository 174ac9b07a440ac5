"""Who stands behind a statement, and how far that carries for which kind."""

from __future__ import annotations

from typing import Literal

Authority = Literal[
    "user-explicit",
    "user-implicit",
    "verified-observation",
    "document",
    "agent-explicit",
    "agent-inference",
    "dream",
]

LADDER: tuple[Authority, ...] = (
    "dream",
    "agent-inference",
    "agent-explicit",
    "document",
    "verified-observation",
    "user-implicit",
    "user-explicit",
)
"""Lowest first: for what belongs to the user, the user is highest."""

OUTSIDE_LADDER: tuple[Authority, ...] = (
    "dream",
    "agent-inference",
    "agent-explicit",
    "user-implicit",
    "user-explicit",
    "document",
    "verified-observation",
)
"""Lowest first: for a belief about the outside world, observation is highest."""

USER: frozenset[Authority] = frozenset({"user-explicit", "user-implicit"})

Sensitivity = Literal["ordinary", "limited", "sensitive", "restricted"]
SENSITIVITIES: tuple[Sensitivity, ...] = ("ordinary", "limited", "sensitive", "restricted")
"""Lowest first."""


def at_most(sensitivity: Sensitivity, ceiling: Sensitivity) -> bool:
    return SENSITIVITIES.index(sensitivity) <= SENSITIVITIES.index(ceiling)
