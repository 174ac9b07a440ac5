"""Odd, old, broken and hostile documents: what is read from them, and what is said about them."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc_git.importers.adr_parse import SIZE_LIMIT, parse_adr
from cc_git.importers.adr_values import Adr, AdrStatus, NotAnAdr
from cc_git.model.value import one_line

S = AdrStatus
BODY = "\n## Context\n\nwhy\n\n## Decision\n\nwe do\n\n## Consequences\n\nthen\n"


def read(text: str | bytes, path: str = "docs/adr/0007-use-x.md") -> Adr:
    adr = parse_adr(path, text.encode() if isinstance(text, str) else text)
    assert isinstance(adr, Adr), adr
    return adr


def refused(text: str | bytes, path: str = "docs/adr/0007-use-x.md") -> NotAnAdr:
    adr = parse_adr(path, text.encode() if isinstance(text, str) else text)
    assert isinstance(adr, NotAnAdr), adr
    return adr


def said(adr: Adr) -> set[str]:
    return {warning.text for warning in adr.warnings}


def links(adr: Adr) -> list[tuple[str, str]]:
    return [(link.relation, link.target) for link in adr.links]


@pytest.mark.parametrize(
    ("status", "expected", "day"),
    [
        ("Accepted", S.ACCEPTED, None),
        ("**Accepted**", S.ACCEPTED, None),
        ("✅ Accepted on 2024-05-06", S.ACCEPTED, date(2024, 5, 6)),
        ("2024-05-06: accepted", S.ACCEPTED, date(2024, 5, 6)),
        ("Accepted (was proposed)", S.ACCEPTED, None),
        ("Approved by the board, 6 May 2024", S.ACCEPTED, date(2024, 5, 6)),
        ("Proposed", S.PROPOSED, None),
        ("In review", S.PROPOSED, None),
        ("Draft", S.DRAFT, None),
        ("WIP", S.DRAFT, None),
        ("on hold", S.ON_HOLD, None),
        ("On-Hold since May 6th, 2024", S.ON_HOLD, date(2024, 5, 6)),
        ("Deferred", S.ON_HOLD, None),
        ("Rejected", S.REJECTED, None),
        ("declined 06.05.2024", S.REJECTED, date(2024, 5, 6)),
        ("Deprecated", S.DEPRECATED, None),
        ("Obsolete", S.DEPRECATED, None),
        ("Superseded", S.SUPERSEDED, None),
        ("Superceded by ADR-9", S.SUPERSEDED, None),
        ("superseeded by ADR 9", S.SUPERSEDED, None),
        ("Replaced by [9](0009-y.md)", S.SUPERSEDED, None),
        ("Partially superseded by ADR-9", S.ACCEPTED, None),
        ("~~Proposed~~ Accepted", S.ACCEPTED, None),
        ("- [ ] Proposed\n- [x] Accepted\n- [ ] Rejected", S.ACCEPTED, None),
        ("* 2024-01-01 proposed\n* 2024-05-06 accepted", S.ACCEPTED, date(2024, 5, 6)),
        ("* 2024-05-06 accepted\n* 2024-01-01 proposed", S.ACCEPTED, date(2024, 5, 6)),
        ("Accepted\n\nSuperseded by [9. Y](0009-y.md)", S.SUPERSEDED, None),
        ("Superseded by [9. Y](0009-y.md)\n\nAccepted", S.SUPERSEDED, None),
        ("Accepted\n\nThis was first proposed in May.", S.ACCEPTED, None),
        ("Proposed | Accepted | Rejected", S.UNKNOWN, None),
        ("[proposed | rejected | accepted | deprecated | superseded by ADR-9]", S.UNKNOWN, None),
        ("", S.ABSENT, None),
        ("Not accepted", S.UNKNOWN, None),
        ("Acceptance pending", S.UNKNOWN, None),
        ("akzeptiert", S.UNKNOWN, None),
        ("<!-- Rejected -->\nAccepted", S.ACCEPTED, None),
        ("```\nRejected\n```\n\nAccepted", S.ACCEPTED, None),
        ("![accepted](https://img.shields.io/badge/status-accepted-green.svg)", S.ACCEPTED, None),
        ("![x](https://img.shields.io/badge/status-superseeded_by_ADR_0009-orange.svg?style=flat)", S.SUPERSEDED, None),
    ],
)  # fmt: skip
def test_status_section_is_read(status: str, expected: AdrStatus, day: date | None) -> None:
    adr = read(f"# 7. Use X\n\n## Status\n\n{status}\n{BODY}")
    assert (adr.status, adr.status_date) == (expected, day)


@pytest.mark.parametrize(
    "head",
    [
        "* Status: accepted\n* Date: 2024-05-06\n* Deciders: Ana, Bo",
        "- **Status:** accepted\n- **Date:** 2024-05-06\n- **Deciders:** Ana and Bo",
        "Status: accepted\nDate: 2024-05-06\nDeciders: Ana; Bo",
        "**Status**: accepted\n\n**Date**: 6 May 2024\n\n**Decision makers**: Ana & Bo",
        "| Status | accepted |\n|---|---|\n| Date | 2024-05-06 |\n| Deciders | Ana, Bo |",
    ],
)
def test_lines_below_the_title_say_status_date_and_deciders(head: str) -> None:
    adr = read(f"# Use X\n\n{head}\n{BODY}")
    assert (adr.status, adr.date, adr.deciders) == (S.ACCEPTED, date(2024, 5, 6), ("Ana", "Bo"))


@pytest.mark.parametrize(
    "matter",
    [
        "status: accepted\ndate: 2024-05-06\ndecision-makers: [Ana, Bo]",
        'status: "accepted"\ndate: "2024-05-06"\ndeciders: Ana, Bo',
        "Status: Accepted\nDate: 2024-05-06T10:00:00Z\nDecision_Makers:\n  - Ana\n  - Bo",
        "status: accepted\ndate: 2024-05-06\ndeciders: Ana, Bo\ntitle: Foo: bar: [",
        "status: accepted\r\ndate: 2024-05-06\r\ndeciders: Ana, Bo",
    ],
)
def test_front_matter_says_status_date_and_deciders(matter: str) -> None:
    adr = read(f"---\n{matter}\n---\n# Use X\n{BODY}")
    assert (adr.status, adr.date, adr.deciders) == (S.ACCEPTED, date(2024, 5, 6), ("Ana", "Bo"))


def test_front_matter_wins_over_a_line_and_a_line_over_a_section() -> None:
    text = "# X\n\nStatus: rejected\n\n## Status\n\ndeprecated\n" + BODY
    assert read(text).status is S.REJECTED
    assert read("---\nstatus: accepted\n---\n" + text).status is S.ACCEPTED


@pytest.mark.parametrize(
    "matter",
    [
        "status: !!python/object/apply:os.system ['touch /tmp/never']",
        "a: &a [x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]",
        "status: " + "[" * 5000,
        "? [a, b]\n: c",
        "- a\n- b",
        "status: {proposed | accepted}",
        "date: 2024-99-99",
        "\tstatus: accepted",
        "x: \x00",
    ],
)
def test_hostile_or_broken_front_matter_is_harmless_and_warned_about(matter: str) -> None:
    adr = read(f"---\n{matter}\n---\n# Use X\n{BODY}")
    assert adr.title == "Use X"
    assert adr.decision == "we do"
    assert adr.warnings


def test_front_matter_that_expands_is_not_expanded() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    adr = read(f"---\n{bomb}tags: *a59\nstatus: accepted\n---\n# Use X\n{BODY}")
    assert adr.status is S.ACCEPTED
    assert "front matter is not valid YAML (aliases are not read); read line by line" in said(adr)


def test_an_empty_status_in_front_matter_lets_the_body_speak() -> None:
    assert read(f"---\nstatus:\n---\n# X\n\nStatus: rejected\n{BODY}").status is S.REJECTED
    assert read(f"---\nstatus:\n---\n# X\n{BODY}").status is S.ABSENT


@pytest.mark.parametrize(
    "matter",
    [
        "status: {proposed | rejected | accepted | deprecated | … | superseded by ADR-0123}",
        'status: "{proposed | rejected | accepted | deprecated | … | superseded by ADR-0123}"',
    ],
)
def test_a_choice_that_nobody_made_is_not_a_decision(matter: str) -> None:
    adr = read(f"---\n{matter}\ndate: {{YYYY-MM-DD when the decision was last updated}}\n---\n# X\n{BODY}")
    assert (adr.status, adr.date, adr.links) == (S.UNKNOWN, None, ())
    assert "the status is still the template's choice; read as not decided" in said(adr)


def test_a_block_that_never_closes_is_text() -> None:
    adr = read("---\nstatus: [accepted\n\n# Use X\n" + BODY)
    assert adr.title == "Use X"
    assert "the block opened by '---' is never closed; read as text" in said(adr)


@pytest.mark.parametrize(
    ("name", "heading", "number", "title"),
    [
        ("0007-use-x.md", "# 7. Use X", 7, "Use X"),
        ("0007-use-x.md", "# ADR-0007: Use X", 7, "Use X"),
        ("0007-use-x.md", "# ADR 7 - Use X", 7, "Use X"),
        ("0007-use-x.md", "# ADR: Use X", 7, "Use X"),
        ("0007-use-x.md", "# Use X", 7, "Use X"),
        ("0007-use-x.md", "#  **Use** `X`  #", 7, "Use X"),
        ("0007-use-x.md", "Use X\n=====", 7, "Use X"),
        ("0007-use-x.md", "# 3 ways to X", 7, "3 ways to X"),
        ("0007-use-x.md", "# 2030: A plan", 7, "2030: A plan"),
        ("use-x.md", "# 7. Use X", 7, "Use X"),
        ("adr-007-use-x.md", "# Use X", 7, "Use X"),
        ("ADR0007_use_x.md", "# Use X", 7, "Use X"),
        ("20240506-use-x.md", "# Use X", None, "Use X"),
        ("0007-use-x.md", "## Use X", 7, "Use X"),
        ("0007-use-x.md", "", 7, "Use x"),
        ("0007.md", "", 7, "0007"),
    ],
)
def test_title_and_number_are_told_apart(name: str, heading: str, number: int | None, title: str) -> None:
    adr = read(f"{heading}\n\nStatus: accepted\n{BODY}", f"docs/adr/{name}")
    assert (adr.number, adr.title) == (number, title)


def test_a_dated_file_name_gives_the_date_where_the_document_has_none() -> None:
    assert read(f"# Use X\n{BODY}", "adr/20240506-use-x.md").date == date(2024, 5, 6)
    assert read(f"# Use X\n\nDate: 2024-07-08\n{BODY}", "adr/20240506-use-x.md").date == date(2024, 7, 8)


def test_a_title_is_cut_and_cleaned_to_one_line_with_a_warning() -> None:
    long, hidden = read(f"# {'word ' * 60}\n{BODY}"), read(f"# Use\u202e X\u200b\x07\n{BODY}")
    assert one_line(long.title) and long.title.endswith("…")
    assert "title cut to 120 characters" in said(long)
    assert hidden.title == "Use X"
    assert "title cleaned of control characters" in said(hidden)


def test_a_date_with_two_readings_is_not_guessed() -> None:
    adr = read(f"# X\n\nDate: 05/06/2024\n{BODY}")
    assert adr.date is None
    assert "'05/06/2024' is no date we can read; write YYYY-MM-DD" in said(adr)
    assert read(f"# X\n\nDate: 25/06/2024\n{BODY}").date == date(2024, 6, 25)


def test_the_decision_day_of_a_superseded_document_is_not_the_day_of_its_end() -> None:
    adr = read(f"# X\n\n## Status\n\n* Accepted 2024-01-02\n* Superseded 2025-03-04 by ADR-9\n{BODY}")
    assert (adr.status, adr.date, adr.status_date) == (S.SUPERSEDED, date(2024, 1, 2), date(2025, 3, 4))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Superseded by [9. Use Y](0009-use-y.md)", [("superseded-by", "0009-use-y.md")]),
        ("Supersedes [3. Use W](0003-use-w.md)", [("supersedes", "0003-use-w.md")]),
        ("Supercedes ADR-3", [("supersedes", "ADR-3")]),
        ("Superseded by 0009", [("superseded-by", "ADR-9")]),
        ("Superseded by ADR 12, 13 and 14", [("superseded-by", f"ADR-{n}") for n in (12, 13, 14)]),
        ("Superseded by [[0009-use-y]]", [("superseded-by", "0009-use-y")]),
        ("Superseded by 0009-use-y.md", [("superseded-by", "0009-use-y.md")]),
        ("Superseded on 2024-05-06 by ADR-9", [("superseded-by", "ADR-9")]),
        ("Accepted, supersedes [3](0003-w.md), amended by [9](0009-y.md)",
         [("supersedes", "0003-w.md"), ("amended-by", "0009-y.md")]),
        ("Amends [3. W](0003-w.md)", [("amends", "0003-w.md")]),
        ("Clarified by [3. W](0003-w.md)", [("clarified-by", "0003-w.md")]),
        ("Deprecated in favor of [9](0009-y.md)", [("superseded-by", "0009-y.md")]),
        ("Partially supersedes ADR-3", [("partially-supersedes", "ADR-3")]),
        ("[Superseded by ADR-9](0009-y.md)", [("superseded-by", "0009-y.md")]),
        ("Accepted by 5 of 7 people", []),
        ("Superseded by [nine][n]\n\n[n]: 0009-y.md", [("superseded-by", "0009-y.md")]),
    ],
)  # fmt: skip
def test_pointers_of_a_status_are_read_in_every_spelling(text: str, expected: list[tuple[str, str]]) -> None:
    assert links(read(f"# X\n\n## Status\n\n{text}\n{BODY}")) == expected


def test_pointers_are_read_from_front_matter_links_and_text() -> None:
    text = (
        "---\nstatus: accepted\nsupersedes: [ADR-1, 0002-b.md]\nrelated: ADR-3\n---\n# X\n"
        + BODY
        + "\nsee [four](0004-d.md#x) and [out](https://example.org/0005-e.md) and `[code](0006-f.md)`\n"
        + "\n```\n[fence](0007-g.md)\n```\n\n## Links\n\n* Refines [ADR-0008](0008-h.md)\n* Superseded by ADR-9\n"
    )
    assert links(read(text)) == [
        ("supersedes", "ADR-1"),
        ("supersedes", "0002-b.md"),
        ("relates-to", "ADR-3"),
        ("links-to", "0004-d.md"),
        ("links-to", "https://example.org/0005-e.md"),
        ("refines", "0008-h.md"),
        ("superseded-by", "ADR-9"),
    ]


def test_a_sentence_that_replaces_something_supersedes_no_document() -> None:
    text = f"# X\n{BODY}\n## More Information\n\nOur parser replaces the format that [ADR-3](0003-w.md) describes.\n"
    assert links(read(text)) == [("links-to", "0003-w.md")]


@pytest.mark.parametrize(
    ("outcome", "chosen", "rationale", "decision"),
    [
        ('Chosen option: "A", because it is small.', "A", "it is small.", "Chosen option: A"),
        ("**Chosen option:** [A](a.md), because small.", "A", "small.", "Chosen option: A"),
        ("Chosen option: A, since it is small.", "A", "since it is small.", "Chosen option: A"),
        ("Chosen option: A. It is small.", "A", "It is small.", "Chosen option: A"),
        ("Chosen option: `A`", "A", "", "Chosen option: A"),
        ("Chosen option: “A”, because\n\n1. one\n2. two\n\nThen do it.", "A", "1. one\n2. two",
         "Chosen option: A\n\nThen do it."),
        ("Chosen option:", "", "", "Chosen option:"),
        ("We take A.", "", "", "We take A."),
    ],
)  # fmt: skip
def test_the_outcome_is_cut_into_choice_reason_and_rest(
    outcome: str, chosen: str, rationale: str, decision: str
) -> None:
    adr = read(f"# X\n\n## Considered Options\n\n* A\n* B\n\n## Decision Outcome\n\n{outcome}\n")
    assert (adr.chosen, adr.rationale, adr.decision) == (chosen, rationale, decision)


def test_every_part_of_a_full_document_lands_in_its_field() -> None:
    adr = read(
        "# X\n\n* Status: accepted\n\nTechnical Story: #12\n\n## Context and Problem Statement\n\nc\n\n"
        "## Decision Drivers\n\n* d\n\n## Considered Options\n\n### A\n\ntext\n\n### B\n\n## Decision Outcome\n\n"
        'Chosen option: "A", because r.\n\n### Scope\n\ns\n\n### Positive Consequences\n\n* p\n\n'
        "### Negative Consequences\n\n* n\n\n### Confirmation\n\nt\n\n## Revisit when\n\nw\n"
    )
    assert (adr.technical_story, adr.context, adr.drivers) == ("#12", "c", "* d")
    assert (adr.options, adr.alternatives) == (("A", "B"), ("B",))
    assert adr.decision == "Chosen option: A\n\n### Scope\n\ns"
    assert adr.consequences == "Positive Consequences:\n\n* p\n\nNegative Consequences:\n\n* n"
    assert (adr.confirmation, adr.reopen_when) == ("t", "w")


def test_comments_are_taken_out_and_code_keeps_them() -> None:
    body = "use <!-- b\nc --> it, `<!-- d -->`\n\n```\n<!-- e -->\n```\n\n<!-- f\n\ng -->\n"
    adr = read("# X <!-- a -->\n\n## Decision\n\n" + body)
    assert adr.title == "X"
    assert adr.decision == "use \n it, `<!-- d -->`\n\n```\n<!-- e -->\n```"


def test_headings_in_fences_quotes_and_comments_are_none() -> None:
    text = "# X\n\n```\n## Status\n\nrejected\n```\n\n> ## Status\n>\n> rejected\n\n<!--\n## Status\n\nrejected\n-->\n"
    assert read(text + BODY).status is S.ABSENT


def test_bom_and_windows_line_ends_change_nothing() -> None:
    text = f"---\nstatus: accepted\n---\n# Use X\n{BODY}"
    assert read(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == read(text)


@pytest.mark.parametrize(
    ("path", "data", "reason", "broken"),
    [
        ("a/README.md", b"# Us", "an index or introduction, not a decision record", False),
        ("a/index.md", b"# Us", "an index or introduction, not a decision record", False),
        ("a/adr-template.md", b"# X", "a template", False),
        ("a/0000-template.md", b"# X", "a template", False),
        ("a/.gitkeep", b"", "a hidden file", False),
        ("a/0001-x.png", b"\x89PNG", "not Markdown", False),
        ("a/0001-x.md", b" \n\n", "empty", False),
        ("a/0001-x.md", b"# [short title of solved problem and solution]\n",
         "a template: its title is still a placeholder", False),
        ("a/notes.md", b"# Notes\n\nhello\n",
         "neither a number, a status nor a decision section: not a decision record", False),
        ("a/0001-x.md", b"# X\n\ncaf\xe9\n", "not UTF-8 (byte 0xE9 in line 3); save it as UTF-8", True),
        ("a/0001-x.md", "# X".encode("utf-16"), "UTF-16; save it as UTF-8", True),
        ("a/0001-x.md", b"x" * (SIZE_LIMIT + 1),
         f"{SIZE_LIMIT + 1} bytes; more than {SIZE_LIMIT} is no decision record", True),
    ],
)  # fmt: skip
def test_a_file_that_is_no_decision_is_named_with_the_reason(path: str, data: bytes, reason: str, broken: bool) -> None:
    assert refused(data, path) == NotAnAdr(path, reason, broken)


def test_a_template_engine_is_a_decision_and_no_template() -> None:
    assert read(f"# X\n{BODY}", "a/0012-use-template-engine.md").number == 12


def test_a_numbered_document_without_sections_counts_whole() -> None:
    adr = read("# 7. Use X\n\nBecause Y.\n\n* z\n")
    assert adr.decision == "Because Y.\n\n* z"
    assert "no decision section; the whole text counts" in said(adr)


def test_warnings_name_the_line() -> None:
    adr = read("# X\n\n* Status: maybe\n* Date: someday\n" + BODY)
    assert [(w.line, w.text[:17]) for w in adr.warnings] == [(3, "the status 'maybe"), (4, "'someday' is no d")]


PIECES = st.sampled_from(
    ["---\n", "# ", "## Status\n", "## Decision\n", "Chosen option: ", "accepted", "Superseded by ", "[a](0001-x.md)",
     "[", "](", "`", "```\n", "<!--", "-->", "* ", "> ", "|", "\n", "\n\n", "because", '"', "ADR-3", "~~", "![", ")",
     "status: ", "2024-05-06", "&a ", "*a", "{", "\t", "    ", "\x00", "\u202e", "é", "1. ", "***", "==="]
)  # fmt: skip


@given(st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=60).map(lambda p: "".join(p).encode())))
@settings(max_examples=400)
def test_no_bytes_make_the_parser_raise_or_give_a_field_without_grammar(data: bytes) -> None:
    adr = parse_adr("docs/0007-x.md", data)
    if isinstance(adr, Adr):
        for line in (adr.title, *adr.deciders, *adr.tags, *([adr.status_text] if adr.status_text else [])):
            one_line(line)


# One rule that looks at everything for each line, or for each section, is found here.
@pytest.mark.parametrize(
    "unit",
    ["[a]: /u\n", "[", "![", "[a](", "<!--", "`", "* ", "- a\n", "> ", "a\n", "\\", "*a_ ", "# a\n", "[[a", "ADR-1 ",
     "Superseded by 1, ", "Status: ", "| Status | ", "2024-05-06 ", "'\"", "1. a\n", "<a ", "&amp;", "``` \n",
     "## Decision\n", "## Decision\na\n### Consequences\n", "## Links\n* [a](b.md)\n", "## Options\n* a\n",
     "## Pros and cons\n### a\n",
     "# Status\n", "- [x](y.md)\n"],
)  # fmt: skip
def test_repetition_takes_linear_time(unit: str) -> None:
    small, large = _seconds(unit, 4_000, tries=3), _seconds(unit, 64_000)
    # sixteen times the text: a quadratic rule takes 256 times as long
    assert large < 96 * max(small, 0.003)


@given(st.lists(PIECES, min_size=1, max_size=4))
@settings(max_examples=25)
def test_no_random_repetition_takes_more_than_linear_time(pieces: list[str]) -> None:
    unit = "".join(pieces)
    small, large = _seconds(unit, 2_000, tries=3), _seconds(unit, 32_000)
    assert large < 96 * max(small, 0.003)


def _seconds(unit: str, size: int, tries: int = 1) -> float:
    data = ("# X\n\n## Decision\n\n" + unit * (size // len(unit) + 1))[:size].encode(errors="ignore")
    best = 60.0
    for _ in range(tries):
        start = time.process_time()
        parse_adr("docs/0007-x.md", data)
        best = min(best, time.process_time() - start)
    return best
