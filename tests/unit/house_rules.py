"""The rules of the house as functions over the syntax tree; `test_architecture.py` runs and proves them.

A rule finds (line, what) in a module and knows the homes where that is allowed. Names are resolved through the
imports of the module first, so `from time import time as t` does not hide a reading of the clock.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Found = Iterator[tuple[int, str]]
LONGEST_MODULE = 400
LONGEST_COMMAND = 25


@dataclass(frozen=True)
class Rule:
    """`homes` are paths or folders (ending in `/`) below the checkout where the thing may be."""

    name: str
    finds: Callable[[ast.Module, str], Found]
    homes: tuple[str, ...]
    instead: str

    def broken_by(self, path: str, source: str) -> list[str]:
        """What to tell the author, one sentence for each place."""
        if any(path == home or (home.endswith("/") and path.startswith(home)) for home in self.homes):
            return []
        found = self.finds(ast.parse(source), source)
        return [f"{path}:{line}: {what}. Instead: {self.instead}." for line, what in found]


def _origins(tree: ast.Module) -> dict[str, str]:
    """Local name → dotted origin, for every import anywhere in the module."""
    origins = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.partition(".")[0]
                origins[local] = alias.name if alias.asname else local
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                origins[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return origins


def _dotted(node: ast.AST, origins: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return origins.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value, origins)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def uses(*names: str) -> Callable[[ast.Module, str], Found]:
    """The dotted names, read or called in any spelling, and imports of them."""

    def finds(tree: ast.Module, _source: str) -> Found:
        origins = _origins(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                found = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Name | ast.Attribute):
                found = [_dotted(node, origins)]
            else:
                continue
            yield from ((node.lineno, f"uses {name}") for name in found if name in names)

    return finds


def imports(*modules: str) -> Callable[[ast.Module, str], Found]:
    """Imports of the modules or of anything below them."""

    def finds(tree: ast.Module, _source: str) -> Found:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                named = [node.module or ""]
            else:
                continue
            for name in named:
                if any(name == module or name.startswith(f"{module}.") for module in modules):
                    yield node.lineno, f"imports {name}"

    return finds


def both(*finders: Callable[[ast.Module, str], Found]) -> Callable[[ast.Module, str], Found]:
    def finds(tree: ast.Module, source: str) -> Found:
        for finder in finders:
            yield from finder(tree, source)

    return finds


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every string that is not documentation (of modules, classes, functions, or of attributes)."""
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.lineno, node.value


# A path of a workspace has no white space; a sentence that mentions one has.
_PATH = re.compile(
    r"\S*\.continuity\S*|(?:records|episodes|rulings|triggers|runbooks|checkpoints|receipts|tombstones|endings|dreams"
    r"|attachments|quarantine|private)/\S*|workspace\.toml|working-context\.json"
)


_REF = re.compile(r"\S*refs/\S*")


def spells_paths(tree: ast.Module, _source: str) -> Found:
    yield from ((line, f"spells the path {text!r}") for line, text in _texts(tree) if _PATH.fullmatch(text))


def spells_refs(tree: ast.Module, _source: str) -> Found:
    yield from ((line, f"spells the ref {text!r}") for line, text in _texts(tree) if _REF.fullmatch(text))


def catches_everything(tree: ast.Module, _source: str) -> Found:
    """Broad handlers that go on. One that cleans up and raises again is none."""
    origins = _origins(tree)
    broad = {"Exception", "BaseException"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            last = node.body[-1]
            goes_on = not (isinstance(last, ast.Raise) and last.exc is None)
            if goes_on and any(kind is None or _dotted(kind, origins) in broad for kind in kinds):
                yield node.lineno, "catches everything"
        elif (
            isinstance(node, ast.Call)
            and _dotted(node.func, origins) == "contextlib.suppress"
            and any(_dotted(argument, origins) in broad for argument in node.args)
        ):
            yield node.lineno, "suppresses everything"


def leaves_work_for_later(tree: ast.Module, source: str) -> Found:
    for number, line in enumerate(source.splitlines(), 1):
        if re.search(r"#.*\b(?:TODO|FIXME|XXX|HACK)\b", line):
            yield number, "leaves work for later"
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            name = _dotted(node.exc.func if isinstance(node.exc, ast.Call) else node.exc, {})
            if name == "NotImplementedError":
                yield node.lineno, "is a stub"


def documents_nothing(tree: ast.Module, _source: str) -> Found:
    """Modules in which neither the head nor every public thing says what it is for; docstrings that repeat a name."""
    defined = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    public = [node for node in defined if not node.name.startswith("_")]
    speak = bool(public) and all(ast.get_docstring(node) for node in public)
    if tree.body and ast.get_docstring(tree) is None and not speak:
        yield 1, "has no docstring"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            said = set(re.findall(r"[a-z]+", (ast.get_docstring(node) or "").lower()))
            named = set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r" \1", node.name).lower()))
            if said and {word.rstrip("s") for word in said - _FILLERS} <= {word.rstrip("s") for word in named}:
                yield node.lineno, f"the docstring of {node.name} repeats its name"


_FILLERS = {"a", "an", "the", "of", "to", "for", "this", "return", "returns", "get", "gets", "is", "class", "function"}


def imports_late_in_silence(tree: ast.Module, source: str) -> Found:
    """Imports inside functions without a word on why, on the line or just above it or above its neighbours."""
    lines = source.splitlines()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        spoken = 0
        for node in function.body:
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            said = "#" in lines[node.lineno - 1] or lines[node.lineno - 2].lstrip().startswith("#")
            if said or node.lineno == spoken + 1:
                spoken = node.end_lineno or node.lineno
            else:
                yield node.lineno, "imports inside a function without saying why"


def lacks_annotations_import(tree: ast.Module, _source: str) -> Found:
    named = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    if not named and any(isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AnnAssign) for node in tree.body):
        yield 1, "lacks `from __future__ import annotations`"


def is_too_long(_tree: ast.Module, source: str) -> Found:
    if (length := len(source.splitlines())) > LONGEST_MODULE:
        yield length, f"has {length} lines, more than {LONGEST_MODULE}"


def has_long_commands(tree: ast.Module, _source: str) -> Found:
    """Commands that do more than parse, call one function and show one result."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(_is_command(decorator) for decorator in node.decorator_list):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST_COMMAND:
                yield node.lineno, f"the command {node.name} has {length} lines, more than {LONGEST_COMMAND}"


def _is_command(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and _dotted(decorator.func, {}).rpartition(".")[2] == "command"


_CLOCK = (
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today", "time.time",
    "time.time_ns", "time.localtime", "time.gmtime", "time.ctime", "time.strftime",
)  # fmt: skip
_PAUSE = ("time.sleep", "time.monotonic", "time.monotonic_ns", "time.perf_counter", "time.perf_counter_ns")
_STARTS = ("os.system", "os.popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.execv", "os.execve", "os.execvp")
RULES = (
    Rule(
        "print",
        both(uses("print", "click.echo", "click.secho"), imports("click", "rich")),
        ("cc_git/cli/",),
        "return a value and let cli/show.py show it; only cli/ may use click, rich and print",
    ),
    Rule(
        "streams",
        uses("sys.stdout", "sys.stderr", "sys.stdin", "sys.__stdout__", "sys.__stderr__"),
        ("cc_git/cli/streams.py", "cc_git/githooks/"),
        "pass text to cli/streams.py, or return a value",
    ),
    Rule(
        "clock",
        uses(*_CLOCK),
        ("cc_git/clock.py",),
        "take `now: datetime` as an argument; the command reads the clock once, in cc_git/clock.py",
    ),
    Rule("pause", uses(*_PAUSE), ("cc_git/store/",), "only the store waits for locks and measures waiting"),
    Rule(
        "processes and databases",
        both(imports("subprocess", "sqlite3", "pygit2", "multiprocessing"), uses(*_STARTS)),
        ("cc_git/store/",),
        "ask store/ for it: git.py runs the git program, engine.py reads and writes objects, index.py the database",
    ),
    Rule(
        "environment",
        uses("os.environ", "os.environb", "os.getenv", "os.putenv", "os.path.expandvars"),
        ("cc_git/cli/", "cc_git/githooks/", "cc_git/store/git_process.py"),
        "take the value as an argument; cli/ and githooks/ read the environment once and pass it down",
    ),
    Rule(
        "chance",
        both(imports("random", "secrets", "uuid"), uses("os.urandom")),
        ("cc_git/entropy.py",),
        "take the bytes as an argument; cc_git/entropy.py is the only source",
    ),
    Rule("paths", spells_paths, ("cc_git/codec/paths.py",), "use the names and functions of codec/paths.py"),
    Rule("refs", spells_refs, ("cc_git/store/",), "use the typed names of store/names.py"),
    Rule(
        "broad except",
        catches_everything,
        ("cc_git/cli/failure.py", "cc_git/githooks/"),
        "catch what you expect; cli/failure.py shows the rest as our bug",
    ),
    Rule("later", leaves_work_for_later, (), "do it now, or leave it out and write an issue"),
    Rule("docstrings", documents_nothing, (), "say what the name cannot: shape, unit, error, source, or why"),
    Rule(
        "late imports",
        imports_late_in_silence,
        ("cc_git/cli/",),  # late throughout, so that help is quick: cli/command.py says it for all
        "import at the top, or say in a comment what it saves",
    ),
    Rule("annotations", lacks_annotations_import, (), "add the line below the docstring"),
    Rule("command size", has_long_commands, (), "call one function of wiring/, and let helpers make the blocks"),
    Rule("module size", is_too_long, (), "cut the module where its second subject begins"),
)

# What computes from values alone, and must not look at the machine.
PURE = (
    "cc_git/model/",
    "cc_git/standing/",
    "cc_git/compiler/",
    "cc_git/governance/",
    "cc_git/review/",
    "cc_git/origin/",
    "cc_git/runbooks/",
)
PURITY = Rule(
    "purity",
    both(
        imports("os", "io", "shutil", "tempfile", "socket", "threading", "urllib.request", "http", "fcntl", "locale"),
        uses("open", "pathlib.Path"),
    ),
    (),
    "values arrive as arguments; wiring reads them and passes them down",
)
