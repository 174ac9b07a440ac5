"""`workspace.toml`: written once from a template, then edited in place so that people's comments survive (tomlkit)."""

from __future__ import annotations

from typing import Any

from cc_git.codec.files import decode
from cc_git.codec.paths import WORKSPACE_FILE
from cc_git.codec.toml_write import quoted
from cc_git.model.fault import Fault
from cc_git.model.policy import NEEDS, Workspace
from cc_git.model.scope import FIELDS, Scope

_TEMPLATE = """\
# The policy of this workspace. Edit it like code; cc-git keeps your comments.
format = "cc-git/1"
name = {name}

# Where the records of this workspace hold. A field left out covers all.
[scope]
{scope}
[policy]
tracked_ceiling = "limited"   # above it a record stays in private/: ordinary, limited, sensitive, restricted
folders = {folders}             # a folder per "month" or per "day"; fixed from the first record on
commit = "with-code"          # "with-code": the pre-commit hook adds waiting records; "by-hand": only `cc-git commit`
broken_records = "stop"       # what the pre-commit hook does with a record that breaks the format: "stop" or "warn"
packet_budget = 4000          # tokens a packet may have unless asked otherwise

# The least authority with which a record of a kind stands without somebody's accept. For permission, identity and
# relationship a looser value counts only once it is in the accepted branch.
[policy.needs]
{needs}"""


def first_text(name: str, scope: Scope, folders: str = "month") -> bytes:
    """The bytes of a new `workspace.toml`."""
    lines = [f"{f} = {quoted(v)}" for f, v in zip(FIELDS, scope.fields(), strict=True) if v != "*"]
    needs = "".join(f'{kind} = "{authority}"\n' for kind, authority in NEEDS.items())
    text = _TEMPLATE.format(
        name=quoted(name),
        scope="".join(f"{line}\n" for line in lines),
        folders=quoted(folders),
        needs=needs,
    )
    return text.encode()


def read(data: bytes) -> Workspace | Fault:
    value = decode(WORKSPACE_FILE, data)
    if isinstance(value, Fault | Workspace):
        return value
    raise TypeError(f"workspace.toml decoded as {type(value).__name__}")


def edited(data: bytes, changes: dict[str, Any]) -> bytes:
    """Set dotted keys (`policy.packet_budget`); everything else, comments too, stays byte for byte."""
    import tomlkit  # slow to import (30 ms); only an edit needs it

    document = tomlkit.parse(data.decode())
    for dotted, value in changes.items():
        *tables, last = dotted.split(".")
        place: Any = document
        for table in tables:
            place = place.setdefault(table, tomlkit.table())
        place[last] = value
    return tomlkit.dumps(document).encode()
