"""What the bytes of a file say of their own sensitivity and what they name, whatever lies in them and wherever.

Used by what keeps private things out of commits, so it looks at everything: unknown keys, quarantined copies, notes,
attachments, files that break the format. Most files hold none of the words that matter and are not even parsed: without
an escape, what stands in the bytes is what stands in the values.

Ids are looked for in the text with every escape of TOML, JSON and URLs undone, in any encoding, with what is not seen
taken out and letters beside them: so it makes no difference whether one is a value, a key, a scope or a line of JSON.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import category, normalize

from cc_git.codec.paths import PRIVATE_DIR, WORKSPACE_DIR
from cc_git.codec.texts import document_in, strings_in
from cc_git.model.authority import SENSITIVITIES, Sensitivity
from cc_git.model.ids import PREFIXES, ULID_PATTERN, is_id

_AFTER_PREFIX = re.compile(f"_{ULID_PATTERN}")
_LONGEST_PREFIX = max(map(len, PREFIXES))
_ESCAPE = re.compile(r"\\u([\da-fA-F]{4})|\\U0000([\da-fA-F]{4})|(?:\\x|%)([\da-fA-F]{2})|\\[ \t]*\r?\n\s*", re.ASCII)
"""The last is the end of a line that TOML folds away; it becomes something that nobody sees."""
_PRIVATE_PLACE = re.compile(rf"(?:^|/){re.escape(WORKSPACE_DIR)}/{PRIVATE_DIR}/(?!\.gitignore$)[^/]", re.IGNORECASE)
_SPELLED = re.compile(r"""\bsensitivity\b["']?\s*[=:]\s*["'](\w+)["']""")
_PATTERNS = frozenset({"action", "target"})
"""Keys whose values are patterns: a deny of reading `.continuity/private/*` rests on nothing in there."""
_PLACES = frozenset({"path", "locator", "sources", "skill_ref"})
_LONGEST_PLACE = 1000
_UNSEEN = frozenset({"Cf", "Mn", "Me"})
"""Categories of Unicode: what only formats, and marks upon letters."""


@dataclass(frozen=True, slots=True)
class Named:
    """`sensitivity` is the highest that is said anywhere in it, `ids` are all ids in it (its own too), `places` the
    paths of private files."""

    sensitivity: Sensitivity = "ordinary"
    ids: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()


def named_in(rel: str, data: bytes) -> Named:
    """`rel` tells whether the file should be a document: then one that does not parse is searched as it is spelled."""
    text = _decoded(data)
    ids = set(ids_in(_plain(text)))
    folded = text.lower()
    if "\\" not in text and "sensitivity" not in folded and "private" not in folded and "%" not in text:
        return Named(ids=frozenset(ids))
    document = document_in(data)
    if document is None:
        spelled = _SPELLED.findall(text) if rel.endswith((".toml", ".json")) else ()
        return Named(_highest(spelled), frozenset(ids))
    strings = list(strings_in(document))
    said = _highest(value for key, value in strings if key == "sensitivity")
    places = frozenset(value for key, value in strings if _may_be_place(key, value) and is_private_place(value))
    return Named(said, frozenset(ids.union(*(ids_in(value) for _, value in strings))), places)


def ids_in(text: str) -> Iterable[str]:
    """Every id in a text, also inside a path or a word: 26 characters are no accident."""
    text = text.lower()
    for found in _AFTER_PREFIX.finditer(text):
        start = text[max(0, found.start() - _LONGEST_PREFIX) : found.start()]
        yield from (one for prefix in PREFIXES if start.endswith(prefix) and is_id(one := prefix + found[0]))


def _decoded(data: bytes) -> str:
    """UTF-8, or what stands in UTF-16 and UTF-32 as far as it is ASCII."""
    return (data.replace(b"\0", b"") if b"\0" in data else data).decode("utf-8", "replace")


def _plain(text: str) -> str:
    """With every escape undone that may stand for a part of an id, and without what nobody sees in it."""
    if "\\" in text or "%" in text:
        text = _ESCAPE.sub(lambda found: chr(int(next(filter(None, found.groups()), "200b"), 16)), text)
    if text.isascii():
        return text
    text = normalize("NFKC", text)
    return text.translate({ord(one): None for one in set(text) if category(one) in _UNSEEN})


def is_private_place(text: str) -> bool:
    """The whole text is the path, or the `file:` URL, of something in a private folder."""
    if "%" not in text and "private" not in text.lower():
        return False
    from urllib.parse import unquote  # few files name such a path

    return _PRIVATE_PLACE.search(posixpath.normpath(unquote(text).replace("\\", "/"))) is not None


def _may_be_place(key: str, value: str) -> bool:
    """A text is one only as a single word; prose may speak of the folder, and a pattern may forbid it."""
    return key not in _PATTERNS and len(value) <= _LONGEST_PLACE and (key in _PLACES or len(value.split()) == 1)


def _highest(said: Iterable[str]) -> Sensitivity:
    known: list[Sensitivity] = [one for word in said for one in SENSITIVITIES if one == word]
    return max(known, key=SENSITIVITIES.index, default="ordinary")
