"""The importers, by the name that their manifests carry. A new format is a file of its own and a row here."""

from __future__ import annotations

from collections.abc import Mapping

from cc_git.importers import adr, adr_accept, claim_accept
from cc_git.importers.importing import Accept

BUNDLE, NOTES, BEADS, CONTINUITY, CTX = "bundle", "notes", "beads", "continuity", "ctx"

ACCEPTS: Mapping[str, Accept] = {
    adr.NAME: adr_accept.plan_accept,
    BUNDLE: claim_accept.plan_accept,
    NOTES: claim_accept.plan_accept,
    BEADS: claim_accept.plan_accept,
    CONTINUITY: claim_accept.plan_accept,
    CTX: claim_accept.plan_accept,
}
