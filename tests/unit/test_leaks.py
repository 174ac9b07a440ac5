"""What a file says and names, and what that makes of it: the rule that keeps private things out of commits."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from cc_git.codec.files import encode, path_for
from cc_git.codec.named import is_private_place, named_in
from cc_git.governance.leaks import Ground, Laid, grounds
from cc_git.model.authority import Sensitivity
from cc_git.model.marks import Ending, Tombstone
from tests.unit.model.samples import an_id

HIDDEN, KNOWN = an_id("blf", 1), an_id("blf", 2)
REL = f"records/belief/2026-11/{KNOWN}.toml"


@dataclass
class Tier:
    """HIDDEN is private; so are the bytes of the blob `b`. KNOWN is tracked."""

    weights: dict[str, Sensitivity] = field(default_factory=lambda: {HIDDEN: "sensitive"})

    def holds(self, identifier: str) -> bool:
        return identifier in self.weights

    def tracks(self, identifier: str) -> bool:
        return identifier == KNOWN

    def weight(self, identifier: str) -> Sensitivity | None:
        return self.weights.get(identifier)

    def weight_of_bytes(self, blob: str) -> Sensitivity | None:
        return "restricted" if blob == "b" else None


def found(text: str, rel: str = REL, blob: str = "a") -> list[Ground]:
    return list(grounds(Laid(rel, blob, text.encode()), Tier()))


SPELLINGS = {
    "plain": 'sensitivity = "sensitive"',
    "a literal": "sensitivity = 'sensitive'",
    "an escaped value": 'sensitivity = "s\\u0065nsitive"',
    "an escaped key": '"s\\u0065nsitivity" = "sensitive"',
    "in a table": '[x.y]\nsensitivity = "sensitive"',
    "in a list": 'x = [{ sensitivity = "sensitive" }]',
    "as JSON": '{"a": [{"\\u0073ensitivity": "sensitive"}]}',
    "in a broken file": 'title = \nsensitivity = "sensitive"',
}


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_what_it_says_of_itself_is_read_however_it_is_spelled(text: str) -> None:
    assert [(one.sort, one.sensitivity) for one in found(text)] == [("says", "sensitive")]


@pytest.mark.parametrize("text", ['content = "sensitivity = sensitive"', "sensitivity = 3", 'sensitivity = "odd"'])
def test_what_only_looks_like_it_says_nothing(text: str) -> None:
    assert found(text) == []


def test_a_text_that_is_no_document_may_speak_of_it() -> None:
    assert found('Write `sensitivity = "sensitive"` into it.', "notes.md") == []


LINKS = {
    "a link": f'sources = ["{HIDDEN}"]',
    "an unknown field": f'x = {{ y = ["{HIDDEN}"] }}',
    "a key": f'"{HIDDEN}" = 1',
    "a text": f'content = "as {HIDDEN}, says"',
    "a path": f'sources = ["private/records/{HIDDEN}.toml"]',
    "a comment": f"# {HIDDEN}",
    "escaped": f'content = "\\u0062{HIDDEN[1:]}"',
    "in capitals": f'content = "{HIDDEN.upper()}"',
    "no document": f"= {HIDDEN}",
    "escaped in a scope": f'scope = {{ project = "\\u0062{HIDDEN[1:]}" }}',
    "an escaped key": f'"\\U00000062{HIDDEN[1:]}" = 1',
    "folded in a scope": f'scope = {{ project = """{HIDDEN[:9]}\\\n  {HIDDEN[9:]}""" }}',
    "escaped in a list of JSON": '["' + HIDDEN.replace("_", "\\u005F") + '"]',
    "escaped in lines of JSON": '{"a": 1}\n{"b": "' + HIDDEN.replace("_", "\\u005f") + '"}',
    "escaped in a URL": "see https://x.example/" + HIDDEN.replace("_", "%5F"),
    "glued to letters": f"x{HIDDEN}x",
    "glued to an id cut short": f"ep_0{HIDDEN[-23:]}{HIDDEN}",
    "split by what nobody sees": f"see {HIDDEN[:9]}\u200b{HIDDEN[9:]}",
    "split by an escape of it": f'content = "{HIDDEN[:9]}\\u00ad{HIDDEN[9:]}"',
    "in wide letters": "".join(chr(ord(one) + 0xFEE0) for one in HIDDEN),
}


@pytest.mark.parametrize("text", LINKS.values(), ids=LINKS)
def test_an_id_is_named_wherever_it_stands(text: str) -> None:
    assert found(text) == [Ground("names", "sensitive", HIDDEN)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_an_id_is_named_in_any_encoding(encoding: str) -> None:
    laid = Laid("attachments/x", "a", f"as {HIDDEN} says".encode(encoding))
    assert list(grounds(laid, Tier())) == [Ground("names", "sensitive", HIDDEN)]


def test_another_id_or_a_part_of_one_is_none() -> None:
    assert found(f'content = "{KNOWN} {HIDDEN[:-1]} {HIDDEN[1:]}"') == []


def test_its_own_id_and_its_bytes() -> None:
    rel = REL.replace(KNOWN, HIDDEN)
    assert found("x = 1", rel) == [Ground("is", "sensitive", HIDDEN)]
    assert found("x = 1", f"attachments/2026-11-01/{HIDDEN}-1") == [Ground("is", "sensitive", HIDDEN)]
    assert found("x = 1", blob="b") == [Ground("is", "restricted")]


@pytest.mark.parametrize("mark", [Tombstone(id=HIDDEN), Ending(id=HIDDEN)])
def test_marks_and_empty_files_are_none(mark: Tombstone | Ending) -> None:
    assert found(encode(mark).decode(), path_for(mark)) == []
    assert found("", REL.replace(KNOWN, HIDDEN)) == []


MARK = encode(Tombstone(id=HIDDEN)).decode()


@pytest.mark.parametrize("more", ['content = "xyzzy"\n', "# xyzzy\n", "\n"])
def test_a_mark_that_holds_more_than_its_id_is_none(more: str) -> None:
    assert found(MARK + more, path_for(Tombstone(id=HIDDEN))) == [Ground("is", "sensitive", HIDDEN)]


@pytest.mark.parametrize("rel", ["tombstones/notes.txt", f"endings/2025-01/{KNOWN}.toml"])
def test_a_mark_at_another_place_is_none(rel: str) -> None:
    assert found(MARK, rel) == [Ground("names", "sensitive", HIDDEN)]
    assert found("x", rel, blob="b") == [Ground("is", "restricted")]


def test_a_receipt_names_what_it_concerned() -> None:
    receipt = an_id("rc", 3)
    assert found(f'touched = ["{HIDDEN}"]', f"receipts/2026-11-01/{receipt}.toml") == []
    assert found('sensitivity = "sensitive"', f"receipts/2026-11-01/{receipt}.toml") != []


@pytest.mark.parametrize(
    ("ruling", "leaks"),
    [
        (f'verb = "revoke"\ntargets = ["{KNOWN}", "{HIDDEN}"]', False),
        (f'verb = "reject"\ntargets = ["{KNOWN}", "{HIDDEN}"]', False),
        (f'verb = "revoke"\ntargets = ["{HIDDEN}"]', True),
        (f'verb = "revoke"\ntargets = ["{an_id("prm", 9)}", "{HIDDEN}"]', True),
        (f'verb = "revoke"\ntargets = ["{KNOWN}", "{HIDDEN}"]\nsaw = ["a", "b"]', True),
        (f'verb = "confirm"\ntargets = ["{KNOWN}"]\nsaw = ["b"]', True),
        (f'verb = "confirm"\ntargets = ["{KNOWN}"]\nsaw = ["a"]', False),
        (f'verb = "archive"\ntargets = ["{KNOWN}", "{HIDDEN}"]', True),
        (f'verb = "revoke"\ntargets = ["{KNOWN}"]\nsources = ["{HIDDEN}"]', True),
    ],
)
def test_a_revoke_of_what_is_tracked_may_have_private_targets(ruling: str, leaks: bool) -> None:
    assert bool(found(ruling, f"rulings/2026-11/{an_id('ru', 3)}.toml")) is leaks


@pytest.mark.parametrize(
    "path",
    [
        ".continuity/private/x", "/home/a/.continuity/private/records/x.toml", "a/.continuity/./private//x",
        ".continuity/records/../private/x", ".continuity/%70rivate/x", "file:///h/.continuity/private/x",
        ".continuity\\private\\x", ".Continuity/Private/x",
    ],
)  # fmt: skip
def test_paths_below_a_private_folder(path: str) -> None:
    assert is_private_place(path)


@pytest.mark.parametrize("path", ["private/x", ".continuity/private", ".continuity/private/.gitignore", "privately"])
def test_other_paths(path: str) -> None:
    assert not is_private_place(path)


def test_prose_about_the_folder_and_patterns_name_nothing_in_it() -> None:
    assert named_in("x.toml", b'content = "look into .continuity/private/x there"').places == frozenset()
    assert named_in("x.toml", b'target = ".continuity/private/*"').places == frozenset()
    assert named_in("x.toml", b'path = ".continuity/private/my notes.txt"').places != frozenset()
