"""Further conditions, for the table alone: kinds of repositories, and what is around them.

Each is made of a party, as those of `conditions` are; `VARIABLES` are set from the beginning.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unicodedata
from pathlib import Path

from tests import kinds

from .party import Party

_NOBODY = 65_534
VARIABLES: dict[str, dict[str, str]] = {
    "objects_by_sha256": kinds.KINDS["sha256"],
    "refs_in_tables": kinds.KINDS["reftable"],
    "read_by_the_git_program": kinds.KINDS["program"],
    "the_language_is_c": {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
}


def why_not(name: str) -> str | None:
    """Why this machine cannot have the condition."""
    if name == "refs_in_tables":
        return kinds.why_not("reftable")
    if name == "it_belongs_to_somebody_else" and os.geteuid() != 0:
        return "only root can give a repository to somebody else"
    if name == "a_signature_by_gpg" and shutil.which("gpg") is None:
        return "no gpg here"
    return None


def objects_by_sha256(_: Path, party: Party) -> None:
    assert party.git("rev-parse", "--show-object-format") == "sha256"


def refs_in_tables(_: Path, party: Party) -> None:
    party.around |= {"PATH": kinds.around("reftable").get("PATH", os.environ["PATH"])}


def read_by_the_git_program(_: Path, party: Party) -> None:
    assert party.environ()["CC_GIT_ENGINE"] == "git"


def the_language_is_c(_: Path, party: Party) -> None:
    assert party.environ()["LC_ALL"] == "C"


def bare(folder: Path, party: Party) -> None:
    """The origin itself, as a server has it: read by us, never written."""
    party.git("remote", "add", "origin", str(folder / "mother.git"), where=folder / "origin.git")
    party.git("clone", "-q", "--bare", "origin.git", "mother.git", where=folder)
    party.top, party.is_bare = folder / "origin.git", True


def unborn_branch(folder: Path, party: Party) -> None:
    """A repository without a commit, and an origin without one."""
    party.git("init", "-q", "--bare", "mother.git", where=folder)
    party.git("init", "-q", "-b", "main", "unborn", where=folder)
    party.top = folder / "unborn"
    (party.top / "kept").mkdir()
    for name in ("code.c", "other.c", "kept/more.c"):
        (party.top / name).write_text(f"{name}\n")
    party.git("remote", "add", "origin", str(folder / "mother.git"))
    party.cc("init", "--name", "unborn")
    party.cc("hooks", "install")


def a_branch_without_the_workspace(_: Path, party: Party) -> None:
    """What waits waits on, and every command says on which branch it was begun."""
    party.begin()
    party.git("checkout", "-q", "-b", "old", "HEAD~2")


def three_workspaces(_: Path, party: Party) -> None:
    for name in ("api", "web"):
        (party.top / name).mkdir()
        (party.top / name / "code.c").write_text(f"{name}\n")
        party.cc("init", "--here", "--name", name, where=party.top / name)
        party.cc("remember", f"{name} alone", "-k", "decision", where=party.top / name)
        party.others.append(name)
    party.git("add", "-A")
    party.git("commit", "-q", "-m", "two more")
    for name in party.others:
        party.cc("remember", f"{name} waiting", "-k", "decision", where=party.top / name)


def _below(party: Party, form: str) -> None:
    name = unicodedata.normalize(form, "café und tée")  # type: ignore[arg-type]
    (party.top / name).mkdir()
    (party.top / name / "code.c").write_text("c\n")
    party.cc("init", "--here", "--name", "cafe", where=party.top / name)
    party.cc("remember", "In the café", "-k", "decision", where=party.top / name)
    party.git("add", "-A")
    party.git("commit", "-q", "-m", "a café")
    party.code = f"{name}/code.c"
    party.others.append(name)
    party.cc("remember", "Waiting in the café", "-k", "decision", where=party.top / name)


def below_a_folder_in_nfc(_: Path, party: Party) -> None:
    _below(party, "NFC")


def below_a_folder_in_nfd(_: Path, party: Party) -> None:
    _below(party, "NFD")


def it_belongs_to_somebody_else(_: Path, party: Party) -> None:
    for path in (party.top, *party.top.rglob("*")):
        os.lchown(path, _NOBODY, _NOBODY)
    party.git("config", "--global", "safe.directory", str(party.top), where=party.folder)


def a_hooks_path_of_the_repository(_: Path, party: Party) -> None:
    """The lines that `hooks install` prints are in the hooks there."""
    hooks = party.top / ".githooks"
    hooks.mkdir()
    party.git("config", "core.hooksPath", ".githooks")
    told = [line.strip() for line in party.cc("hooks", "install", code=None).splitlines()]
    for name in ("pre-commit", "pre-push"):
        line = next((t for t in told if t.startswith("cc_git_hook=") and f"hooks/{name}" in t), "true")
        assert line != "true" or not party.ours
        (hooks / name).write_text(f"#!/bin/sh\n{line}\n")
        (hooks / name).chmod(0o755)
    (party.top / ".git/info/exclude").open("a").write(".githooks\n")


def there_is_no_home(_: Path, party: Party) -> None:
    party.git("config", "user.name", "Ana")
    party.git("config", "user.email", "ana@example.org")
    party.around |= {"HOME": None, "XDG_CONFIG_HOME": None, "GIT_CONFIG_GLOBAL": None}


def nobody_has_a_name(_: Path, party: Party) -> None:
    (party.home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n[init]\n\tdefaultBranch = main\n")


def a_signature_by_gpg(_: Path, party: Party) -> None:
    home = tempfile.mkdtemp(prefix="g", dir="/tmp")  # its sockets need a short path
    party.around |= {"GNUPGHOME": home}
    making = ["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "ana@example.org", "ed25519"]
    subprocess.run(making, check=True, capture_output=True, env=party.environ())
    party.git("config", "commit.gpgSign", "true")
    party.git("config", "user.signingKey", "ana@example.org")
    party.ends.append(lambda: _end_gpg(party, home))


def _end_gpg(party: Party, home: str) -> None:
    subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True, env=party.environ())
    shutil.rmtree(home, ignore_errors=True)


def a_clock_that_runs_backwards(_: Path, party: Party) -> None:
    party.around |= {f"GIT_{role}_DATE": "2020-01-01T00:00:00Z" for role in ("AUTHOR", "COMMITTER")}


def attributes_that_stand_above_ours(_: Path, party: Party) -> None:
    """`info/attributes` is stronger than the file that we lay beside our own: records wait on, and Git takes what is
    committed for changed, the user's as ours."""
    (party.top / "settings.toml").write_text("small = 1\n")
    party.git("add", "-A")
    party.git("commit", "-q", "-m", "settings")
    party.git("config", "filter.shout.clean", "tr a-z A-Z")
    (party.top / ".git/info/attributes").write_text("*.toml filter=shout\n")


def stashed_by_itself(_: Path, party: Party) -> None:
    for name in ("rebase.autoStash", "merge.autoStash", "pull.rebase", "rerere.enabled", "fetch.prune"):
        party.git("config", name, "true")


def a_hook_that_refuses_the_message(_: Path, party: Party) -> None:
    """As commitlint and its like do: a hook that refuses the message."""
    hook = party.top / ".git/hooks/commit-msg"
    hook.write_text('#!/bin/sh\n! grep -q "^x$" "$1"\n')
    hook.chmod(0o755)


SURROUNDINGS = (
    objects_by_sha256, refs_in_tables, read_by_the_git_program, the_language_is_c, bare, unborn_branch,
    a_branch_without_the_workspace, three_workspaces, below_a_folder_in_nfc, below_a_folder_in_nfd,
    it_belongs_to_somebody_else, a_hooks_path_of_the_repository, there_is_no_home, nobody_has_a_name,
    a_signature_by_gpg, a_clock_that_runs_backwards, attributes_that_stand_above_ours, stashed_by_itself,
    a_hook_that_refuses_the_message,
)  # fmt: skip
