"""`import ctx`: a CTX repository → claims, with the links between its things rebuilt from both of their ends.

- Goals and tasks become goals, hypotheses, decisions and conclusions (beliefs) what they are, runbooks procedures that
  are proposals: what instructs there does not instruct here. Evidence, triggers, runs, commits and branches are
  evidence: what was observed, what opened a line, what happened.
- A link that the source keeps at two ends counts if either end says it. Links to evidence and to triggers are what a
  record rests on (`sources`); the others are relations. A link to nothing is told.
- What is over there (done, refuted, superseded, archived) comes with the end of its validity. What was a draft there,
  is of a state that nobody knows, or is in commits alone, is a proposal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import MAXYEAR, UTC, datetime, timedelta
from typing import Any

from cc_git.importers.claims import Claim, Draft, Reading
from cc_git.importers.ctx_files import Key, Repository, Thing, identifier_of, read_files
from cc_git.importers.importing import BlobOf
from cc_git.importers.outcomes import Outcome
from cc_git.importers.table import CTX
from cc_git.model.kinds import Belief, Decision, Goal, Hypothesis, Payload, Procedure
from cc_git.model.scope import Scope
from cc_git.model.value import clean_line

_KINDS = {"goal": "goal", "task": "goal", "hypothesis": "hypothesis", "decision": "decision", "conclusion": "belief",
          "runbook": "procedure"}  # fmt: skip
_LIFE = ("Draft", "Active", "Validated", "Completed", "Superseded", "Archived")
_STATES = {
    "goal": _LIFE, "evidence": _LIFE, "runbook": _LIFE, "trigger": _LIFE,
    "task": ("Draft", "Ready", "InProgress", "Blocked", "Done"),
    "decision": ("Proposed", "Accepted", "Rejected", "Superseded"),
    "hypothesis": ("Proposed", "UnderEvaluation", "Supported", "Refuted", "Archived"),
    "conclusion": ("Draft", "Accepted", "Superseded"), "run": ("Planned", "Running", "Completed", "Failed"),
}  # fmt: skip
_OVER = frozenset(("Completed", "Done", "Refuted", "Rejected", "Superseded", "Archived"))
_SORTS = {
    "evidence": ("Observation", "Benchmark", "Document", "Experiment", "ProviderOutput"),
    "runbook": ("Procedure", "Troubleshooting", "Policy", "Guardrail"),
    "trigger": ("UserPrompt", "AgentPrompt", "Continuation", "RunbookTrigger", "IssueTrigger"),
}
_BETWEEN = ("competes-with", "merged-into", "superseded-by", "derived-from", "borrows-evidence-from")
_OF_BRANCH = {
    "branchState": ("Active", "Weakening", "Merged", "Deprecated", "Promoted"),
    "branchRole": ("Competing", "Integrative", "Dominant"),
}
_EXPIRES_IN = timedelta(days=90)
_LINKS: tuple[tuple[str, str, str, str, bool], ...] = (
    # of, the field, what it names, the word; whether the link is kept at the other end
    ("goal", "parentGoalId", "goal", "parent", False), ("goal", "taskIds", "task", "part-of", True),
    ("task", "goalId", "goal", "part-of", False), ("task", "dependsOnTaskIds", "task", "depends-on", False),
    ("task", "parentTaskId", "task", "parent", False), ("task", "hypothesisIds", "hypothesis", "about", True),
    ("hypothesis", "taskIds", "task", "about", False), ("hypothesis", "evidenceIds", "evidence", "sources", False),
    ("hypothesis", "parentHypothesisIds", "hypothesis", "derived-from", False),
    ("hypothesis", "mergedIntoHypothesisId", "hypothesis", "merged-into", False),
    ("hypothesis", "supersedesHypothesisIds", "hypothesis", "superseded-by", True),
    ("decision", "hypothesisIds", "hypothesis", "decides", False),
    ("decision", "evidenceIds", "evidence", "sources", False),
    ("conclusion", "decisionIds", "decision", "follows-from", False),
    ("conclusion", "evidenceIds", "evidence", "sources", False),
    ("conclusion", "goalIds", "goal", "resolves", False), ("conclusion", "taskIds", "task", "resolves", False),
    ("runbook", "goalIds", "goal", "serves", False), ("runbook", "taskIds", "task", "serves", False),
    ("trigger", "goalIds", "goal", "sources", True), ("trigger", "taskIds", "task", "sources", True),
    ("trigger", "operationalRunbookIds", "runbook", "sources", True),
)  # fmt: skip
_KEPT_ELSEWHERE = frozenset(name for _, name, *_ in _LINKS) | {"relations", "supports", "diff", "snapshot"}


def read_ctx(files: Mapping[str, bytes], scope: Scope, blob_of: BlobOf) -> Reading:
    """`files`: what lies below `.ctx`, by path. Raises BundleFault where it is no CTX repository."""
    found = read_files(files)
    return _Reading(found, scope, blob_of).reading()


@dataclass
class _Reading:
    found: Repository
    scope: Scope
    blob_of: BlobOf
    links: dict[Key, dict[str, dict[str, None]]] = field(default_factory=dict)

    def reading(self) -> Reading:
        for thing in self.found.things.values():
            self._read_links(thing)
        claims: list[Claim] = []
        for thing in self.found.things.values():
            one = self._claim(thing)
            claims.append(one) if isinstance(one, Claim) else self.found.outcomes.append(one)
        return Reading(CTX, tuple(claims), tuple(dict.fromkeys(self.found.outcomes)))

    def _read_links(self, thing: Thing) -> None:
        for of, name, kind, word, turned in _LINKS:
            if of == thing.kind:
                for value in _several(thing.fields.get(name)):
                    self._link(thing, word, kind, identifier_of(value), turned=turned)
        if thing.kind == "hypothesis":
            for one in _objects(thing.fields, "relations"):
                word = _word(_BETWEEN, one.get("relationType")) or "related"
                turned = word == "superseded-by" and _text(one, "note") != word
                self._link(thing, word, "hypothesis", identifier_of(one.get("targetHypothesisId")), turned=turned)
        if thing.kind == "evidence":
            for one in _objects(thing.fields, "supports"):
                kind = _text(one, "entityType").casefold()
                self._link(thing, "sources", kind, identifier_of(one.get("entityId")), turned=True)

    def _link(self, thing: Thing, word: str, kind: str, identifier: str, *, turned: bool = False) -> None:
        other = self.found.things.get((kind, identifier.casefold()))
        if other is None or (turned and other.kind not in _KINDS):
            place = f"{self.found.place(thing.kind, thing.id)} → {clean_line(f'{kind} {identifier}')}"
            self.found.outcomes.append(Outcome(place, "skipped", "is a link to nothing that comes in"))
            return
        one, to = (other, thing) if turned else (thing, other)
        self.links.setdefault(one.key, {}).setdefault(word, {})[self.found.place(to.kind, to.id)] = None

    def _claim(self, thing: Thing) -> Claim | Outcome:
        fields, place = thing.fields, self.found.place(thing.kind, thing.id)
        texts = [_text(fields, name).strip() for name in ("title", "statement", "summary", "message", "name")]
        title = clean_line(next((text for text in texts if text), ""))
        if not title:
            return Outcome(place, "broken", f"is a {thing.kind} without a title")
        state = _word(_STATES.get(thing.kind, ()), fields.get("state"))
        links = {word: tuple(sorted(to)) for word, to in sorted(self.links.get(thing.key, {}).items())}
        own = {name: value for name, value in fields.items() if name not in _KEPT_ELSEWHERE}
        data = json.dumps([own, links], sort_keys=True, separators=(",", ":")).encode()
        said_at, touched = _times(fields)
        return Claim(
            place=place,
            blob=self.blob_of(data),
            text="\n\n".join((f"{thing.id}: {title} ({_what(thing, state)})", *_parts(thing))),
            title=title,
            scope=self.scope,
            speaker=clean_line(_text(_trace(fields), "createdBy")) or None,
            said_at=said_at,
            valid_to=(touched or datetime(1970, 1, 1, tzinfo=UTC)) if state in _OVER else None,
            tags=("ctx", f"ctx-{thing.kind}"),
            draft=_draft(thing, title, state, links, touched) if thing.kind in _KINDS else None,
        )


def _what(thing: Thing, state: str) -> str:
    """What it is there, and of a commit on which branch: the log tells it in this line."""
    branch = clean_line(_text(thing.fields, "branch")) if thing.kind == "commit" else ""
    return f"{thing.kind} on {branch}" if branch else f"{thing.kind}, {state}" if state else thing.kind


def _draft(
    thing: Thing, title: str, state: str, links: Mapping[str, tuple[str, ...]], touched: datetime | None
) -> Draft:
    prose = "\n\n".join(_parts(thing))
    kind, waits = _KINDS[thing.kind], state in ("", "Draft") or (thing.kind == "decision" and state == "Proposed")
    return Draft(
        kind=kind,
        title=title,
        content=prose if kind in ("goal", "hypothesis", "belief", "procedure") else "",
        payload=_payload(thing, title),
        tags=tuple(word for word in (thing.id, state, f"branch {thing.branch}" if thing.branch else "") if word),
        confidence=_share(thing.fields.get("confidence")) if kind == "hypothesis" else None,
        expires_at=_expires(touched) if kind == "hypothesis" else None,
        proposal=waits or thing.kind == "runbook" or thing.branch is not None,
        links=links,
    )


def _payload(thing: Thing, title: str) -> Payload:
    fields = thing.fields
    match thing.kind:
        case "goal" | "task":
            return Goal(outcome=_text(fields, "description"), priority=_priority(fields.get("priority")))
        case "hypothesis":
            return Hypothesis(impact=_number(fields, "impact"), cost_to_validate=_number(fields, "costToValidate"))
        case "decision":
            return Decision(rationale=_text(fields, "rationale"), decided_at=_times(fields)[0])
        case "conclusion":
            return Belief()
        case _:
            return Procedure(
                steps=_texts(fields, "do") or (title,),
                preconditions=_texts(fields, "preconditions"),
                validators=_texts(fields, "verify"),
                known_failures=_texts(fields, "failureSignals"),
            )


def _parts(thing: Thing) -> Iterator[str]:
    """What it says beside its title, in words."""
    fields = thing.fields
    if sort := _word(_SORTS.get(thing.kind, ()), fields.get("kind")):
        yield f"Kind: {sort}"
    for name, label in (
        ("description", ""), ("statement", ""), ("summary", ""), ("text", ""), ("rationale", "Rationale"),
        ("source", "Source"), ("whenToUse", "When to use"), ("provider", "Provider"), ("model", "Model"),
        ("branch", "Branch"), ("lineageGroupId", "Lineage"), ("promptFingerprint", "Prompt"),
    ):  # fmt: skip
        if text := _text(fields, name).strip():
            yield f"{label}: {text}" if label else text
    for name in ("triggers", "do", "verify", "references", "preconditions", "failureSignals", "escalationBoundary"):
        if texts := _texts(fields, name):
            yield "\n".join((f"{name}:", *(f"- {text}" for text in texts)))
    for name in ("priority", "confidence", "impact", "evidenceStrength", "costToValidate"):
        if number := _number(fields, name):
            yield f"{name}: {number}"
    for artifact in _objects(fields, "artifacts"):
        yield f"{_text(artifact, 'title')}\n\n{_text(artifact, 'content')}".strip()
    for name, words in _OF_BRANCH.items():
        if word := _word(words, fields.get(name)):
            yield f"{name}: {word}"
    if thing.kind == "commit":
        parents = [one for value in _several(fields.get("parentIds")) if (one := identifier_of(value))]
        yield f"Parents: {', '.join(parents) or 'none'}"
    if thing.kind == "branch":
        yield f"Stands at: {identifier_of(fields.get('commitId')) or 'no commit'}"


def _times(fields: Mapping[str, Any]) -> tuple[datetime | None, datetime | None]:
    """When it was made, and when it was last touched."""
    trace = _trace(fields)
    made = next(
        (
            when
            for text in (_text(trace, "createdAtUtc"), _text(fields, "createdAtUtc"), _text(fields, "updatedAtUtc"))
            if (when := _instant(text))
        ),
        None,
    )
    return made, _instant(_text(trace, "updatedAtUtc")) or made


def _trace(fields: Mapping[str, Any]) -> dict[str, Any]:
    trace = fields.get("trace")
    return trace if isinstance(trace, dict) else {}


def _word(words: tuple[str, ...], number: object) -> str:
    """The word of a number of an enumeration there; empty for one that nobody knows."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(words):
        return ""
    return words[number]


def _several(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _objects(fields: Mapping[str, Any], name: str) -> Iterable[dict[str, Any]]:
    return (one for one in _several(fields.get(name)) if isinstance(one, dict))


def _texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in _several(fields.get(name)) if isinstance(one, str) and one.strip())


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _number(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return f"{value}" if isinstance(value, int | float) and not isinstance(value, bool) else None


def _expires(touched: datetime | None) -> datetime:
    """A time that is too far off for ninety days more is its own end."""
    since = touched or datetime(1970, 1, 1, tzinfo=UTC)
    return since + _EXPIRES_IN if since.year < MAXYEAR else since


def _share(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if known else None  # type: ignore[arg-type]


def _priority(value: object) -> int:
    """What does not fit our nine steps stands in the text alone."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 9 else 5


def _instant(text: str) -> datetime | None:
    """Nothing where the text is no time; digits beyond microseconds are cut."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
