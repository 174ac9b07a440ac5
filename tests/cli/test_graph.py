"""The graph has every link that is kept and no other, in three forms that no stored text breaks out of."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.cli.people import Clone, World

NASTY = 'Ship "v2"]; end --> x <b>|{`*_ \u202e\n'.strip()


def edges(clone: Clone, *words: str) -> set[tuple[str, str, str]]:
    return {(e["source"], e["what"], e["target"]) for e in clone.data("graph", *(words or ("export",)))["edges"]}


@pytest.fixture
def line(ana: Clone) -> dict[str, str]:
    """A goal, two of its tasks, a hypothesis, what was seen and what was decided on it."""
    found = {"goal": ana.made("remember", "Faster quays", "-k", "goal", prefix="goal")}
    found["task"] = ana.data("task", "add", "Measure", "--goal", found["goal"])["tasks"][0]["id"]
    found["sub"] = ana.data("task", "add", "Read the log", "--parent", found["task"])["tasks"][0]["id"]
    found["seen"] = ana.made("capture", "The crane waits", "--type", "observation", prefix="ep")
    found["decision"] = ana.made(
        "remember", "Buy a crane", "-k", "decision", "--source", found["seen"], prefix="dec"
    )  # fmt: skip
    found["later"] = ana.made("correct", found["decision"], "Rent a crane", prefix="dec")
    return found


def test_every_link_is_an_edge(ana: Clone, line: dict[str, str]) -> None:
    found = edges(ana)
    assert {
        (line["task"], "goal", line["goal"]),
        (line["sub"], "parent", line["task"]),
        (line["decision"], "sources", line["seen"]),
        (line["later"], "supersedes", line["decision"]),
    } <= found
    nodes = {node["id"]: node for node in ana.data("graph", "export")["nodes"]}
    assert set(line.values()) <= nodes.keys()
    assert nodes[line["decision"]]["state"] == "superseded" and nodes[line["task"]]["kind"] == "task"
    assert all(source in nodes and target in nodes for source, _, target in found)


def test_the_same_state_gives_the_same_bytes(ana: Clone, line: dict[str, str]) -> None:
    for form in ("mermaid", "dot", "json"):
        assert ana.cc("graph", "export", "--format", form) == ana.cc("graph", "export", "--format", form)
    data: Any = json.loads(ana.cc("graph", "export", "--format", "json"))
    assert data == ana.data("graph", "export")


def test_a_lineage_goes_up_down_or_both_ways_and_says_where_it_was_cut(ana: Clone, line: dict[str, str]) -> None:
    def reached(*words: str) -> set[str]:
        return {node["id"] for node in ana.data("graph", "lineage", line["decision"], *words)["nodes"]}

    assert line["seen"] in reached("--direction", "up") and line["later"] not in reached("--direction", "up")
    assert line["later"] in reached("--direction", "down") and line["seen"] not in reached("--direction", "down")
    assert {line["seen"], line["later"]} <= reached()
    cut = ana.run("graph", "lineage", line["decision"], "--most", "1")
    assert "--most takes more" in cut.err


def test_stored_text_breaks_out_of_no_form(ana: Clone) -> None:
    file = ana.top / ".continuity/episodes/2025-11-29/ep_01kb7z9n000000000000000001.toml"
    file.parent.mkdir(parents=True)
    file.write_text(
        f'format = "cc-git/1"\nid = "{file.stem}"\ntype = "observation"\ncontent = {json.dumps(NASTY)}\n'
        'authority = "agent-explicit"\nactor = "agent:x"\nrecorded_at = 2025-11-29T12:00:00Z\n'
        'source = { kind = "agent" }\n'
    )
    drawn = ana.cc("graph", "export")
    (node,) = (text for text in drawn.splitlines() if file.stem in text)
    label = node.partition('("')[2].removesuffix('")')
    assert not re.search(r"[\"<>|\[\]{}`*_]", label) and "\u202e" not in drawn
    dotted = next(text for text in ana.cc("graph", "export", "--format", "dot").splitlines() if file.stem in text)
    assert len(re.findall(r'(?<!\\)"', dotted)) == 2
    assert "\u202e" not in ana.cc("graph", "export", "--format", "json")


def test_what_is_above_the_ceiling_is_left_out_with_what_is_about_it(ana: Clone) -> None:
    made = ana.data("remember", "SECRETWORD", "--sensitivity", "sensitive")["made"]
    record = next(i for i in made if i.startswith("blf"))
    ana.cc("revoke", record, "--reason", "SECRETWORD is over")
    ordinary = ana.run("graph", "export")
    assert "SECRETWORD" not in ordinary.out and "left out: above the ceiling" in ordinary.err
    assert "above the ceiling" in ana.run("graph", "lineage", record, code=2).err
    assert "SECRETWORD" in ana.cc("graph", "export", "--ceiling", "sensitive")
    assert ("revoke", record) in {(what, to) for _, what, to in edges(ana, "export", "--ceiling", "sensitive")}


def linked(clone: Clone, number: int, to: str) -> str:
    """A belief that an agent writes by hand, with a relation to a hypothesis."""
    identifier = f"blf_01kb7z9n00{number:016d}"
    file = clone.top / f".continuity/records/belief/2025-11/{identifier}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f'format = "cc-git/1"\nid = "{identifier}"\nkind = "belief"\ntitle = "Seen {number}"\n'
        'authority = "agent-inference"\nactor = "agent:x"\nrecorded_at = 2025-11-29T12:00:00Z\n'
        f'relations = [\n  {{ rel = "supports", to = "{to}" }},\n]\n'
    )
    return identifier


def test_after_a_merge_the_links_of_both_branches_are_there_and_cycles_end(ana: Clone, world: World) -> None:
    one, other = "blf_01kb7z9n000000000000000001", "blf_01kb7z9n000000000000000002"
    target = linked(ana, 9, "blf_01kb7z9n000000000000000008")
    ana.git("add", "-A")
    ana.git("commit", "-qm", "Begin")
    ana.git("switch", "-qc", "side")
    assert linked(ana, 1, target) == one
    ana.git("add", "-A")
    ana.git("commit", "-qm", "One")
    ana.git("switch", "-q", "main")
    assert linked(ana, 2, target) == other
    linked(ana, 8, target)  # a cycle: 9 → 8 → 9
    ana.git("add", "-A")
    ana.git("commit", "-qm", "Other")
    ana.git("merge", "-q", "--no-edit", "side")
    found = edges(ana)
    assert {(one, "supports", target), (other, "supports", target)} <= found
    around = ana.data("graph", "lineage", target)
    assert {one, other, target} <= {node["id"] for node in around["nodes"]} and not around["cut"]


def test_a_link_to_what_is_not_here_is_a_gap(ana: Clone) -> None:
    made = linked(ana, 1, "hyp_01kb7z9n000000000000000009")
    (gap,) = ana.data("graph", "export")["gaps"]
    assert (gap["source"], gap["target"]) == (made, "hyp_01kb7z9n000000000000000009")
    assert "1 link leads to what is not here" in ana.run("graph", "export").err
