"""Strategies for small random worlds, and what can be asked of them.

A world is a list of deeds (a record, a ruling, a tombstone …) over few names, so that everything meets everything. The
kind of each name is drawn first: a link to a name that is not written yet is a link to what may still arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

from cc_git.model.authority import LADDER
from cc_git.model.record import Record
from cc_git.model.verdict import Standings
from tests.unit.standing.builder import TODAY, World, document, ident

NAMES = ("a", "b", "c", "d")
STRANGERS = ("x", "y")
TWINS = ("A", "z")
RULINGS = ("r1", "r2", "r3")
KINDS = ("permission", "commitment", "decision", "belief", "user_model", "identity")
VERBS = ("accept", "reject", "revoke", "complete", "release", "expire", "archive", "reopen", "resolve", "confirm")


@dataclass(frozen=True)
class Deed:
    """`do` is a method of `World`, `fields` its arguments; `name` is what it writes."""

    do: str
    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    targets: tuple[str, ...] = ()

    def onto(self, world: World) -> None:
        if self.do in ("forget", "ended"):
            getattr(world, self.do)(self.name)
            return
        fields = dict(self.fields)
        if self.do == "episode":
            world.episode(self.name, **fields)
            world.accepted.discard(world.filed[-1].blob)
            return
        rests_on = fields.pop("rests_on", "")
        if rests_on == "import":
            said = f"import {self.name} {fields['says']}"
            fields["sources"] = [world.episode(said, "document", document(), tags=(self.name,))]
        elif rests_on:
            fields["sources"] = [ident("away", "ep")] if rests_on == "what is not here" else []
        getattr(world, self.do)(self.name, *self.targets, **fields)


@dataclass(frozen=True)
class Plot:
    """What a random world is made from."""

    kinds: Mapping[str, str]
    deeds: tuple[Deed, ...]

    def world(self, *more: Deed) -> World:
        world = World(kinds=self.kinds)
        # rulings note the blobs they saw, so records come first, but none that arrives later
        for deeds in (self.deeds, more):
            for deed in sorted(deeds, key=lambda d: d.do != "record"):
                deed.onto(world)
        return world


def _some(rnd: Random, of: Iterable[str], most: int = 1) -> list[str]:
    return rnd.sample(list(of), rnd.randint(0, most))


def record(rnd: Random, name: str, kind: str, *, agent: bool = False, simple: bool = False) -> Deed:
    """`agent`: may claim anything and is attested in nothing. `simple`: no subjects, scopes or times."""
    by = rnd.choice(LADDER)
    others = [n for n in (*NAMES, *STRANGERS) if n != name]
    fields: dict[str, Any] = {
        "kind": kind,
        "says": rnd.choice(["one", "two"]),
        "by": by,
        "attested": not agent and by == "user-explicit" and rnd.random() < 0.7,
        "supersedes": _some(rnd, others, 2),
    }
    if kind == "permission":
        target = rnd.choice(["prod", "*", "p*", "*d"])
        fields["payload"] = {"effect": rnd.choice(["allow", "allow", "deny"]), "target": target}
    elif kind == "commitment":
        fields["payload"] = {"mode": rnd.choice(["act", "refrain"])}
    if not simple:
        fields |= {
            "subject": rnd.choice([None, None, "s", "t"]),
            "thread": rnd.choice(["*", "*", "*", "t", "u"]),
            "start": rnd.choice([0, 0, 0, 0, 20]),
            "end": rnd.choice([None] * 5 + [5, 30]),
            "conflicts_with": _some(rnd, others),
            "after": _some(rnd, RULINGS),
            "derived_from": _some(rnd, others),
            "sensitivity": rnd.choice(["ordinary"] * 7 + ["sensitive"]),
            "rests_on": rnd.choice([""] * 8 + ["what is not here", "nothing"]),
        }
        if by == "document" and rnd.random() < 0.7:
            fields["rests_on"] = "import"
        if fields["start"] == 20 and fields["end"] == 5:
            fields["end"] = 30
    return Deed("record", name, fields)


def ruling(rnd: Random, name: str, *, agent: bool = False, verbs: Iterable[str] = VERBS) -> Deed:
    by, verb = rnd.choice([*LADDER, "user-explicit", "user-explicit"]), rnd.choice(list(verbs))
    fields: dict[str, Any] = {
        "by": by,
        "attested": not agent and by == "user-explicit" and rnd.random() < 0.8,
        "over": _some(rnd, [r for r in RULINGS if r != name]),
        "evidence": rnd.choice([(), ("seen",)]),
        "effective": rnd.choice([None] * 6 + [20]),
    }
    if verb == "resolve":
        fields["winner"] = rnd.choice(NAMES)
    return Deed("rule", name, fields, (verb, *rnd.sample(NAMES, rnd.randint(1, 2))))


def twin(rnd: Random, of: Deed, *, agent: bool) -> Deed:
    """A record that names the same document, with a lower or a higher id; most say the same, some from another time."""
    by = rnd.choice(["document", "document", *LADDER])
    other = {
        "by": by,
        "attested": not agent and by == "user-explicit",
        "says": rnd.choice([of.fields["says"]] * 3 + ["two"]),
        "start": rnd.choice([of.fields["start"], 0, 20]),
        "end": rnd.choice([of.fields["end"], of.fields["end"], 30]),
        "sensitivity": rnd.choice(["ordinary", "ordinary", "limited", "sensitive"]),
        "supersedes": _some(rnd, NAMES),
        "after": _some(rnd, RULINGS),
    }
    if other["start"] == 20 and other["end"] == 5:
        other["end"] = 30
    return Deed("record", rnd.choice(TWINS), {**of.fields, **other})


def episode(rnd: Random, *, known_ids: bool) -> Deed:
    """One that nobody attested, under the id that a record names, or beside the episode that is there."""
    there = [f"evidence-{by}" for by in LADDER] if known_ids else []
    fields = {
        "by": rnd.choice(["user-explicit"] * 3 + ["user-implicit", "document", "agent-explicit"]),
        "tags": ("late",),
    }
    fields["sensitivity"] = rnd.choice(["ordinary", "limited", "restricted"])
    return Deed("episode", rnd.choice(["away"] * 7 + there), fields)


def _by_a_clock_ahead(deed: Deed) -> Deed:
    return Deed(deed.do, deed.name, {**deed.fields, "start": None, "end": None, "recorded": 400}, deed.targets)


@st.composite
def chances(draw: st.DrawFn) -> Random:
    """One number instead of hundreds of draws: twenty times as many worlds in the same time."""
    return Random(draw(st.integers(0, 2**48)))


@st.composite
def plots(
    draw: st.DrawFn, kinds: Iterable[str] = KINDS, *, ruled: bool = True, marks: bool = True, simple: bool = False
) -> Plot:
    """A world of up to four records and three rulings. Mostly of one kind, for only those can meet in a line."""
    rnd, choice = draw(chances()), list(kinds)
    main = rnd.choice(choice)
    of = {n: rnd.choice([main, main, main, *choice]) for n in (*NAMES, *STRANGERS)}
    deeds = [record(rnd, n, of[n], simple=simple) for n in NAMES]
    if ruled:
        deeds += [ruling(rnd, r) for r in RULINGS]
    if marks and rnd.random() < 0.3:
        deeds.append(Deed("forget", rnd.choice((*NAMES, *RULINGS))))
    # which deeds are left is drawn apart from what they are, so that a counter-example shrinks deed by deed
    left = draw(st.integers(0, 255)) | draw(st.integers(0, 255))
    return Plot(of, tuple(deed for place, deed in enumerate(deeds) if left >> place & 1))


@st.composite
def arrivals(draw: st.DrawFn, plot: Plot, *, agent: bool, known_ids: bool) -> tuple[Deed, ...]:
    """Files that merely arrive. `known_ids`: they may have the id of a file that is there, which damages it."""
    rnd = draw(chances())
    names = [*STRANGERS, *(NAMES if known_ids else ())]
    ids = ["r9", *(RULINGS if known_ids else ())]
    imports = [deed for deed in plot.deeds if deed.do == "record" and deed.fields.get("rests_on") == "import"]
    awaited = any(deed.fields.get("rests_on") == "what is not here" for deed in plot.deeds)
    deeds = []
    for _ in range(draw(st.integers(1, 2))):
        name = rnd.choice(names)
        kinds = ["record"] * 4 + ["rule"] * 3 + ["ended", "episode"] + ["twin"] * 9 * bool(imports)
        kind = rnd.choice(kinds + ["episode"] * 9 * awaited)
        if kind == "record":
            deed = record(rnd, name, plot.kinds[name], agent=agent)
            deeds.append(_by_a_clock_ahead(deed) if rnd.random() < 0.1 else deed)
        elif kind == "twin":
            deeds.append(twin(rnd, rnd.choice(imports), agent=agent))
        elif kind == "episode":
            deeds.append(episode(rnd, known_ids=known_ids))
        elif kind == "rule":
            deeds.append(ruling(rnd, rnd.choice(ids), agent=agent))
        else:
            deeds.append(Deed("ended", name))
    return tuple(deeds)


# what can be asked
def usable(world: World, on: float = TODAY) -> set[str]:
    """The ids of allows that grant something."""
    judged = world.judge(on).verdicts
    return {r.id for r in _records(world) if _allows(r) and judged[r.id].standing == "current"}


def restraints(world: World, on: float = TODAY) -> set[str]:
    judged = world.judge(on)
    return {r.id for r in _records(world) if r.restrains and judged.verdicts[r.id].eligible}


def persons(world: World, on: float = TODAY) -> set[str]:
    """What an attested person stands behind and is current, grants apart."""
    judged = world.judge(on).verdicts
    return {
        r.id for r in _records(world) if judged[r.id].standing == "current" and judged[r.id].attested and not _allows(r)
    }


def eligible(judged: Standings) -> set[str]:
    return {identifier for identifier, verdict in judged.verdicts.items() if verdict.eligible}


def _allows(record: Record) -> bool:
    return record.kind == "permission" and not record.restrains


def _records(world: World) -> list[Record]:
    return [filed.value for filed in world.filed if isinstance(filed.value, Record)]
