"""A look at what is about to be committed below `.continuity/`: what is private, breaks the format, or was edited.

A private file stops the commit, whatever the policy says: it may be forced in (`git add -f`), or come by an ignore file
that a merge brought. So does what is private by what it says, wherever it was put (`store/commit_gate.py`). A record
that breaks the format stops it unless the policy says `broken_records = "warn"`. A changed immutable file and a format
from the future are only named; so is a grant, an identity or a relationship that an agent wrote in a person's name, for
whoever commits it may carry it into the accepted branch, where it counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from cc_git.codec import paths
from cc_git.governance.leaks import Laid
from cc_git.store.commit_being_made import Making
from cc_git.store.commit_gate import CommitGate
from cc_git.store.disk import read_file
from cc_git.store.git import Git
from cc_git.store.user_index import UserIndex, blobs

ANYWHERE = f":(top,glob)**/{paths.WORKSPACE_DIR}/**"
_INSIDE = f"/{paths.WORKSPACE_DIR}/"
_GATED = tuple(f"{paths.RECORDS}/{kind}/" for kind in ("permission", "identity", "relationship"))


@dataclass(frozen=True, slots=True)
class Finding:
    """`where` is a path from the top level, with a line where it is known. `stops`: for what the commit is stopped."""

    where: str
    what: str
    stops: Literal["private", "leak", "format"] | None = None


@dataclass(frozen=True, slots=True)
class _File:
    """A file that the commit would hold: `before` is HEAD's blob of it, `after` the commit's."""

    prefix: str
    rel: str
    before: str | None
    after: str

    @property
    def path(self) -> str:
        return f"{self.prefix}/{self.rel}"

    @property
    def is_gated(self) -> bool:
        """A record of a kind that needs a person."""
        return self.rel.startswith(_GATED)

    @property
    def is_private(self) -> bool:
        return paths.is_private(self.rel)

    @property
    def is_known_by_name(self) -> bool:
        """A private file of ours, also on a branch without the workspace."""
        return self.is_private and (paths.id_at(self.rel) is not None or self.rel == paths.WORKING_CONTEXT)

    @property
    def tombstone(self) -> str | None:
        """Where the tombstone lies that would explain why the file is empty."""
        # With the rules of the present snapshot it is most of what this module would load, and few files are empty.
        from cc_git.store.classify import owner_of

        owner = owner_of(self.rel)
        return None if owner is None else f"{self.prefix}/{paths.tombstone_path(owner)}"


def check_staged(making: Making, git: Git, gate: CommitGate, known: Collection[str]) -> tuple[Finding, ...]:
    """Findings in the order of their paths. `known` are blobs whose form was checked on writing."""
    index = UserIndex(git, making.index)
    everything = tuple(_files(making, index))
    leaks = _leaks(everything, gate, git)
    files = [file for file in everything if file.after not in known or file.is_gated or file.is_private]
    return (*leaks, *_findings([file for file in files if file.path not in {one.where for one in leaks}], index, git))


def _leaks(files: Collection[_File], gate: CommitGate, git: Git) -> tuple[Finding, ...]:
    """By what it says, and whoever wrote it: a file that somebody moved here waits like any other."""
    data = blobs(git, (file.after for file in files))
    laid: dict[str, list[Laid]] = {}
    for file in files:
        found = data.get(file.after)
        if not file.is_private and found is not None:
            text = found if isinstance(found, bytes) else b"too large to be read"
            laid.setdefault(file.prefix, []).append(Laid(file.rel, file.after, text))
    return tuple(
        Finding(f"{prefix}/{rel}", why, "leak")
        for prefix, there in laid.items()
        for rel, why in gate.leaks(prefix, there).items()
    )


def _findings(files: list[_File], index: UserIndex, git: Git) -> tuple[Finding, ...]:
    if not files:
        return ()
    homes = index.entries({_home(file.prefix) for file in files})
    files = [file for file in files if _home(file.prefix) in homes or file.is_known_by_name]
    data = blobs(git, (*homes.values(), *(file.after for file in files)))
    stops = {home: _stops(data.get(blob, b"")) for home, blob in homes.items()}
    empty = [file for file in files if data.get(file.after) == b""]
    forgotten = index.entries({file.tombstone for file in empty if file.tombstone})
    return tuple(
        finding
        for file in files
        if file.after in data and not (file in empty and file.tombstone in forgotten)
        for finding in _judge(file, data[file.after], stops=stops.get(_home(file.prefix), True))
    )


def _files(making: Making, index: UserIndex) -> Iterator[_File]:
    """What the commit changes below any `.continuity/`; in a merge only what no side of it had."""
    changes = index.changes(making.base, ANYWHERE)
    merged = read_file(making.git_dir / "MERGE_HEAD") if changes else None
    for side in (merged or b"").decode("ascii", "replace").split():
        differs = index.changes(side, ANYWHERE)
        changes = {path: staged for path, staged in changes.items() if path in differs}
    for path, staged in sorted(changes.items()):
        before, inside, rel = f"/{path}".partition(_INSIDE)
        if inside and staged.after is not None:
            yield _File(f"{before}{inside}".strip("/"), rel, staged.before, staged.after)


def _home(prefix: str) -> str:
    return f"{prefix}/{paths.WORKSPACE_FILE}"


def _stops(workspace: bytes | int) -> bool:
    """The policy of the workspace as it will be committed; one that cannot be read keeps the default."""
    # Only a commit that changes records gets here.
    from cc_git.codec.toml_read import TomlFault, load

    if isinstance(workspace, int):
        return True
    try:
        policy = load(workspace.decode()).get("policy", {})
    except (TomlFault, UnicodeDecodeError):
        return True
    return not isinstance(policy, dict) or policy.get("broken_records", "stop") != "warn"


def _judge(file: _File, data: bytes | int, *, stops: bool) -> Iterator[Finding]:
    if file.is_private:
        yield Finding(file.path, "is private, and stays on this machine", "private")
        return
    # Its models take longer to load than all else here, and most commits need them not.
    from cc_git.codec.files import decode, model_at
    from cc_git.model.fault import Fault, too_large
    from cc_git.model.record import Record

    if file.before is not None and paths.is_immutable(file.rel):
        yield Finding(file.path, "is written once, and this commit changes it; cc-git correct keeps both")
    if model_at(file.rel) is None or not file.rel.endswith((".toml", ".json")):
        return
    value = too_large(file.rel, data) if isinstance(data, int) else decode(file.rel, data)
    if isinstance(value, Record) and file.is_gated and not value.restrains:
        if value.authority == "user-explicit" and value.actor.startswith("agent:"):
            said = f"{value.actor} wrote this in a person's name; in the accepted branch it would count: {value.title}"
            yield Finding(file.path, said)
    elif isinstance(value, Fault):
        where = file.path if value.line is None else f"{file.path}:{value.line}"
        yield Finding(where, value.reason, "format" if stops and value.code != "future" else None)
