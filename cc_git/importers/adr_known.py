"""Which decision records earlier imports left in the workspace, and the subject that a document gives them."""

from __future__ import annotations

import hashlib

from cc_git.importers.known import Earlier, Known, known, path_and_count
from cc_git.model.filed import Files
from cc_git.model.value import ONE_LINE_LIMIT, clean_line, slug

_SUBJECT_TAIL = 100


def known_imports(files: Files) -> Known:
    """The earlier imports among a snapshot's files: decisions whose source is an imported document of their subject."""
    documents: dict[str, tuple[str, int, str]] = {}
    for identifier, variants in files.episodes.items():
        episode = variants[0].value
        source = episode.source
        if episode.type == "import" and source.kind == "document" and source.locator and source.blob:
            documents[identifier] = (*path_and_count(source.locator), source.blob)
    found: list[Earlier] = []
    for identifier, records in files.records.items():
        record = records[0].value
        key = next((documents[source] for source in record.sources if source in documents), None)
        if key and record.kind == "decision" and record.subject == subject_for(key[0]):
            found.append(Earlier(*key, identifier, records[0].blob, record.title, record.authority, record.supersedes))
    return known(found)


def subject_for(path: str) -> str:
    """`docs/adr/0007-use-x`: the folder belongs to it, for every collection has a number 1.

    A path too long for a subject keeps its end and gets a digest of the whole.
    """
    bare = slug(clean_line(path, 10_000).rpartition(".")[0] or path)
    if len(bare) <= ONE_LINE_LIMIT:
        return bare
    digest = hashlib.sha256(path.encode()).hexdigest()[:12]
    return slug(f"{digest}…{bare[-_SUBJECT_TAIL:]}")
