"""Who acts: an agent is known by its environment, and no flag makes a person of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc_git.cli.who import slug_of, who_acts
from cc_git.errors import Refused, UsageFault
from cc_git.model.value import one_line
from cc_git.model.who import Who
from cc_git.store.engine import Person

ANA = Person("Ana Test", "ana@example.org")


def acting(
    environ: dict[str, str] | None = None,
    *,
    at_terminal: bool = True,
    asked: str | None = None,
    git: Person | None = ANA,
) -> Who:
    return who_acts(environ or {}, at_terminal=at_terminal, asked=asked, identity=lambda: git)


def test_without_signs_the_actor_is_the_person_git_knows() -> None:
    who = acting()
    assert who == Who("human:ana-test", is_agent=False, at_terminal=True)
    assert who.is_person_at_terminal


def test_a_person_without_a_terminal_cannot_be_asked() -> None:
    assert not acting(at_terminal=False).is_person_at_terminal


@pytest.mark.parametrize(
    ("git", "actor"),
    [
        (Person("  José Ñandú, Jr. ", ""), "human:josé-ñandú-jr"),
        (Person("小林", ""), "human:小林"),
        (Person("", "ana.b@example.org"), "human:ana-b"),
        (Person("\x1b\u202e", ""), "human:unnamed"),
        (Person("", ""), "human:unnamed"),
        (None, "human:unnamed"),
    ],
)
def test_a_person_is_named_by_a_slug_of_name_or_mail(git: Person | None, actor: str) -> None:
    assert acting(git=git).actor == actor


@given(st.text(), st.text())
def test_any_identity_gives_an_actor_that_a_one_line_field_holds(name: str, mail: str) -> None:
    actor = acting(git=Person(name, mail)).actor
    assert one_line(actor) == actor


@pytest.mark.parametrize(
    ("variable", "value", "actor"),
    [
        ("CLAUDECODE", "1", "agent:claude-code"),
        ("CLAUDE_CODE_ENTRYPOINT", "cli", "agent:claude-code"),
        ("CODEX_SANDBOX", "seatbelt", "agent:codex"),
        ("CODEX_ANYTHING_NEW", "x", "agent:codex"),
        ("CURSOR_AGENT", "1", "agent:cursor"),
        ("CURSOR_TRACE_ID", "ab12", "agent:cursor"),
        ("GEMINI_CLI", "1", "agent:gemini-cli"),
        ("AIDER_MODEL", "some", "agent:aider"),
        ("AGENT", "goose", "agent:goose"),
        ("AI_AGENT", "Devin@1", "agent:devin-1"),
        ("AI_AGENT", "1", "agent:unnamed"),
        ("AI_AGENT", "\u202e", "agent:unnamed"),
        ("CC_GIT_ACTOR", "agent:own/large", "agent:own/large"),
    ],
)
def test_an_agents_environment_makes_an_agent_even_at_a_terminal(variable: str, value: str, actor: str) -> None:
    who = acting({variable: value})
    assert (who.actor, who.is_agent, who.sign) == (actor, True, variable)
    assert not who.is_person_at_terminal


@pytest.mark.parametrize(
    "environ",
    [
        {"CLAUDECODE": ""},
        {"CLAUDECODE": "0"},
        {"CODEX_HOME": "/home/ana/.codex"},
        {"AGENT": "no"},
        {"SSH_AGENT_PID": "7"},
    ],
)
def test_what_a_persons_profile_holds_is_no_sign(environ: dict[str, str]) -> None:
    assert not acting(environ).is_agent


@pytest.mark.parametrize("environ", [{"CLAUDECODE": "1"}, {"AI_AGENT": "x"}, {"CODEX_CI": "1"}])
def test_under_an_agent_a_persons_name_is_refused(environ: dict[str, str]) -> None:
    with pytest.raises(Refused) as caught:
        acting(environ, asked="human:ana")
    assert next(iter(environ)) in (caught.value.why or "")


def test_a_profiles_actor_does_not_make_a_person_of_an_agent() -> None:
    who = acting({"CLAUDECODE": "1", "CC_GIT_ACTOR": "human:ana"})
    assert (who.actor, who.is_agent) == ("agent:claude-code", True)


def test_an_agent_may_give_its_own_name() -> None:
    assert acting({"CLAUDECODE": "1"}, asked="agent:claude-code/opus").actor == "agent:claude-code/opus"
    assert acting({"CLAUDECODE": "1", "CC_GIT_ACTOR": "agent:mine"}).actor == "agent:mine"


def test_the_flag_wins_over_the_variable_but_not_over_what_the_variable_says_of_an_agent() -> None:
    assert acting({"CC_GIT_ACTOR": "human:bo"}, asked="human:ana").actor == "human:ana"
    with pytest.raises(Refused):
        acting({"CC_GIT_ACTOR": "agent:mine"}, asked="human:ana")


def test_anybody_may_say_that_an_agent_acts() -> None:
    who = acting(asked="agent:mine")
    assert (who.is_agent, who.sign, who.is_person_at_terminal) == (True, "--actor", False)


@pytest.mark.parametrize(
    "asked",
    ["ana", "human:", "robot:x", "human:a b", "human:a\x1b", "human:a\u200b", "agent:/x", "human:" + "a" * 120, ""],
)
def test_a_name_that_is_no_actor_is_a_usage_fault(asked: str) -> None:
    with pytest.raises(UsageFault):
        acting(asked=asked)


def test_git_is_not_asked_when_the_actor_is_known() -> None:
    def unexpected() -> Person:
        raise AssertionError("asked Git for nothing")

    assert who_acts({"CLAUDECODE": "1"}, at_terminal=False, asked=None, identity=unexpected).is_agent
    assert who_acts({}, at_terminal=False, asked="human:ana", identity=unexpected).actor == "human:ana"


@given(st.text())
def test_a_slug_of_a_slug_is_itself(text: str) -> None:
    assert slug_of(slug_of(text)) == slug_of(text)
