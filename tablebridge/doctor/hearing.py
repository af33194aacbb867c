"""What the readers of a site hear while a person lays cards or chips down: from the bus, or as lines of
standard input.
"""

import contextlib
import secrets
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeVar

import click
import msgspec

from tablebridge.bus.account import account
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import ReadingBatch, decode
from tablebridge.bus.topics import PUBLIC_STATE, READING, parse
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Stamped, Sweep, TrayReading
from tablebridge.model.views import TableView
from tablebridge.settings.site import Device, Site, Table

UNDO: Final = "undo"
TRAY_VISITS: Final = 3
"""A tray reports its tags when they change only, and they stay until then: a report counts as this many
visits.
"""
_STEP_S: Final = 0.2
_RETAINED_S: Final = 2.0
S = TypeVar("S", bound=Sweep)


def bus_readings(site: Site, table: Table, devices: Iterable[str], purpose: str) -> Iterator[Stamped | str]:
    """The readings of these devices from now on, and each line that a person types, as it is. `purpose` is
    part of the client's id. Raises BrokerError.
    """
    came: deque[Stamped | str] = deque()
    wanted = frozenset(devices)
    user, password = account(site, "enrol")
    client = BusClient(site.broker, f"{purpose}-{secrets.token_hex(8)}", user, password, clean=True)

    def message(topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        ack()
        with contextlib.suppress(ValueError):
            came.extend(
                stamped for stamped in decode(payload, ReadingBatch).stamped() if stamped.device in wanted
            )

    client.on_message = message
    for group in table.groups:
        if wanted.intersection(group.devices):
            # QoS 0: what is read while nobody listens must not be kept for us.
            client.subscribe(READING.of(site.name, table.name, group.name), qos=0)
    keys = [sys.stdin.fileno()] if sys.stdin.isatty() else []
    try:
        while True:
            if client.step(_STEP_S, keys):
                came.append(sys.stdin.readline())
            while came:
                yield came.popleft()
    finally:
        client.close()


def antenna_sweeps(site: Site, device_name: str | None, antenna: int | None) -> Iterator[Sweep | str]:
    """Sweeps of one antenna from the bus, and `undo` when u is typed. `device_name`, `antenna`: None for the
    only reader, and for the first antenna that the site file names. Raises ConfigError, BrokerError.
    """
    table, device = device_of(site, device_name)
    number = antenna if antenna is not None else next(iter(device.antennas), 0)
    for heard in bus_readings(site, table, [device.name], "enrol"):
        if isinstance(heard, str):
            if heard.strip().lower() in ("u", UNDO):
                yield UNDO
        elif isinstance(heard.reading, Sweep) and heard.reading.antenna == number:
            yield heard.reading
        elif isinstance(heard.reading, TrayReading):
            yield Sweep(number, heard.reading.tags, TRAY_VISITS)


def deck_in_play(site: Site, deck: Path) -> str:
    """The table at which a hand is under way with this deck, perhaps; empty if there is none. Waits for what
    the broker retains of each table, for `_RETAINED_S` at most. Raises BrokerError.
    """
    streets: dict[str, str] = {}
    user, password = account(site, "enrol")
    client = BusClient(site.broker, f"in-play-{secrets.token_hex(8)}", user, password, clean=True)

    def message(topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        ack()
        parsed = parse(topic)
        with contextlib.suppress(ValueError):
            if parsed is not None:
                streets[parsed.table] = decode(payload, TableView).street

    client.on_message = message
    client.subscribe(PUBLIC_STATE.filter(site.name))
    deadline = time.monotonic() + _RETAINED_S
    try:
        while len(streets) < len(site.tables) and time.monotonic() < deadline:
            client.step(_STEP_S)
    finally:
        client.close()
    return in_play(site, deck, streets)


def in_play(site: Site, deck: Path, streets: Mapping[str, str]) -> str:
    """The table at which this deck may be in play, by the streets of the tables: a hand is under way, and the
    site file names the deck there, or names none. Empty if there is no such table.
    """
    for table in site.tables:
        here = not table.deck_files or deck.resolve() in {path.resolve() for path in table.deck_files}
        if here and streets.get(table.name, "") not in ("", "over", "void"):
            return table.name
    return ""


def device_of(site: Site, name: str | None) -> tuple[Table, Device]:
    """The device of this name and its table, or the only reader. Raises ConfigError."""
    found = [
        (table, device) for table in site.tables for device in table.devices if name in (None, device.name)
    ]
    readers = [pair for pair in found if pair[1].antennas] if name is None else found
    if len(readers) == 1:
        return readers[0]
    names = ", ".join(device.name for table in site.tables for device in table.devices) or "none"
    if name is None:
        raise ConfigError(f"Say on which reader the cards are laid: --device NAME, of {names}.")
    raise ConfigError(f"The site file has no device {name!r}; it has {names}.")


def typed_sweeps(kind: type[S], word: str) -> Iterator[S | str]:
    """Sweeps of standard input, one JSON object per line, and `word` for each line that is this word. A line
    that is neither is named on standard error and skipped.
    """
    decoder = msgspec.json.Decoder(kind)
    for number, line in enumerate(sys.stdin, 1):
        if line.strip() == word:
            yield word
        elif line.strip():
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                click.echo(f"line {number}: this is no sweep ({error}); skipped", err=True)
