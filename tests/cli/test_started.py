"""What `tests.started` starts is what a user starts: the same words, codes and traces, from the same place."""

from __future__ import annotations

import subprocess

import pytest

from cc_git.store.play import play_at_terminal
from tests.cli.people import Clone
from tests.started import WHOLE, program


def both(clone: Clone, *words: str | bytes, text: str = "") -> list[tuple[int, str, str]]:
    told = []
    for start in (program(), WHOLE):
        done = subprocess.run(
            [*start, *words], cwd=clone.top, env=clone.environ, input=text, capture_output=True, text=True
        )
        told.append((done.returncode, done.stdout, done.stderr))
    return told


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("status", "--json"),
        ("show", "dec_none"),
        ("nonsense",),
        ("compile", "--task", "naïve ✓"),
        (b"\xff",),
    ],
    ids=str,
)
def test_a_command_says_the_same_however_it_is_started(ana: Clone, words: tuple[str | bytes, ...]) -> None:
    forked, whole = both(ana, *words, *(("--now", "2026-11-30T12:00:00Z") if isinstance(words[0], str) else ()))
    assert forked == whole


def test_it_has_the_folder_the_environment_and_the_configuration_of_who_starts_it(ana: Clone) -> None:
    home = ana.top.parent / "another home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Bo\n\temail = bo@example.org\n")
    bo = Clone(ana.top / "src", "bo", {"HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / ".gitconfig")})
    bo.top.mkdir()
    made = bo.made("remember", "Tabs", "-k", "decision", prefix="dec")
    assert bo.data("show", made)["value"]["actor"] == "human:bo"


def test_at_a_terminal_it_is_at_one(ana: Clone) -> None:
    made = ana.made("remember", "Tabs", "-k", "decision", prefix="dec")
    around = {**ana.environ, "TERM": "dumb", "NO_COLOR": "1"}
    forked, whole = (
        play_at_terminal([*start, "forget", made], ana.top, around, ("n",)) for start in (program(), WHOLE)
    )
    assert "?" in forked.said and (forked.code, forked.said) == (whole.code, whole.said)


def test_each_is_a_process_of_its_own(ana: Clone) -> None:
    started = [subprocess.Popen([*program(), "remember", f"Rule {n}", "-k", "decision"], cwd=ana.top, env=ana.environ,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for n in range(4)]  # fmt: skip
    assert [one.wait() for one in started] == [0, 0, 0, 0]
    assert len(ana.data("list")) == 4
