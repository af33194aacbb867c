"""Every message on the bus, with its schema version. Payloads are JSON; unknown fields are ignored, wrong types refused."""

from typing import Any, Final, Literal, TypeVar

import msgspec

from tablebridge.model.alerts import Alert, AlertChange
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.presence import Sign
from tablebridge.model.readings import Stamped
from tablebridge.model.views import TableView, Turn

SCHEMA: Final = 1
CEILING: Final = 65_536
"""The largest payload in bytes that is sent or taken."""

M = TypeVar("M")


class ReadingMessage(msgspec.Struct, frozen=True):
    """One reading. It is sent again after a broken connection, so the receiver drops what it has (device, epoch, seq)."""

    stamped: Stamped
    schema: int = SCHEMA


class Availability(msgspec.Struct, frozen=True):
    """`epoch` lets a late last will be told from the present."""

    state: Literal["online", "offline"]
    epoch: str
    reason: str = ""
    schema: int = SCHEMA


class DeviceMeta(msgspec.Struct, frozen=True):
    """Birth of a driver process. `first_seq`: the oldest reading of the epoch that can still be replayed."""

    device: str
    driver: str
    epoch: str
    first_seq: int
    next_seq: int
    version: str
    identity: str = ""
    schema: int = SCHEMA


class DeviceHealth(msgspec.Struct, frozen=True):
    """`alive_wall_ns`: when the device last proved that it works. `rejects`: counters by reason."""

    device: str
    state: Literal["live", "stale", "lost"]
    at: Instant
    alive_wall_ns: int = 0
    detail: str = ""
    reconnects: int = 0
    frames: int = 0
    rejects: dict[str, int] = {}
    outbox: int = 0
    schema: int = SCHEMA


class ReplayRequest(msgspec.Struct, frozen=True):
    """Send these readings again, both ends included. What the outbox no longer has is answered by META, and so is a request for
    none at all (`last` below `first`)."""

    epoch: str
    first: int
    last: int
    schema: int = SCHEMA


class FindingMessage(msgspec.Struct, frozen=True):
    """A finding was made. `rev`: the journal record that made it."""

    finding: Finding
    at: Instant
    rev: int
    schema: int = SCHEMA


class PresenceMessage(msgspec.Struct, frozen=True):
    """What an antenna saw of a card before a seat."""

    sign: Sign
    schema: int = SCHEMA


class AlertMessage(msgspec.Struct, frozen=True):
    """An alert as it is now, sent when it is raised and at every change."""

    alert: Alert
    rev: int
    schema: int = SCHEMA


class ActiveAlerts(msgspec.Struct, frozen=True):
    """All alerts that are not closed, for those who have just connected."""

    alerts: tuple[Alert, ...]
    rev: int
    schema: int = SCHEMA


class TableSignal(msgspec.Struct, frozen=True):
    """What signal lights show: the worst alert that is not closed. `taken`: a person has acknowledged all of that level."""

    level: Literal["clear", "warning", "critical"]
    taken: bool = False
    schema: int = SCHEMA


class Command(msgspec.Struct, frozen=True):
    """What a person wants. Exactly one of: `lines` of table script, `undo` of an entry, `last`: the person's own last line is
    taken back, or brought back, `alert` change, `access`: hole cards were given to this person through the named feed.

    `turn`: the turn for which the lines were meant, as `TableView.turn` names it; at another turn they are refused.

    `id` is the idempotency key: the same id is done once and answered twice. `by`: person and role, set by the web
    process from the token. After `deadline_wall_ns` it is refused.
    """

    id: str
    by: str
    role: str
    deadline_wall_ns: int
    lines: tuple[str, ...] = ()
    undo: int | None = None
    last: Literal["", "undo", "redo"] = ""
    turn: str = ""
    alert: AlertChange | None = None
    access: str = ""
    schema: int = SCHEMA


class Reply(msgspec.Struct, frozen=True):
    """`sentence` says what was refused and why, or what the engine ignored. `entries`: the journal numbers of the command.
    `turn`: whose turn it is after it. `moved`: it was refused because it was meant for another turn."""

    id: str
    ok: bool
    sentence: str = ""
    entries: tuple[int, ...] = ()
    rev: int = 0
    turn: Turn | None = None
    moved: bool = False
    schema: int = SCHEMA


MESSAGES: Final[dict[str, type[Any]]] = {kind.__name__: kind for kind in (
    ReadingMessage, Availability, DeviceMeta, DeviceHealth, ReplayRequest, FindingMessage, AlertMessage, ActiveAlerts,
    PresenceMessage, TableSignal, Command, Reply, TableView)}

_ENCODER: Final = msgspec.json.Encoder()
_DECODERS: Final[dict[type[Any], msgspec.json.Decoder[Any]]] = {
    kind: msgspec.json.Decoder(kind) for kind in MESSAGES.values()}


def encode(message: Any) -> bytes:
    """The payload. Raises ValueError above the ceiling."""
    payload = _ENCODER.encode(message)
    if len(payload) > CEILING:
        raise ValueError(f"a {type(message).__name__} of {len(payload)} bytes is above the ceiling of {CEILING}")
    return payload


def decode(payload: bytes, kind: type[M]) -> M:
    """The message. Raises ValueError for what is not one: too long, not JSON, wrong types."""
    if len(payload) > CEILING:
        raise ValueError(f"{len(payload)} bytes are above the ceiling of {CEILING}")
    message: M = _DECODERS[kind].decode(payload)
    return message
