"""What one file is found to be, whoever asks: the pre-commit hook, or `cc-git check`.

A file below `private/` is private whatever it says. A changed immutable file and a format from the future are named; so
is a grant, an identity or a relationship that an agent wrote in a person's name, for whoever takes it into the accepted
branch attests it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cc_git.codec import paths
from cc_git.governance.screen import REMEDIES
from cc_git.review.finding import Code, Finding, found

if TYPE_CHECKING:
    from cc_git.governance.secrets import Secret

_GATED = tuple(f"{paths.RECORDS}/{kind}/" for kind in ("permission", "identity", "relationship"))


@dataclass(frozen=True, slots=True)
class OneFile:
    """A file of the workspace at `prefix`, as it would be: `before` is the blob that was there, None for a new one."""

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
    def is_place_of_ours(self) -> bool:
        """Where nothing but a plain file of ours belongs, if there is a workspace."""
        return paths.is_immutable(self.rel) or paths.folder_of(self.rel) in (paths.RUNBOOKS, paths.WORKSPACE_FILE)


def no_plain_file(path: str) -> Finding:
    """A link or a submodule would pass for a file that is committed, whatever the policy says of broken ones."""
    return found("format", path, "is a link or a submodule, and only a plain file belongs here")


def secret_at(path: str, one: Secret) -> Finding:
    """What is found names the rule and the place; in the name of a file the place is its folder."""
    where = path if one.line else f"{path.rpartition('/')[0]}/"
    return found("secret", where, one.says if one.line else f"has a file whose name {one.says}", line=one.line or None,
                 helps=REMEDIES[0])  # fmt: skip


def found_in(file: OneFile, data: bytes | int) -> Iterator[Finding]:
    """`data` are its bytes, or their number where there are too many to read. Nobody asks about the empty place of a
    forgotten one."""
    if file.is_private:
        helps = "git rm -r --cached <path> takes it out and leaves it on disk"
        yield found("private", file.path, "is private, and stays on this machine", helps=helps)
        return
    # Its models take longer to load than all else in the hook, and most commits need them not.
    from cc_git.codec.files import decode, line_of, model_at
    from cc_git.model.fault import Fault, too_large
    from cc_git.model.record import Record

    if file.before not in (None, file.after) and paths.is_immutable(file.rel):
        says = "is written once, and this changes it; cc-git correct keeps both"
        yield found("edited", file.path, says)
    if model_at(file.rel) is None or not file.rel.endswith((".toml", ".json")):
        return
    value = too_large(file.rel, data) if isinstance(data, int) else decode(file.rel, data)
    if isinstance(value, Record) and isinstance(data, bytes):
        new = file.is_gated and not value.restrains and file.before != file.after
        if new and value.authority == "user-explicit" and value.actor.startswith("agent:"):
            says = f"{value.actor} wrote this in a person's name; in the accepted branch it would count"
            yield found("in-a-persons-name", file.path, says, line=line_of(data, "authority"))
    elif isinstance(value, Fault):
        code: Code = "future" if value.code == "future" else "format"
        yield found(code, file.path, value.reason, line=value.line, helps="mend the file, or take it out")
