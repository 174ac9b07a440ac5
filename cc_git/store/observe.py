"""Look at the present at the start of a command, and keep what follows from it.

Without a change nothing is written and no lock is taken. Otherwise the journal's lock is taken, the state is read
again, and what is kept goes in this order: bytes of adopted files, the journal's state, files that are put back.
`unstage.take_back`, for what a failed commit left staged, comes before, and so does completing an interrupted write (by
whoever takes the lock): a command calls `take_back`, then `observe`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from cc_git.codec import paths
from cc_git.errors import CcGitError, NotWritable
from cc_git.model.fault import Fault
from cc_git.store.classify import classify
from cc_git.store.disk import make_folder
from cc_git.store.facts import Sight, Sources, gather
from cc_git.store.journal_state import JournalState
from cc_git.store.placing import place_files
from cc_git.store.present import PresentSnapshot
from cc_git.store.present_facts import Verdict
from cc_git.store.private_away import scratch_outside
from cc_git.store.private_kept import keep_ignored
from cc_git.store.waiting_mark import is_marked, mark_waiting


def observe(sources: Sources) -> PresentSnapshot:
    """The present snapshot; the journal follows it, where it can be written."""
    private = keep_ignored(sources.place)
    state = sources.journal.read()
    sight = gather(sources, state)
    verdict, secrets = _classified(sight)
    if sources.place.top is None or not _anything_to_do(sources, state, verdict):
        return _snapshot(sight, verdict, faults=(*private, *secrets))
    try:
        with sources.journal.locked():
            again = sources.journal.read()
            if again is not state:
                sight = gather(sources, again)
                verdict, secrets = _classified(sight)
            mark_waiting(sources.place, waits=bool(verdict.state.pending))
            _keep(sources, again, sight, verdict)
            refused = _put_back(sources, verdict.state, verdict.put_back)
    except NotWritable:
        return _snapshot(sight, verdict, faults=(*private, *secrets))
    back = set(verdict.put_back) - {fault.rel for fault in refused}
    return _snapshot(sight, verdict, back=back, adopted=verdict.adopt, faults=(*private, *secrets, *refused))


def look(sources: Sources) -> PresentSnapshot:
    """What `observe` would see; nothing is kept, put back or marked."""
    sight = gather(sources, sources.journal.read())
    verdict, secrets = _classified(sight)
    return _snapshot(sight, verdict, faults=secrets)


def _classified(sight: Sight) -> tuple[Verdict, list[Fault]]:
    """What would be adopted is looked at for secrets: adopting makes it an object. One that holds what looks like a
    secret is left where it lies, and out; but what may take something away counts as a guest, for no restraint
    depends on how it is worded."""
    verdict = classify(sight.facts)
    facts, found = sight.facts, dict(sight.facts.found or {})
    faults = []
    for rel in verdict.adopt:
        state = facts.state.pending.get(rel) or facts.state.private.get(rel)
        fault = _secret(rel, sight.loose.get(found[rel].blob, b""))
        if fault is None:
            continue
        # Its models take long to load, and hardly any file has something to hide.
        from cc_git.standing.negative import may_be_negative

        if state is None and not paths.is_private(rel) and may_be_negative(rel):
            found[rel] = replace(found[rel], staged=True)
            faults.append(fault)
        else:
            found[rel] = replace(found[rel], fault=fault)
    return (verdict, []) if found == facts.found else (classify(replace(facts, found=found)), faults)


def _secret(rel: str, data: bytes) -> Fault | None:
    # Only a file that somebody laid there needs it.
    from cc_git.governance.secrets import secrets_in

    one = next(iter(secrets_in(data)), None)
    says = "and is not taken in until it is gone from there, or the file is in a commit"
    return None if one is None else Fault(rel, "secret", f"{one.says}, {says}", one.line)


def _anything_to_do(sources: Sources, state: JournalState, verdict: Verdict) -> bool:
    # The mark is set apart from the journal, so an interrupted write may have left it behind.
    mark_is_wrong = is_marked(sources.place) != bool(verdict.state.pending)
    return bool(verdict.put_back) or mark_is_wrong or _differs(state, verdict.state)


def _differs(old: JournalState, new: JournalState) -> bool:
    if _contents(old) != _contents(new):
        return True
    # Where nothing waits and nothing is watched, it does not matter since when HEAD is followed.
    return bool(new.pending or new.watch) and (old.position, old.tips) != (new.position, new.tips)


def _contents(state: JournalState) -> tuple[object, ...]:
    return state.pending, state.watch, state.private


def _keep(sources: Sources, old: JournalState, sight: Sight, verdict: Verdict) -> None:
    new, journal = verdict.state, sources.journal
    if not _differs(old, new):
        return
    if _contents(old) == _contents(new):
        journal.append(verb="observe", position=new.position, tips=new.tips)
        return
    for rel in verdict.adopt:
        journal.put(sight.loose[(new.pending.get(rel) or new.private[rel])])
    journal.replace(new, verb="observe")


def _put_back(sources: Sources, state: JournalState, rels: tuple[str, ...]) -> list[Fault]:
    """Write the missing files of the journal again, under its lock; what stands there by now is left alone.

    A file that cannot be written (a link in its way, no room) goes on waiting, and is named.
    """
    top = sources.place.top
    assert top is not None
    faults = []
    scratch = scratch_outside(sources.place) if rels else None
    for rel in rels:
        blob = state.pending.get(rel) or state.private[rel]
        try:
            directory = make_folder(top, sources.place.prefix)
            if os.path.lexists(directory / rel):
                continue
            files = {rel: sources.journal.blob(blob)}
            place_files(directory, files, durable=sources.journal.durable, scratch=scratch)
        except OSError as fault:
            faults.append(Fault(rel, "misplaced", f"could not be put back: {fault.strerror}"))
        except CcGitError as fault:
            faults.append(Fault(rel, "misplaced", f"could not be put back: {fault.what}"))
    return faults


def _snapshot(
    sight: Sight,
    verdict: Verdict,
    *,
    back: Iterable[str] = (),
    adopted: Iterable[str] = (),
    faults: Iterable[Fault] = (),
) -> PresentSnapshot:
    facts = sight.facts
    wanted = {entry.oid for entry in verdict.added.values()}
    return PresentSnapshot(
        head=facts.head_commit,
        tree=sight.head.tree,
        committed=sight.head,
        added=verdict.added,
        hidden=verdict.hidden,
        workspace=facts.workspace,
        workspace_fault=sight.workspace_fault,
        waiting=verdict.waiting,
        guests=verdict.guests,
        withdrawn=verdict.withdrawn,
        elsewhere=verdict.elsewhere,
        stranded=verdict.stranded,
        edited=verdict.edited,
        forgotten=verdict.forgotten,
        kept=verdict.kept,
        tombstones=facts.tombstones,
        faults=(*verdict.faults, *faults),
        underway=facts.underway,
        put_back=tuple(sorted(back)),
        adopted=tuple(sorted(adopted)),
        on_branch=sight.on_branch,
        loose={oid: data for oid, data in sight.loose.items() if oid in wanted},
    )
