"""What a site file asks of the machine: which units run, and who may read what root wrote."""

import contextlib
from pathlib import Path
from typing import Final

from tablebridge import private
from tablebridge.install.checks import STATE
from tablebridge.install.machine import Machine
from tablebridge.install.manifest import SITE
from tablebridge.model.errors import ConfigError
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tablebridge.settings.state import PARTS

USERS: Final = {
    "driver": "tablebridge-driver",
    "engine": "tablebridge-engine",
    "web": "tablebridge-web",
    "notify": "tablebridge-notify",
    "room": "tablebridge-room",
    "uplink": "tablebridge-uplink",
}
"""The user of each writer of the state folder."""
GROUP: Final = "tablebridge"
_ALWAYS: Final = ("tablebridge.target", "tablebridge-engine.service", "tablebridge-web.service")


def units_of(site: Site) -> list[str]:
    """The units that run this site."""
    notified = ["tablebridge-notify.service"] if site.people is not None else []
    room = ["tablebridge-room.service"] if site.tournament else []
    return [
        *_ALWAYS,
        *notified,
        *room,
        *(f"tablebridge-driver@{group.name}.service" for group in site.groups),
    ]


def site_of(machine: Machine) -> tuple[Site | None, str]:
    """The machine's site; or None, and why its file is not applied, if it is there and faulty."""
    path = machine.path(SITE)
    if not path.exists():
        return None, ""
    try:
        site = load_site(path)
    except ConfigError as error:
        return None, f"The site file is not applied: {error}"
    if site.broker.embedded:
        return None, (
            f"The site file is not applied: {path} says that tablebridge starts the broker; for this "
            "installation [broker] needs embedded = false and port = 1883."
        )
    return site, ""


def give_away(machine: Machine) -> None:
    """Give what root wrote to whom it belongs: the site file to the group, and the files of each part of the
    state folder to the part's writer.
    """
    group = machine.group(GROUP)
    if group is not None and machine.path(SITE).exists():
        private.give(machine.path(SITE), 0, group, 0o640)
    for part in PARTS:
        owner = machine.user(USERS.get(part.writer, ""))
        folder = part.folder(machine.path(STATE))
        if owner is not None and folder.is_dir() and not folder.is_symlink():
            for path in _of_root(folder):
                private.give(path, *owner, 0o600)


def _of_root(folder: Path) -> list[Path]:
    found = []
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            there = path.lstat()
            if there.st_uid == 0 and path.is_file() and not path.is_symlink():
                found.append(path)
    return sorted(found)
