"""The order of a packet: what opens it, then the nine responsibilities, always in this order."""

from __future__ import annotations

ORIGIN = "Origin"
FOCUS = "Focus"
RUNBOOKS = "Runbooks"
GOALS = "Goals and agenda"
EPISODES = "Recent episodes"

SECTIONS: tuple[str, ...] = (
    ORIGIN,
    FOCUS,
    RUNBOOKS,
    "Identity and role",
    GOALS,
    "Commitments",
    "Beliefs and evidence",
    "Decisions and rationale",
    "Relationships and permissions",
    "Procedures",
    "Failures and overrides",
    EPISODES,
)

SECTION_OF_KIND: dict[str, str] = {
    "trigger": ORIGIN,
    "focus": FOCUS,
    "next-step": FOCUS,
    "runbook": RUNBOOKS,
    "identity": "Identity and role",
    "user_model": "Identity and role",
    "goal": GOALS,
    "task": GOALS,
    "question": GOALS,
    "commitment": "Commitments",
    "belief": "Beliefs and evidence",
    "hypothesis": "Beliefs and evidence",
    "decision": "Decisions and rationale",
    "relationship": "Relationships and permissions",
    "permission": "Relationships and permissions",
    "procedure": "Procedures",
    "failure": "Failures and overrides",
    "episode": EPISODES,
}

MAIN_KINDS = frozenset({"identity", "goal", "commitment", "belief", "decision", "permission", "procedure", "failure"})
"""Kinds that a section's name already says; the others are named at each item."""
