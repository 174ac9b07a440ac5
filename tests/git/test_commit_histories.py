"""Random work of a person on both twins: after every command of Git's nothing of the user's differs from plain Git, and
at the end every record is committed, waits, or is named as having been taken away by the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from .twins import Side, Twins, make_twins

SEEDS = 16
STEPS = 25
BAD, GOOD = "bad", "good"
FORMS = (
    (),
    ("-a",),
    ("--amend",),
    ("--allow-empty",),
    ("-a", "--amend"),
    ("code.c",),
    ("-i", "other.c"),
    ("--no-verify",),
)


@dataclass
class Work:
    """Both sides are given the same choices.

    After a commit that was stopped with our entries in the index (`stopped`), a command of ours comes before Git's next
    one half of the time; otherwise only commits follow (docs/git-integration.md names the cases that are left out).
    """

    twins: Twins
    rng: Random
    records: dict[str, bytes]
    stopped: bool = False
    trace: list[str] = field(default_factory=list)

    def both(self, *words: str, stdin: str | None = None, **variables: str) -> int:
        codes = [side.git(*words, stdin=stdin, **variables) for side in (self.twins.ours, self.twins.plain)]
        self.trace.append(f"git {' '.join(words)} → {codes}")
        return codes[0]

    def edit(self, name: str, text: str) -> None:
        for side in (self.twins.ours, self.twins.plain):
            side.write(name, text)

    @property
    def at_base(self) -> bool:
        """Before it the twins have nothing in common: to take it back takes the workspace from one of them."""
        return self.twins.plain.run("rev-parse", "-q", "--verify", "HEAD~1") != 0

    def any_text(self) -> str:
        return "".join(f"{self.rng.randrange(3)}\n" for _ in range(3))


def remember(work: Work) -> None:
    if (work.twins.ours.top / ".continuity" / "workspace.toml").exists():
        rel, data = work.twins.memory.remember(work.rng)
        work.records[rel] = data
        work.stopped = False


def look(work: Work) -> None:
    work.twins.memory.look()
    work.stopped = False


def edit(work: Work) -> None:
    work.edit(work.rng.choice(("code.c", "other.c", "new.c")), work.any_text())


def stage(work: Work) -> None:
    edit(work)
    work.both("add", "code.c", "other.c")


def unstage(work: Work) -> None:
    work.both("restore", "--staged", "code.c", "other.c")


def undo(work: Work) -> None:
    """Nothing of the user's is staged any more."""
    work.both("checkout", "-q", "HEAD", "--", "code.c", "other.c")


def stop(work: Work) -> None:
    """A commit of something, stopped after our hook."""
    stage(work)
    work.stopped = work.both("commit", "-qm", BAD) != 0 or work.stopped


def commit(work: Work) -> None:
    """In any form, with a message that the commit-msg hook lets through or not."""
    form = work.rng.choice(
        (
            (),
            ("-a",),
            ("--amend",),
            ("--allow-empty",),
            ("-a", "--amend"),
            ("code.c",),
            ("-i", "other.c"),
            ("--no-verify",),
        )
    )
    message = work.rng.choice((BAD, GOOD, GOOD))
    _look_before_records_alone(work, *form)
    failed = work.both("commit", "-qm", message, *form) != 0
    work.stopped = work.stopped or failed


def _look_before_records_alone(work: Work, *form: str) -> None:
    """With nothing of the user's staged, ours would commit what a stopped commit left, where plain Git has nothing."""
    nothing_staged = work.twins.plain.run("diff", "--cached", "--quiet") == 0
    if work.stopped and nothing_staged and not {"--amend", "--allow-empty"} & {*form}:
        look(work)


def commit_by_an_editor(work: Work) -> None:
    _look_before_records_alone(work)
    failed = work.both("commit", "-q", GIT_EDITOR=work.rng.choice(("false", "true"))) != 0
    work.stopped = work.stopped or failed


def branch(work: Work) -> None:
    name = work.rng.choice(("one", "two"))
    if work.both("switch", "-q", name) != 0:
        work.both("switch", "-qc", name)


def home(work: Work) -> None:
    work.both("switch", "-q", "main")


def merge(work: Work) -> None:
    name = work.rng.choice(("one", "two", "main"))
    if work.both("merge", "-q", "-m", "merged", name) != 0:
        if work.rng.random() < 0.5:
            work.edit("code.c", "both\n")
            work.edit("other.c", "both\n")
            work.both("add", "code.c", "other.c")
            work.both("commit", "-qm", GOOD)
        work.both("merge", "--abort")


def rebase(work: Work) -> None:
    if work.both("rebase", "-q", work.rng.choice(("one", "two", "main"))) != 0:
        work.both("rebase", "--abort")


def cherry_pick(work: Work) -> None:
    if work.both("cherry-pick", work.rng.choice(("one", "two", "main"))) != 0:
        work.both("cherry-pick", "--abort")


def revert(work: Work) -> None:
    if work.at_base:
        return
    if work.both("revert", "--no-edit", "HEAD") != 0:
        work.both("revert", "--abort")


def stash(work: Work) -> None:
    work.both("stash")


def pop(work: Work) -> None:
    work.both("stash", "pop")


def reset_soft(work: Work) -> None:
    """What the commit held is staged then, records as well, as the user wished; the twin has none to stage."""
    if work.at_base:
        return
    if work.both("reset", "-q", "--soft", "HEAD~1") == 0:
        work.twins.ours.run("restore", "--staged", ".continuity")


def reset_mixed(work: Work) -> None:
    if work.at_base:
        return
    work.both("reset", "-q", "HEAD~1")


def reset_hard(work: Work) -> None:
    if work.at_base:
        return
    work.both("reset", "-q", "--hard", work.rng.choice(("HEAD", "HEAD~1")))


COMMITTING: tuple[Callable[[Work], None], ...] = (
    *(edit, stage, unstage, undo, undo, commit, commit, commit_by_an_editor, look),
)
EVERYTHING: tuple[Callable[[Work], None], ...] = (
    *COMMITTING,
    *(stop, stop, stop, commit, commit, remember, remember, remember),
    *(branch, home, merge, rebase, cherry_pick, revert, stash, pop, reset_soft, reset_mixed, reset_hard),
)


def check(work: Work) -> None:
    ours, plain = (_comparable(side) for side in (work.twins.ours, work.twins.plain))
    assert ours == plain, "\n".join(work.trace[-12:])


def _comparable(side: Side) -> dict[str, object]:
    return side.seen() | {"unmerged": side.ask("diff", "--name-only", "--diff-filter=U").splitlines()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_work_goes_as_with_plain_git_and_no_record_is_lost(seed: int, tmp_path: Path) -> None:
    run(seed, tmp_path)


def run(seed: int, folder: Path) -> None:
    twins = make_twins(folder)
    work = Work(twins, Random(seed), dict(twins.waiting))
    for side in (twins.ours, twins.plain):
        side.hook("commit-msg", f'! grep -q {BAD} "$1"')
    for _ in range(STEPS):
        if work.stopped and work.rng.random() < 0.5:
            look(work)
        step = work.rng.choice(COMMITTING if work.stopped else EVERYTHING)
        work.trace.append(f"[{step.__name__}]")
        step(work)
        check(work)
    _nothing_lost(work)


def _nothing_lost(work: Work) -> None:
    present = work.twins.memory.look()
    taken = {*present.withdrawn, *present.elsewhere, *present.stranded, *present.guests}
    for rel in work.records:
        classes = [rel in present.waiting, rel in present.committed, rel in taken]
        assert sum(classes) == 1, (rel, classes, work.trace)
