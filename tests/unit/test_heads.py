"""Which checkpoint goes on, which is a line beside, and which is history; pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from cc_git.governance.heads import bring, freeze, heads_of, newest_first, resumed, take, work
from cc_git.governance.plan import Mint
from cc_git.model.ids import new_id
from cc_git.model.work import Line
from cc_git.model.working_context import Checkpoint, Question, Task, WorkingContext
from tests.unit.compiler.world import NOW, identifier

MINT = Mint(NOW, lambda: b"0123456789")


def task(number: int, **fields: Any) -> Task:
    return Task(id=identifier("tsk", number), title=f"Task {number}", **fields)


def checkpoint(number: int, *tasks: Task, after: tuple[int, ...] = (), actor: str = "human:ana",
               commit: str | None = None, minutes: int | None = None, **context: Any) -> Checkpoint:  # fmt: skip
    """The one with this number; `after` are those that it supersedes, `minutes` when it was made, from `NOW`."""
    when = NOW + timedelta(minutes=number - 100 if minutes is None else minutes)
    return Checkpoint(
        id=cp(number), actor=actor, recorded_at=when, commit=commit and commit * 40,
        supersedes=tuple(map(cp, after)), context=WorkingContext(version=number, tasks=tasks, **context),
    )  # fmt: skip


def cp(number: int) -> str:
    return new_id("cp", NOW + timedelta(minutes=number - 100), number.to_bytes(10, "big"))


def never(_one: str, _other: str) -> bool:
    return False


def found(kept: WorkingContext | None, *known: Checkpoint, actor: str = "human:ana", precedes: Any = never,
          tombstones: frozenset[str] = frozenset()) -> tuple[str | None, list[tuple[str, bool]]]:  # fmt: skip
    """What was taken, and the lines beside with whether they are this agent's own."""
    got = work(kept, known, lambda: actor, NOW, precedes, tombstones)
    return got.taken.id if got.taken else None, [(line.checkpoint.id, line.own) for line in got.lines]


def test_what_is_superseded_is_history_and_in_a_circle_nothing_is() -> None:
    one, two, three = checkpoint(1), checkpoint(2, after=(1,)), checkpoint(3, after=(2,))
    assert [c.id for c in heads_of([one, two, three])] == [cp(3)]
    assert [c.id for c in heads_of([one, three])] == [cp(1), cp(3)], "as far as this snapshot tells"
    around = [checkpoint(4, after=(5,)), checkpoint(5, after=(4,)), checkpoint(6, after=(6,))]
    assert {c.id for c in heads_of(around)} == {cp(4), cp(5), cp(6)}


def test_without_a_state_the_newest_of_this_agent_is_taken_and_nobody_elses() -> None:
    theirs, old, new = checkpoint(3, actor="agent:codex"), checkpoint(1), checkpoint(2)
    assert found(None, theirs, old, new) == (cp(2), [(cp(3), False), (cp(1), True)])
    assert found(None, theirs, old, new, actor="agent:other") == (
        None,
        [(cp(3), False), (cp(2), False), (cp(1), False)],
    )
    assert found(None) == (None, [])


def test_newest_is_by_ancestry_before_it_is_by_the_clock_and_a_clock_ahead_gains_nothing() -> None:
    early, late = checkpoint(1, commit="a", minutes=-5), checkpoint(2, commit="b", minutes=-9)

    def precedes(one: str, other: str) -> bool:
        return (one[0], other[0]) == ("a", "b")

    def order(known: list[Checkpoint], how: Callable[[str, str], bool]) -> list[str]:
        return [c.id for c in newest_first(known, NOW, how)]

    assert order([early, late], never) == [cp(1), cp(2)]
    assert order([early, late], precedes) == [cp(2), cp(1)]
    ahead = checkpoint(3, minutes=10_000_000)
    now = checkpoint(4, minutes=0)
    assert order([ahead, now], never) == [cp(4), cp(3)]


def test_a_state_that_changed_nothing_gives_way_to_what_went_on_and_one_that_changed_does_not() -> None:
    first = checkpoint(1, task(1))
    kept = resumed(first)
    on = checkpoint(3, task(1, state="done"), after=(2,), actor="agent:codex")
    between = checkpoint(2, task(1, state="in-progress"), after=(1,))
    assert found(kept, first, between, on) == (cp(3), [])
    changed = kept.model_copy(update={"next_step": "Buy paint"})
    assert found(changed, first, between, on) == (None, [(cp(3), False)])
    beside = checkpoint(4, task(9))
    assert found(kept, first, beside) == (None, [(cp(4), True)]), "a line that does not go on from here is beside"


def test_versions_only_grow() -> None:
    kept = resumed(checkpoint(1, task(1))).model_copy(update={"version": 40})
    got = work(kept, [checkpoint(1, task(1)), checkpoint(2, after=(1,))], lambda: "human:ana", NOW, never)
    assert got.now.version == 41


def test_a_checkpoint_supersedes_what_the_state_goes_on_from_and_nothing_else() -> None:
    first, beside = checkpoint(1, task(1)), checkpoint(2, task(2))
    kept = resumed(first).model_copy(update={"next_step": "Buy paint"})
    turn = freeze(kept, [first, beside], "human:ana", None, MINT)
    (made,) = turn.values
    assert isinstance(made, Checkpoint) and made.supersedes == (cp(1),)
    assert turn.context.basis == (made.id,) and made.context.basis == ()
    assert found(turn.context, first, beside, made) == (None, [(cp(2), True)])
    again = freeze(turn.context, [made, beside], "human:ana", None, MINT)
    assert again.values == () and "Nothing changed" in again.notes[0]


def test_a_redacted_checkpoint_stands_in_the_place_of_the_one_that_was_forgotten() -> None:
    old = checkpoint(1, task(1, note="secret"))
    kept = resumed(old).model_copy(update={"tasks": (task(1),)})
    twin = checkpoint(7, task(1), after=(1,), minutes=1 - 100)
    gone = frozenset({cp(1)})
    assert found(kept, twin, tombstones=gone) == (None, [])
    went_on = checkpoint(8, task(1), after=(1,))
    assert found(kept, went_on, tombstones=gone) == (None, [(cp(8), True)]), "who only went on from it is a line"
    (made,) = freeze(kept, [twin], "human:ana", None, MINT, gone).values
    assert isinstance(made, Checkpoint) and made.supersedes == (cp(1), cp(7))


def test_lines_are_united_by_task_and_what_differs_stays_and_is_told() -> None:
    asked = Question(text="Who?", asked_at=NOW)
    ours = WorkingContext(version=5, basis=(cp(1),), tasks=(task(1, state="done"), task(2)), questions=(asked,),
                          next_step="Ours", returned=("a",))  # fmt: skip
    theirs = checkpoint(
        3, task(1), task(2, priority=1), task(3, parent=identifier("tsk", 2)), after=(1,),
        questions=(asked.model_copy(update={"answer": "Bo"}), Question(text="When?", asked_at=NOW)),
        next_step="Theirs", returned=("a", "b"), focus=identifier("tsk", 3),
    )  # fmt: skip
    turn = take(ours, theirs)
    got = turn.context
    assert [(t.id, t.state) for t in got.tasks] == [
        (identifier("tsk", 1), "done"), (identifier("tsk", 2), "ready"), (identifier("tsk", 3), "ready")
    ]  # fmt: skip
    assert (got.basis, got.next_step, got.focus) == ((cp(3),), "Ours", identifier("tsk", 3))
    assert [q.answer for q in got.questions] == ["Bo", None] and got.returned == ("a", "b")
    assert any("done here and ready there" in note for note in turn.notes)
    assert any("differs in other fields" in note for note in turn.notes)
    assert any("Theirs" in note for note in turn.notes)


def test_uniting_that_closes_a_circle_says_so() -> None:
    first, second = identifier("tsk", 1), identifier("tsk", 2)
    ours = WorkingContext(tasks=(task(1), task(2, depends_on=(first,))))
    theirs = checkpoint(1, task(1), task(2), task(3, parent=first, depends_on=(second,)))
    assert any("wait for each other" in note for note in take(ours, theirs).notes)


def test_a_task_of_another_line_comes_with_what_it_hangs_on() -> None:
    top, first = task(1), task(2)
    inner = task(3, parent=top.id, depends_on=(first.id,))
    line = Line(checkpoint(1, top, first, inner, task(4)), own=False)
    assert [t.id for t in bring(WorkingContext(), inner.id, [line]).tasks] == [inner.id, top.id, first.id]
    assert bring(WorkingContext(), identifier("tsk", 9), [line]) == WorkingContext()


def test_a_tidy_checkpoint_keeps_what_is_over_and_the_state_lets_it_go() -> None:
    old, whole, first = task(1, state="done"), task(2, state="dropped"), task(3, state="done")
    still = task(4, parent=whole.id, depends_on=(first.id,))
    state = WorkingContext(version=3, tasks=(old, whole, first, still))
    turn = freeze(state, [], "human:ana", None, MINT, tidy=True)
    (made,) = turn.values
    assert isinstance(made, Checkpoint) and made.context.tasks == state.tasks
    assert [t.id for t in turn.context.tasks] == [whole.id, first.id, still.id]
