"""The rows of `verbs.py` for the work in hand: where it stands, and where it began."""

from __future__ import annotations

from cc_git.cli.verb import AT as _AT
from cc_git.cli.verb import Verb

WORK: tuple[Verb, ...] = (
    Verb(
        "focus",
        f"{_AT}working:focus",
        "Show where the work stands, or set what it is about now: a task or a goal.",
        "Work",
    ),
    Verb(
        "next",
        f"{_AT}working:next_",
        "Say what to do next: open tasks in order, with the factors of their place; priority 1 is first.",
        "Work",
    ),
    Verb(
        "step",
        f"{_AT}working:step",
        "Say what the next step is, for whoever goes on; without a text, show it.",
        "Work",
    ),
    Verb(
        "returned",
        f"{_AT}working:returned",
        "Note a consequence that came back (a result, a reply, a failure), until it is taken up.",
        "Work",
    ),
    Verb(
        "task add",
        f"{_AT}tasks:task_add",
        "Add a task; at the top, and of no goal with an origin, it opens a line of work with a trigger.",
        "Work",
    ),
    Verb(
        "task start",
        f"{_AT}tasks:task_start",
        "Begin a task, or take it up again: it is in progress, and the focus.",
        "Work",
    ),
    Verb(
        "task block",
        f"{_AT}tasks:task_block",
        "Say that a task cannot go on, and why.",
        "Work",
    ),
    Verb(
        "task done",
        f"{_AT}tasks:task_done",
        "Say that a task is done; refused while it waits for another.",
        "Work",
    ),
    Verb(
        "task drop",
        f"{_AT}tasks:task_drop",
        "Give a task up.",
        "Work",
    ),
    Verb(
        "task edit",
        f"{_AT}tasks:task_edit",
        "Change a task: its title, its priority, what it is a part of, what it waits for.",
        "Work",
    ),
    Verb(
        "task list",
        f"{_AT}tasks:task_list",
        "List the tasks of the work in hand, and what other lines know of them.",
        "Work",
    ),
    Verb(
        "task show",
        f"{_AT}tasks:task_show",
        "Show a task whole: its state and why, what it is a part of, what it waits for.",
        "Work",
    ),
    Verb(
        "checkpoint",
        f"{_AT}checkpoint:checkpoint",
        "Freeze the work in hand into a file that travels, for whoever goes on from here; or list them.",
        "Work",
    ),
    Verb(
        "question add",
        f"{_AT}working:question_add",
        "Keep an open question of the work in hand.",
        "Work",
    ),
    Verb(
        "question answer",
        f"{_AT}working:question_answer",
        "Answer a question, by its number in `question list`.",
        "Work",
    ),
    Verb(
        "question list",
        f"{_AT}working:question_list",
        "List the questions of the work in hand, with their answers.",
        "Work",
    ),
    Verb(
        "origin",
        f"{_AT}trigger:origin",
        "Say where the work in hand, or anything else, began: Direct or Inherited, with the way.",
        "Work",
    ),
    Verb(
        "trigger add",
        f"{_AT}trigger:trigger_add",
        "Keep what opens or redirects a line of work: a summary, and its words where they matter.",
        "Work",
    ),
    Verb(
        "trigger consider",
        f"{_AT}trigger:trigger_consider",
        "Say whether a message opens a line of work (create) or goes on with one (inherit), and why.",
        "Work",
    ),
    Verb(
        "trigger list",
        f"{_AT}trigger:trigger_list",
        "List the triggers, newest first.",
        "Work",
    ),
    Verb(
        "trigger show",
        f"{_AT}trigger:trigger_show",
        "Show a trigger whole, and what names it.",
        "Work",
    ),
    Verb(
        "trigger archive",
        f"{_AT}trigger:trigger_archive",
        "Hide a trigger: it is then the origin of nothing, and stays readable.",
        "Work",
    ),
    Verb(
        "relate",
        f"{_AT}graph:relate",
        "Say how two things hang together that are there: `relate X supports Y`; nothing is edited for it.",
        "Work",
    ),
    Verb(
        "thread",
        f"{_AT}lines:thread",
        "Write the reasoning of a task in order: why, what was tried, on what evidence, what came of it, and when.",
        "Work",
    ),
    Verb(
        "closeout",
        f"{_AT}lines:closeout",
        "Say what separates the present from the last commit, what is open, and what to run; it changes nothing.",
        "Work",
    ),
    Verb(
        "hypothesis rank",
        f"{_AT}hypothesis:hypothesis_rank",
        "List the hypotheses that stand, the one most worth testing first, with the factors of its place.",
        "Work",
    ),
    Verb(
        "hypothesis list",
        f"{_AT}hypothesis:hypothesis_list",
        "List the hypotheses that stand, with what they were merged into and what speaks for and against them.",
        "Work",
    ),
    Verb(
        "hypothesis show",
        f"{_AT}hypothesis:hypothesis_show",
        "Show a hypothesis with its score, all that speaks for and against it, and how it hangs together with others.",
        "Work",
    ),
    Verb(
        "hypothesis relate",
        f"{_AT}hypothesis:hypothesis_relate",
        "Say how two hypotheses hang together; what each of them counts as stays as it is.",
        "Work",
    ),
    Verb(
        "hypothesis merge",
        f"{_AT}hypothesis:hypothesis_merge",
        "Let a hypothesis go into another: its evidence counts there, and they are ranked as one.",
        "Work",
    ),
    Verb(
        "graph export",
        f"{_AT}graph:graph_export",
        "Write what hangs together: goals, tasks, hypotheses, evidence, decisions and rulings with their links.",
        "Work",
    ),
    Verb(
        "graph lineage",
        f"{_AT}graph:graph_lineage",
        "Write what one thing comes from and what comes from it, link by link.",
        "Work",
    ),
)
