"""Which engine serves a repository, why, and whose repositories are opened at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cc_git.errors import Refused, Unsupported, UsageFault
from cc_git.store.engine import Engine
from cc_git.store.git import Git
from cc_git.store.place import Place
from cc_git.store.repository import open_repository

NOBODY = 65_534
Run = Callable[..., str]


def opened(top: Path, **more: str) -> Engine:
    place = Place(top, top / ".git", top / ".git", ".continuity")
    return open_repository(place, Git(place, {**os.environ, **more}))


def told(engine: Engine) -> tuple[str, str, str | None]:
    said = engine.served_by, engine.object_format, engine.head()[0]
    engine.close()
    return said


def test_libgit2_serves_where_it_can(repository: Path) -> None:
    said, object_format, branch = told(opened(repository))
    assert said.startswith("libgit2 1.")
    assert (object_format, branch) == ("sha1", "refs/heads/main")


def test_the_git_program_serves_where_it_is_asked_for(repository: Path) -> None:
    said, object_format, branch = told(opened(repository, CC_GIT_ENGINE="git"))
    assert said.startswith("the git program 2.")
    assert said.endswith("(CC_GIT_ENGINE=git)")
    assert (object_format, branch) == ("sha1", "refs/heads/main")


def test_the_git_program_serves_sha256(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "wide")
    said, object_format, branch = told(opened(tmp_path / "wide"))
    assert said.startswith("the git program 2.")
    assert "sha256" in said
    assert (object_format, branch) == ("sha256", "refs/heads/main")


def test_the_git_program_serves_reftable(tmp_path: Path, git: Run, of_kind: Callable[[str], None]) -> None:
    of_kind("reftable")
    git(tmp_path, "init", "-q", "tables")
    git(tmp_path / "tables", "commit", "-q", "--allow-empty", "-m", "one")
    engine = opened(tmp_path / "tables")
    assert engine.head() == ("refs/heads/main", git(tmp_path / "tables", "rev-parse", "HEAD"))
    said, object_format, _ = told(engine)
    assert "refstorage" in said
    assert object_format == "sha1"


def test_an_extension_that_git_itself_does_not_know_is_refused_in_gits_words(repository: Path, git: Run) -> None:
    git(repository, "config", "core.repositoryFormatVersion", "1")
    git(repository, "config", "extensions.tomorrow", "yes")
    with pytest.raises(Unsupported) as refusal:
        opened(repository)
    assert "tomorrow" in (refusal.value.why or "")


def test_a_format_from_the_future_is_refused_in_gits_words(repository: Path, git: Run) -> None:
    git(repository, "config", "core.repositoryFormatVersion", "7")
    with pytest.raises(Unsupported) as refusal:
        opened(repository)
    assert "7" in (refusal.value.why or "")


def test_libgit2_asked_for_where_it_cannot_says_what_helps(tmp_path: Path, git: Run) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "wide")
    with pytest.raises(Unsupported, match="libgit2 cannot open") as refusal:
        opened(tmp_path / "wide", CC_GIT_ENGINE="libgit2")
    assert refusal.value.hints[0] == "unset CC_GIT_ENGINE"


def test_an_engine_that_nobody_knows_is_a_fault_of_use(repository: Path) -> None:
    with pytest.raises(UsageFault, match="jgit"):
        opened(repository, CC_GIT_ENGINE="jgit")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository to somebody else")
@pytest.mark.parametrize("engine", ["libgit2", "git"])
class TestForeignOwner:
    @pytest.fixture
    def foreign(self, repository: Path) -> Path:
        for path in (repository, *repository.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        return repository

    def test_is_refused_with_gits_own_words(self, foreign: Path, engine: str) -> None:
        with pytest.raises(Refused, match="does not trust") as refusal:
            opened(foreign, CC_GIT_ENGINE=engine)
        assert "dubious ownership" in (refusal.value.why or "")
        assert refusal.value.hints == (f"git config --global --add safe.directory {foreign}",)

    def test_is_opened_where_the_users_configuration_trusts_it(self, foreign: Path, engine: str, git: Run) -> None:
        git(foreign, "config", "--global", "safe.directory", str(foreign))
        assert told(opened(foreign, CC_GIT_ENGINE=engine))[2] == "refs/heads/main"

    def test_is_opened_where_git_trusts_it_by_a_variable_that_libgit2_does_not_know(
        self, foreign: Path, engine: str
    ) -> None:
        # git takes safe.directory from the environment of the command line alone, as `git -c` hands it on
        trusting = {"GIT_CONFIG_PARAMETERS": f"'safe.directory'='{foreign}'"}
        assert told(opened(foreign, CC_GIT_ENGINE=engine, **trusting))[2] == "refs/heads/main"

    def test_is_refused_where_only_a_file_that_git_was_told_to_leave_trusts_it(
        self, foreign: Path, engine: str, sealed: Path
    ) -> None:
        (sealed / "trusting").write_text("[safe]\n\tdirectory = *\n")
        (sealed / ".gitconfig").write_text("[safe]\n\tdirectory = *\n")
        with pytest.raises(Refused, match="does not trust"):
            opened(foreign, CC_GIT_ENGINE=engine, GIT_CONFIG_GLOBAL="/dev/null")
        assert told(opened(foreign, CC_GIT_ENGINE=engine, GIT_CONFIG_GLOBAL=str(sealed / "trusting")))[2]
