"""What players are called in public who want no name there: always the same, and no way back to the name
without the site's own secret.
"""

import hashlib
import hmac
import secrets
from base64 import b32encode
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Table
from tablebridge.settings.state import PSEUDONYM_KEY, write_private

_SECRET_BYTES: Final = 32
_LETTERS: Final = 6


def public_names(table: Table, state_dir: Path, names: Mapping[int, str]) -> dict[int, str]:
    """By seat what to call those of these players of the table in public who have not agreed to their name;
    nobody if the site file says nothing of that. Raises ConfigError if the site's secret cannot be had.
    """
    unnamed = {
        seat: name
        for seat, name in names.items()
        if table.public_names is not None and name not in table.public_names
    }
    return _pseudonyms(unnamed, _secret(state_dir)) if unnamed else {}


def _pseudonyms(names: Mapping[int, str], secret: bytes) -> dict[int, str]:
    return {seat: f"Player {_letters(name, secret)}" for seat, name in names.items()}


def _letters(name: str, secret: bytes) -> str:
    return b32encode(hmac.digest(secret, name.encode(), hashlib.sha256))[:_LETTERS].decode()


def _secret(state_dir: Path) -> bytes:
    """The site's secret, made when it is needed first."""
    path = PSEUDONYM_KEY.path(state_dir)
    try:
        secret = bytes.fromhex(path.read_text())
    except FileNotFoundError:
        secret = secrets.token_bytes(_SECRET_BYTES)
        write_private(path, secret.hex())
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{path} cannot be read ({error}): restore it from a backup, or delete it; then everybody gets "
            "another pseudonym."
        ) from None
    if len(secret) != _SECRET_BYTES:
        raise ConfigError(
            f"{path} is no secret of {_SECRET_BYTES} bytes: restore it from a backup, or delete it; then "
            "everybody gets another pseudonym."
        )
    return secret
