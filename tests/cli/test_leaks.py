"""What is private gets into no commit, whatever way a file is laid or a thing is named; what may be committed does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.people import Clone, World
from tests.cli.test_sensitivity import raise_ceiling

WORD = "SECRETWORD"
ULID = "01kb7z9n00{:016d}"
STOPPED = "this commit is stopped: it holds what is to stay private"


class Secret:
    """A private record and its episode in Ana's clone, where the hook is installed."""

    def __init__(self, ana: Clone) -> None:
        ana.cc("hooks", "install")
        done = ana.data("remember", f"The {WORD} is here", "--sensitivity", "sensitive")
        assert done["private"] is True
        self.record = next(i for i in done["made"] if i.startswith("blf"))
        self.episode = next(i for i in done["made"] if i.startswith("ep"))
        self.receipt = next(i for i in done["files"] if i.startswith("rc"))
        self.home = ana.top / ".continuity"
        self.rels = {i: Path(rel) for i, rel in done["files"].items()}

    def file(self, identifier: str) -> Path:
        return self.home / self.rels[identifier]

    def tracked(self, identifier: str) -> Path:
        return self.home / self.rels[identifier].relative_to("private")

    def moved(self, identifier: str) -> Path:
        target = self.tracked(identifier)
        target.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.move(self.file(identifier), target))


@pytest.fixture
def secret(ana: Clone) -> Secret:
    return Secret(ana)


def laid(ana: Clone, *, number: int = 1, content: str = "x", **more: str) -> Path:
    """A decision that an agent writes by hand; `more` are further lines of TOML by their key."""
    identifier = f"dec_{ULID.format(number)}"
    file = ana.top / f".continuity/records/decision/2025-11/{identifier}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        'format = "cc-git/1"', f'id = "{identifier}"', 'kind = "decision"', 'title = "Told by hand"',
        f'content = "{content}"', 'authority = "agent-explicit"', 'actor = "agent:x"',
        "recorded_at = 2025-11-29T12:00:00Z", *(f"{key} = {value}" for key, value in more.items()), "[decision]",
    ]  # fmt: skip
    file.write_text("\n".join(lines) + "\n")
    return file


def stopped(ana: Clone, file: Path) -> str:
    """By Git with the hook, by `cc-git commit`, and as what joins another commit; what the hook said."""
    ana.git("add", "--all")
    said = ana.git("commit", "-m", "Mine", code=1)
    assert STOPPED in said and str(file.relative_to(ana.top)) in said
    assert "git restore --staged" in said and "private/" in said
    before = file.read_bytes()
    told = ana.run("commit").err
    assert "left out: " in told and file.name in told
    ana.git("reset", "--quiet")
    ana.run("commit")
    (ana.top / "code.c").write_text("mine\n")
    ana.git("commit", "--quiet", "-m", "Code", "code.c")
    (ana.top / "code.c").write_text("mine again\n")
    ana.git("commit", "--quiet", "-am", "Code")
    assert file.name not in ana.git("log", "--all", "--name-only", "--format=")
    assert file.read_bytes() == before
    assert ana.git("grep", "-l", WORD, "HEAD", code=None) == ""
    return said


# laid by hand


@pytest.mark.parametrize("what", ["record", "episode", "receipt"])
def test_a_private_file_that_was_moved_out(ana: Clone, secret: Secret, what: str) -> None:
    file = secret.moved(getattr(secret, what))
    stopped(ana, file)
    assert secret.file(getattr(secret, what)).exists(), "put back by the command"


def test_a_moved_one_that_no_command_saw_is_stopped_all_the_same(ana: Clone, secret: Secret) -> None:
    secret.moved(secret.record)
    shutil.rmtree(secret.home / "private")
    ana.git("add", "--all")
    assert STOPPED in ana.git("commit", "-m", "Mine", code=1)


def test_a_copy_without_its_sensitivity(ana: Clone, secret: Secret) -> None:
    file = secret.tracked(secret.record)
    file.parent.mkdir(parents=True)
    file.write_text(secret.file(secret.record).read_text().replace('sensitivity = "sensitive"\n', ""))
    said = stopped(ana, file)
    assert "is private on this clone" in said


def test_a_copy_that_the_journal_alone_remembers(ana: Clone, secret: Secret) -> None:
    text = secret.file(secret.record).read_text().replace('sensitivity = "sensitive"\n', "")
    secret.file(secret.record).unlink()
    file = secret.tracked(secret.record)
    file.parent.mkdir(parents=True)
    file.write_text(text)
    ana.git("add", "--all")
    assert "is private on this clone" in ana.git("commit", "-m", "Mine", code=1)


def test_a_private_file_of_another_worktree(ana: Clone, secret: Secret, world: World) -> None:
    other = Clone(world.folder / "other", "ana")
    ana.git("worktree", "add", "--quiet", str(other.top))
    file = other.top / ".continuity" / secret.rels[secret.record].relative_to("private")
    file.parent.mkdir(parents=True)
    file.write_text(secret.file(secret.record).read_text().replace('sensitivity = "sensitive"\n', ""))
    other.git("add", "--all")
    assert STOPPED in other.git("commit", "-m", "Mine", code=1)


PLACES = {
    "quarantine": "quarantine/im_01kb7z9n000000000000000001/{name}",
    "rulings": "rulings/2026-12/{name}",
    "attachments": "attachments/2026-12-01/{name}",
    "an attachment by another name": "attachments/2026-12-01/ep_01kb7z9n000000000000000001-1",
    "episodes": "episodes/2026-12-01/{name}",
    "runbooks": "runbooks/{name}",
    "a text beside": ".notes/text.md",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_private_file_in_any_other_folder(ana: Clone, secret: Secret, place: str) -> None:
    file = secret.home / place.format(name=secret.file(secret.record).name)
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(secret.file(secret.record), file)
    ana.git("add", "--all")
    said = ana.git("commit", "-m", "Mine", code=1)
    assert STOPPED in said and str(file.relative_to(ana.top)) in said
    assert WORD not in ana.git("log", "--all", "-p")


def test_the_bytes_of_a_private_file_by_any_name(ana: Clone, secret: Secret) -> None:
    shutil.copy(secret.file(secret.receipt), secret.home / "page.txt")
    ana.git("add", "--all")
    assert "has the bytes of a private file" in ana.git("commit", "-m", "Mine", code=1)


@pytest.mark.parametrize(
    "link",
    [
        {"sources": '["{episode}"]'},
        {"derived_from": '["{record}"]'},
        {"supersedes": '["{decision}"]'},
        {"conflicts_with": '["{decision}"]'},
        {"relations": '[{{ rel = "supports", to = "{record}" }}]'},
        {"anchors": '[{{ path = ".continuity/private/notes about it.txt" }}]'},
        {"anchors": '[{{ path = ".continuity/records/../private/x.txt" }}]'},
        {"sources": '[".continuity/%70rivate/x.txt"]'},
        {"some_later_field": '{{ deep = ["{record}"] }}'},
        {"content": "as {record} says"},
        {"content": "as {escaped} says"},
    ],
    ids=lambda link: " ".join(f"{key} {value}" for key, value in link.items()),
)
def test_a_record_that_names_something_private(ana: Clone, secret: Secret, link: dict[str, str]) -> None:
    escaped = f"\\u{ord(secret.record[0]):04x}{secret.record[1:]}"
    done = ana.data("remember", "Hidden", "--kind", "decision", "--sensitivity", "sensitive")
    ids = {"episode": secret.episode, "record": secret.record, "escaped": escaped}
    ids["decision"] = next(i for i in done["made"] if i.startswith("dec"))
    file = laid(ana, **{key: value.format(**ids) for key, value in link.items()})
    assert "is private" in stopped(ana, file)


def test_a_ruling_that_names_something_private(ana: Clone, secret: Secret) -> None:
    file = secret.home / f"rulings/2025-11/ru_{ULID.format(3)}.toml"
    file.parent.mkdir(parents=True)
    file.write_text(
        f'format = "cc-git/1"\nid = "{file.stem}"\nverb = "confirm"\ntargets = ["{secret.record}"]\n'
        f'reason = "it says so"\nauthority = "agent-explicit"\nactor = "agent:x"\nrecorded_at = 2025-11-29T12:00:00Z\n'
    )
    stopped(ana, file)
    assert "it holds what is to stay private" not in ana.git("status")


def test_a_stated_sensitivity_above_the_ceiling(ana: Clone, secret: Secret) -> None:
    said = stopped(ana, laid(ana, sensitivity='"sensitive"'))
    assert "says that it is sensitive, and up to limited is committed here" in said


def test_a_broken_file_that_says_it_and_a_policy_that_only_warns(ana: Clone, secret: Secret) -> None:
    policy = secret.home / "workspace.toml"
    policy.write_text(policy.read_text().replace("[policy]", '[policy]\nbroken_records = "warn"'))
    file = laid(ana, sensitivity='"sensitive"')
    file.write_text(file.read_text() + "title = \n")
    ana.git("add", "--all")
    assert STOPPED in ana.git("commit", "-m", "Mine", code=1)


def test_what_was_forgotten_in_private_is_named_nowhere(ana: Clone, secret: Secret) -> None:
    digest = ana.data("forget", secret.record, "--dry-run")["plan"]["digest"]
    ana.person("forget", secret.record, "--confirm", digest)
    ana.git("add", "--all")
    ana.git("commit", "--quiet", "-m", "Forgotten", code=None)
    ana.git("reset", "--quiet")
    file = laid(ana, derived_from=f'["{secret.record}"]')
    ana.git("add", str(file))
    assert "is private on this clone" in ana.git("commit", "-m", "Mine", code=1)


def test_a_tree_that_raises_the_ceiling_in_the_same_commit_lets_nothing_through(ana: Clone, secret: Secret) -> None:
    policy = secret.home / "workspace.toml"
    policy.write_text(policy.read_text().replace('tracked_ceiling = "limited"', 'tracked_ceiling = "restricted"'))
    secret.moved(secret.record)
    ana.git("add", "--all")
    assert STOPPED in ana.git("commit", "-m", "Mine", code=1)


def test_a_tree_that_lowers_the_ceiling_keeps_back_what_is_limited(ana: Clone, secret: Secret) -> None:
    ana.cc("remember", "Among us", "--sensitivity", "limited")
    policy = secret.home / "workspace.toml"
    policy.write_text(policy.read_text().replace('tracked_ceiling = "limited"', 'tracked_ceiling = "ordinary"'))
    told = ana.run("commit")
    assert "says that it is limited, and up to ordinary is committed here" in told.err
    assert "limited" not in ana.git("grep", "-h", "sensitivity", "HEAD", code=None)


def staged(ana: Clone, rel: str, data: str) -> Path:
    """Laid by hand below the workspace and put into the index, also by force."""
    file = ana.top / ".continuity" / rel
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(data)
    ana.git("add", "--force", str(file))
    return file


def test_what_passes_for_a_mark(ana: Clone, secret: Secret) -> None:
    mark = f'format = "cc-git/1"\nid = "{secret.record}"\n'
    month = secret.rels[secret.record].parent.name
    staged(ana, "tombstones/notes.txt", secret.file(secret.record).read_text())
    staged(ana, f"tombstones/{month}/{secret.record}.toml", f'{mark}content = "{WORD}"\n')
    staged(ana, f"endings/{month}/{secret.record}.toml", f"{mark}# {WORD}\n")
    said = ana.git("commit", "-m", "Mine", code=1)
    assert STOPPED in said and said.count("error: .continuity/") == 3
    ana.git("reset", "--quiet")
    assert ana.run("commit").err.count("left out: ") == 2
    assert ana.git("grep", "-l", WORD, "HEAD", code=None) == ""


def test_a_submodule_or_a_link_in_the_place_of_a_private_file(ana: Clone, secret: Secret) -> None:
    place = secret.tracked(secret.record).relative_to(ana.top)
    for mode, oid in (("160000", "1" * 40), ("120000", ana.git("rev-parse", "HEAD:code.c").strip())):
        ana.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{place}")
        assert "error: " + str(place) in ana.git("commit", "-m", "Mine", code=1)
        ana.git("update-index", "--force-remove", str(place))


def test_what_a_submodule_makes_of_the_id_is_not_known_to_all(ana: Clone, secret: Secret) -> None:
    place = secret.tracked(secret.record).relative_to(ana.top)
    ana.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},{place}")
    ana.git("commit", "--quiet", "--no-verify", "-m", "Laundry")
    ana.git("rm", "--quiet", "--cached", str(place))
    laid(ana, derived_from=f'["{secret.record}"]')
    ana.git("add", ".continuity")
    assert STOPPED in ana.git("commit", "-m", "Mine", code=1)


def test_the_private_folder_of_a_workspace_that_the_commit_lacks(ana: Clone, secret: Secret) -> None:
    ana.git("rm", "--quiet", "--cached", ".continuity/workspace.toml")
    file = staged(ana, "private/runbooks/zebra-door.toml", f'title = "{WORD}"\n')
    assert "it holds a private file" in ana.git("commit", "-m", "Mine", code=1)
    ana.git("reset", "--quiet", "--", str(file))
    ana.git("commit", "--quiet", "-m", "No workspace here")
    (secret.home / "workspace.toml").unlink()
    ana.git("add", "--force", str(file))
    said = ana.git("commit", "-m", "Mine", code=1)
    assert "it holds a private file" in said and "zebra-door.toml" in said


def test_a_revoke_with_a_made_up_target_names_what_is_private(ana: Clone, secret: Secret) -> None:
    ruling = f"ru_{ULID.format(3)}"
    blob = ana.git("hash-object", str(secret.file(secret.record)))
    text = (
        f'format = "cc-git/1"\nid = "{ruling}"\nverb = "revoke"\nauthority = "agent-explicit"\nactor = "agent:x"\n'
        "recorded_at = 2025-11-29T12:00:00Z\n"
    )
    rel = f"rulings/2025-11/{ruling}.toml"
    staged(ana, rel, f'{text}targets = ["prm_{ULID.format(9)}", "{secret.record}"]\n')
    assert f"names {secret.record[:3]}" in ana.git("commit", "-m", "Mine", code=1)
    known = ana.made("remember", "Known to all", prefix="blf")
    staged(ana, rel, f'{text}targets = ["{known}", "{secret.record}"]\nsaw = ["{"0" * 40}", "{blob}"]\n')
    assert "anybody could test a guess" in ana.git("commit", "-m", "Mine", code=1)
    staged(ana, rel, f'{text}targets = ["{known}", "{secret.record}"]\n')
    ana.git("commit", "--quiet", "-m", "Mine")


def test_what_a_merge_brought_past_the_hook_is_found_afterwards(ana: Clone, secret: Secret) -> None:
    ana.git("switch", "--quiet", "--create", "side")
    (ana.top / "code.c").write_text("side\n")
    copy = secret.tracked(secret.episode)
    copy.parent.mkdir(parents=True)
    shutil.copy(secret.file(secret.episode), copy)
    hidden = secret.file(secret.record).relative_to(secret.home)
    ana.git("add", "--force", str(copy), str(secret.home / hidden))
    ana.git("commit", "--quiet", "--no-verify", "-am", "Past the hook")
    ana.git("switch", "--quiet", "main")
    ana.git("merge", "--quiet", "--no-ff", "--no-edit", "side")
    for command in ("status", "doctor"):
        assert f"{hidden}: is in a commit" in ana.run(command, code=None).out.replace("\n", "")
    found = ana.run("check", "--range", "HEAD^1", code=1).out
    assert str(hidden) in found and f"{copy.relative_to(ana.top)}" in found


# what may be committed


def test_the_remedy_puts_it_back_and_the_commit_goes_on(ana: Clone, secret: Secret) -> None:
    secret.moved(secret.record)
    note = laid(ana, derived_from=f'["{secret.record}"]')
    (ana.top / "code.c").write_text("mine\n")
    ana.git("add", "--all")
    ana.git("commit", "-m", "Mine", code=1)
    ana.git("restore", "--staged", ".continuity")
    for file in (secret.tracked(secret.record), note):
        hidden = secret.home / "private" / file.relative_to(secret.home)
        hidden.parent.mkdir(parents=True, exist_ok=True)
        file.rename(hidden)
    ana.git("add", "--all")
    ana.git("commit", "--quiet", "-m", "Mine")
    assert "left out" not in ana.run("commit").err
    assert secret.file(secret.record).exists() and not note.exists()
    assert ana.data("show", note.stem)["value"]["title"] == "Told by hand"


def test_what_was_adopted_before_it_was_put_away_does_not_come_back(ana: Clone, secret: Secret) -> None:
    note = laid(ana, derived_from=f'["{secret.record}"]')
    ana.cc("status")
    hidden = secret.home / "private" / note.relative_to(secret.home)
    hidden.parent.mkdir(parents=True, exist_ok=True)
    note.rename(hidden)
    ana.cc("status")
    assert hidden.exists() and not note.exists()
    assert "left out" not in ana.run("commit").err


def test_status_names_a_copy_of_what_is_private(ana: Clone, secret: Secret) -> None:
    secret.moved(secret.record)
    assert "is private: the private tier holds it" in ana.cc("status")


def test_a_ceiling_that_a_person_raised(ana: Clone, secret: Secret) -> None:
    raise_ceiling(ana, "sensitive")
    ana.person("trust", "--tracked-ceiling", "sensitive")
    secret.moved(secret.record)
    secret.moved(secret.episode)
    laid(ana, derived_from=f'["{secret.record}"]', sensitivity='"sensitive"')
    ana.git("add", "--all")
    ana.git("commit", "--quiet", "-m", "Ours")
    assert WORD in ana.git("show", "HEAD")
    ana.cc("remember", "More of it", "--sensitivity", "sensitive")
    assert "left out" not in ana.run("commit").err
    assert "More of it" in ana.git("show", "HEAD")


def test_the_ceiling_of_the_accepted_branch(accepted: Clone) -> None:
    raise_ceiling(accepted, "sensitive")
    accepted.git("push", "--quiet", "origin", "HEAD")
    accepted.cc("hooks", "install")
    accepted.cc("remember", f"The {WORD}", "--sensitivity", "sensitive")
    (accepted.top / "code.c").write_text("mine\n")
    accepted.git("commit", "--quiet", "-am", "Mine")
    assert WORD in accepted.git("show", "HEAD")


def test_what_a_person_lowered_on_purpose(ana: Clone, secret: Secret) -> None:
    less = ("remember", "Nothing of it is secret", "--derived-from", secret.record, "--sensitivity", "ordinary")
    ana.person(*less, answers=("y",))
    (ana.top / "code.c").write_text("mine\n")
    said = ana.git("commit", "-am", "Mine")
    assert "left out" not in said and "Nothing of it is secret" in ana.git("show", "HEAD")
    lines = [line for line in ana.data("list") if not line["private"]]
    further = ana.agent().data("remember", "So we may tell it", "--derived-from", lines[0]["id"])
    assert further["private"] is False


def test_a_merge_and_a_cherry_pick_of_what_history_has(ana: Clone, secret: Secret, world: World) -> None:
    ben = world.clone("ben")
    laid(ben, sensitivity='"sensitive"')
    (ben.top / "code.c").write_text("ben\n")
    ben.git("add", "--all")
    ben.git("commit", "--quiet", "-m", "Ben's")
    ben.git("push", "--quiet", "origin", "HEAD:refs/heads/ben")
    (ana.top / "code.c").write_text("ana\n")
    ana.git("commit", "--quiet", "-am", "Ana's")
    ana.git("fetch", "--quiet")
    for words in (("cherry-pick", "origin/ben"), ("merge", "origin/ben")):
        ana.git("switch", "--quiet", "--create", words[0])
        ana.git(*words, code=1)
        (ana.top / "code.c").write_text("both\n")
        ana.git("add", "code.c")
        assert "stopped" not in ana.git("commit", "--no-edit")
        ana.git("switch", "--quiet", "main")


def test_what_a_local_branch_stashed_is_not_out(ana: Clone, secret: Secret) -> None:
    laid(ana, sensitivity='"sensitive"')
    ana.git("add", "--all")
    ana.git("stash", "--quiet")
    ana.git("stash", "apply", "--quiet", "--index")
    assert STOPPED in ana.git("commit", "-m", "Mine", code=1)


def test_what_is_tracked_and_was_copied_into_private_stays_ordinary(ana: Clone, secret: Secret) -> None:
    done = ana.data("remember", "Known to all")
    ana.commit()
    record = next(i for i in done["made"] if i.startswith("blf"))
    rel = done["files"][record]
    (secret.home / "private" / rel).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(secret.home / rel, secret.home / "private" / rel)
    assert ana.data("remember", "So be it", "--derived-from", record)["private"] is False
    ana.git("add", "--all")
    ana.git("commit", "--quiet", "-m", "Mine")


def test_what_another_tool_says_of_its_files_is_its_business(ana: Clone, secret: Secret) -> None:
    other = ana.top / "tool" / ".continuity" / "state.json"
    other.parent.mkdir(parents=True)
    other.write_text('{"sensitivity": "restricted"}\n')
    ana.git("add", "--all")
    ana.git("commit", "--quiet", "-m", "Another tool")
    other.write_text(f'{{"of": "{secret.record}"}}\n')
    ana.git("add", "--all")
    assert STOPPED in ana.git("commit", "-m", "Mine", code=1)


def test_a_word_about_the_folder_and_a_deny_of_it(ana: Clone, secret: Secret) -> None:
    ana.cc("remember", "Private files lie in .continuity/private/records, and stay here")
    deny = ("remember", "Hands off", "--deny", "read", "--target", ".continuity/private/*")
    assert ana.data(*deny)["private"] is False
    assert "left out" not in ana.run("commit").err


def test_receipts_and_marks_may_name_what_is_private(ana: Clone, secret: Secret) -> None:
    ordinary = ana.data("remember", "Something else")
    both = [secret.record, next(i for i in ordinary["made"] if i.startswith("blf"))]
    digest = ana.data("forget", *both, "--dry-run")["plan"]["digest"]
    ana.person("forget", *both, "--confirm", digest)
    ana.cc("export", str(ana.top.parent / "out.json"))
    assert "left out" not in ana.run("commit").err


def test_the_hook_says_nothing_of_a_commit_without_secrets(ana: Clone, secret: Secret) -> None:
    laid(ana)
    ana.git("add", "--all")
    assert "cc-git" not in ana.git("commit", "-m", "Mine")


# by commands


def kept_private(ana: Clone, done: dict[str, object]) -> None:
    assert done["private"] is True
    ana.run("commit", code=None)
    made = [re.escape(str(i)) for i in done["made"]]  # type: ignore[attr-defined]
    assert ana.git("grep", "-E", "|".join(made), "HEAD", code=None) == ""


@pytest.mark.parametrize("path", ["{rel}", "./.continuity/../{rel}", "linked.toml", "{absolute}"])
def test_what_is_looked_up_at_a_private_path(ana: Clone, secret: Secret, path: str) -> None:
    file = secret.file(secret.record)
    (ana.top / "linked.toml").symlink_to(file)
    where = path.format(rel=file.relative_to(ana.top), absolute=file)
    for words in (("capture", "It says so", "--from", where), ("remember", "It says so", "--from", where)):
        kept_private(ana, ana.agent().data(*words))


def test_a_private_path_from_within_the_workspace(ana: Clone, secret: Secret) -> None:
    notes = secret.home / "private" / "notes.txt"
    notes.write_text("x\n")
    inside = Clone(secret.home, "ana")
    kept_private(ana, inside.data("capture", "It says so", "--from", "private/notes.txt"))
    kept_private(ana, ana.data("remember", "It says so", "--anchor", ".continuity/private/notes.txt"))


@pytest.mark.parametrize("option", ["--conflicts-with", "--supersedes", "--derived-from"])
def test_what_is_linked_to_something_private(ana: Clone, secret: Secret, option: str) -> None:
    kept_private(ana, ana.agent().data("remember", "Other", option, secret.record))


def test_what_speaks_of_something_private_and_what_gets_it_as_a_field(ana: Clone, secret: Secret) -> None:
    kept_private(ana, ana.data("remember", f"As {secret.record} says"))
    kept_private(ana, ana.data("remember", "x", "--set", f"evidence={secret.record}"))
    known = ana.made("remember", "It holds", prefix="blf")
    kept_private(ana, ana.data("correct", known, f"As {secret.record} says"))


def test_a_person_is_asked_before_a_link_to_something_private_is_tracked(ana: Clone, secret: Secret) -> None:
    words = ("remember", "Other", "--conflicts-with", secret.record, "--sensitivity", "ordinary")
    assert "Keep it as ordinary, although it rests on blf" in ana.person(*words, answers=("n",), code=3)
    ana.person(*words, answers=("y",))
    assert "left out" not in ana.run("commit").err


@pytest.mark.parametrize("verb", ["confirm", "reject", "revoke"])
def test_a_ruling_on_something_private(ana: Clone, secret: Secret, verb: str) -> None:
    kept_private(ana, ana.data(verb, secret.record, "--reason", "so"))


def test_a_ruling_on_both_is_private_and_says_why(ana: Clone, secret: Secret) -> None:
    known = ana.made("remember", "Known to all", prefix="blf")
    done = ana.run("archive", known, secret.record, "--reason", "so", "--json")
    kept_private(ana, done.data)


def test_a_ruling_whose_evidence_names_something_private(ana: Clone, secret: Secret) -> None:
    known = ana.made("remember", "Known to all", prefix="blf")
    kept_private(ana, ana.data("confirm", known, "--evidence", f"see {secret.record}"))
    kept_private(ana, ana.data("confirm", known, "--source", secret.episode))


def test_a_revoke_of_both_is_tracked_without_a_trace_of_the_text(ana: Clone, secret: Secret) -> None:
    known = ana.made("remember", "Known to all", prefix="blf")
    done = ana.data("revoke", known, secret.record)
    assert done["private"] is False
    assert "left out" not in ana.run("commit").err
    ruling = secret.home / done["files"][done["made"][0]]
    assert "saw" not in ruling.read_text()
    assert ana.standing(known) == "revoked"


@pytest.mark.parametrize(
    "words",
    [
        ("adr", ".continuity/private"),
        ("adr", ".continuity/private/adr"),
        ("adr", "linked"),
        ("notes", ".continuity/private/CLAUDE.md"),
        ("bundle", ".continuity/private/CLAUDE.md"),
        ("beads", ".continuity/private/CLAUDE.md"),
        ("continuity", ".continuity/private"),
    ],
    ids=" ".join,
)
def test_nothing_is_imported_from_the_private_folder(ana: Clone, secret: Secret, words: tuple[str, str]) -> None:
    adr = secret.home / "private" / "adr" / "0001-x.md"
    adr.parent.mkdir()
    adr.write_text(f"# 1. {WORD}\n\n## Status\n\nAccepted\n\n## Decision\n\n{WORD}\n")
    (secret.home / "private" / "CLAUDE.md").write_text(f"# Notes\n\n- {WORD}\n")
    (ana.top / "linked").symlink_to(secret.home / "private")
    refused = ana.run("import", *words, code=3).err
    assert "is private, and stays on this machine" in refused and "capture TEXT --from" in refused
    ana.run("import", "adr", ".continuity")
    ana.run("commit", code=None)
    assert ana.git("grep", "-l", WORD, "HEAD", code=None) == ""


def test_an_import_that_names_something_private_waits_in_private(ana: Clone, secret: Secret) -> None:
    (ana.top / "NOTES").mkdir()
    (ana.top / "NOTES" / "CLAUDE.md").write_text(f"# Notes\n\n- as {secret.record} says, the {WORD}\n")
    done = ana.data("import", "notes", "NOTES/CLAUDE.md")
    assert done["quarantine"]
    ana.run("commit", code=None)
    assert not (secret.home / "quarantine").exists()
    assert (secret.home / "private" / "quarantine" / done["quarantine"]).is_dir()


@pytest.mark.parametrize("megabytes", [2, 17])
def test_a_long_file_is_looked_through_or_named_for_not_being(secret: Secret, ana: Clone, megabytes: int) -> None:
    note = secret.home / "attachments/2026-11-30/notes"
    note.parent.mkdir(parents=True)
    line = b"nothing to see here, nothing at all\n"
    note.write_bytes(line * (megabytes * (1 << 20) // len(line)) + f"see {secret.record}\n".encode())
    ana.git("add", "-f", str(note))
    said = ana.git("commit", "-m", "x", code=1)
    assert STOPPED in said
    assert ("names" if megabytes == 2 else "is longer than 16 MiB") in said
    note.write_bytes(line * (2 << 20 // len(line)))
    ana.git("add", "-f", str(note))
    ana.git("commit", "-m", "x")


def test_with_a_journal_that_cannot_be_read_the_commit_goes_through_and_says_what_was_not_looked_at(
    secret: Secret, ana: Clone
) -> None:
    laid(ana)
    ana.git("add", ".continuity")
    assert ana.git("commit", "-m", "healthy").find("journal") == -1
    shutil.rmtree(ana.top / ".git/continuity/journal.git/objects")
    laid(ana, number=2)
    ana.git("add", ".continuity")
    assert "looked for on disk alone (cc-git doctor)" in ana.git("commit", "-m", "damaged")
    laid(ana, number=3, content=f"see {secret.record}")
    ana.git("add", ".continuity")
    assert STOPPED in ana.git("commit", "-m", "what lies on disk is known", code=1)


def test_a_private_runbook_under_another_name_or_named_by_something(secret: Secret, ana: Clone) -> None:
    identifier = f"rb_{ULID.format(7)}"
    private = secret.home / "private/runbooks/tide.toml"
    private.parent.mkdir()
    private.write_text(f'format = "cc-git/1"\nid = "{identifier}"\ntitle = "When {WORD} comes"\n')
    other = secret.home / "runbooks/calm.toml"
    other.parent.mkdir(exist_ok=True)
    for file in (other, laid(ana, content=f"as {identifier} says")):
        if file is other:
            file.write_text(private.read_text().replace("When", "As soon as"))
        ana.git("add", ".continuity")
        assert STOPPED in ana.git("commit", "-m", "x", code=1)
        assert "above-ceiling" in str(ana.data("check", "--staged", code=1))
        ana.git("rm", "-q", "--cached", str(file))
        file.unlink()


def test_a_runbook_of_head_that_was_copied_to_the_private_tier_may_be_named(secret: Secret, ana: Clone) -> None:
    made = ana.data("runbook", "add", "Tide", "--do", "look")["id"]
    ana.commit()
    (secret.home / "private/runbooks").mkdir()
    shutil.copy(secret.home / "runbooks/tide.toml", secret.home / "private/runbooks/tide.toml")
    laid(ana, content=f"as {made} says")
    ana.git("add", ".continuity")
    ana.git("commit", "-m", "x")
