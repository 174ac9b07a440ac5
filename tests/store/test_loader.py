"""Reading a snapshot's files: what cannot be used is named, the rest works."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cc_git.codec import paths
from cc_git.codec.files import encode, path_for
from cc_git.errors import Damaged
from cc_git.model.fault import Fault
from cc_git.model.marks import Tombstone
from cc_git.model.policy import Workspace
from cc_git.model.value import Value
from cc_git.model.working_context import WorkingContext
from cc_git.store.engine import MissingObject
from cc_git.store.loader import Loaded, load, reading
from cc_git.store.trees import object_id
from tests.store.worlds import a_record

ONE, TWO = a_record("decision", 1), a_record("decision", 2)


def loaded(data: Mapping[str, bytes], **asked: frozenset[str]) -> Loaded:
    blobs = {rel: object_id("blob", content, "sha1") for rel, content in data.items()}
    return load(blobs, reading({blobs[rel]: content for rel, content in data.items()}), **asked)


def files(*values: Value) -> dict[str, bytes]:
    return {path_for(value): encode(value) for value in values}


def faults(result: Loaded) -> list[tuple[str, str]]:
    return [(fault.rel, fault.code) for fault in result.files.faults]


def test_values_are_found_by_id_with_path_and_blob() -> None:
    result = loaded(files(ONE, TWO))
    [filed] = result.files.records[ONE.id]
    assert (filed.value, filed.rel) == (ONE, path_for(ONE))
    assert filed.blob == object_id("blob", encode(ONE), "sha1")
    assert faults(result) == []


def test_an_empty_file_is_the_place_of_a_forgotten_one_only_with_a_tombstone() -> None:
    empty = {path_for(ONE): b"", path_for(TWO): b""}
    result = loaded(empty | files(Tombstone(id=ONE.id)))
    assert faults(result) == [(path_for(TWO), "empty")]
    assert result.files.tombstones == {ONE.id}


def test_a_tombstone_that_was_seen_elsewhere_explains_an_empty_file_too() -> None:
    result = loaded({path_for(ONE): b""}, forgotten=frozenset({ONE.id}))
    assert faults(result) == []
    assert result.files.tombstones == {ONE.id}


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"format = 'cc-git/1'\nid = [", "syntax", 2),
        (b"\xff\xfe", "encoding", 1),
        (b'format = "cc-git/9"\n', "future", None),
        (encode(ONE).replace(b'kind = "decision"', b'kind = "wish"'), "invalid", 3),
        (encode(TWO), "misplaced", None),
        (b"<<<<<<< ours\n=======\n>>>>>>> theirs\n", "conflict-markers", 1),
    ],
)
def test_a_file_that_cannot_be_used_is_named_and_skipped(data: bytes, code: str, line: int | None) -> None:
    result = loaded({path_for(ONE): data} | files(a_record("decision", 3)))
    [fault] = result.files.faults
    assert (fault.rel, fault.code, fault.line) == (path_for(ONE), code, line)
    assert fault.reason
    assert len(result.files.records) == 1


def test_one_id_with_two_contents_is_named_at_both_places_and_kept_twice() -> None:
    private = paths.private(path_for(ONE))
    other = ONE.model_copy(update={"title": "another"})
    result = loaded(files(ONE) | {private: encode(other)})
    assert faults(result) == [(private, "duplicate"), (path_for(ONE), "duplicate")]
    assert {filed.value.title for filed in result.files.records[ONE.id]} == {ONE.title, "another"}


def test_a_private_copy_of_the_same_bytes_is_no_second_content() -> None:
    result = loaded(files(ONE) | {paths.private(path_for(ONE)): encode(ONE)})
    assert faults(result) == []
    assert len(result.files.records[ONE.id]) == 1


def test_what_is_no_object_is_left_alone() -> None:
    beside = {
        "attachments/2026-11-30/ep_x-1": b"\xff",
        "quarantine/im_x/records/a.toml": b"not toml [",
        "dreams/2026-11/dr_x.toml": b"",
        "README.md": b"hello",
        ".gitattributes": b"",
        "records/decision/.DS_Store": b"\0",
        "private/.gitignore": b"*\n",
    }
    result = loaded(beside)
    assert faults(result) == []
    assert result.workspace is None


def test_the_workspace_file_is_a_value_or_a_fault() -> None:
    assert loaded({paths.WORKSPACE_FILE: encode(Workspace(name="demo"))}).workspace == Workspace(name="demo")
    broken = loaded({paths.WORKSPACE_FILE: b"<<<<<<< ours\n"} | files(ONE))
    assert isinstance(broken.workspace, Fault)
    assert broken.workspace.code == "conflict-markers"
    assert list(broken.files.records) == [ONE.id]
    assert faults(broken) == []


def test_the_working_context_is_read_from_the_private_tier() -> None:
    assert loaded({paths.WORKING_CONTEXT: encode(WorkingContext(version=3))}).context == WorkingContext(version=3)
    assert isinstance(loaded({paths.WORKING_CONTEXT: b"{"}).context, Fault)


def test_a_naive_time_is_read_and_warned_about() -> None:
    naive = encode(ONE).replace(b"2026-11-30T12:00:00Z", b"2026-11-30T12:00:00")
    result = loaded({path_for(ONE): naive})
    assert result.files.records[ONE.id][0].value.recorded_at == ONE.recorded_at
    [warning] = result.warnings
    assert path_for(ONE) in warning
    assert "naive" in warning


def test_an_object_that_is_not_in_this_clone_is_named() -> None:
    def damaged(blob: str) -> bytes:
        raise Damaged("cannot be read", why="zlib")

    result = load({path_for(ONE): "0" * 40}, reading({}))
    assert faults(result) == [(path_for(ONE), "missing")]
    assert faults(load({path_for(ONE): "0" * 40}, damaged)) == [(path_for(ONE), "missing")]


def test_a_reader_asks_one_place_after_the_other() -> None:
    def nowhere(blob: str) -> bytes:
        raise MissingObject(blob)

    read = reading({"a": b"1"}, nowhere, {"a": b"2", "b": b"3"})
    assert (read("a"), read("b")) == (b"1", b"3")
    with pytest.raises(MissingObject):
        read("c")
