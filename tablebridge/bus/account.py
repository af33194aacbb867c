"""With which account a process of ours goes to the broker."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tablebridge.bus.access import ROLES
from tablebridge.bus.topics import Role
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Site

Accounts = dict[Role, tuple[str, str]]

CREDENTIAL: Final = "broker-password"
"""The name of the systemd credential that holds the password (`LoadCredential=` in the units)."""


def account(site: Site, role: Role, environ: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """User and password: from systemd's credential where the unit has one, else those that the embedded broker made. For
    another broker without a credential nothing is sent: certificates may do. Raises ConfigError."""
    folder = environ.get("CREDENTIALS_DIRECTORY", "")
    credential = Path(folder) / CREDENTIAL
    if folder and credential.exists():
        try:
            return role, credential.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"The broker's password cannot be read from {credential} ({error}): write it anew.") from None
    return accounts(site.state_dir)[role] if site.broker.embedded else ("", "")


def accounts(state_dir: Path) -> Accounts:
    """User and password by role, as the broker was started with. Raises ConfigError where there are none to be read."""
    path = state_dir / "broker" / "accounts.json"
    try:
        found = json.loads(path.read_text())
        return {role: (role, str(found[role])) for role in ROLES}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"The broker's accounts cannot be read from {path} ({error}): start the embedded broker first, "
                          "as the same user.") from None
