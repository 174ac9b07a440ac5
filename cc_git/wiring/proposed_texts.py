"""The texts that look like secrets and are allowed in what `check` judges: by the base, and by what is proposed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from cc_git.codec import paths
from cc_git.errors import CcGitError
from cc_git.governance.public_text import ACTION, allowed_by
from cc_git.model.attestation import Attestations
from cc_git.model.kinds import Permission
from cc_git.model.policy import Policy
from cc_git.model.record import Record
from cc_git.standing import standing
from cc_git.store.accepted import accepted_blobs
from cc_git.store.loader import load, read_object, reading
from cc_git.store.negatives import SeenElsewhere
from cc_git.wiring.public_texts import allowed_in
from cc_git.wiring.session import Session


def public_here(session: Session) -> tuple[str, ...]:
    """Those that stand on this clone; on a runner, and where there is no workspace, none."""
    with suppress(CcGitError):
        return allowed_in(session.place, session.git, session.now)
    return ()


def public_in(session: Session, blobs: Mapping[str, str], policy: Policy, seen: SeenElsewhere) -> tuple[str, ...]:
    """Those that stand in these files (path → blob) once all of them are accepted."""
    read = reading(session.engine.blob, session.journal.blob)
    folder = f"{paths.RECORDS}/{Permission.KIND}/"
    values = (read_object(rel, blob, read) for rel, blob in blobs.items() if rel.startswith(folder))
    named = [value.id for value in values if isinstance(value, Record) and _is_one(value)]
    if not named:
        return ()
    # What stands depends on all that was ruled, and this is asked only where a secret was found.
    files = load({rel: blob for rel, blob in blobs.items() if not paths.is_private(rel)}, read).files
    attested = Attestations(accepted=accepted_blobs(blobs), accepted_policy=policy)
    judged = standing(files, policy, attested, seen.value, session.now)
    found = (
        allowed_by(files.records[one][0].value, judged.verdicts[one], session.workspace.scope)
        for one in named
        if one in files.records and one in judged.verdicts
    )
    return tuple(text for text in found if text is not None)


def _is_one(record: Record) -> bool:
    return isinstance(record.payload, Permission) and record.payload.action == ACTION
