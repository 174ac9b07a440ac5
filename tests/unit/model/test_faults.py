"""A file that cannot be read is named with path, line, reason and remedy."""

from __future__ import annotations

import pytest

from cc_git.codec.files import decode, encode, path_for
from cc_git.model.fault import Fault
from cc_git.model.record import Record
from tests.unit.model.samples import an_id, record

PERMISSION = record("permission")
PATH = path_for(PERMISSION)
GOOD = encode(PERMISSION)


@pytest.mark.parametrize(
    ("data", "code", "line", "says"),
    [
        (b"", "empty", None, "empty"),
        (b"\xff\xfe", "encoding", 1, "UTF-8"),
        (GOOD[:70], "syntax", 3, ""),
        (GOOD.replace(b"cc-git/1", b"cc-git/2"), "future", None, "upgrade cc-git"),
        (GOOD.replace(b"cc-git/1", b"other/1"), "invalid", None, "format"),
        (GOOD.replace(b'"allow"', b'"maybe"'), "invalid", 10, "'allow' or 'deny'"),
        (GOOD.replace(b"human:ana", b"human:\\u202eana"), "invalid", 6, "U+202E"),
        (GOOD.replace(b'"A permission"', b'"' + b"x" * 121 + b'"'), "invalid", 4, "120"),
        (GOOD + b"<<<<<<< HEAD\n", "conflict-markers", 16, "merge conflict"),
        (GOOD.replace(PERMISSION.id.encode(), an_id("prm", 2).encode()), "misplaced", None, "whose place is"),
        (GOOD.replace(b"prm_", b"dec_"), "invalid", None, "not of the kind"),
        (b"a = 1\n" * 2, "syntax", 2, ""),
    ],
)
def test_a_bad_file_is_named_with_line_and_reason(data: bytes, code: str, line: int | None, says: str) -> None:
    fault = decode(PATH, data)
    assert isinstance(fault, Fault)
    assert (fault.rel, fault.code, fault.line) == (PATH, code, line)
    assert says in fault.reason


def test_a_naive_time_is_read_as_utc_with_a_warning() -> None:
    warnings: list[str] = []
    value = decode(PATH, GOOD.replace(b"2026-11-30T12:00:00Z", b"2026-11-30T12:00:00"), warnings)
    assert isinstance(value, Record) and value.recorded_at == PERMISSION.recorded_at
    assert warnings == [f"{PATH}: recorded_at: naive time, read as UTC"]


def test_a_date_alone_is_midnight_utc() -> None:
    value = decode(PATH, GOOD.replace(b"2026-11-30T12:00:00Z", b"2026-11-30"))
    assert isinstance(value, Record) and value.recorded_at.isoformat() == "2026-11-30T00:00:00+00:00"


def test_a_record_that_supersedes_itself_is_a_format_error() -> None:
    data = GOOD.replace(b"\n[permission]", b'supersedes = ["' + PERMISSION.id.encode() + b'"]\n\n[permission]')
    fault = decode(PATH, data)
    assert isinstance(fault, Fault) and "names the record itself" in fault.reason


def test_a_hypothesis_without_expiry_is_a_format_error() -> None:
    hypothesis = record("hypothesis")
    data = b"\n".join(line for line in encode(hypothesis).split(b"\n") if not line.startswith(b"expires_at"))
    fault = decode(path_for(hypothesis), data)
    assert isinstance(fault, Fault) and "expires_at" in fault.reason


@pytest.mark.parametrize("depth", [500, 100_000])
def test_hostile_nesting_is_a_fault_and_not_a_crash(depth: int) -> None:
    fault = decode(PATH, b'format = "cc-git/1"\nx = ' + b"[" * depth + b"]" * depth)
    assert isinstance(fault, Fault)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"x = " + b"1" * 5000, "syntax"),
        (b"x" + b".a" * 100_000 + b" = 1", "syntax"),
        (b'valid_from = "0001-01-01T00:00:00+14:00"', "invalid"),
        (b"valid_from = 9999-12-31T23:59:59-14:00", "invalid"),
        (b'valid_from = "never"', "invalid"),
    ],
    ids=lambda value: value[:12].decode() if isinstance(value, bytes) else value,
)
def test_what_a_stranger_may_write_is_a_fault_and_not_a_crash(line: bytes, code: str) -> None:
    fault = decode(PATH, GOOD.replace(b"\n[permission]", line + b"\n\n[permission]"))
    assert isinstance(fault, Fault) and fault.code == code


def test_a_number_too_long_for_python_is_a_fault_in_json_too() -> None:
    rel = "checkpoints/2026-11-30/cp_01m8p570g00000000000000001.json"
    fault = decode(rel, b'{"format": "cc-git/1", "x": ' + b"1" * 5000 + b"}")
    assert isinstance(fault, Fault) and fault.code == "syntax"


def test_a_local_time_under_an_unknown_key_is_written_back() -> None:
    data = GOOD.replace(b"\n[permission]", b"zz_at = 10:00:00\n\n[permission]")
    value = decode(PATH, data)
    assert isinstance(value, Record) and encode(value) == data
