"""Links between things: in the file of what says them, or as one more file between two that are there."""

from __future__ import annotations

import pytest

from tests.cli.people import NOW, Clone, World

LATER = "2027-03-01T00:00:00Z"


def hypothesis(clone: Clone, text: str, *more: str) -> str:
    return clone.made("remember", text, "-k", "hypothesis", "--expires", LATER, *more, prefix="hyp")


def links(clone: Clone, *only: str) -> set[tuple[str, str, str]]:
    """Every link of the graph, of these words."""
    edges = clone.data("graph", "export", "--ceiling", "restricted")["edges"]
    return {(e["source"], e["what"], e["target"]) for e in edges if not only or e["what"] in only}


def task(clone: Clone, title: str, *more: str) -> str:
    clone.cc("task", "add", title, *more)
    return str(next(t["id"] for t in clone.data("task", "list")["tasks"] if t["title"] == title))


def test_what_is_said_says_how_it_hangs_together(ana: Clone) -> None:
    rot, work = hypothesis(ana, "The piles rot"), task(ana, "Survey the piles")
    holes = ana.made("capture", "A diver saw holes", "--relate", f"supports:{rot}", prefix="ep")
    new = ana.made("propose", "The piles are new", "--relate", f"contradicts:{rot}", prefix="blf")
    steel = ana.made("remember", "Use steel", "-k", "decision", "--relate", f"decides:{rot[-6:]}",
                     "--relate", f"resolves:{work[-6:]}", prefix="dec")  # fmt: skip
    assert {
        (holes, "supports", rot),
        (new, "contradicts", rot),
        (steel, "decides", rot),
        (steel, "resolves", work),
    } <= links(ana)


def test_what_is_there_is_linked_by_one_more_file(ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    before = {path: path.read_bytes() for path in (ana.top / ".continuity").rglob("*.toml")}
    link = ana.made("relate", worms, "competes-with", rot, "--reason", "one cause is enough", prefix="ep")
    assert {path: path.read_bytes() for path in before} == before
    assert (worms, "competes-with", rot) in links(ana)
    assert "one cause is enough" in ana.cc("show", link)
    assert "is known already" in ana.run("relate", worms, "competes-with", rot, code=3).err
    assert ana.standing(rot) == ana.standing(worms) == "current"


@pytest.mark.parametrize("word", ["merged-into", "derived-from", "superseded-by"])
def test_a_circle_is_refused_and_named(ana: Clone, word: str) -> None:
    one, two, three = (hypothesis(ana, f"Number {n}") for n in range(3))
    assert "cannot be linked to itself" in ana.run("relate", one, word, one, code=2).err
    ana.cc("relate", one, word, two)
    ana.cc("relate", two, word, three)
    refused = ana.run("relate", three, word, one, code=2).err
    assert [part[-6:] for part in refused.splitlines()[1].split(" → ")] == [i[-6:] for i in (three, one, two, three)]
    ana.cc("relate", three, "competes-with", one)


def test_both_branches_links_are_there_after_a_merge(world: World, ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    ana.commit()
    ana.git("push", "-q", "origin", "HEAD")
    ben = world.clone("ben")
    ana.cc("relate", worms, "merged-into", rot)
    ben.cc("relate", rot, "merged-into", worms)
    dry = ben.made("capture", "They are dry", "--relate", f"contradicts:{rot}", prefix="ep")
    for one in (ana, ben):
        one.commit()
    ben.git("fetch", "-q", str(ana.top), "HEAD")
    ben.git("merge", "-q", "--no-edit", "FETCH_HEAD")
    assert links(ben, "merged-into", "contradicts") == {
        (worms, "merged-into", rot),
        (rot, "merged-into", worms),
        (dry, "contradicts", rot),
    }
    assert ben.standing(rot) == "current" and ben.data("check")["findings"] == []


def test_a_link_goes_with_what_it_links(ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    link = ana.made("relate", worms, "competes-with", rot, "--reason", "one cause is enough", prefix="ep")
    ana.person("forget", rot, answers=("y",))
    assert rot not in {end for source, _, target in links(ana) for end in (source, target)}
    assert "was forgotten" in ana.run("show", link, code=None).err or ana.run("show", link, code=None).code == 2


def test_a_link_to_something_private_is_private(ana: Clone) -> None:
    secret = ana.made("remember", "The harbour is sold", "-k", "belief", "--sensitivity", "sensitive", prefix="blf")
    rot = hypothesis(ana, "The piles rot")
    assert "kept as sensitive" in ana.run("relate", secret, "supports", rot).err
    assert "kept as sensitive" in ana.run("capture", "Look", "--relate", f"about:{secret}").err
    ana.commit()
    assert secret not in ana.git("log", "-p", "--all")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("supports", "is no WORD:ID"),
        ("Supports It:abc", "is no word of small letters"),
        ("supports:zzzzzz", "no object here is named"),
        ("supports:", "neither the beginning nor the end of an id"),
    ],
)
def test_what_cannot_be_meant_is_refused(ana: Clone, given: str, says: str) -> None:
    assert says in ana.run("capture", "It", "--relate", given, code=2).err


def test_the_word_of_the_link_itself_is_kept_back(ana: Clone) -> None:
    one, two = hypothesis(ana, "One"), hypothesis(ana, "Two")
    assert "another word" in ana.run("relate", one, "of", two, "--now", NOW, code=2).err
