"""Which paths sparse checkout leaves out of this work tree.

The git program answers this only from 2.41 on (`sparse-checkout check-rules`), so the rules are read here: they are
those of gitignore, turned round (https://git-scm.com/docs/git-sparse-checkout, "Internals"). A path that no rule
names goes with its folder. Cone mode writes rules of the same form. `tests/git/test_present_sparse.py` holds this
against the git program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from cc_git.store.disk import read_file
from cc_git.store.git import Git
from cc_git.store.place import Place


@dataclass(frozen=True, slots=True)
class Rule:
    matches: re.Pattern[str]
    includes: bool
    folders_only: bool
    anchored: bool


def excluded(place: Place, git: Git, rels: Iterable[str]) -> frozenset[str]:
    """Those of the paths below the workspace that are not to be on disk here."""
    text = read_file(place.git_dir / "info" / "sparse-checkout")
    if text is None or not _switched_on(git):
        return frozenset()
    rules = rules_of(text.decode("utf-8", "surrogateescape"))
    return frozenset(rel for rel in rels if not includes(rules, f"{place.prefix}/{rel}"))


def _switched_on(git: Git) -> bool:
    answer = git.run("config", "--type=bool", "--get", "core.sparseCheckout", check=False)
    return answer.stdout.strip() == b"true"


def includes(rules: list[Rule], path: str) -> bool:
    """`path` is relative to the top level."""
    is_folder = False
    while path:
        name = path.rpartition("/")[2]
        for rule in reversed(rules):
            if rule.folders_only and not is_folder:
                continue
            if rule.matches.fullmatch(path if rule.anchored else name):
                return rule.includes
        path, is_folder = path.rpartition("/")[0], True
    return False


def rules_of(text: str) -> list[Rule]:
    return [rule for line in text.split("\n") if (rule := _rule(line)) is not None]


def _rule(line: str) -> Rule | None:
    line = re.sub(r"(?<!\\) +$", "", line.removesuffix("\r"))
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line.removeprefix("!")
    folders_only = line.endswith("/")
    line = line.rstrip("/") if folders_only else line
    anchored = "/" in line
    try:
        matches = re.compile(_regex(line.removeprefix("/")), re.DOTALL)
    except re.error:
        return None
    return Rule(matches, not negated, folders_only, anchored)


_TOKENS = re.compile(
    r"(?P<leading>\A\*\*/)|(?P<middle>/\*\*/)|(?P<trailing>/\*\*\Z)|(?P<many>\*+)|(?P<one>\?)"
    r"|\[(?P<negation>[!^]?)(?P<set>\]?[^\]]*)\]|\\(?P<escaped>.)|(?P<plain>.)",
    re.DOTALL,
)
_FIXED = {"leading": "(?:.*/)?", "middle": "/(?:.*/)?", "trailing": "/.*", "many": "[^/]*", "one": "[^/]"}


def _regex(pattern: str) -> str:
    out = []
    for token in _TOKENS.finditer(pattern):
        kind = str(token.lastgroup)
        if kind in _FIXED:
            out.append(_FIXED[kind])
        elif kind == "set":
            inside = token["set"].replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
            out.append(f"(?!/)[{'^' if token['negation'] else ''}{inside}]")
        else:
            out.append(re.escape(token[kind]))
    return "".join(out)
