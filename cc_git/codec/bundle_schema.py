"""The JSON Schema of a bundle, made from the models: `python -m cc_git.codec.bundle_schema` writes the published page.

It says what a bundle of this version looks like. Unknown keys are allowed everywhere, as in files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cc_git.model.bundle import BUNDLE_FORMAT, Bundle
from cc_git.model.episode import Episode
from cc_git.model.kinds import PAYLOADS
from cc_git.model.record import Record

PAGE = Path("docs/schemas/bundle-1.schema.json")
_REFERENCE = "#/$defs/{model}"


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12."""
    defs: dict[str, Any] = {}
    bundle = _of(Bundle, defs)
    defs["Episode"] = _of(Episode, defs)
    defs["Record"] = _record(defs)
    bundle["properties"]["format"] = {"const": BUNDLE_FORMAT}
    bundle["properties"]["digest"] = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
    bundle["properties"]["episodes"]["items"] = {"$ref": "#/$defs/Episode"}
    defs["BundledRecord"]["properties"]["value"] = {"$ref": "#/$defs/Record"}
    bundle["required"] = ["format", *bundle["required"], "digest"]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A bundle of cc-git"}
    return {**head, **{k: v for k, v in bundle.items() if k != "title"}, "$defs": dict(sorted(defs.items()))}


def _record(defs: dict[str, Any]) -> dict[str, Any]:
    """The spine, and one table named after the kind in place of `payload`."""
    record = _of(Record, defs)
    record["properties"].pop("payload")
    defs.pop("Payload", None)
    record["required"] = [name for name in record["required"] if name != "payload"]
    for kind, model in PAYLOADS.items():
        defs[model.__name__] = _of(model, defs)
        record["properties"][kind] = {"$ref": f"#/$defs/{model.__name__}"}
    return record


def _of(model: Any, defs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = model.model_json_schema(ref_template=_REFERENCE)
    defs.update(found.pop("$defs", {}))
    return found


def page() -> str:
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
