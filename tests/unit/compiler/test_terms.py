"""Text → terms."""

from __future__ import annotations

import pytest

from cc_git.compiler.stem import stem
from cc_git.compiler.terms import TERM_LIMIT, terms

# the examples of the paper's own steps
PAPER = (
    "caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster bled bled motoring motor "
    "sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss fizzed "
    "fizz failing fail filing file happy happi sky sky relational relat conditional condit rational ration valenci "
    "valenc digitizer digit conformabli conform radicalli radic differentli differ vileli vile analogousli analog "
    "vietnamization vietnam predication predic operator oper feudalism feudal decisiveness decis hopefulness hope "
    "callousness callous formaliti formal sensitiviti sensit sensibiliti sensibl triplicate triplic formative form "
    "formalize formal electriciti electr electrical electr hopeful hope goodness good revival reviv allowance allow "
    "inference infer airliner airlin gyroscopic gyroscop adjustable adjust defensible defens irritant irrit "
    "replacement replac adjustment adjust dependent depend adoption adopt communism commun activate activ "
    "angulariti angular homologous homolog effective effect bowdlerize bowdler probate probat rate rate cease ceas "
    "controll control roll roll generalizations gener oscillators oscil"
)


def test_words_have_the_stems_of_the_paper() -> None:
    words = PAPER.split()
    assert [stem(word) for word in words[::2]] == words[1::2]


@pytest.mark.parametrize("word", ["", "a", "is", "über", "x1y", "ss", "漢字"])
def test_what_is_no_english_word_is_left_alone(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The index is being rebuilt", ["index", "rebuilt"]),
        ("camelCaseName", ["camel", "case", "name", "camelcasename"]),
        ("snake_case_name", ["snake", "case", "name", "snakecasename"]),
        ("HTTPServer __init__", ["http", "server", "httpserver", "init"]),
        ("PEP-484, v3.11; utf8", ["pep", "484", "v3", "11", "utf8"]),
        ("Ana's résumé Straße ÜBER", ["ana", "resum", "strass", "uber"]),
        ("漢字かな", ["漢字", "字か", "かな"]),
        ("字", ["字"]),
        ("한국어 git2저장소", ["한국", "국어", "git2", "저장", "장소"]),
        ("\x00\x1b[31m 🚀 —", ["31m"]),
        ("", []),
    ],
)
def test_text_is_cut_into_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_an_endless_word_is_one_short_term() -> None:
    assert [len(term) for term in terms("x" * 1_000_000)] == [TERM_LIMIT]
    assert len(terms("字" * 1000)) == 999
