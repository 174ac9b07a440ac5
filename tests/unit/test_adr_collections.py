"""Two public collections and our own, whole: every file with its title, status, date and links."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from cc_git.importers.adr_parse import parse_adr
from cc_git.importers.adr_values import Adr, AdrStatus
from cc_git.resources import shipped

A, N, H = AdrStatus.ACCEPTED, AdrStatus.ABSENT, AdrStatus.ON_HOLD
Row = tuple[str, str, AdrStatus, date | None, str, int, int, tuple[tuple[str, str], ...]]

# file, title, status, date, what was chosen, options, alternatives, links to other documents
TUF: tuple[Row, ...] = (
    ("0000-use-markdown-architectural-decision-records", "Use Markdown Architectural Decision Records", A,
     date(2020, 10, 20), "MADR 2.1.2", 2, 1, ()),
    ("0001-python-version-3-6-plus", "Default to Python 3.6 or newer for new development", A, date(2020, 10, 20),
     "Support only Python 3.6+", 4, 3, ()),
    ("0002-pre-1-0-deprecation-strategy", "Deprecation strategy for current release series (0.x)", N,
     date(2020, 11, 5), "Support the old code on a best-effort basis once the refactored code is released", 3, 2,
     (("links-to", "0001-python-version-3-6-plus.md"),)),
    ("0003-where-to-develop-TUF-1-0-0", "Develop TUF 1.0.0 in a subdirectory of the current TUF implementation", A,
     date(2020, 11, 23), "Develop TUF 1.0.0 in a subdirectory of the current TUF implementation", 4, 3, ()),
    ("0004-extent-of-OOP-in-metadata-model", "Add classes for complex metadata attributes", A, date(2020, 11, 30),
     "Use custom classes for complex attributes", 2, 1, ()),
    ("0005-use-google-python-style-guide", "Use Google Python style guide with minimal refinements", N, None,
     "Use Google style guide with refinements", 2, 1, ()),
    ("0006-where-to-implemenent-model-serialization",
     "Separate metadata serialization from metadata class model but keep helpers", N, None,
     "Compromise 2: Serialization separated / dict conversion helper methods for default serialization in metadata"
     " classes", 5, 4,
     (("links-to", "/Users/lukp/tuf/tuf/docs/adr/0004-extent-of-OOP-in-metadata-model.md"),)),
    ("0008-accept-unrecognised-fields", "Accept metadata that includes unrecognized fields", A, date(2021, 4, 8),
     "Ignore, but store unrecognized fields as an additional attribute except for a couple of places where it's not"
     " allowed by the specification.", 3, 2, ()),
    ("0009-what-is-a-reference-implementation", "Primary purpose of the reference implementation", A,
     date(2021, 8, 25), "", 2, 2, ()),
    ("0010-repository-library-design", "Repository library design built on top of Metadata API", N, None, "", 3, 2,
     (("links-to", "../repository-library-design.md"),)),
)  # fmt: skip
MADR: tuple[Row, ...] = (
    ("0000-use-markdown-architectural-decision-records", "Use Markdown Architectural Decision Records", N, None,
     "MADR 4.0.0", 5, 4, ()),
    ("0001-use-CC0-or-MIT-as-license", "Dual License the Work", N, None, "Dual license with MIT and CC0", 6, 5, ()),
    ("0002-do-not-use-numbers-in-headings", "Do Not Use Numbers in Headings", N, None, "Use the title only", 2, 1,
     ()),
    ("0003-provide-own-madr-tools", "Write Own MADR Tooling", H, None, "Write own MADR tooling", 5, 4, ()),
    ("0004-write-own-toc-tool", "Write Own TOC Tool", N, None, "Write own tool adr-log", 2, 1, ()),
    ("0005-use-dashes-in-filenames", "Use Dashes in Filenames", N, None, "NNNN-title-with-dashes.md", 2, 1, ()),
    ("0006-use-names-as-identifier", "Use Names as Identifier", N, None, "Repeat all option names if they occur", 2,
     1, ()),
    ("0007-do-not-emphasize-line-headings", "Do Not Emphasize Line Headings", N, None,
     "Do not emphasize line headings", 2, 1, ()),
    ("0008-add-status-field", "Add Status Field", N, None, "Use YAML front matter", 6, 5,
     (("links-to", "0013-use-yaml-front-matter-for-meta-data.md"),)),
    ("0009-support-links-between-adrs-inside-an-adrs", "Support Links To Other ADRs Inside an ADR", N, None,
     "Include in section 'More Information'", 6, 5, ()),
    ("0010-support-categories", "Support Categories", N, None, "Use subfolders with local IDs", 7, 6, ()),
    ("0011-use-asterisk-as-list-marker", "Use Asterisk as List Marker", N, None, "Use an asterisk", 2, 1, ()),
    ("0012-use-curly-braces-to-denote-placeholder", "Use Curly Braces to Denote Placeholders", N, None,
     "Use curly braces", 4, 3, ()),
    ("0013-use-yaml-front-matter-for-meta-data", "Use YAML front matter for metadata", N, None,
     "Use YAML front matter", 2, 1, (("links-to", "0008-add-status-field.md"),)),
    ("0014-allow-neutral-arguments", 'Allow "neutral" arguments', N, None, "Neutral, because …", 5, 4, ()),
    ("0015-include-consulting-informed-of-raci", 'Include "Consulted" and "Informed" of RACI', N, None,
     "Include 'Consulted' and 'Informed' of RACI", 3, 2, ()),
    ("0016-outcome-before-detailed-pros-cons", "Outcome before Detailed Pros and Cons", N, None,
     "Section 'Pros and Cons of the Options' after 'Decision Outcome'", 2, 1, ()),
    ("0017-use-same-format-for-outcomes-and-options", "Use Same Format for Outcomes and Options", N, None,
     'Section "Consequences" listing positive and negative consequences as "Good, because" and "Bad, because"', 3, 2,
     ()),
    ("0018-use-confirmation-as-heading", 'Use "Confirmation" as Heading', N, None, "Confirmation", 3, 2, ()),
)  # fmt: skip
OURS: tuple[Row, ...] = (
    ("0001-record-architecture-decisions", "Record architecture decisions", A, date(2025, 2, 3), "", 0, 0, ()),
    ("0002-keep-bookings-in-sqlite", "Keep bookings in SQLite", AdrStatus.SUPERSEDED, date(2025, 2, 10), "", 0, 0,
     (("superseded-by", "0005-keep-bookings-in-postgresql.md"),)),
    ("0003-warn-of-low-tide-by-text-message", "Warn of low tide by text message", AdrStatus.DEPRECATED,
     date(2025, 3, 2), "Text message", 3, 2, (("amended-by", "0006-sign-in-with-a-link-by-mail.md"),)),
    ("0004-render-pages-on-the-server", "Render pages on the server", A, date(2025, 4, 21),
     "Plain pages from the server", 3, 2, ()),
    ("0005-keep-bookings-in-postgresql", "Keep bookings in PostgreSQL", A, date(2025, 8, 14), "", 0, 0,
     (("supersedes", "0002-keep-bookings-in-sqlite.md"),)),
    ("0006-sign-in-with-a-link-by-mail", "Sign in with a link by mail", A, date(2025, 9, 30), "A link by mail", 3, 2,
     (("links-to", "0004-render-pages-on-the-server.md"),)),
    ("0007-sell-berths-by-auction", "Sell berths by auction in August", AdrStatus.REJECTED, date(2025, 10, 19),
     "Auction the last ten berths of each night", 2, 1, ()),
    ("0008-record-who-changed-a-booking", "Record who changed a booking", AdrStatus.PROPOSED, date(2026, 1, 12), "",
     0, 0, (("depends-on", "0005-keep-bookings-in-postgresql.md"),)),
)  # fmt: skip


def read(folder: Path, name: str) -> Adr:
    adr = parse_adr(f"docs/adr/{name}.md", (folder / f"{name}.md").read_bytes())
    assert isinstance(adr, Adr)
    return adr


def row(adr: Adr, name: str) -> Row:
    links = tuple((link.relation, link.target) for link in adr.links if "://" not in link.target)
    return (
        name, adr.title, adr.status, adr.date, adr.chosen, len(adr.options), len(adr.alternatives), links,
    )  # fmt: skip


@pytest.mark.parametrize("expected", TUF, ids=lambda e: e[0])
def test_each_document_of_python_tuf_is_read_as_a_person_reads_it(data: Path, expected: Row) -> None:
    assert row(read(data / "adr" / "python-tuf", expected[0]), expected[0]) == expected


@pytest.mark.parametrize("expected", MADR, ids=lambda e: e[0])
def test_each_document_of_madr_is_read_as_a_person_reads_it(data: Path, expected: Row) -> None:
    assert row(read(data / "adr" / "madr", expected[0]), expected[0]) == expected


@pytest.mark.parametrize("expected", OURS, ids=lambda e: e[0])
def test_each_shipped_document_is_read_as_a_person_reads_it(expected: Row) -> None:
    adr = read(shipped("templates") / "adr", expected[0])
    assert (row(adr, expected[0]), adr.warnings) == (expected, ())


def test_the_tables_name_every_file_of_the_three_folders(data: Path) -> None:
    folders = ((data / "adr" / "python-tuf", TUF), (data / "adr" / "madr", MADR), (shipped("templates") / "adr", OURS))
    for folder, table in folders:
        assert sorted(path.stem for path in folder.iterdir()) == sorted(expected[0] for expected in table)


def test_a_missing_status_is_the_only_thing_that_the_collections_leave_to_a_guess(data: Path) -> None:
    said = {warning.text for path in (data / "adr").rglob("*.md") for warning in read(path.parent, path.stem).warnings}
    assert said == {"no status: it counts as accepted where it is tracked at HEAD"}


def test_a_list_after_because_is_the_reason_and_the_paragraph_after_it_belongs_to_the_decision(data: Path) -> None:
    adr = read(data / "adr" / "madr", "0003-provide-own-madr-tools")
    assert adr.rationale.startswith("* adding MADR support")
    assert adr.decision.endswith("We accept that this comes with maintenance cost.")


def test_consequences_are_found_where_an_author_misplaced_them(data: Path) -> None:
    adr = read(data / "adr" / "python-tuf", "0003-where-to-develop-TUF-1-0-0")
    assert adr.consequences.startswith("* In progress development in the default branch")
    assert "In progress development" not in adr.decision


def test_a_reason_that_points_below_brings_what_is_below(data: Path) -> None:
    adr = read(data / "adr" / "madr", "0015-include-consulting-informed-of-raci")
    assert adr.rationale.startswith("comes out best (see below).")
    assert "two roles of RACI are well understood" in adr.rationale


def test_a_status_inside_a_fence_is_an_example(data: Path) -> None:
    text = (data / "adr" / "madr" / "0008-add-status-field.md").read_text()
    assert "status: on hold" in text
    assert read(data / "adr" / "madr", "0008-add-status-field").status is AdrStatus.ABSENT
