"""The scenes about work: where it begins, and what wakes when it fails."""

from __future__ import annotations

from cc_git.demo.stage import Stage

_LOCK = ".git/index.lock"


def where_work_begins(stage: Stage) -> None:
    stage.scene("Where work begins")
    stage.say("Ana asks for something. That opened a line of work, so its origin is Direct.")
    goal = _first_id(stage.cc("ana", "remember", "Berths can be booked by telephone", "--kind", "goal"))
    stage.cc("ana", "origin", goal)
    stage.say(
        "An agent takes it apart, three tasks deep, and Ana says ok. Nothing new began: the way leads back to her."
    )
    above = ("--goal", goal)
    for title in ("Answer the telephone", "Read the free berths aloud", "Spell the names of quays"):
        above = ("--parent", _first_id(stage.cc("ana+demo", "task", "add", title, *above)))
    stage.cc("ana+demo", "task", "start", above[1])
    stage.cc("ana+demo", "trigger", "consider", "ok, go on")
    stage.cc("ana+demo", "origin")
    stage.say("A hard constraint redirects the work, so it has an origin of its own from then on.")
    stage.cc("ana", "trigger", "consider", "ok, but never read out a surname", "--keep")
    stage.cc("ana+demo", "origin")


def what_wakes_when_it_fails(stage: Stage) -> None:
    stage.scene("A failure wakes its remedy, and nothing else does")
    stage.say("Ana keeps a remedy that comes with cc-git. For the same work without a failure it sleeps.")
    stage.cc("ana", "runbook", "add", "--template", "git-index-lock", answers=("y",))
    stage.cc("ana+demo", "runbook", "match", "commit the telephone")
    stage.say("Some program died and left its lock. What Git says wakes the remedy.")
    stage.write("ana", _LOCK, "")
    failed = stage.git("ana", "commit", "--quiet", "--allow-empty", "-m", "Answer the telephone", expect=128)
    stage.remove("ana", _LOCK)
    stage.cc("ana+demo", "runbook", "match", "commit the telephone", "--signal", failed.splitlines()[0])
    stage.cc("ana", "commit", "--message", "Begin with the telephone")
    stage.git("ana", "push", "--quiet", "origin", "HEAD")


def _first_id(said: str) -> str:
    """The end of the id that a command shows first, as people type it."""
    return said.partition("…")[2][:6]
