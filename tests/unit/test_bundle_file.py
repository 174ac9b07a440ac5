"""The bundle's bytes: the same for the same content, refused when anything in them was touched."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cc_git.codec.bundle_file import DEEPEST, BundleFault, decode_bundle, digest_of, encode_bundle
from cc_git.codec.bundle_schema import PAGE, page
from cc_git.model.bundle import Bundle, EndedRecord, Origin

PROJECT = Path(__file__).resolve().parent.parent.parent
ID = "dec_01kb9x3c1e8z4q7m2n5p6r8s0t"


def bundle() -> Bundle:
    return Bundle(
        program="cc-git/0.1.0",
        exported_at=datetime(2026, 11, 30, 12, tzinfo=UTC),
        origin=Origin(workspace="harbour", tree="4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
        ceiling="ordinary",
        episodes=({"id": "ep_01kb9x3c1e8z4q7m2n5p6r8s0t", "content": "é\u202e <!-- x"},),
        ended=(EndedRecord(id=ID, standing="revoked"),),
        left_out={"above_ceiling": 2},
    )


def test_a_bundle_comes_back_as_it_went() -> None:
    data = encode_bundle(bundle())
    again, digest = decode_bundle(data)
    assert (again.episodes, again.ended, again.left_out) == (bundle().episodes, bundle().ended, bundle().left_out)
    assert data == encode_bundle(bundle()) and data.isascii() and digest == json.loads(data)["digest"]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["episodes"][0].update(content="other"),
        lambda d: d.update(ceiling="restricted"),
        lambda d: d.update(added=1),
        lambda d: d.pop("left_out"),
        lambda d: d.pop("digest"),
        lambda d: d.update(digest=d["digest"].upper()),
    ],
)
def test_a_touched_bundle_is_refused(change) -> None:  # type: ignore[no-untyped-def]
    document = json.loads(encode_bundle(bundle()))
    change(document)
    with pytest.raises(BundleFault, match="digest"):
        decode_bundle(json.dumps(document).encode())


def sealed(**changes: object) -> bytes:
    document = json.loads(encode_bundle(bundle())) | changes
    return json.dumps(document | {"digest": digest_of(document)}).encode()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[]", "not a JSON object"),
        (b"{", "line 1"),
        (b'{"format": "cc-git-bundle/2"}', "upgrade"),
        (b'{"format": "other/1"}', "does not name"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a": NaN}', "number"),
        (b'{"a": 1e999}', "number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too long"),
        (b'{"a": "\\ud800"}', "half a character"),
        (b'{"a": ' + b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1) + b"}", "deep"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "deep"),
        (sealed(ended=[{"id": "../../etc/passwd", "standing": "revoked"}]), "ended"),
        (sealed(ended=[{"id": ID, "standing": "in force"}]), "standing"),
        (sealed(forgotten=["dec_x"]), "forgotten"),
        (sealed(origin={"workspace": "two\nlines", "tree": "x"}), "one line"),
    ],
)
def test_what_is_no_bundle_is_refused_with_the_reason(data: bytes, says: str) -> None:
    with pytest.raises(BundleFault, match=says):
        decode_bundle(data)


def test_the_published_schema_is_up_to_date() -> None:
    written = (PROJECT / PAGE).read_text(encoding="utf-8")
    assert written == page(), "run `python -m cc_git.codec.bundle_schema` at the top of the checkout"
