"""Where work begins: what is inherited and by which way, and which messages open a line; pure, in seven languages."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import timedelta

import pytest

from cc_git.model.trigger import Trigger
from cc_git.model.working_context import Task
from cc_git.origin.consider import consider
from cc_git.origin.fold import fingerprint
from cc_git.origin.inherit import Ground, origins
from cc_git.origin.signals import NAMES, Signals, signals_from, without_continuity
from cc_git.resources import shipped
from tests.unit.compiler.world import NOW, identifier

LANGUAGES = {
    table["code"]: table
    for table in tomllib.loads((shipped("templates") / "origin-signals.toml").read_text(encoding="utf-8"))["language"]
}
SIGNALS = signals_from(LANGUAGES.values())
AT_HAND = ["Renew the pier", "Drive the piles into the harbour"]

CONTINUES = {
    "en": ("ok", "OK!", "Go ahead, please.", "yes please", "looks good, continue", "👍", "…"),
    "es": ("vale", "sí, continúa por favor", "adelante", "CONTINUA", "otra vez"),
    "pt": ("tá bom, pode fazer", "beleza", "continue por favor", "prossiga"),
    "fr": ("d’accord", "vas-y, merci", "oui, continuez s'il vous plaît", "la suite"),
    "de": ("ja, mach weiter bitte", "weiter", "Passt!", "noch einmal"),
    "zh": ("好的", "好的，继续", "请继续", "可以", "下一步吧"),
    "ja": ("はい、続けてください", "了解です", "次へ", "ＯＫ", "お願いします"),
}
OPENS = {
    "en": (("ok, but never touch the billing schema", "constraint"), ("Ok. Add a dark mode", "opening"),
           ("ok the login crashes with error 500", "issue")),
    "es": (("vale, pero nunca toques la base de datos", "constraint"), ("bien, quiero un informe mensual", "opening"),
           ("sí, pero el pago falla", "issue")),
    "pt": (("ok, mas não altere o esquema", "constraint"), ("certo, cria um relatório mensal", "opening"),
           ("sim, mas o login quebrou", "issue")),
    "fr": (("d'accord, mais il ne faut pas toucher la base", "constraint"), ("oui, ajoute un mode sombre", "opening"),
           ("bien, mais la page plante", "issue")),
    "de": (("weiter, aber es darf nicht langsamer werden", "constraint"), ("gut, erstelle einen Bericht", "opening"),
           ("ja, aber der Import schlägt fehl", "issue")),
    "zh": (("好的，但是不要修改数据库", "constraint"), ("好，添加深色模式", "opening"),
           ("继续，但是登录报错", "issue")),
    "ja": (("はい、でも本番には触らないで", "constraint"), ("よし、新機能を実装", "opening"),
           ("了解、でもエラーが出る", "issue")),
}  # fmt: skip


@pytest.mark.parametrize(("language", "text"), [(code, text) for code, texts in CONTINUES.items() for text in texts])
def test_a_message_that_only_says_to_go_on_is_recognised(language: str, text: str) -> None:
    found = consider(text, SIGNALS, (), AT_HAND)
    assert (found.answer, found.why) == ("inherit", "continuity")
    if any(char.isalpha() for char in text) and text != "ＯＫ":
        alone = signals_from([LANGUAGES[language]])
        assert consider(text, alone, (), AT_HAND).why == "continuity", "by its own language's data"
        assert consider(text, Signals(), (), AT_HAND).why != "continuity", "by the data alone"


@pytest.mark.parametrize("case", [(text, why) for cases in OPENS.values() for text, why in cases], ids=str)
def test_a_message_that_merely_begins_so_is_judged_by_what_follows(case: tuple[str, str]) -> None:
    text, why = case
    found = consider(text, SIGNALS, (), AT_HAND)
    assert (found.answer, found.why) == ("create", why), found


@pytest.mark.parametrize(
    ("text", "answer", "why"),
    [
        ("run the tests again", "inherit", "step"),
        ("commit and push it", "inherit", "step"),
        ("run the tests, but you must not touch the release branch", "create", "constraint"),
        ("Create the piles: drive into the harbour, renew the pier", "inherit", "at-hand"),
        ("no", "inherit", "short"),
        ("The invoices of the Rotterdam office arrive from another system this year", "create", "new"),
        ("okra soup recipes for tomorrow evening are wanted by everybody here", "create", "new"),
    ],
)
def test_the_policy_in_its_order(text: str, answer: str, why: str) -> None:
    found = consider(text, SIGNALS, (), AT_HAND)
    assert (found.answer, found.why) == (answer, why)


def test_with_nothing_at_hand_whatever_says_something_opens_a_line() -> None:
    assert consider("what colour is it?", SIGNALS, (), ()).why == "first"
    assert consider("ok", SIGNALS, (), ()).answer == "inherit"


def test_what_a_trigger_says_already_is_inherited_from_it() -> None:
    text = "Make the invoices of the Rotterdam office arrive in time"
    said = trigger(1, text="x", fingerprint=fingerprint(f"  {text}\n"))
    assert consider(text, SIGNALS, [said], AT_HAND).repeats == said.id
    assert consider(text, SIGNALS, [trigger(2, summary=text)], AT_HAND).repeats == identifier("tr", 2)


def test_people_add_phrases_of_their_own() -> None:
    assert consider("dale gas nomas", SIGNALS, (), AT_HAND).why != "continuity"
    more = signals_from([*LANGUAGES.values(), {"continuity": ["Dale gas", "nomás"]}])
    assert consider("dale gas nomas", more, (), AT_HAND).why == "continuity"


def test_every_language_has_every_sort_of_phrase_and_none_is_lost() -> None:
    assert set(LANGUAGES) == {"en", "es", "pt", "fr", "de", "zh", "ja"}
    for table in LANGUAGES.values():
        assert set(table) == {"code", *NAMES} and all(table[name] for name in NAMES)
        for phrase in table["continuity"]:
            assert without_continuity(next(iter(signals_from([{"continuity": [phrase]}]).continuity)), SIGNALS)[0] == ""


def trigger(number: int, **fields: object) -> Trigger:
    given: Mapping[str, object] = {
        "id": identifier("tr", number), "kind": "user-prompt", "summary": f"Trigger {number}", "actor": "human:ana",
        "recorded_at": NOW + timedelta(minutes=number),
    }  # fmt: skip
    return Trigger(**{**given, **fields})  # type: ignore[arg-type]


def task(number: int, **fields: object) -> Task:
    return Task(id=identifier("tsk", number), title=f"Task {number}", **fields)  # type: ignore[arg-type]


GOAL, ABOVE, OLD = (identifier("goal", n) for n in (1, 2, 3))
BEHIND = {GOAL: (OLD, ABOVE)}


def found(focus: str | None, tasks: list[Task], triggers: list[Trigger], current: str | None = None) -> list[object]:
    ground = Ground({t.id: t for t in tasks}, {t.id: t for t in triggers}, lambda i: BEHIND.get(i, ()), current)
    return [(one.trigger.summary, one.how, one.path) for one in origins(focus, ground)]


def test_direct_is_what_names_the_thing_and_the_rest_is_inherited_nearest_first() -> None:
    top, first = task(1, goal=GOAL), task(2, goal=GOAL)
    inner = task(3, goal=GOAL, parent=top.id, depends_on=(first.id,))
    triggers = [
        trigger(1, goal_ids=(GOAL,)), trigger(2, task_ids=(first.id,)), trigger(3, task_ids=(top.id,)),
        trigger(4, goal_ids=(ABOVE,)), trigger(5, task_ids=(inner.id,)), trigger(6),
    ]  # fmt: skip
    assert found(inner.id, [top, first, inner], triggers) == [
        ("Trigger 5", "direct", ()),
        ("Trigger 3", "inherited", (top.id,)),
        ("Trigger 2", "inherited", (first.id,)),
        ("Trigger 1", "inherited", (GOAL,)),
        ("Trigger 4", "inherited", (GOAL, ABOVE)),
    ]


def test_a_corrected_goal_comes_from_what_the_old_one_came_from() -> None:
    assert found(GOAL, [], [trigger(1, goal_ids=(OLD,))]) == [("Trigger 1", "inherited", (OLD,))]


def test_what_names_nothing_is_never_direct() -> None:
    only = trigger(1)
    assert found(identifier("tsk", 1), [task(1)], [only], only.id) == []
    assert found(None, [task(1)], [only], only.id) == [("Trigger 1", "inherited", ())]
    assert found(None, [task(1)], [only]) == []


def test_a_circle_of_tasks_ends() -> None:
    one, two = task(1, parent=identifier("tsk", 2)), task(2, parent=identifier("tsk", 1))
    assert found(one.id, [one, two], [trigger(1, task_ids=(two.id,))]) == [("Trigger 1", "inherited", (two.id,))]


def test_a_hypothesis_comes_from_the_task_that_tests_it() -> None:
    hypothesis = identifier("hyp", 1)
    tests = task(1, hypotheses=(hypothesis,))
    assert found(hypothesis, [tests], [trigger(1, task_ids=(tests.id,))]) == [("Trigger 1", "inherited", (tests.id,))]
