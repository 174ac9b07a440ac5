"""The options that describe a statement, for `remember` and `propose`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cc_git.cli.options import ID_PART, INSTANT, LINE, TEXT, ScopeAsked, relate_option, scope_options

if TYPE_CHECKING:
    from cc_git.cli.context import Call
    from cc_git.governance.remember import Statement
    from cc_git.wiring.acts import Links

F = TypeVar("F", bound=Callable[..., Any])

KINDS = (
    "identity", "user_model", "relationship", "permission", "goal", "commitment", "belief", "decision", "procedure",
    "failure", "hypothesis",
)  # fmt: skip
AUTHORITIES = (
    "user-explicit", "user-implicit", "verified-observation", "document", "agent-explicit", "agent-inference",
)  # fmt: skip
STANDINGS = (
    "current", "conflicted", "proposed", "superseded", "revoked", "completed", "released", "archived", "ended",
    "expired", "not-yet-valid", "overruled", "rejected", "damaged", "forgotten",
)  # fmt: skip
SENSITIVITIES = ("ordinary", "limited", "sensitive", "restricted")

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("-k", "--kind", type=click.Choice(KINDS), help="What it governs. Default: belief."),
    click.option("--allow", type=LINE, metavar="ACTION", help="A permission that allows an action."),
    click.option("--deny", type=LINE, metavar="ACTION", help="A permission that forbids an action."),
    click.option("--target", type=LINE, metavar="PATTERN", help="What the action may touch; default '*'."),
    click.option("--refrain", is_flag=True, help="A commitment not to do something."),
    click.option("--due", metavar="WHEN", help="When a commitment is due: an instant, or a condition in words."),
    click.option("--title", type=LINE, help="A title, where the first line of the text is none."),
    click.option("--set", "words", metavar="NAME=VALUE", multiple=True, help="A field of the kind; repeatable."),
    click.option("--quote", type=TEXT, help="The very words that were said, as evidence."),
    click.option("--speaker", type=LINE, help="Who said it, where that is somebody else."),
    click.option("--authority", type=click.Choice(AUTHORITIES), help="Who stands behind it. Default: who acts."),
    click.option("--from", "locator", metavar="WHERE", help="Where it can be looked up: a path, URL or run."),
    click.option("--source", "sources", type=ID_PART, metavar="ID", multiple=True,
                 help="An episode it rests on, in place of a new one; repeatable."),
    click.option("--subject", type=LINE, metavar="SLUG", help="At most one record of a kind is current per subject."),
    click.option("--supersedes", type=ID_PART, metavar="ID", multiple=True, help="What it takes the place of."),
    click.option("--conflicts-with", type=ID_PART, metavar="ID", multiple=True, help="What it contradicts."),
    click.option("--derived-from", type=ID_PART, metavar="ID", multiple=True, help="What it was concluded from."),
    relate_option,
    click.option("--after", type=ID_PART, metavar="RULING", multiple=True, help="A ruling it knows of and outlives."),
    click.option("--anchor", "anchors", metavar="PATH[:LINES]", multiple=True, help="Code that it depends on."),
    click.option("--tag", "tags", type=LINE, multiple=True, help="A word to find it by; repeatable."),
    click.option("--sensitivity", type=click.Choice(SENSITIVITIES),
                 help="Above the policy's ceiling it stays private. Default: as what it rests on, else ordinary."),
    click.option("--confidence", type=click.FloatRange(0, 1), help="How likely it is, from 0 to 1."),
    click.option("--valid-from", type=INSTANT, help="From when it holds. Default: now."),
    click.option("--valid-to", type=INSTANT, help="Until when what it says is so."),
    click.option("--expires", "expires_at", type=INSTANT, help="When it stops to count."),
    click.option("--review-by", type=INSTANT, help="When somebody should look at it again."),
)  # fmt: skip

_LINKS = {"supersedes", "conflicts_with", "derived_from", "after", "sources", "anchors", "relations"}


class StatementAsked:
    """What was given on the command line, until the workspace is open."""

    def __init__(self, text: str, scope: ScopeAsked, given: dict[str, Any]) -> None:
        self.text, self.scope, self.given = text, scope, given

    def statement(self, call: Call, base: Any) -> Statement:
        """The request, in the workspace's scope where none was given."""
        from cc_git.governance.fields import fields_from_words
        from cc_git.governance.remember import Statement

        kind, short_cuts = _kind_and_fields(self.given)
        payload = fields_from_words(kind, self.given["words"]) | short_cuts
        plain = ("title", "quote", "speaker", "authority", "locator", "subject", "tags", "sensitivity", "confidence",
                 "valid_from", "valid_to", "expires_at", "review_by")  # fmt: skip
        kept = {name: self.given[name] for name in plain}
        if kept["subject"]:
            from cc_git.model.value import slug

            kept["subject"] = slug(kept["subject"])
        return Statement(kind=kind, text=self.text, scope=self.scope.over(base), payload=payload, **kept)

    def alone(self, call: Call) -> Statement | None:
        """The request where there is no workspace; None where it names what only a workspace can look up."""
        from cc_git.model.scope import EVERYWHERE

        return None if any(self.given[name] for name in _LINKS) else self.statement(call, EVERYWHERE)

    @property
    def links(self) -> Links:
        from cc_git.wiring.acts import Links

        return Links(**{name: self.given[name] for name in _LINKS})


def statement_options(function: F) -> F:
    """Pass `asked: StatementAsked` to the command."""

    @wraps(function)
    def gathered(*args: Any, text: str, scope: ScopeAsked, **given: Any) -> Any:
        own = {name: given.pop(name) for name in list(given) if name in _NAMES}
        return function(*args, asked=StatementAsked(text, scope, own), **given)

    decorated: Any = scope_options(click.argument("text", type=TEXT)(gathered))
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


_NAMES = frozenset(
    parameter.name
    for option in _OPTIONS
    for parameter in option(lambda: None).__click_params__  # what click itself keeps there until the command is made
)


def _kind_and_fields(given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The kind that the short forms imply, and their fields."""
    from cc_git.errors import UsageFault
    from cc_git.governance.fields import fields_from_words

    implied: dict[str, dict[str, Any]] = {}
    if given["target"] and not (given["allow"] or given["deny"]):
        raise UsageFault("--target says what a permission may touch", hints=("--allow ACTION or --deny ACTION",))
    for effect in ("allow", "deny"):
        if given[effect]:
            implied["permission"] = {"effect": effect, "action": given[effect], "target": given["target"] or "*"}
    if given["allow"] and given["deny"]:
        raise UsageFault("--allow and --deny exclude each other")
    if given["refrain"]:
        implied["commitment"] = {"mode": "refrain"}
    if given["due"]:
        implied.setdefault("commitment", {}).update(fields_from_words("commitment", [f"due={given['due']}"]))
    named = {given["kind"]} if given["kind"] else set()
    if len(named | set(implied)) > 1:
        raise UsageFault(f"{' and '.join(sorted(named | set(implied)))} exclude each other: one record has one kind")
    kind = given["kind"] or next(iter(implied), "belief")
    return kind, implied.get(kind, {})
