"""What a person said about a negative that was only seen on another branch: accept it, or dismiss it.

Kept in the Git directory (`continuity/negatives`), by workspace; the last word about a file counts. Dismissing takes
nothing back of what HEAD's own history, the accepted branch or this clone has: it only stops the withholding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

from cc_git.model.who import Who
from cc_git.store.append_only import append_lines, read_lines
from cc_git.store.confirmations import require_person
from cc_git.store.names import OwnFolder
from cc_git.store.place import Place

Act = Literal["accept", "dismiss"]
Item = tuple[str, str]
"""Path below `.continuity/`, and blob."""


class NegativeActs:
    def __init__(self, place: Place) -> None:
        self._path = OwnFolder(place.common_dir).negatives
        self._prefix = place.prefix

    def read(self) -> Mapping[Item, Act]:
        found: dict[Item, Act] = {}
        for entry in read_lines(self._path).entries:
            match entry:
                case {
                    "workspace": self._prefix,
                    "rel": str(rel),
                    "blob": str(blob),
                    "act": "accept" | "dismiss" as act,
                }:
                    found[(rel, blob)] = act
        return found

    def accept(self, items: Iterable[Item], who: Who, now: datetime) -> None:
        """From now on these count here as if HEAD had them. Raises `Refused` for anybody but a person at a terminal."""
        self._say("accept", items, who, now)

    def dismiss(self, items: Iterable[Item], who: Who, now: datetime) -> None:
        """From now on these withhold nothing. Raises `Refused` for anybody but a person at a terminal."""
        self._say("dismiss", items, who, now)

    def _say(self, act: Act, items: Iterable[Item], who: Who, now: datetime) -> None:
        require_person(who, f"{act} what another branch takes away")
        lines = [
            {"workspace": self._prefix, "rel": rel, "blob": blob, "act": act, "who": who.actor, "when": now.isoformat()}
            for rel, blob in sorted(set(items))
        ]
        append_lines(self._path, tuple(lines))
