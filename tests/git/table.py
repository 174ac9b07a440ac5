"""Every operation under every condition, beside plain Git: `python -m tests.git.table` writes `docs/conditions.md`.

    python -m tests.git.table [--conditions A,B] [--operations C,D] [--kept FILE] [--write]

A cell is right where the party with a workspace has what plain Git made of the user's files, index, branches and exit
codes; where each record that was there before is there after, or comes back by the branch or by `cc-git restore`; and
where nothing private is in what was pushed, mirrored, bundled or committed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.conftest import SEALED_CONFIG, sealed_environment

from .conditions import ORDINARY
from .operations import OPERATIONS, Operation
from .party import SECRET, Party, every_object
from .surroundings import SURROUNDINGS, VARIABLES, why_not

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conditions.md"
COMMITTED = "Committed before"
Made = Callable[[Path, Party], object]
CONDITIONS: tuple[Made, ...] = (*ORDINARY, *SURROUNDINGS)
_LINKED = "Kept in the linked worktree"
_RIGHT = {"here": "✓", "restored": "r", "elsewhere": "e", "branch": "b", "refused": "p", "none": "–"}
_MARKS = {**_RIGHT, "differs": "≠", "lost": "✗", "returned": "↺", "leaked": "!", "broke": "?"}


@dataclass(frozen=True)
class Cell:
    """`mark` is one of `_MARKS`; `why` says what is wrong, where something is."""

    condition: str
    operation: str
    mark: str
    why: str = ""

    @property
    def is_right(self) -> bool:
        return self.mark in _RIGHT


def cells(condition: Made, operations: Iterable[Operation], folder: Path) -> list[Cell]:
    """One row: the condition is made once, and put back before each operation."""
    parties = [_made(condition, folder / name, ours=name == "ours") for name in ("ours", "plain")]
    kept = folder / "kept"
    kept.mkdir()
    for party in parties:
        _copy(party.folder, kept / party.folder.name)
    places = [(party.top, party.root) for party in parties]
    found = []
    for operation in operations:
        for party, place in zip(parties, places, strict=True):
            _put_back(party, kept, place)
        try:
            found.append(_cell(condition, operation, *parties))
        except AssertionError as fault:
            found.append(Cell(condition.__name__, operation.__name__, "broke", str(fault)))
    for party in parties:
        for end in party.ends:
            end()
    return found


def _made(condition: Made, folder: Path, *, ours: bool) -> Party:
    """One party, under the condition; ours with a committed, a waiting and a private record."""
    party = Party(folder, ours, around=dict(VARIABLES.get(condition.__name__, {})))
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
    if not party.wanted:
        party.begin()
    return party


def _put_back(party: Party, kept: Path, place: tuple[Path, Path]) -> None:
    shutil.rmtree(party.folder)
    _copy(kept / party.folder.name, party.folder)
    party.codes.clear()
    party.gone.clear()
    party.revoked.clear()
    party.refusals = 0
    party.top, party.root = place
    party.said = ""


def _cell(condition: Made, operation: Operation, ours: Party, plain: Party) -> Cell:
    names = condition.__name__, operation.__name__
    try:
        operation(plain)
    except AssertionError as fault:
        return Cell(*names, "none", f"plain Git cannot: {fault}")
    operation(ours)
    differing = [what for what, value in ours.seen().items() if plain.seen()[what] != value]
    if differing:
        shown = differing[0]
        return Cell(*names, "differs", f"{shown}: {ours.seen()[shown]} ≠ {plain.seen()[shown]}")
    if _is_sent(ours):
        return Cell(*names, "leaked", "the private text is in an object of Git's that may be sent")
    mark, why = _whereabouts(ours, {*ours.wanted, *([_LINKED] if _LINKED in ours.said else [])})
    if mark in _RIGHT and plain.codes and all(plain.codes):
        return Cell(*names, "none", "plain Git refuses each command of it")
    return Cell(*names, "refused" if mark in _RIGHT and ours.refusals else mark, why)


def _is_sent(party: Party) -> bool:
    """The private text is in history, or in any object of what was sent somewhere. (What `git stash -a` takes along
    lies in `refs/stash`, which no push sends but one that mirrors, and that is stopped.)"""
    log = ("log", "-p", "--text", "HEAD", "--branches", "--tags", "--remotes")
    sent = (party.folder / "origin.git", party.folder / "mirror.git")
    return SECRET in party.git(*log, code=None, where=party.root) or any(
        SECRET.encode() in every_object(place, party.environ()) for place in sent if place.exists()
    )


def _whereabouts(party: Party, wanted: set[str]) -> tuple[str, str]:
    """Where the records are now; what is not here has to come back, and what was taken away may not."""
    how = "here"
    if any(_has_no_workspace(party, name) for name in ("", *party.others)):
        first = ("rev-list", "--max-parents=0", "HEAD")
        at = party.begun_at or party.git(*first, code=None, where=party.root).strip()
        if party.git("checkout", "-q", "-f", at, code=None, where=party.root):  # its history was written anew
            party.git("checkout", "-q", "-f", "main", code=None, where=party.root)
        party.top, how = party.root, "branch"
    missing = wanted - party.gone - set(party.titles())
    if missing:
        how = "restored"
        if party.is_bare:  # nothing is written there: what a removed worktree left comes back in another one
            party.git("worktree", "add", "-q", str(party.folder / "back"), party.begun_at, where=party.root)
            party.top = party.folder / "back"
        for place in party.places:
            party.cc("restore", "--removed-worktrees", code=None, where=place)
            for rel in _named(party, place):
                party.cc("restore", rel.rpartition("/")[2].removesuffix(".toml"), code=None, where=place)
        missing -= set(party.titles())
    if missing:  # in what another branch had
        how = "elsewhere"
        for place, title in ((place, title) for place in party.places for title in missing):
            party.cc("restore", party.wanted.get(title, title), code=None, where=place)
        missing -= set(party.titles())
    if missing:
        return "lost", f"not there: {', '.join(sorted(missing))}"
    back = party.gone & set(party.titles())
    back |= {i for i in party.revoked if party.data("show", i)["verdict"]["standing"] != "revoked"}
    return ("returned", f"taken away and here again: {', '.join(sorted(back))}") if back else (how, "")


def _copy(source: Path, target: Path) -> None:
    """With owners, times and links."""
    subprocess.run(["cp", "-a", source, target], check=True)


def _has_no_workspace(party: Party, name: str) -> bool:
    """Neither is there one on disk below the folder, nor has HEAD one, or is a commit yet."""
    if (party.root / name / ".continuity/workspace.toml").exists():
        return False
    path = f"{name}/.continuity".lstrip("/")
    return not party.git("ls-tree", "HEAD", "--", path, code=None, where=party.root).startswith("040000")


def _named(party: Party, place: Path) -> list[str]:
    """What `status` names there as withdrawn or stranded."""
    status = json.loads(party.cc("status", "--json", where=place))["data"]
    return [rel for name in ("withdrawn", "stranded") for rel in status[name] if "records/" in rel]


def _row(condition: Made, operations: Sequence[Operation]) -> list[Cell]:
    with tempfile.TemporaryDirectory(prefix="table-") as name:
        home = Path(name) / "home"
        home.mkdir()
        os.environ.clear()
        os.environ.update(_AROUND | sealed_environment(home))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        return cells(condition, operations, Path(name))


_AROUND = {"PATH": os.environ.get("PATH", "")}


def everything(
    conditions: Sequence[Made], operations: Sequence[Operation], *, some: bool = False
) -> Iterator[list[Cell]]:
    """A row for each condition, as they get done; one that this machine cannot have says why. `some`: of each only what
    is chosen for it."""
    with ProcessPoolExecutor(2) as pool:
        lacks = {condition.__name__: why_not(condition.__name__) for condition in conditions}
        able = {
            c.__name__: pool.submit(_row, c, chosen(c) if some else operations)
            for c in conditions
            if not lacks[c.__name__]
        }
        for name, why in lacks.items():
            yield able[name].result() if why is None else [Cell(name, o.__name__, "none", why) for o in operations]


def chosen(condition: Made) -> tuple[Operation, ...]:
    """A few operations for each condition, so that each of both is played at least once."""
    return OPERATIONS[CONDITIONS.index(condition) :: len(CONDITIONS)]


def page(found: Sequence[Cell]) -> str:
    """Markdown: a row for each operation, a column for each condition."""
    conditions = list(dict.fromkeys(cell.condition for cell in found))
    operations = list(dict.fromkeys(cell.operation for cell in found))
    marks = {(cell.operation, cell.condition): _MARKS[cell.mark] for cell in found}
    played = sum(cell.mark != "none" for cell in found)
    lines = [
        "# What happens to records, operation by operation",
        "",
        f"{played} combinations, each played on real repositories beside a twin that plain Git alone drives",
        "(`python -m tests.git.table --write`). Before each, one record is committed, one waits, one is private, and",
        "our hooks are installed. In every cell the user's files, index, branches, stashes and exit codes of Git are",
        "what plain Git made of the twin, and the private text is in no history, and in no object of the remote, of a",
        "mirror or of a bundle. A cell that is empty was not played for this page.",
        "",
        "| mark | every record that was there before |",
        "|---|---|",
        "| ✓ | is there after |",
        "| b | is there again on the branch that has the workspace; on this one there is none |",
        "| r | is named by `status`, and `cc-git restore` brings it back |",
        "| e | was last on another branch: nothing is said here, and `cc-git restore` with its id brings it |",
        "| p | is there after, and our hook stopped, by policy, what would have sent or committed a private file |",
        "| – | does not apply: plain Git cannot do it under this condition either; the records are there |",
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
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.git.table", description=__doc__)
    parser.add_argument("--conditions", default="", help="names, with commas between; default: all")
    parser.add_argument("--operations", default="", help="the same")
    parser.add_argument("--kept", type=Path, help="a file of rows that were right, played no more; new ones are added")
    parser.add_argument("--some", action="store_true", help="of what is not kept a few operations for each condition")
    parser.add_argument("--write", action="store_true", help="write docs/conditions.md")
    asked = parser.parse_args()
    conditions = [one for one in CONDITIONS if not asked.conditions or one.__name__ in asked.conditions.split(",")]
    operations = [one for one in OPERATIONS if not asked.operations or one.__name__ in asked.operations.split(",")]
    kept = _kept(asked.kept, [one.__name__ for one in operations])
    rows = everything([one for one in conditions if one.__name__ not in kept], operations, some=asked.some)
    for row in rows:
        kept[row[0].condition] = row
        wrong = [cell for cell in row if not cell.is_right]
        for cell in wrong:
            _say(f"{cell.operation} × {cell.condition}: {cell.mark}: {cell.why[:600]}")
        if asked.kept and not wrong and not asked.some:
            with asked.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([asdict(cell) for cell in row]) + "\n")
    found = [cell for condition in conditions for cell in kept[condition.__name__]]
    wrong = [cell for cell in found if not cell.is_right]
    idle = [cell for cell in found if cell.mark == "none"]
    _say(f"{len(found) - len(idle)} combinations, {len(wrong)} wrong; {len(idle)} that do not apply")
    if asked.write and not wrong:
        PAGE.write_text(page(found), encoding="utf-8")
    return 1 if wrong else 0


def _kept(file: Path | None, operations: list[str]) -> dict[str, list[Cell]]:
    """Condition → its row, of those that have these operations."""
    lines = file.read_text(encoding="utf-8").splitlines() if file and file.exists() else []
    rows = ([Cell(**cell) for cell in json.loads(line)] for line in lines)
    return {row[0].condition: row for row in rows if [cell.operation for cell in row] == operations}


if __name__ == "__main__":
    raise SystemExit(main())
