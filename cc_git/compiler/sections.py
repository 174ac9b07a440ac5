"""The order of a packet: what opens it, then the nine responsibilities, always in this order."""

from __future__ import annotations

ORIGIN = "Origin"
WORK = "Work in hand"
RUNBOOKS = "Runbooks"
EPISODES = "Recent episodes"

SECTIONS: tuple[str, ...] = (
    ORIGIN,
    WORK,
    RUNBOOKS,
    "Identity and role",
    "Goals and agenda",
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
    "focus": WORK,
    "next-step": WORK,
    "task": WORK,
    "question": WORK,
    "returned": WORK,
    "line": WORK,
    "hand-off": WORK,
    "runbook": RUNBOOKS,
    "identity": "Identity and role",
    "user_model": "Identity and role",
    "goal": "Goals and agenda",
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
