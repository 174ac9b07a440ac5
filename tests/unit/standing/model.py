"""Random worlds in the words of the rough model in `prototypes/standing_model.py`, to hold the rules against it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.unit.standing.worlds import Plot

_WORDS = {"not-yet": "not-yet-valid", "denied": "overruled"}


def load(folder: Path) -> ModuleType:
    """The model as a module; dataclasses look their module up by name, so it is registered."""
    spec = importlib.util.spec_from_file_location("prototype_standing_model", folder / "standing_model.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def standings(model: ModuleType, plot: Plot, on: int) -> dict[str, str]:
    """Name → standing as the model sees it, in our words."""
    files: set[Any] = set()
    for deed in plot.deeds:
        fields = deed.fields
        if deed.do == "record":
            payload = fields.get("payload", {})
            files.add(
                model.Rec(
                    id=deed.name,
                    kind=fields["kind"],
                    authority=fields["by"],
                    scope=("u", "p", "*", None if fields["thread"] == "*" else fields["thread"]),
                    content=f"{fields['says']} {fields['end']}",
                    subject=fields["subject"],
                    supersedes=frozenset(n for n in fields["supersedes"] if plot.kinds[n] == fields["kind"]),
                    conflicts=frozenset(fields["conflicts_with"]),
                    valid_from=fields["start"],
                    valid_to=fields["end"],
                    effect=payload.get("effect", ""),
                    action="deploy" if payload.get("effect") else "",
                    target=payload.get("target", ""),
                    attested=fields["attested"],
                    mode=payload.get("mode", ""),
                    after=frozenset(fields["after"]),
                )
            )
        elif deed.do == "rule":
            winner = fields.get("winner")
            files.add(
                model.Rul(
                    id=deed.name,
                    verb=deed.targets[0],
                    targets=frozenset((*deed.targets[1:], *((winner,) if winner else ()))),
                    authority=fields["by"],
                    effective_from=fields["effective"],
                    winner=winner,
                    attested=fields["attested"],
                    over=frozenset(fields["over"]),
                )
            )
        else:
            files.add(model.Tomb(deed.name))
    found = model.fixed(files, on)
    return {name: _WORDS.get(word, word) for name, word in found.items()}
