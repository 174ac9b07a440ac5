"""Packet → output, in one explicit table of forms."""

from __future__ import annotations

from cc_git.compiler.render.json import Json
from cc_git.compiler.render.markdown import Markdown
from cc_git.compiler.render.renderer import Renderer
from cc_git.compiler.render.xml import Xml
from cc_git.model.packet import Packet
from cc_git.model.request import PacketFormat

RENDERERS: dict[PacketFormat, Renderer] = {"markdown": Markdown(), "json": Json(), "xml": Xml()}


def render(packet: Packet, shown_as: PacketFormat | None = None) -> str:
    """The whole output. Only in the form that it was compiled for is a packet sure to be within its budget."""
    renderer = RENDERERS[shown_as or packet.shown_as]
    pieces = []
    for section in packet.sections:
        items = [renderer.item(item) for item in section.items]
        items[-1] = renderer.last(items[-1])
        pieces.append(renderer.opening(section.name) + "".join(items) + renderer.closing(section.name))
    if pieces:
        pieces[-1] = renderer.last(pieces[-1])
    return "".join((renderer.head(packet), *pieces, renderer.tail(packet)))
