"""A packet as XML: well-formed, stored text only in character data and attribute values, escaped."""

from __future__ import annotations

from collections.abc import Iterator

from cc_git.compiler.facts import instant_text
from cc_git.compiler.render.renderer import NOT_TRUSTED, NOTICE, proposals_line
from cc_git.model.packet import Item, Packet
from cc_git.model.sanitise import escape_xml


class Xml:
    def head(self, packet: Packet) -> str:
        attributes = _attributes(
            id=packet.id,
            digest=packet.digest,
            workspace=packet.workspace,
            scope=str(packet.scope),
            ceiling=packet.ceiling,
            tree=packet.tree,
            commit=packet.commit or "",
            instant=instant_text(packet.instant),
            expires="" if packet.expires is None else instant_text(packet.expires),
            budget=f"{packet.budget} {packet.unit}",
            used=str(packet.used),
            mode=packet.mode,
            trusted="yes" if packet.trusted else "no",
        )
        notices = (*NOTICE, *(() if packet.trusted else (NOT_TRUSTED,)))
        lines = [f"<packet{attributes}>", *(_element("notice", notice) for notice in notices)]
        lines += [_element("asked", query) for query in (packet.task, *packet.queries) if query]
        return "\n".join(lines) + "\n"

    def opening(self, section: str) -> str:
        return f"<section{_attributes(name=section)}>\n"

    def closing(self, section: str) -> str:
        return "</section>\n"

    def item(self, item: Item) -> str:
        attributes = _attributes(
            id=item.id,
            kind=item.kind,
            blob=item.blob,
            standing="" if item.standing == "current" else item.standing,
            authority=item.authority,
            attested="yes" if item.attested else "",
            actor=item.actor,
            recorded="" if item.recorded_at is None else instant_text(item.recorded_at),
        )
        return f"<item{attributes}>\n" + "\n".join(_inside(item)) + "\n</item>\n"

    def tail(self, packet: Packet) -> str:
        lines = []
        if proposals := proposals_line(packet):
            lines.append(_element("proposed", proposals))
        for conflict in packet.conflicts:
            more = str(conflict.more) if conflict.more else ""
            lines.append(f"<conflict{_attributes(cause=conflict.cause, ids=' '.join(conflict.ids), more=more)}/>")
        for omission in packet.omitted:
            named = _attributes(reason=omission.reason, number=str(omission.number), ids=" ".join(omission.ids))
            lines.append(f"<omitted{named}/>")
        lines += [_element("warning", warning) for warning in packet.warnings]
        lines += [_element("capability-limited", limit) for limit in packet.limits]
        return "\n".join((*lines, "</packet>")) + "\n"

    def last(self, piece: str) -> str:
        return piece


def _inside(item: Item) -> Iterator[str]:
    if item.title:
        yield _element("title", item.title)
    yield from (_element("fact", fact) for fact in item.facts)
    yield from (_element("label", label) for label in item.labels)
    yield from (_element("from", source) for source in item.sources)
    yield from (_element("code", path) for path in item.anchors)
    if item.text:
        yield _element("text", item.text)
    for name, value in item.fields:
        for text in value if isinstance(value, tuple) else (value,):
            yield f"<field{_attributes(name=name)}>{_escaped(text, multiline=True)}</field>"


def _element(name: str, text: str) -> str:
    return f"<{name}>{_escaped(text, multiline=True)}</{name}>"


def _attributes(**values: str) -> str:
    return "".join(f' {name}="{_escaped(value, multiline=False)}"' for name, value in values.items() if value)


def _escaped(text: str, *, multiline: bool) -> str:
    # the sanitiser looks at a text as a whole: an image in one item must not meet its address in another
    return escape_xml(text, multiline=multiline).replace("![", "&#33;[")
