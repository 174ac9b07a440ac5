"""What is written was looked at for secrets first: text that became an object of Git is a residue already.

`write` takes only what passed here. The scan is loaded when there is text to look at, and asks for the texts that a
person allowed only where it found something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NewType

from cc_git.codec import paths
from cc_git.errors import Refused
from cc_git.model.sanitise import as_value, quoted

if TYPE_CHECKING:
    from cc_git.governance.secrets import Secret

Screened = NewType("Screened", Mapping[str, bytes])
"""Path below the workspace → bytes, in the order of writing."""
Public = Callable[[], Collection[str]]
"""The texts that a person allowed although they look like secrets."""

_SHOWN = 5
NOTHING: Mapping[str, bytes] = MappingProxyType({})
_LOCATOR = re.compile(rb'^source = .*\blocator = "([^"\\\n]{1,200})"', re.MULTILINE)
REMEDIES = (
    "leave it out, and write where it is kept instead (the name of an entry in a password store)",
    "is it public, or an example? a person can allow it: cc-git secrets allow TEXT --reason WHY",
)


def screen(files: Mapping[str, bytes], public: Public, before: Mapping[str, bytes] = NOTHING) -> Screened:
    """Raises Refused where one of the files looks like it holds a secret; it says where, and never repeats it. Lines of
    `before` (path → bytes) are in Git already, and held against nobody who writes the rest."""
    found = _found(files, (), before)
    if found and (allowed := public()):
        found = _found(files, allowed, before)
    if not found:
        return Screened(files)
    places = list(dict.fromkeys(f"{_where(rel, one)}{_whence(files[rel])} {one.says}" for rel, one in found))
    more = f"; and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    also = "; ".join(places[1:_SHOWN]) + more
    why = "what Git once held stays readable, also after it was deleted"
    raise Refused(f"nothing was written: {places[0]}", why=f"{also}; {why}" if also else why, hints=REMEDIES)


def not_screened(files: Mapping[str, bytes]) -> Screened:
    """For forgetting, which only takes out of what is there already and must never be stopped: marks, receipts, and
    what is left of a file."""
    return Screened(files)


def _found(
    files: Mapping[str, bytes], public: Collection[str], before: Mapping[str, bytes] = NOTHING
) -> list[tuple[str, Secret]]:
    # Its patterns are compiled as it is loaded, and most commands write nothing.
    from cc_git.governance.secrets import secrets_in, secrets_in_name

    return [
        (rel, one)
        for rel, data in files.items()
        for one in (
            *secrets_in(data, public, before.get(rel, b"")),
            *(secrets_in_name(rel, public) if _is_named(rel) else ()),
        )
    ]


def _is_named(rel: str) -> bool:
    """Somebody chose its name, which Git keeps as well; those of other immutable files are ids."""
    return not paths.is_immutable(rel) or paths.folder_of(rel) == paths.QUARANTINE


def _where(rel: str, one: Secret) -> str:
    """By what the person wrote: a file that is not there yet has a name that says nothing to them."""
    if not one.line:
        return f"the name of a file in {paths.folder_of(rel)}"
    line = f"line {one.line}" if one.field is None else f"{quoted(one.field)} (line {one.line})"
    place = paths.public(rel)
    hidden = paths.is_immutable(place) or _found({"": rel.encode("utf-8", "replace")}, ())
    return f"{line} of {place.rpartition('/')[0] if hidden else place}"


def _whence(data: bytes) -> str:
    """Where an episode was taken from: that is the file that a person goes to."""
    named = _LOCATOR.search(data)
    if named is None or _found({"": named.group(1)}, ()):
        return ""
    return f", from {as_value(named.group(1).decode('utf-8', 'replace'))},"
