"""The broker's accounts: a random password for each process in a file of its own, and mosquitto's files of
users and access lists. Passwords that are there already are kept, and so is everything that is right.
"""

import os
from pathlib import Path
from typing import Final

from tablebridge import private
from tablebridge.bus.access import accounts_of, mosquitto_acl
from tablebridge.bus.account import mosquitto_users, passwords
from tablebridge.install.machine import Machine
from tablebridge.settings.site import Site

USERS: Final = "tablebridge.users"
ACCESS: Final = "tablebridge.acl"
_BROKER: Final = "mosquitto"
_NO_SITE: Final = "site"


def write_accounts(site: Site | None, folder: Path, mosquitto: Path, machine: Machine) -> list[str]:
    """Make an account for the engine, the pages, listeners and each group of devices of the site; before
    there is a site: for no group. Passwords go into `folder`. Returns the names of all accounts if anything
    had to be written, else none. Raises OSError and ConfigError.
    """
    members = accounts_of(site.groups if site else ())
    known = passwords(folder, [account.name for account in members])
    users, access = mosquitto / USERS, mosquitto / ACCESS
    before = users.read_text() if users.exists() else ""
    text = mosquitto_users(known, before)
    rights = mosquitto_acl(site.name if site else _NO_SITE, members)
    same = text == before and access.exists() and access.read_text() == rights
    for path, content in ((users, text), (access, rights)):
        if not same:
            machine.write(str(path.relative_to(machine.root)), content.encode(), 0o600)
        owner = machine.user(_BROKER)
        if owner is not None and os.geteuid() == 0:
            private.give(path, *owner, 0o600)
    return [] if same else [account.name for account in members]
