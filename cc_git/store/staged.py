"""What a commit would change below any `.continuity/`, by the index that it is made from."""

from __future__ import annotations

from pathlib import Path

from cc_git.codec import paths
from cc_git.store.disk import read_file
from cc_git.store.user_index import Staged, UserIndex

ANYWHERE = f":(top,glob)**/{paths.WORKSPACE_DIR}/**"
ANY_WORKSPACE = f":(top,glob)**/{paths.WORKSPACE_DIR}/{paths.WORKSPACE_FILE}"


def changes_of_commit(index: UserIndex, git_dir: Path, base: str) -> dict[str, Staged]:
    """Path from the top level → its change, sorted; in a merge only what no side of it had."""
    changes = index.changes(base, ANYWHERE)
    merged = read_file(git_dir / "MERGE_HEAD") if changes else None
    for side in (merged or b"").decode("ascii", "replace").split():
        differs = index.changes(side, ANYWHERE)
        changes = {path: staged for path, staged in changes.items() if path in differs}
    return dict(sorted(changes.items()))
