"""Where everything that stops a command is shown, and turned into an exit code. Nothing is swallowed here.

Error: what happened
Caused by: why
Hint: a command or a remedy that helps
"""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import click

from cc_git import __version__
from cc_git.cli.context import Call
from cc_git.cli.show import Outcome, label, show
from cc_git.cli.streams import OutputLost, write, write_utf8
from cc_git.errors import Artifact, CcGitError, Exit
from cc_git.model.sanitise import in_one_line, visible

DEBUG_VARIABLE = "CC_GIT_DEBUG"


@dataclass(frozen=True, slots=True)
class _Failure:
    kind: str
    exit: Exit
    what: str
    why: str | None = None
    hints: tuple[str, ...] = ()
    trace: str = ""
    artifact: Artifact | None = None


def guarded(call: Call, arguments: tuple[str, ...], work: Callable[[], Outcome | None]) -> int:
    """Do the work and show its outcome, or what stopped it. Returns the exit code."""
    try:
        outcome = work()
        if outcome is None:
            return Exit.OK
        show(call, outcome)
        return outcome.exit
    except click.exceptions.Exit as stop:  # after --help and --version
        return stop.exit_code
    except CcGitError as error:
        failure = _Failure(error.kind, error.exit, error.what, error.why, error.hints, artifact=error.artifact)
    except click.ClickException as error:
        failure = _of_click(error)
    except (KeyboardInterrupt, click.Abort):
        failure = _Failure("interrupted", Exit.INTERRUPTED, "interrupted")
    except Exception as error:  # the one broad except of the program: whatever arrives here is our bug
        failure = _of_bug(call, error)
    _report(call, failure, as_json=call.as_json or _asks_for_json(arguments))
    return failure.exit


def _of_click(error: click.ClickException) -> _Failure:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "cc-git"
    return _Failure("usage", Exit.USAGE, error.format_message(), hints=(f"`{path} --help` shows how it is used",))


def _of_bug(call: Call, error: Exception) -> _Failure:
    # the words of the command without its arguments: a report should not carry what somebody wanted remembered
    command = " ".join(("cc-git", *call.words))
    debug = bool(call.environ.get(DEBUG_VARIABLE))
    trace = "".join(traceback.format_exception(error)) if debug else ""
    hint = (
        "report it with the lines above" if debug else f"run it again with {DEBUG_VARIABLE}=1 and report the traceback"
    )
    return _Failure(
        "bug",
        Exit.BUG,
        f"this is a bug in cc-git, not your mistake: {type(error).__name__}: {error}",
        why=f"cc-git {__version__}, `{command}`, Python {platform.python_version()} on {sys.platform}",
        hints=(hint,),
        trace=trace,
    )


def _asks_for_json(arguments: tuple[str, ...]) -> bool:
    """What was asked for when the parser stopped before it came to `--json`."""
    before = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in before


def _report(call: Call, failure: _Failure, *, as_json: bool) -> None:
    write(call.streams.stderr, visible(failure.trace, multiline=True))
    if as_json:
        from cc_git.cli.envelope import error_envelope  # people do not pay for it

        error = {"kind": failure.kind, "exit": int(failure.exit), "what": failure.what, "why": failure.why}
        made = failure.artifact
        if made is not None:
            error |= {"artifact": [{"file": f, "text": t} for f, t in made.files.items()], "lost": list(made.lost)}
        document = error_envelope(call.words, error | {"hints": list(failure.hints)})
        with suppress(OutputLost):
            if failure.kind != OutputLost.kind:
                write_utf8(call.streams.stdout, document)
                return
    if failure.artifact is not None:
        write(call.streams.stdout, _copy_ready(failure.artifact))
    lines = [_line(label(call, "Error:", "bad"), failure.what)]
    if failure.why:
        lines.append(_line(label(call, "Caused by:", "dim"), failure.why))
    lines += [_line(label(call, "Lost:", "warn"), one) for one in (failure.artifact.lost if failure.artifact else ())]
    lines += [_line(label(call, "Hint:", "dim"), hint) for hint in failure.hints]
    write(call.streams.stderr, "".join(lines))


def _copy_ready(artifact: Artifact) -> str:
    """Each file below a comment that names its place. Files of ours hold no character that a terminal must not see."""
    return "\n".join(f"# {in_one_line(file)}\n{visible(text, multiline=True)}" for file, text in artifact.files.items())


def _line(head: str, text: str) -> str:
    """Further lines are indented, so that none of them can pass for a line of ours."""
    return f"{head} {visible(text.strip(), multiline=True)}\n".replace("\n", "\n  ").rstrip(" ")
