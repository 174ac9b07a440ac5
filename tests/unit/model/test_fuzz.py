"""Whatever bytes lie in the place of an object: a value or a fault, never an exception; what is read can be written.

`CC_GIT_FUZZ=100000` tries as many inputs.
"""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cc_git.codec.files import decode, encode, path_for
from cc_git.codec.paths import runbook_path
from cc_git.codec.toml_read import load
from cc_git.governance.secrets import secrets_in
from cc_git.model.fault import Fault
from cc_git.model.runbook import Runbook
from cc_git.model.sanitise import visible
from cc_git.model.value import Value, forbidden_in_a_line
from tests.unit.model.samples import ALL

MANY = int(os.environ.get("CC_GIT_FUZZ", "300"))
many = settings(max_examples=MANY, suppress_health_check=list(HealthCheck), deadline=None)
PIECES = (
    b'"""', b"'''", b"[", b"]]", b"{", b"=", b"\n", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\\u0000", b"\\ud800",
    b"9999-12-31T23:59:59.999999-23:59", b"0001-01-01", b"1e999", b"0x" + b"f" * 400, b"nan", b'"\xe2\x80\xae"',
    b"<<<<<<< HEAD\n", b'format = "cc-git/2"\n', b'id = "x"\n', b"[scope]\n", b"a.b.c.d = 1\n",
    b'[[relations]]\nrel = "x"\n',
)  # fmt: skip


def rel_of(value: Value) -> str:
    return runbook_path("release") if isinstance(value, Runbook) else path_for(value)


def read(rel: str, data: bytes) -> Value | Fault:
    found = decode(rel, data)
    assert isinstance(found, Value | Fault)
    if isinstance(found, Fault):
        assert found.rel == rel and found.reason and str(found).count("\n") == 0
        assert found.line is None or 1 <= found.line <= data.count(b"\n") + 1
    return found


def mutated(dice: random.Random, data: bytes) -> bytes:
    """Cut, doubled, swapped, overwritten and interspersed, some times over."""
    for _ in range(dice.randint(1, 4)):
        at, to = sorted(dice.randrange(len(data) + 1) for _ in range(2))
        lines = data.split(b"\n")
        data = dice.choice([
            lambda data=data, at=at, to=to: data[:at] + data[to:],
            lambda data=data, at=at, to=to: data[:to] + data[at:],
            lambda data=data, at=at: data[:at] + dice.choice(PIECES) + data[at:],
            lambda data=data, at=at: data[:at] + dice.randbytes(dice.randint(1, 4)) + data[at + 2 :],
            lambda lines=lines: b"\n".join(dice.sample(lines, len(lines))),
            lambda lines=lines: b"\n".join([*lines, dice.choice(lines)]),
        ])()  # fmt: skip
    return data


@many
@given(st.sampled_from(ALL), st.binary(max_size=400))
def test_any_bytes_are_a_value_or_a_fault(sample: Value, data: bytes) -> None:
    read(rel_of(sample), data)


@many
@given(st.sampled_from(ALL), st.text(max_size=300))
def test_any_text_is_a_value_or_a_fault(sample: Value, text: str) -> None:
    read(rel_of(sample), text.encode("utf-8", "surrogatepass"))


@many
@given(st.sampled_from(ALL), st.integers(0, 2**64))
def test_a_file_that_was_tampered_with_is_a_value_or_a_fault(sample: Value, seed: int) -> None:
    rel = rel_of(sample)
    found = read(rel, mutated(random.Random(seed), encode(sample)))
    if isinstance(found, Value):
        again = read(rel, encode(found))
        assert isinstance(again, Value) and again.model_dump() == found.model_dump()
        assert encode(again) == encode(found)


@many
@given(st.sampled_from([value for value in ALL if not rel_of(value).endswith(".json")]), st.data())
def test_what_a_newer_version_wrote_comes_back_as_it_was(sample: Value, data: st.DataObject) -> None:
    key = data.draw(st.from_regex(r"zz_[a-z_]{1,20}", fullmatch=True))
    value = data.draw(st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.text("abcä→ ", max_size=20)))
    told = {True: "true", False: "false"}.get(value) if isinstance(value, bool) else None  # type: ignore[call-overload]
    line = f"{key} = {told if told is not None else value if isinstance(value, int) else chr(34) + value + chr(34)}\n"
    before = encode(sample).decode()
    head, mark, tables = before.partition("\n[")
    text = f"{head.rstrip()}\n{line}{mark.lstrip() and chr(10) + mark.lstrip()}{tables}"
    found = read(rel_of(sample), text.encode())
    if key in type(sample).model_fields or isinstance(found, Fault):
        assert type(sample).__name__ in ("Tombstone", "Ending")  # a mark with more in it is none
        return
    written = encode(found)
    assert load(written.decode())[key] == value
    assert encode(read(rel_of(sample), written)) == written  # type: ignore[arg-type]


@many
@given(st.text(max_size=200))
def test_nothing_that_acts_on_a_terminal_is_visible(text: str) -> None:
    assert forbidden_in_a_line(visible(text, multiline=False)) is None


@many
@given(st.binary(max_size=400))
def test_the_look_for_secrets_reads_anything(data: bytes) -> None:
    assert all(found.says for found in secrets_in(data))


@pytest.mark.parametrize("sample", ALL, ids=lambda value: type(value).__name__)
def test_a_file_that_was_cut_anywhere_is_a_value_or_a_fault(sample: Value) -> None:
    data = encode(sample)
    for length in range(0, len(data), 7):
        read(rel_of(sample), data[:length])
