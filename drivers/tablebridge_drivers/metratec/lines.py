"""Lines of metraTec HF readers, both dialects.

    ASCII   request  INV[ CCCC]CR                        AT   request  AT+INV CR LF
            answer   E004015000000001[ CCCC]CR                answer   +INV: E004015000000001 CR LF
                     E004015000000002[ CCCC]CR                         +INV: E004015000000002 CR LF
                     ARP 12[ CCCC]CR                                   OK CR LF
                     IVF 02[ CCCC]CR[LF]

    CCCC  in CRC mode: CRC-16/MCRF4XX over the line up to it, the blank counted; four upper-case digits
    ARP   the antenna that read the tags before it, where antenna reports are on
    IVF   the number of tags, decimal: the end of an inventory
    LF    in end-of-frame mode: the answer is complete

Between command and answer may come lines that nobody asked for: HBT, SRT, RNW, `IN0 HI!`; `+HBT`,
`+IEV: 1,HIGH`, `+CINV: …`. A round ends as `<ROUND FINISHED>`, `<ROUND FINISHED ANT=2>` or
`<ROUND FINISHED, ANT=2>`. Source: the vendor's open Python, Java and .NET SDKs (their sample lines are the
test vectors); contents of its protocol guides.
"""

import re
from functools import lru_cache
from typing import Final

import msgspec

from tablebridge.sdk import Options, Reason, Rejected
from tablebridge.sdk.framing import TextLines, crc_mcrf4xx, rejected

LONGEST: Final = 600
"""A raw tag answer of 256 bytes is the longest line."""

READY: Final = {
    "OK!": "done",
    "OK": "done",
    "BRA": "continuous mode interrupted",
    "NCM": "not in continuous mode",
    "GMO": "good morning",
    "DNS": "did not sleep",
    "GN8": "good night",
}
"""Answers to commands by which a reader says that it obeyed, or needed not to."""
SLOT: Final = {
    "CER": "CRC error of a tag",
    "RXE": "response count",
    "TOE": "timeout of a tag",
    "FLE": "FIFO length",
    "RDL": "data too long",
    "TCE": "tag communication",
    "CLD": "collision",
    "CDT": "collision",
    "HBE": "header bit",
    "PDE": "preamble",
    "TMT": "too many tags",
    "BOF": "buffer overflow",
}
"""Inside an inventory: one slot of the anticollision failed, so a tag may be missing."""
REFUSAL: Final = {
    "ERROR": "error",
    "UCO": "unknown command",
    "UPA": "unknown parameter",
    "NOR": "number out of range",
    "EDX": "decimal number expected",
    "EHX": "hex number expected",
    "WDL": "wrong data length",
    "NOS": "not supported",
    "NRF": "no RF field",
    "NSS": "no standard selected",
    "ARH": "antenna reflection high: look at the antenna and its cable",
    "BOD": "brown-out: look at the supply",
    "CCE": "CRC error of the command",
    "CRT": "command timeout",
    "EHF": "hardware failure",
    "PLE": "PLL error",
    "UER": "unknown error",
    "URE": "UART error",
    "TOR": "out of range",
    "TNR": "no tag answered",
}
UNASKED: Final = {
    "HBT": "heartbeat",
    "SRT": "the reader has started",
    "RNW": "its registers were lost, the field is off",
}
MNEMONICS: Final = frozenset({*READY, *SLOT, *REFUSAL, *UNASKED})
BROKEN: Final = frozenset({"ARH", "BOD", "EHF", "PLE"})
"""Refusals that are a fault of the device."""


class Word(msgspec.Struct, frozen=True):
    """A mnemonic of the tables above."""

    word: str


class Tag(msgspec.Struct, frozen=True):
    """A tag that was read. `at`: in the AT dialect; `events`: by a continuous inventory of it."""

    uid: str
    at: bool = False
    events: bool = False


class Antenna(msgspec.Struct, frozen=True):
    """The antenna that read the tags before it."""

    number: int


class Count(msgspec.Struct, frozen=True):
    """The end of an inventory of the ASCII dialect."""

    tags: int


class Round(msgspec.Struct, frozen=True):
    """The end of a round of a continuous inventory of the AT dialect. `antenna` None: not named."""

    antenna: int | None


class Selected(msgspec.Struct, frozen=True):
    """The antenna that an AT reader says is selected."""

    antenna: int


class Why(msgspec.Struct, frozen=True):
    """What an AT reader says before ERROR."""

    text: str


class NoTags(msgspec.Struct, frozen=True):
    """An inventory found none. `events`: a continuous one."""

    events: bool = False


class Input(msgspec.Struct, frozen=True):
    """An input pin as it is."""

    pin: int
    high: bool


class Identity(msgspec.Struct, frozen=True):
    """What a reader is, in words."""

    text: str


class Data(msgspec.Struct, frozen=True):
    """Hex digits that are no UID: what a tag answered to a raw request."""

    data: bytes


class TagAnswer(msgspec.Struct, frozen=True):
    """Announces, by TDT, that the next line is `Data`; COK and NCL, that it came well."""

    word: str


class Command(msgspec.Struct, frozen=True):
    """A command, which no reader says by itself: its echo."""

    text: str


Said = (
    Word
    | Tag
    | Antenna
    | Count
    | Round
    | Selected
    | Why
    | NoTags
    | Input
    | Identity
    | Data
    | TagAnswer
    | Command
)

SERIAL: Final = "serial number "
"""How the text of an `Identity` begins that has the reader's own number."""

COMMANDS: Final = frozenset(
    {
        "BRK",
        "WAK",
        "STB",
        "RST",
        "EOF",
        "NEF",
        "CON",
        "COF",
        "HWR",
        "RFW",
        "REV",
        "RSN",
        "RHR",
        "VBL",
        "MOD",
        "SRI",
        "SET",
        "INV",
        "CNR",
        "SAP",
        "REQ",
        "WRQ",
        "DRQ",
        "DWQ",
        "RIP",
        "WOP",
        "STA",
        "EGC",
        "SEC",
    }
)

_CRC: Final = re.compile(r"(.* )([0-9A-F]{4})")
_HEX: Final = re.compile(r"[0-9A-F]+")
_UID: Final = re.compile(r"[0-9A-F]{16}")
_AT_UID: Final = re.compile(r"[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{16}|[0-9A-F]{20}|[0-9A-F]{24}")
_NAME: Final = re.compile(r"([A-Za-z][\w.+-]*(?: [\w.+-]+)*?) +(\d{4}|\d{8}) *")
_NUMBER: Final = re.compile(r"(ARP|IVF) (\d{1,3})")
_ASCII_INPUT: Final = re.compile(r"IN(\d) ?(HI!|LOW)")
_AT_INPUT: Final = re.compile(r"\+(?:IEV|IN): (\d{1,2}),(HIGH|LOW)")
_AT_ROUND: Final = re.compile(r"<ROUND FINISHED(?:,? ANT=(\d{1,2}))?>")
_AT_ANTENNA: Final = re.compile(r"\+ANT: (\d{1,2})")
_AT_WHY: Final = re.compile(r"\+[A-Z0-9]+[?]?: ?<([^<>]+)>")
_AT_INVENTORY: Final = re.compile(r"\+(C?)INVR?(?:: |=)(.*)")
_AT_NAME: Final = re.compile(r"\+(SW|HW|SERIAL): (.+)")


def with_crc(text: str) -> str:
    """The line as it goes out in CRC mode: with a blank and the CRC over all before it."""
    body = text + " "
    return f"{body}{crc_mcrf4xx(body.encode()):04X}"


def without_crc(text: str) -> str | None:
    """The line without its CRC; None if it has none that fits."""
    match = _CRC.fullmatch(text)
    return match[1][:-1] if match and with_crc(match[1][:-1]) == text else None


def bare(line: bytes) -> str:
    """The text of a line, without a CRC that fits."""
    text = line.decode("ascii", "replace")
    return without_crc(text) or text.strip()


def antennas(options: Options, first: int) -> tuple[int, ...]:
    """The antennas of a session's options; `first`: the number of the first one in its dialect."""
    count, given = int(options["antennas"]), int(options["first_antenna"])
    begin = first if given < 0 else given
    return (0,) if count == 1 else tuple(range(begin, begin + count))


def receiver() -> TextLines:
    """Cuts a stream into lines. CR ends a line; LF ends an answer (ASCII, end-of-frame mode) or stands behind
    CR (AT).

    As some firmware of the AT dialect ends its events with a bare CR, both are cut at both, and LF behind CR
    is an empty line.
    """
    return TextLines(LONGEST, empty=True)


_ANY_TEXT: Final = (Identity, Command)
"""What a line may be taken for whatever stands behind its first word."""


def read_line(line: bytes, crc: bool = False) -> Said | Rejected:
    """What a line says that is not empty. `crc`: the reader is in CRC mode, so a line without a CRC that fits
    is damaged.

    Without `crc` a CRC that fits is taken off, and one that does not fit makes a line damaged if it would
    have had a meaning without it.
    """
    text = line.decode() if line.isascii() else line.decode("ascii", "replace")
    bare = without_crc(text) if text[-5:-4] == " " else None
    if bare is not None:
        return _said(bare) or rejected(Reason.UNKNOWN_TYPE, "", line)
    said = _said(text)
    if crc and text not in UNASKED and type(said) is not Input:
        # A reader that has just started has forgotten CRC mode. How it protects what a pin's edge makes it
        # print nobody has published.
        return rejected(Reason.CHECKSUM, "", line)
    if type(said) is Tag:
        return said
    if said is None or type(said) in _ANY_TEXT:
        match = _CRC.fullmatch(text)
        if match and not isinstance(_said(match[1][:-1]), Identity | None):
            return rejected(Reason.CHECKSUM, "", line)
    if said is None:
        if _HEX.fullmatch(text):
            return rejected(Reason.TOO_SHORT, "an odd number of hex digits", line)
        return rejected(Reason.UNKNOWN_TYPE, "", line)
    return said


@lru_cache(maxsize=512)
def _said(text: str) -> Said | None:
    """What a line says without its CRC. While nothing moves, a reader repeats the same few lines."""
    if _UID.fullmatch(text):
        return Tag(text)
    if text in MNEMONICS:
        return Word(text)
    if match := _NUMBER.fullmatch(text):
        return Antenna(int(match[2])) if match[1] == "ARP" else Count(int(match[2]))
    if text in ("TDT", "COK", "NCL"):
        return TagAnswer(text)
    if text.startswith("AT") or text.split(" ")[0] in COMMANDS:
        return Command(text)
    if _HEX.fullmatch(text) and len(text) % 2 == 0:
        return Data(bytes.fromhex(text))
    if match := _ASCII_INPUT.fullmatch(text):
        return Input(int(match[1]), match[2] == "HI!")
    if text.startswith("+"):
        return _said_at(text)
    if match := _NAME.fullmatch(text):
        return Identity(_identity(match[1], match[2]))
    return None


def _said_at(text: str) -> Said | None:
    if match := _AT_INPUT.fullmatch(text):
        return Input(int(match[1]), match[2] == "HIGH")
    if match := _AT_ANTENNA.fullmatch(text):
        return Selected(int(match[1]))
    if match := _AT_NAME.fullmatch(text):
        return Identity({"SW": "firmware ", "HW": "hardware ", "SERIAL": SERIAL}[match[1]] + match[2])
    if text == "+HBT":
        return Word("HBT")
    match = _AT_INVENTORY.fullmatch(text)
    if match is None:
        why = _AT_WHY.fullmatch(text)
        return Why(why[1]) if why else None
    events, rest = bool(match[1]), match[2]
    if rest == "<NO TAGS FOUND>":
        return NoTags(events)
    if rest.upper() == "<ANTENNA ERROR>":
        return Word("ARH")
    if ended := _AT_ROUND.fullmatch(rest):
        return Round(int(ended[1]) if ended[1] else None)
    uid = rest.partition(",")[0]
    return Tag(uid, True, events) if _AT_UID.fullmatch(uid) else None


def _identity(name: str, numbers: str) -> str:
    """Eight digits are hardware and firmware (REV), four are the one that was asked for (HWR, RFW)."""
    version = f"{int(numbers[-4:-2])}.{numbers[-2:]}"
    if len(numbers) == 4:
        return f"{name} {version}"
    return f"{name}, hardware {int(numbers[:2])}.{numbers[2:4]}, firmware {version}"
