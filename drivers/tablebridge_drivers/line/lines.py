"""Lines of the tablebridge line protocol, version 1, both directions. docs/line-protocol.md is the
specification.

v1,SEQ,MS,h,IDENTITY,ANTENNAS,CONTACTS,CAUSE*CRC        hello
v1,SEQ,MS,ANTENNA,=|+|-|~,VISITS[,UID…]*CRC             visits of an antenna
v1,SEQ,MS,ANTENNA,x,TEXT*CRC                            a dead antenna
v1,SEQ,MS,k,NUMBER,STATE,EDGES*CRC                      a contact
v1,SEQ,MS,s,NUMBER,REPORT[,COUNT[,FACE…]]*CRC           the shuffler
v1,SEQ,MS,t,PART,PARTS[,UID…]*CRC                       the tray, by tags
v1,SEQ,MS,c[,DENOMINATION,COUNT…]*CRC                   the tray, by counts
v1,SEQ,MS,e,STATE,TEXT*CRC                              the board's health
#…                                                      a comment
"""

import re
from typing import Final, Literal, cast, get_args

import msgspec

from tablebridge.sdk import Reason, Rejected
from tablebridge.sdk.framing import crc_mcrf4xx, rejected

LONGEST: Final = 1024
"""Bytes of a line, its LF counted."""
MOST_NUMBER: Final = 0xFFFFFFFF
ANTENNAS: Final = 64
CONTACTS: Final = 64

Sign = Literal["=", "+", "-", "~"]
Report = Literal["ok", "count", "boxed", "missing", "extra", "jam", "door", "started", "ready"]
State = Literal["ok", "degraded", "failed"]
Cause = Literal["power", "reset", "watchdog", "brownout", "asked"]

_UID: Final = re.compile(r"(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{16}|[0-9A-F]{20}|[0-9A-F]{24})")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_FACE: Final = re.compile(r"[2-9TJQKA][cdhs]")
_VERSION: Final = re.compile(rb"v(\d{1,3}),")


class Hello(msgspec.Struct, frozen=True):
    """A board names itself, with the number of its antennas and contacts, and why it does so now."""

    identity: str
    antennas: int
    contacts: int
    cause: Cause


class Visits(msgspec.Struct, frozen=True):
    """`visits`: VISITS for `=` and `~`, BEFORE for `+` and `-`."""

    antenna: int
    sign: Sign
    visits: int
    tags: tuple[str, ...] = ()


class DeadAntenna(msgspec.Struct, frozen=True):
    """An antenna does not work."""

    antenna: int
    text: str


class Contact(msgspec.Struct, frozen=True):
    """A contact as it is. `edges`: number of its changes since the board started."""

    number: int
    closed: bool
    edges: int


class Shuffler(msgspec.Struct, frozen=True):
    """A report of the shuffler. `number`: counts reports."""

    number: int
    report: Report
    count: int | None = None
    faces: tuple[str, ...] = ()


class TrayTags(msgspec.Struct, frozen=True):
    """One of several parts of the tags in the tray."""

    part: int
    parts: int
    tags: tuple[str, ...] = ()


class TrayCounts(msgspec.Struct, frozen=True):
    """Number of chips in the tray by denomination."""

    counts: dict[int, int] = {}


class Health(msgspec.Struct, frozen=True):
    """How the board is."""

    state: State
    text: str


Message = Hello | Visits | DeadAntenna | Contact | Shuffler | TrayTags | TrayCounts | Health


class Line(msgspec.Struct, frozen=True):
    """One line of the board: its number, its clock in ms, and what it says."""

    seq: int
    ms: int
    message: Message


class OtherVersion(msgspec.Struct, frozen=True):
    """An intact line of a protocol version that is not read here."""

    version: int


def encode_line(line: Line) -> bytes:
    """The line with its CRC and LF. Raises ValueError if it would be too long."""
    text = ",".join(("v1", str(line.seq), str(line.ms), *_fields(line.message))).encode("ascii")
    encoded = text + b"*%04X\n" % crc_mcrf4xx(text)
    if len(encoded) > LONGEST:
        raise ValueError(f"a line of {len(encoded)} bytes is longer than {LONGEST}")
    return encoded


def _fields(message: Message) -> tuple[str, ...]:
    match message:
        case Hello():
            return "h", message.identity, str(message.antennas), str(message.contacts), message.cause
        case Visits():
            return str(message.antenna), message.sign, str(message.visits), *message.tags
        case DeadAntenna():
            return str(message.antenna), "x", message.text
        case Contact():
            return "k", str(message.number), str(int(message.closed)), str(message.edges)
        case Shuffler():
            count = "" if message.count is None else str(message.count)
            tail = (count, *message.faces) if count or message.faces else ()
            return "s", str(message.number), message.report, *tail
        case TrayTags():
            return "t", str(message.part), str(message.parts), *message.tags
        case TrayCounts():
            return "c", *(str(number) for pair in message.counts.items() for number in pair)
        case Health():
            return "e", message.state, message.text


def decode_line(line: bytes) -> Line | OtherVersion | Rejected | None:
    """What a line without its LF says. None: a comment or nothing."""
    line = line.removesuffix(b"\r")
    if not line or line.startswith(b"#"):
        return None
    text, star, check = line.rpartition(b"*")
    if not line.startswith(b"v") or not star:
        return rejected(Reason.NOISE, "not a line of the protocol", line)
    if check != b"%04X" % crc_mcrf4xx(text):
        return rejected(Reason.CHECKSUM, "CRC", line)
    if not text.startswith(b"v1,"):
        version = _VERSION.match(text)
        return (
            OtherVersion(int(version[1]))
            if version
            else rejected(Reason.NOISE, "not a line of the protocol", line)
        )
    fields = text.decode("latin-1").split(",")
    try:
        if len(fields) < 4:
            raise _Unreadable(Reason.TOO_SHORT, "less than four fields")
        if any(not " " <= char <= "~" or char == "*" for char in text.decode("latin-1")):
            raise _Unreadable(Reason.IMPOSSIBLE_VALUE, "a character that no line holds")
        return Line(_number(fields[1], "SEQ"), _number(fields[2], "MS"), _message(fields[3], fields[4:]))
    except _Unreadable as fault:
        return rejected(fault.reason, fault.detail, line)


class _Unreadable(Exception):
    """Leaves the field that cannot be read; never leaves this module."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def _message(subject: str, rest: list[str]) -> Message:
    if subject.isdigit():
        return _antenna(_number(subject, "ANTENNA", 1, ANTENNAS), rest)
    match subject:
        case "h":
            identity, antennas, contacts, cause = _exactly(4, rest)
            return Hello(
                identity,
                _number(antennas, "ANTENNAS", 0, ANTENNAS),
                _number(contacts, "CONTACTS", 0, CONTACTS),
                cast(Cause, _checked(cause, "CAUSE", get_args(Cause))),
            )
        case "k":
            number, state, edges = _exactly(3, rest)
            return _contact(number, state, edges)
        case "s":
            number, report, *more = _at_least(2, rest)
            return _shuffler(number, report, more)
        case "t":
            part, parts, *uids = _at_least(2, rest)
            tray = TrayTags(_number(part, "PART", 1, 64), _number(parts, "PARTS", 1, 64), _uids(uids))
            if tray.part > tray.parts:
                raise _Unreadable(Reason.IMPOSSIBLE_VALUE, "PART is more than PARTS")
            return tray
        case "c":
            numbers = [_number(text, "COUNT") for text in rest]
            if len(numbers) % 2 or len(set(numbers[::2])) * 2 != len(numbers) or 0 in numbers[::2]:
                raise _Unreadable(Reason.IMPOSSIBLE_VALUE, "pairs of a denomination, each once, and a count")
            return TrayCounts(dict(zip(numbers[::2], numbers[1::2], strict=True)))
        case "e":
            state, text = _exactly(2, rest)
            return Health(cast(State, _checked(state, "STATE", get_args(State))), text)
    raise _Unreadable(Reason.UNKNOWN_TYPE, "SUBJECT")


def _contact(number: str, state: str, edges: str) -> Contact:
    contact = Contact(
        _number(number, "NUMBER", 1, CONTACTS),
        bool(_number(state, "STATE", 0, 1)),
        _number(edges, "EDGES", 0, 65535),
    )
    if contact.closed != bool(contact.edges % 2):
        raise _Unreadable(Reason.IMPOSSIBLE_VALUE, "EDGES is odd exactly when the contact is closed")
    return contact


def _shuffler(number: str, report: str, more: list[str]) -> Shuffler:
    count, faces = (more[0], more[1:]) if more else ("", [])
    if not all(_FACE.fullmatch(face) for face in faces):
        raise _Unreadable(Reason.IMPOSSIBLE_VALUE, "FACE")
    return Shuffler(
        _number(number, "NUMBER", 1, 65535),
        cast(Report, _checked(report, "REPORT", get_args(Report))),
        _number(count, "COUNT", 0, 999) if count else None,
        tuple(faces),
    )


def _antenna(antenna: int, rest: list[str]) -> Visits | DeadAntenna:
    sign, value, *uids = _at_least(2, rest)
    if sign == "x":
        if uids:
            raise _Unreadable(Reason.TOO_LONG, "more fields than the line has")
        return DeadAntenna(antenna, value)
    if sign not in get_args(Sign):
        raise _Unreadable(Reason.UNKNOWN_TYPE, "what happened at the antenna")
    changed = sign in ("+", "-")
    if changed and not uids:
        raise _Unreadable(Reason.TOO_SHORT, "a change without UIDs")
    return Visits(
        antenna, cast(Sign, sign), _number(value, "VISITS", 0 if changed else 1, 65535), _uids(uids)
    )


def _number(text: str, what: str, lowest: int = 0, highest: int = MOST_NUMBER) -> int:
    if _NUMBER.fullmatch(text) is None or not lowest <= int(text) <= highest:
        raise _Unreadable(Reason.IMPOSSIBLE_VALUE, f"{what} is a number from {lowest} to {highest}")
    return int(text)


def _uids(fields: list[str]) -> tuple[str, ...]:
    if not all(_UID.fullmatch(field) for field in fields):
        raise _Unreadable(Reason.IMPOSSIBLE_VALUE, "a UID is 4, 7, 8, 10 or 12 bytes in upper-case hex")
    if len(set(fields)) != len(fields):
        raise _Unreadable(Reason.IMPOSSIBLE_VALUE, "a UID twice in one line")
    return tuple(fields)


def _checked(text: str, what: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise _Unreadable(Reason.UNKNOWN_TYPE, f"{what} is one of {', '.join(known)}")
    return text


def _exactly(count: int, fields: list[str]) -> list[str]:
    if len(fields) > count:
        raise _Unreadable(Reason.TOO_LONG, "more fields than the line has")
    return _at_least(count, fields)


def _at_least(count: int, fields: list[str]) -> list[str]:
    if len(fields) < count:
        raise _Unreadable(Reason.TOO_SHORT, "fewer fields than the line has")
    return fields
