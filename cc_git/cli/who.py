"""Who is acting, from the environment, the terminal and what Git knows. Pure.

An agent is recognised by what its host sets; from then on no flag makes it a person. The other direction is always
open: anybody may say that he is an agent. The names come from the hosts' documentation and from what other tools look
for (vercel/detect-agent, unjs/std-env, aws-cdk-cli). Named limit: who can unset a variable can pass for a person; only
a protected branch or a signature binds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Protocol

from cc_git.errors import Refused, UsageFault
from cc_git.model.who import Who

_AGENT_OF_VARIABLE = {
    "CLAUDECODE": "claude-code",
    "CLAUDE_CODE": "claude-code",
    "CLAUDE_CODE_ENTRYPOINT": "claude-code",
    "CLAUDE_AGENT_SDK_VERSION": "claude-code",
    "GEMINI_CLI": "gemini-cli",
    "OPENCODE": "opencode",
    "OPENCODE_CALLER": "opencode",
    "OPENCODE_CLIENT": "opencode",
    "AUGMENT_AGENT": "augment",
    "COPILOT_CLI": "copilot",
    "CLINE_ACTIVE": "cline",
    "CURSOR_AGENT": "cursor",
    # also set in the terminals of the editor that a person types in; better to ask a person to unset it than to take
    # the agent's word for a person's
    "CURSOR_TRACE_ID": "cursor",
}
_AGENT_OF_PREFIX = {"CODEX_": "codex", "AIDER_": "aider"}
_CONFIGURATION = frozenset({"CODEX_HOME", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "AIDER_API_KEY"})
"""What a person sets in a profile for later; it does not say that an agent runs now."""
_SELF_NAMED = ("AI_AGENT", "AGENT")
"""Variables whose value is the agent's name."""
ACTOR_VARIABLE = "CC_GIT_ACTOR"

_OFF = frozenset({"", "0", "false", "no", "off"})
_ON = frozenset({"1", "true", "yes", "on"})
_ACTOR = re.compile(r"(?:human|agent):[^\s/:]+(?:/[^\s/:]+)*")
_LIMIT = 120


class Identity(Protocol):
    """Name and mail as Git has them; either may be empty."""

    @property
    def name(self) -> str: ...

    @property
    def email(self) -> str: ...


def who_acts(
    environ: Mapping[str, str], *, at_terminal: bool, asked: str | None, identity: Callable[[], Identity | None]
) -> Who:
    """`asked` is `--actor`. Refuses a person's name under an agent; a malformed name is a usage fault."""
    agent, sign = _agent_around(environ)
    if asked is not None:
        named = _checked(asked, "--actor")
        if agent and named.startswith("human:"):
            raise Refused(
                f"an agent cannot act as {named}",
                why=f"{sign} is set, so an agent runs this command",
                hints=("leave out --actor, and let a person confirm with `cc-git review` at a terminal",),
            )
        actor = named
    else:
        actor = agent or _from_variable(environ) or _person(identity())
    is_agent = actor.startswith("agent:")
    return Who(actor, is_agent, at_terminal, sign=(sign or "--actor") if is_agent else "")


def _from_variable(environ: Mapping[str, str]) -> str:
    named = environ.get(ACTOR_VARIABLE, "")
    return _checked(named, ACTOR_VARIABLE) if named else ""


def _agent_around(environ: Mapping[str, str]) -> tuple[str, str]:
    """The agent that the environment names and the variable that told, or two empty strings."""
    # a person's name there stays without effect under an agent: a profile sets it for all that starts from it
    if (named := _from_variable(environ)).startswith("agent:"):
        return named, ACTOR_VARIABLE
    for variable, name in _AGENT_OF_VARIABLE.items():
        if _is_on(environ.get(variable)):
            return f"agent:{name}", variable
    for variable in sorted(environ):
        for prefix, name in _AGENT_OF_PREFIX.items():
            if variable.startswith(prefix) and variable not in _CONFIGURATION and _is_on(environ[variable]):
                return f"agent:{name}", variable
    for variable in _SELF_NAMED:
        if _is_on(value := environ.get(variable, "")):
            name = "" if value.strip().lower() in _ON else slug_of(value)
            return f"agent:{name or 'unnamed'}", variable
    return "", ""


def _is_on(value: str | None) -> bool:
    return value is not None and value.strip().lower() not in _OFF


def slug_of(text: str) -> str:
    """Letters and digits of any script, lower case, joined by dashes."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold())
    return "-".join(words)[: _LIMIT - len("human:")].rstrip("-")


def _person(identity: Identity | None) -> str:
    known = identity and (slug_of(identity.name) or slug_of(identity.email.partition("@")[0]))
    return f"human:{known or 'unnamed'}"


def _checked(actor: str, origin: str) -> str:
    if not _ACTOR.fullmatch(actor) or not actor.isprintable() or len(actor) > _LIMIT:
        raise UsageFault(
            f"{origin}: {actor[:_LIMIT]!r} does not name an actor",
            hints=("write human:NAME or agent:NAME, for example agent:claude-code/opus",),
        )
    return actor
