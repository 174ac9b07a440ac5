"""What somebody asks of a packet."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from cc_git.model.authority import Sensitivity
from cc_git.model.scope import EVERYWHERE, Scope
from cc_git.model.value import Id

Profile = Literal["plain", "mcp", "claude-hook", "codex-hook"]
PacketFormat = Literal["markdown", "json", "xml"]
Unit = Literal["tokens", "characters"]


class Measure(NamedTuple):
    """How a profile counts. `most` is what its host accepts (None: no limit), `usual` stands in for a missing budget
    (None: the policy's)."""

    unit: Unit
    usual: int | None
    most: int | None


PROFILES: dict[Profile, Measure] = {
    "plain": Measure("tokens", None, None),
    "mcp": Measure("tokens", None, None),
    "claude-hook": Measure("characters", 9000, 9000),
    "codex-hook": Measure("tokens", 2500, 2500),
}


class Request(BaseModel):
    """`scope` is completed by the workspace's where it names nothing. `budget` is in the profile's unit. `required`
    ids are in the packet or are named as missing. `changed` are repository paths at hand, `signals` what failed or came
    back, as reported. `episodes` is how many recent ones may be shown."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    task: str = ""
    queries: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()
    scope: Scope = EVERYWHERE
    budget: Annotated[int, Field(ge=1)] | None = None
    ceiling: Sensitivity = "limited"
    required: tuple[Id, ...] = ()
    changed: tuple[str, ...] = ()
    episodes: Annotated[int, Field(ge=0, le=50)] = 3
    profile: Profile = "plain"
    format: PacketFormat = "markdown"

    @property
    def measure(self) -> Measure:
        return PROFILES[self.profile]

    def room(self, usual: int) -> int:
        """The budget that holds, in the profile's unit: never more than the host accepts."""
        asked = self.budget or self.measure.usual or usual
        return asked if self.measure.most is None else min(asked, self.measure.most)
