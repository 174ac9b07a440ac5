"""Following HEAD through its reflog: from where the last command stopped, or from the beginning."""

from __future__ import annotations

from cc_git.store.git import Git
from cc_git.store.journal_state import ReflogPosition
from cc_git.store.position import Moves, moves, moves_of_head

from .histories.worktree import Worktree

A, B, C, D, ZERO = ("a" * 40, "b" * 40, "c" * 40, "d" * 40, "0" * 40)


def line(old: str, new: str, second: int = 1, message: str = "commit: said") -> bytes:
    return f"{old} {new} Ana <ana@example.org> {second} +0000\t{message}".encode()


LOG = [line(ZERO, A), line(A, B), line(B, C)]


def test_first_look_reads_everything():
    found = moves(LOG, ReflogPosition())
    assert found.commits == (A, B, C)
    assert found.position.lines == 3


def test_later_look_reads_what_came_since():
    position = moves(LOG[:2], ReflogPosition()).position
    assert moves(LOG, position).commits == (B, C)
    assert moves(LOG, moves(LOG, position).position).commits == ()


def test_reflog_that_was_cut_or_rewritten_is_read_from_its_beginning():
    position = moves(LOG, ReflogPosition()).position
    assert moves(LOG[1:], position).commits == (A, B, C)
    assert moves([*LOG[1:], line(C, D)], position).commits == (A, B, C, D)


def test_absent_reflog_is_an_empty_one():
    position = moves(LOG, ReflogPosition()).position
    assert moves([], position) == Moves((), ReflogPosition())


def test_position_keeps_nothing_of_a_message():
    secret = moves([line(ZERO, A, message="commit: the password is hunter2")], ReflogPosition()).position
    plain = moves([line(ZERO, A, message="commit: other words")], ReflogPosition()).position
    assert secret == plain


def test_torn_or_odd_lines_do_not_stop_the_look():
    assert moves([b"torn", line(ZERO, A, message="a\rb")], ReflogPosition()).commits == (A,)


def test_reflog_asked_of_the_git_program_names_the_same_commits(work: Worktree):
    """As where refs are in a reftable, which has no reflog in a file."""
    for number in range(3):
        work.commit(str(number))
    work("checkout", "-q", "HEAD~2")
    place = work.memory.place
    from_file = moves_of_head(place, Git(place), ReflogPosition())
    (work.top / ".git" / "reftable").mkdir()
    asked = moves_of_head(place, Git(place), ReflogPosition())
    assert asked.commits == from_file.commits
    work.commit("later")
    assert moves_of_head(place, Git(place), asked.position).commits == (work("rev-parse", "HEAD"),)
