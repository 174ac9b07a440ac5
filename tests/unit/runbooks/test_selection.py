from __future__ import annotations

import itertools
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cc_git.model.ids import new_id
from cc_git.model.runbook import Runbook
from cc_git.runbooks.selection import Selection, Shelved, Work, select
from tests.unit.compiler.world import NOW

GOAL, TASK, PARENT = (new_id(prefix, NOW, bytes([n] * 10)) for prefix, n in (("goal", 1), ("tsk", 2), ("tsk", 3)))
FAILED = "fatal: Unable to create '/w/.git/index.lock': File exists."


def book(title: str, *, attested: bool = True, **fields: Any) -> Shelved:
    number = sum(title.encode()) % 200
    return Shelved(Runbook(id=new_id("rb", NOW, bytes([number] * 10)), title=title, **fields), title, attested)


def titles(selection: Selection) -> list[str]:
    return [chosen.shelved.runbook.title for chosen in selection.all]


def test_the_exact_task_comes_before_the_goal_and_the_goal_before_words() -> None:
    shelf = [
        book("A words", triggers=("notes",)),
        book("B goal", goal_ids=(GOAL,)),
        book("C task", task_ids=(TASK,)),
        book("D nothing", triggers=("elsewhere",)),
    ]
    found = select(shelf, Work(task=TASK, above=(GOAL,), texts=("write the notes",)))
    assert titles(found) == ["C task", "B goal", "A words"]
    assert [len(found.shown), len(found.named)] == [2, 1]


def test_a_runbook_of_the_task_above_serves_as_one_of_the_goal_does() -> None:
    shelf = [book("A goal", goal_ids=(GOAL,)), book("B above", task_ids=(PARENT,)), book("C task", task_ids=(TASK,))]
    assert titles(select(shelf, Work(task=TASK, above=(PARENT, GOAL)))) == ["C task", "A goal", "B above"]


def test_a_guardrail_goes_first_where_there_is_risk_and_only_there() -> None:
    shelf = [book("A how", triggers=("notes",)), book("B guard", kind="guardrail", triggers=("notes",))]
    calm = select(shelf, Work(texts=("write the notes",)))
    assert (titles(calm), calm.risks) == (["A how", "B guard"], ())
    risky = select(shelf, Work(texts=("publish the notes",)))
    assert (titles(risky), risky.risks) == (["B guard", "A how"], ('the task says "publish"',))
    assert titles(select(shelf, Work(texts=("write the notes",), risky=True))) == ["B guard", "A how"]


def test_a_guardrail_of_words_does_not_go_before_the_runbook_of_the_task() -> None:
    shelf = [book("A task", task_ids=(TASK,)), book("B guard", kind="guardrail", triggers=("deploy",))]
    assert titles(select(shelf, Work(task=TASK, texts=("deploy it",)))) == ["A task", "B guard"]


def test_troubleshooting_sleeps_until_its_own_signal_is_reported() -> None:
    lock = book("Lock", kind="troubleshooting", failure_signals=("index.lock",), task_ids=(TASK,), triggers=("commit",))
    assert titles(select([lock], Work(task=TASK, texts=("commit the lock file",), reported=("it is locked",)))) == []
    woken = select([lock], Work(texts=("commit",), reported=(FAILED,)))
    assert titles(woken) == ["Lock"]
    assert woken.shown[0].reasons == ('the task says "commit"', 'reported: "index.lock"')
    assert titles(select([lock], Work(texts=("what is this index.lock?",)))) == ["Lock"]


def test_a_woken_one_is_shown_even_behind_the_task_and_the_goal() -> None:
    shelf = [
        book("A task", task_ids=(TASK,)),
        book("B goal", goal_ids=(GOAL,)),
        book("C lock", kind="troubleshooting", failure_signals=("index.lock",)),
    ]
    found = select(shelf, Work(task=TASK, above=(GOAL,), reported=(FAILED,)))
    assert [c.shelved.name for c in found.shown] == ["A task", "C lock"]
    assert [c.shelved.name for c in found.named] == ["B goal"]


def test_what_nobody_attested_never_pushes_aside_what_somebody_did() -> None:
    shelf = [
        book("A task", attested=False, task_ids=(TASK,)),
        book("B lock", attested=False, kind="troubleshooting", failure_signals=("index.lock",)),
        book("Y guard", kind="guardrail"),
        book("Z words", triggers=("notes",)),
    ]
    found = select(shelf, Work(task=TASK, texts=("write the notes",), reported=(FAILED,)))
    assert [c.shelved.name for c in found.shown] == ["Z words", "Y guard"]


def test_a_guardrail_that_names_nothing_holds_for_all_work_and_a_procedure_does_not() -> None:
    shelf = [book("Guard", kind="guardrail"), book("How")]
    found = select(shelf, Work(texts=("anything",)))
    assert [(c.shelved.name, c.reasons) for c in found.all] == [("Guard", ("holds for all work",))]


def test_archived_runbooks_are_never_selected() -> None:
    assert titles(select([book("Old", state="archived", task_ids=(TASK,))], Work(task=TASK))) == []


def test_stored_words_in_a_reason_are_quoted() -> None:
    found = select([book("A", triggers=('say "yes"\nnow',))], Work(texts=('say "yes" now',)))
    assert "\n" not in found.shown[0].reasons[0]
    assert found.shown[0].reasons[0].count('"') == 2


_IDS = st.sets(st.sampled_from([GOAL, TASK, PARENT])).map(lambda ids: tuple(sorted(ids)))
_WORDS = st.lists(st.sampled_from(["release", "notes", "index.lock", "deploy"]), max_size=2).map(tuple)
_BOOKS = st.lists(
    st.builds(
        lambda n, attested, **fields: Shelved(
            Runbook(id=new_id("rb", NOW, bytes([n] * 10)), title=f"T{n % 3}", **fields), f"n{n}", attested
        ),
        st.integers(0, 255),
        st.booleans(),
        kind=st.sampled_from(["procedure", "troubleshooting", "policy", "guardrail"]),
        state=st.sampled_from(["active", "active", "archived"]),
        triggers=_WORDS,
        failure_signals=_WORDS,
        goal_ids=_IDS,
        task_ids=_IDS,
    ),
    unique_by=lambda shelved: shelved.name,
    max_size=8,
)
_WORK = st.builds(
    Work,
    task=st.sampled_from([None, TASK]),
    above=st.sampled_from([(), (GOAL,), (PARENT, GOAL)]),
    texts=st.lists(st.sampled_from(["release the notes", "deploy", "idle"]), max_size=2).map(tuple),
    reported=st.sampled_from([(), (FAILED,)]),
    risky=st.booleans(),
)


@given(_BOOKS, _WORK, st.randoms(use_true_random=False))
def test_the_order_on_the_shelf_changes_nothing(shelf: list[Shelved], work: Work, chance: random.Random) -> None:
    shuffled = shelf[:]
    chance.shuffle(shuffled)
    assert select(shuffled, work) == select(shelf, work)


@given(_BOOKS, _WORK)
def test_ranks_hold_for_every_shelf(shelf: list[Shelved], work: Work) -> None:
    found = select(shelf, work)
    attested = [chosen.shelved.attested for chosen in found.all]
    assert len(found.shown) <= 2 and (found.shown or not found.named)
    assert len(found.shown) == min(2, len(found.all))
    assert not any(later and not earlier for earlier, later in itertools.pairwise(attested))
    assert all(chosen.woken for chosen in found.all if chosen.shelved.runbook.kind == "troubleshooting")
    assert all(chosen.reasons and chosen.shelved.runbook.state == "active" for chosen in found.all)
    of_the_task = [c for c in found.all if "for the task in focus" in c.reasons and c.shelved.attested]
    assert not of_the_task or found.shown[0] in of_the_task


@given(_BOOKS, _WORK, _BOOKS)
def test_one_more_unattested_runbook_changes_nothing_of_the_attested(
    shelf: list[Shelved], work: Work, more: list[Shelved]
) -> None:
    arrived = [one._replace(attested=False, name=f"x{one.name}") for one in more]
    before = [c.shelved.name for c in select(shelf, work).shown if c.shelved.attested]
    after = [c.shelved.name for c in select([*shelf, *arrived], work).shown if c.shelved.attested]
    assert after == before
