"""Documents (plain dicts) → TOML text made to be read in a diff.

One list item a line, text with line breaks in `\"\"\"` blocks, control and format characters escaped so that no
forge or terminal is fooled by a raw file. The order of keys is the order of the dict. Nothing here knows a field.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, time
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_UNSAFE_CATEGORIES = {"Cc", "Cf", "Zl", "Zp"}
_TRAILING_SPACE = re.compile(r"[ \t]+(?=\n|$)")


def dump(document: dict[str, Any]) -> str:
    """TOML text with a final line break. Values: str, bool, int, float, aware datetime, date, list, dict.

    A dict in last place becomes the file's one table; any other dict is written inline. With this law a file of a
    newer version, whose keys we do not know, is written back byte for byte.
    """
    items = list(document.items())
    table = items.pop() if items and isinstance(items[-1][1], dict) else None
    lines = [f"{_key(key)} = {_value(value)}" for key, value in items]
    if table is not None:
        name, content = table
        lines += ["", f"[{_key(name)}]"]
        lines += [f"{_key(key)} = {_value(value)}" for key, value in content.items()]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """A TOML basic string."""
    return _basic(text)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _basic(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _block(value) if "\n" in value else _basic(value)
    if isinstance(value, list | tuple):
        if not value:
            return "[]"
        return "[\n" + "".join(f"  {_value(item)},\n" for item in value) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _basic(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, datetime):
        return _instant(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, dict):
        return "{}" if not value else "{ " + ", ".join(f"{_key(k)} = {_inline(v)}" for k, v in value.items()) + " }"
    raise TypeError(f"TOML cannot hold {type(value).__name__}")


def _inline(value: Any) -> str:
    """Inside an inline table everything stays on one line."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    return _scalar(value)


def _float(value: float) -> str:
    text = repr(value)
    return text if any(c in text for c in ".einf") else text + ".0"


def _instant(value: datetime) -> str:
    spec = "auto" if value.microsecond % 1000 else "milliseconds" if value.microsecond else "seconds"
    if value.tzinfo is None:
        return value.isoformat(timespec=spec)
    text = value.isoformat(timespec=spec)
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _safe(char: str) -> bool:
    return unicodedata.category(char) not in _UNSAFE_CATEGORIES


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    return f"\\u{ord(char):04X}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08X}"


def _basic(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(c if c not in _ESCAPES and _safe(c) else _escaped(c) for c in text) + '"'


def _block(text: str) -> str:
    """A multi-line string; the line break after the opening quotes is not part of the value (TOML 1.0)."""
    body = "".join(_in_block(c) for c in text)
    body = _TRAILING_SPACE.sub(lambda m: "".join("\\u0020" if c == " " else "\\t" for c in m[0]), body)
    body = body.replace('"""', '""\\"')
    if body.endswith('"'):
        body = body[:-1] + '\\"'
    return f'"""\n{body}"""'


def _in_block(char: str) -> str:
    if char in '\n\t"':
        return char
    if char == "\\":
        return "\\\\"
    return char if _safe(char) else _escaped(char)
