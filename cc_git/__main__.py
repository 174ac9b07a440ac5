"""`python -m cc_git`: the program, where the script is not on PATH."""

from cc_git.cli.main import run

run()
