"""Targets in many spellings: a deny meets them all, a grant only what it covers as it is spelled and as it resolves."""

from __future__ import annotations

import pytest

from cc_git.compiler.spellings import grants, meets, resolved, within

SPELLINGS = (
    "./staging/x", "/staging/x", "STAGING/x", "prod/../staging/x", "staging\\x", "staging%2fx", "staging%252Fx",
    "staging//x", "prod/./../staging/./x", "/..//Staging\\x", "staging/../staging/x",
)  # fmt: skip


@pytest.mark.parametrize("target", SPELLINGS)
def test_a_deny_covers_every_spelling_of_its_target(target: str) -> None:
    assert resolved(target) == "staging/x"
    assert meets("staging/*", target) and within("staging/*", target)


def test_a_deny_is_read_widely_in_its_own_spelling_too() -> None:
    assert within("./Staging/*", "staging/x") and within("/staging/*", "staging/x")
    assert meets("prod/*", "prod/../staging/x"), "as it is spelled it stays denied"
    assert not meets("staging/*", "prod/x")


@pytest.mark.parametrize("target", SPELLINGS)
def test_a_grant_covers_no_other_spelling(target: str) -> None:
    assert grants("staging/*", target) == (target in ("staging//x", "staging/../staging/x"))
    assert grants("*", target)


def test_a_grant_does_not_reach_out_of_its_folder() -> None:
    assert not grants("prod/*", "prod/../staging/x")
    assert grants("staging/*", "staging/") and grants("Staging/*", "Staging/x")
    assert not grants("staging/*", "Staging/x")
