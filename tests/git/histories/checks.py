"""What must hold after any history: asked of the git program and the disk, not of the code under test."""

from __future__ import annotations

from cc_git.codec import paths
from cc_git.store.loader import reading
from cc_git.store.present import PresentSnapshot, Where, Workspace

from .world import PREFIX, World


def check(world: World, present: PresentSnapshot) -> None:
    entries = dict(present.entries)
    committed = _committed(world, "HEAD")
    published = _ever(world, "--remotes") if "far" in world.ask("remote") else set()
    for rel in world.ours:
        named = _classes(present, committed, rel)
        assert len(named) <= 1, f"{rel} is {named}"
        assert named or rel in published, f"{rel} is lost"
        _check_class(world, present, rel, named[0] if named else "published")
    _check_bytes(world, present)
    state = world.memory.state()
    for rel in world.foreign:
        assert rel not in state.pending, f"foreign {rel} was adopted"
        assert rel not in state.watch, f"foreign {rel} is watched"
        assert rel not in present.put_back
    in_head = {rel for rel in committed if not paths.is_private(rel)}
    assert in_head <= entries.keys()
    assert not world.refused_by_us, world.refused_by_us


def _classes(present: PresentSnapshot, committed: set[str], rel: str) -> list[str]:
    where = present.added.get(rel)
    sets = {
        "committed": rel in committed,
        "waiting": rel in present.waiting,
        "private": where is not None and where.where is Where.PRIVATE,
        "guest": rel in present.guests,
        "withdrawn": rel in present.withdrawn,
        "elsewhere": rel in present.elsewhere,
        "stranded": rel in present.stranded,
    }
    return [name for name, holds in sets.items() if holds]


def _check_class(world: World, present: PresentSnapshot, rel: str, name: str) -> None:
    """Each class against Git's own account of the history."""
    path = PREFIX + rel
    if name == "withdrawn":
        assert world.ask("log", "--format=%h", "-1", "--full-history", "HEAD", "--", path), (
            f"{rel} never was in HEAD's history"
        )
    elif name == "elsewhere":
        assert world.ask("log", "--format=%h", "-1", "--exclude=refs/stash", "--all", "--full-history", "--", path)
    elif name == "stranded":
        # That a branch held it once, in a commit that HEAD never was on, nobody looks for: it is offered, and named.
        tips = set(world.ask("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes").split())
        assert not [tip for tip in tips if rel in _committed(world, tip)], f"{rel} is no stranded record"
    elif name in ("committed", "waiting"):
        assert rel in present.entries


def _check_bytes(world: World, present: PresentSnapshot) -> None:
    """Every acknowledged record can be read with the bytes it was written with."""
    state = world.memory.state()
    with world.memory.command() as sources:
        for rel, data in world.ours.items():
            entry = present.entries.get(rel)
            if entry is None:
                assert rel not in state.watch or sources.journal.blob(state.watch[rel].blob) == data
            elif entry.where is Where.GUEST:
                assert reading(present.loose, sources.journal.blob)(entry.oid) == data
            else:
                read = sources.engine.blob if entry.where is Where.COMMITTED else sources.journal.blob
                assert read(entry.oid) == data


def check_at_rest(world: World) -> None:
    """With every operation ended: a second look finds nothing to do, and no waiting file is missing unless stashed."""
    for verb in ("merge", "rebase", "cherry-pick", "revert"):
        if world.underway:
            world.process(verb, "--abort")
            world.process(verb, "--quit")
    world.process("bisect", "reset")
    first = world.look()
    before = world.memory.state()
    second = world.look()
    assert world.memory.state() == before
    assert second.put_back == ()
    assert (second.waiting, second.guests) == (first.waiting, first.guests)
    # A stash whose reflog expired is listed no longer and still a ref.
    stashes = {*world.ask("stash", "list", "--format=%H").split(), *world.ask("rev-parse", "-q", "refs/stash").split()}
    stashed = {name for stash in stashes for name in _in_stash(world, stash)}
    away = PREFIX + paths.PRIVATE_IGNORE in stashed
    private = [rel for rel in second.added if paths.is_private(rel) and not away]
    for rel in (*second.waiting, *private):
        if PREFIX + rel not in stashed and first.workspace is not Workspace.ABSENT:
            assert (world.top / PREFIX / rel).is_file(), f"waiting {rel} is not on disk"


def _in_stash(world: World, stash: str) -> set[str]:
    trees = (stash, f"{stash}^2", f"{stash}^3")
    return {name for tree in trees for name in world.ask("ls-tree", "-r", "--name-only", tree).split("\n") if name}


def _committed(world: World, revision: str) -> set[str]:
    listed = world.ask("ls-tree", "-r", "--name-only", revision, "--", PREFIX)
    return {name.removeprefix(PREFIX) for name in listed.split("\n") if name}


def _ever(world: World, refs: str) -> set[str]:
    listed = world.ask("log", "--format=", "--name-only", "-m", refs, "--", PREFIX)
    return {name.removeprefix(PREFIX) for name in listed.split("\n") if name}
