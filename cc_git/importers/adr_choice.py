"""What was chosen, why, and what else was weighed: MADR's "Decision Outcome" and "Considered Options"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cc_git.importers.adr_sections import Section, Sections
from cc_git.importers.markdown import Markdown

_CHOSEN = re.compile(r"[*_\s]*(?:chosen|selected) (?:option|alternative)s?[*_]*\s*:?[*_]*\s*:?\s*", re.IGNORECASE)
_QUOTES = {'"': '"', "“": "”", "'": "'", "‘": "’", "„": "“", "«": "»", "`": "`", "*": "*", "_": "_"}
_CLOSING_LEADS_TO = re.compile(r"\s*(?:[,.;:]|$|(?:because|since|as|due|to|for|in order)\b)")
_REASON = re.compile(r"\b(?:because|since|due to|in order to)\b", re.IGNORECASE)
_LEAD = re.compile(r"[\s,.;:–—-]*(?:because\b[\s,:]*)?", re.IGNORECASE)
_OPTION_LABEL = re.compile(r"^(?:option|alternative|compromise)?\s*[\dA-Za-z]{1,2}\s*[:.)]\s+", re.IGNORECASE)
_BELOW = re.compile(r"\b(?:see|listed|described) below\b|\bcomes? out best\b", re.IGNORECASE)
_OPTION_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Choice:
    """`decision` is what is left of the section when `rationale` is taken out; both Markdown."""

    decision: str
    chosen: str
    rationale: str
    options: tuple[str, ...]
    alternatives: tuple[str, ...]


def read_choice(sections: Sections) -> Choice:
    markdown = sections.markdown
    options = _options(sections)
    found = sections.of("decision")
    body = sections.text("decision")
    chosen, reason, rest = _split(body) if found else ("", "", "")
    plain_choice = markdown.plain(chosen)
    option = option_chosen(options, plain_choice or _first_line(markdown, body))
    if chosen:
        if option and _folded(option).startswith(_folded(plain_choice) + ":"):
            plain_choice = option
        body = "\n\n".join(part for part in (f"Chosen option: {plain_choice}", rest) if part)
        reason = _with_the_detail(sections, reason, plain_choice)
    stated = sections.text("rationale")
    alternatives = tuple(other for other in options if other != option)
    return Choice(body, plain_choice, "\n\n".join(t for t in (reason, stated) if t), options, alternatives)


def option_chosen(options: Sequence[str], choice: str) -> str | None:
    """The option that a choice names, by the closest of four readings.

    Equal; equal without a label (`Option 3: Minimal` is `Minimal`); the beginning (`Compromise 2` is `Compromise 2:
    Separated`); the end (`Develop it in a branch` is `In a branch`).
    """
    wanted = _folded(choice)
    if not wanted:
        return None
    folded = {option: _folded(option) for option in options}
    for fits in (
        lambda one: one == wanted,
        lambda one: _OPTION_LABEL.sub("", one) == _OPTION_LABEL.sub("", wanted),
        lambda one: one.startswith(tuple(wanted + mark for mark in (":", " -", " –", " ("))),
        lambda one: wanted.endswith(" " + one),
    ):
        for option, one in folded.items():
            if one and fits(one):
                return option
    return None


def _folded(text: str) -> str:
    return " ".join(text.casefold().translate({ord(c): None for c in "\"'`“”‘’"}).split()).rstrip(".,;")


def _first_line(markdown: Markdown, body: str) -> str:
    return markdown.plain(body.partition("\n\n")[0]) if body else ""


def _split(body: str) -> tuple[str, str, str]:
    """A section that begins with the choice, as (choice, reason, rest). The reason is the rest of the paragraph and,
    where that breaks off at "because", the list that follows."""
    paragraph, _, rest = body.partition("\n\n")
    lead = _CHOSEN.match(paragraph)
    if lead is None or lead.end() == len(paragraph):
        return "", "", body
    cut = re.search(r"\n(?=\s{0,3}(?:[*+-]|\d{1,9}[.)])\s)", paragraph)
    if cut:
        paragraph, rest = paragraph[: cut.start()], paragraph[cut.start() + 1 :] + "\n\n" + rest
    choice, reason = _choice_and_reason(paragraph[lead.end() :])
    rest = rest.strip("\n")
    if not reason.strip():
        block, _, after = rest.partition("\n\n")
        while re.match(r"\s{0,3}(?:[*+-]|\d{1,9}[.)])\s|\s{2,}\S", block):
            reason, rest = f"{reason}\n\n{block}".strip("\n"), after.strip("\n")
            block, _, after = rest.partition("\n\n")
    return choice, reason, rest


def _choice_and_reason(text: str) -> tuple[str, str]:
    closing = _QUOTES.get(text[:1])
    if closing:
        end = text.find(closing, 1)
        while end > 0 and not _CLOSING_LEADS_TO.match(text, end + 1):
            end = text.find(closing, end + 1)
        end = end if end > 0 else text.rfind(closing)
        if end > 1:
            return text[1:end], _without_lead(text[end + 1 :])
    because = _REASON.search(text)
    if because:
        return text[: because.start()].rstrip(" ,;:–—-\n"), _without_lead(text[because.start() :])
    sentence, dot, reason = text.partition(". ")
    return (sentence, reason.strip()) if dot else (text.strip().rstrip("."), "")


def _without_lead(text: str) -> str:
    lead = _LEAD.match(text)
    return text[lead.end() if lead else 0 :].strip()


def _with_the_detail(sections: Sections, reason: str, choice: str) -> str:
    """ "Comes out best (see below)" is no reason for a reader of the record alone; what is below joins it."""
    if not _BELOW.search(reason[:200]):
        return reason
    details = {detail.title: detail for detail in _option_sections(sections, "pros")}
    if named := option_chosen(tuple(details), choice):
        below = sections.markdown.between(details[named].start, details[named].end)
        return f"{reason}\n\n{below}" if below.strip() else reason
    return reason


def _options(sections: Sections) -> tuple[str, ...]:
    markdown = sections.markdown
    found: list[str] = []
    for section in sections.of("options"):
        items = [
            markdown.plain(piece.text)
            for piece in markdown.pieces_between(section.start, section.end)
            if piece.marks_item and piece.depth == 1
        ]
        headed = [inner.title for inner in _direct(sections, section)]
        found += headed or items
    if not found:
        found = [section.title for section in _option_sections(sections, "pros")]
    distinct = dict.fromkeys(text for text in found if text)
    return tuple(text if len(text) <= _OPTION_LIMIT else text[: _OPTION_LIMIT - 1] + "…" for text in distinct)


def _option_sections(sections: Sections, part: str) -> list[Section]:
    return [inner for section in sections.of(part) for inner in _direct(sections, section)]


def _direct(sections: Sections, section: Section) -> list[Section]:
    inner = [one for one in sections.inside(section) if one.part is None]
    top = min((one.heading.level for one in inner), default=0)
    return [one for one in inner if one.heading.level == top]
