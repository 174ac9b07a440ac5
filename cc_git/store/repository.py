"""Opening what a command needs of the user's repository: the engine, and every workspace in it."""

from __future__ import annotations

from cc_git.codec.paths import WORKSPACE_DIR, WORKSPACE_FILE
from cc_git.store.engine import Engine
from cc_git.store.engines import open_engine
from cc_git.store.git import Git
from cc_git.store.place import Place


def open_repository(place: Place, git: Git) -> Engine:
    """The engine for the user's repository; the git program decides whether its owner is to be trusted."""
    return open_engine(place.git_dir, place.top, git.environ, git.refusal)


def workspaces(place: Place, git: Git, engine: Engine) -> tuple[str, ...]:
    """The prefixes of all workspaces of the repository, sorted: in the work tree and index, or in a bare one's HEAD.

    Submodules are repositories of their own and not looked into.
    """
    wanted = f"{WORKSPACE_DIR}/{WORKSPACE_FILE}"
    if place.top is None:
        commit = engine.head()[1]
        paths = iter(engine.files(engine.commit(commit).tree)) if commit else iter(())
    else:
        listed = git.run(
            "ls-files", "-z", "--full-name", "--cached", "--others", "--", f":(top,glob)**/{wanted}"
        )  # fmt: skip
        paths = (name.decode("utf-8", "surrogateescape") for name in listed.stdout.split(b"\0") if name)
    found = {path.removesuffix(f"/{WORKSPACE_FILE}") for path in paths if f"/{path}".endswith(f"/{wanted}")}
    return tuple(sorted(found))
