"""What must hold before anything is changed: each check raises Refused with a sentence."""

import contextlib
import os
import sqlite3
import sys
from pathlib import Path
from typing import Final

from tablebridge import __version__
from tablebridge.install.machine import Machine
from tablebridge.install.manifest import Manifest, Origin
from tablebridge.install.placing import PROGRAM
from tablebridge.journal.connection import connect
from tablebridge.journal.store import SCHEMA as JOURNAL_SCHEMA
from tablebridge.model.errors import Refused
from tablebridge.settings import state

STATE: Final = "var/lib/tablebridge"
_PACKAGE: Final = "var/lib/dpkg/info/tablebridge.list"
_HIDDEN: Final = ("home", "root", "tmp", "var/tmp", "run/user")
"""Folders that the units cannot open."""


def may_change(machine: Machine) -> None:
    """This machine is changed by root alone, and has a broker."""
    if machine.root == Path("/") and os.geteuid() != 0:
        raise Refused("This changes the whole machine: run it as root, with sudo.")
    if not machine.path("etc/mosquitto").is_dir():
        raise Refused("mosquitto is not installed: `sudo apt install mosquitto`, and then install again.")


def program_of(machine: Machine) -> str:
    """The command that the units start: that of this environment, as seen from the root. For the root of
    another machine without this environment: where the documents put it.
    """
    own = Path(sys.prefix).absolute() / "bin/tablebridge"
    if machine.root != Path("/"):
        return f"/{own.relative_to(machine.root)}" if own.is_relative_to(machine.root) else PROGRAM
    if any(own.is_relative_to(machine.path(folder)) for folder in _HIDDEN):
        raise Refused(
            f"tablebridge is in {sys.prefix}, which its services may not open: install it in "
            "/opt/tablebridge, as docs/deployment.md says, and run that one."
        )
    return str(own)


def origin_of(machine: Machine, program: str) -> Origin:
    """Whether this program came with the Debian package."""
    return "deb" if program == PROGRAM and machine.path(_PACKAGE).exists() else "pip"


def alone(machine: Machine, before: Manifest | None, program: str) -> None:
    """There is one installation per machine: another program that is still there must go first."""
    if before is None or before.program == program or not machine.path(before.program).exists():
        return
    remove = "apt remove tablebridge" if before.origin == "deb" else f"{before.program} uninstall"
    raise Refused(
        f"tablebridge {before.version} is installed here already ({before.origin}), with {before.program}: "
        f"remove that first with `{remove}`, which keeps the state, and then install again."
    )


def not_older(machine: Machine, before: Manifest | None) -> None:
    """What is in the state folder can be read by this version."""
    if before is not None and before.state > state.SCHEMA:
        raise Refused(
            f"The state in /{STATE} was written by tablebridge {before.version} (layout {before.state}), "
            f"and {__version__} cannot read it (layout {state.SCHEMA}): install {before.version} or a newer "
            "version."
        )
    for path in state.JOURNAL_FILE.paths(machine.path(STATE)):
        known = _schema(path)
        if known > JOURNAL_SCHEMA:
            raise Refused(
                f"{path} was written by a newer tablebridge (schema {known}), which {__version__} cannot "
                f"read (schema {JOURNAL_SCHEMA}): install a newer version."
            )


def _schema(journal: Path) -> int:
    """The schema of a journal; 0 if the file does not say. It is read as it stands, since SQLite would make
    files of root's beside it.
    """
    with (
        contextlib.suppress(sqlite3.Error, ValueError),
        contextlib.closing(connect(journal, immutable=True)) as db,
    ):
        row = db.execute("SELECT value FROM about WHERE name = 'schema'").fetchone()
        return int(row[0]) if row else 0
    return 0
