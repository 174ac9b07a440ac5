"""The histories of these modules once more, in SHA-256 and reftable repositories: both are read by the git program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.git import (
    test_commit_taken_back,
    test_present_files,
    test_present_operations,
    test_present_ordinary,
    test_present_others,
)
from tests.git.test_commit_taken_back import failed, twins

__all__ = ["failed", "twins"]
_OF_LIBGIT2_ALONE = {"test_nothing_moved_starts_no_process_and_writes_nothing"}

for _module in (
    test_commit_taken_back,
    test_present_files,
    test_present_operations,
    test_present_ordinary,
    test_present_others,
):
    for _name, _value in vars(_module).items():
        if _name.startswith("test_") and _name not in _OF_LIBGIT2_ALONE:
            assert _name not in globals(), _name
            globals()[_name] = _value


@pytest.fixture(autouse=True, params=["sha256", "reftable"])
def kind(request: pytest.FixtureRequest, of_kind: Callable[[str], None]) -> None:
    if request.param == "reftable" and "reflog" in request.node.name:
        pytest.skip("reflogs in tables are no files that a test could take away")
    of_kind(request.param)
