"""What is asked of a packet, validated: apart from `build`, for whoever only writes needs none of it."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from cc_git.governance.build import usage_fault
from cc_git.model.request import Request


def request_from(**fields: Any) -> Request:
    """A packet's request; raises UsageFault naming the first field that is wrong."""
    try:
        return Request(**fields)
    except ValidationError as error:
        raise usage_fault("request", error) from None
