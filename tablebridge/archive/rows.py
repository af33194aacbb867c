"""What the pages want to know of a record, read from its readable part."""

from datetime import UTC, date, datetime
from typing import Any, Final, Literal, NamedTuple

import msgspec

from tablebridge.stream.message import RecordMessage

_DECK_EVENTS: Final = frozenset({"deck-in-play", "deck-check"})
_ONE_PER_TABLE: Final = frozenset({"alert", "device"})
_LATEST_NS: Final = 4_102_444_800 * 10**9
"""The end of 2099: what a clock says beyond that is no time."""
_DECODER: Final = msgspec.json.Decoder()


Standing = Literal["own", "apart", "intruder"]
"""Of the box that has sent a record: the table's own box; another one, in a segment that it began itself; or
another one, in the segment of somebody else.
"""


class Stored(NamedTuple):
    """A record as it is stored. `box`: which has sent it; `arrived`: when it came into the stream, by the
    room's clock.
    """

    message: RecordMessage
    segment: int
    table: int
    box: str
    arrived: datetime
    standing: Standing = "own"

    @property
    def day(self) -> date:
        """The day of its partition."""
        return self.arrived.date()

    @property
    def at(self) -> datetime | None:
        """When it happened by the box's clock, if that says a time at all."""
        ns = self.message.at_wall_ns
        return datetime.fromtimestamp(ns / 1e9, UTC) if 0 < ns < _LATEST_NS else None


class Extract(NamedTuple):
    """Rows for the tables beside `record`, and what is deleted: by name of the table."""

    event: str | None
    rows: dict[str, dict[str, Any]]
    redacted: tuple[int, ...] = ()


def extract(stored: Stored) -> Extract:
    """What is read from a record; nothing if its body is not of the form that is known here. Of a table there
    is one row for each alert and each device, and only the table's own box may change it; an intruder changes
    no row at all.
    """
    message = stored.message
    try:
        body = _DECODER.decode(message.body)
        found = _READERS[message.kind](stored, body)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return Extract(None, {})
    if stored.standing == "own":
        return found
    apart = stored.standing == "apart"
    rows = {name: row for name, row in found.rows.items() if apart and name not in _ONE_PER_TABLE}
    return found._replace(rows=rows)


def _base(stored: Stored) -> dict[str, Any]:
    return {"segment_id": stored.segment, "table_id": stored.table, "at": stored.at}


def _entry(stored: Stored, body: dict[str, Any]) -> Extract:
    event = body["event"]
    name = str(event["event"])
    base = _base(stored)
    number = stored.message.number
    if name == "hand":
        return Extract(name, {"hand": base | {"began": number, "day": stored.day}})
    if name == "end":
        return Extract(name, {"ended": base | {"number": number}})
    if name == "device":
        row = {
            "device": _word(event["device"]),
            "number": number,
            "state": _word(event["state"]),
            "health": _word(event.get("health", "")),
            "gaps": _whole(event.get("gap", 0)),
        }
        return Extract(name, {"device": base | row})
    if name in _DECK_EVENTS and event.get("deck"):
        row = {"number": number, "deck": _word(event["deck"]), "event": name}
        return Extract(name, {"deck": base | row})
    return Extract(_word(name)[:64], {})


def _finding(stored: Stored, body: dict[str, Any]) -> Extract:
    row = {
        "number": stored.message.number,
        "day": stored.day,
        "id": _word(body["id"]),
        "finding": _word(body["finding"]),
        "severity": _word(body["severity"]),
        "hand": _whole(body["hand"]),
        "seat": None if body.get("seat") is None else _whole(body["seat"], 10),
        "cause": _word(body.get("cause") or ""),
        "rule": _word(body.get("rule") or ""),
        "device": _word(body.get("device", "")),
    }
    return Extract(None, {"finding": _base(stored) | row})


def _alert(stored: Stored, body: dict[str, Any]) -> Extract:
    change = body["change"]
    row = {
        "alert": _word(change["alert"]),
        "number": stored.message.number,
        "state": _word(change["to"]),
        "by": _word(change["by"]),
    }
    return Extract(None, {"alert": _base(stored) | row})


def _payments(stored: Stored, body: dict[str, Any]) -> Extract:
    row = {
        "began": _whole(body["began"]),
        "hand": _whole(body["number"]),
        "paid": body["paid"],
        "day": stored.day,
    }
    return Extract(None, {"paid": _base(stored) | row})


def _redaction(_stored: Stored, body: dict[str, Any]) -> Extract:
    return Extract(None, {}, tuple(_whole(int(number)) for number in body["rows"]))


def _word(text: object) -> str:
    """A text that PostgreSQL can hold."""
    return str(text).replace("\0", "")[:200]


def _whole(number: object, most: int = 2**53) -> int:
    """A number that a column can hold. Raises ValueError for anything else."""
    if isinstance(number, int) and 0 <= number <= most:
        return number
    raise ValueError(number)


_READERS: Final = {
    "entry": _entry,
    "finding": _finding,
    "alert": _alert,
    "payments": _payments,
    "redaction": _redaction,
}
