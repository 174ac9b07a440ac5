"""Our hook beside what is there: kept to the byte, run last, taken out again; nothing of a manager's is touched."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.errors import Refused
from cc_git.resources import shipped
from cc_git.store.git import Git
from cc_git.store.hook_install import HooksPlan, HookStatus, carry_out, hooks_status, plan_install, plan_uninstall
from cc_git.store.hook_script import (
    has_call,
    is_damaged,
    program_in,
    shell_of,
    with_call,
    with_program,
    without_call,
)
from cc_git.store.place import Place


@pytest.fixture
def place(repository: Path) -> Place:
    for sample in (repository / ".git" / "hooks").glob("*"):
        sample.unlink()
    return Place(repository, repository / ".git", repository / ".git", ".continuity")


def install(place: Place) -> HooksPlan:
    plan = plan_install(place, Git(place), sys.executable, ("pre-commit",))
    carry_out(plan)
    return plan


def uninstall(place: Place) -> HooksPlan:
    plan = plan_uninstall(place, Git(place))
    carry_out(plan)
    return plan


def status(place: Place) -> HookStatus:
    return next(found for found in hooks_status(place, Git(place)) if found.name == "pre-commit")


def hook_file(place: Place) -> Path:
    return place.common_dir / "hooks" / "pre-commit"


def put(path: Path, text: str | bytes, mode: int = 0o755) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)


def everything(place: Place) -> dict[str, tuple[bytes, int]]:
    assert place.top is not None
    return {
        str(path): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        for path in sorted(place.top.rglob("*"))
        if path.is_file() and "objects" not in path.parts and path.name != "index"
    }


def test_without_a_hook_one_is_made_and_removed_again(place: Place) -> None:
    before = everything(place)
    install(place)
    assert hook_file(place).stat().st_mode & stat.S_IXUSR
    found = status(place)
    assert (found.calling, found.program, found.current, found.advice) == (
        hook_file(place),
        sys.executable,
        True,
        None,
    )
    uninstall(place)
    assert everything(place) == before
    assert not (place.common_dir / "continuity" / "hooks").exists()


def test_installing_twice_changes_nothing_more(place: Place) -> None:
    install(place)
    before = everything(place)
    assert install(place).changes == ()
    assert everything(place) == before


def test_uninstalling_where_nothing_is_installed_changes_nothing(place: Place) -> None:
    put(hook_file(place), "#!/bin/sh\nexit 0\n")
    assert uninstall(place) == HooksPlan(())


def test_a_plan_changes_nothing(place: Place) -> None:
    before = everything(place)
    plan = plan_install(place, Git(place), sys.executable, ("pre-commit",))
    assert [change.path for change in plan.changes] == [
        place.common_dir / "continuity" / "hooks" / "pre-commit",
        hook_file(place),
    ]
    assert everything(place) == before


def test_a_file_that_changed_since_the_plan_is_left_alone(place: Place) -> None:
    plan = plan_install(place, Git(place), sys.executable)
    put(hook_file(place), "#!/bin/sh\necho meanwhile\n")
    before = everything(place)
    with pytest.raises(Refused, match="changed meanwhile"):
        carry_out(plan)
    assert everything(place) == before


KEPT = {
    "plain": "#!/bin/sh\necho theirs\n",
    "with an exit": "#!/bin/sh\necho theirs\nexit 0\n",
    "with an exec": "#!/bin/sh\nexec echo theirs\n",
    "strict": "#!/bin/sh -eu\necho theirs\n",
    "bash": "#!/usr/bin/env bash\nset -euo pipefail\nfiles=(a b)\n[[ ${#files[@]} -eq 2 ]] && echo theirs\n",
    "no line end": "#!/bin/sh\necho theirs",
    "no first line": "echo theirs\n",
    "a document in it": "#!/bin/sh\ncat <<X >/dev/null\n( '\nX\necho theirs\n",
    "cases and functions": "#!/bin/sh\nf() { return 0; }\ncase a in a) f && echo theirs;; esac\n",
    "a trap": "#!/bin/sh\ntrap 'echo theirs' EXIT\n",
    "comment last": "#!/bin/sh\necho theirs # done",
}


def run_hook(place: Place) -> tuple[int, str]:
    """As Git runs it: what a hook writes goes to the standard error."""
    command = ["git", "hook", "run", "pre-commit"]
    done = subprocess.run(command, cwd=place.top, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def stand_in(place: Place, body: str) -> None:
    """What is called instead of our own script."""
    put(place.common_dir / "continuity" / "hooks" / "pre-commit", f"{body}\n")


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_a_hook_that_is_there_runs_first_and_comes_back_to_the_byte(place: Place, text: str) -> None:
    put(hook_file(place), text, 0o750)
    before = everything(place)
    install(place)
    stand_in(place, "echo ours")
    assert run_hook(place) == (0, "theirs\nours\n")
    assert stat.S_IMODE(hook_file(place).stat().st_mode) == 0o750
    uninstall(place)
    assert everything(place) == before


@pytest.mark.parametrize("first", ["#!/bin/sh", "#!/bin/sh -e", "#!/bin/bash -eu"])
@pytest.mark.parametrize("refusal", ["exit 7", "sh -c 'exit 7' || exit", "exec sh -c 'exit 7'"])
def test_a_refusal_of_the_hook_that_is_there_ends_it_with_its_own_code(place: Place, first: str, refusal: str) -> None:
    put(hook_file(place), f"{first}\necho theirs\n{refusal}\n")
    install(place)
    stand_in(place, "echo ours")
    assert run_hook(place) == (7, "theirs\n")


@pytest.mark.parametrize("first", ["#!/bin/sh", "#!/bin/sh -eu", "#!/bin/bash -eu"])
def test_our_script_runs_whatever_the_options_of_the_hook_around_it(
    place: Place, first: str, git: Callable[..., str]
) -> None:
    put(hook_file(place), f"{first}\ntrue\n")
    install(place)
    assert run_hook(place) == (0, "")
    assert place.top is not None
    (place.top / ".continuity").mkdir()
    (place.top / ".continuity" / "workspace.toml").write_text("broken =\n")
    git(place.top, "add", "-A")
    assert run_hook(place)[0] == 1


def test_edits_around_our_parts_survive_the_uninstall(place: Place) -> None:
    put(hook_file(place), "#!/bin/sh\necho theirs\n")
    install(place)
    put(hook_file(place), hook_file(place).read_text().replace("echo theirs\n", "echo theirs\necho more\n") + "# end\n")
    uninstall(place)
    assert hook_file(place).read_text() == "#!/bin/sh\necho theirs\necho more\n# end\n"


def test_a_hook_of_ours_that_was_added_to_keeps_the_addition(place: Place) -> None:
    install(place)
    put(hook_file(place), hook_file(place).read_text() + "echo theirs\n")
    uninstall(place)
    assert hook_file(place).read_text() == "#!/bin/sh\necho theirs\n"


def test_an_installed_script_of_another_version_or_program_is_renewed(place: Place) -> None:
    install(place)
    carry_out(plan_install(place, Git(place), "/elsewhere/python"))
    assert status(place).program == "/elsewhere/python"
    assert not status(place).current
    stand_in(place, "echo an old version")
    assert not status(place).current
    install(place)
    assert status(place).current


def _managed_by_pre_commit(place: Place) -> str:
    put(hook_file(place), "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\nexec true\n")
    return "pre-commit manages"


def _managed_by_lefthook(place: Place) -> str:
    assert place.top is not None
    put(place.top / "lefthook.yml", "pre-commit:\n", 0o644)
    return "lefthook manages"


def _managed_by_husky(place: Place) -> str:
    assert place.top is not None
    put(place.top / ".husky" / "_" / "pre-commit", '#!/usr/bin/env sh\n. "${0%/*}/h"\n')
    _configure(place, "core.hooksPath", ".husky/_")
    return "husky manages"


def _shared_by_the_repository(place: Place) -> str:
    assert place.top is not None
    put(place.top / "tools" / "hooks" / "pre-commit", "#!/bin/sh\necho theirs\n")
    _configure(place, "core.hooksPath", "tools/hooks")
    return "core.hooksPath leads to"


def _shared_by_all_repositories(place: Place) -> str:
    assert place.top is not None
    folder = place.top.parent / "hooks of everybody"
    put(folder / "pre-commit", "#!/bin/sh\necho theirs\n")
    _configure(place, "core.hooksPath", str(folder), "--global")
    return "core.hooksPath leads to"


def _a_link(place: Place) -> str:
    assert place.top is not None
    put(place.top / "tools" / "pre-commit", "#!/bin/sh\necho theirs\n")
    hook_file(place).symlink_to("../../tools/pre-commit")
    return "is a link"


def _a_linked_folder(place: Place) -> str:
    assert place.top is not None
    (place.top / "tools").mkdir()
    hook_file(place).parent.rmdir()
    hook_file(place).parent.symlink_to("../tools")
    return "is a link"


def _switched_off(place: Place) -> str:
    put(hook_file(place), "#!/bin/sh\necho theirs\n", 0o644)
    return "switched off"


def _python(place: Place) -> str:
    put(hook_file(place), "#!/usr/bin/env python3\nprint('theirs')\n")
    return "no shell script"


def _binary(place: Place) -> str:
    put(hook_file(place), b"\x7fELF\0\0\n")
    return "no shell script"


def _unfinished(place: Place) -> str:
    put(hook_file(place), "#!/bin/sh\nif true; then\n")
    return "no shell script"


def _swallows_what_follows(place: Place) -> str:
    put(hook_file(place), "#!/bin/sh\ncat <<X\ntheirs\n")
    return "no shell script"


def _line_ends_of_windows(place: Place) -> str:
    put(hook_file(place), "#!/bin/sh\r\necho theirs\r\n")
    return "no shell script"


def _damaged_marks(place: Place) -> str:
    put(hook_file(place), "#!/bin/sh\n# <<< cc-git <<<\n")
    return "changed marks"


def _configure(place: Place, *words: str) -> None:
    subprocess.run(["git", "config", *words[2:], *words[:2]], cwd=place.top, check=True)


@pytest.mark.parametrize(
    "arrange",
    [
        _managed_by_pre_commit,
        _managed_by_lefthook,
        _managed_by_husky,
        _shared_by_the_repository,
        _shared_by_all_repositories,
        _a_link,
        _a_linked_folder,
        _switched_off,
        _python,
        _binary,
        _unfinished,
        _swallows_what_follows,
        _line_ends_of_windows,
        _damaged_marks,
    ],
)
def test_what_is_not_ours_to_change_is_left_alone_and_what_to_add_is_told(
    place: Place, arrange: Callable[[Place], str]
) -> None:
    why = arrange(place)
    before = everything(place)
    plan = install(place)
    script = place.common_dir / "continuity" / "hooks" / "pre-commit"
    assert [change.path for change in plan.changes] == [script]
    (advice,) = plan.advice
    assert why in advice.why
    assert any("continuity/hooks/pre-commit" in line for line in advice.lines)
    script.unlink()
    assert everything(place) == before


@pytest.mark.parametrize("installed", [True, False])
def test_the_line_to_add_by_hand_calls_our_script_and_passes_without_it(
    place: Place, installed: bool, git: Callable[..., str]
) -> None:
    folder = place.common_dir.parent / "tools"
    _configure(place, "core.hooksPath", "tools")
    (advice,) = plan_install(place, Git(place), sys.executable, ("pre-commit",)).advice
    put(folder / "pre-commit", "#!/bin/sh\nset -eu\n" + "\n".join(advice.lines) + "\necho after >&2\n")
    if installed:
        install(place)
        stand_in(place, "#!/bin/sh\necho ours; exit 1")
        assert run_hook(place) == (1, "ours\n")
        assert status(place).calling == folder / "pre-commit"
    else:
        assert run_hook(place) == (0, "after\n")


def test_a_call_from_before_hooks_were_shared_is_taken_out_too(place: Place) -> None:
    install(place)
    _configure(place, "core.hooksPath", "tools")
    uninstall(place)
    assert not hook_file(place).exists()


def test_worktrees_share_the_hook(place: Place, git: Callable[..., str], tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(place.top, "worktree", "add", "-q", str(linked))
    there = Place(linked, place.git_dir / "worktrees" / "linked", place.common_dir, ".continuity")
    install(there)
    assert status(place).current
    assert install(place).changes == ()
    stand_in(place, "echo ours")
    assert run_hook(there) == (0, "ours\n")


@given(st.binary().filter(lambda text: b"cc-git" not in text))
def test_any_text_comes_back_to_the_byte(text: bytes) -> None:
    called = with_call(text, "pre-commit")
    assert has_call(called)
    assert not is_damaged(called)
    assert without_call(called) == text


@given(st.text(min_size=1).filter(lambda name: "\0" not in name and "\n" not in name and name.isprintable()))
def test_any_program_is_read_back_as_recorded(program: str) -> None:
    script = (shipped("hooks") / "pre-commit").read_bytes()
    assert program_in(script) is None
    assert program_in(with_program(script, program)) == program


@pytest.mark.parametrize(
    ("first", "shell"),
    [
        ("#!/bin/sh", ("/bin/sh",)),
        ("#! /bin/bash -e", ("/bin/bash",)),
        ("#!/usr/bin/env zsh", ("zsh",)),
        ("#!/usr/bin/env -S bash -eu", ("bash",)),
        ("#!/bin/busybox sh", ("/bin/busybox", "sh")),
        ("echo no first line", ("sh",)),
        ("#!/usr/bin/python3", None),
        ("#!/usr/bin/env node", None),
        ("#!", None),
    ],
)
def test_the_shell_of_a_script_is_told_by_its_first_line(first: str, shell: tuple[str, ...] | None) -> None:
    assert shell_of(f"{first}\n".encode()) == shell
