"""Text → terms, and a record → its bag of terms. Whoever keeps bags keeps `VERSION` with them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

from cc_git.compiler.fields import payload_texts
from cc_git.compiler.stem import stem
from cc_git.model.record import Record

VERSION = "terms/1"
TITLE_WEIGHT = 2
TERM_LIMIT = 64
"""Characters that are kept of one term: a file of one endless word stays cheap."""

_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_A-Za-z0-9]+")
_IS_NAME = re.compile(r"_|[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
# scripts that are written without spaces: kana, Han, Hangul, and the supplementary ideographs
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff]+")
_MARKS = re.compile("[\u0300-\u036f]")

_STOP_WORDS = """
    a about after again all also am an and any are as at be because been before being between both but by can cannot
    could did do does doing don down during each few for from further had has have having he her here hers him his how
    i if in into is it its itself just ll me more most my no nor not now of off on once only or other our ours out over
    own re s same she should so some such t than that the their theirs them then there these they this those through to
    too under until up us ve very was we were what when where which while who whom whose why will with would you your
"""
STOP = frozenset(_STOP_WORDS.split())


def terms(text: str) -> list[str]:
    """Stems in reading order, stop words left out. A name such as `camelCase` or `snake_case` gives its parts and
    the joined whole; runs without spaces (Chinese, Japanese, Korean) give their pairs of characters."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text)))
    out: list[str] = []
    for word in _WORD.findall(text.replace("'s ", " ")):
        if word.isascii():
            if _IS_NAME.search(word):
                _add_name(word, out)
                continue
            low = word.lower()
            if low not in STOP:
                out.append(stem(low[:TERM_LIMIT]))
        else:
            _add_foreign(word, out)
    return out


def _add_name(word: str, out: list[str]) -> None:
    parts = [part.lower() for part in _PART.findall(word)]
    out += [stem(part[:TERM_LIMIT]) for part in parts if part not in STOP]
    if len(parts) > 1:
        out.append("".join(parts)[:TERM_LIMIT])


def _add_foreign(word: str, out: list[str]) -> None:
    rest = _CJK.sub(" ", word)
    for low in rest.casefold().replace("_", " ").split():
        if low not in STOP:
            out.append(stem(low[:TERM_LIMIT]))
    for run in _CJK.findall(word):
        out += [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def bag_of(record: Record) -> Mapping[str, int]:
    """term → weighted count: title, subject and tags count `TITLE_WEIGHT`, content and payload one."""
    bag: Counter[str] = Counter()
    head = " \n".join((record.title, *((record.subject,) if record.subject else ()), *record.tags))
    for term in terms(head):
        bag[term] += TITLE_WEIGHT
    bag.update(terms(record.content))
    for text in payload_texts(record.payload):
        bag.update(terms(text))
    return bag
