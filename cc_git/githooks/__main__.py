"""`python -m cc_git.githooks NAME`, what the scripts in `hooks/` start. No fault of ours stops anybody's commit,
but one met while a file of a workspace is looked at holds that file back (`store/commit_gate.py`)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cc_git.errors import CcGitError, Exit


def main(words: list[str]) -> int:
    """The exit code for the script: 3 stops the commit, everything else lets it through."""
    try:
        if words != ["pre-commit"]:
            raise CcGitError(f"cc-git knows no hook named {' '.join(words)!r}")
        from cc_git.githooks.pre_commit import pre_commit

        code, lines = pre_commit(Path.cwd(), os.environ)
    except (CcGitError, OSError) as fault:
        code, lines = Exit.OK, (f"nothing was checked: {fault}",)
    except Exception as fault:
        code, lines = Exit.OK, (f"nothing was checked, by a bug of ours: {type(fault).__name__}: {fault}",)
    if lines:
        from cc_git.model.sanitise import in_one_line

        sys.stderr.write("".join(f"cc-git: {in_one_line(line)}\n" for line in lines))
    return code


def run() -> None:
    code = main(sys.argv[1:])
    sys.stderr.flush()
    # Taking the interpreter down in order takes a tenth of the hook's time and does nothing that is needed.
    os._exit(code)


if __name__ == "__main__":
    run()
