"""The accounts with which our processes sign in at the broker, and the files of their passwords: one file per
account, so that a process opens only its own.
"""

import base64
import hashlib
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Site
from tablebridge.settings.state import PASSWORD, write_private

CREDENTIAL: Final = "broker-password"
"""The name of the systemd credential that holds the password (`LoadCredential=` in the units)."""

_ROUNDS: Final = 101


def account(site: Site, name: str, environ: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """User and password: from systemd's credential if the unit has one, else those that the embedded
    broker made. For another broker without a credential nothing is sent: certificates may do. Raises
    ConfigError.
    """
    folder = environ.get("CREDENTIALS_DIRECTORY", "")
    credential = Path(folder) / CREDENTIAL
    if folder and credential.exists():
        return name, _read(credential, "write it again")
    if not site.broker.embedded:
        return "", ""
    return name, embedded_password(site.state_dir, name)


def client_id(name: str, password: str) -> str:
    """The MQTT client id of an account. Nobody who does not have the password can know it, and so nobody can
    take the connection over if the broker does not bind client ids to accounts (NATS). Without a password:
    the account's name.
    """
    if not password:
        return name
    return f"{name}-{hashlib.sha256(f'client id of {name}: {password}'.encode()).hexdigest()[:24]}"


def embedded_folder(state_dir: Path) -> Path:
    """The folder in which the embedded broker keeps the passwords of its accounts."""
    return PASSWORD.path(state_dir).parent


def embedded_password(state_dir: Path, name: str) -> str:
    """The password that the embedded broker made for an account. Raises ConfigError if there is none to be
    read.
    """
    return _read(
        password_file(embedded_folder(state_dir), name), "start the embedded broker first, as the same user"
    )


def password_file(folder: Path, name: str) -> Path:
    """The file that holds the password of one account and nothing else."""
    return folder / f"{name}.password"


def passwords(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The password of each account, made at random if there is no file yet, with mode 0600. Raises
    ConfigError.
    """
    found = {}
    for name in names:
        path = password_file(folder, name)
        if not path.exists():
            write_private(path, secrets.token_urlsafe(24))
        found[name] = _read(path, "delete it, and a new one is made")
    return found


def mosquitto_users(found: Mapping[str, str], before: str = "") -> str:
    """mosquitto's `password_file`: PBKDF2 with SHA-512. The passwords are random and long, so few rounds are
    enough. `before`: the file as it was; whose password is still right keeps the line.
    """
    lines = dict(line.split(":", 1) for line in before.splitlines() if ":" in line)
    return "".join(
        f"{name}:{_still(lines.get(name, ''), password) or _hashed(password, secrets.token_bytes(12))}\n"
        for name, password in found.items()
    )


def _still(known: str, password: str) -> str:
    """The known hash if it is this password's, else nothing."""
    _, _, salted = known.partition(f"$7${_ROUNDS}$")
    try:
        salt = base64.b64decode(salted.partition("$")[0], validate=True)
    except ValueError:
        return ""
    return known if salt and known == _hashed(password, salt) else ""


def _hashed(password: str, salt: bytes) -> str:
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    return f"$7${_ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def _read(path: Path, remedy: str) -> str:
    try:
        text = path.read_text().strip()
        if text:
            return text
        why = "it is empty"
    except (OSError, UnicodeDecodeError) as error:
        why = str(error)
    raise ConfigError(f"The broker's password cannot be read from {path} ({why}): {remedy}.")
