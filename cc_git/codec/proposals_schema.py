"""The JSON Schema of a host's proposals, made from the model: `python -m cc_git.codec.proposals_schema` writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cc_git.model.offered import OfferedFile

PAGE = Path("docs/schemas/proposals-1.schema.json")


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12."""
    found: dict[str, Any] = OfferedFile.model_json_schema(ref_template="#/$defs/{model}")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Proposals of a host for cc-git"}
    return {**head, **{name: value for name, value in found.items() if name != "title"}}


def page() -> str:
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
