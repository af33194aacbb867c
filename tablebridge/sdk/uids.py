"""UIDs of cards as readers give them."""

from typing import Final

LENGTHS: Final = (4, 7, 8, 10)
"""Bytes of a UID: ISO 14443 has 4, 7 or 10, ISO 15693 has 8."""


def uid_text(uid: bytes) -> str | None:
    """A UID as text, None for a length that no card has. An ISO 15693 UID begins with E0; a reader that gives
    its bytes in the order of the air, last first, is understood, too.
    """
    if len(uid) not in LENGTHS:
        return None
    if len(uid) == 8 and uid[0] != 0xE0 and uid[7] == 0xE0:
        uid = uid[::-1]
    return uid.hex().upper()
