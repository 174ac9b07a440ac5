"""What of the files that a commit or a push would hold must not get into it, and why: what is private
(`governance/leaks.py`) and what looks like a secret (`governance/secrets.py`).

The ceiling is the lower one of the policy that the commit itself would hold and of what a person stands behind. What a
branch of this clone, local or fetched, has in its history at the same path is out already: a merge, a revert or a
cherry-pick brings nothing new. All of that is asked only where a file has something to hide, which hardly any has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cc_git.codec import paths
from cc_git.errors import CcGitError
from cc_git.governance.leaks import Ground, Laid, grounds
from cc_git.model.authority import Sensitivity, at_most
from cc_git.store.confirmations import Confirmations
from cc_git.store.git import Git
from cc_git.store.place import Place
from cc_git.store.private_tier import PrivateTier, has_writes
from cc_git.store.user_index import UserIndex, blobs

if TYPE_CHECKING:
    from cc_git.governance.secrets import Secret


@dataclass(frozen=True, slots=True)
class Committing:
    """The commit being made: `head` is HEAD's (None: unborn), `index` what is to be committed. `allowed` gives the
    texts that a person allowed in a workspace although they look like secrets; it is asked where one is found.

    Of a push, `head` is what the remote has, and `out` are the words for `git log` that name what is out of our
    hands already. `ceiling` is a lower one than the workspace's, if any.
    """

    place: Place
    git: Git
    index: UserIndex
    head: str | None
    allowed: Callable[[Place], Collection[str]] = lambda _: ()
    out: tuple[str, ...] = ("--branches", "--remotes")
    ceiling: Sensitivity | None = None


class CommitGate:
    def __init__(self, made: Committing) -> None:
        self._made = made
        self._workspaces: dict[str, _Workspace] = {}

    def leaks(self, prefix: str, files: Sequence[Laid], home: bytes | None = None) -> dict[str, str]:
        """Path below the workspace at `prefix` → why it must not be committed, as the end of a sentence about it.
        `home` is its `workspace.toml`, where neither the files nor the index have it."""
        workspace = self._workspace(prefix, files, home)
        found = ((file.rel, _why(workspace, file)) for file in files)
        return {rel: why for rel, why in found if why is not None}

    def secrets(self, prefix: str, files: Sequence[Laid]) -> dict[str, tuple[Secret, ...]]:
        """Path below the workspace at `prefix` → what in it looks like a secret, and nobody allowed."""
        workspace = self._workspace(prefix, files)
        found = {file.rel: secrets for file in files if (secrets := workspace.secrets(file, ()))}
        public = workspace.public if found else ()
        if public:
            found = {file.rel: secrets for file in files if (secrets := workspace.secrets(file, public))}
        blobs_of = {file.rel: file.blob for file in files}
        return {rel: secrets for rel, secrets in found.items() if not workspace.is_out(rel, blobs_of[rel])}

    def _workspace(self, prefix: str, files: Sequence[Laid], home: bytes | None = None) -> _Workspace:
        if prefix not in self._workspaces:
            policy = next((file.data for file in files if file.rel == paths.WORKSPACE_FILE), home)
            self._workspaces[prefix] = _Workspace(self._made, prefix, policy)
        return self._workspaces[prefix]

    @property
    def unread(self) -> str | None:
        """Why what is private was looked for on disk alone, once it had to be."""
        if all(workspace.is_read for workspace in self._workspaces.values()):
            return None
        return "the journal cannot be read, so what is private was looked for on disk alone (cc-git doctor)"

    def knows(self, prefix: str) -> bool:
        """A workspace of ours is at `prefix`, though the commit may lack it: on disk, in HEAD or in the journal."""
        place, git, head = self._made.place, self._made.git, self._made.head
        home = f"{prefix}/{paths.WORKSPACE_FILE}"
        if place.top is not None and (place.top / home).is_file():
            return True
        if head is not None and git.run("ls-tree", "-z", head, "--", home).stdout:
            return True
        return has_writes(place.common_dir, prefix, git.environ)


def _why(workspace: _Workspace, file: Laid) -> str | None:
    """A fault met with one file hides none of the others, nor that file."""
    try:
        ground = workspace.leak(file)
        return None if ground is None else ground.in_words(workspace.ceiling)
    except (OSError, CcGitError) as fault:
        return f"may hold what is private, and could not be looked at: {fault}"


class _Workspace:
    def __init__(self, made: Committing, prefix: str, policy: bytes | None) -> None:
        self._made, self._prefix, self._policy = made, prefix, policy
        place = made.place
        self._place = Place(place.top, place.git_dir, place.common_dir, prefix)
        folders = () if self._place.directory is None else (self._place.directory,)
        self._private = PrivateTier(place.common_dir, folders, made.git.environ, self._is_committed)

    @property
    def is_read(self) -> bool:
        return self._private.is_read

    def leak(self, file: Laid) -> Ground | None:
        above = [one for one in grounds(file, self._private) if not at_most(one.sensitivity, self.ceiling)]
        if self._home is None:
            # What another tool says of its own files is its business.
            above = [one for one in above if one.sort not in ("says", "unread")]
        if not above or self.is_out(file.rel, file.blob):
            return None
        attested = file.blob in Confirmations(self._place).blobs()
        return next((one for one in above if one.sort != "names" or not attested), None)

    def secrets(self, file: Laid, public: Collection[str]) -> tuple[Secret, ...]:
        # Its patterns are compiled as it is loaded.
        from cc_git.governance.secrets import secrets_in, secrets_in_name

        if self._home is None or file.data is None:
            return ()
        return (*secrets_in(file.data, public), *secrets_in_name(file.rel, public))

    @cached_property
    def public(self) -> Collection[str]:
        """None of it can be had where the workspace cannot be looked at: then what is found counts."""
        with suppress(OSError, CcGitError):
            return self._made.allowed(self._place)
        return ()

    @cached_property
    def _home(self) -> bytes | None:
        """`workspace.toml` as it will be committed; None where there is none."""
        if self._policy is not None:
            return self._policy
        home = f"{self._prefix}/{paths.WORKSPACE_FILE}"
        found = self._made.index.entries((home,)).get(home)
        data = None if found is None else blobs(self._made.git, (found,)).get(found)
        return data if isinstance(data, bytes) else None if found is None else b""

    @cached_property
    def ceiling(self) -> Sensitivity:
        # Their models take longer to load than all else here.
        from cc_git.codec.files import decode
        from cc_git.governance.sensitivity import ceiling
        from cc_git.model.policy import Policy, Workspace
        from cc_git.store.accepted import accepted_policy, find_accepted, said_ceiling
        from cc_git.store.repository import open_repository

        git = self._made.git
        said = decode(paths.WORKSPACE_FILE, self._home or b"")
        tree = said.policy if isinstance(said, Workspace) else Policy()
        engine = open_repository(self._place, git)
        try:
            accepted = accepted_policy(engine, find_accepted(engine, self._place, git.own_config))
        finally:
            engine.close()
        counts = ceiling(tree, accepted, said_ceiling(git.own_config))
        most = self._made.ceiling
        return counts if most is None or at_most(counts, most) else most

    def _is_committed(self, rels: Iterable[str]) -> bool:
        """HEAD has a file there, and not an empty one: no link, folder or submodule in its place."""
        names = [f"{self._prefix}/{rel}" for rel in rels]
        if self._made.head is None or not names:
            return False
        listed = self._made.git.run("ls-tree", "-l", "-z", self._made.head, "--", *names).stdout
        told = (line.partition(b"\t")[0].split() for line in listed.split(b"\0") if line)
        return any(mode.startswith(b"100") and size != b"0" for mode, _, _, size in told)

    def is_out(self, rel: str, blob: str) -> bool:
        """A branch of this clone has these bytes at this path, or had them."""
        path = f"{self._prefix}/{rel}"
        revisions = (*self._made.out, *((self._made.head,) if self._made.head else ()))
        options = ("-1", "--format=%H", "--ignore-missing", f"--find-object={blob}")
        words = ("log", *options, *revisions, "--", f":(top,literal){path}")
        return bool(self._made.git.run("-c", "log.showSignature=false", *words, check=False).stdout.strip())
