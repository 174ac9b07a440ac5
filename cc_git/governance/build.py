"""From a request to validated values; a wrong field becomes a usage error that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from cc_git.errors import UsageFault
from cc_git.model.kinds import PAYLOADS, Payload
from cc_git.model.value import ONE_LINE_LIMIT, Value, clean_line, forbidden_in_a_line

V = TypeVar("V", bound=Value)
_HINTS = {
    "permission effect Field required": "--allow ACTION or --deny ACTION",
    "permission action Field required": "--allow ACTION or --deny ACTION",
    "needs expires_at": "--expires INSTANT",
}
"""Where the words of a validation do not name the option that helps."""


def build(model: type[V], **fields: Any) -> V:
    """A value of `model`; raises UsageFault naming the first field that is wrong."""
    try:
        return model(**{name: value for name, value in fields.items() if value is not None})
    except ValidationError as error:
        raise usage_fault(model.__name__.lower(), error) from None


def payload_for(kind: str, given: Mapping[str, Any]) -> Payload:
    """The kind's own fields; unknown names are refused, for a request comes from this version."""
    model = PAYLOADS[kind]
    if unknown := sorted(set(given) - set(model.model_fields)):
        raise UsageFault(f"a {kind} has no field {unknown[0]!r}", why=f"its fields are {', '.join(model.model_fields)}")
    return build(model, **given)


def title_and_content(text: str, title: str | None) -> tuple[str, str]:
    """A short one-line text is its own title; of a longer one the first line is, and the whole text is the content."""
    if title is not None:
        return title, text
    if len(text) <= ONE_LINE_LIMIT and text == text.strip() and text and forbidden_in_a_line(text) is None:
        return text, ""
    first = next((line for line in text.splitlines() if line.strip()), "")
    short = clean_line(first)
    if not short:
        raise UsageFault("there is no text", hints=("give it as an argument; '-' reads standard input",))
    return short, text


def usage_fault(name: str, error: ValidationError) -> UsageFault:
    """The first thing that is wrong, as a usage error about the `name`."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    reason = first["msg"].removeprefix("Value error, ")
    hints = tuple(hint for mark, hint in _HINTS.items() if mark in f"{name} {where} {reason}")
    return UsageFault(f"{name}: {where}: {reason}" if where else f"{name}: {reason}", hints=hints)
