"""In which fields two records differ, beyond what every new record has of its own."""

from __future__ import annotations

from cc_git.model.record import Record

_ITS_OWN = frozenset({"format", "id", "recorded_at", "supersedes", "sources", "payload", "actor"})


def differences(old: Record, new: Record) -> tuple[str, ...]:
    """The names of the fields that differ, those of the kind as `kind.field`, in the order of the model."""
    names = [name for name in Record.model_fields if name not in _ITS_OWN and getattr(old, name) != getattr(new, name)]
    if type(old.payload) is type(new.payload):
        fields = type(new.payload).model_fields
        changed = (name for name in fields if getattr(old.payload, name) != getattr(new.payload, name))
        names += [f"{new.kind}.{name}" for name in changed]
    return tuple(names)
