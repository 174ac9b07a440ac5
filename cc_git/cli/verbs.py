"""Every command of the program, in the order `--help` shows them. An explicit table: nothing is discovered.

To add a command, write `cli/commands/<name>.py` (see `command.py` for the shape) and a row here. `name` may have two
words (`hooks install`); the first then needs an entry in `GROUPS`. `target` is imported only when the command runs, so
`help` stands here too: the first line of the command's docstring, word for word (a test compares them). Then write the
reference again: `python -m cc_git.cli.reference`.
"""

from __future__ import annotations

from cc_git.cli.verb import AT as _AT
from cc_git.cli.verb import Verb
from cc_git.cli.verbs_of_work import WORK

GROUPS: dict[str, str] = {
    "hooks": "Let waiting records join your commits.",
    "packet": "Look at packets that were compiled here, and verify them.",
    "task": "Keep the tasks of the work in hand.",
    "trigger": "Keep what opened or redirected a line of work.",
    "graph": "What hangs together, as a graph.",
    "hypothesis": "What is tried out: which possibility is worth testing first.",
    "question": "Keep the open questions of the work in hand.",
    "dream": "Recombine what is known, outside of what stands, and look at it awake.",
    "runbook": "Short procedures, policies, guardrails and remedies that people edit.",
    "secrets": "Texts that look like secrets: what was allowed, and what a push would send.",
    "import": "Read what other tools and people wrote down.",
}
"""First words of two-word commands, with the line of help for the group."""

VERBS: tuple[Verb, ...] = (
    Verb(
        "demo", f"{_AT}demo:demo", "Play the five-minute story in a throw-away folder, with real repositories.", "Begin"
    ),
    Verb("init", f"{_AT}setup:init", "Begin a workspace in this repository.", "Begin"),
    Verb(
        "trust",
        f"{_AT}setup:trust",
        "Adopt this workspace on this machine: its records may then instruct, not only inform.",
        "Begin",
    ),
    Verb(
        "hooks install",
        f"{_AT}work_tree:hooks_install",
        "Let waiting records join your commits, and look at what is committed and pushed; other hooks are kept.",
        "Begin",
    ),
    Verb("hooks uninstall", f"{_AT}work_tree:hooks_uninstall", "Take our hooks out again, to the byte.", "Begin"),
    Verb(
        "hooks status",
        f"{_AT}work_tree:hooks_status",
        "Say which hooks call cc-git, and whether they would work.",
        "Begin",
    ),
    Verb(
        "resume",
        f"{_AT}packets:resume",
        "Go on where the work stood: the packet for the work in hand, or for a task.",
        "Go on",
    ),
    Verb("compile", f"{_AT}packets:compile_", "Compile a packet: what the task needs, within a budget.", "Go on"),
    Verb(
        "packet list", f"{_AT}packets:packet_list", "List the packets that were compiled here, newest first.", "Go on"
    ),
    Verb("packet show", f"{_AT}packets:packet_show", "Show a packet again (the newest, where none is named).", "Go on"),
    Verb(
        "packet verify",
        f"{_AT}packets:packet_verify",
        "Say whether a packet still holds, and if not, what changed.",
        "Go on",
    ),
    Verb(
        "packet rebuild",
        f"{_AT}packets:packet_rebuild",
        "Compile anew the packets that show what no longer holds, or those named.",
        "Go on",
    ),
    *WORK,
    Verb(
        "preflight",
        f"{_AT}preflight:preflight",
        "Say what concerns an operation that is about to be done: exit 3 if it is forbidden, 1 if it needs a look.",
        "Go on",
    ),
    Verb(
        "runbook match",
        f"{_AT}runbooks:runbook_match",
        "Say which runbooks serve a task, or the work in hand, in which order, and why.",
        "Go on",
    ),
    Verb(
        "capture",
        f"{_AT}capture:capture",
        "Keep what was said or happened, as evidence, before anything is derived from it.",
        "Keep",
    ),
    Verb(
        "remember",
        f"{_AT}remember:remember",
        "Keep an explicit request: episode, record and receipt in one step.",
        "Keep",
    ),
    Verb("propose", f"{_AT}remember:propose", "Put forward a record that waits for somebody's accept.", "Keep"),
    Verb(
        "correct",
        f"{_AT}correct:correct",
        "Put a right statement in the place of a wrong one; the old one stays readable.",
        "Keep",
    ),
    Verb(
        "adopt",
        f"{_AT}correct:adopt",
        "Make a correction of what was edited in a record's file; the file gets back what it was written with.",
        "Keep",
    ),
    Verb(
        "runbook add",
        f"{_AT}runbooks:runbook_add",
        "Add a runbook: a short procedure, policy, guardrail or remedy that people edit.",
        "Keep",
    ),
    Verb(
        "runbook edit",
        f"{_AT}runbooks:runbook_edit",
        "Edit a runbook in your editor, or field by field; comments and layout stay.",
        "Keep",
    ),
    Verb(
        "runbook archive",
        f"{_AT}runbooks:runbook_archive",
        "Put a runbook away: it stays readable and is selected no more.",
        "Keep",
    ),
    Verb(
        "import adr",
        f"{_AT}imports:import_adr",
        "Read architecture decision records (Nygard, MADR) into episodes and decisions.",
        "Keep",
    ),
    Verb(
        "import bundle",
        f"{_AT}imports:import_bundle",
        "Read a bundle that another workspace exported, into quarantine.",
        "Keep",
    ),
    Verb(
        "import notes",
        f"{_AT}imports:import_notes",
        "Read agents' instruction and memory files (CLAUDE.md, AGENTS.md, MEMORY.md, memory folders).",
        "Keep",
    ),
    Verb(
        "import beads",
        f"{_AT}imports:import_beads",
        "Read the issues of a beads database (issues.jsonl), into quarantine.",
        "Keep",
    ),
    Verb(
        "import continuity",
        f"{_AT}imports:import_continuity",
        "Read a workspace or an export of the Cognitive Continuity package, into quarantine.",
        "Keep",
    ),
    Verb(
        "import ctx",
        f"{_AT}imports:import_ctx",
        "Read a CTX repository (the folder that holds .ctx), into quarantine.",
        "Keep",
    ),
    Verb(
        "import review",
        f"{_AT}imports:import_review",
        "Show what waits in quarantine, and what taking it in would do now.",
        "Rule",
    ),
    Verb(
        "import accept",
        f"{_AT}imports:import_accept",
        "Take an import out of quarantine: all that fits, or what is named; a scope says where it shall hold here.",
        "Rule",
    ),
    Verb(
        "import discard",
        f"{_AT}imports:import_discard",
        "Turn down what waits in quarantine, all of it or what is named; it is not asked about again.",
        "Rule",
    ),
    Verb(
        "consolidate",
        f"{_AT}consolidate:consolidate",
        "Compare new episodes with what stands, and put forward what follows from them (a report in Markdown).",
        "Keep",
    ),
    Verb(
        "export",
        f"{_AT}export:export",
        "Write what stands in a scope to a bundle, for another workspace to import.",
        "Keep",
    ),
    Verb(
        "accept",
        f"{_AT}rulings:accept",
        "Let a proposal stand with your authority, or take an import (im_…) out of quarantine.",
        "Rule",
    ),
    Verb("reject", f"{_AT}rulings:reject", "Turn a proposal down; it keeps its place in history.", "Rule"),
    Verb(
        "revoke", f"{_AT}rulings:revoke", "Take a permission or another statement back, at once and for good.", "Rule"
    ),
    Verb("complete", f"{_AT}rulings:complete", "Say that a goal or commitment is done.", "Rule"),
    Verb("release", f"{_AT}rulings:release", "Free somebody from a commitment.", "Rule"),
    Verb("expire", f"{_AT}rulings:expire", "Say that a record's time is over.", "Rule"),
    Verb("reopen", f"{_AT}rulings:reopen", "Put a decision under review again, or lift an ending.", "Rule"),
    Verb(
        "resolve",
        f"{_AT}rulings:resolve",
        "Say which of several conflicting records stands; without losers, all it clashes with lose.",
        "Rule",
    ),
    Verb("confirm", f"{_AT}rulings:confirm", "Say that a record was looked at and still holds.", "Rule"),
    Verb("archive", f"{_AT}rulings:archive", "Hide a record that no longer matters.", "Rule"),
    Verb(
        "forget",
        f"{_AT}forget:forget",
        "Remove things for good, with everything that quotes them, and say where they are still held.",
        "Rule",
    ),
    Verb(
        "secrets allow",
        f"{_AT}secrets:secrets_allow",
        "Let a text be written that looks like a secret and is public; a person says so, at a terminal.",
        "Rule",
    ),
    Verb(
        "secrets list",
        f"{_AT}secrets:secrets_list",
        "List the texts that were allowed although they look like secrets, and why.",
        "Rule",
    ),
    Verb(
        "secrets outgoing",
        f"{_AT}secrets:secrets_outgoing",
        "Look for secrets in what a push of HEAD would send: every commit that the remote lacks (exit 1 if so).",
        "Health",
    ),
    Verb(
        "review", f"{_AT}review:review", "Go through what waits for a person's word, one by one, at a terminal.", "Rule"
    ),
    Verb(
        "dismiss",
        f"{_AT}review:dismiss",
        "Let what only another branch takes away stand here all the same: a record, or the negative that withholds it.",
        "Rule",
    ),
    Verb(
        "dream pack",
        f"{_AT}dream:dream_pack",
        "Write the bounded material of a dream, for a host to recombine; nothing is kept.",
        "Dream",
    ),
    Verb(
        "dream report",
        f"{_AT}dream:dream_report",
        "Check a dream's report and keep it; nothing that stands changes.",
        "Dream",
    ),
    Verb(
        "dream wake",
        f"{_AT}dream:dream_wake",
        "Review a dream's report awake; what is not discarded goes on as a proposal that expires.",
        "Dream",
    ),
    Verb(
        "dream list",
        f"{_AT}dream:dream_list",
        "List the dream reports that are kept here, newest first.",
        "Dream",
    ),
    Verb(
        "dream show",
        f"{_AT}dream:dream_show",
        "Show a dream's report: every candidate with its leap and what speaks against it.",
        "Dream",
    ),
    Verb(
        "dream sweep",
        f"{_AT}dream:dream_sweep",
        "Take out the reports that are past their end, with the reviews of them.",
        "Dream",
    ),
    Verb(
        "search", f"{_AT}search:search", "Find records, episodes and rulings by words, whatever they count as.", "Look"
    ),
    Verb("status", f"{_AT}status:status", "Show what stands, what waits, and what needs a look.", "Look"),
    Verb("list", f"{_AT}look:list_", "List records: what is current or conflicted, newest first.", "Look"),
    Verb(
        "show",
        f"{_AT}look:show",
        "Show one object whole: its file, what it counts as, and what was ruled on it.",
        "Look",
    ),
    Verb(
        "runbook list",
        f"{_AT}runbooks:runbook_list",
        "List runbooks: which instruct, which only inform, and which cannot be read.",
        "Look",
    ),
    Verb(
        "runbook show",
        f"{_AT}runbooks:runbook_show",
        "Show a runbook whole: its file, whether it instructs, and what would select it.",
        "Look",
    ),
    Verb(
        "log",
        f"{_AT}look:log",
        "Show what happened and what it means now, newest first: who said, decided and ruled what.",
        "Look",
    ),
    Verb(
        "why",
        f"{_AT}why:why",
        "Say what something rests on, what rests on it, and which packets used it or left it out.",
        "Look",
    ),
    Verb("blame", f"{_AT}why:blame", "Say who made something what it is, when, and in which commit.", "Look"),
    Verb(
        "diff",
        f"{_AT}diff:diff",
        "Say what changed in meaning: HEAD against the present, A against the present, or A against B.",
        "Look",
    ),
    Verb(
        "check",
        f"{_AT}check:check",
        "Find what must not be merged, by the policy of its base: a range, what is staged, or all (exit 1 if so).",
        "Health",
    ),
    Verb(
        "audit",
        f"{_AT}audit:audit",
        "Say what is remembered, what needs a person, and whether anything vanished (exit 1 if so).",
        "Health",
    ),
    Verb(
        "commit",
        f"{_AT}work_tree:commit",
        "Commit the workspace alone; the rest of your index stays as it is.",
        "Commit",
    ),
    Verb(
        "restore",
        f"{_AT}work_tree:restore",
        "Bring back records that a revert, reset, deleted branch or removed worktree took from here.",
        "Commit",
    ),
    Verb(
        "doctor",
        f"{_AT}health:doctor",
        "Look at Git, the engine, the journal, the index, hooks and trust, and say what helps.",
        "Health",
    ),
    Verb(
        "reindex",
        f"{_AT}health:reindex",
        "Build the index anew; it is never needed for a right answer, only for a quick one.",
        "Health",
    ),
)
