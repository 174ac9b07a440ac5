"""A dream changes nothing that stands; what came of it goes on only through a waking review."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cc_git.codec.dream_schema import PAGE, page
from cc_git.errors import Exit
from tests.cli.people import Clone

PROJECT = Path(__file__).resolve().parent.parent.parent
EXPIRES = "2026-12-20T00:00:00Z"
AT = ("--now", "2026-12-01T12:00:00Z")
AFTER = ("--now", "2026-12-24T12:00:00Z")


def candidate(*anchors: str, **other: Any) -> dict[str, Any]:
    told = {
        "title": "The queue may be the bottleneck", "text": "What if the queue, not the disk, is slow?",
        "anchors": list(anchors), "transformation": "recombined", "leap": "no measurement says so",
        "counterevidence": "the disk was full that day", "consequence": "a week of work on the wrong part",
        "next_test": "measure the queue alone", "expires_at": EXPIRES, "kind": "belief",
    }  # fmt: skip
    return {**told, **other}


def report(clone: Clone, *candidates: dict[str, Any], **other: Any) -> str:
    """A file with a report; its sources are the anchors of its candidates."""
    sources = sorted({anchor for one in candidates for anchor in one["anchors"]})
    body = {"format": "cc-git-dream-report/1", "target": "why is it slow", "modes": ["perturbation"],
            "sources": sources, "expires_at": EXPIRES, "candidates": list(candidates)}  # fmt: skip
    (clone.top / "report.json").write_text(json.dumps({**body, **other}))
    return "report.json"


@pytest.fixture
def scene(accepted: Clone) -> tuple[Clone, str, str]:
    agent = accepted.agent()
    episode = agent.made("capture", "It was slow on Monday", *AT, prefix="ep")
    record = agent.made("remember", "Jobs wait in the queue", "--kind", "decision", *AT, prefix="dec")
    return agent, episode, record


def standings(clone: Clone, *words: str) -> dict[str, str]:
    return {line["id"]: line["standing"] for line in clone.data("list", "--all", *words)}


def test_the_material_is_bounded_walled_and_redacted(scene: tuple[Clone, str, str]) -> None:
    agent, episode, record = scene
    secret = agent.made("capture", "Between us: a lawsuit", "--sensitivity", "sensitive", *AT, prefix="ep")
    pack = agent.data("dream", "pack", "why is it slow", "--source", episode, "--source", record, "--source", secret)
    assert pack["walls"] == ["authority", "permissions", "scope", "retention"]
    assert (pack["modes"], pack["image"]["mode"], pack["canonical_write_permitted"]) == (["replay"], "off", False)
    told = {source["id"]: source for source in pack["sources"]}
    assert told[record]["title"] == "Jobs wait in the queue"
    assert told[secret] == {"id": secret, "standing": "evidence", "redacted": True}
    assert "lawsuit" not in json.dumps(pack) and pack["digest"].startswith("sha256:")
    agent.cc("dream", "pack", "why", "--source", episode, "--budget", "20", code=Exit.DOES_NOT_FIT)
    assert json.loads(agent.cc("dream", "pack", "why is it slow", "--source", episode))["walls"] == pack["walls"]


def test_the_material_in_a_file_is_json_whatever_it_quotes(accepted: Clone) -> None:
    text = "Two\nlines, ![a picture](https://x.example/a.png), <img src=x> and <!-- \u202e a comment"
    episode = accepted.made("capture", text, prefix="ep")
    written = accepted.cc("dream", "pack", "why", "--source", episode)
    assert json.loads(written)["sources"][0]["text"] == text
    assert "\n" in written.strip() and "\u202e" not in written and "![" not in written


def test_without_named_sources_it_takes_what_a_packet_for_the_target_would_hold(scene: tuple[Clone, str, str]) -> None:
    agent, _, record = scene
    pack = agent.data("dream", "pack", "jobs in the queue", "--mode", "incubation", "--mode", "threat-rehearsal", *AT)
    assert record in {source["id"] for source in pack["sources"]}
    assert agent.data("packet", "list") == [], "material is no packet"


def test_a_report_is_kept_and_changes_nothing(scene: tuple[Clone, str, str]) -> None:
    agent, episode, record = scene
    before = standings(agent)
    dream = agent.made("dream", "report", report(agent, candidate(episode, record)), *AT, prefix="dr")
    assert standings(agent) == before
    assert agent.data("dream", "list", *AT)[0]["state"] == "open"
    shown = agent.cc("dream", "show", dream, *AT)
    assert "no measurement says so" in shown and "the disk was full that day" in shown
    assert "slow?" not in agent.cc("compile", "--task", "queue slow", *AT)
    agent.commit()
    assert agent.data("status", *AT)["faults"] == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"leap": ""}, "leap"),
        ({"counterevidence": None}, "counterevidence"),
        ({"expires_at": "2027-06-01T00:00:00Z"}, "outlives its report"),
        ({"anchors": ["ep_01m8qnrh28m7q8kzjzpqq0z9cc"]}, "not here"),
        ({"authority": "user-explicit"}, "authority"),
        ({"kind": "permission"}, "permission"),
        ({"kind": "identity"}, "identity"),
    ],
)
def test_what_is_incomplete_or_leans_on_a_wall_is_refused(
    scene: tuple[Clone, str, str], change: dict[str, Any], says: str
) -> None:
    agent, episode, _ = scene
    said = agent.run("dream", "report", report(agent, candidate(episode, **change)) if "anchors" not in change else
                     report(agent, candidate(*change["anchors"])), *AT, code=None)  # fmt: skip
    assert said.code in (Exit.USAGE, Exit.REFUSED)
    assert says in said.err
    assert agent.data("dream", "list") == []


@pytest.mark.parametrize("other", [{"canonical_write_permitted": True}, {"sources": []}, {"modes": ["levitation"]},
                                   {"expires_at": "2026-11-01T00:00:00Z"}, {"grants": ["deploy"]}])  # fmt: skip
def test_a_report_that_claims_too_much_is_refused(scene: tuple[Clone, str, str], other: dict[str, Any]) -> None:
    agent, episode, _ = scene
    one = candidate(episode, **({"expires_at": other["expires_at"]} if "expires_at" in other else {}))
    agent.cc("dream", "report", report(agent, one, **other), *AT, code=Exit.USAGE)


def test_only_a_waking_review_makes_proposals_and_they_expire(scene: tuple[Clone, str, str]) -> None:
    agent, episode, record = scene
    file = report(agent, candidate(episode), candidate(record, kind=None), candidate(episode, title="Nonsense"))
    dream = agent.made("dream", "report", file, *AT, prefix="dr")
    said = ("--as", "1=proposal", "--as", "2=hypothesis", "--rest", "discard", "--review", "Worth a measurement")
    woken = agent.data("dream", "wake", dream, *said, *AT)
    belief = next(i for i in woken["made"] if i.startswith("blf_"))
    hypothesis = next(i for i in woken["made"] if i.startswith("hyp_"))
    assert len(woken["made"]) == 3
    assert {woken["standings"][i]["standing"] for i in (belief, hypothesis)} == {"proposed"}
    about = agent.data("show", hypothesis)["value"]
    assert (about["authority"], about["payload"]["test"]) == ("dream", "measure the queue alone")
    assert about["derived_from"] == [record]
    agent.cc("accept", belief, *AT)
    assert standings(agent, *AT)[belief] == "current"
    assert standings(agent, *AFTER)[belief] == "expired"
    assert agent.data("dream", "list", *AT)[0]["state"] == "woken"


def test_a_dream_cannot_apply_itself(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    dream = agent.made("dream", "report", report(agent, candidate(episode)), *AT, prefix="dr")
    agent.cc("accept", dream, *AT, code=Exit.USAGE)
    assert agent.data("list", "--kind", "belief", "--all") == []


def test_an_accept_looks_at_the_review_that_the_record_names(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    dream = agent.made("dream", "report", report(agent, candidate(episode)), *AT, prefix="dr")
    woken = agent.data("dream", "wake", dream, "--as", "1=proposal", "--review", "Worth a measurement", *AT)
    belief, review = (next(i for i in woken["made"] if i.startswith(p)) for p in ("blf_", "wr_"))
    file = agent.top / ".continuity" / woken["files"][belief]
    other = belief[:-4] + "0000"
    file.with_name(f"{other}.toml").write_text(file.read_text().replace(belief, other))
    assert "let nothing like it go on" in agent.run("accept", other, *AT, code=Exit.REFUSED).err
    invented = file.with_name(f"{belief[:-4]}1111.toml")
    invented.write_text(file.read_text().replace(belief, invented.stem).replace(review, review[:-4] + "2222"))
    agent.cc("accept", invented.stem, *AT, code=Exit.REFUSED)
    agent.cc("accept", belief, *AT)
    assert standings(agent, *AT)[belief] == "current"


def test_every_candidate_is_disposed_of_once(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    dream = agent.made("dream", "report", report(agent, candidate(episode), candidate(episode)), *AT, prefix="dr")
    review = ("--review", "Looked at", *AT)
    assert "candidate 2" in agent.run("dream", "wake", dream, "--as", "1=discard", *review, code=Exit.USAGE).err
    agent.cc("dream", "wake", dream, "--as", "3=discard", "--rest", "test", *review, code=Exit.USAGE)
    agent.cc("dream", "wake", dream, "--rest", "test", "--review", " ", *AT, code=Exit.USAGE)
    agent.cc("dream", "wake", dream, "--rest", "test", *review)
    again = agent.run("dream", "wake", dream, "--as", "1=proposal", *review, code=Exit.USAGE)
    assert "reviewed before" in again.err


def test_an_expired_report_is_not_woken(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    dream = agent.made("dream", "report", report(agent, candidate(episode)), *AT, prefix="dr")
    assert agent.data("dream", "list", *AFTER)[0]["state"] == "expired"
    agent.cc("dream", "wake", dream, "--rest", "proposal", "--review", "Late", *AFTER, code=Exit.REFUSED)


def texts(clone: Clone) -> str:
    """Everything that lies in the workspace, and every object of the journal."""
    files = (path for path in (clone.top / ".continuity").rglob("*") if path.is_file())
    journal = ("git", "-C", str(clone.top / ".git" / "continuity" / "journal.git"), "cat-file", "--batch")
    objects = subprocess.run([*journal, "--batch-all-objects"], capture_output=True, check=True).stdout
    return "".join(path.read_text() for path in files) + objects.decode("utf-8", "replace")


def test_expired_reports_go_with_their_reviews_and_leave_a_receipt(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    first = agent.made("dream", "report", report(agent, candidate(episode)), *AT, prefix="dr")
    agent.commit()
    later = "2027-01-20T00:00:00Z"
    lasting = report(agent, candidate(episode, leap="A far leap", expires_at=later), expires_at=later)
    second = agent.made("dream", "report", lasting, *AT, prefix="dr")
    agent.cc("dream", "wake", first, "--rest", "test", "--review", "Seen awake", *AT)
    assert agent.data("dream", "sweep", *AT)["gone"] == [], "nothing is expired"
    needs = agent.data("audit", *AFTER, code=Exit.FOUND)["needs"]
    assert [(need["id"], need["helps"]) for need in needs if need["sort"] == "dream"] == [(first, "cc-git dream sweep")]
    would = agent.data("dream", "sweep", "--dry-run", *AFTER)["gone"]
    assert "Seen awake" in texts(agent)
    swept = agent.run("dream", "sweep", "--json", *AFTER)
    assert swept.data["gone"] == would and first in would and len(would) == 2
    said = texts(agent)
    assert "no measurement says so" not in said and "Seen awake" not in said and "A far leap" in said
    assert [line["dream"]["id"] for line in agent.data("dream", "list", *AFTER)] == [second]
    assert json.loads(swept.out)["receipt"]["operation"] == "sweep"
    agent.commit()
    assert agent.data("status", *AFTER)["faults"] == []
    assert agent.data("audit", *AFTER, code=None)["counts"].get("lost") is None


def test_a_proposal_past_its_end_waits_for_nobody(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    dream = agent.made("dream", "report", report(agent, candidate(episode)), *AT, prefix="dr")
    woken = agent.data("dream", "wake", dream, "--as", "1=proposal", "--review", "Seen awake", *AT)
    belief = next(i for i in woken["made"] if i.startswith("blf_"))
    for at, waiting in ((AT, [belief]), (AFTER, [])):
        assert agent.data("status", *at)["proposed"] == waiting
        needs = agent.data("audit", *at, code=Exit.FOUND)["needs"]
        assert [need["id"] for need in needs if need["sort"] == "proposal"] == waiting


def test_whoever_dreams_next_takes_out_what_is_expired(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    first = agent.made("dream", "report", report(agent, candidate(episode)), *AT, prefix="dr")
    later = "2027-01-20T00:00:00Z"
    file = report(agent, candidate(episode, leap="A far leap", expires_at=later), expires_at=later)
    said = agent.run("dream", "report", file, *AFTER).err
    assert "Expired, and taken out: dr" in said and first[-6:] in said
    assert first not in {line["dream"]["id"] for line in agent.data("dream", "list", *AFTER)}
    assert "no measurement says so" not in texts(agent)


def test_only_a_person_takes_out_what_others_dreamt_or_reviewed(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    person = Clone(agent.top, "ana")
    dream = agent.made("dream", "report", report(agent, candidate(episode)), *AT, prefix="dr")
    person.cc("dream", "wake", dream, "--rest", "discard", "--review", "Seen awake", *AT)
    for one in (agent, person, agent.agent("another")):
        swept = one.data("dream", "sweep", *AFTER)
        assert (swept["gone"], swept["left"]) == ([], [dream]), one.more
    assert "A person at a terminal does" in agent.run("dream", "sweep", *AFTER).err
    assert "is gone" in person.person("dream", "sweep", *AFTER)
    assert agent.data("dream", "list", *AFTER) == []


def test_a_dream_is_as_sensitive_as_what_it_rests_on(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    secret = agent.made("capture", "Between us", "--sensitivity", "sensitive", *AT, prefix="ep")
    told = agent.data("dream", "report", report(agent, candidate(episode, secret)), *AT)
    assert told["private"] and all(rel.startswith("private/") for rel in told["files"].values())
    dream = next(i for i in told["made"] if i.startswith("dr_"))
    woken = agent.data("dream", "wake", dream, "--rest", "proposal", "--review", "Seen", *AT)
    assert woken["private"]
    belief = next(i for i in woken["made"] if i.startswith("blf_"))
    assert agent.data("show", belief)["value"]["sensitivity"] == "sensitive"


def test_forgetting_a_source_reaches_the_dream(scene: tuple[Clone, str, str]) -> None:
    agent, episode, _ = scene
    agent.cc("dream", "report", report(agent, candidate(episode)), *AT)
    person = Clone(agent.top, "ana")
    person.person("forget", episode, *AT, answers=("y", "y"))
    assert agent.data("dream", "list", *AT) == []


def test_the_published_schema_is_the_models(scene: tuple[Clone, str, str]) -> None:
    assert (PROJECT / PAGE).read_text() == page(), "run `python -m cc_git.codec.dream_schema`"
