"""Files → what stands. Pure: no I/O, no clock. The rules are stated at the top of each module; `rules` lists them."""

from __future__ import annotations

from cc_git.standing.forgetting import endings_needed
from cc_git.standing.layers import narrower_overrides
from cc_git.standing.rules import standing

__all__ = ["endings_needed", "narrower_overrides", "standing"]
