"""The figures of a support bundle: what lies in the state folder, how large the record is, what disks and
processes do.
"""

import contextlib
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tablebridge.bus.aside import About
from tablebridge.journal.connection import connect
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Group, Site
from tablebridge.settings.state import (
    JOURNAL_ASIDE,
    JOURNAL_FILE,
    OUTBOX_ASIDE,
    OUTBOX_FILES,
    PARTS,
    WEB_ASIDE,
)
from tablebridge.web.auth import Tokens


def counters(site: Site) -> dict[str, Any]:
    """What lies in the state folder, in numbers: what waits in outboxes, what was set aside and why, tokens
    by role.
    """
    aside = {"engine": JOURNAL_ASIDE.path(site.state_dir), "web": WEB_ASIDE.path(site.state_dir)}
    aside |= {group.name: OUTBOX_ASIDE.path(site.state_dir, group.name) for group in site.groups}
    try:
        roles = Counter(token.role for token in Tokens(site.state_dir).all())
    except ConfigError:
        roles = Counter()
    return {
        "outboxes": {group.name: outbox_shape(_outbox(site, group)) for group in site.groups},
        "aside": {name: dict(Counter(_reasons(folder))) for name, folder in aside.items()},
        "tokens": dict(roles),
        "folders": {part.name: _size(part.folder(site.state_dir)) for part in PARTS},
    }


def _outbox(site: Site, group: Group) -> Path:
    return OUTBOX_FILES.path(site.state_dir, group.name)


def _reasons(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("??.message")):
        with contextlib.suppress(OSError, ValueError), path.open("rb") as file:
            yield msgspec.json.decode(file.readline(4096), type=About).reason


def _size(folder: Path) -> dict[str, int]:
    files = [path.stat().st_size for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    return {"files": len(files), "bytes": sum(files)}


def outbox_shape(folder: Path) -> dict[str, int]:
    """How many files an outbox has, and how large they are in bytes."""
    sizes = [path.stat().st_size for path in folder.glob("*.log") if path.is_file()]
    return {"files": len(sizes), "bytes": sum(sizes)}


def journals(site: Site) -> dict[str, Any]:
    """The shape of each table's journal."""
    return {table.name: journal_shape(JOURNAL_FILE.path(site.state_dir, table.name)) for table in site.tables}


def journal_shape(path: Path) -> dict[str, Any]:
    """How large a journal is and the number of its rows by kind: nothing of what stands in them."""
    shape = _queried(
        path,
        {
            "schema": "SELECT value FROM about WHERE name = 'schema'",
            "batches": "SELECT count(*) FROM reading",
            "held": "SELECT count(*) FROM held",
            "devices": "SELECT count(DISTINCT device) FROM position",
            "last": "SELECT max(number) FROM record",
            "pages": "PRAGMA page_count",
            "free_pages": "PRAGMA freelist_count",
            "mode": "PRAGMA journal_mode",
        },
    )
    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect(path)) as db:
        shape["records"] = dict(db.execute("SELECT kind, count(*) FROM record GROUP BY kind"))
    shape["bytes"] = {
        tail or "file": beside.stat().st_size
        for tail in ("", "-wal", "-shm")
        if (beside := path.with_name(path.name + tail)).exists()
    }
    return shape


def _queried(path: Path, queries: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    try:
        with contextlib.closing(connect(path)) as db:
            for name, query in queries.items():
                found[name] = db.execute(query).fetchone()[0]
    except sqlite3.Error as error:
        found["error"] = type(error).__name__
    return found


def disk(state_dir: Path) -> dict[str, Any]:
    """Room on the disk of the state folder, and what all disks have written since the machine started."""
    usage = shutil.disk_usage(state_dir)
    status = os.statvfs(state_dir)
    return {
        "bytes": usage._asdict(),
        "inodes": {"all": status.f_files, "free": status.f_favail},
        "written_bytes": dict(_written()),
        "uptime_s": float(Path("/proc/uptime").read_text().split()[0]),
        "load": os.getloadavg(),
    }


def _written() -> Iterator[tuple[str, int]]:
    """Bytes written per disk: /proc/diskstats counts sectors of 512 bytes
    (Documentation/admin-guide/iostats.rst).
    """
    for line in Path("/proc/diskstats").read_text().splitlines():
        fields = line.split()
        if not fields[2].startswith(("loop", "ram")):
            yield fields[2], 512 * int(fields[9])


def processes() -> Iterator[dict[str, Any]]:
    """The processes of tablebridge: memory, open files, and what each has written."""
    for folder in sorted(Path("/proc").glob("[0-9]*")):
        with contextlib.suppress(OSError):
            arguments = (folder / "cmdline").read_bytes().split(b"\0")
            at = next((i for i, part in enumerate(arguments) if part.endswith(b"tablebridge")), None)
            if at is None:
                continue
            row: dict[str, Any] = {"command": b" ".join(arguments[at + 1 : at + 2]).decode(errors="replace")}
            status = dict(
                line.split(":\t", 1) for line in (folder / "status").read_text().splitlines() if ":\t" in line
            )
            row["memory"] = status.get("VmRSS", "").strip()
            row["threads"] = status.get("Threads", "").strip()
            with contextlib.suppress(OSError):
                row["files"] = len(list((folder / "fd").iterdir()))
                io_lines = (folder / "io").read_text().splitlines()
                row["io"] = dict(line.split(": ", 1) for line in io_lines)
            yield row


__all__ = ["counters", "disk", "journal_shape", "journals", "outbox_shape", "processes"]
