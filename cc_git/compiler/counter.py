"""How much of a budget a text uses. A counter with a model's own vocabulary may stand in through the protocol."""

from __future__ import annotations

import re
from typing import Protocol

from cc_git.model.request import Unit


class TokenCounter(Protocol):
    """`name` carries a version: it is part of what a packet depends on.

    A text should count no more than the sum of its pieces, cut at line ends. A counter that breaks this is served,
    at the price of a second look at every packet.
    """

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


_PIECE = re.compile(r"[A-Za-z]+|[0-9]{1,3}|[ \t]{16,}|\n+|[^\sA-Za-z0-9]+")


class TokenEstimate:
    """An estimate without a vocabulary, for byte-pair tokenizers of the o200k kind.

    A word is one token, two from nine letters, three from fourteen and one more for every four after that; digits
    go by threes, punctuation by twos, long runs of blanks by sixteens; other characters count one, those beyond the
    basic plane (emoji) three. A reserve of a tenth is on top: over prose, issues and design
    documents the bare estimate is at most 8 % too low.
    """

    name = "estimate/1"

    def count(self, text: str) -> int:
        number = 0
        for piece in _PIECE.findall(text):
            if not piece.isascii():
                number += sum(3 if char > "\uffff" else 1 for char in piece)
            elif piece.isalpha():
                letters = len(piece)
                number += 1 if letters < 9 else 2 if letters < 14 else 3 + (letters - 14) // 4
            elif piece.isdigit() or piece[0] == "\n":
                number += 1
            elif piece.isspace():
                number += len(piece) // 16
            else:
                number += (len(piece) + 1) // 2
        return (number * 11 + 9) // 10


class Characters:
    """Unicode code points, for hosts that limit characters."""

    name = "characters/1"

    def count(self, text: str) -> int:
        return len(text)


ESTIMATE = TokenEstimate()
CHARACTERS = Characters()


def counter_for(unit: Unit, tokens: TokenCounter) -> TokenCounter:
    return CHARACTERS if unit == "characters" else tokens
