"""The table of findings in the docs, and the reports that machines read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

from cc_git.review.finding import LEVELS, Code, found
from cc_git.review.reports import code_quality, workflow_commands

DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "review.md"


def test_the_docs_name_every_finding_with_its_level() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (error|warning|notice)\b", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == LEVELS
    assert set(LEVELS) == set(get_args(Code))


HOSTILE = found("format", "a%b:c,d\n::error::e.toml", "says\n::stop-commands::x\r%0A", line=3)


def test_an_annotation_is_one_line_whatever_is_in_it() -> None:
    (line,) = workflow_commands([HOSTILE]).splitlines()
    assert line.startswith("::error file=a%25b%3Ac%2Cd%0A%3A%3Aerror%3A%3Ae.toml,line=3,title=cc-git%3A format::says ")
    assert line.endswith("%250A") and "\r" not in line


def test_a_code_quality_report_tells_findings_apart_and_knows_them_again() -> None:
    moved = found("format", HOSTILE.path, HOSTILE.says, line=9)
    other = found("format", "other.toml", HOSTILE.says, level="warning")
    one, same, third = json.loads(code_quality([HOSTILE, moved, other]))
    assert one["fingerprint"] == same["fingerprint"] != third["fingerprint"]
    assert (one["severity"], third["severity"]) == ("major", "minor")
    assert one["location"] == {"path": HOSTILE.path, "lines": {"begin": 3}}
