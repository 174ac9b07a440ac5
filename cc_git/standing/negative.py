"""Which files take away.

 1. A tombstone, an ending, a revoke, a reject.
 2. A restraint: a deny, a promise to refrain.
 3. The supersession of a permission: a permission that supersedes, and an accept of one.
 4. Any other ruling that takes from a permission, or ends a commitment (the promise to refrain may be seen elsewhere),
    and an accept of a commitment, which upholds a promise to refrain against a reject.
 5. A ruling on either that lifts others (`over`): it may lift what released a restraint, or the lifting of what took a
    grant, at any depth (`standing.inforce`). Whether it does so cannot be seen from the file alone.
Of 4 and of accepts nothing counts unless a person is or was bound to them, so those of others are not worth telling.
What may reopen a restraint counts from anyone.
"""

from __future__ import annotations

from typing import TypeGuard

from cc_git.codec import paths
from cc_git.model.kinds import PREFIX_OF_KIND, Commitment, Permission
from cc_git.model.marks import Ending, Tombstone
from cc_git.model.record import Record
from cc_git.model.ruling import Ruling
from cc_git.standing.tables import ENDS, GLOBAL_VERBS, TAKES

_RECORDS = tuple(f"{paths.RECORDS}/{kind}/" for kind in (Permission.KIND, Commitment.KIND))
_PLACES = (f"{paths.RULINGS}/", *_RECORDS, f"{paths.TOMBSTONES}/", f"{paths.ENDINGS}/")
_PERMISSION = f"{PREFIX_OF_KIND[Permission.KIND]}_"
_COMMITMENT = f"{PREFIX_OF_KIND[Commitment.KIND]}_"
_OF_PERMISSIONS = TAKES | {"accept"}
_OF_COMMITMENTS = frozenset({*ENDS, "accept"})

NegativeValue = Ruling | Record | Tombstone | Ending


def may_be_negative(rel: str) -> bool:
    """The path alone says that the file may take away; the private tier counts like the other. What is not named by
    an id is no file of ours, whatever it is called: a stranger's name may be no text at all."""
    return paths.public(rel).startswith(_PLACES) and paths.id_at(rel) is not None


def is_negative(value: object) -> TypeGuard[NegativeValue]:
    match value:
        case Tombstone() | Ending():
            return True
        case Ruling():
            return value.verb in GLOBAL_VERBS or _may_reopen(value) or is_persons(value)
        case Record(payload=Permission()):
            return value.restrains or bool(value.supersedes)
        case Record(payload=Commitment()):
            return value.restrains
    return False


def is_persons(value: object) -> bool:
    """It takes nothing unless a person is or was bound to it."""
    if not isinstance(value, Ruling) or value.verb in GLOBAL_VERBS or _may_reopen(value):
        return False
    return any(
        (target.startswith(_PERMISSION) and value.verb in _OF_PERMISSIONS)
        or (target.startswith(_COMMITMENT) and value.verb in _OF_COMMITMENTS)
        for target in value.targets
    )


def _may_reopen(ruling: Ruling) -> bool:
    reached = any(target.startswith((_PERMISSION, _COMMITMENT)) for target in ruling.targets)
    return reached and bool(ruling.over) and ruling.authority != "dream"
