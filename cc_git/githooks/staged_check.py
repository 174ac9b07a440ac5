"""A look at what is about to be committed below `.continuity/`: what is private, breaks the format, or was edited.

What is found in one file is what `cc-git check` finds (`review/one_file.py`); here most of it weighs less, for whoever
commits may still think again. A private file stops the commit, whatever the policy says: it may be forced in
(`git add -f`), or come by an ignore file that a merge brought. So does what is private by what it says, wherever it was
put, and what looks like a secret (`store/commit_gate.py`). A record that breaks the format stops it unless the policy
says `broken_records = "warn"`. All else is only named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from cc_git.codec import paths
from cc_git.governance.leaks import LOOKED_THROUGH, Laid
from cc_git.review.finding import Finding, found
from cc_git.review.one_file import OneFile, found_in, no_plain_file, secret_at
from cc_git.store.commit_being_made import Making
from cc_git.store.commit_gate import CommitGate
from cc_git.store.git import Git
from cc_git.store.staged import changes_of_commit
from cc_git.store.user_index import UserIndex, blobs

_INSIDE = f"/{paths.WORKSPACE_DIR}/"


@dataclass(frozen=True, slots=True)
class _File(OneFile):
    is_file: bool = True

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
    """Findings in the order of their paths; an error stops the commit. `known` are blobs whose form was checked on
    writing."""
    index = UserIndex(git, making.index)
    everything = tuple(_files(making, index))
    laid = _laid(everything, git, known)
    leaks, secrets = tuple(_leaks(laid, gate)), tuple(_secrets(laid, gate))
    told = {one.path for one in leaks}
    odd = tuple(_no_files([file for file in everything if not file.is_file and file.path not in told], index))
    told |= {one.path for one in odd}
    files = [file for file in everything if file.after not in known or file.is_gated or file.is_private]
    return (*leaks, *secrets, *odd, *_findings([file for file in files if file.path not in told], index, git, gate))


def _laid(files: Collection[_File], git: Git, known: Collection[str]) -> dict[str, list[Laid]]:
    """By the prefix of their workspace."""
    data = blobs(git, (file.after for file in files), LOOKED_THROUGH)
    laid: dict[str, list[Laid]] = {}
    for file in files:
        held = data.get(file.after)
        is_looked_at = isinstance(held, bytes) or (held is not None and file.after not in known)
        if is_looked_at and not file.is_private:
            text = held if isinstance(held, bytes) else None
            laid.setdefault(file.prefix, []).append(Laid(file.rel, file.after, text))
    return laid


def _leaks(laid: Mapping[str, list[Laid]], gate: CommitGate) -> Iterator[Finding]:
    """By what it says, and whoever wrote it: a file that somebody moved here waits like any other."""
    for prefix, there in laid.items():
        for rel, why in gate.leaks(prefix, there).items():
            yield found("above-ceiling", f"{prefix}/{rel}", why)


def _secrets(laid: Mapping[str, list[Laid]], gate: CommitGate) -> Iterator[Finding]:
    for prefix, there in laid.items():
        for rel, secrets in gate.secrets(prefix, there).items():
            yield from (secret_at(f"{prefix}/{rel}", one) for one in secrets)


def _no_files(files: list[_File], index: UserIndex) -> Iterator[Finding]:
    homes = index.entries({_home(file.prefix) for file in files}) if files else {}
    for file in files:
        if paths.id_at(file.rel) is not None or (file.is_place_of_ours and _home(file.prefix) in homes):
            yield no_plain_file(file.path)


def _findings(files: list[_File], index: UserIndex, git: Git, gate: CommitGate) -> tuple[Finding, ...]:
    if not files:
        return ()
    homes = index.entries({_home(file.prefix) for file in files})
    prefixes = {file.prefix for file in files if file.is_private and _home(file.prefix) not in homes}
    left = {prefix for prefix in prefixes if gate.knows(prefix)}
    files = [
        file
        for file in files
        if _home(file.prefix) in homes or file.is_known_by_name or (file.is_private and file.prefix in left)
    ]
    data = blobs(git, (*homes.values(), *(file.after for file in files)))
    stops = {home: _stops(data.get(blob, b"")) for home, blob in homes.items()}
    empty = [file for file in files if data.get(file.after) == b""]
    forgotten = index.entries({file.tombstone for file in empty if file.tombstone})
    return tuple(
        finding
        for file in files
        if file.after in data and not (file in empty and file.tombstone in forgotten)
        for finding in _weighed(found_in(file, data[file.after]), stops=stops.get(_home(file.prefix), True))
    )


def _files(making: Making, index: UserIndex) -> Iterator[_File]:
    """What the commit changes below any `.continuity/`."""
    for path, staged in changes_of_commit(index, making.git_dir, making.base).items():
        before, inside, rel = f"/{path}".partition(_INSIDE)
        if inside and staged.after is not None:
            yield _File(f"{before}{inside}".strip("/"), rel, staged.before, staged.after, staged.is_file)


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


def _weighed(findings: Iterator[Finding], *, stops: bool) -> Iterator[Finding]:
    for finding in findings:
        error = finding.code == "private" or (finding.code == "format" and stops)
        yield replace(finding, level="error" if error else "warning")
