"""The key of a box, with which its engine signs slices of its records that are taken out of it, and
checkpoints of its chains (`checkpoints.py`).

The chain proves that the records of a slice follow from one another. That they are this box's, and not made
up as a whole, is proved by the signature alone, and only to those who know the box's public key from another
source: `tablebridge journal key` prints it. Whoever has the rights of the engine can sign what he likes; the
copy of the last hash that somebody else keeps is the defence against that.
"""

import hashlib
import hmac
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablebridge.journal.checkpoints import Checkpoint, statement
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.model.timeline import Seal
from tablebridge.settings.state import SIGNING_KEY, write_private

_KEY_BYTES: Final = 32

Link = tuple[int, bytes]
"""Number and hash of a record."""


class Signer:
    """Signs with the key in `folder`, that of the journals. The key is made when it is needed first."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / SIGNING_KEY.name
        self._key: Ed25519PrivateKey | None = None

    def public(self) -> str:
        """The public key as hex. Raises ConfigError."""
        return self._private().public_key().public_bytes_raw().hex()

    def seal(self, table: str, hand: int, before: Link, last: Link, now: Instant) -> Seal:
        """The signed statement about the records after `before` up to `last`. Raises ConfigError if the key
        cannot be used.
        """
        said = {
            "table": table,
            "hand": hand,
            "after": before[0],
            "hash_before": before[1].hex(),
            "through": last[0],
            "hash": last[1].hex(),
            "signed_wall_ns": now.wall_ns,
        }
        statement = msgspec.json.encode(said, order="deterministic")
        return Seal(statement.decode(), self._private().sign(statement).hex(), self.public())

    def checkpoint(self, table: str, last: Link) -> Checkpoint:
        """The signed statement that this is a record of the table's chain. Raises ConfigError if the key
        cannot be used.
        """
        private = self._private()
        signature = private.sign(statement(table, *last))
        return Checkpoint(private.public_key().public_bytes_raw(), signature)

    def blind(self, data: bytes) -> bytes:
        """A digest of these bytes that nobody outside the box can calculate. Raises ConfigError if the key
        cannot be used.
        """
        return hmac.digest(self._private().private_bytes_raw(), data, hashlib.sha256)

    def _private(self) -> Ed25519PrivateKey:
        if self._key is None:
            self._key = Ed25519PrivateKey.from_private_bytes(self._bytes())
        return self._key

    def _bytes(self) -> bytes:
        try:
            secret = bytes.fromhex(self._path.read_text())
        except FileNotFoundError:
            secret = Ed25519PrivateKey.generate().private_bytes_raw()
            write_private(self._path, secret.hex())
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self._path} cannot be read ({error}): restore it from a backup.") from None
        if len(secret) != _KEY_BYTES:
            raise ConfigError(f"{self._path} is no key of {_KEY_BYTES} bytes: restore it from a backup.")
        return secret
