"""What would have been kept, where there is no workspace to keep it in: the exact files, ready to copy."""

from __future__ import annotations

from collections.abc import Callable

from cc_git.codec import paths
from cc_git.codec.files import path_for
from cc_git.entropy import fresh_entropy
from cc_git.errors import DELETION, PERSISTENCE, VALIDATION, CcGitError
from cc_git.governance.plan import Mint, Plan
from cc_git.model.policy import Policy
from cc_git.wiring.carry_out import artifact_of
from cc_git.wiring.session import Asked

_THEN = f"then save what is shown at its place below {paths.WORKSPACE_DIR}/: the next command takes it in"


def with_files(missing: CcGitError, asked: Asked, make: Callable[[Mint], Plan]) -> None:
    """Note on `missing` the files that `make` plans. Raises UsageFault where what was asked is wrong in itself."""
    plan = make(Mint(asked.now, fresh_entropy))
    private = plan.is_private(Policy().tracked_ceiling)
    files = {paths.private(rel) if private else rel: value for value in plan.files for rel in (path_for(value),)}
    missing.artifact = artifact_of(files, paths.WORKSPACE_DIR, (PERSISTENCE, VALIDATION, DELETION))
    missing.hints = (*missing.hints, _THEN, *(f"and {rel} beside it" for rel in plan.attached))
