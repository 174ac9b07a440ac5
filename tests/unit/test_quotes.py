"""What counts as a quote of a removed text, and the search that verifies: two pieces of code, held to one law."""

from __future__ import annotations

import json
import time
import unicodedata

import pytest

from cc_git.codec.toml_write import dump
from cc_git.governance.quotes import Needle, Quotes, names_one, needles_of
from cc_git.governance.verify_forgotten import Search
from tests.unit.model.samples import an_id

TEXT = "The clé of the old crane lies under the third stone, by the pier & the gate"
COPIES = {
    "itself": TEXT,
    "six words": "we say: the third stone by the pier, and no more",
    "thirty-two letters": "oldcraneliesunderthethirdstonebythe",
    "other case": TEXT.upper(),
    "decomposed": unicodedata.normalize("NFD", TEXT),
    "full width": "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in TEXT),
    "over lines": TEXT.replace(" ", "\n> "),
    "zero width": TEXT.replace("o", "o\u200b"),
    "json escapes": json.dumps(TEXT.replace("o", "ö").replace("ö", "o") + "é"),
    "unicode escapes": "".join(f"\\u{ord(c):04x}" for c in TEXT),
    "xml entities": "".join(f"&#{ord(c)};" for c in TEXT),
    "xml markup": f"<p>{TEXT.replace('&', '&amp;').replace('crane', 'cr<b>an</b>e')}</p>",
}
OTHERS = {
    "five words": "the old crane lies under water",
    "the same words apart": "the pier, the old stone, the third crane, the gate of the clé",
    "another text": "Paint the boat green before the spring comes to the harbour",
    "nothing": "",
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_found_by_the_search_whatever_it_is_written_in(name: str) -> None:
    search = Search((), [(TEXT, True)])
    copy = COPIES[name]
    for data in (
        copy.encode(),
        json.dumps({"a": {"b": [copy]}}).encode(),
        dump({"a": {"b": copy}}).encode(),
        b"\x00\x01 binary \xff " + copy.encode() + b"\x00",
        ("\ufeff" + copy).encode("utf-16-le"),
    ):
        assert search.finds_text(data), data


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_copy_is_found_by_neither(name: str) -> None:
    other = OTHERS[name]
    assert not Search((), [(TEXT, True)]).finds_text(other.encode())
    assert Quotes([Needle(TEXT, "like")]).found_in([other]) is None


@pytest.mark.parametrize("name", [name for name in COPIES if name != "xml markup"])
def test_a_copy_is_a_quote_for_the_plan(name: str) -> None:
    assert Quotes([Needle(TEXT, "like")]).found_in(["before", COPIES[name]]) == "quote"


def test_a_short_text_is_alike_unless_it_was_asked_for() -> None:
    assert Quotes(needles_of(["Pier seven"])).found_in(["go to Pier  Seven!"]) == "like"
    assert Quotes([Needle("pw 7", "quote")]).found_in(["the PW-7"]) == "quote"
    assert Quotes(needles_of(["Pier seven", "A longer text about it"])).found_in(["go to pier seven"]) is None
    assert Search((), [("Pier seven", True)]).finds_text(b"go to pier-seven")
    assert not Search((), [("Pier seven", False)]).finds_text(b"go to pier-seven")


def test_the_search_knows_the_file_of_an_id_from_its_mark() -> None:
    identifier = "dec_01kb7z9n000000000000000001"
    search = Search((identifier,), ())
    mark = f'format = "cc-git/1"\nid = "{identifier}"\n'.encode()
    assert not search.is_one(mark) and search.is_one(mark + b'title = "x"\n')
    assert search.is_one(json.dumps({"id": identifier, "title": "x"}).encode())
    assert not search.is_one(f'id = "other"\nsources = ["{identifier}"]\n'.encode()) and not search.is_one(b"")
    assert search.finds_id(b"\x00" + identifier.encode() + b"\x00") and not search.finds_id(b"dec_01kb7z9n")


def test_among_many_texts_each_is_found_as_if_it_were_alone() -> None:
    words = [
        a + b for a in ("lor", "mun", "pas", "quo") for b in ("tek", "vil", "wen", "zor", "dar", "fip", "gul", "hox")
    ]
    texts = [" ".join(words[(n * k) % 32] for k in range(1, 14)) + f" number{n}" for n in range(1, 150)]
    short = [f"gate{n:04}" for n in range(100)]
    search = Search((), [(text, True) for text in (*texts, *short)])
    for text in texts:
        assert search.finds_text(f"We know: {text.upper()}!".encode())
        assert Search((), [(text, True)]).finds_text(text.encode())
    assert all(search.finds_text(f"Say {one} at the door".encode()) for one in short)
    assert not search.finds_text(b"The crane is old, the pier is short, and nobody has painted either of them since")


def test_a_short_text_is_found_wherever_it_stands_among_many() -> None:
    many = Quotes(needle for n in range(100) for needle in needles_of([f"gate{n:04}", f"Gate{n:04} east"]))
    many.add([Needle("pw 7", "quote"), Needle("gate0007 west", "quote")])
    for n in range(100):
        assert many.found_in([f"Say gate{n:04}-EAST at the door"]) == "like"
        assert many.found_in([f"Say gate{n:04} at the door"]) is None, "of two texts of one object the longest tells"
    assert many.found_in(["the PW-7 of the door"]) == many.found_in(["at gate0007, west of it"]) == "quote"


def test_a_text_is_gone_through_once_however_many_are_looked_for() -> None:
    texts = [f"crane {n} is red" for n in range(10_000)]

    def took(number: int) -> float:
        quotes = Quotes(needle for text in texts[:number] for needle in needles_of([text]))
        start = time.process_time()
        assert all(quotes.found_in([f"{text}, said the keeper, and went on to the pier"]) for text in texts[:400])
        return time.process_time() - start

    assert min(took(10_000) for _ in range(3)) < 5 * min(took(500) for _ in range(3))


def test_an_id_is_found_among_few_and_among_many() -> None:
    many = [f"goal_{n:026}" for n in range(1, 200)]
    for ids in (many[:3], many):
        search = Search(ids, ())
        assert all(search.finds_id(f"x{one}y".encode()) for one in ids)
        assert not search.finds_id(f"goal_{0:026} {many[0][1:]} {many[0][:-1]}".encode())


def test_an_id_is_named_whatever_stands_around_it() -> None:
    one, other = an_id("dec"), an_id("blf")
    assert names_one(f"see{one}.", {one}) and names_one(f"{other} and ({one})", {one})
    assert not names_one(f"see {other}", {one}) and not names_one("see dec_ and no more", {one})
