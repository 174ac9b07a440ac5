"""Every operation under every condition, beside plain Git: `python -m tests.git.table` writes `docs/conditions.md`.

    python -m tests.git.table [--conditions A,B] [--operations C,D] [--write]

A cell is right where the party with a workspace has what plain Git made of the user's files, index, branches and exit
codes; where each record that was there before is there after, or comes back by the branch or by `cc-git restore`; and
where nothing private is in what was pushed, mirrored, bundled or committed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import SEALED_CONFIG, sealed_environment

from .conditions import ORDINARY, Make
from .operations import OPERATIONS, Operation
from .party import SECRET, Party, every_object

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conditions.md"
COMMITTED, WAITING = "Committed before", "Waiting still"
_LINKED = "Kept in the linked worktree"
_MARKS = {"here": "✓", "restored": "r", "branch": "b", "differs": "≠", "lost": "✗", "leaked": "!", "broke": "?"}


@dataclass(frozen=True)
class Cell:
    """`mark` is one of `_MARKS`; `why` says what is wrong, where something is."""

    condition: str
    operation: str
    mark: str
    why: str = ""

    @property
    def is_right(self) -> bool:
        return self.mark in ("here", "restored", "branch")


def cells(condition: Make, operations: Iterable[Operation], folder: Path) -> list[Cell]:
    """One row: the condition is made once, and put back before each operation."""
    parties = [_made(condition, folder / name, ours=name == "ours") for name in ("ours", "plain")]
    kept = folder / "kept"
    for party in parties:
        shutil.copytree(party.folder, kept / party.folder.name, symlinks=True)
    found = []
    for operation in operations:
        for party in parties:
            _put_back(party, kept)
        try:
            found.append(_cell(condition, operation, *parties))
        except AssertionError as fault:
            found.append(Cell(condition.__name__, operation.__name__, "broke", str(fault)))
    return found


def _made(condition: Make, folder: Path, *, ours: bool) -> Party:
    """One party, under the condition; ours with a committed, a waiting and a private record."""
    party = Party(folder, ours)
    party.home.mkdir(parents=True)
    (party.home / ".gitconfig").write_text(SEALED_CONFIG)
    party.git("init", "-q", "--bare", "-b", "main", "origin.git", where=folder)
    party.git("config", "uploadpack.allowFilter", "true", where=folder / "origin.git")
    party.git("clone", "-q", "origin.git", "work", where=folder)
    party.git("checkout", "-q", "-B", "main")
    for name in ("code.c", "other.c", "kept/more.c", "kept/third.c"):
        (party.top / name).parent.mkdir(exist_ok=True)
        (party.top / name).write_text(f"{name}\n")
    party.git("add", "-A")
    party.git("commit", "-q", "-m", "base")
    party.cc("init", "--name", "harbour")
    party.cc("hooks", "install")
    party.cc("remember", COMMITTED, "-k", "decision")
    party.cc("remember", SECRET, "-k", "decision", "--sensitivity", "sensitive")
    (party.top / "kept/fourth.c").write_text("with the workspace\n")
    party.git("add", "-A")
    party.git("commit", "-q", "-m", "workspace")
    for branch, name in (("side", "other.c"), ("other", "kept/third.c")):
        party.git("checkout", "-q", "-b", branch, "main")
        (party.top / name).write_text(f"{branch}\n")
        party.git("commit", "-q", "-a", "-m", branch)
    party.git("checkout", "-q", "main")
    party.change("two")
    party.git("branch", "ahead")
    party.git("checkout", "-q", "ahead")
    party.change("three")
    party.git("checkout", "-q", "main")
    party.git("push", "-q", "origin", "--all")
    before = os.environ["HOME"]
    os.environ["HOME"] = str(party.home)
    try:
        condition(folder, party)
    finally:
        os.environ["HOME"] = before
    party.settle()
    party.git("fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", where=party.root)
    for branch in ("side", "other", "ahead"):
        party.git("branch", "-q", branch, f"origin/{branch}", code=None, where=party.root)
    party.cc("remember", WAITING, "-k", "decision")
    if SECRET not in party.cc("list", "--all"):  # another clone has private things of its own
        party.cc("remember", SECRET, "-k", "decision", "--sensitivity", "sensitive")
    return party


def _put_back(party: Party, kept: Path) -> None:
    shutil.rmtree(party.folder)
    shutil.copytree(kept / party.folder.name, party.folder, symlinks=True)
    party.codes.clear()
    party.said = ""


def _cell(condition: Make, operation: Operation, ours: Party, plain: Party) -> Cell:
    names = condition.__name__, operation.__name__
    before = set(ours.titles())
    for party in (ours, plain):
        operation(party)
    differing = [what for what, value in ours.seen().items() if plain.seen()[what] != value]
    if differing:
        shown = differing[0]
        return Cell(*names, "differs", f"{shown}: {ours.seen()[shown]} ≠ {plain.seen()[shown]}")
    if _is_sent(ours):
        return Cell(*names, "leaked", "the private text is in an object of Git's that may be sent")
    return Cell(*names, *_whereabouts(ours, {*before, *({_LINKED} if _LINKED in ours.said else ())}))


def _is_sent(party: Party) -> bool:
    """The private text is in history, or in any object of what was sent somewhere. (What `git stash -a` takes along
    lies in `refs/stash`, which no push sends but one that mirrors, and that is stopped.)"""
    log = ("log", "-p", "--text", "HEAD", "--branches", "--tags", "--remotes")
    sent = (party.folder / "origin.git", party.folder / "mirror.git")
    return SECRET in party.git(*log, code=None, where=party.root) or any(
        SECRET.encode() in every_object(place, party.environ()) for place in sent if place.exists()
    )


def _whereabouts(party: Party, wanted: set[str]) -> tuple[str, str]:
    """Where the records are now; what is not here has to come back."""
    how = "here"
    if not (party.root / ".continuity/workspace.toml").exists() and _has_no_workspace(party):
        party.git("checkout", "-q", "-f", party.begun_at, code=None, where=party.root)
        party.top, how = party.root, "branch"
    missing = wanted - set(party.titles())
    if missing:
        how = "restored"
        party.cc("restore", "--removed-worktrees", code=None)
        for rel in _named(party):
            party.cc("restore", rel.rpartition("/")[2].removesuffix(".toml"), code=None)
        missing -= set(party.titles())
    return ("lost", f"not there: {', '.join(sorted(missing))}") if missing else (how, "")


def _has_no_workspace(party: Party) -> bool:
    """HEAD has none, or is no commit yet."""
    return not party.git("ls-tree", "HEAD", "--", ".continuity", code=None, where=party.root).startswith("040000")


def _named(party: Party) -> list[str]:
    """What `status` names as withdrawn or stranded."""
    status = party.data("status")
    return [rel for name in ("withdrawn", "stranded") for rel in status[name] if "records/" in rel]


def _row(condition: Make, operations: Sequence[Operation]) -> list[Cell]:
    with tempfile.TemporaryDirectory(prefix="table-") as name:
        home = Path(name) / "home"
        home.mkdir()
        os.environ.clear()
        os.environ.update(_AROUND | sealed_environment(home))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        return cells(condition, operations, Path(name))


_AROUND = {"PATH": os.environ.get("PATH", "")}


def everything(conditions: Sequence[Make], operations: Sequence[Operation]) -> list[Cell]:
    with ProcessPoolExecutor(2) as pool:
        rows = [pool.submit(_row, condition, operations) for condition in conditions]
        return [cell for row in rows for cell in row.result()]


def page(found: Sequence[Cell]) -> str:
    """Markdown: a row for each operation, a column for each condition."""
    conditions = list(dict.fromkeys(cell.condition for cell in found))
    operations = list(dict.fromkeys(cell.operation for cell in found))
    marks = {(cell.operation, cell.condition): _MARKS[cell.mark] for cell in found}
    lines = [
        "# What happens to records, operation by operation",
        "",
        f"{len(found)} combinations, each played on real repositories beside a twin that plain Git alone drives",
        "(`python -m tests.git.table --write`). Before each, one record is committed, one waits, one is private, and",
        "our hooks are installed. In every cell the user's files, index, branches, stashes and exit codes of Git are",
        "what plain Git made of the twin, and the private text is in no history, and in no object of the remote, of a",
        "mirror or of a bundle.",
        "",
        "| mark | every record that was there before |",
        "|---|---|",
        "| ✓ | is there after |",
        "| b | is there again on the branch that has the workspace; on this one there is none |",
        "| r | is named by `status`, and `cc-git restore` brings it back |",
        "",
        *(f"{number}. {name.replace('_', ' ')}" for number, name in enumerate(conditions, 1)),
        "",
        "| | " + " | ".join(str(number) for number in range(1, len(conditions) + 1)) + " |",
        "|---" * (len(conditions) + 1) + "|",
    ]
    for operation in operations:
        cells_of = (marks.get((operation, condition), " ") for condition in conditions)
        lines.append(f"| {operation.replace('_', ' ')} | " + " | ".join(cells_of) + " |")
    return "\n".join(lines) + "\n"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.git.table", description=__doc__)
    parser.add_argument("--conditions", default="", help="names, with commas between; default: all")
    parser.add_argument("--operations", default="", help="the same")
    parser.add_argument("--write", action="store_true", help="write docs/conditions.md")
    asked = parser.parse_args()
    conditions = [one for one in ORDINARY if not asked.conditions or one.__name__ in asked.conditions.split(",")]
    operations = [one for one in OPERATIONS if not asked.operations or one.__name__ in asked.operations.split(",")]
    found = everything(conditions, operations)
    wrong = [cell for cell in found if not cell.is_right]
    for cell in wrong:
        _say(f"{cell.operation} × {cell.condition}: {cell.mark}: {cell.why[:600]}")
    _say(f"{len(found)} combinations, {len(wrong)} wrong")
    if asked.write and not wrong:
        PAGE.write_text(page(found))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
