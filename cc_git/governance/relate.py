"""Relate: that two things which are there hang together is said by one more episode, so nothing is edited for it."""

from __future__ import annotations

from collections.abc import Collection

from cc_git.errors import Refused, UsageFault
from cc_git.governance.capture import capture
from cc_git.governance.evidence import Said
from cc_git.governance.links import IN_ORDER, OF, Edge, way
from cc_git.governance.plan import Mint, Plan
from cc_git.model.authority import Authority
from cc_git.model.ids import short
from cc_git.model.scope import Scope
from cc_git.model.spine import Relation
from cc_git.model.who import Who


def relate(
    link: Edge, reason: str | None, edges: Collection[Edge], authority: Authority, scope: Scope, who: Who, mint: Mint
) -> Plan:
    """`edges` are the links that are there. Raises UsageFault for a link to itself or one that closes a circle, and
    Refused for one that is there already."""
    if link.source == link.target:
        raise UsageFault(f"{short(link.source)} cannot be linked to itself")
    if link.what == OF:
        raise UsageFault(f"{OF!r} is how the link itself is written: another word says how they hang together")
    if link in edges:
        raise Refused(f"that {short(link.source)} {link.what} {short(link.target)} is known already")
    circle = way(edges, link.what, link.target, link.source) if link.what in IN_ORDER else ()
    if circle:
        raise UsageFault(
            f"{short(link.source)} would be {link.what} itself",
            why=" → ".join(map(short, (link.source, *circle))),
        )
    said = Said(
        # Its ends are named in the text as well: what names a forgotten thing so goes with it.
        text="\n".join(filter(None, (f"{link.source} {link.what} {link.target}", reason))),
        authority=authority,
        scope=scope,
        relations=(Relation(rel=OF, to=link.source), Relation(rel=link.what, to=link.target)),
    )
    return capture(said, who, mint)
