"""All that is found in a proposal. Nothing of it is run, and the policy of the base judges.

A file that is only looked at (`check` without a range) is judged like a new one, but for what only a change can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from cc_git.codec import paths
from cc_git.governance.secrets import Secret, secrets_in, secrets_in_name
from cc_git.review.claims import claims
from cc_git.review.finding import Finding
from cc_git.review.links import links
from cc_git.review.one_file import OneFile, found_in, secret_at
from cc_git.review.proposal import Proposal
from cc_git.review.taken_back import is_lost, taken_back

_ORDER = ("error", "warning", "notice")


def check(proposal: Proposal) -> tuple[Finding, ...]:
    """Errors first, then by path and line."""
    findings = {*_files(proposal), *taken_back(proposal), *links(proposal), *claims(proposal)}
    return tuple(
        sorted(findings, key=lambda one: (_ORDER.index(one.level), one.path, one.line or 0, one.code, one.says))
    )


def _files(proposal: Proposal) -> Iterator[Finding]:
    for rel, change in proposal.changed.items():
        if change.after is None or _is_explained(proposal, rel, change.after):
            continue
        data = proposal.data(change.after)
        through = proposal.through(change.after)
        yield from _secrets(proposal, rel, through if isinstance(through, bytes) else b"")
        for finding in found_in(OneFile(proposal.prefix, rel, change.before, change.after), data):
            if finding.code == "edited" and is_lost(proposal, rel):
                continue
            if finding.code == "format" and proposal.policy.broken_records == "warn":
                finding = replace(finding, level="warning")
            yield finding


def _secrets(proposal: Proposal, rel: str, data: bytes) -> Iterator[Finding]:
    """What only the proposal itself allows is for whoever merges it to see: that makes the allowance a person's."""
    path = f"{proposal.prefix}/{rel}"
    if not _in(rel, data, ()):
        return
    found = _in(rel, data, proposal.public())
    left = _in(rel, data, (*proposal.public(), *proposal.brought())) if found else ()
    for one in found:
        finding = secret_at(path, one)
        if one not in left:
            says = f"{finding.says}; the proposal itself brings what allows it, which counts once a person accepts it"
            finding = replace(finding, says=says, level="warning")
        yield finding


def _in(rel: str, data: bytes, public: Collection[str]) -> tuple[Secret, ...]:
    return (*secrets_in(data, public), *secrets_in_name(rel, public))


def _is_explained(proposal: Proposal, rel: str, blob: str) -> bool:
    """The empty place of something forgotten, or an immutable file of another folder that is empty for that."""
    return proposal.is_empty(blob) and not paths.is_private(rel) and proposal.owner(rel) in proposal.marked
