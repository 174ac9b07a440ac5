"""After a forgetting no hash of what was removed is left either: whoever has one can test a guess of the text."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from cc_git.codec.paths import path_of
from tests.cli.forgetting import SECRET, Scene, copied, objects_of
from tests.cli.people import Clone

DOCUMENTS = {
    "0001-key.md": f"# 1. Keep the key\n\n## Status\n\nAccepted\n\n## Context\n\n{SECRET}\n\n## Decision\n\nKeep it.\n",
    "0002-paint.md": "# 2. Paint\n\n## Status\n\nAccepted\n\n## Context\n\nRust.\n\n## Decision\n\nPaint it green.\n",
}


@pytest.fixture
def scene(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return copied(tmp_path, tmp_path_factory)


def _hashes(data: bytes) -> set[bytes]:
    """Of these bytes, plain and as Git hashes a blob of them; in hexadecimal, and as Git's trees hold them."""
    found: set[bytes] = set()
    for one in (data, data.strip(), b"blob %d\0" % len(data) + data):
        for name in ("sha1", "sha256"):
            digest = hashlib.new(name, one)
            found |= {digest.hexdigest().encode(), digest.digest()}
    return found


def _held(top: Path, hashes: set[bytes]) -> list[str]:
    """Where in all that is ours one of them is; Git's own objects are history, and named by the receipt."""
    own = top / ".git" / "continuity"
    files = [path for folder in (top / ".continuity", own) for path in folder.rglob("*") if path.is_file()]
    plain = {f"{path}": path.read_bytes() for path in files if "objects" not in path.parts}
    kept = {f"journal {oid}": data for oid, data in objects_of(own / "journal.git")}
    return [name for name, data in {**plain, **kept}.items() if any(one in data for one in hashes)]


def _files_of(clone: Clone, ids: list[str]) -> list[bytes]:
    folder = clone.top / ".continuity"
    return [p.read_bytes() for p in folder.rglob("*") if p.is_file() and any(i in p.name for i in ids)]


def test_nothing_of_ours_holds_a_hash_of_the_text_or_of_a_file_that_went(scene: Scene) -> None:
    clone = scene.clone
    gone = [one["id"] for one in clone.data("forget", scene.episode, "--dry-run")["plan"]["remove"]]
    hashes = {h for data in (SECRET.encode(), *_files_of(clone, gone)) for h in _hashes(data)}
    hashes |= _hashes(DOCUMENTS["0001-key.md"].encode())
    assert len(_held(clone.top, hashes)) > 3, "the look is blind"
    clone.person("forget", scene.episode, answers=("y",))
    assert _held(clone.top, hashes) == []
    clone.commit("Forget")
    clone.cc("resume")
    assert _held(clone.top, hashes) == []


def test_the_manifest_of_an_import_of_which_something_stays_has_none_either(accepted: Clone) -> None:
    folder = accepted.top / "adr"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text)
    items = accepted.data("import", "adr", "adr")["items"]
    one = next(item["record"] for item in items if "key" in item["path"])
    hashes = _hashes(DOCUMENTS["0001-key.md"].encode()) | _hashes(SECRET.encode())
    assert _held(accepted.top, hashes) != []
    accepted.person("forget", one, answers=("y",))
    assert _held(accepted.top, hashes) == []
    reviewed = accepted.data("import", "review")[0]["items"]
    assert {item["from"]: item["would_be"] for item in reviewed}["adr/0002-paint.md"] == "new"


def test_an_acceptance_goes_with_what_it_accepted_and_a_revocation_is_named(accepted: Clone) -> None:
    one = accepted.agent().made("propose", SECRET, "-k", "procedure", prefix="prc")
    accepted.person("accept", one, answers=("y",))
    (accept,) = [path.stem for path in (accepted.top / ".continuity" / "rulings").rglob("*.toml")]
    hashes = {h for data in _files_of(accepted, [one]) for h in _hashes(data)}
    plan = accepted.data("forget", one, "--dry-run")["plan"]
    assert {line["id"]: line["why"] for line in plan["remove"]}[accept] == "sole source"
    revoke = accepted.made("revoke", one, prefix="ru")
    said = accepted.person("forget", one, answers=("y",))
    assert revoke in said and "fingerprint" in said
    assert [name for name in _held(accepted.top, hashes) if revoke not in name and "journal" not in name] == []
    accepted.person("forget", revoke, answers=("y",))
    assert _held(accepted.top, hashes) == []
    assert path_of(one) not in accepted.cc("list")
