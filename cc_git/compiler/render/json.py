"""A packet as one JSON document, an item a line: read back it is the same packet."""

from __future__ import annotations

import json
from typing import Any

from cc_git.model.packet import Item, Packet
from cc_git.model.sanitise import harmless_json
from cc_git.model.value import Value

_AFTER = ("proposals", "omitted", "conflicts", "limits", "warnings")


class Json:
    def head(self, packet: Packet) -> str:
        before = _plain(packet, exclude={"sections", *_AFTER})
        return f'{{"format":{_text(packet.format)},{_text(before)[1:-1]},\n"sections":[\n'

    def opening(self, section: str) -> str:
        return f'{{"name":{_text(section)},"items":[\n'

    def closing(self, section: str) -> str:
        return "]},\n"

    def item(self, item: Item) -> str:
        return f"{_text(_plain(item))},\n"

    def tail(self, packet: Packet) -> str:
        after = _plain(packet, include=set(_AFTER))
        return f"],\n{_text(after)[1:]}\n" if after else "]}\n"

    def last(self, piece: str) -> str:
        return piece.removesuffix(",\n") + "\n" if piece.endswith(",\n") else piece


def _plain(value: Value, **fields: Any) -> dict[str, Any]:
    return value.model_dump(mode="json", exclude_defaults=True, **fields)


def _text(plain: Any) -> str:
    return harmless_json(json.dumps(plain, ensure_ascii=False, separators=(",", ":")))
