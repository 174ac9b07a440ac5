"""Which claims are here already, by natural key: the episodes of earlier imports and the records that cite them first.

An episode that no record cites first is evidence alone, and stands for itself.
"""

from __future__ import annotations

from cc_git.importers.known import Earlier, Known, known, path_and_count
from cc_git.model.filed import Files


def known_claims(files: Files) -> Known:
    keys: dict[str, tuple[str, int, str]] = {}
    for identifier, episodes in files.episodes.items():
        source = episodes[0].value.source
        if source.kind == "document" and source.locator and source.blob and identifier not in files.tombstones:
            keys[identifier] = (*path_and_count(source.locator), source.blob)
    found: list[Earlier] = []
    cited: set[str] = set()
    for identifier, records in files.records.items():
        record = records[0].value
        first = next((source for source in record.sources if source in keys), None)
        if first is not None and identifier not in files.tombstones:
            cited.add(first)
            found.append(
                Earlier(*keys[first], identifier, records[0].blob, record.title, record.authority, record.supersedes)
            )
    for identifier, key in keys.items():
        if identifier not in cited:
            filed = files.episodes[identifier][0]
            found.append(Earlier(*key, identifier, filed.blob, "", filed.value.authority, ()))
    return known(found)
