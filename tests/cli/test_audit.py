"""Audit, why, blame and log: what is remembered, what became of it, and that nothing vanishes in silence."""

from __future__ import annotations

import shutil

from cc_git.errors import Exit
from tests.cli.people import Clone, World

LATER = ("--now", "2027-06-30T12:00:00Z")


def needs(clone: Clone, *words: str, code: int = 1) -> list[tuple[str, str]]:
    return [(need["sort"], need["id"]) for need in clone.data("audit", *words, code=code)["needs"]]


def remembered(clone: Clone, text: str = "Deploys go out on Tuesdays", *words: str) -> str:
    return clone.made("remember", text, "--kind", "decision", *words, prefix="dec")


def test_an_audit_of_a_workspace_in_order_is_content(accepted: Clone) -> None:
    remembered(accepted)
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    found = accepted.data("audit", code=0)
    assert found["needs"] == []
    assert found["remembered"]["kind"] == {"decision": 1}
    assert found["remembered"]["scope"] == {"project=harbour": 1}
    assert found["remembered"]["age"] == {"up to a week": 1}
    assert "Nothing needs a person." in accepted.cc("audit")


def test_what_waits_for_a_word_needs_a_person(accepted: Clone) -> None:
    grant = accepted.agent().made("remember", "Deploys are fine", "--allow", "deploy", prefix="prm")
    assert needs(accepted) == [("proposal", grant)]


def test_a_conflict_and_what_is_overdue_need_a_person(accepted: Clone) -> None:
    agent = accepted.agent()
    promise = agent.made("remember", "Send the report", "--kind", "commitment", "--due", "2026-12-01", prefix="cmt")
    one, other = (remembered(agent, f"Ship on day {day}", "--subject", "ship-day") for day in (1, 2))
    found = accepted.data("audit", *LATER, code=1)["needs"]
    assert {need["sort"] for need in found} == {"conflict", "overdue"}
    assert {need["id"] for need in found} <= {promise, one, other}


def test_a_permission_that_ends_soon_is_named_before_it_is_over(accepted: Clone) -> None:
    accepted.person("remember", "Deploys are fine", "--allow", "deploy", "--expires", "2027-07-10", answers=("y",))
    (grant,) = accepted.offered()
    assert needs(accepted, *LATER, "--within", "5", code=0) == []
    assert needs(accepted, *LATER) == [("expiring", grant)]


def test_what_rests_on_something_corrected_or_on_changed_code_needs_review(accepted: Clone) -> None:
    agent = accepted.agent()
    ground = remembered(agent, "The queue is Redis")
    derived = remembered(agent, "Keep Redis on one host", "--derived-from", ground)
    code = remembered(agent, "main returns zero", "--anchor", "code.c")
    agent.cc("correct", ground, "The queue is NATS")
    (accepted.top / "code.c").write_text("int main(void) { return 1; }\n")
    accepted.git("commit", "--quiet", "-am", "Fail")
    assert set(needs(accepted)) == {("needs-review", derived), ("stale", code)}


def test_what_no_packet_showed_and_nothing_rests_on_is_told_and_needs_nobody(accepted: Clone) -> None:
    used, episode = remembered(accepted.agent()), accepted.agent().made("capture", "It rained", prefix="ep")
    assert accepted.data("audit", code=0)["never_used"] is None, "without a packet nobody can say"
    accepted.cc("compile", "--task", "deploy")
    unused = remembered(accepted.agent(), "Nobody asks about this one")
    found = accepted.data("audit", code=0)
    assert (found["never_used"], found["uncited"]) == ([unused], [episode])
    assert used not in found["never_used"]


def test_a_record_that_a_commit_removed_is_missed_until_it_is_back(accepted: Clone) -> None:
    record = remembered(accepted)
    accepted.commit()
    accepted.git("push", "--quiet", "origin", "HEAD")
    first, file = accepted.git("rev-parse", "HEAD"), accepted.data("show", record)["file"]
    accepted.git("rm", "--quiet", f".continuity/{file}")
    accepted.git("commit", "--quiet", "-m", "Tidy up")
    (need,) = accepted.data("audit", code=1)["needs"]
    assert (need["sort"], need["id"]) == ("lost", record)
    assert f"came with {first[:12]}" in need["says"]
    assert "went with" in need["says"] and "by Ana" in need["says"]
    accepted.git(*need["helps"].removeprefix("git ").split(" "))
    accepted.git("commit", "--quiet", "-m", "Bring it back")
    assert needs(accepted, code=0) == []
    assert accepted.data("blame", record)[0]["came"]["commit"] == first, "it came when it first came"


def test_a_merge_that_keeps_one_side_drops_nothing_in_silence(accepted: Clone) -> None:
    accepted.git("switch", "--quiet", "-c", "side")
    record = remembered(accepted)
    accepted.commit()
    accepted.git("switch", "--quiet", "main")
    accepted.git("merge", "--quiet", "-s", "ours", "-m", "Keep ours", "side")
    assert ("lost", record) in needs(accepted)


def test_a_record_that_only_its_receipt_remembers_is_missed(accepted: Clone, world: World) -> None:
    record = remembered(accepted)
    accepted.commit()
    file = accepted.data("show", record)["file"]
    accepted.git("rm", "--quiet", f".continuity/{file}")
    accepted.git("commit", "--quiet", "--amend", "-m", "As if it never was")
    accepted.git("push", "--quiet", "origin", "HEAD")
    ben = world.clone("ben")
    assert ("lost", record) in needs(ben)


def test_a_record_on_another_branch_alone_is_not_lost(accepted: Clone) -> None:
    accepted.git("switch", "--quiet", "-c", "side")
    remembered(accepted.agent())
    accepted.commit()
    accepted.git("switch", "--quiet", "main")
    assert needs(accepted, code=0) == []
    accepted.git("branch", "--quiet", "-D", "side")
    assert [sort for sort, _ in needs(accepted)] == ["lost"] * 3, "episode, record and receipt are stranded"


def test_a_tombstone_explains_what_is_gone(accepted: Clone) -> None:
    record = remembered(accepted.agent())
    accepted.commit()
    shown = accepted.data("show", record)
    (accepted.top / ".continuity" / shown["file"]).write_text("")
    month = shown["file"].split("/")[2]
    tombs = accepted.top / ".continuity" / "tombstones" / month
    tombs.mkdir(parents=True)
    (tombs / f"{record}.toml").write_text(f'format = "cc-git/1"\nid = "{record}"\n')
    accepted.git("add", "-A")
    accepted.git("commit", "--quiet", "-m", "Forget it")
    assert [sort for sort, identifier in needs(accepted, code=0) if identifier == record] == []
    shutil.rmtree(tombs)
    accepted.git("commit", "--quiet", "-am", "Take the tombstone away")
    assert ("lost", record) in needs(accepted), "the tombstone counts on, and its loss is named"


def test_why_tells_the_chain_and_which_packets_used_it(accepted: Clone) -> None:
    agent = accepted.agent()
    ground = remembered(agent, "The queue is Redis")
    accepted.cc("compile", "--task", "queue", "--episodes", "0")
    newer = agent.made("correct", ground, "The queue is NATS", prefix="dec")
    derived = remembered(agent, "Ask the NATS people", "--derived-from", newer)
    accepted.cc("compile", "--task", "queue", "--episodes", "0")
    old, new = agent.data("why", ground), agent.data("why", newer)
    assert [(link["id"], link["what"]) for link in old["dependants"]] == [(newer, "stands in its place")]
    assert [use["form"] for use in old["packets"]][-1] == "full"
    assert {link["id"] for link in new["dependants"]} == {derived}
    assert {link["state"] for link in new["rests_on"]} == {"here", "superseded"}
    assert [use["reason"] for use in new["packets"]] == ["shown"]
    said = agent.cc("why", ground)
    assert "stands in its place" in said and "shown (full)" in said


def test_why_says_why_a_packet_left_it_out(accepted: Clone) -> None:
    record = remembered(accepted.agent(), "Keep this to the billing project", "--project", "billing")
    accepted.cc("compile", "--task", "keep")
    (use,) = accepted.data("why", record)["packets"]
    assert (use["form"], use["reason"]) == ("", "out-of-scope")
    assert "narrower or another scope" in accepted.cc("why", record)


def test_blame_names_hands_and_the_commit_that_first_held_it(accepted: Clone) -> None:
    record = remembered(accepted.agent(), "The queue is Redis")
    accepted.commit("Say what the queue is")
    commit = accepted.git("rev-parse", "HEAD")
    newer = accepted.made("correct", record, "The queue is NATS", prefix="dec")
    accepted.agent().cc("revoke", newer, "--reason", "neither")
    hands = accepted.data("blame", newer)
    assert hands[0]["what"] == "the record"
    by_what = {hand["what"]: hand for hand in hands}
    assert by_what["replaced"]["came"]["commit"] == commit
    assert by_what["replaced"]["actor"] == "agent:claude-code/opus"
    assert (by_what["the record"]["came"], by_what["the record"]["state"]) == (None, "waits")
    assert by_what["the record"]["beside"] == commit
    assert by_what["revoke"]["text"] == "neither"
    assert f"{commit[:12]} Ana 2026-11-30" in accepted.cc("blame", newer)


def test_blame_follows_a_squash(accepted: Clone) -> None:
    accepted.git("switch", "--quiet", "-c", "side")
    record = remembered(accepted)
    accepted.commit()
    accepted.git("switch", "--quiet", "main")
    accepted.git("merge", "--quiet", "--squash", "side")
    accepted.git("commit", "--quiet", "-m", "Squashed")
    assert accepted.data("blame", record)[0]["came"]["subject"] == "Squashed"


def test_the_log_says_what_things_mean_now(accepted: Clone) -> None:
    agent = accepted.agent()
    record = remembered(agent, "Deploys go out on Tuesdays", "--set", "rationale=few people travel")
    newer = agent.made("correct", record, "Deploys go out on Fridays", "--set", "rationale=none", prefix="dec")
    ruling = agent.made("expire", newer, prefix="ru")
    log = {line["id"]: line for line in agent.data("log")}
    assert log[newer]["what"] == "decision corrected"
    assert log[newer]["means"].startswith("now expired; in place of dec…")
    assert log[newer]["means"].endswith("other title, decision.rationale")
    assert log[ruling]["means"].endswith("is now expired")
    assert log[record]["means"] == "now superseded"
    assert log[record]["about"][0].startswith("ep_")


def test_what_was_emptied_and_waits_for_a_commit_is_told_as_that(accepted: Clone) -> None:
    episode = accepted.made("capture", "The crane is slow", prefix="ep")
    accepted.commit()
    accepted.person("forget", episode, answers=("y",))
    (need,) = accepted.data("audit", code=Exit.FOUND)["needs"]
    assert (need["sort"], need["id"], need["helps"]) == ("forgotten", episode, "cc-git commit")
    accepted.commit()
    assert accepted.data("audit")["needs"] == []


def test_a_record_where_an_episode_is_asked_for_is_named_as_what_it_is(ana: Clone) -> None:
    made = ana.made("remember", "Tabs", "-k", "decision", prefix="dec")
    said = ana.run("remember", "So spaces are out", "--source", made, code=2).err
    assert "names a decision, and what is asked for is an episode" in said and "cc-git why" in said
