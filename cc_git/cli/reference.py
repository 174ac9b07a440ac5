"""The command reference, written from the program itself: `python -m cc_git.cli.reference` writes `docs/commands.md`.

A test compares the file with what this module says, so the page cannot drift from the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from cc_git.cli.global_options import GlobalOption
from cc_git.cli.main import root_group
from cc_git.cli.verb import Verb
from cc_git.cli.verbs import GROUPS, VERBS
from cc_git.errors import Exit

PAGE = Path("docs/commands.md")

_OPENING = """# Commands

*Written by `python -m cc_git.cli.reference`; a test compares it with the program.*

`cc-git` and `git cc` are the same program (Git keeps `git cc --help` for manual pages: type `git cc -h`).
"""

_JSON = """## JSON

With `--json` a command prints one document on one line, in UTF-8:

```json
{"schema": "cc-git/<command>/1", "ok": true, "data": …, "warnings": [], "receipt": null}
```

`ok` says that the exit code is 0. A command that was stopped adds
`"error": {"kind", "exit", "what", "why", "hints"}`. Text in the document is the stored text itself; characters that
could act on a terminal unseen are written as JSON escapes.
"""

_MEANING = {
    Exit.OK: "fine",
    Exit.FOUND: "something was found (check, verify, `diff --exit-code`)",
    Exit.USAGE: "the command line was not understood",
    Exit.REFUSED: "refused by policy",
    Exit.DOES_NOT_FIT: "the packet does not fit its budget",
    Exit.CONFLICT: "a conflict or a lost race",
    Exit.DAMAGED: "damaged data",
    Exit.NO_WORKSPACE: "not a workspace",
    Exit.UNSUPPORTED: "a repository of a kind that is not supported",
    Exit.BUG: "a bug in cc-git",
    Exit.INTERRUPTED: "interrupted",
}


def reference(verbs: Sequence[Verb] = VERBS, groups: Mapping[str, str] = GROUPS) -> str:
    """The whole page, Markdown."""
    root = root_group(verbs, groups)
    context = click.Context(root, info_name="cc-git")
    parts = [_OPENING]
    for section in dict.fromkeys(verb.section for verb in verbs):
        parts.append(f"## {section}\n")
        parts += [_command(verb, root, context) for verb in verbs if verb.section == section]
    everywhere = [option for option in root.params if isinstance(option, GlobalOption)]
    parts.append("## With every command, before or after its name\n\n" + _options(everywhere, context))
    parts.append("## Exit codes\n\n" + "".join(f"- `{code}` {_MEANING[code]}\n" for code in Exit))
    parts.append(_JSON)
    return "\n".join(parts)


def _command(verb: Verb, root: click.Group, context: click.Context) -> str:
    command: click.Command | None = root
    for word in verb.name.split(" "):
        assert isinstance(command, click.Group), verb.name
        command = command.get_command(context, word)
    assert command is not None, verb.name
    own = [parameter for parameter in command.params if not isinstance(parameter, GlobalOption)]
    usage = " ".join([f"cc-git {verb.name}", *_pieces(own)])
    text = "\n".join(line.strip() for line in (command.help or "").strip().splitlines())
    options = _options([parameter for parameter in own if isinstance(parameter, click.Option)], context)
    return f"### `cc-git {verb.name}`\n\n```text\n{usage}\n```\n\n{text}\n" + (f"\n{options}" if options else "")


def _pieces(parameters: Sequence[click.Parameter]) -> Iterator[str]:
    if any(isinstance(parameter, click.Option) for parameter in parameters):
        yield "[OPTIONS]"
    for parameter in parameters:
        if isinstance(parameter, click.Argument):
            name = parameter.metavar or (parameter.name or "").upper()
            yield name if parameter.required or name.startswith("[") else f"[{name}]"


def _options(options: Sequence[click.Parameter], context: click.Context) -> str:
    rows = [option.get_help_record(context) for option in options]
    return "".join(f"- `{row[0]}`: {row[1]}\n" for row in rows if row is not None)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
