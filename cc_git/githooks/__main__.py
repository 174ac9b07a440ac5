"""`python -m cc_git.githooks NAME …`, what the scripts in `hooks/` start. No fault of ours stops a commit or push, but
one met while a file of a workspace is looked at holds that file back (`store/commit_gate.py`)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cc_git.errors import CcGitError, Exit


def main(words: list[str]) -> int:
    """The exit code for the script: 3 stops the commit or push, everything else lets it through."""
    try:
        code, lines = _asked(words[:1], words[1:])
    except (CcGitError, OSError) as fault:
        code, lines = Exit.OK, (f"nothing was checked: {fault}",)
    except Exception as fault:
        code, lines = Exit.OK, (f"nothing was checked, by a bug of ours: {type(fault).__name__}: {fault}",)
    if lines:
        from cc_git.model.sanitise import in_one_line

        sys.stderr.write("".join(f"cc-git: {in_one_line(line)}\n" for line in lines))
    return code


def _asked(name: list[str], words: list[str]) -> tuple[int, tuple[str, ...]]:
    """What a hook is for is loaded for that hook alone."""
    match name:
        case ["pre-commit"]:
            from cc_git.githooks.pre_commit import pre_commit

            return pre_commit(Path.cwd(), os.environ)
        case ["pre-push"]:
            from cc_git.githooks.pre_push import pre_push, told_by_pre_commit

            if not words and (told := told_by_pre_commit(Path.cwd(), os.environ)) is not None:
                return pre_push(Path.cwd(), os.environ, *told)
            return pre_push(Path.cwd(), os.environ, words, sys.stdin.buffer.read())
        case ["prepare-commit-msg"]:
            from cc_git.githooks.trailers import add_trailers

            add_trailers(Path.cwd(), os.environ, words)
            return Exit.OK, ()
        case ["post-commit" | "post-checkout" | "post-merge" | "post-rewrite"]:
            from cc_git.githooks.after import after

            return Exit.OK, after(Path.cwd(), os.environ)
    raise CcGitError(f"cc-git knows no hook named {' '.join(name)!r}")


def run() -> None:
    code = main(sys.argv[1:])
    sys.stderr.flush()
    # Taking the interpreter down in order takes a tenth of the hook's time and does nothing that is needed.
    os._exit(code)


if __name__ == "__main__":
    run()
