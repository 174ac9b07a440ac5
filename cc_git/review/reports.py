"""Findings for machines that show them beside the lines: GitHub's workflow commands, GitLab's code quality report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256

from cc_git.model.sanitise import harmless_json, in_one_line
from cc_git.review.finding import Finding, Level
from cc_git.review.markdown import span

SHOWN = 50
"""Findings in a summary; all of them are in the annotations and the JSON."""
LONGEST_SAYS = 200
_SEVERITY: dict[Level, str] = {"error": "major", "warning": "minor", "notice": "info"}


def workflow_commands(findings: Iterable[Finding]) -> str:
    """One line each: `::error file=…,line=…,title=…::message`.

    https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
    """
    return "".join(f"{_annotation(one)}\n" for one in findings)


def code_quality(findings: Iterable[Finding]) -> str:
    """A JSON list. https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format"""
    return harmless_json(json.dumps([_quality(one) for one in findings], ensure_ascii=False)) + "\n"


def summary(findings: Sequence[Finding]) -> str:
    """Markdown, for the summary of a run or a comment. Paths and sentences stand in code spans."""
    if not findings:
        return "## Check: nothing was found\n"
    levels = Counter(one.level for one in findings)
    counted = ", ".join(f"{number} {level}{'' if number == 1 else 's'}" for level, number in levels.items())
    lines = [
        f"- **{one.level}** `{one.code}` {span(one.where)}: {span(one.says, LONGEST_SAYS)}" for one in findings[:SHOWN]
    ]
    more = [f"\nand {len(findings) - SHOWN} more"] if len(findings) > SHOWN else []
    return "\n".join((f"## Check: {counted}\n", *lines, *more)) + "\n"


def _annotation(one: Finding) -> str:
    about = [f"file={_property(one.path)}"]
    about += [] if one.line is None else [f"line={one.line}"]
    about.append(f"title={_property(f'cc-git: {one.code}')}")
    said = one.says if not one.helps else f"{one.says} (what helps: {one.helps})"
    return f"::{one.level} {','.join(about)}::{_data(in_one_line(said))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _quality(one: Finding) -> dict[str, object]:
    # Not the line: the same finding is the same after lines have moved.
    mark = sha256("\0".join((one.code, one.path, one.says)).encode("utf-8", "surrogateescape")).hexdigest()
    return {
        "description": f"{one.says} ({one.code})",
        "check_name": f"cc-git/{one.code}",
        "fingerprint": mark,
        "severity": _SEVERITY[one.level],
        "location": {"path": one.path, "lines": {"begin": one.line or 1}},
    }
