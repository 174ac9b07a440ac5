"""Forgetting reaches runbooks: they lose what quotes, and stay the runbooks they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from cc_git.codec.files import decode
from cc_git.codec.paths import runbook_path
from cc_git.governance.quotes import Needle, Quotes
from cc_git.governance.redact_runbook import redacted_runbook
from cc_git.model.runbook import Runbook
from tests.cli.people import Clone
from tests.unit.test_runbook_file import BY_HAND

TEXT = "The north gate opens at six in the morning"


def add(clone: Clone) -> Path:
    clone.person(
        "runbook", "add", "Gate", "-k", "guardrail", "--do", f"Remember: {TEXT.lower()}!", "--do", "Look first"
    )
    path = clone.top / ".continuity" / runbook_path("gate")
    path.write_text(f"# ask Ben\n{path.read_text()}")
    clone.person("review", answers=("y",))
    return path


def states(clone: Clone) -> list[tuple[bool, bool]]:
    return [(one["attested"], one["held"]) for one in clone.data("runbook", "list")["runbooks"]]


@pytest.mark.parametrize("committed", [False, True])
def test_it_loses_the_items_that_quote_and_stays_attested(accepted: Clone, committed: bool) -> None:
    one = accepted.made("capture", TEXT, prefix="ep")
    path = add(accepted)
    accepted.packet("--task", "go")
    if committed:
        accepted.commit()
    assert accepted.data("forget", one, "--dry-run")["plan"]["redact"] == ["runbooks/gate.toml"]
    said = accepted.person("forget", one, answers=("y",))
    assert "finds none of it" in said
    text = path.read_text()
    assert "# ask Ben" in text and "north gate" not in text and '"Look first"' in text
    assert states(accepted) == [(True, False)]
    packet = accepted.cc("resume", "--task", "go")
    assert "Look first" in packet and "north gate" not in packet
    accepted.commit("Forget")
    assert accepted.git("status", "--porcelain") == ""
    assert "north gate" not in accepted.git("show", "HEAD:.continuity/runbooks/gate.toml")


def test_an_agent_takes_nothing_out_of_a_runbook(accepted: Clone) -> None:
    agent = accepted.agent()
    one = agent.made("capture", TEXT, prefix="ep")
    path = add(accepted)
    before = path.read_bytes()
    digest = agent.data("forget", one, "--dry-run")["plan"]["digest"]
    assert "runbooks/gate.toml" in agent.run("forget", one, "--confirm", digest, code=3).err
    assert path.read_bytes() == before


def test_where_an_earlier_text_holds_a_person_settles_that_first(accepted: Clone) -> None:
    one = accepted.made("capture", TEXT, prefix="ep")
    add(accepted)
    accepted.agent().cc("runbook", "edit", "gate", "--add", "do=go on")
    assert accepted.data("forget", one, "--dry-run")["plan"]["by_hand"] == ["runbooks/gate.toml"]


def test_a_runbook_is_not_forgotten_by_its_id(accepted: Clone) -> None:
    accepted.cc("runbook", "add", "Gate")
    said = accepted.run("forget", accepted.data("runbook", "show", "gate")["id"], code=2).err
    assert "is a runbook, a document that people edit" in said


def test_a_comment_that_quotes_goes_with_all_comments_and_a_title_is_replaced() -> None:
    quotes = Quotes([Needle("ask Ben before changing it at all", "quote")])
    noted = BY_HAND.replace("Ask Ben before changing it.", "Ask Ben before changing it at all.")
    after = redacted_runbook(runbook_path("x"), noted.encode(), quotes, ())
    assert after is not None and b"Ben" not in after and b"#" not in after
    book = decode(runbook_path("x"), after)
    assert isinstance(book, Runbook) and book.do == ("tag", "push")
    titled = redacted_runbook(runbook_path("x"), BY_HAND.encode(), Quotes([Needle("Release", "quote")]), ())
    assert titled is not None and b'title = "(forgotten)"' in titled
