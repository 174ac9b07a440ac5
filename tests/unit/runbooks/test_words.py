from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.runbooks.words import has_phrase, has_words


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Then release it", "release"),
        ("then RELEASE it", "Release"),
        ("run git commit now", "git-commit"),
        ("git-commit hangs", "git commit"),
        ("die STRASSE sperren", "Straße"),
        ("ｒｅｌｅａｓｅ", "release"),
        ("re\u200blease", "release"),
        ("cafe\u0301 opens", "café"),
        ("请部署到生产环境", "部署"),
        ("हिन्दी में", "हिन्दी"),
        ("port it to C++ today", "c++"),
    ],
)
def test_whole_words_are_found_whatever_their_spelling(text: str, phrase: str) -> None:
    assert has_words(text, phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("the unreleased part", "release"),
        ("releases", "release"),
        ("pre_commit runs", "commit"),
        ("block the door", "lock"),
        ("plan c is next", "c++"),
        ("हिन्दी", "हि"),
        ("anything", "  "),
        ("anything", "-"),
        ("git then commit", "git commit"),
    ],
)
def test_parts_of_words_are_not_found(text: str, phrase: str) -> None:
    assert not has_words(text, phrase)


def test_a_signal_is_found_letter_by_letter_and_cuts_no_word() -> None:
    failed = "fatal: Unable to create '/w/.git/index.lock': File exists."
    assert has_phrase(failed, "index.lock")
    assert has_phrase(failed, "unable to\n create")
    assert not has_phrase("the index lock", "index.lock")
    assert not has_phrase("/w/myindex.lock", "index.lock")
    assert not has_phrase("index.locked", "index.lock")
    assert has_phrase("index.locked, then index.lock", "index.lock")


@given(st.text(), st.text(), st.text())
def test_a_text_between_blanks_is_found_where_it_has_letters(before: str, text: str, after: str) -> None:
    if any(c.isalnum() for c in text):
        assert has_words(f"{before} {text} {after}", text)
