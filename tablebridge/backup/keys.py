"""The keys of backups: age X25519, https://age-encryption.org/v1, so that any age program opens a backup too.

Whoever has only the public key can make backups and read none of them. The secret key is a file of one line,
as `age-keygen` writes it; without it nobody can read a backup.
"""

from pathlib import Path
from typing import Final, TypeAlias, cast

import pyrage

from tablebridge.model.errors import ConfigError
from tablebridge.settings.state import write_private

Identity: TypeAlias = pyrage.x25519.Identity
Recipient: TypeAlias = pyrage.x25519.Recipient

_LONGEST: Final = 4096


def parse_recipient(text: str) -> Recipient:
    """The public key `age1...`. Raises ConfigError."""
    try:
        return cast(Recipient, Recipient.from_str(text))
    except pyrage.RecipientError:
        raise ConfigError(
            f"{text[:80]!r} is no public key of age, which begins with age1; "
            "`tablebridge backup --new-key FILE` makes a key and prints its public half."
        ) from None


def new_key(path: Path) -> str:
    """Make a key file with mode 0600; its public key. Raises ConfigError if there is a file already."""
    if path.exists():
        raise ConfigError(f"{path} exists already: a key is never overwritten. Name another file.")
    identity = Identity.generate()
    public = str(identity.to_public())
    write_private(path, f"# public key: {public}\n{identity}\n")
    return public


def load_key(path: Path) -> Identity:
    """The secret key in a file. Raises ConfigError."""
    try:
        with path.open() as file:
            text = file.read(_LONGEST)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigError(f"The key {path} cannot be read ({why}).") from None
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            try:
                return cast(Identity, Identity.from_str(line.strip()))
            except pyrage.IdentityError:
                break
    raise ConfigError(f"{path} holds no secret key of age: a line that begins with AGE-SECRET-KEY-1.")
