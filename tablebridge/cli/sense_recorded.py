"""`tablebridge sense` on what was recorded: captures of devices, and the readings that a journal keeps.

A journal is sensed as its engine process sensed it: the recorded entries are folded where they stand, so that
the expectation is the engine's own, and what sensing says to each reading is told anew. A capture has no
engine; there the order of the deal is followed, and a contact or a shuffler that begins a hand begins one
here.
"""

import heapq
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tablebridge.cli.sense import Follower
from tablebridge.engine.table import Table as Engine
from tablebridge.host import registry
from tablebridge.journal.read import entry_of
from tablebridge.journal.store import Journal, Record, Row, Tick
from tablebridge.model.errors import ConfigError, JournalError
from tablebridge.model.events import Entry, Hand, TableEvent
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped
from tablebridge.sdk.captures import hear, read_capture
from tablebridge.sdk.turns import ContractError
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.settings.decks import load_inventory
from tablebridge.settings.site import Device, Site, Table

Told = Iterator[dict[str, Any]]


def sensor_of(site: Site, table: Table) -> Sensor:
    """Sensing of a table as the site file describes it."""
    places = {
        (device.name, antenna): place
        for device in table.devices
        for antenna, place in device.antennas.items()
    }
    contacts = {
        (device.name, number): str(meaning)
        for device in table.devices
        for number, meaning in device.contacts.items()
    }
    return Sensor(places, contacts, DeckRegistry(load_inventory(site, table)))


class _Hands:
    """Card events of hand after hand, in the form that `tablebridge sense` prints."""

    def __init__(self, table: Table) -> None:
        self._seats = table.seat_numbers
        self._button = table.button or table.seat_numbers[-1]
        self.hand = 0
        self.begin(0, 0)

    def begin(self, at_ns: int, hand: int) -> None:
        """The hand of this number begins."""
        self.hand = hand
        self._began_ns = at_ns
        self.follower = Follower(self._seats, self._button)

    def told(self, event: TableEvent, number: int, at: Instant) -> Told:
        """The cards that an event puts somewhere."""
        at_ms = (at.monotonic_ns - self._began_ns) / 1e6
        for card, place in self.follower.apply(event, number):
            yield {"hand": self.hand, "at_ms": at_ms, "card": card, "place": place}


def from_journal(site: Site, path: Path) -> Told:
    """What sensing says to the readings that a journal kept. Raises ConfigError if the site has not its
    table, JournalError, also if it kept none.
    """
    journal = Journal(path, None, readonly=True)
    table = next((table for table in site.tables if table.name == journal.table), None)
    if table is None:
        raise ConfigError(f"The site file has no table {journal.table!r}, whose journal {path} is.")
    if next(journal.readings(), None) is None:
        raise JournalError(
            f"{path} keeps no readings: the site file's keep_readings_hands says of how many hands it does"
        )
    sensor, engine, hands = sensor_of(site, table), Engine(table.name), _Hands(table)
    rows: Iterable[Record | Row] = heapq.merge(
        journal.records(), journal.readings(), key=lambda row: row.number
    )
    for row in rows:
        if isinstance(row, Row):
            expect = engine.expectation()
            at = row.row.at if isinstance(row.row, Tick) else row.row.stamped.at
            told = (
                sensor.due(at, expect)
                if isinstance(row.row, Tick)
                else sensor.update(row.row.stamped, expect)
            )
            for sensed in told:
                yield from hands.told(sensed.event, row.number, at)
        elif (entry := entry_of(row)) is not None:
            engine.apply(entry)
            if isinstance(entry.event, Hand):
                sensor.begin_hand()
                hands.begin(entry.at.monotonic_ns, engine.hand_number)
            sensor.observe(entry)
    journal.close()


def from_captures(site: Site, table: Table, files: dict[str, Path]) -> Told:
    """What sensing says to captures, by the device of each. They are taken to have begun at the same moment.

    Raises ConfigError where a file is no capture or its driver cannot hear it.
    """
    devices = {device.name: device for device in table.devices}
    heard = [_readings(devices[name], path) for name, path in files.items()]
    sensor, hands = sensor_of(site, table), _Hands(table)
    sensor.begin_hand()
    number = 0
    for stamped in heapq.merge(*heard, key=lambda stamped: (stamped.at.monotonic_ns, stamped.device)):
        told: list[Conclusion] = []
        expect = hands.follower.expectation()
        if sensor.wake_ns is not None and sensor.wake_ns <= stamped.at.monotonic_ns:
            told += sensor.due(stamped.at, expect)
        told += sensor.update(stamped, expect)
        for sensed in told:
            number += 1
            if isinstance(sensed.event, Hand):
                sensor.begin_hand()
                hands.begin(stamped.at.monotonic_ns, hands.hand + 1)
            sensor.observe(Entry(number, stamped.at, sensed.event, sensed.basis))
            yield from hands.told(sensed.event, number, stamped.at)


def _readings(device: Device, path: Path) -> list[Stamped]:
    try:
        pieces = read_capture(path.read_text(encoding="utf-8"))
        driver = registry.load(pieces[0].driver if pieces and pieces[0].driver else device.driver)
        heard = hear(driver, pieces)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}); check the path and its permissions."
        ) from None
    except ContractError as error:
        raise ConfigError(f"The driver of {device.name} breaks its contract on {path}: {error}.") from None
    except ValueError as error:
        raise ConfigError(f"{path} is no capture: {error}.") from None
    return [
        Stamped(device.name, "capture", number, Instant(ns, ns), reading)
        for number, (reading, ns) in enumerate(zip(heard.readings, heard.read_ns, strict=True), 1)
    ]
