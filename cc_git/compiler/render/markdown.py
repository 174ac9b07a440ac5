"""A packet as Markdown: one heading an item, its stored text in a fence longer than any run inside.

Outside the fences stored text stands in double quotes, but for values of one plain word (`as_value`): no field can
close its quotes, so none looks like another field, another item or a word of ours.
"""

from __future__ import annotations

from cc_git.compiler.facts import instant_text
from cc_git.compiler.render.renderer import NOT_TRUSTED, NOTICE, body, expiry, proposals_line
from cc_git.compiler.sections import MAIN_KINDS
from cc_git.model.ids import is_id, short
from cc_git.model.packet import Item, Packet
from cc_git.model.sanitise import as_value, fenced, quoted
from cc_git.model.sanitise import escape_inline_markdown as inline

_UNNAMED = MAIN_KINDS | {"trigger", "focus", "episode"}


class Markdown:
    def head(self, packet: Packet) -> str:
        commit = f", commit {packet.commit[:12]}" if packet.commit else ""
        lines = [
            f"# Context packet {packet.id}",
            "",
            f"{inline(as_value(packet.workspace))} ({inline(str(packet.scope))}) at {instant_text(packet.instant)}, "
            f"from tree {packet.tree[:12]}{commit}; valid until {expiry(packet)}.",
            f"{packet.budget} {packet.unit}, {packet.used} used; sensitivity up to {packet.ceiling}; {packet.mode}.",
            " ".join(NOTICE),
        ]
        if not packet.trusted:
            lines.append(f"**{NOT_TRUSTED}**")
        lines += [f"Asked: {inline(quoted(query))}" for query in (packet.task, *packet.queries) if query]
        return "\n".join(lines) + "\n"

    def opening(self, section: str) -> str:
        return f"\n## {section}\n"

    def closing(self, section: str) -> str:
        return ""

    def item(self, item: Item) -> str:
        named = f" ({short(item.id)})" if item.id else ""
        kind = () if item.kind in _UNNAMED else (item.kind.replace("_", " "),)
        labels = tuple(map(inline, item.labels))
        facts = tuple(map(inline, item.facts))
        title = inline(quoted(item.title)) if item.title else ""
        if item.form == "line":
            before = ", ".join((*kind, *facts))
            said = f"{': ' if before and title else ''}{title}"
            return "- " + " · ".join((f"{before}{said}{named}", *labels)) + "\n"
        if not title and facts:
            title, facts = facts[0], facts[1:]
        meta = " · ".join((*kind, *facts, *labels, *_backing(item)))
        # the sanitiser looks at a text as a whole: an image in one item must not meet its address in another
        text = body(item).replace("![", "!\\[")
        return f"### {title}{named}\n{meta}\n{fenced(text, 'text') if text else ''}"

    def tail(self, packet: Packet) -> str:
        lines = ["", "## Not in this packet"]
        if proposals := proposals_line(packet):
            lines.append(proposals)
        for conflict in packet.conflicts:
            more = f" and {conflict.more} more" if conflict.more else ""
            lines.append(f"Unresolved conflict ({conflict.cause}): {', '.join(map(short, conflict.ids))}{more}.")
        for omission in packet.omitted:
            ids = f" ({', '.join(map(short, omission.ids))})" if omission.ids else ""
            lines.append(f"Left out, {omission.reason}: {omission.number}{ids}.")
        lines += [f"Warning: {inline(warning)}" for warning in packet.warnings]
        lines += [f"Capability-limited: {limit}" for limit in packet.limits]
        return "\n".join(lines) + "\n"

    def last(self, piece: str) -> str:
        return piece


def _backing(item: Item) -> tuple[str, ...]:
    """Who stands behind it, who wrote it, since when, from what, and the code it depends on."""
    parts = []
    if item.authority:
        parts.append(f"{item.authority}, attested" if item.attested else item.authority)
    if item.actor:
        parts.append(f"by {inline(as_value(item.actor))}")
    if item.recorded_at is not None:
        parts.append(item.recorded_at.date().isoformat())
    if item.sources:
        parts.append(f"from {', '.join(short(s) if is_id(s) else inline(as_value(s)) for s in item.sources)}")
    if item.anchors:
        parts.append(f"code: {inline(', '.join(map(as_value, item.anchors)))}")
    return tuple(parts)
