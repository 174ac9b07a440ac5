"""What the public Cognitive Continuity package promises, one behaviour after the other, at our command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cc_git.errors import Exit
from tests.cli.people import Clone

GRANT = ("--allow", "deploy", "--target", "staging/*")


def shown(clone: Clone, *words: str) -> dict[str, Any]:
    """Title → item, of everything in a packet but the episodes."""
    items = [item for section in clone.packet(*words)["sections"] for item in section["items"]]
    return {item["title"]: item for item in items if item["kind"] != "episode"}


def test_freshness_the_correction_is_shown_and_not_the_official_looking_old_one(accepted: Clone) -> None:
    official = ("--authority", "document", "--from", "docs/release-policy.md")
    old = accepted.made("remember", "The release window is Monday", "-k", "decision", *official, prefix="dec")
    accepted.person("correct", old, "The release window is Thursday")
    for number in range(3):
        accepted.cc("remember", f"The release window of product {number} was discussed", "-k", "belief")
    packet = shown(accepted, "--task", "when is the release window?", "--budget", "600")
    assert "The release window is Thursday" in packet and "The release window is Monday" not in packet
    assert accepted.standing(old) == "superseded" and "is Monday" in accepted.cc("show", old)


def test_a_permission_revoked_after_use_is_not_permitted(accepted: Clone) -> None:
    accepted.person("remember", "Deploys to staging are fine", *GRANT, answers=("y",))
    (grant,) = accepted.offered("--task", "deploy to staging")
    accepted.agent().cc("capture", "Deployed to staging", "--type", "action")
    accepted.cc("revoke", grant)
    assert accepted.offered("--task", "deploy to staging") == set()
    label = shown(accepted, "--task", "deploy to staging")["Deploys to staging are fine"]["labels"][0]
    assert label.startswith("REVOKED") and "not permitted" in label


def test_a_date_alone_is_midnight_and_the_end_is_not_part_of_it(accepted: Clone) -> None:
    accepted.cc("remember", "Half the crew is away", "-k", "belief", "--valid-from", "2026-11-30",
                "--valid-to", "2026-12-02", "--now", "2026-11-29T08:00:00Z")  # fmt: skip
    seen = {when: "Half the crew is away" in shown(accepted, "--now", when) for when in (
        "2026-11-29T23:59:59Z", "2026-11-30T00:00:00Z", "2026-12-01T23:59:59Z", "2026-12-02")}  # fmt: skip
    assert list(seen.values()) == [False, True, True, False]


def test_a_dreams_proposal_cannot_apply_itself(accepted: Clone) -> None:
    agent = accepted.agent()
    source = agent.made("capture", "The queue was full on Monday", prefix="ep")
    ends = "2027-01-20T00:00:00Z"
    one = {"title": "The queue is too small", "text": "What if it always is?", "anchors": [source], "leap": "one day",
           "transformation": "widened", "counterevidence": "it was empty on Sunday", "consequence": "a larger queue",
           "next_test": "measure a week", "expires_at": ends, "kind": "belief"}  # fmt: skip
    report = {"format": "cc-git-dream-report/1", "target": "the queue", "modes": ["replay"], "sources": [source],
              "expires_at": ends, "candidates": [one]}  # fmt: skip
    at, file = ("--now", "2026-12-01T12:00:00Z"), agent.top / "report.json"
    file.write_text(json.dumps(report | {"canonical_write_permitted": True}))
    agent.cc("dream", "report", "report.json", *at, code=Exit.USAGE)
    file.write_text(json.dumps(report))
    dream = agent.made("dream", "report", "report.json", *at, prefix="dr")
    woken = agent.data("dream", "wake", dream, "--as", "1=proposal", "--review", "One Monday is no proof", *at)
    assert [v["standing"] for v in woken["standings"].values()] == ["proposed"]
    assert "The queue is too small" not in shown(agent, "--task", "queue", *at)


def test_forgetting_reaches_what_was_derived_from_it(accepted: Clone) -> None:
    secret = "The spare key lies under the third stone of the old pier"
    episode = accepted.made("capture", secret, prefix="ep")
    accepted.cc("remember", f"We know: {secret}", "-k", "belief", "--source", episode)
    accepted.cc("export", "../given.json")
    accepted.cc("compile", "--task", "spare key")
    plan = accepted.data("forget", episode, "--dry-run")["plan"]
    accepted.person("forget", episode, "--confirm", plan["digest"])
    assert accepted.data("list", "--all", "--standing", "current") == []
    assert "third stone" not in accepted.cc("compile", "--task", "spare key") + accepted.cc("log")
    held = [p for p in accepted.top.rglob("*") if p.is_file() and b"third stone" in p.read_bytes()]
    assert held == []


def test_an_export_is_bound_by_its_digest_and_arrives_in_quarantine(accepted: Clone) -> None:
    accepted.cc("remember", "Deploys go out on Tuesdays", "-k", "decision")
    accepted.cc("export", "../given.json")
    given = accepted.top.parent / "given.json"
    other = accepted.top.parent / "other"
    other.mkdir()
    port = Clone(other, "pia")
    port.git("init", "--quiet")
    port.cc("init", "--name", "harbour")
    whole = given.read_text()
    given.write_text(whole.replace("Tuesdays", "Fridays"))
    assert "digest" in port.run("import", "bundle", str(given), code=None).err
    given.write_text(whole)
    assert port.data("import", "bundle", str(given))["counts"] == {"quarantined": 2}
    assert port.data("list", "--all") == [] and port.agent().run("import", "accept", "im_", code=None).code


def test_what_crosses_scopes_has_no_effect_and_is_told(accepted: Clone) -> None:
    made = accepted.data("remember", "The crane lifts nine tons", "-k", "decision")
    record, episode = (next(i for i in made["made"] if i.startswith(p)) for p in ("dec_", "ep_"))
    file = accepted.top / ".continuity" / made["files"][record]
    other = record[:-4] + "0000"
    text = file.read_text().replace(record, other).replace('"harbour"', '"lighthouse"').replace("nine", "ninety")
    file.with_name(f"{other}.toml").write_text(text.replace("sources = [", f'supersedes = ["{record}"]\nsources = ['))
    assert accepted.standing(record) == "current"
    assert set(shown(accepted)) == {"The crane lifts nine tons"}
    (told,) = [n for n in accepted.data("audit", code=1)["needs"] if n["sort"] == "scope-crossing"]
    assert told["id"] == other and episode[-6:] in told["says"] and record[-6:] in told["says"]


@pytest.mark.parametrize("form", ["json", "markdown", "xml"])
def test_a_packet_says_that_meaning_was_not_compared(accepted: Clone, form: str) -> None:
    accepted.cc("remember", "Deploys go out on Tuesdays", "-k", "decision")
    said = accepted.cc("compile", "--task", "release day", "--format", form)
    assert "no semantic model: likeness of meaning was not exercised" in said


def test_a_global_workspace_holds_layers_of_scope_and_the_narrower_wins(accepted: Clone) -> None:
    file = accepted.top / ".continuity" / "workspace.toml"
    file.write_text(file.read_text().replace('project = "harbour"', 'project = "*"'))
    style = ("-k", "decision", "--subject", "style")
    accepted.cc("remember", "Write short sentences", *style)
    accepted.cc("remember", "Write long sentences", *style, "--project", "novel")
    accepted.cc("remember", "Chapter one is a letter", "-k", "decision", "--project", "novel", "--thread", "one")
    everywhere, novel = shown(accepted), shown(accepted, "--project", "novel")
    thread = shown(accepted, "--project", "novel", "--thread", "one")
    assert set(everywhere) == {"Write short sentences"} and set(shown(accepted, "--project", "poem")) == set(everywhere)
    assert set(novel) == {"Write long sentences"}
    assert set(thread) == {"Write long sentences", "Chapter one is a letter"}
