"""A comparison as Markdown: what has no room is counted, and stored text does nothing."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from cc_git.review.changes import Broken, EvidenceChange, FieldChange, Review
from cc_git.review.markdown import LONGEST, markdown, span
from tests.unit.model.samples import an_id


def _episode(number: int, text: str) -> EvidenceChange:
    return EvidenceChange("added", an_id("ep", number), "message", "human:ana", "user-explicit", "user", "ordinary",
                          text, "episodes/x.toml")  # fmt: skip


def test_what_has_no_room_in_a_comment_is_counted() -> None:
    review = Review("A", "B", evidence=tuple(_episode(number, "word " * 60) for number in range(400)))
    page = markdown(review, "ordinary")
    shown = page.count("- message")
    assert LONGEST - 1000 < len(page) < LONGEST + 200
    assert f"{400 - shown} more changes have no room here" in page


@pytest.mark.parametrize("text", ["`", "``` ```", "a`b", "`x", "@all", "<!-- -->", "a\nb", "[x](//y)", "|", "   "])
def test_a_span_is_one_piece_of_code_whatever_is_in_it(text: str) -> None:
    (inline,) = (token for token in MarkdownIt().parse(f"- {span(text)} end") if token.type == "inline")
    kinds = [child.type for child in inline.children or ()]
    assert kinds in (["code_inline", "text"], ["text"])
    if kinds == ["text"]:
        assert span(text) == "(empty)"


def test_why_a_file_is_broken_is_not_posted_for_it_may_quote_it() -> None:
    review = Review("A", "B", broken=(Broken("records/x.toml", 3, "'my secret' is not an id"),))
    page = markdown(review, "ordinary")
    assert "`records/x.toml`, line 3" in page and "secret" not in page


def test_a_field_that_goes_is_said_to_be_gone() -> None:
    review = Review("A", "B", policy=(FieldChange("policy.folders", "month", None),))
    assert "- `policy.folders`: `month` → gone\n" in markdown(review, "ordinary")
