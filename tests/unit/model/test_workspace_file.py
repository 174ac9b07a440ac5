from __future__ import annotations

from cc_git.codec.workspace_file import edited, first_text, read
from cc_git.model.fault import Fault
from cc_git.model.policy import NEEDS, Workspace
from cc_git.model.scope import Scope


def test_a_new_workspace_file_says_the_defaults_and_parses() -> None:
    data = first_text('the "core"', Scope(project="core"))
    workspace = read(data)
    assert isinstance(workspace, Workspace)
    assert (workspace.name, workspace.scope) == ('the "core"', Scope(project="core"))
    assert workspace.policy.needs == NEEDS
    assert workspace.policy.model_copy(update={"needs": {}}) == Workspace().policy


def test_an_edit_keeps_comments_and_everything_else_byte_for_byte() -> None:
    data = first_text("core", Scope()) + b"# my own remark\n"
    changed = edited(data, {"policy.packet_budget": 9000})
    assert changed == data.replace(b"packet_budget = 4000 ", b"packet_budget = 9000 ")


def test_conflict_markers_are_named_with_their_line() -> None:
    fault = read(b'format = "cc-git/1"\n<<<<<<< HEAD\nname = "a"\n=======\nname = "b"\n>>>>>>> other\n')
    assert isinstance(fault, Fault) and (fault.code, fault.line) == ("conflict-markers", 2)
