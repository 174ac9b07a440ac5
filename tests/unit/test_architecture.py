"""The architecture is a test: where things may be, and that each guard sees what it guards against."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.unit.house_rules import PURE, PURITY, RULES, Rule

PROJECT = Path(__file__).resolve().parent.parent.parent
SOURCES = {
    path.relative_to(PROJECT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted((PROJECT / "cc_git").rglob("*.py"))
}
BY_NAME = {rule.name: rule for rule in (*RULES, PURITY)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_house_keeps_its_rule(rule: Rule) -> None:
    assert [said for path, source in SOURCES.items() for said in rule.broken_by(path, source)] == []


def test_rules_and_values_do_not_look_at_the_machine() -> None:
    pure = {path: source for path, source in SOURCES.items() if path.startswith(PURE)}
    assert len(pure) > 20
    assert [said for path, source in pure.items() for said in PURITY.broken_by(path, source)] == []


BAD = [
    ("print", "print('x')"),
    ("print", "import click\nclick.echo('x')"),
    ("print", "def f():\n    from rich.text import Text  # quick"),
    ("streams", "import sys\nsys.stdout.write('x')"),
    ("streams", "from sys import stderr as err\nerr.write('x')"),
    ("clock", "import datetime as dt\ndt.datetime.now(dt.UTC)"),
    ("clock", "from datetime import datetime\nnow = datetime.utcnow"),
    ("clock", "from datetime import date\ndate.today()"),
    ("clock", "from time import time as t\nt()"),
    ("pause", "import time\ntime.sleep(1)"),
    ("processes and databases", "import subprocess"),
    ("processes and databases", "from pygit2.enums import FileMode"),
    ("processes and databases", "import sqlite3 as s"),
    ("processes and databases", "import os\nos.system('git status')"),
    ("environment", "import os\nos.environ['HOME']"),
    ("environment", "from os import getenv\ngetenv('HOME')"),
    ("environment", "from os import environ"),
    ("chance", "import secrets"),
    ("chance", "from random import choice"),
    ("chance", "import os\nos.urandom(10)"),
    ("paths", "WHERE = '.continuity'"),
    ("paths", "def f(top):\n    '''Doc.'''\n    return f'{top}/.continuity/records'"),
    ("paths", "A = 'records/decision/x.toml'"),
    ("paths", "A = 'workspace.toml'"),
    ("refs", "A = 'refs/heads/main'"),
    ("refs", "def f(b):\n    return f'refs/remotes/{b}'"),
    ("broad except", "try:\n    x = 1\nexcept Exception:\n    pass"),
    ("broad except", "try:\n    x = 1\nexcept:\n    pass"),
    ("broad except", "try:\n    x = 1\nexcept (ValueError, BaseException) as e:\n    raise KeyError from e"),
    ("broad except", "import contextlib\nwith contextlib.suppress(Exception):\n    x = 1"),
    ("later", "x = 1  # TODO: more"),
    ("later", "def f():\n    raise NotImplementedError"),
    ("later", "def f():\n    raise NotImplementedError('soon')"),
    ("docstrings", "x = 1"),
    ("docstrings", "def one():\n    'Bytes or None.'\ndef two():\n    return 2"),
    ("docstrings", "'''M.'''\ndef read_file():\n    '''Reads the file.'''"),
    ("docstrings", "'''M.'''\nclass RecordStore:\n    '''The record store.'''"),
    ("late imports", "def f():\n    import json\n    return json"),
    ("annotations", "def f(x: int) -> int:\n    return x"),
    ("command size", "@command()\ndef f(call):\n" + "    x = 1\n" * 25),
    ("module size", "x = 1\n" * 401),
    ("purity", "import os"),
    ("purity", "from pathlib import Path\nPath('x').read_text()"),
    ("purity", "data = open('x')"),
]

GOOD = [
    ("print", "def f(text):\n    return text"),
    ("clock", "from datetime import datetime, UTC\nx = datetime.fromtimestamp(0, UTC)"),
    ("clock", "import time\ntime.monotonic()"),
    ("environment", "def f(environ):\n    return environ['HOME']"),
    ("paths", "'''Where .continuity lies.'''\nA = 'run it where a .continuity/ folder is'"),
    ("paths", "class C:\n    x = 1\n    '''.continuity'''"),
    ("broad except", "try:\n    x = 1\nexcept BaseException:\n    x = 2\n    raise"),
    ("broad except", "try:\n    x = 1\nexcept OSError:\n    pass"),
    ("later", "TODO = 'the word in a value'"),
    ("docstrings", "'''M.'''\ndef read():\n    '''Bytes of the blob, or None where it was forgotten.'''"),
    ("docstrings", ""),
    ("docstrings", "import json\nclass Belief:\n    'A working conclusion.'"),
    (
        "late imports",
        "def f():\n    # 30 ms that help does without\n    import json\n    import ast",
    ),
    ("annotations", "'''A package.'''\nVERSION = '1'"),
    ("command size", "@command()\n@scope_options\ndef f(call):\n" + "    x = 1\n" * 24),
    ("command size", "def f(call):\n" + "    x = 1\n" * 50),
    ("module size", "x = 1\n" * 400),
    ("purity", "from pathlib import PurePosixPath"),
]


@pytest.mark.parametrize(("name", "source"), BAD)
def test_the_guard_sees_what_it_guards_against(name: str, source: str) -> None:
    said = BY_NAME[name].broken_by("cc_git/somewhere/else.py", source)
    assert said, "the guard is blind"
    assert all(
        BY_NAME[name].instead in sentence and sentence.startswith("cc_git/somewhere/else.py:") for sentence in said
    )


@pytest.mark.parametrize(("name", "source"), GOOD)
def test_the_guard_lets_pass_what_is_right(name: str, source: str) -> None:
    assert BY_NAME[name].broken_by("cc_git/somewhere/else.py", source) == []


def test_every_rule_is_proved() -> None:
    assert {name for name, _ in BAD} == set(BY_NAME)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.homes], ids=lambda rule: rule.name)
def test_what_is_wrong_elsewhere_is_right_at_home(rule: Rule) -> None:
    source = next(source for name, source in BAD if name == rule.name)
    for home in rule.homes:
        assert (PROJECT / home).exists(), "a home that is not there guards nothing"
        assert rule.broken_by(f"{home}inside.py" if home.endswith("/") else home, source) == []


def _lint(folder: Path, config: str) -> subprocess.CompletedProcess[str]:
    program = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", program, config, "--no-cache"], cwd=folder, capture_output=True, text=True
    )


def test_imports_point_down_only() -> None:
    done = _lint(PROJECT, "pyproject.toml")
    assert done.returncode == 0, f"move the import below, or the thing it needs:\n{done.stdout}{done.stderr}"


def test_the_guard_of_the_layers_sees_an_import_that_points_up(tmp_path: Path) -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [
        name.strip(" ()").removeprefix("cc_git.")
        for line in settings["contracts"][0]["layers"]
        for name in line.split("|")
    ]
    top, bottom = layers[0], layers[-1]
    package = tmp_path / "cc_git"
    for name in ("", *layers):
        (package / name).mkdir(parents=True, exist_ok=True)
        (package / name / "__init__.py").write_text("")
    (tmp_path / "pyproject.toml").write_text((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert _lint(tmp_path, "pyproject.toml").returncode == 0
    (package / bottom / "__init__.py").write_text(f"import cc_git.{top}\n")
    done = _lint(tmp_path, "pyproject.toml")
    assert done.returncode != 0
    assert f"cc_git.{bottom} is not allowed to import cc_git.{top}" in done.stdout
