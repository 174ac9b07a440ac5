"""The files of a CTX repository → its things, each once, with the state that it was found in.

The working state counts; where there is none, the graph, the staged copy or the newest commit, in this order. What only
a commit has (of another branch, or lost in one of its merges) is found too, in its latest text. Snapshots of commits
come in two layouts: with `workingContext`, `runbooks` and `triggers`, or, in older ones, the working context at once.
Ids there are compared without case. Nothing of a file's content names a path.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cc_git.codec.bundle_file import BundleFault, read_json
from cc_git.importers.outcomes import Outcome
from cc_git.model.value import clean_line

STATES = ("working/working-context.json", "graph/current-graph.json", "staging/staged-context.json")
LISTS = {
    "goals": "goal", "tasks": "task", "hypotheses": "hypothesis", "evidence": "evidence", "decisions": "decision",
    "conclusions": "conclusion", "runs": "run", "runbooks": "runbook", "triggers": "trigger",
}  # fmt: skip
_FOLDERS = {"commits": "commit", "branches": "branch", "runs": "run", "runbooks": "runbook", "triggers": "trigger"}
_READ_FOR_ITSELF = frozenset(("HEAD", "project.json", *STATES))
ID_LIMIT = 100
Key = tuple[str, str]
"""(kind, id without case)."""


@dataclass(frozen=True)
class Thing:
    """`branch` is where it was found, if not in the working state."""

    kind: str
    id: str
    fields: dict[str, Any]
    branch: str | None = None

    @property
    def key(self) -> Key:
        return (self.kind, self.id.casefold())


@dataclass
class Repository:
    project: str = ""
    head: str = ""
    things: dict[Key, Thing] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def place(self, kind: str, identifier: str) -> str:
        """Its place as an import knows it. A `#` of an id is no mark of ours: behind one a place has its count."""
        project, own = (_spelled(one.casefold()) for one in (self.project or "unnamed", identifier))
        return f"ctx:{project}#{kind}/{own}"

    def skip(self, path: str, reason: str, *, broken: bool = False) -> None:
        self.outcomes.append(Outcome(clean_line(path) or "?", "broken" if broken else "skipped", reason))


def read_files(files: Mapping[str, bytes]) -> Repository:
    """Raises BundleFault where nothing says that this is a CTX repository."""
    found = Repository()
    documents = {name: one for name in sorted(files) if (one := _document(name, files[name], found)) is not None}
    if not documents.keys() & {*STATES, "project.json"} and not any(n.startswith("commits/") for n in documents):
        raise BundleFault("it has no project, no state and no commit that can be read")
    commits = sorted(_in("commits", documents), key=lambda one: _text(one, "createdAtUtc"), reverse=True)
    states = [documents[name] for name in STATES if name in documents] or [_snapshot(c) for c in commits[:1]]
    found.project = _project(documents.get("project.json", {}), *states, *(_snapshot(c) for c in commits))
    found.head = _head(files.get("HEAD", b""), {identifier_of(c.get("id")).casefold() for c in commits}, found)
    for folder, kind in _FOLDERS.items():
        _take(found, kind, _in(folder, documents), folder)
    for state in states[:1]:
        _take_lists(found, state, "the working state")
    for commit in commits:
        _take_older(found, _snapshot(commit), clean_line(_text(commit, "branch")) or "unnamed")
    for name in documents:
        _told(found, name, is_state=bool(states) and documents[name] is states[0])
    return found


def identifier_of(value: object) -> str:
    """An id there is an object with a `value`, or a plain text; nothing where it is neither, or could not be told."""
    text = value.get("value") if isinstance(value, dict) else value
    if not isinstance(text, str) or not text or len(text) > ID_LIMIT or clean_line(text) != text:
        return ""
    return text


def _spelled(identifier: str) -> str:
    return identifier.replace("%", "%25").replace("#", "%23")


def _document(name: str, data: bytes, found: Repository) -> dict[str, Any] | None:
    if name == "HEAD":
        return None
    if not name.endswith(".json"):
        found.skip(name, "is not read: it holds no thing of its own")
        return None
    try:
        return read_json(data)
    except BundleFault as fault:
        found.skip(name, str(fault), broken=True)
        return None


def _told(found: Repository, name: str, *, is_state: bool) -> None:
    folder = name.partition("/")[0]
    if name in STATES and not is_state:
        found.skip(name, "is a copy of the working state")
    elif folder == "packets":
        found.skip(name, "a packet is compiled anew from what it was made of")
    elif name not in _READ_FOR_ITSELF and folder not in _FOLDERS:
        found.skip(name, "belongs to the program there: its version, settings and counts")


def _take(found: Repository, kind: str, listed: Iterable[dict[str, Any]], where: str) -> None:
    for fields in listed:
        named = fields.get("name") if kind == "branch" else fields.get("id")
        thing = Thing(kind, identifier_of(named), fields)
        if not thing.id:
            found.skip(f"{where}: a {kind}", "has no id that can be told", broken=True)
        elif (other := found.things.get(thing.key)) is None:
            found.things[thing.key] = thing
        elif not _same(other.fields, fields):
            found.skip(f"{where}: {kind} {thing.id}", f"stands twice, as {other.id} before; the first counts")


def _take_lists(found: Repository, state: Mapping[str, Any], where: str) -> None:
    for name, kind in LISTS.items():
        _take(found, kind, _objects(state, name), where)


def _take_older(found: Repository, snapshot: Mapping[str, Any], branch: str) -> None:
    """What the working state does not have; a thing of commits is there in its latest text."""
    for name, kind in LISTS.items():
        for fields in _objects(snapshot, name):
            thing = Thing(kind, identifier_of(fields.get("id")), fields, branch)
            if not thing.id:
                found.skip(f"branch {branch}: a {kind}", "has no id that can be told", broken=True)
            elif (other := found.things.setdefault(thing.key, thing)) is not thing and not _same(other.fields, fields):
                said = f"reads otherwise in a commit of {branch}; the latest text counts"
                found.outcomes.append(Outcome(f"{found.place(kind, thing.id)} on {branch}", "skipped", said))


def _snapshot(commit: Mapping[str, Any]) -> dict[str, Any]:
    """The state that a commit holds, in one layout."""
    whole = commit.get("snapshot")
    if not isinstance(whole, dict):
        return {}
    inner = whole.get("workingContext")
    beside = {name: whole.get(name) for name in ("runbooks", "triggers")}
    return {**inner, **beside} if isinstance(inner, dict) else whole


def _project(*states: Mapping[str, Any]) -> str:
    for state in states:
        inner = state.get("project")
        for one in (state if "defaultBranch" in state else None, inner):
            if isinstance(one, dict) and (identifier := identifier_of(one.get("id"))):
                return identifier.casefold()
    return ""


def _head(data: bytes, commits: set[str], found: Repository) -> str:
    try:
        branch, mark, commit = data.decode("utf-8-sig").strip().rpartition(":")
    except UnicodeDecodeError:
        found.skip("HEAD", "is not UTF-8", broken=True)
        return ""
    if data and not mark:
        found.skip("HEAD", "does not name a branch and a commit", broken=True)
    elif mark and commit != "null" and commit.casefold() not in commits:
        found.skip("HEAD", "names a commit that is not there")
    return clean_line(branch)


def _in(folder: str, documents: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for name, one in documents.items() if name.partition("/")[0] == folder]


def _objects(state: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    listed = state.get(name)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""
