"""The JSON form of values: one, stable, and nothing guessed."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

import pytest

from cc_git.cli.envelope import plain_data
from cc_git.model.scope import Scope


class _Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (datetime(2026, 11, 30, 12, tzinfo=UTC), "2026-11-30T12:00:00Z"),
        (Path("a/b"), "a/b"),
        (_Colour.RED, "red"),
        (Scope(project="atlas"), {"user": "*", "project": "atlas", "agent": "*", "thread": "*", "organization": "*"}),
        (({"a": (1, 2.5, None, True)},), [{"a": [1, 2.5, None, True]}]),
    ],
)
def test_values_have_one_json_form(value: object, form: object) -> None:
    assert plain_data(value) == form


@pytest.mark.parametrize("value", [{1, 2}, {1: 2}, b"bytes", object()])
def test_what_has_no_stable_json_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        plain_data(value)
