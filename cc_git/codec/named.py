"""What the bytes of a file say of their own sensitivity and what they name, whatever lies in them and wherever.

Used by what keeps private things out of commits, so it looks at everything: unknown keys, quarantined copies, notes,
attachments, files that break the format. Most files hold none of the words that matter and are not even parsed: without
an escape, what stands in the bytes is what stands in the values.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass

from cc_git.codec.paths import PRIVATE_DIR, WORKSPACE_DIR
from cc_git.codec.texts import document_in, strings_in
from cc_git.model.authority import SENSITIVITIES, Sensitivity
from cc_git.model.ids import ID_PATTERN, is_id

_WHOLE_ID = re.compile(rf"(?<![0-9a-z_]){ID_PATTERN}(?![0-9a-z_])")
_PRIVATE_PLACE = re.compile(rf"(?:^|/){re.escape(WORKSPACE_DIR)}/{PRIVATE_DIR}/(?!\.gitignore$)[^/]", re.IGNORECASE)
_SPELLED = re.compile(r"""\bsensitivity\b["']?\s*[=:]\s*["'](\w+)["']""")
_PATTERNS = frozenset({"action", "target"})
"""Keys whose values are patterns: a deny of reading `.continuity/private/*` rests on nothing in there."""
_PLACES = frozenset({"path", "locator", "sources", "skill_ref"})
_LONGEST_PLACE = 1000


@dataclass(frozen=True, slots=True)
class Named:
    """`sensitivity` is the highest that is said anywhere in it, `ids` are all ids in it (its own too), `places` the
    paths of private files."""

    sensitivity: Sensitivity = "ordinary"
    ids: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()


def named_in(rel: str, data: bytes) -> Named:
    """`rel` tells whether the file should be a document: then one that does not parse is searched as it is spelled."""
    text = data.decode("utf-8", "replace")
    ids = set(ids_in(text))
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
    """Every id in a text, also inside a path."""
    return (found for found in _WHOLE_ID.findall(text.lower()) if is_id(found))


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
