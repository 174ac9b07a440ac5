"""Hypotheses at the command line: related, merged, listed and shown, and links that circles and merges bring."""

from __future__ import annotations

import pytest

from tests.cli.people import Clone, World
from tests.cli.test_hostile_text import harmful
from tests.cli.test_relate import LATER, hypothesis, links


def scores(clone: Clone) -> dict[str, int]:
    return {one["id"]: one["score"] for one in clone.data("hypothesis", "rank")}


def test_a_correction_keeps_its_links_and_takes_more(ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    seen = ana.made("remember", "A diver saw holes", "--relate", f"supports:{rot}", prefix="blf")
    again = ana.made("correct", seen, "A diver saw round holes", "--relate", f"supports:{worms}", prefix="blf")
    assert {(again, "supports", rot), (again, "supports", worms)} <= links(ana)
    alone = ana.made("correct", again, "--relate", f"about:{rot}", prefix="blf")
    assert (alone, "about", rot) in links(ana)
    assert "changes something" in ana.run("correct", alone, "--relate", f"about:{rot}", code=2).err


def test_a_mistyped_id_is_refused_with_the_nearest(ana: Clone) -> None:
    rot = hypothesis(ana, "The piles rot")
    wrong = rot[:-1] + ("0" if rot[-1] != "0" else "1")
    for typed in (wrong, wrong[-6:]):
        assert (
            f"did you mean hyp…{rot[-6:]}?" in ana.run("capture", "Holes", "--relate", f"supports:{typed}", code=2).err
        )


def test_what_went_into_another_is_weighed_with_it_and_stays_what_it_is(ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    holes = ana.made("capture", "A diver saw holes", "--type", "observation", "--relate", f"supports:{worms}",
                     "--relate", f"supports:{rot}", prefix="ep")  # fmt: skip
    dry = ana.made("capture", "They are dry", "--relate", f"contradicts:{worms}", prefix="ep")
    link = ana.made("hypothesis", "merge", worms, "--into", rot, "--reason", "worms are how", prefix="ep")
    assert set(scores(ana)) == {rot}
    shown = ana.data("hypothesis", "show", rot)
    assert sorted((one["id"], one["supports"]) for one in shown["weighed"]["evidence"]) == [(holes, True), (dry, False)]
    listed = {one["id"]: one["merged_into"] for one in ana.data("hypothesis", "list")}
    assert listed == {rot: None, worms: rot}
    assert ana.standing(worms) == "current"
    assert "is merged into" in ana.run("hypothesis", "merge", worms, "--into", hypothesis(ana, "Ice"), code=3).err
    ana.person("forget", link, answers=("y",))
    assert set(scores(ana)) >= {rot, worms}, "a link that is taken out is no link"


def test_nothing_goes_into_what_does_not_stand(ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    wet = ana.made("correct", rot, "Wet piles rot", prefix="hyp")
    said = ana.run("hypothesis", "merge", worms, "--into", rot, code=3).err
    assert "is superseded" in said and f"--into hyp…{wet[-6:]}" in said


def test_a_correction_begins_without_the_evidence_and_says_how_to_have_it(ana: Clone) -> None:
    rot = hypothesis(ana, "The piles rot")
    holes = ana.made("capture", "Holes", "--type", "observation", "--relate", f"supports:{rot}", prefix="ep")
    wet = ana.made("correct", rot, "Wet piles rot", prefix="hyp")
    assert ana.data("hypothesis", "show", wet)["weighed"]["evidence"] == []
    assert "borrows-evidence-from" in ana.run("hypothesis", "show", wet).err
    ana.cc("hypothesis", "relate", wet, "borrows-evidence-from", rot)
    (one,) = ana.data("hypothesis", "show", wet)["weighed"]["evidence"]
    assert (one["id"], one["of"]) == (holes, rot)
    assert "borrows-evidence-from" not in ana.run("hypothesis", "show", wet).err


def test_what_spoke_of_a_forgotten_one_stays_and_leads_nowhere(ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    seen = ana.made("remember", "A diver saw holes", "--relate", f"supports:{rot}", prefix="blf")
    link = ana.made("hypothesis", "merge", worms, "--into", rot, prefix="ep")
    ana.person("forget", rot, answers=("y",))
    assert ana.standing(seen) == "current", "it was seen all the same"
    assert ana.run("show", link, code=None).code != 0, "what names a forgotten one in its text goes with it"
    found = ana.data("graph", "export", "--ceiling", "restricted")
    assert rot not in {node["id"] for node in found["nodes"]}
    assert [(gap["source"], gap["target"]) for gap in found["gaps"]] == [(seen, rot)]
    (left,) = ana.data("hypothesis", "list", "--all")
    assert (left["id"], left["merged_into"], left["links"]) == (worms, None, [])


def test_a_circle_of_several_words_is_refused_and_named(ana: Clone) -> None:
    rot = hypothesis(ana, "The piles rot")
    wet = ana.made("correct", rot, "Wet piles rot", prefix="hyp")
    said = ana.run("hypothesis", "relate", rot, "derived-from", wet, code=2).err
    assert f"hyp…{rot[-6:]} derived-from hyp…{wet[-6:]}" in said and f"hyp…{wet[-6:]} supersedes hyp…{rot[-6:]}" in said
    worms = hypothesis(ana, "Worms eat them", "--relate", f"derived-from:{wet}")
    said = ana.run("correct", wet, "Piles rot", "--relate", f"merged-into:{wet}", code=2).err
    assert "come back to themselves" in said
    assert "known already" in ana.run("hypothesis", "relate", worms, "derived-from", wet, code=3).err


def test_who_competes_with_whom_is_said_once(ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    ana.cc("hypothesis", "relate", rot, "competes-with", worms)
    assert "known already" in ana.run("hypothesis", "relate", worms, "competes-with", rot, code=3).err
    belief = ana.made("remember", "Piles are long", prefix="blf")
    assert "names a belief" in ana.run("hypothesis", "relate", rot, "competes-with", belief, code=2).err


def test_a_circle_that_a_merge_brings_is_told_and_ends(world: World, ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    ana.commit()
    ana.git("push", "-q", "origin", "HEAD")
    ben = world.clone("ben")
    ana.cc("hypothesis", "merge", worms, "--into", rot)
    ben.cc("hypothesis", "merge", rot, "--into", worms)
    for one in (ana, ben):
        one.commit()
    ben.git("fetch", "-q", str(ana.top), "HEAD")
    ben.git("merge", "-q", "--no-edit", "FETCH_HEAD")
    for words in (("list",), ("rank",), ("show", rot)):
        assert "come back to themselves" in ben.run("hypothesis", *words).err
    assert {one["id"]: one["merged_into"] for one in ben.data("hypothesis", "list")} == {rot: None, worms: None}
    assert set(scores(ben)) == {rot, worms}
    assert ben.standing(rot) == ben.standing(worms) == "current"
    (need,) = [one for one in ben.data("audit", code=1)["needs"] if one["sort"] == "circle"]
    ben.person(*need["helps"].removeprefix("cc-git ").split(), answers=("y",))
    assert len(scores(ben)) == 1 and "come back" not in ben.run("hypothesis", "list").err
    assert "circle" not in {one["sort"] for one in ben.data("audit", code=None)["needs"]}


def test_a_persons_word_weighs_as_one_once_somebody_is_bound_to_it(accepted: Clone) -> None:
    rot = hypothesis(accepted, "The piles rot")
    said = accepted.agent().made("capture", "Ana saw holes", "--authority", "user-explicit", "--relate",
                                 f"supports:{rot}", prefix="ep")  # fmt: skip
    holds = accepted.agent().made("remember", "They are soft", "--authority", "user-explicit", "--relate",
                                  f"supports:{rot}", prefix="blf")  # fmt: skip

    def weights() -> dict[str, int]:
        return {one["id"]: one["weight"] for one in accepted.data("hypothesis", "show", rot)["weighed"]["evidence"]}

    assert weights() == {said: 500, holds: 500}, "an agent wrote it down"
    accepted.commit()
    accepted.git("push", "-q", "origin", "HEAD")
    assert weights() == {said: 800, holds: 800}


def test_hostile_text_is_harmless_where_hypotheses_are_told(ana: Clone) -> None:
    text = "\x1b[31m[bold]x[/]\u202e </record> " + "y" * 5000
    rot = ana.made("remember", text, "-k", "hypothesis", "--title", "marker", "--expires", LATER, "--set",
                   f"impact={text}", prefix="hyp")  # fmt: skip
    ana.cc("capture", text, "--type", "observation", "--relate", f"supports:{rot}")
    ana.cc("hypothesis", "relate", hypothesis(ana, "Other"), "derived-from", rot, "--reason", text)
    for words in (("list",), ("rank",), ("show", rot)):
        for more in ((), ("--json",)):
            said = ana.run("hypothesis", *words, *more)
            assert harmful(said.out + said.err) == []
        assert harmful(ana.person("hypothesis", *words)) == []


def test_a_link_is_no_statement_of_its_own(ana: Clone) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    link = ana.made("hypothesis", "relate", rot, "competes-with", worms, prefix="ep")
    found = ana.data("consolidate", "--dry-run")["findings"]
    assert [one["sort"] for one in found if link in one["episodes"]] == ["no-change"]


@pytest.mark.parametrize("word", ["supports", "of", "part-of"])
def test_only_words_of_hypotheses_relate_them(ana: Clone, word: str) -> None:
    rot, worms = hypothesis(ana, "The piles rot"), hypothesis(ana, "Worms eat them")
    assert "is not one of" in ana.run("hypothesis", "relate", rot, word, worms, code=2).err


def test_what_expired_is_listed_and_not_ranked(ana: Clone) -> None:
    rot = hypothesis(ana, "The piles rot", "--confidence", "0.9")
    later = ("--now", "2027-03-02T00:00:00Z")
    assert ana.data("hypothesis", "rank", *later) == [] and ana.data("hypothesis", "list", *later) == []
    (one,) = ana.data("hypothesis", "list", "--all", *later)
    assert (one["id"], one["verdict"]["standing"], one["weighed"]) == (rot, "expired", None)
