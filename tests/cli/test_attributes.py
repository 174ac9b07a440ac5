"""Attributes that would change the bytes of memory are named with their file: from the command line."""

from __future__ import annotations

import pytest

from tests.cli.people import Clone

OWN = ".continuity/.gitattributes"


def _add(ana: Clone, file: str, line: str) -> None:
    path = ana.top / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + line + "\n")


@pytest.mark.parametrize(
    ("file", "line", "named"),
    [
        (OWN, "* working-tree-encoding=UTF-16", "working-tree-encoding=UTF-16"),
        (OWN, "* filter=x", "filter=x"),
        (OWN, "* text eol=crlf", "text"),
        (OWN, "* ident", "ident"),
        (".continuity/records/.gitattributes", "*.toml text=auto", "text=auto"),
        (".git/info/attributes", "*.toml filter=x", "filter=x"),
    ],
)
def test_a_converting_attribute_is_named_with_its_file(ana: Clone, file: str, line: str, named: str) -> None:
    _add(ana, file, line)
    ana.cc("remember", "Tabs, not spaces", "--kind", "decision", "--set", "rationale=taste")
    refused = ana.run("commit", code=3)
    for said in (refused.err, str(ana.data("status")["faults"]), ana.run("doctor", code=None).out):
        assert f"`{named}`" in " ".join(said.split())
        assert file in said.replace("\n", "").replace(" ", "")
    (ana.top / file).write_text("" if file != OWN else "* -text -ident -filter -working-tree-encoding\n")
    ana.commit()


def test_an_edit_that_converts_nothing_is_not_named_and_a_lost_line_is(ana: Clone) -> None:
    assert ana.data("status")["faults"] == []
    _add(ana, OWN, "* linguist-generated")
    assert ana.data("status")["faults"] == []
    (ana.top / OWN).write_text("* linguist-generated\n")
    (fault,) = ana.data("status")["faults"]
    assert "lacks the line" in str(fault)


@pytest.mark.parametrize("line", ["* working-tree-encoding=UTF-16", "* filter=x"])
def test_the_hook_names_what_keeps_memory_out_of_the_users_commit(ana: Clone, line: str) -> None:
    ana.cc("hooks", "install")
    ana.git("config", "filter.x.clean", "tr a-z A-Z")
    ana.cc("remember", "Tabs, not spaces", "--kind", "decision", "--set", "rationale=taste")
    _add(ana, OWN, line)
    (ana.top / "code.c").write_text("int main(void) { return 2; }\n")
    ana.git("add", "code.c")
    said = ana.git("commit", "--quiet", "-m", "Work")
    assert OWN in said, said
    assert ".toml" not in ana.git("show", "--stat", "--format=", "HEAD")
