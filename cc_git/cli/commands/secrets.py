"""What looks like a secret: secrets allow, list, outgoing."""

from __future__ import annotations

import click

from cc_git.cli.acted import told
from cc_git.cli.command import command
from cc_git.cli.context import Call
from cc_git.cli.opening import hand_of, looked_at, opened
from cc_git.cli.options import LINE, TEXT, actor_option, dry_run_option
from cc_git.cli.show import Outcome
from cc_git.cli.tables import Cell, Prose, Table
from cc_git.errors import Exit
from cc_git.model.ids import short
from cc_git.model.sanitise import as_value


@command()
@click.argument("text", type=TEXT)
@click.option("--reason", type=LINE, required=True, help="Why it is no secret; it is kept and reviewed with the text.")
@actor_option
@dry_run_option
def secrets_allow(call: Call, text: str, reason: str, dry_run: bool) -> Outcome:
    """Let a text be written that looks like a secret and is public; a person says so, at a terminal."""
    from cc_git.wiring.acts import do_allow_text

    with opened(call) as session:
        return told(do_allow_text(session, text.strip(), reason, hand_of(call, dry_run=dry_run)), dry_run=dry_run)


@command()
@click.option("--at", metavar="REV", help="As of this commit, branch or tag.")
def secrets_list(call: Call, at: str | None) -> Outcome:
    """List the texts that were allowed although they look like secrets, and why."""
    from cc_git.wiring.public_texts import allowed_texts

    with looked_at(call, at) as session:
        found = allowed_texts(session.known, session.workspace.scope)
        rows: list[list[Cell]] = [
            [short(one.filed.value.id), as_value(one.text), one.filed.value.content or ""] for one in found
        ]
        data = [{"id": one.filed.value.id, "text": one.text, "reason": one.filed.value.content} for one in found]
        return Outcome(data=data, blocks=(Table(("id", "text", "why"), rows, "No text was allowed."),))


@command()
@click.argument("remote", default="origin", required=False)
def secrets_outgoing(call: Call, remote: str) -> Outcome:
    """Look for secrets in what a push of HEAD would send: every commit that the remote lacks (exit 1 if so)."""
    from cc_git.wiring.outgoing import secrets_in_push

    with opened(call) as session:
        looked = secrets_in_push(session, remote)
        lines = [f"{one.where} {one.says}" for one in looked.findings]
        none = f"In {looked.files} {'file' if looked.files == 1 else 'files'} nothing looks like a secret."
        data = {"remote": remote, "files": looked.files, "findings": list(looked.findings)}
        unread = [f"too long or not in this clone, so not looked at: {path}" for path in looked.unread]
        blocks, worst = (Prose("\n".join(lines) or none),), Exit.FOUND if lines else Exit.OK
        return Outcome(data=data, blocks=blocks, warnings=tuple(unread), exit=worst)
