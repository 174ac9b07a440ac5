"""`import continuity`: a workspace or an export of the public Cognitive Continuity package → claims.

- Its eleven kinds are ours. What is `current`, `conflicted` or `proposed` becomes a draft, a proposal with the
  authority of an inference; what is superseded, expired or tombstoned there is left behind.
- Its statements are prose. A permission is none here: which action on which target it would allow nobody can read out
  of a sentence, so it is evidence, and a person who means it writes the grant. A hypothesis without an expiry gets one,
  90 days from when it was recorded.
- Its authority is whatever its caller typed. It decides at most that a thing arrives lower.
- An export's checksum is checked; a workspace has none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from cc_git.codec.bundle_file import BundleFault, read_json
from cc_git.importers.claims import Claim, Draft, Reading
from cc_git.importers.importing import BlobOf
from cc_git.importers.outcomes import Outcome
from cc_git.importers.table import CONTINUITY
from cc_git.model.authority import LADDER, SENSITIVITIES, Authority, Sensitivity
from cc_git.model.kinds import PAYLOADS, Goal, Identity, Payload, Procedure, Relationship
from cc_git.model.scope import Scope
from cc_git.model.value import clean_line

EXPORT_FORMAT, WORKSPACE_FORMAT = "cd-cognitive-continuity-export/v1", "cd-cognitive-continuity/v1"
MANIFEST, EPISODES, STATE = "manifest.json", "/".join(("episodes", "events.jsonl")), "state/records.jsonl"
"""Files of the package's workspace, not of ours."""
_COMES = frozenset(("current", "conflicted", "proposed"))
_EXPIRES_IN = timedelta(days=90)
_AUTHORITY_OF_CLASS: Mapping[str, Authority] = {
    "user": "user-explicit", "tool": "verified-observation", "file": "document", "import": "document",
    "system": "document", "agent": "agent-explicit", "inference": "agent-inference", "dream": "dream",
}  # fmt: skip


@dataclass(frozen=True)
class Source:
    """What was read: the workspace's id there, and its objects."""

    workspace: str
    episodes: tuple[dict[str, Any], ...]
    state: tuple[dict[str, Any], ...]


def read_export(data: bytes, blob_of: BlobOf) -> Reading:
    """Raises BundleFault for what is no export, or one that was changed."""
    document = read_json(data)
    if document.get("format") != EXPORT_FORMAT:
        raise BundleFault(f"it does not name the format {EXPORT_FORMAT}")
    if document.get("checksum") != checksum_of(document):
        raise BundleFault("its checksum does not fit its content: it was changed after it was made")
    source = Source(_text(document, "source_workspace_id"), _objects(document, "episodes"), _objects(document, "state"))
    return _reading(source, blob_of)


def read_workspace(files: Mapping[str, bytes], blob_of: BlobOf) -> Reading:
    """`files`: the manifest and the two journals, by their paths. Raises BundleFault where it is no workspace."""
    manifest = read_json(files.get(MANIFEST, b""))
    if manifest.get("format") != WORKSPACE_FORMAT:
        raise BundleFault(f"its manifest does not name the format {WORKSPACE_FORMAT}")
    episodes, state = (tuple(_lines(files.get(name, b""), name)) for name in (EPISODES, STATE))
    return _reading(Source(_text(manifest, "workspace_id"), episodes, state), blob_of)


def checksum_of(document: Mapping[str, Any]) -> str:
    """As the package makes it: of the same object with `checksum` null, keys sorted, no spaces, non-ASCII kept."""
    bound = {**document, "checksum": None}
    text = json.dumps(bound, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _reading(source: Source, blob_of: BlobOf) -> Reading:
    claims: list[Claim] = []
    outcomes: list[Outcome] = []
    for found in (*source.episodes, *source.state):
        one = _claim(found, source.workspace, blob_of)
        claims.append(one) if isinstance(one, Claim) else outcomes.append(one)
    return Reading(CONTINUITY, tuple(claims), tuple(outcomes))


def _claim(found: dict[str, Any], workspace: str, blob_of: BlobOf) -> Claim | Outcome:
    identifier, content = clean_line(_text(found, "id")), _text(found, "content")
    place = _place(workspace, identifier)
    kind, status = _text(found, "kind"), _text(found, "status")
    title = clean_line(next((line for line in content.splitlines() if line.strip()), ""))
    if not identifier or not title:
        return Outcome(place, "broken", "has no id or no content")
    if kind and kind not in PAYLOADS:
        return Outcome(place, "broken", "is of a kind that is not known", title)
    if kind and status not in _COMES:
        return Outcome(place, "skipped", f"is {clean_line(status) or 'without a status'} there", title)
    data = json.dumps(found, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    said_at = _instant(_text(found, "valid_from")) or _instant(_text(found, "recorded_at"))
    return Claim(
        place=place,
        blob=blob_of(data),
        text=content,
        title=title,
        scope=_scope(found.get("scope")),
        claimed=_claimed(found),
        sensitivity=_sensitivity(found),
        said_at=said_at,
        valid_to=_instant(_text(found, "valid_to")),
        tags=("continuity", *((kind,) if kind == "permission" else ())),
        draft=_draft(found, kind, title, content, workspace, said_at) if kind and kind != "permission" else None,
    )


def _draft(
    found: dict[str, Any], kind: str, title: str, content: str, workspace: str, said_at: datetime | None
) -> Draft:
    expires = _instant(_text(found, "expires_at"))
    if kind == "hypothesis" and expires is None:
        expires = (said_at or datetime(1970, 1, 1, tzinfo=UTC)) + _EXPIRES_IN
    places = {
        name: tuple(_place(workspace, identifier) for identifier in _strings(found, field))
        for name, field in (
            ("sources", "source_ids"), ("supersedes", "supersedes"), ("conflicts_with", "conflicts_with"),
            ("derived-from", "derived_from"),
        )
    }  # fmt: skip
    return Draft(
        kind=kind,
        title=title,
        content=content if content != title else "",
        payload=_payload(kind, content),
        authority="agent-inference" if _text(found, "status") == "proposed" else None,
        tags=tuple(dict.fromkeys(word for tag in _strings(found, "tags") if (word := clean_line(tag)))),
        expires_at=expires,
        links={name: found_at for name, found_at in places.items() if found_at},
    )


def _payload(kind: str, content: str) -> Payload:
    """The kind's own fields, as far as prose gives any."""
    match kind:
        case "identity":
            return Identity(role=content)
        case "goal":
            return Goal(outcome=content)
        case "relationship":
            return Relationship(pattern=content)
        case "procedure":
            return Procedure(steps=(content,))
        case _:
            return PAYLOADS[kind]()


def _place(workspace: str, identifier: str) -> str:
    return f"continuity:{clean_line(workspace) or 'unnamed'}#{identifier}"


def _claimed(found: dict[str, Any]) -> Authority:
    source = found.get("source")
    named = _text(source, "authority") if isinstance(source, dict) else _text(found, "authority")
    if named in LADDER:
        return named
    sort = _text(source, "kind") if isinstance(source, dict) else _text(found, "source_class")
    return _AUTHORITY_OF_CLASS.get(sort.lower(), "agent-inference")


def _sensitivity(found: dict[str, Any]) -> Sensitivity:
    """What is not known is treated as sensitive: it is easier lowered than taken back."""
    named = _text(found, "sensitivity") or "ordinary"
    return named if named in SENSITIVITIES else "sensitive"


def _scope(found: object) -> Scope:
    fields = found if isinstance(found, dict) else {}
    named = {name: clean_line(_text(fields, name)) or "*" for name in ("user", "project", "agent", "thread")}
    return Scope(**named)


def _objects(document: dict[str, Any], name: str) -> tuple[dict[str, Any], ...]:
    found = document.get(name)
    return tuple(one for one in found if isinstance(one, dict)) if isinstance(found, list) else ()


def _lines(data: bytes, name: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield read_json(line)
            except BundleFault as fault:
                raise BundleFault(f"{name}, line {number}: {fault}") from None


def _text(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _strings(found: dict[str, Any], name: str) -> tuple[str, ...]:
    values = found.get(name)
    listed = values if isinstance(values, list) else [values]
    return tuple(clean_line(value) for value in listed if isinstance(value, str) and clean_line(value))


def _instant(text: str) -> datetime | None:
    """A date alone is midnight UTC, as there; nothing where the text is no time."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
