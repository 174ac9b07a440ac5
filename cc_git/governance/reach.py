"""How far a forgetting reaches: which files go, which stay and need review, which a person should look at.

Rules, until nothing is added:

 1. *asked*: what was named.
 2. *sole source*: it was made from removed things alone (`sources`, `derived_from`; what an earlier forgetting removed
    counts as removed). A locator outside, or a source that stays, keeps it: it is then to be reviewed.
 3. *quotes*: it repeats the text of something asked for or of a sole-source one (`quotes.py`), or it names a removed
    id in its prose. A link alone is no quote: who supersedes, revokes or confirms a thing says nothing of it.
What is removed for a quote is removed whole, but its other words are not looked for in turn: one shared sentence would
else pull in everything that was ever written beside it.

The working context, checkpoints and runbooks lose the fields, not the file. `workspace.toml`, and a runbook that cannot
be cut, are named, not changed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from cc_git.codec import paths
from cc_git.codec.about import NOTHING, About
from cc_git.governance.quotes import Needle, Quotes, names_one, needles_of

Why = Literal["asked", "sole source", "quotes"]


@dataclass(frozen=True, slots=True)
class Held:
    """One file as forgetting sees it. `owner` is the id whose forgetting takes it, None for documents. `mine`: who asks
    wrote it, and nobody else's word rests on it. `may_be_cut`: a document that can lose the fields that quote."""

    rel: str
    blob: str
    owner: str | None
    prose: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()
    rests_on: tuple[str, ...] = ()
    mine: bool = False
    about: About = NOTHING
    may_be_cut: bool = False

    @property
    def is_frozen_context(self) -> bool:
        return paths.folder_of(self.rel) == paths.CHECKPOINTS


@dataclass(frozen=True)
class Asked:
    """`ids` to forget, `match` a text that must not be anywhere, `keep` ids that stay whatever they quote."""

    ids: frozenset[str] = frozenset()
    match: str | None = None
    keep: frozenset[str] = frozenset()


@dataclass
class Reach:
    """`why` is id → reason for everything that goes. `review` stays and needs review, `kept` quotes and stays by
    word, `likes` are owners or paths that contain a short text and stay, `redacted` paths that lose fields, `documents`
    paths that a person must edit."""

    quotes: Quotes
    why: dict[str, Why] = field(default_factory=dict)
    review: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    likes: frozenset[str] = frozenset()
    redacted: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()


def reach(asked: Asked, held: Sequence[Held], tombstones: frozenset[str]) -> Reach:
    sought = (Needle(asked.match, "quote"),) if asked.match else ()
    found = Reach(Quotes(sought))
    by_owner: dict[str, list[Held]] = {}
    for one in held:
        if one.owner is not None:
            by_owner.setdefault(one.owner, []).append(one)
    targets = set(asked.ids)
    if asked.match:
        targets |= {i for i, files in by_owner.items() if _quoted(found.quotes, files) == "quote"}
        targets -= {i for i, files in by_owner.items() if any(f.is_frozen_context for f in files)} - asked.ids
    _take(found, by_owner, targets - asked.keep, "asked", learn=asked.match is None)
    while True:
        removed = set(found.why)
        gone = removed | tombstones
        orphans = {i for i, files in by_owner.items() if i not in removed and _orphaned(files, gone, removed)}
        if orphans - asked.keep:
            _take(found, by_owner, orphans - asked.keep, "sole source", learn=asked.match is None)
            continue
        if not _take_quotes(found, by_owner, asked.keep):
            break
    _look_at_the_rest(found, held, asked.keep)
    return found


def _take(found: Reach, by_owner: dict[str, list[Held]], ids: Iterable[str], why: Why, *, learn: bool) -> None:
    for identifier in ids:
        found.why[identifier] = why
        if learn:
            found.quotes.add(needles_of(text for one in by_owner.get(identifier, ()) for text in one.prose))


def _orphaned(files: list[Held], gone: set[str], removed: set[str]) -> bool:
    rests_on = {named for one in files for named in one.rests_on}
    return rests_on <= gone and not rests_on.isdisjoint(removed)


def _take_quotes(found: Reach, by_owner: dict[str, list[Held]], keep: frozenset[str]) -> bool:
    names = frozenset(found.why)
    quoting = set()
    for identifier, files in by_owner.items():
        if identifier in found.why or identifier in keep or any(one.is_frozen_context for one in files):
            continue
        if _quoted(found.quotes, files) == "quote" or _names(files, names):
            quoting.add(identifier)
    _take(found, by_owner, quoting, "quotes", learn=False)
    return bool(quoting)


def _quoted(quotes: Quotes, files: Iterable[Held]) -> str | None:
    return quotes.found_in(text for one in files for text in one.prose)


def _names(files: Iterable[Held], ids: Container[str]) -> bool:
    texts = (text for one in files if paths.folder_of(one.rel) != paths.RECEIPTS for text in one.prose)
    return any(names_one(text, ids) for text in texts)


def _look_at_the_rest(found: Reach, held: Sequence[Held], keep: frozenset[str]) -> None:
    gone = frozenset(found.why)
    review, kept, likes, redacted, documents = set(), set(), set(), set(), set()
    for one in held:
        if one.owner in gone:
            continue
        if not gone.isdisjoint(one.rests_on) and one.owner is not None:
            review.add(one.owner)
        quoted = _quoted(found.quotes, (one,))
        if quoted == "quote" or _names((one,), gone):
            if one.owner in keep:
                kept.add(one.owner or one.rel)
            elif one.is_frozen_context or one.may_be_cut or one.rel == paths.WORKING_CONTEXT:
                redacted.add(one.rel)
            elif one.owner is None:
                documents.add(one.rel)
        elif quoted == "like":
            likes.add(one.owner or one.rel)
    found.review, found.kept, found.likes = frozenset(review), frozenset(kept), frozenset(likes)
    found.redacted, found.documents = frozenset(redacted), frozenset(documents)
