"""Where the rules differ from the rough model in `prototypes/`, and why; each is a change that makes a world common.

A class of differences is a function that takes what causes them out of a world. On a world from which all classes are
taken out, model and rules must agree on every record; what is in one of them must then be the reason of a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cc_git.standing.tables import ENDS, VERB_KINDS
from tests.unit.standing.worlds import Deed, Plot

Change = Callable[[Plot], Plot]


def _each(plot: Plot, change: Callable[[Deed], Deed | None], do: str) -> Plot:
    changed = (change(deed) if deed.do == do else deed for deed in plot.deeds)
    return Plot(plot.kinds, tuple(deed for deed in changed if deed is not None))


def _with(deed: Deed, **fields: Any) -> Deed:
    return Deed(deed.do, deed.name, dict(deed.fields) | fields, deed.targets)


def _records(plot: Plot) -> Mapping[str, Deed]:
    return {deed.name: deed for deed in plot.deeds if deed.do == "record"}


def _rulings(plot: Plot) -> list[Deed]:
    return [deed for deed in plot.deeds if deed.do == "rule"]


def _restrains(deed: Deed) -> bool:
    payload = deed.fields.get("payload", {})
    return payload.get("effect") == "deny" or payload.get("mode") == "refrain"


def beliefs_about_the_project(plot: Plot) -> Plot:
    """The model ranks every belief as one about the outside world; on the page only those that are."""

    def change(deed: Deed) -> Deed:
        return _with(deed, payload={"basis": "external"}) if deed.fields["kind"] == "belief" else deed

    return _each(plot, change, "record")


def what_records_rest_on(plot: Plot) -> Plot:
    """The model knows no sources: claims are not lowered, and imports of one document are no twins."""
    return _each(plot, lambda deed: _with(deed, rests_on=""), "record")


def sensitive_records(plot: Plot) -> Plot:
    """The model knows no sensitivity, so nothing is gated for its content."""
    return _each(plot, lambda deed: _with(deed, sensitivity="ordinary"), "record")


def forgotten_files(plot: Plot) -> Plot:
    """In the model a forgotten ruling still counts and a forgotten record takes nothing while its bytes are there."""
    return Plot(plot.kinds, tuple(deed for deed in plot.deeds if deed.do in ("record", "rule")))


def verbs_that_do_not_fit(plot: Plot) -> Plot:
    """Here a verb has no effect on a kind that it does not fit: nobody completes a belief."""

    def change(deed: Deed) -> Deed | None:
        verb, *targets = deed.targets
        fitting = [t for t in targets if plot.kinds[t] in VERB_KINDS[verb]]  # type: ignore[index]
        return Deed(deed.do, deed.name, deed.fields, (verb, *fitting)) if fitting else None

    return _each(plot, change, "rule")


def dreams(plot: Plot) -> Plot:
    """A rejected dream is rejected here and proposed in the model; a dream that restrains waits here for an accept."""
    return _each(plot, lambda d: _with(d, by="agent-explicit") if d.fields["by"] == "dream" else d, "record")


def restraints_by_inference(plot: Plot) -> Plot:
    """Restraints take effect from any authority but a dream; the model asks for `agent-explicit`."""

    def change(deed: Deed) -> Deed:
        weak = deed.fields["by"] == "agent-inference" and _restrains(deed)
        return _with(deed, by="agent-explicit") if weak else deed

    return _each(plot, change, "record")


def rulings_between_agent_and_person(plot: Plot) -> Plot:
    """Here every verb, reject as well, needs the authority with which each record stands, accepts included, and an
    ending reaches each record by its own power; the model asks for less, and lets agents complete anything."""

    def change(deed: Deed) -> Deed:
        verb, *targets = deed.targets
        alike = verb == "accept" or (verb == "revoke" and all(plot.kinds[t] == "permission" for t in targets))
        return deed if alike else _with(deed, by="user-explicit", attested=True)

    return _each(plot, change, "rule")


def observations_of_the_outside(plot: Plot) -> Plot:
    """Here an attested person rules over every record; in the model not over what a tool or a document says."""

    def change(deed: Deed) -> Deed:
        observed = deed.fields["by"] in ("document", "verified-observation") and deed.fields["kind"] == "belief"
        return _with(deed, by="agent-explicit") if observed else deed

    return _each(plot, change, "record")


def several_scopes(plot: Plot) -> Plot:
    """Here scopes that lie in each other are layers and do not clash, a deny in a narrower one only limits, and what
    supersedes goes no further than an effective record; the model has layers for subjects alone."""
    return _each(plot, lambda deed: _with(deed, thread="t"), "record")


def patterns(plot: Plot) -> Plot:
    """Here patterns are compared as sets; in the model one is matched against the other as text."""

    def change(deed: Deed) -> Deed:
        payload = dict(deed.fields.get("payload", {}))
        target = payload.get("target", "*")
        return _with(deed, payload=payload | {"target": "prod"}) if target != "*" and set(target) & set("*?[") else deed

    return _each(plot, change, "record")


def links_to_what_is_not_here(plot: Plot) -> Plot:
    """Here an ancestor that is not in this branch is one, and rulings on it reach its line."""
    known = _records(plot)

    def change(deed: Deed) -> Deed:
        here = [n for n in deed.fields["supersedes"] if n in known and plot.kinds[n] == plot.kinds[deed.name]]
        return _with(deed, supersedes=here)

    return _each(plot, change, "record")


def cycles(plot: Plot) -> Plot:
    """Here a cycle is one of records that could each supersede the other; the model counts every link."""
    return _each(plot, lambda d: _with(d, supersedes=[n for n in d.fields["supersedes"] if n < d.name]), "record")


def restraints_in_a_line(plot: Plot) -> Plot:
    """Here what would supersede a restraint without an attested person is proposed, an accept by one is enough, and an
    ending reaches a restraint only over a direct link."""
    restraints = {name for name, deed in _records(plot).items() if _restrains(deed)}

    def change(deed: Deed) -> Deed:
        if deed.name in restraints:
            return _with(deed, supersedes=[])
        return _with(deed, supersedes=[n for n in deed.fields["supersedes"] if n not in restraints])

    return _each(plot, change, "record")


def what_a_commitment_says(plot: Plot) -> Plot:
    """Here the whole payload is what a record says; the model forgets that to act is not to refrain."""

    def change(deed: Deed) -> Deed:
        return _with(deed, says=deed.fields["payload"]["mode"]) if deed.fields["kind"] == "commitment" else deed

    return _each(plot, change, "record")


def declared_conflicts(plot: Plot) -> Plot:
    """Here they hold between kinds too."""
    return _each(plot, lambda deed: _with(deed, conflicts_with=[]), "record")


def resolves_that_do_not_agree(plot: Plot) -> Plot:
    """Here a loser has lost although its winner is elsewhere, a rejected winner gives it back, each target is judged by
    itself, and contradictory resolves are settled by authority; the model judges a resolve as a whole."""
    rejected = {t for deed in _rulings(plot) if deed.targets[0] == "reject" for t in deed.targets[1:]}
    good = _records(plot).keys() - rejected
    first = next((deed for deed in _rulings(plot) if deed.fields.get("winner") in good), None)
    return _each(plot, lambda deed: deed if deed.targets[0] != "resolve" or deed is first else None, "rule")


def accepted_and_rejected(plot: Plot) -> Plot:
    """Here what is contested is conflicted after everything that weighs more (revoked, expired …), keeps superseded
    what it had superseded, and a restraint that is contested still holds."""
    accepted = {t for deed in _rulings(plot) if deed.targets[0] == "accept" for t in deed.targets[1:]}

    def change(deed: Deed) -> Deed | None:
        return None if deed.targets[0] == "reject" and accepted & set(deed.targets[1:]) else deed

    return _each(plot, change, "rule")


def lifted_rulings(plot: Plot) -> Plot:
    """Here a lifted ruling lifts nothing, a cycle counts only what could lift, and what ends a line can be lifted at a
    later record of it."""
    return _each(plot, lambda deed: _with(deed, over=[]), "rule")


def two_endings(plot: Plot) -> Plot:
    """Here revoked comes first, whether it is a record's own ending or its line's; the model looks at its own first."""
    first = next((deed.name for deed in _rulings(plot) if deed.targets[0] in ENDS), None)
    return _each(plot, lambda deed: None if deed.targets[0] in ENDS and deed.name != first else deed, "rule")


def past_a_record_in_after(plot: Plot) -> Plot:
    """Here what supersedes an effective record that names the ruling in `after` need not name it again."""
    return _each(plot, lambda deed: _with(deed, after=[]), "record")


def too_little_authority_over_a_proposal(plot: Plot) -> Plot:
    """Here it is proposed itself, as it is where it names what outranks it; the model looks at direct links alone."""
    world = plot.world()
    judged = world.judge().verdicts

    def change(deed: Deed) -> Deed:
        verdict = judged[world.id_of(deed.name)]
        named = {world.id_of(n, deed.fields["kind"]) for n in deed.fields["supersedes"]}
        outranked = verdict.reason == "would supersede what has higher authority"
        return _with(deed, supersedes=[]) if outranked and not named & set(verdict.by) else deed

    return _each(plot, change, "record")


def conflicts_with_what_is_overruled(plot: Plot) -> Plot:
    """Here what something of higher authority overrules is in no conflict with its equals, nor they with it."""
    world = plot.world()
    judged = world.judge().verdicts
    equals = {(v.authority, v.attested) for v in judged.values() if v.eligible}

    def change(deed: Deed) -> Deed | None:
        verdict = judged[world.id_of(deed.name)]
        overruled = verdict.reason == "something of higher authority says otherwise"
        return None if overruled and (verdict.authority, verdict.attested) in equals else deed

    return _each(plot, change, "record")


CLASSES: tuple[Change, ...] = (
    beliefs_about_the_project,
    what_records_rest_on,
    sensitive_records,
    forgotten_files,
    verbs_that_do_not_fit,
    dreams,
    restraints_by_inference,
    rulings_between_agent_and_person,
    observations_of_the_outside,
    several_scopes,
    patterns,
    links_to_what_is_not_here,
    cycles,
    restraints_in_a_line,
    what_a_commitment_says,
    declared_conflicts,
    resolves_that_do_not_agree,
    accepted_and_rejected,
    lifted_rulings,
    two_endings,
    past_a_record_in_after,
    too_little_authority_over_a_proposal,
    conflicts_with_what_is_overruled,
)


def common(plot: Plot, but: Change | None = None) -> Plot:
    """The world without any class of differences, or with just one."""
    for change in CLASSES:
        if change is not but:
            plot = change(plot)
    return plot
