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

Ten decimal digits may be hex, too: of EM4100 badges one in 110 has no letter in its number. The form belongs
to a reader and not to a line, so `Numbers` remembers what a reader has shown: a line of ten digits with a
letter among them is hex, and so are all of ten digits behind it; a line with a separator is decimal.

One EM4100 badge has 40 bits for an RDM6300, 32 for most readers that type decimal digits, and 24 for a
Wiegand-26 reader. What is cut to the same bits at all readers of a site is one badge: `badge`.

Sources: the forms 10D, 8H, 2H+8H and 3D+5D of makers of EM4100 readers; Wiegand-26 as HID describes it.
"""

import re
from typing import Final, Literal, cast

from tablebridge.sdk import Option, Options, Reason, Rejected
from tablebridge.sdk.framing import rejected

Form = Literal["auto", "hex", "decimal"]
FORMS: Final = ("auto", "hex", "decimal")
BADGES: Final = {"whole": 0, "32 bits": 8, "24 bits": 6}
"""How many hex digits of a badge's number are its identity; 0 for all."""
_LONGEST_BADGE: Final = 10

_HEX: Final = re.compile(r"[0-9A-Fa-f]+")
_PAIR: Final = re.compile(r"(\d{1,3})[,:; -](\d{1,5})")
_HEX_LENGTHS: Final = frozenset({6, 8, 10, 14, 16, 20, 24})


def badge_option() -> Option:
    """The option `badge` of a driver whose reader reads EM4100 badges."""
    return Option(
        "whole",
        "which part of a badge's number is its identity: the same for all readers of a site, as the one that "
        "gives least has it (Wiegand-26: 24 bits; ten decimal digits: 32 bits)",
        choices=tuple(BADGES),
    )


def badge(uid: str, part: str) -> str:
    """The identity of a badge: this part of its number, the lowest bits. Longer numbers are UIDs of cards and
    stay whole.
    """
    digits = BADGES[part]
    return uid[-digits:] if digits and len(uid) <= _LONGEST_BADGE else uid


class Numbers:
    """The numbers that one reader types. `form`: "auto" until it has shown which it is. `turned`: the reader
    gives the least significant byte first.
    """

    def __init__(self, form: Form = "auto", turned: bool = False) -> None:
        self._form, self._turned = form, turned
        self._ten: Form = form
        """The form of ten decimal digits."""
        self._guessed = self.doubt = False
        """`doubt`: ten digits were taken for decimal ones before the reader showed that it types hex."""

    def read(self, line: bytes) -> str | Rejected:
        """The UID in upper-case hex."""
        text = line.decode("ascii", "replace").strip()
        ten = len(text) == 10 and text.isascii() and text.isdigit()
        if self._form == "auto":
            self._learn(text, ten)
        return read_number(line, self._ten if ten else self._form, self._turned)

    def _learn(self, text: str, ten: bool) -> None:
        if ten:
            self._guessed = self._guessed or self._ten == "auto"
        elif len(text) == 10 and _HEX.fullmatch(text):
            self.doubt = self._guessed and self._ten != "hex"
            self._ten = "hex"
        elif self._ten == "auto" and _PAIR.fullmatch(text):
            self._ten = "decimal"


def number_options() -> dict[str, Option]:
    """The options of a driver whose reader types numbers: `form`, `reverse` and `badge`."""
    return {
        "form": Option(
            "auto",
            "what is typed: hex digits or decimal digits; auto takes ten digits without a letter for "
            "decimal ones until a letter was seen",
            choices=FORMS,
        ),
        "reverse": Option(False, "the reader types the least significant byte first"),
        "badge": badge_option(),
    }


def numbers_of(options: Options) -> Numbers:
    """The numbers of a reader. `options`: those of its driver, with `number_options` among them."""
    return Numbers(cast(Form, options["form"]), bool(options["reverse"]))


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
