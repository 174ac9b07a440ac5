"""The GitHub Action, the GitLab template and the pre-commit manifest: their shape, and the very shell that they run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from cc_git.codec import paths
from cc_git.codec.files import path_for
from tests.git.test_check_findings import DENY, Desk, Git, an_episode, desk

__all__ = ["desk"]

PROJECT = Path(__file__).resolve().parent.parent.parent
ACTION: dict[str, Any] = yaml.safe_load((PROJECT / "action.yml").read_text())
STEPS: dict[str, Any] = {step.get("id", "end"): step for step in ACTION["runs"]["steps"]}
GITLAB: dict[str, Any] = yaml.safe_load((PROJECT / "templates" / "ci" / "gitlab.yml").read_text())
TOOLS = ("bash", "cat", "git", "grep", "head", "sed", "env", "sh", "cut", "tr")


@dataclass
class Runner:
    """What GitHub gives the steps of a job on a pull request: files and variables. `gh` notes what it is asked."""

    desk: Desk
    folder: Path
    more: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        (self.folder / "tools").mkdir()
        for tool in TOOLS:
            (self.folder / "tools" / tool).symlink_to(str(shutil.which(tool)))
        self.script("cc-git", f'exec "{sys.executable}" -m cc_git "$@"')

    def script(self, name: str, text: str) -> None:
        file = self.folder / "tools" / name
        file.write_text(f"#!/usr/bin/env bash\n{text}\n")
        file.chmod(0o755)

    def step(self, name: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run one step as GitHub does: `bash --noprofile --norc -eo pipefail FILE`."""
        file = self.folder / f"{name}.sh"
        file.write_text(STEPS[name]["run"])
        environ = {
            **os.environ,
            "PATH": str(self.folder / "tools"),
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_REPOSITORY": "harbour/boats",
            "GITHUB_SHA": self.desk.git(self.desk.top, "rev-parse", "HEAD"),
            "CC_GIT_PROGRAM": "cc-git",
            "CC_GIT_BASE": "",
            "CC_GIT_FAIL_ON": "error",
            "CC_GIT_CEILING": "ordinary",
            "CC_GIT_TASK": "",
            "CC_GIT_EVENT_BASE": self.desk.git(self.desk.top, "rev-parse", "main"),
            "CC_GIT_NUMBER": "7",
            "CC_GIT_HEAD_REPOSITORY": "harbour/boats",
            "CC_GIT_REPORT": str(self.folder / "cc-git-report.md"),
            "GH_TOKEN": "token",
            **self.more,
            **variables,
        }
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(file)]
        return subprocess.run(words, cwd=self.desk.top, env=environ, capture_output=True, text=True)

    @property
    def outputs(self) -> dict[str, str]:
        lines = (self.folder / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text()


@pytest.fixture
def runner(desk: Desk, tmp_path: Path) -> Runner:
    return Runner(desk, tmp_path / "runner")


def _merged(desk: Desk) -> None:
    """The checkout of a pull request: the merge that GitHub would make, detached."""
    desk.switch("--detach", "main")
    desk.git(desk.top, "merge", "--quiet", "--no-ff", "--no-edit", "topic")


def _takes_the_deny_out(desk: Desk) -> None:
    desk.remove(DENY)
    desk.commit("proposal")
    _merged(desk)


def test_a_pull_request_is_annotated_summed_up_and_stopped(runner: Runner) -> None:
    _takes_the_deny_out(runner.desk)
    done = runner.step("review", CC_GIT_TASK='"; touch pwned; $(touch pwned) `touch pwned`')
    assert done.returncode == 0, done.stderr
    path = f"{paths.WORKSPACE_DIR}/{path_for(DENY)}"
    assert f"::error file={path},title=cc-git%3A lost-negative::a deny took something away" in done.stdout
    assert (runner.outputs["result"], runner.outputs["code"]) == ("found", "1")
    assert "## Check: 1 error" in runner.summary and "**removed without a tombstone**" in runner.summary
    assert "What the next agent will be told differently" in runner.summary
    assert Path(runner.outputs["report"]).read_text() == runner.summary
    assert not list(runner.desk.top.glob("**/pwned"))
    assert runner.step("end", CC_GIT_CODE="1").returncode == 1


def test_the_base_is_what_the_merge_was_made_with_and_not_what_the_event_says(runner: Runner) -> None:
    desk = runner.desk
    desk.write(an_episode(9))
    desk.commit("proposal")
    desk.switch("main")
    before = desk.git(desk.top, "rev-parse", "HEAD")
    desk.remove(DENY)
    desk.commit("lost on main")
    _merged(desk)
    runner.step("review", CC_GIT_EVENT_BASE=before)
    assert runner.outputs["result"] == "ok"


def test_a_push_is_compared_with_what_was_there_before(runner: Runner) -> None:
    desk = runner.desk
    before = desk.git(desk.top, "rev-parse", "HEAD")
    desk.remove(DENY)
    desk.commit("pushed")
    runner.step("review", GITHUB_EVENT_NAME="push", CC_GIT_EVENT_BASE=before)
    assert runner.outputs["result"] == "found"


def test_a_new_branch_and_a_repository_without_a_workspace_are_no_fault(
    runner: Runner, tmp_path: Path, git: Git
) -> None:
    done = runner.step("review", GITHUB_EVENT_NAME="push", CC_GIT_EVENT_BASE="0" * 40)
    assert "::notice" in done.stdout and runner.outputs["code"] == "0"
    desk = runner.desk
    desk.git(desk.top, "rm", "-rq", "--cached", desk.home)
    shutil.rmtree(desk.top / desk.home)
    desk.git(desk.top, "checkout", "--quiet", "--orphan", "bare")
    desk.commit("nothing")
    done = runner.step("review", CC_GIT_BASE="HEAD")
    assert "no workspace" in done.stdout and runner.outputs["code"] == "0"


def test_a_shallow_checkout_is_told_what_it_needs(runner: Runner, tmp_path: Path, git: Git) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "1", runner.desk.top.as_uri(), "shallow")
    runner.desk.top = tmp_path / "shallow"
    runner.more["CC_GIT_EVENT_BASE"] = "HEAD"
    runner.desk.git(runner.desk.top, "branch", "--force", "main", "HEAD")
    done = runner.step("review")
    assert "fetch-depth: 0" in done.stdout
    assert (runner.outputs["result"], runner.outputs["code"]) == ("failed", "2")


GH = 'printf "%s\\n" "$*" >> "{log}"; case "$*" in *--jq*) printf "{known}" ;; esac'


def test_one_comment_is_made_and_written_again(runner: Runner, tmp_path: Path) -> None:
    _takes_the_deny_out(runner.desk)
    runner.step("review")
    log = tmp_path / "asked"
    runner.script("gh", GH.format(log=log, known=""))
    assert runner.step("comment").stdout == ""
    assert "api --silent repos/harbour/boats/issues/7/comments -F body=@" in log.read_text().splitlines()[-1]
    runner.script("gh", GH.format(log=log, known="12\\n13\\n"))
    runner.step("comment")
    assert "-X PATCH repos/harbour/boats/issues/comments/12 -F body=@" in log.read_text().splitlines()[-1]
    assert (runner.folder / "cc-git-comment.md").read_text().startswith("<!-- cc-git review -->\n## Check")


def test_where_nothing_changed_no_comment_is_begun(runner: Runner, tmp_path: Path) -> None:
    runner.step("review", CC_GIT_BASE="HEAD")
    runner.script("gh", GH.format(log=tmp_path / "asked", known=""))
    runner.step("comment")
    assert len((tmp_path / "asked").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("variables", "gh", "why"),
    [
        ({"CC_GIT_HEAD_REPOSITORY": "someone/boats"}, "exit 0", "from a fork"),
        ({}, None, "no gh"),
        ({"GH_TOKEN": ""}, "exit 0", "no token"),
        ({}, "exit 1", "could not be read"),
        ({}, 'case "$*" in *--jq*) ;; *) exit 1 ;; esac', "pull-requests: write"),
    ],
)
def test_where_no_comment_can_be_made_the_run_goes_on_and_says_so(
    runner: Runner, variables: dict[str, str], gh: str | None, why: str
) -> None:
    (runner.folder / "cc-git-report.md").write_text("## Check: 1 error\n\n- **error** x\n")
    if gh is not None:
        runner.script("gh", gh)
    done = runner.step("comment", **variables)
    assert done.returncode == 0
    assert re.fullmatch(
        r"::notice title=cc-git::no comment was made \(.*\); the report is in the summary.*\n", done.stdout
    )
    assert why in done.stdout


def test_no_step_has_text_of_others_in_its_script() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash" and "${{" not in step["run"]
    used = set(re.findall(r"inputs\.([a-z-]+)", (PROJECT / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])
    for output in ACTION["outputs"].values():
        assert re.fullmatch(r"\$\{\{ steps\.review\.outputs\.(report|result) \}\}", output["value"])


def test_the_pre_commit_manifest_names_a_command_that_there_is(desk: Desk) -> None:
    hook, pushed = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    known = {"id", "name", "description", "entry", "language", "always_run", "pass_filenames", "require_serial",
             "stages", "minimum_pre_commit_version"}  # fmt: skip
    for one, stage in ((hook, "pre-commit"), (pushed, "pre-push")):
        assert one.keys() <= known and one["language"] == "python" and one["stages"] == [stage]
    assert pushed["entry"] == "cc-git-hook pre-push"
    desk.remove(DENY)
    desk.git(desk.top, "add", "--all")
    program, *words = hook["entry"].split()
    assert program == "cc-git"
    done = subprocess.run([sys.executable, "-m", "cc_git", *words], cwd=desk.top, capture_output=True, text=True)
    assert done.returncode == 1 and "lost-negative" in done.stdout


def test_the_gitlab_template_reports_and_fails_by_its_own_lines(runner: Runner, tmp_path: Path, git: Git) -> None:
    desk = runner.desk
    desk.remove(DENY)
    desk.commit("proposal")
    desk.git(desk.top, "update-ref", "refs/remotes/origin/main", "main")
    (job,) = (job for job in GITLAB.values())
    script = "\n".join(job["script"])
    environ = {**os.environ, **job["variables"], "PATH": str(runner.folder / "tools"), "CI_COMMIT_SHA": "HEAD",
               "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}  # fmt: skip
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], cwd=desk.top, env=environ, capture_output=True, text=True
    )
    assert done.returncode == 1 and "lost-negative" in done.stdout
    assert '"check_name": "cc-git/lost-negative"' in (desk.top / job["artifacts"]["reports"]["codequality"]).read_text()
    assert "## Memory" in (desk.top / "cc-git-review.md").read_text()
