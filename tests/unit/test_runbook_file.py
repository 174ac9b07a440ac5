"""What a command changes in a runbook's file, and what it leaves."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from cc_git.codec.files import decode, encode
from cc_git.codec.paths import runbook_path
from cc_git.codec.runbook_file import edited
from cc_git.model.ids import new_id
from cc_git.model.runbook import Runbook
from tests.unit.compiler.world import NOW

ID = new_id("rb", NOW, bytes(10))
BY_HAND = f'''# How we release. Ask Ben before changing it.
format = "cc-git/1"
id = "{ID}"   # never changes
title = "Release"    # short, please

kind   =   "procedure"
do = [
  "tag",      # signed
  # not on Fridays
  "push",
]
cadence = {{ every = "month" }}

[owner]
name = "ben"  # for now
'''


def test_comments_layout_and_unknown_keys_stay() -> None:
    changed = edited(BY_HAND.encode(), {"title": "Cut a release", "do": ["tag", "push", "announce"]}).decode()
    assert changed == BY_HAND.replace('"Release"', '"Cut a release"').replace(
        '  "push",\n', '  "push",\n  "announce",\n'
    )


def test_an_item_in_the_middle_is_put_there_and_one_that_goes_takes_its_own_comment() -> None:
    assert edited(BY_HAND.encode(), {"do": ["tag", "look", "push"]}).decode() == BY_HAND.replace(
        '  "push",\n', '  "look",\n  "push",\n'
    )
    assert edited(BY_HAND.encode(), {"do": ["push"]}).decode() == BY_HAND.replace('  "tag",      # signed\n', "")


def test_a_new_field_comes_before_the_tables_and_an_empty_one_goes() -> None:
    changed = edited(BY_HAND.encode(), {"verify": ["seen"], "do": []}).decode()
    found = tomllib.loads(changed)
    assert (found["verify"], "do" in found, found["owner"]) == (["seen"], False, {"name": "ben"})
    assert "# How we release" in changed and "# for now" in changed


def test_what_a_terminal_must_not_see_is_escaped() -> None:
    changed = edited(BY_HAND.encode(), {"title": "a\u202eb", "do": ["tag", "push", "c\u001b[31m"]})
    assert b"\\u202E" in changed and b"\\u001B" in changed and b"\x1b" not in changed


_ITEMS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=8), max_size=5)


@given(_ITEMS, _ITEMS)
def test_any_list_becomes_any_other(before: list[str], after: list[str]) -> None:
    data = encode(Runbook(id=ID, title="x", do=tuple(before)))
    book = decode(runbook_path("x"), edited(data, {"do": after}))
    assert isinstance(book, Runbook) and book.do == tuple(after)
