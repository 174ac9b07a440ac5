"""Reading the chain of writes back to the last whole state, and remembering what was read."""

from __future__ import annotations

from dataclasses import dataclass

from cc_git.store import journal_form as form
from cc_git.store.engine import Engine
from cc_git.store.journal_form import Message
from cc_git.store.journal_state import JournalState

NO_WRITES = Message(form.WHOLE, "", 0, 0)
"""What stands before the first write."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The state at `tip`, and what it was made of: the tree and value of the last whole state, and the writes since.

    `writes` are oldest first. All is empty where `tip` is None: there is no journal.
    """

    tip: str | None = None
    whole_tree: str | None = None
    whole: JournalState = JournalState()  # noqa: RUF009  a frozen value
    writes: tuple[Message, ...] = ()
    state: JournalState = JournalState()  # noqa: RUF009


NOTHING = Reading()


class Chain:
    """One ref's chain as this process knows it; never wrong, for a commit's id says all that is in it."""

    def __init__(self) -> None:
        self.reading = NOTHING
        self._links: dict[str, tuple[str | None, Message]] = {}

    def forget(self) -> None:
        self.reading = NOTHING

    def read(self, engine: Engine, tip: str) -> Reading:
        """Walk from `tip` to what is known or whole. Raises `Damaged` where the chain is pruned meanwhile."""
        known, writes = self.reading, list[Message]()
        oid: str | None = tip
        while oid != known.tip:
            if oid is None:
                known = NOTHING
                break
            before, message = self._link(engine, oid)
            if message.kind == form.WHOLE:
                tree = engine.commit(oid).tree
                whole = form.read_whole(engine, tree, message)
                known = Reading(oid, tree, whole, (), whole)
                break
            writes.append(message)
            oid = before
        writes.reverse()
        state = form.apply_writes(known.state, writes)
        self.reading = Reading(tip, known.whole_tree, known.whole, (*known.writes, *writes), state)
        return self.reading

    def message(self, engine: Engine, tip: str | None) -> Message:
        return NO_WRITES if tip is None else self._link(engine, tip)[1]

    def _link(self, engine: Engine, oid: str) -> tuple[str | None, Message]:
        """A commit of the chain: the one before it, and its message; our own writes need not be read again."""
        link = self._links.get(oid)
        if link is None:
            commit = engine.commit(oid)
            link = self._links[oid] = (commit.parents[0] if commit.parents else None, form.message_of(commit))
        return link

    def wrote(self, commit: str, before: str | None, message: Message) -> None:
        if message.kind == form.WHOLE:
            self._links.clear()
        self._links[commit] = (before, message)
