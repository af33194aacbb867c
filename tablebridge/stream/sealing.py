"""Hidden faces on their way to the room: sealed at the box for the site's key.

A sealed box of libsodium (X25519, XSalsa20-Poly1305, https://doc.libsodium.org/public-key_cryptography/sealed_boxes):
whoever seals needs the public key alone and cannot open it again.
"""

from pathlib import Path
from typing import Final

from nacl.encoding import HexEncoder
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox

from tablebridge import private
from tablebridge.model.errors import ConfigError

_SALT_BYTES: Final = 32


class Seal:
    """Seals records for a public key, given as hex. Raises ConfigError if it is none."""

    def __init__(self, public: str) -> None:
        try:
            self._box = SealedBox(PublicKey(public.encode(), HexEncoder))
        except (ValueError, CryptoError):
            raise ConfigError(f"{public[:80]!r} is no key of a site: 64 hexadecimal digits") from None

    def seal(self, salt: bytes, body: bytes) -> bytes:
        """Salt and body of a record for whoever has the site's private key."""
        return bytes(self._box.encrypt(salt + body))


class SiteKey:
    """The private key of a site, in a file of its own."""

    def __init__(self, key: PrivateKey) -> None:
        self._key = key

    @property
    def public(self) -> str:
        """The public key as hex."""
        return bytes(self._key.public_key).hex()

    def open(self, sealed: bytes) -> tuple[bytes, bytes]:
        """Salt and body of a sealed record. Raises ValueError if it was not sealed for this key."""
        try:
            opened = SealedBox(self._key).decrypt(sealed)
        except CryptoError:
            raise ValueError("this was not sealed for the key of this site") from None
        return opened[:_SALT_BYTES], opened[_SALT_BYTES:]


def site_key(path: Path) -> SiteKey:
    """The key in this file, made if there is none. Raises ConfigError."""
    try:
        return SiteKey(PrivateKey(path.read_text().strip().encode(), HexEncoder))
    except FileNotFoundError:
        key = PrivateKey.generate()
        private.folder(path.parent)
        private.write(path, bytes(key).hex().encode())
        return SiteKey(key)
    except (OSError, ValueError, CryptoError) as error:
        raise ConfigError(
            f"{path} cannot be read ({error}): restore it; nothing sealed can be opened without it"
        ) from None
