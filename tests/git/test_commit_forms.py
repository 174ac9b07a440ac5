"""However people commit: each record is in exactly one commit or still waits, and nothing of the user's differs from
plain Git."""

from __future__ import annotations

from pathlib import Path

import pytest

from .commit_forms import FORMS, Form
from .twins import Side, make_twins


@pytest.mark.parametrize("commands_between", [False, True], ids=["git alone", "ours between"])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.run.__name__)
def test_records_are_in_one_commit_or_wait_and_nothing_of_the_users_differs(
    form: Form, commands_between: bool, tmp_path: Path
) -> None:
    twins = make_twins(tmp_path)
    if commands_between:
        twins.ours.between = twins.memory.look
    for side in (twins.ours, twins.plain):
        form.run(side)

    assert twins.ours.seen() == twins.plain.seen(), twins.ours.said
    left = _staged(twins.ours)
    assert bool(left) == (form.stays and not commands_between), left
    present = twins.memory.look()
    assert twins.ours.seen() == twins.plain.seen(), "the command afterwards changed something of the user's"
    pending = twins.memory.state().pending
    assert not _staged(twins.ours)
    for rel, data in twins.waiting.items():
        path = f".continuity/{rel}"
        holding = twins.ours.ask("log", "--all", "--diff-filter=A", "--format=%H", "--", path).split()
        assert len(holding) == form.joins, twins.ours.said
        assert (rel in pending) != form.joins
        assert (rel in present.waiting) != form.joins
        assert (twins.ours.top / path).read_bytes() == data


def _staged(side: Side) -> list[str]:
    listed = side.ask("diff", "--cached", "--name-only").splitlines()
    return [path for path in listed if path.startswith(".continuity/")]
