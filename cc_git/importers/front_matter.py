"""The YAML block at the top of a Markdown file, read as plain text values.

The file is somebody else's: nothing in it may name a Python type, expand, recurse or run long. PyYAML's base loader
knows only strings, lists and mappings (and so leaves `2020-10-20` and `no` as they were written); aliases are refused
and the block is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cc_git.importers.outcomes import Note

LIMIT = 16 * 1024
"""Characters; real front matter has some hundred."""

_KEY_LINE = re.compile(r"([A-Za-z][\w -]{0,60}?)\s*:(?:\s+(.*))?$")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`values`: key (lower case, words joined by `-`) → texts; an unquoted `{placeholder}` comes back as written.

    `lines`: how many lines of the file it takes, 0 without one; `line_of` gives the line of a key, counted from 1.
    """

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    line_of: Mapping[str, int] = field(default_factory=dict)
    lines: int = 0
    warnings: tuple[Note, ...] = ()

    def first(self, *keys: str) -> tuple[str, int]:
        """The first text under the first key that has one, with its line; `("", 0)` if none has."""
        for key in keys:
            for text in self.values.get(key, ()):
                return text, self.line_of.get(key, 1)
        return "", 0


def read_front_matter(lines: list[str]) -> FrontMatter:
    if not lines or lines[0].rstrip() != "---":
        return FrontMatter()
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in {"---", "..."}), None)
    if end is None:
        return FrontMatter(warnings=(Note(1, "the block opened by '---' is never closed; read as text"),))
    block = lines[1:end]
    line_of = {_key(found[1]): number for number, line in enumerate(block, 2) if (found := _KEY_LINE.match(line))}
    text = "\n".join(block)
    if len(text) > LIMIT:
        return FrontMatter(lines=end + 1, warnings=(Note(1, f"front matter above {LIMIT} characters; not read"),))
    values, fault = _load(text)
    if values is None:
        values = {found[1]: found[2] or "" for line in block if (found := _KEY_LINE.match(line))}
        warnings: tuple[Note, ...] = (Note(1, f"front matter is not valid YAML ({fault}); read line by line"),)
    else:
        warnings = ()
    return FrontMatter({_key(key): _texts(value) for key, value in values.items()}, line_of, end + 1, warnings)


def _key(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().casefold())


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        text = value.strip().strip("\"'").strip()
        return (text,) if text else ()
    if isinstance(value, list):
        return tuple(text for item in value if isinstance(item, str) for text in _texts(item))
    if isinstance(value, dict):
        return ("{" + ", ".join(str(key) for key in value)[:200] + "}",)
    return ()


def _load(text: str) -> tuple[dict[str, Any] | None, str]:
    import yaml  # lazy: only an import of documents needs it

    class Plain(yaml.BaseLoader):
        def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("aliases are not read")
            return super().compose_node(parent, index)

    try:
        loaded = yaml.load(text, Loader=Plain)
    except RecursionError:
        return None, "nested too deeply"
    except (yaml.YAMLError, ValueError) as fault:
        mark = getattr(fault, "problem_mark", None)
        where = f"line {mark.line + 2}: " if mark else ""
        return None, where + str(getattr(fault, "problem", None) or fault).splitlines()[0]
    if loaded is None or loaded == "":
        return {}, ""
    if not isinstance(loaded, dict):
        return None, "not a list of keys"
    return {key: value for key, value in loaded.items() if isinstance(key, str)}, ""
