"""The accepted branch: the ref that the repository's own configuration file, never the tree and never the environment,
names as `continuity.acceptedRef`.

What stands in it was reviewed there, so it attests, and its policy may loosen what other policies only tighten. The
name is taken exactly: a full name (`refs/…`), else a remote-tracking branch, else a local branch. A tag or a revision
such as `HEAD~1` never counts: tags arrive with every fetch, and anybody who may push could name one `origin/main`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cc_git.codec import paths
from cc_git.codec.files import MODELS, decode
from cc_git.model.authority import SENSITIVITIES, Sensitivity
from cc_git.model.fault import Fault
from cc_git.model.policy import Policy, Workspace
from cc_git.store.engine import Engine, MissingObject, TooLarge
from cc_git.store.place import Place

CONFIG_KEY = "continuity.acceptedRef"
CEILING_KEY = "continuity.trackedCeiling"
_REF = re.compile(r"(?!-)[^\x00-\x20\x7f~^:?*\[\\]+")
_LOCAL, REMOTE = "refs/heads/", "refs/remotes/"
_BRANCHES = (_LOCAL, REMOTE)

Config = Callable[[str], str | None]
"""The value of a key in the repository's own configuration."""


@dataclass(frozen=True, slots=True)
class AcceptedBranch:
    """`ref`, `commit` and `tree` (of the workspace) are None where there is none; `warning` says what is wrong."""

    ref: str | None = None
    commit: str | None = None
    tree: str | None = None
    warning: str | None = None

    @property
    def is_local(self) -> bool:
        """Whoever can commit on this clone then decides what is accepted."""
        return self.ref is not None and self.ref.startswith(_LOCAL)


def find_accepted(engine: Engine, place: Place, config: Config) -> AcceptedBranch:
    """Look up the configured branch. A name that leads nowhere attests nothing and is warned about."""
    named = config(CONFIG_KEY)
    if named is None or not named.strip():
        return AcceptedBranch()
    named = named.strip()
    refs = engine.refs()
    found = [name for name in _candidates(named) if name in refs]
    if not found:
        return AcceptedBranch(warning=f"{CONFIG_KEY} names {_shown(named)}, and there is no such branch")
    if len(found) > 1:
        both = " and ".join(found)
        return AcceptedBranch(warning=f"{CONFIG_KEY} names {_shown(named)}, which could be {both}: give the full name")
    commit = refs[found[0]]
    try:
        entry = engine.entry(engine.commit(commit).tree, place.prefix)
    except MissingObject:
        return AcceptedBranch(found[0], commit, None, f"the commit of {found[0]} is not in this clone")
    return AcceptedBranch(found[0], commit, entry.oid if entry is not None and entry.is_tree else None)


def _candidates(named: str) -> tuple[str, ...]:
    if not _REF.fullmatch(named):
        return ()
    if named.startswith("refs/"):
        return (named,) if named.startswith(_BRANCHES) else ()
    return (f"{REMOTE}{named}", f"{_LOCAL}{named}")


def _shown(named: str) -> str:
    return repr(named[:120])


def accepted_blobs(files: Mapping[str, str]) -> frozenset[str]:
    """The blobs that stand as objects in the accepted tree (path → blob): not what lies there as an attachment or in
    quarantine, which nobody accepted as a record."""
    return frozenset(blob for rel, blob in files.items() if stands(rel))


def stands(rel: str) -> bool:
    """The path is one where an object of the tracked tier counts."""
    folder = paths.folder_of(rel)
    if paths.is_private(rel) or folder not in MODELS:
        return False
    return folder == paths.RUNBOOKS or paths.id_at(rel) is not None


def said_ceiling(config: Config) -> Sensitivity | None:
    """Up to which sensitivity files may be tracked, as a person said on this clone; nothing else is taken for one."""
    said = config(CEILING_KEY)
    return next((one for one in SENSITIVITIES if one == said), None)


def accepted_policy(engine: Engine, branch: AcceptedBranch) -> Policy | None:
    """The policy in the accepted branch's `workspace.toml`, or None where there is none that can be read."""
    if branch.tree is None:
        return None
    entry = engine.entry(branch.tree, paths.WORKSPACE_FILE)
    if entry is None or not entry.is_file:
        return None
    try:
        value = decode(paths.WORKSPACE_FILE, engine.blob(entry.oid))
    except (MissingObject, TooLarge):
        return None
    return value.policy if isinstance(value, Workspace) and not isinstance(value, Fault) else None


def remote_branches(engine: Engine) -> tuple[str, ...]:
    """The short names of all remote-tracking branches, sorted (`origin/main`)."""
    return tuple(sorted(name.removeprefix(REMOTE) for name in engine.refs(REMOTE)))


def local_branch(engine: Engine, named: str) -> str | None:
    """The full name of the local branch that somebody means by `named`, or None."""
    full = named if named.startswith(_LOCAL) else f"{_LOCAL}{named}"
    return full if full in engine.refs(_LOCAL) else None
