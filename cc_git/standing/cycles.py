"""Strongly connected components, without recursion: a line of a hundred thousand corrections is no reason to fail.

Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping


def components(graph: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Node → number of its component. What a node points to has no higher number than the node."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    found: dict[str, int] = {}
    open_nodes: list[str] = []
    count = 0
    for root in graph:
        if root in number:
            continue
        path: list[tuple[str, Iterator[str]]] = []
        _enter(root, graph, number, low, open_nodes, path)
        while path:
            node, children = path[-1]
            child = next(children, None)
            if child is not None:
                if child not in number:
                    _enter(child, graph, number, low, open_nodes, path)
                elif child not in found:
                    low[node] = min(low[node], number[child])
                continue
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[node])
            if low[node] == number[node]:
                while (last := open_nodes.pop()) != node:
                    found[last] = count
                found[node] = count
                count += 1
    return found


def _enter(
    node: str,
    graph: Mapping[str, Iterable[str]],
    number: dict[str, int],
    low: dict[str, int],
    open_nodes: list[str],
    path: list[tuple[str, Iterator[str]]],
) -> None:
    number[node] = low[node] = len(number)
    open_nodes.append(node)
    path.append((node, iter(graph.get(node, ()))))
