"""The eleven record kinds, in one explicit table. A new kind is a file, a row here and a prefix in `ids`."""

from __future__ import annotations

from typing import Literal

from cc_git.model.ids import KIND_OF_PREFIX
from cc_git.model.kinds.belief import Belief
from cc_git.model.kinds.commitment import Commitment
from cc_git.model.kinds.decision import Decision
from cc_git.model.kinds.failure import Failure
from cc_git.model.kinds.goal import Goal
from cc_git.model.kinds.hypothesis import Hypothesis
from cc_git.model.kinds.identity import Identity
from cc_git.model.kinds.payload import Payload
from cc_git.model.kinds.permission import Permission
from cc_git.model.kinds.procedure import Procedure
from cc_git.model.kinds.relationship import Relationship
from cc_git.model.kinds.user_model import UserModel

Kind = Literal[
    "identity",
    "user_model",
    "relationship",
    "permission",
    "goal",
    "commitment",
    "belief",
    "decision",
    "procedure",
    "failure",
    "hypothesis",
]

PAYLOADS: dict[str, type[Payload]] = {
    model.KIND: model
    for model in (
        Identity,
        UserModel,
        Relationship,
        Permission,
        Goal,
        Commitment,
        Belief,
        Decision,
        Procedure,
        Failure,
        Hypothesis,
    )
}
KINDS: tuple[str, ...] = tuple(PAYLOADS)
PREFIX_OF_KIND = {kind: prefix for prefix, kind in KIND_OF_PREFIX.items()}

__all__ = [
    "KINDS", "PAYLOADS", "PREFIX_OF_KIND", "Belief", "Commitment", "Decision", "Failure", "Goal", "Hypothesis",
    "Identity", "Kind", "Payload", "Permission", "Procedure", "Relationship", "UserModel",
]  # fmt: skip
