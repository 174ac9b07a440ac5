"""Bundles ⇄ bytes: one JSON document, ASCII, the same bytes for the same bundle.

`digest` is `sha256:` and the SHA-256 of the document without it, written with sorted keys, without white space, every
character beyond ASCII escaped. It binds the parts to each other; it does not say who made them.
"""

from __future__ import annotations

import hashlib
import json
import math
from datetime import date, datetime, time
from typing import Any

from pydantic import ValidationError

from cc_git.codec.documents import to_document
from cc_git.codec.json_times import in_json
from cc_git.model.bundle import BUNDLE_FORMAT, Bundle
from cc_git.model.value import Value

LARGEST = 64 << 20
"""Bytes of a bundle that is read."""
DEEPEST = 40
"""Nesting; a file of ours has four levels."""


class BundleFault(ValueError):
    """Why these bytes are no bundle, in one sentence without any of their text."""


def plain_document(value: Value) -> dict[str, Any]:
    """The stored shape of a value with instants as text: what JSON can hold."""
    document: dict[str, Any] = _plain(to_document(value))
    return document


def encode_bundle(bundle: Bundle) -> bytes:
    document = plain_document(bundle)
    return (json.dumps(document | {"digest": digest_of(document)}, indent=1) + "\n").encode()


def digest_of(document: dict[str, Any]) -> str:
    """The digest that a bundle with this content carries."""
    bound = {key: item for key, item in document.items() if key != "digest"}
    text = json.dumps(bound, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def decode_bundle(data: bytes) -> tuple[Bundle, str]:
    """The bundle and its digest, checked. Raises BundleFault. Its records and episodes are still mere documents."""
    document = read_json(data)
    named = document.get("format")
    if named != BUNDLE_FORMAT:
        if isinstance(named, str) and named.startswith(BUNDLE_FORMAT.partition("/")[0] + "/"):
            raise BundleFault(f"its format is newer than {BUNDLE_FORMAT}: upgrade cc-git to read it")
        raise BundleFault(f"it does not name the format {BUNDLE_FORMAT}")
    if document.get("digest") != digest_of(document):
        raise BundleFault("its digest does not fit its content: it was changed, or cut, after it was made")
    try:
        return Bundle.model_validate(document), str(document["digest"])
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:120]
        raise BundleFault(f"{where}: {first['msg'].removeprefix('Value error, ')}") from None


def read_json(data: bytes) -> dict[str, Any]:
    """One JSON object of a stranger's. Raises BundleFault: too large or deep, not UTF-8, a key twice, not a number."""
    if len(data) > LARGEST:
        raise BundleFault(f"it is larger than {LARGEST >> 20} MiB")
    try:
        document = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_each_key_once,
            parse_constant=_no_number,
            parse_float=_a_number,
            parse_int=_an_integer,
        )
    except UnicodeDecodeError:
        raise BundleFault("it is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise BundleFault(f"line {error.lineno}: it is not JSON ({error.msg})") from None
    except RecursionError:
        raise BundleFault("it is nested too deeply") from None
    if not isinstance(document, dict):
        raise BundleFault("it is not a JSON object")
    if _is_deeper(document, DEEPEST):
        raise BundleFault("it is nested too deeply")
    if _has_lone_surrogate(data, document):
        raise BundleFault("it holds half a character (a lone surrogate)")
    return document


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BundleFault("a key stands twice in one object")
    return found


def _no_number(_text: str) -> Any:
    raise BundleFault("it holds a number that is none")


def _a_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _no_number(text)
    return number


def _an_integer(text: str) -> int:
    if len(text) > 20:
        raise BundleFault("it holds a number that is too long")
    return int(text)


def _is_deeper(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [
            inner for outer in layer if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]  # fmt: skip
        if not layer:
            return False
    return True


def _has_lone_surrogate(data: bytes, document: Any) -> bool:
    if b"\\u" not in data:
        return False
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return in_json(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
