"""The text of a hook file: our marked parts in it, put in and taken out again so that not a byte of it differs.

A hook that is there keeps its text. It runs first and in a subshell, so that an `exit` or `exec` of its own ends it and
not what comes after; a failure of it ends the whole hook as before. Our call comes last.
"""

from __future__ import annotations

import re
import shlex

_BEGIN = b"# >>> cc-git (cc-git hooks uninstall takes this out) >>>\n"
_BEGIN_CUT = b"# >>> cc-git (cc-git hooks uninstall takes this out; no line end before) >>>\n"
_END = b"# <<< cc-git <<<\n"
_PART = re.compile(rb"(\n?)^# >>> cc-git \([^\n]*\) >>>\n.*?^# <<< cc-git <<<\n", re.MULTILINE | re.DOTALL)
_CALL = b"""\
cc_git_hook=${0%%/*}/../continuity/hooks/%b
[ ! -r "$cc_git_hook" ] || %b. "$cc_git_hook"
"""
_KEEP = b"""\
cc_git_said=$(while read -r cc_git_line; do printf '%s\\n' "$cc_git_line"; done; echo .) cc_git_said=${cc_git_said%.}
"""
_SAY = b'printf %s "$cc_git_said" | '
"""What Git writes to these hooks, for theirs and for ours."""
_TOLD = frozenset({"pre-push", "post-rewrite"})
_CLOSE = b"""\
)
cc_git_code=$?
[ "$cc_git_code" -eq 0 ] || exit "$cc_git_code"
"""
_NEW = b"#!/bin/sh\n"
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"})


def with_program(script: bytes, program: str) -> bytes:
    """Our own script with the Python that runs it."""
    line = f"python={shlex.quote(program)}\n".encode("utf-8", "surrogateescape")
    return script.replace(b"\npython=\n", b"\n" + line, 1)


def program_in(script: bytes) -> str | None:
    """What `with_program` wrote, or None."""
    found = re.search(rb"^python=(.+)$", script, re.MULTILINE)
    if found is None:
        return None
    words = shlex.split(found[1].decode("utf-8", "surrogateescape"))
    return words[0] if words else None


def with_call(before: bytes | None, name: str) -> bytes:
    """The hook file with our call at its end; `before` is the file without it, None where there is none."""
    if before is None:
        return _NEW + _BEGIN + _CALL % (name.encode(), b"") + _END
    said = _SAY if name in _TOLD else b""
    head, body = _split_shebang(before)
    begin = _BEGIN if before.endswith(b"\n") else b"\n" + _BEGIN_CUT
    opening = _BEGIN + (_KEEP if said else b"") + said + b"(\n" + _END
    return head + opening + body + begin + _CLOSE + _CALL % (name.encode(), said) + _END


def without_call(text: bytes) -> bytes | None:
    """The hook file as it was before `with_call`, whatever was changed around our parts; None: there was none."""
    kept = b"(\n" + _END in text

    def gone(part: re.Match[bytes]) -> bytes:
        return b"" if part[0].lstrip(b"\n").startswith(_BEGIN_CUT) else part[1]

    left = _PART.sub(gone, text)
    return None if not kept and left == _NEW else left


def has_call(text: bytes) -> bool:
    return _PART.search(text) is not None


def is_damaged(text: bytes) -> bool:
    """Somebody changed our marks: what is ours can no longer be told."""
    return b">>> cc-git (" in _PART.sub(b"", text) or b"<<< cc-git <<<" in _PART.sub(b"", text)


def shell_of(text: bytes) -> tuple[str, ...] | None:
    """The command that runs a script, where that is a shell. Without a first line Git lets `sh` run it."""
    if not text.startswith(b"#!"):
        return ("sh",) if b"\0" not in text else None
    words = text.partition(b"\n")[0][2:].decode("utf-8", "replace").split()
    for at, word in enumerate(words):
        name = word.rpartition("/")[2]
        if name in _SHELLS:
            return (word,)
        if name == "busybox" and words[at + 1 : at + 2] == ["sh"]:
            return (word, "sh")
        if name != "env" and not word.startswith("-"):
            return None
    return None


def _split_shebang(text: bytes) -> tuple[bytes, bytes]:
    line, end, rest = text.partition(b"\n")
    return (line + end, rest) if text.startswith(b"#!") and end else (b"", text)
