"""The base of everything that is stored, and the grammar of its fields."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any, ClassVar, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationInfo,
)

from cc_git.model.ids import is_id, prefix_of

FORMAT: Final = "cc-git/1"
ONE_LINE_LIMIT = 120
LOCATOR_LIMIT = 1000
_FORBIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class Value(BaseModel):
    """A frozen value that keeps keys it does not know, so that a newer version's fields survive."""

    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)

    LATE: ClassVar[tuple[str, ...]] = ()
    """Fields written after all others (large tables)."""

    _order: tuple[str, ...] | None = PrivateAttr(default=None)

    def remember_order(self, keys: tuple[str, ...]) -> None:
        """Keep the order of keys as read, so that unknown ones are written back in their place."""
        self._order = keys

    @property
    def order_as_read(self) -> tuple[str, ...] | None:
        return self._order

    @property
    def unknown(self) -> Mapping[str, Any]:
        """Keys from a version that knows more than this one."""
        return self.__pydantic_extra__ or {}


def forbidden_in_a_line(text: str) -> str | None:
    """The first control, format, surrogate or line-separator character, or None."""
    if text.isprintable():
        return None
    return next((c for c in text if unicodedata.category(c) in _FORBIDDEN), None)


def one_line(text: str, limit: int = ONE_LINE_LIMIT) -> str:
    if not text or text != text.strip():
        raise ValueError("must not be empty or begin or end with white space")
    if len(text) > limit:
        raise ValueError(f"must be at most {limit} characters, has {len(text)}")
    if bad := forbidden_in_a_line(text):
        raise ValueError(f"must be one line without control or format characters, has U+{ord(bad):04X}")
    return text


def clean_line(text: str, limit: int = ONE_LINE_LIMIT) -> str:
    """The nearest text that fits the grammar of a one-line field; may be empty."""
    kept = "".join(" " if unicodedata.category(c) in _FORBIDDEN else c for c in text)
    folded = " ".join(kept.split())
    return folded if len(folded) <= limit else folded[: limit - 1].rstrip() + "…"


def slug(text: str) -> str:
    """NFC, trimmed, case-folded, white space to dashes: two spellings of one subject meet here."""
    return "-".join(unicodedata.normalize("NFC", text).casefold().split())


def _a_slug(text: str) -> str:
    one_line(text)
    if text != slug(text):
        raise ValueError(f"must be a slug, as {slug(text)!r}")
    return text


def _an_id(text: str) -> str:
    if not is_id(text):
        raise ValueError(f"{text[:60]!r} is not an id")
    return text


def _an_instant(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        if value.tzinfo is None:
            if info.context is not None:
                info.context.setdefault("warnings", []).append(f"{info.field_name}: naive time, read as UTC")
            return value.replace(tzinfo=UTC)
        try:
            return value.astimezone(UTC)
        except OverflowError:
            raise ValueError(f"{value.isoformat()} is outside the years 1 to 9999 in UTC") from None
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value


OneLine = Annotated[str, AfterValidator(one_line)]
Locator = Annotated[str, AfterValidator(lambda text: one_line(text, LOCATOR_LIMIT))]
Slug = Annotated[str, AfterValidator(_a_slug)]
Id = Annotated[str, AfterValidator(_an_id)]
Prose = Annotated[str, Field(strict=True)]
Instant = Annotated[datetime, BeforeValidator(_an_instant)]
"""Aware, UTC. A date alone is midnight UTC; a naive time is read as UTC and warned about."""
Blob = Annotated[str, Field(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
"""A Git blob id, SHA-1 or SHA-256, lower-case hex."""
Lines = tuple[OneLine, ...]
Items = tuple[Prose, ...]
Ids = tuple[Id, ...]


def has_prefix(identifier: str, *prefixes: str) -> str:
    if prefix_of(identifier) not in prefixes:
        raise ValueError(f"id {identifier} should begin with {' or '.join(p + '_' for p in prefixes)}")
    return identifier
