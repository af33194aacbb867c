"""Numbers of cards as readers type them: hex or decimal digits, in one of the usual forms.

form       digits    meaning
hex        6         24 bits, as Wiegand-26 carries them
           8 14 20   UID of ISO 14443: 4, 7 or 10 bytes
           10        EM4100: version byte and 32 bits
           16        UID of ISO 15693; if it ends with E0 and does not begin so, its bytes are reversed
           24        EPC of 96 bits
decimal    10        32 bits
           8         facility (3 digits, up to 255) and number (5 digits, up to 65535): 24 bits
           3, 5      the same with a comma, colon, dash or blank between them
auto                 decimal if a separator or ten decimal digits show it, else hex
"""

import re
from typing import Final, Literal

from tablebridge.sdk import Reason, Rejected
from tablebridge.sdk.framing import rejected

Form = Literal["auto", "hex", "decimal"]
FORMS: Final = ("auto", "hex", "decimal")

_HEX: Final = re.compile(r"[0-9A-Fa-f]+")
_PAIR: Final = re.compile(r"(\d{1,3})[,:; -](\d{1,5})")
_HEX_LENGTHS: Final = frozenset({6, 8, 10, 14, 16, 20, 24})


def read_number(line: bytes, form: Form = "auto", turned: bool = False) -> str | Rejected:
    """The UID in upper-case hex. `turned`: the reader gives the least significant byte first."""
    text = line.decode("ascii", "replace").strip()
    decimal = text.isascii() and text.isdigit()
    if form != "hex":
        if match := _PAIR.fullmatch(text):
            return _turned(_facility(int(match[1]), int(match[2]), line), turned)
        if decimal and (form == "decimal" or len(text) == 10):
            return _turned(_decimal(text, line), turned)
    if form == "decimal" or not _HEX.fullmatch(text):
        return rejected(Reason.UNKNOWN_TYPE, "no number of a card", line)
    if len(text) not in _HEX_LENGTHS:
        reason = (
            Reason.TOO_SHORT
            if len(text) < 6
            else Reason.TOO_LONG
            if len(text) > 24
            else Reason.IMPOSSIBLE_VALUE
        )
        return rejected(reason, f"a number of {len(text)} hex digits", line)
    uid = _turned(text.upper(), turned)
    if len(text) == 16 and isinstance(uid, str) and not uid.startswith("E0"):
        if not uid.endswith("E0"):
            return rejected(
                Reason.IMPOSSIBLE_VALUE, "an ISO 15693 UID that neither begins nor ends with E0", line
            )
        return _turned(uid, True)
    return uid


def _decimal(text: str, line: bytes) -> str | Rejected:
    if len(text) == 8:
        return _facility(int(text[:3]), int(text[3:]), line)
    if len(text) != 10 or int(text) > 0xFFFFFFFF:
        return rejected(
            Reason.IMPOSSIBLE_VALUE, f"a number of {len(text)} decimal digits, or above 32 bits", line
        )
    return f"{int(text):08X}"


def _facility(facility: int, number: int, line: bytes) -> str | Rejected:
    if facility > 0xFF or number > 0xFFFF:
        return rejected(Reason.IMPOSSIBLE_VALUE, "a facility above 255 or a number above 65535", line)
    return f"{facility:02X}{number:04X}"


def _turned(uid: str | Rejected, turned: bool) -> str | Rejected:
    return bytes.fromhex(uid)[::-1].hex().upper() if turned and isinstance(uid, str) else uid
