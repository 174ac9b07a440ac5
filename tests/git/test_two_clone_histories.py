"""300 random histories of two clones, merged by `git merge` and by libgit2: no textual conflict, nothing missing from
the union, and the same standing on both sides."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pygit2
import pytest

from cc_git.codec import paths
from cc_git.codec.files import encode, path_for
from cc_git.governance.correct import Correction, correct
from cc_git.governance.plan import Mint, Plan
from cc_git.governance.remember import Statement, remember
from cc_git.governance.rule import Act, rule
from cc_git.model.attestation import Attestations, Negatives
from cc_git.model.filed import Filed, Files
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.policy import Policy
from cc_git.model.record import Record
from cc_git.model.verdict import Standings
from cc_git.model.who import Who
from cc_git.standing import standing
from cc_git.standing.tables import VERB_KINDS
from cc_git.store.loader import load

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
LATER = START + timedelta(days=1)
KINDS = ("decision", "belief", "permission", "commitment", "goal")
SPAN = 30


class Branch:
    """One side's history: every step adds files to a tree and commits it."""

    def __init__(self, repository: pygit2.Repository, name: str, rng: random.Random, start: datetime) -> None:
        self.repository, self.name, self.rng, self.now = repository, name, rng, start
        self.files: dict[str, bytes] = {}
        self.commit: pygit2.Oid | None = None
        self.mint = Mint(self.now, lambda: rng.randbytes(10))

    def copy(self, name: str, seed: int) -> Branch:
        other = Branch(self.repository, name, random.Random(seed), self.now)
        other.files, other.commit = dict(self.files), self.commit
        return other

    def step(self) -> None:
        self.now += timedelta(seconds=self.rng.randrange(1, 90))
        self.mint = Mint(self.now, lambda: self.rng.randbytes(10))
        records = list(load_files(self.repository, self.files).records.values())
        act = self.rng.choice(("add", "add", "correct", "rule", "rule", "revoke", "forget"))
        if act == "add" or not records:
            self.add(self._remember())
        else:
            target = self.rng.choice(records)[0]
            {"correct": self._correct, "rule": self._rule, "revoke": self._revoke, "forget": self._forget}[act](target)
        self._commit()

    def add(self, plan: Plan) -> None:
        for value in plan.files:
            self.files[path_for(value)] = encode(value)

    @property
    def who(self) -> Who:
        agent = self.rng.random() < 0.4
        return Who("agent:x" if agent else f"human:{self.name}", agent, at_terminal=False)

    def _remember(self) -> Plan:
        kind = self.rng.choice(KINDS)
        payload = {"effect": self.rng.choice(("allow", "deny")), "action": "deploy"} if kind == "permission" else {}
        subject = self.rng.choice((None, "s", "t")) if kind == "decision" else None
        text = f"{kind} {self.rng.randrange(1000)}"
        return remember(Statement(kind, text, subject=subject, payload=payload), self.who, self.mint)

    def _correct(self, target: Filed[Record]) -> None:
        verdict = judge(load_files(self.repository, self.files)).verdicts[target.value.id]
        if verdict.standing not in ("revoked", "forgotten", "damaged"):
            text = f"corrected {self.rng.randrange(1000)}"
            self.add(correct(target.value, verdict, Correction(text), self.who, self.mint))

    def _rule(self, target: Filed[Record]) -> None:
        verbs = sorted(v for v, kinds in VERB_KINDS.items() if target.value.kind in kinds and v != "resolve")
        act = Act(self.rng.choice(verbs), [target], evidence=("seen",))
        self.add(rule(act, self.who, self.mint))

    def _revoke(self, target: Filed[Record]) -> None:
        self.add(rule(Act("revoke", [target]), self.who, self.mint))

    def _forget(self, target: Filed[Record]) -> None:
        identifier = target.value.id
        marks = (Tombstone(id=identifier), *(Ending(id=old) for old in target.value.supersedes))
        self.files |= {path_for(mark): encode(mark) for mark in marks}
        self.files[target.rel] = b""

    def _commit(self) -> None:
        index = pygit2.Index()
        for rel, data in self.files.items():
            oid = self.repository.create_blob(data)
            index.add(pygit2.IndexEntry(f"{paths.WORKSPACE_DIR}/{rel}", oid, pygit2.enums.FileMode.BLOB))
        tree = index.write_tree(self.repository)
        person = pygit2.Signature(self.name, f"{self.name}@example.org", int(self.now.timestamp()), 0)
        parents = [] if self.commit is None else [self.commit]
        self.commit = self.repository.create_commit(None, person, person, "step", tree, parents)


def load_files(repository: pygit2.Repository, files: Mapping[str, bytes]) -> Files:
    content = {str(repository.create_blob(data)): data for data in files.values()}
    return load({rel: str(repository.create_blob(data)) for rel, data in files.items()}, content.__getitem__).files


def judge(files: Files) -> Standings:
    return standing(files, Policy(), Attestations(), Negatives(), LATER)


def of_tree(repository: pygit2.Repository, tree: pygit2.Tree) -> dict[str, bytes]:
    index = pygit2.Index()
    index.read_tree(tree)
    skip = len(paths.WORKSPACE_DIR) + 1
    return {entry.path[skip:]: repository[entry.id].data for entry in index if entry.path.startswith(".continuity/")}


def merged_by_git(top: Path, ours: str, theirs: str) -> str:
    for words in (("checkout", "--quiet", "--detach", ours), ("merge", "--quiet", "--no-edit", theirs)):
        done = subprocess.run(["git", *words], cwd=top, capture_output=True, text=True)
        assert done.returncode == 0, f"git {' '.join(words)}\n{done.stdout}{done.stderr}"
    done = subprocess.run(["git", "rev-parse", "HEAD^{tree}"], cwd=top, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("span", range(300 // SPAN))
def test_two_clones_merge_without_conflict_and_stand_the_same(span: int, tmp_path: Path) -> None:
    for seed in range(span * SPAN, (span + 1) * SPAN):
        top = tmp_path / str(seed)
        repository = pygit2.init_repository(top)
        rng = random.Random(seed)
        base = Branch(repository, "base", rng, START)
        for _ in range(rng.randrange(2, 6)):
            base.step()
        sides = [base.copy("ana", seed * 2), base.copy("ben", seed * 2 + 1)]
        for side in sides:
            for _ in range(rng.randrange(1, 7)):
                side.step()
        if rng.random() < 0.5 and (shared := sorted(rel for rel in base.files if rel.startswith("records/"))):
            _forget_the_same(sides, rng.choice(shared))
        ana, ben = sides
        trees = {
            merged_by_git(top, str(ana.commit), str(ben.commit)),
            merged_by_git(top, str(ben.commit), str(ana.commit)),
        }
        index = repository.merge_commits(ana.commit, ben.commit)
        assert index.conflicts is None, seed
        trees.add(str(index.write_tree(repository)))
        assert len(trees) == 1, seed
        merged = of_tree(repository, repository[trees.pop()])
        assert set(merged) == set(ana.files) | set(ben.files), seed
        lost = [rel for side in sides for rel, data in side.files.items() if merged[rel] not in (data, b"")]
        assert lost == [], seed
        assert judge(load_files(repository, merged)) == judge(load_files(repository, _united(ana.files, ben.files))), (
            seed
        )


def _forget_the_same(sides: list[Branch], rel: str) -> None:
    identifier = paths.id_at(rel)
    assert identifier is not None
    for side in sides:
        mark = Tombstone(id=identifier)
        side.files |= {path_for(mark): encode(mark), rel: b""}
        side._commit()


def _united(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> dict[str, bytes]:
    """The union of two sides; what one of them emptied is empty."""
    both = {**one, **other}
    return {rel: b"" if b"" in (one.get(rel, data), other.get(rel, data)) else data for rel, data in both.items()}
