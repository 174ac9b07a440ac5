"""Runbooks: add and change. Pure: the bytes that would be written, with who is bound to them.

A runbook instructs, so its words matter as much as a grant's: it instructs while a person is bound to its exact bytes
(it stands so in the accepted branch, or was confirmed on this clone), and else it informs. A person at a terminal is
bound to what they add, and to a change of what somebody was bound to before; a change of anybody else's words binds
nobody, for a command that sets one field has not shown the others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cc_git.codec import paths
from cc_git.codec.files import decode, encode
from cc_git.codec.runbook_file import edited
from cc_git.errors import Damaged, UsageFault
from cc_git.governance.build import build
from cc_git.governance.plan import Mint, receipt_for
from cc_git.model.fault import Fault
from cc_git.model.receipt import Receipt
from cc_git.model.runbook import Runbook
from cc_git.model.who import Who

TEXTS = ("title", "kind", "state", "when_to_use")
LISTS = (
    "triggers", "preconditions", "do", "verify", "failure_signals", "escalation_boundary", "references", "goal_ids",
    "task_ids",
)  # fmt: skip
_LONGEST_NAME = 60
_WORD = re.compile(r"[^\W_]+")

Fields = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True)
class Written:
    """`before` are the bytes that it takes the place of, None for a new one. `attest`: the person at this terminal is
    bound to the new ones."""

    operation: Literal["runbook-add", "runbook-edit", "runbook-archive"]
    rel: str
    before: bytes | None
    after: bytes
    book: Runbook
    receipt: Receipt
    attest: bool


@dataclass(frozen=True)
class Current:
    """A runbook as it is now; `attested`: a person is bound to `data`."""

    rel: str
    data: bytes
    book: Runbook
    attested: bool


@dataclass(frozen=True)
class Opened:
    """A runbook's file that an editor may rewrite whole; `id` is None where it has none that can be read."""

    rel: str
    data: bytes
    id: str | None
    attested: bool


@dataclass(frozen=True)
class Changes:
    """`fields` take the place of what is there; `added` and `dropped` are (field, item)."""

    fields: Fields
    added: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()


def add(
    fields: Fields, name: str | None, taken: Collection[str], who: Who, mint: Mint, *, template: bytes | None = None
) -> Written:
    """A new one, from a template where its bytes are given. Raises UsageFault. `taken` are the names there are."""
    identifier = mint("rb")
    if template is None:
        _check(fields)
        after = encode(build(Runbook, id=identifier, **fields))
    else:
        after = edited(template, {"id": identifier, **_check(fields)})
    book = _read(paths.runbook_path(name or "new"), after)
    named = name or name_of(book.title)
    if not named or name_of(named) != named:
        raise UsageFault(
            f"{named or book.title!r} does not name a file",
            why="letters and digits, joined by dashes",
            hints=(f"--name {name_of(named) or 'NAME'}",),
        )
    if named in taken:
        raise UsageFault(f"there is a runbook {named}", hints=(f"cc-git runbook edit {named}", "--name ANOTHER"))
    if book.kind == "troubleshooting" and not book.failure_signals:
        raise UsageFault("a troubleshooting runbook needs a signal", why="nothing else wakes it",
                         hints=('--signal "words of the failure"',))  # fmt: skip
    receipt = receipt_for("runbook-add", (identifier,), (), who.actor, mint)
    return Written("runbook-add", paths.runbook_path(named), None, after, book, receipt, who.is_person_at_terminal)


def change(current: Current, changes: Changes, who: Who, mint: Mint) -> Written:
    """Other values for some fields; all else in the file stays as it is. Raises UsageFault."""
    fields: dict[str, str | tuple[str, ...]] = dict(_check(changes.fields))
    for field, item in changes.added:
        have = _items(fields, current.book, field)
        fields[field] = have if item in have else (*have, item)
    for field, item in changes.dropped:
        have = _items(fields, current.book, field)
        if item not in have:
            raise UsageFault(
                f"{field} has no item {item!r}", hints=(f"its items are {'; '.join(have)}",) if have else ()
            )
        fields[field] = tuple(one for one in have if one != item)
    values = {name: getattr(current.book, name) for name in (*TEXTS, *LISTS)}
    wanted = build(Runbook, id=current.book.id, **{**values, **fields})
    changed = {name: fields[name] for name in fields if getattr(wanted, name) != values[name]}
    if not changed:
        raise UsageFault("this changes nothing", hints=("cc-git runbook show",))
    after = edited(current.data, changed)
    book = _read(current.rel, after)
    if any(getattr(book, name) != getattr(wanted, name) for name in values):
        raise Damaged(f"{current.rel} cannot be changed by command", hints=("cc-git runbook edit, without --set",))
    archived = changes.fields == {"state": "archived"}
    opened = Opened(current.rel, current.data, current.book.id, current.attested)
    return rewritten(opened, after, who, mint, operation="runbook-archive" if archived else "runbook-edit")


def rewritten(
    opened: Opened,
    after: bytes,
    who: Who,
    mint: Mint,
    *,
    operation: Literal["runbook-edit", "runbook-archive"] = "runbook-edit",
) -> Written:
    """The whole file anew, as an editor left it. Raises UsageFault where it is another runbook now, or none."""
    book = _read(opened.rel, after)
    if opened.id is not None and book.id != opened.id:
        raise UsageFault(
            f"the id of {paths.runbook_name(opened.rel)} was changed",
            why=f"it is {opened.id}; what names it would be lost",
            hints=("write the id as it was", "cc-git runbook add, for another one"),
        )
    receipt = receipt_for(operation, (), (book.id,), who.actor, mint)
    attest = who.is_person_at_terminal and opened.attested
    return Written(operation, opened.rel, opened.data, after, book, receipt, attest)


def name_of(title: str) -> str:
    """The name of the file of a runbook with this title: letters and digits of any script, joined by dashes."""
    words = _WORD.findall(unicodedata.normalize("NFC", title).casefold())
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:_LONGEST_NAME]
        if len(longer) > _LONGEST_NAME:
            break
        name = longer
    return name


def fields_from(words: Iterable[str], option: str) -> list[tuple[str, str]]:
    """`FIELD=VALUE` words; raises UsageFault for what is none and for a field that a runbook has not."""
    found = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageFault(
                f"{option} {word}: write FIELD=VALUE", hints=(f"fields are {', '.join((*TEXTS, *LISTS))}",)
            )
        _check({name: value})
        found.append((name, value))
    return found


def _items(fields: Mapping[str, Any], book: Runbook, name: str) -> tuple[str, ...]:
    if name not in LISTS:
        raise UsageFault(f"{name} is no list", hints=(f"--set {name}=…", f"lists are {', '.join(LISTS)}"))
    items: tuple[str, ...] = fields[name] if name in fields else getattr(book, name)
    return items


def _check(fields: Fields) -> Fields:
    unknown = sorted(set(fields) - {*TEXTS, *LISTS})
    if unknown:
        fixed = unknown[0] in ("id", "format")
        why = "it stays what it is" if fixed else None
        raise UsageFault(f"{unknown[0]} cannot be set", why=why, hints=(f"fields are {', '.join((*TEXTS, *LISTS))}",))
    return fields


def _read(rel: str, data: bytes) -> Runbook:
    found = decode(rel, data)
    if isinstance(found, Fault):
        raise UsageFault(str(found))
    assert isinstance(found, Runbook), "a path below the folder of runbooks holds a runbook"
    return found
