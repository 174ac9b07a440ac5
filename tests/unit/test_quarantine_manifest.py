"""A manifest in quarantine is a file that anybody may have written: what it cannot mean is a fault."""

from __future__ import annotations

import pytest

from cc_git.codec import paths
from cc_git.importers.quarantine import MANIFEST, Manifest, read_manifest
from cc_git.model.fault import Fault
from tests.unit.model.samples import an_id

IMPORT = an_id("im")


def _read(episode: str, record: str) -> Manifest | Fault:
    said = (
        f'format = "cc-git/1"\nid = "{IMPORT}"\nimporter = "adr"\nactor = "a"\nrecorded_at = 2026-11-30T11:00:00Z\n'
        f'[[items]]\npath = "x"\nepisode = "{episode}"\nrecord = "{record}"\n'
    )
    return read_manifest(paths.quarantine_path(IMPORT, MANIFEST), said.encode())


def test_an_item_is_an_episode_and_a_record() -> None:
    assert isinstance(_read(an_id("ep"), an_id("dec")), Manifest)


@pytest.mark.parametrize(
    ("episode", "record"), [("ep", "im"), ("ep", "ru"), ("ep", "ep"), ("dec", "dec"), ("im", "dec")]
)
def test_an_id_of_another_kind_in_its_place_is_a_fault(episode: str, record: str) -> None:
    fault = _read(an_id(episode), an_id(record))
    assert isinstance(fault, Fault) and fault.code == "invalid"
