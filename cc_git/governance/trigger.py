"""Triggers: what opens or redirects a line of work, written once; and the creation policy for goals and tasks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cc_git.errors import UsageFault
from cc_git.governance.build import build
from cc_git.governance.plan import Mint, receipt_for
from cc_git.governance.working import Turn
from cc_git.model.authority import USER, Authority
from cc_git.model.receipt import Receipt
from cc_git.model.ruling import Ruling
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.trigger import TEXT_LIMIT, Trigger, TriggerKind
from cc_git.model.value import ONE_LINE_LIMIT, clean_line
from cc_git.model.who import Who
from cc_git.model.working_context import Task, WorkingContext
from cc_git.origin.fold import fingerprint, fold
from cc_git.origin.signals import Signals, without_continuity


@dataclass(frozen=True)
class TriggerWish:
    """A request for one trigger; ids are whole. `trace` says where it came from: an episode, an issue, a link."""

    summary: str
    text: str | None = None
    kind: TriggerKind | None = None
    goals: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    runbooks: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()
    scope: Scope = EVERYWHERE


def trigger_from(wish: TriggerWish, who: Who, mint: Mint) -> Trigger:
    """Raises UsageFault where summary or text is too long: a trigger is an origin, not a transcript."""
    text = wish.text or None
    if len(wish.summary) > ONE_LINE_LIMIT:
        raise UsageFault(
            f"the summary has {len(wish.summary)} characters, and a trigger's has at most {ONE_LINE_LIMIT}",
            hints=("say it shorter, and the whole with --text",),
        )
    if text is not None and len(text) > TEXT_LIMIT:
        raise UsageFault(
            f"the text has {len(text)} characters, and a trigger's has at most {TEXT_LIMIT}",
            why="a trigger says what opened a line of work; it is no transcript",
            hints=("keep the whole as evidence (cc-git capture), and name it with --from",),
        )
    return build(
        Trigger,
        id=mint("tr"),
        kind=wish.kind or ("agent-prompt" if who.is_agent else "user-prompt"),
        summary=wish.summary,
        text=text,
        fingerprint=fingerprint(text) if text is not None else None,
        scope=wish.scope,
        actor=who.actor,
        recorded_at=mint.now,
        goal_ids=wish.goals,
        task_ids=wish.tasks,
        runbook_ids=wish.runbooks,
        trace=wish.trace,
    )


def summary_of(text: str) -> str:
    """The beginning of a message, as a summary."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return clean_line(first)


def open_line(context: WorkingContext, wish: TriggerWish, who: Who, mint: Mint, *, private: bool = False) -> Turn:
    """A new trigger, which is then that of what was begun last. Where it names nothing it names the focus, for it is
    that line that it redirects."""
    if not (wish.goals or wish.tasks or wish.runbooks) and context.focus is not None:
        focus = (context.focus,)
        wish = replace(wish, tasks=focus) if context.task(context.focus) is not None else replace(wish, goals=focus)
    trigger = trigger_from(wish, who, mint)
    receipt = _receipt("trigger", trigger, who, mint)
    return Turn(
        context.model_copy(update={"trigger": trigger.id}), values=(trigger,), receipt=receipt, private=private
    )  # fmt: skip


def opens_a_line(task: Task, signals: Signals, *, goal_has_origin: bool) -> bool:
    """A task at the top opens a line of its own: no subtask, no follow-up of a dependency, none that serves a goal with
    an origin, and none whose title says nothing but "go on"."""
    if task.parent is not None or task.depends_on or (task.goal is not None and goal_has_origin):
        return False
    return bool(without_continuity(fold(task.title), signals)[0])


def opened_by(turn: Turn, task: Task, who: Who, mint: Mint, *, private: bool) -> Turn:
    """The turn that adds a task, with the trigger that it opens its line with."""
    text = task.note if task.note is not None and len(task.note) <= TEXT_LIMIT else None
    trigger = trigger_from(TriggerWish(task.title, text, tasks=(task.id,)), who, mint)
    return replace(
        turn,
        context=turn.context.model_copy(update={"trigger": trigger.id}),
        values=(trigger,),
        receipt=_receipt("task", trigger, who, mint),
        private=private,
    )


def opened_by_goal(
    goal: str, title: str, said: str | None, authority: Authority, evidence: tuple[str, ...], scope: Scope, who: Who,
    mint: Mint,
) -> Trigger:  # fmt: skip
    """The trigger of a new goal: its title, the words it was said in where they say more, and the evidence."""
    kind: TriggerKind = "user-prompt" if authority in USER else "agent-prompt"
    text = said if said is not None and said != title and len(said) <= TEXT_LIMIT else None
    return trigger_from(
        TriggerWish(title, text, kind, goals=(goal,), trace=evidence, scope=scope), who, mint
    )  # fmt: skip


def archive_trigger(context: WorkingContext, trigger: str, blob: str, reason: str, who: Who, mint: Mint) -> Turn:
    """The ruling that hides a trigger: it is then the origin of nothing, and stays readable."""
    ruling = build(
        Ruling,
        id=mint("ru"),
        verb="archive",
        targets=(trigger,),
        saw=(blob,),
        reason=reason,
        authority="agent-explicit" if who.is_agent else "user-explicit",
        actor=who.actor,
        recorded_at=mint.now,
    )
    left = context.model_copy(update={"trigger": None}) if context.trigger == trigger else context
    receipt = receipt_for("archive", (ruling.id,), (trigger,), who.actor, mint)
    return Turn(left, values=(ruling,), receipt=receipt)


def _receipt(operation: str, trigger: Trigger, who: Who, mint: Mint) -> Receipt:
    return receipt_for(operation, (trigger.id,), (), who.actor, mint)
