"""One test for all kinds: what is written is read back equal, and written again byte for byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.codec.documents import to_document
from cc_git.codec.files import decode, encode, path_for
from cc_git.codec.toml_read import load
from cc_git.codec.toml_write import dump
from cc_git.model.record import Record
from cc_git.model.runbook import Runbook
from cc_git.model.value import Value
from cc_git.model.working_context import Checkpoint
from tests.unit.model.samples import ALL, PAYLOAD_SAMPLES, record


def place(value: Value) -> str:
    return "runbooks/release.toml" if isinstance(value, Runbook) else path_for(value)


@pytest.mark.parametrize("value", ALL, ids=lambda v: v.id.partition("_")[0] + "-" + type(v).__name__)
def test_every_value_is_read_back_equal_and_written_back_byte_for_byte(value: Value) -> None:
    data = encode(value)
    again = decode(place(value), data)
    assert again == value
    assert encode(again) == data


@pytest.mark.parametrize("value", ALL, ids=lambda v: v.id.partition("_")[0] + "-" + type(v).__name__)
def test_defaults_are_left_out_and_lines_end_in_lf(value: Value) -> None:
    text = encode(value).decode()
    assert text.endswith("\n") and "\r" not in text
    assert "= []\n" not in text and '= ""\n' not in text


nasty = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(list('"\\\n\r\t \x00\x1b\u202e\u200b\u2028\ufeff\U000e0041`<>#=[]')),
    ),
    max_size=60,
)


@given(kind=st.sampled_from(sorted(PAYLOAD_SAMPLES)), content=nasty, tail=nasty)
def test_any_text_survives_a_round_trip(kind: str, content: str, tail: str) -> None:
    value = record(kind, content=content + '"""' + tail)
    data = encode(value)
    again = decode(path_for(value), data)
    assert isinstance(again, Record) and again.content == content + '"""' + tail
    assert encode(again) == data


@given(content=nasty)
def test_no_raw_file_holds_a_control_or_format_character(content: str) -> None:
    text = encode(record("decision", content=content)).decode()
    assert not [c for c in text if c != "\n" and c in "\x00\x1b\r\u202e\u200b\u2028\ufeff\U000e0041"]


scalars = st.one_of(
    nasty, st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False)
)
unknown = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc-", min_size=1), inner, max_size=3)
)


@given(
    new=st.dictionaries(st.from_regex(r"zz_[a-z]{1,5}", fullmatch=True), unknown, min_size=1, max_size=3),
    data=st.data(),
)
def test_unknown_keys_of_a_newer_version_keep_their_place(new: dict[str, Any], data: st.DataObject) -> None:
    document = to_document(record("permission"))
    pairs = list(document.items())
    for key, value in new.items():
        pairs.insert(data.draw(st.integers(0, len(pairs) - 1)), (key, value))
    pairs[-1] = (pairs[-1][0], {"zz_inner": 1, **pairs[-1][1]})
    written = dump(dict(pairs)).encode()
    again = decode(path_for(record("permission")), written)
    assert isinstance(again, Record)
    assert encode(again) == written


def test_unknown_keys_deep_inside_keep_their_place() -> None:
    """Wherever values hold values: in a context's tasks, in a record's links, in an episode's source."""
    task = {"zz_before": 1, "id": "tsk_01kb7z9n000000000000000001", "zz_after": [2], "title": "Paint"}
    asked = {"zz_who": "Bo", "text": "Why?", "asked_at": "2026-11-30T12:00:00Z"}
    frozen = {
        "format": "cc-git/1", "id": "cp_01kb7z9n000000000000000001", "actor": "human:ana",
        "recorded_at": "2025-11-29T12:00:00Z",
        "context": {"format": "cc-git/1", "zz_new": True, "version": 3, "tasks": [task], "questions": [asked]},
    }  # fmt: skip
    data = json.dumps(frozen, indent=2).encode() + b"\n"
    again = decode("checkpoints/2025-11-29/cp_01kb7z9n000000000000000001.json", data)
    assert isinstance(again, Checkpoint) and encode(again) == data
    document = to_document(record("belief"))
    document["relations"] = [{"zz_since": 1, "rel": "supports", "to": "hyp_01kb7z9n000000000000000001"}]
    written = encode(decode(path_for(record("belief")), dump(document).encode()))  # type: ignore[arg-type]
    assert b'{ zz_since = 1, rel = "supports"' in written


@given(document=st.dictionaries(st.text(max_size=8), unknown, max_size=4))
def test_written_toml_is_read_back_as_the_same_document(document: dict[str, Any]) -> None:
    assert load(dump(document)) == document
