"""Texts of devices go to logs, pages and terminals, and anybody may have made the device: they are sanitized
here.
"""

from typing import Final

import msgspec

from tablebridge.model.readings import DeviceStatus, Reading

LONGEST: Final = 200


def printable(text: str) -> str:
    """The text without control characters, at most `LONGEST` characters of it."""
    return "".join(char if char.isprintable() else "?" for char in text[:LONGEST])


def sanitized(reading: Reading) -> Reading:
    """The reading, with texts that can be shown anywhere."""
    if not isinstance(reading, DeviceStatus) or (
        reading.detail.isprintable() and len(reading.detail) <= LONGEST
    ):
        return reading
    return msgspec.structs.replace(reading, detail=printable(reading.detail))
