from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import click

from cc_git.cli.acted import standing_cell
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, opened
from cc_git.cli.options import ID_PART, actor_option, dry_run_option
from cc_git.cli.prompts import choose
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Block, Cell, Heading, Prose, Table
from cc_git.model.id_part import IdPart
from cc_git.model.ids import short
from cc_git.model.sanitise import as_value, quoted

if TYPE_CHECKING:
    from cc_git.model.who import Who
    from cc_git.store.negatives import Sighting
    from cc_git.wiring.acts import Hand
    from cc_git.wiring.review import Item, Queue
    from cc_git.wiring.session import Session

Effects = dict[str, tuple[str, ...]]
"""Id of what waits → what letting it stand would lift and let stand."""
_CHOICES = {"y": "yes, it stands", "n": "no, reject it", "s": "skip", "q": "quit"}
_RULING = {"y": "yes, it is mine", "s": "skip", "q": "quit"}
_RUNBOOK = {"y": "yes, it instructs", "s": "skip", "q": "quit"}
_ANSWERS = {"ruling": _RULING, "runbook": _RUNBOOK}
_WITHHELD = {"y": "let it count here", "n": "dismiss it", "s": "skip", "q": "quit"}


@command()
@click.option("--list", "only_list", is_flag=True, help="Only show what waits; ask nothing.")
def review(call: Call, only_list: bool) -> Outcome:
    """Go through what waits for a person's word, one by one, at a terminal."""
    from cc_git.wiring.review import effects, queue_of

    with opened(call) as session:
        queue, hand = queue_of(session), hand_of(call)
        if only_list or not hand.who.is_person_at_terminal:
            told = {item.filed.value.id: effects(session, item, hand.who) for item in queue.items}
            notes = () if only_list else ("Only a person at a terminal can settle these.",)
            return Outcome(data=_data(queue, told), blocks=_listing(queue, told), notes=notes if queue.items else ())
        settled = _ask_all(call, session, queue, hand)
        left = len(queue.items) + len(queue.withheld) - settled
        return Outcome(data={"settled": settled, "left": left}, blocks=(Prose(f"{settled} settled, {left} left"),))


@command()
@click.argument("part", type=ID_PART, metavar="ID")
@actor_option
@dry_run_option
def dismiss(call: Call, part: IdPart, dry_run: bool) -> Outcome:
    """Let what only another branch takes away stand here all the same: a record, or the negative that withholds it."""
    from cc_git.wiring.review import dismiss as settle

    with opened(call) as session:
        done = settle(session, part, hand_of(call, dry_run=dry_run))
        verb = "would withhold" if dry_run else "withholds"
        lines = [f"{short(one.id)} {verb} nothing here any more" for one in done]
        data = [{"id": one.id, "branch": one.branch, "author": one.author, "file": one.rel} for one in done]
        return Outcome(data={"dismissed": data, "dry_run": dry_run}, blocks=(Prose("\n".join(lines)),))


def _ask_all(call: Call, session: Session, queue: Queue, hand: Hand) -> int:
    from cc_git.wiring.review import accept, reject, settle_withheld

    settled = 0
    for number, item in enumerate(queue.items, 1):
        question = f"\n{number} of {len(queue.items)}{_question(session, item, hand.who)}"
        answer = choose(call, hand.who, question, _ANSWERS.get(item.why, _CHOICES))
        if answer == "q":
            return settled
        if answer == "y":
            accept(session, item, _without_asking(hand))
        elif answer == "n":
            reject(session, item, hand, "")
        settled += answer in "yn"
        # The effect of the next answer is judged with this one.
        session.look_again()
    for sighting in queue.withheld:
        answer = choose(call, hand.who, _taken_away(session, sighting), _WITHHELD)
        if answer == "q":
            return settled
        if answer in "yn":
            settle_withheld(session, sighting, hand.who, accept_it=answer == "y")
        settled += answer in "yn"
    return settled


def _without_asking(hand: Hand) -> Hand:
    """The question was just answered."""
    from dataclasses import replace

    return replace(hand, ask=lambda _question: True)


def _question(session: Session, item: Item, who: Who) -> str:
    from cc_git.governance.remember import in_words
    from cc_git.model.ruling import Ruling
    from cc_git.model.runbook import Runbook
    from cc_git.wiring.reading import title_of
    from cc_git.wiring.review import effects

    value = item.filed.value
    stored = indent(session.read(item.filed.blob).decode("utf-8", "replace"), "  ")
    text = "\n".join((stored, *effects(session, item, who)))
    if isinstance(value, Runbook):
        does = "archives what a person attested" if value.state == "archived" else f"is a {value.kind}"
        return f"\n{text}\nThe runbook {quoted(value.title)} {does}. Let it stand as your word?"
    actor = as_value(value.actor)
    if isinstance(value, Ruling):
        titles = "; ".join(quoted(title_of(session, target)) for target in value.targets)
        return f"\n{text}\n{actor} wrote in your name: {value.verb} {titles}. Is it your word?"
    return f"\n{text}\n{in_words(value)}, written by {actor}. Let it stand as your word?"


def _taken_away(session: Session, sighting: Sighting) -> str:
    from cc_git.wiring.review import text_of

    text = indent(text_of(session, sighting), "  ")
    by = as_value(sighting.author) if sighting.author else "unknown"
    return f"\n{text}\n{as_value(sighting.branch)} (by {by}) takes away: {as_value(sighting.rel)}"


def _listing(queue: Queue, told: Effects) -> list[Block]:
    rows: list[tuple[Cell, ...]] = []
    for item in queue.items:
        value = item.filed.value
        what = value.kind if hasattr(value, "kind") else value.verb
        title = getattr(value, "title", "") or "  ".join(map(short, getattr(value, "targets", ())))
        rows.append(
            (short(value.id), what, item.why, standing_cell(item.verdict) if item.verdict else "", _actor(item), title)
        )
    blocks: list[Block] = [
        Table(("id", "what", "why", "counts as", "actor", "title"), rows, "Nothing waits for review.")
    ]
    lifted = [(short(identifier), line) for identifier, lines in told.items() for line in lines]
    if lifted:
        blocks += [Heading("\nWhat a yes would do beside that"), Table(("id", "what"), lifted, "")]
    if queue.withheld:
        away = [(short(s.id), s.branch, s.author, s.rel) for s in queue.withheld]
        blocks += [
            Heading("\nTaken away on other branches, withheld here"),
            Table(("id", "branch", "by", "file"), away, ""),
        ]
    return blocks


def _actor(item: Item) -> str:
    """A runbook is anybody's who can edit the file: Git knows whose."""
    return getattr(item.filed.value, "actor", "")


def _data(queue: Queue, told: Effects) -> dict[str, object]:
    return {
        "items": [{"id": i.filed.value.id, "why": i.why, "actor": _actor(i), "file": i.filed.rel,
                   "effects": told[i.filed.value.id]} for i in queue.items],
        "withheld": [{"id": s.id, "branch": s.branch, "author": s.author, "file": s.rel} for s in queue.withheld],
    }  # fmt: skip
