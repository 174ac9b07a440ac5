"""Whether a dream that somebody accepts went through the waking review that it names.

Standing reads no reviews: it asks that one is named. Here, where the accept is written, the review is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cc_git.codec import paths
from cc_git.governance.dream import require_woken
from cc_git.model.dream import Dream, WakingReview
from cc_git.model.filed import Filed
from cc_git.model.record import Record
from cc_git.store.loader import read_object
from cc_git.wiring.session import Session


def require_woken_targets(session: Session, targets: Sequence[Filed[Record]], named: Iterable[str]) -> None:
    """`named` are the ids that the accept names itself. Raises Refused."""
    reviews = [value for value in kept_dreams(session) if isinstance(value, WakingReview)]
    for record in (target.value for target in targets):
        own = (*record.sources, *(relation.to for relation in record.relations))
        require_woken(record, (*named, *own), reviews)


def kept_dreams(session: Session) -> Iterator[Dream | WakingReview]:
    """Every report and review that can be read and was not forgotten."""
    gone = session.loaded.files.tombstones | session.elsewhere.forgotten
    for rel, blob in sorted(session.blobs.items()):
        if paths.folder_of(rel) == paths.DREAMS and paths.id_at(rel) not in gone:
            value = read_object(rel, blob, session.read)
            if isinstance(value, Dream | WakingReview):
                yield value
