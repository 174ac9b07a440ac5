"""What a proposal claims: whose word, under which policy, how sensitive, and whether it gives instructions.

Everything is judged by the policy of the base, as if the proposal were merged: what it brings along to judge itself by
judges nothing. So a record that would stand only by the new policy is named, beside the change of the policy.
"""

from __future__ import annotations

from collections.abc import Iterator

from cc_git.codec import paths
from cc_git.governance.leaks import Laid, grounds
from cc_git.model.authority import LADDER, SENSITIVITIES, USER, Authority, at_most
from cc_git.model.episode import Episode
from cc_git.model.fault import Fault
from cc_git.model.filed import Filed
from cc_git.model.ids import short
from cc_git.model.policy import GATED, NEEDS, Policy
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.model.value import Value
from cc_git.review.finding import Finding
from cc_git.review.proposal import Proposal
from cc_git.standing.tables import GLOBAL_VERBS

_A = {"user": "a user's implicit word", "agent": "an agent", "tool": "a tool", "system": "the system",
      "document": "a document"}  # fmt: skip
_CLAIMS = frozenset({"user-explicit", "user-implicit", "verified-observation", "document"})


def claims(proposal: Proposal) -> Iterator[Finding]:
    yield from _policy(proposal)
    yield from _above(proposal)
    files = proposal.files
    for records in files.records.values():
        for record in records:
            if record.rel in proposal.changed:
                yield from _of_record(proposal, record)
    for episodes in files.episodes.values():
        for episode in episodes:
            if episode.rel in proposal.changed:
                yield from _of_episode(proposal, episode)
    for rulings in files.rulings.values():
        for ruling in rulings:
            if proposal.is_new(ruling.rel):
                yield from _of_ruling(proposal, ruling)


def _of_record(proposal: Proposal, filed: Filed[Record]) -> Iterator[Finding]:
    record, rel = filed.value, filed.rel
    verdict = proposal.judged.by_base.of(record.id)
    if verdict is None or verdict.standing == "forgotten":
        return
    # A restraint counts by anybody's word, so what its authority is worth matters to nobody.
    if not record.restrains and record.authority in _CLAIMS and verdict.authority != record.authority:
        says = f"claims {record.authority}, which none of its sources carries: it counts as {verdict.authority}"
        yield proposal.about("authority", rel, says, "authority", helps="name the episode that says so in its sources")
    own = proposal.judged.by_own.of(record.id)
    if verdict.standing == "proposed" and own is not None and own.eligible:
        says = "stands only by the policy that this proposal brings along; by the one of the base it is put forward"
        yield proposal.about("authority", rel, says, "authority", helps="change the policy first, and on its own")
    if record.authority not in USER:
        yield from _instructs(proposal, rel, record, f"{record.authority} by {record.actor}")


def _of_episode(proposal: Proposal, filed: Filed[Episode]) -> Iterator[Finding]:
    episode = filed.value
    if episode.source.kind != "user" or episode.authority not in USER:
        yield from _instructs(proposal, filed.rel, episode, _A[episode.source.kind])


def _of_ruling(proposal: Proposal, filed: Filed[Ruling]) -> Iterator[Finding]:
    ruling, judged = filed.value, proposal.judged
    known = [target for target in ruling.targets if target in proposal.files.records]
    changes = any(judged.by_base.of(target) != judged.unruled.of(target) for target in known)
    if known and not changes and ruling.verb not in GLOBAL_VERBS | {"confirm"}:
        says = f"this {ruling.verb} changes nothing: it lacks the authority, or there is nothing to change"
        yield proposal.about("without-effect", filed.rel, says, "authority")
    if ruling.authority == "user-explicit" and ruling.actor.startswith("agent:"):
        held = [proposal.files.records[target][0].value for target in known]
        lifted = [r.id for r in held if r.restrains or (r.kind in GATED and ruling.verb not in GLOBAL_VERBS)]
        if lifted:
            says = f"{ruling.actor} ruled this in a person's name; in the accepted branch it would count"
            said = f"{says}: {ruling.verb} {short(lifted[0])}"
            yield proposal.about("in-a-persons-name", filed.rel, said, "authority")


def _above(proposal: Proposal) -> Iterator[Finding]:
    """By what a file says and names (`governance/leaks.py`), and of a record also by what it rests on."""
    for rel, change in proposal.changed.items():
        if change.after is None or paths.is_private(rel):
            continue
        data = proposal.through(change.after)
        laid = Laid(rel, change.after, data if isinstance(data, bytes) else None)
        above = (one for one in grounds(laid, proposal.private) if not at_most(one.sensitivity, proposal.ceiling))
        ground = next((one for one in above if one.sort != "names" or change.after not in proposal.confirmed), None)
        verdict = proposal.judged.by_base.of(paths.id_at(rel) or "")
        if ground is not None:
            says = ground.in_words(proposal.ceiling)
        elif verdict is not None and not at_most(verdict.sensitivity, proposal.ceiling):
            says = f"rests on what is {verdict.sensitivity}, and up to {proposal.ceiling} is committed here"
        else:
            continue
        helps = "move it below private/, and look who has it already"
        yield proposal.about("above-ceiling", rel, says, "sensitivity", helps=helps)


def _instructs(proposal: Proposal, rel: str, value: Value, source: str) -> Iterator[Finding]:
    signs = proposal.signs(value) if proposal.is_new(rel) else ()
    if signs:
        says = f"reads like an instruction ({', '.join(signs)}), and comes from {source}, which may not instruct"
        yield proposal.about("instruction-like", rel, says, helps="read it as whoever it is shown to would")


def _policy(proposal: Proposal) -> Iterator[Finding]:
    if paths.WORKSPACE_FILE not in proposal.changed or isinstance(proposal.brings, Fault) or proposal.brings is None:
        return
    for field, says in _looser(proposal.policy, proposal.brings):
        yield proposal.about("policy", paths.WORKSPACE_FILE, f"{says}; it counts once it is accepted", field)


def _looser(old: Policy, new: Policy) -> Iterator[tuple[str, str]]:
    if SENSITIVITIES.index(new.tracked_ceiling) > SENSITIVITIES.index(old.tracked_ceiling):
        yield "tracked_ceiling", f"tracks more: up to {new.tracked_ceiling} instead of {old.tracked_ceiling}"
    if (old.broken_records, new.broken_records) == ("stop", "warn"):
        yield "broken_records", "lets records that break the format into commits"
    for kind in NEEDS:
        before: Authority = old.need(kind)
        after: Authority = new.need(kind)
        if LADDER.index(after) < LADDER.index(before):
            yield kind, f"lets a {kind} stand by {after} instead of {before}"
