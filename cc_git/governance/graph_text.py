"""A graph as Mermaid and as DOT, which a page or `dot` draws. Stored text is data: it opens no label and no link."""

from __future__ import annotations

from cc_git.governance.graph import Graph, Node
from cc_git.model.ids import short
from cc_git.model.sanitise import in_one_line

_LONGEST = 60
_SHAPES = {"goal": ("([", "])"), "task": ("[", "]"), "hypothesis": ("{{", "}}"), "decision": ("[[", "]]"),
           "episode": ("(", ")"), "trigger": (">", "]")}  # fmt: skip
_ESCAPED = {one: f"#{ord(one)};" for one in "\"'`<>&#;|{}[]()\\:*_~"}


def mermaid(graph: Graph) -> str:
    """A flowchart. Every character that Mermaid or the page could read as its own is written as its code."""
    lines = ["flowchart TD"]
    for node in graph.nodes:
        opening, closing = _SHAPES.get(node.kind, ("[", "]"))
        lines.append(f'  {node.id}{opening}"{_code(_label(node))}"{closing}')
    lines += [f'  {edge.source} -- "{_code(edge.what)}" --> {edge.target}' for edge in graph.edges]
    return "\n".join(lines) + "\n"


def dot(graph: Graph) -> str:
    """A directed graph in the language of Graphviz."""
    lines = ["digraph continuity {", "  node [shape=box];"]
    lines += [f"  {node.id} [label={_quoted(_label(node))}];" for node in graph.nodes]
    lines += [f"  {edge.source} -> {edge.target} [label={_quoted(edge.what)}];" for edge in graph.edges]
    return "\n".join([*lines, "}"]) + "\n"


def _label(node: Node) -> str:
    title = in_one_line(node.title)
    told = title if len(title) <= _LONGEST else f"{title[: _LONGEST - 1]}…"
    state = f", {node.state}" if node.state else ""
    return f"{node.kind}{state} {short(node.id)}: {told}" if told else f"{node.kind}{state} {short(node.id)}"


def _code(text: str) -> str:
    return "".join(_ESCAPED.get(one, one) for one in text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
