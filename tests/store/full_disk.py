"""A clone on a disk that fills up: `python -m tests.store.full_disk FOLDER`, in a mount namespace of its own.

It mounts a small file system at FOLDER, runs one command at each amount of free space, makes room, and prints as JSON
what each command answered and what is there in the end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.cli.people import Clone, World

SIZE = 3 << 20
FREE = (0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 64)
"""KiB; one write needs some fifty."""


def main(folder: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)], check=True)
    world = World(folder)
    world.begin()
    ana = world.clone("ana")
    ana.cc("init", "--name", "harbour")
    ana.cc("remember", "Before it was full")
    answers = [_with(free * 1024, folder, ana, free) for free in FREE]
    ana.cc("status")
    ends = {
        "records": [line["title"] for line in ana.data("list", "--all")],
        "files": sorted(p.read_text() for p in (ana.top / ".continuity/records").rglob("*.toml")),
        "after": ana.run("remember", "After it was full", code=None).code,
        "commit": ana.run("commit", code=None).code,
        "waiting": ana.data("status")["waiting"],
    }
    sys.stdout.write(json.dumps({"answers": answers, **ends}))


def _with(free: int, folder: Path, ana: Clone, number: int) -> dict[str, object]:
    """What `remember` answers while no more than this is free."""
    filler = folder / "filler"
    about = os.statvfs(folder)
    with filler.open("wb") as file:
        file.truncate(0)
        os.posix_fallocate(file.fileno(), 0, max(about.f_bavail * about.f_frsize - free, 1))
    try:
        said = ana.run("remember", f"With {number} free", "--json", code=None)
    finally:
        filler.unlink()
    return {"number": number, "code": said.code, **json.loads(said.out)}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
