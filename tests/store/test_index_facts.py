"""What the index keeps of a file instead of reading it again."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pygit2
import pytest

from cc_git.codec.files import decode, encode, path_for
from cc_git.compiler.cards import millis
from cc_git.model.fault import Fault
from cc_git.model.kinds import KINDS
from cc_git.model.record import Record
from cc_git.store.index_facts import facts_of, sketch_of
from cc_git.store.pygit2_engine import open_engine
from tests.store.lab import Lab
from tests.unit.model.samples import record

BLOB = "a" * 40


def sketched(data: bytes, rel: str) -> None:
    value = decode(rel, data)
    assert isinstance(value, Record), value
    assert sketch_of(rel, BLOB, data) == facts_of(rel, BLOB, value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sketch_of_a_valid_record_is_its_facts(kind: str) -> None:
    value = record(kind)
    sketched(encode(value), path_for(value))


def test_sketches_of_random_records_are_their_facts(tmp_path: Path) -> None:
    pygit2.init_repository(str(tmp_path / "r"), bare=True)
    lab = Lab(open_engine(tmp_path / "r"), tmp_path / "r", random.Random(3))
    for _ in range(300):
        value = lab.a_record()
        sketched(encode(value), path_for(value))


@pytest.mark.parametrize(
    "spelled", ["2027-01-02T03:04:05Z", "2027-01-02T03:04:05", '"2027-01-02T03:04:05+01:00"', "2027-01-02"]
)
def test_times_are_seen_however_they_are_spelled(spelled: str) -> None:
    value = record("decision")
    data = encode(value).replace(b"\nrecorded_at", f"\nvalid_to = {spelled}\nrecorded_at".encode())
    sketched(data, path_for(value))


def test_a_time_counts_from_the_first_millisecond_at_which_it_has_come() -> None:
    late = datetime(2027, 1, 2, 3, 4, 5, 1, tzinfo=UTC)
    facts = facts_of("x", BLOB, record("decision", valid_to=late))
    assert millis(late) + 1 in facts.times


@pytest.mark.parametrize("data", [b"", b"\xff", b"x = [", b'id = 3\nkind = []\nsources = "x"\nanchors = [1, {}]\n'])
def test_what_is_no_record_can_be_sketched_too(data: bytes) -> None:
    rel = path_for(record("decision"))
    assert isinstance(decode(rel, data), Fault)
    assert sketch_of(rel, BLOB, data).rel == rel
