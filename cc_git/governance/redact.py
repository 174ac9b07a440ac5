"""The working context without what is forgotten: it loses the fields, not the file."""

from __future__ import annotations

from collections.abc import Collection

from cc_git.governance.quotes import Quotes
from cc_git.model.working_context import Question, Task, WorkingContext

_NO_TITLE = "(forgotten)"


def redacted(context: WorkingContext, quotes: Quotes, gone: Collection[str]) -> WorkingContext:
    """`context` with every text that quotes left out, and every link to a forgotten id. Its version is one higher."""

    def clean(text: str | None) -> str | None:
        quoted = text is not None and (quotes.found_in((text,)) == "quote" or any(i in text for i in gone))
        return None if quoted else text

    def kept(identifier: str | None) -> str | None:
        return None if identifier in gone else identifier

    def task(one: Task) -> Task:
        changes = {
            "title": clean(one.title) or _NO_TITLE,
            "note": clean(one.note),
            "reason": clean(one.reason),
            "goal": kept(one.goal),
            "hypotheses": tuple(i for i in one.hypotheses if i not in gone),
        }
        return one.model_copy(update=changes)

    def question(one: Question) -> Question:
        return one.model_copy(update={"answer": clean(one.answer)})

    changes = {
        "version": context.version + 1,
        "project_line": clean(context.project_line),
        "next_step": clean(context.next_step),
        "focus": kept(context.focus),
        "trigger": kept(context.trigger),
        "returned": tuple(text for text in context.returned if clean(text) is not None),
        "questions": tuple(question(one) for one in context.questions if clean(one.text) is not None),
        "tasks": tuple(task(one) for one in context.tasks),
    }
    return context.model_copy(update=changes)
