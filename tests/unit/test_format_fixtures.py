"""The fixtures by which another implementation of the format is held, held against ours."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from cc_git.codec.documents import to_document
from cc_git.codec.files import DREAM_MODELS, MODELS, decode, encode
from cc_git.codec.json_times import in_json
from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed, gather
from cc_git.model.kinds import PAYLOADS
from cc_git.model.policy import Policy, Workspace
from cc_git.model.record import Record
from cc_git.model.value import Value
from cc_git.model.working_context import WorkingContext
from cc_git.standing import standing
from cc_git.store.trees import object_id

HERE = Path(__file__).parent.parent / "fixtures" / "format"


def told(name: str) -> dict[str, Any]:
    return dict(json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")))


def files_of(folder: str) -> dict[str, bytes]:
    top = HERE / folder
    return {file.relative_to(top).as_posix(): file.read_bytes() for file in top.rglob("*") if file.is_file()}


def value_at(rel: str, data: bytes) -> Value:
    value = decode(rel, data)
    assert not isinstance(value, Fault), value
    return value


def test_every_valid_file_holds_what_is_told() -> None:
    files, expected = files_of("valid"), told("valid")
    assert files.keys() == expected.keys()
    for rel, data in files.items():
        found = json.loads(json.dumps(to_document(value_at(rel, data)), default=in_json))
        assert (list(found), found) == (list(expected[rel]["holds"]), expected[rel]["holds"])


def test_what_a_program_wrote_is_written_again_to_the_byte() -> None:
    ours = {rel for rel, one in told("valid").items() if one["written_by_a_program"]}
    for rel, data in files_of("valid").items():
        assert (encode(value_at(rel, data)) == data) is (rel in ours), rel


def test_there_is_one_of_every_sort_and_kind() -> None:
    values = [value_at(rel, data) for rel, data in files_of("valid").items()]
    assert {type(value) for value in values} >= {*MODELS.values(), *DREAM_MODELS.values(), Workspace, WorkingContext}
    assert {value.kind for value in values if isinstance(value, Record)} == set(PAYLOADS)


@pytest.mark.parametrize("name", sorted(told("broken")))
def test_a_broken_file_is_named(name: str) -> None:
    expected = told("broken")[name]
    ((rel, data),) = files_of(f"broken/{name}").items()
    fault = decode(rel, data)
    assert isinstance(fault, Fault)
    assert {"file": fault.rel, "code": fault.code, "line": fault.line, "reason": fault.reason} == expected


@pytest.mark.parametrize("name", sorted(told("standing")))
def test_records_count_as_is_told(name: str) -> None:
    case, files = told("standing")[name], files_of(f"standing/{name}")
    filed = [Filed(rel, object_id("blob", data, "sha1"), value_at(rel, data)) for rel, data in files.items()]
    bound = frozenset(one.blob for one in filed if one.rel in case["attested"])
    now = datetime.fromisoformat(case["now"])
    judged = standing(gather(filed), Policy(), Attestations(accepted=bound), Negatives(), now)
    assert {
        identifier: {
            "standing": verdict.standing,
            "authority": verdict.authority,
            "attested": verdict.attested,
            "flags": sorted(verdict.flags),
            "by": list(verdict.by),
            "yields_to": list(verdict.yields_to),
        }
        for identifier, verdict in judged.verdicts.items()
    } == case["counts"]


def test_no_case_is_left_out() -> None:
    for name in ("broken", "standing"):
        assert {path.name for path in (HERE / name).iterdir()} == told(name).keys()
