"""Sensing on what was recorded: captures of devices, and the readings that a journal keeps.

A journal is sensed as its engine process sensed it: the recorded entries are folded in their order, so that
the expectation is the engine's own, and what sensing concludes of each reading is given again. A capture has
no engine; there one follows the cards of the table's game, and a contact or a shuffler that begins a hand
begins a hand here.
"""

import heapq
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tablebridge.antennas.dwell import DwellCounter, DwellCounts
from tablebridge.app.sensors import sensor_of
from tablebridge.engine.outcome import NOTHING, Outcome
from tablebridge.engine.table import Table as Recorded
from tablebridge.host import registry
from tablebridge.journal.readings import Taken, Tick
from tablebridge.journal.records import LearntRecord, body_of
from tablebridge.journal.store import Journal, Record
from tablebridge.model.errors import ConfigError, JournalError
from tablebridge.model.events import Entry, Hand
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sdk.captures import hear, read_capture
from tablebridge.sdk.turns import ContractError
from tablebridge.settings.decks import load_inventory
from tablebridge.settings.site import Device, Site, Table
from tablebridge.tracking.placed import PlacedCards
from tablebridge.tracking.stand_in import stand_in
from tablebridge.tracking.tracker import Engine, Tracker

CardEvents = Iterator[dict[str, Any]]
"""Card events in the form that `tablebridge sense` prints."""


class _Hands:
    """The hands of a recording, each followed by a stand-in engine of its own."""

    def __init__(self, table: Table) -> None:
        self._game = table.game
        self._seats = table.seat_numbers
        self._button = table.button or table.seat_numbers[-1]
        self.hand = 0
        self.begin(0, 0)

    def begin(self, at_ns: int, hand: int) -> None:
        """The hand of this number begins."""
        self.hand = hand
        self._began_ns = at_ns
        self.cards = PlacedCards()
        self._engine: Engine | None = None

    def expectation(self) -> Expectation:
        """What is likely to happen next in the hand."""
        return self._followed().expectation()

    def apply(self, entry: Entry) -> Outcome:
        """Follow an entry; a `Hand` begins the next hand."""
        if isinstance(entry.event, Hand):
            self.begin(entry.at.monotonic_ns, self.hand + 1)
            return NOTHING
        return self._followed().apply(entry)

    def _followed(self) -> Engine:
        """The stand-in of this hand. Raises ConfigError if there is none for the game of the table."""
        if self._engine is None:
            try:
                self._engine = stand_in(self._game, self._seats, self._button)
            except ValueError as error:
                raise ConfigError(f"{error}.") from None
        return self._engine

    def card_events(self, entry: Entry) -> CardEvents:
        """The cards that an entry puts somewhere."""
        at_ms = (entry.at.monotonic_ns - self._began_ns) / 1e6
        for card, place in self.cards.placed(entry):
            yield {"hand": self.hand, "at_ms": at_ms, "card": card, "place": place}


def from_journal(site: Site, path: Path) -> CardEvents:
    """What sensing concludes of the readings that a journal kept. Raises ConfigError if the site has not its
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
    engine, hands = Recorded(table.name), _Hands(table)
    tracker = Tracker(sensor_of(table, load_inventory(site, table)), engine)
    for row in journal.rows():
        if isinstance(row, Record):
            body = body_of(row)
            if isinstance(body, Entry):
                tracker.replay(body)
                if isinstance(body.event, Hand):
                    hands.begin(body.at.monotonic_ns, engine.hand_number)
            elif isinstance(body, LearntRecord):
                tracker.recall(body.learnt)
            continue
        if isinstance(row.row, Tick):
            at, conclusions = row.row.at, tracker.replay_tick(row.row.at)
        else:
            at, conclusions = row.row.stamped.at, tracker.replay_reading(row.row.stamped)
        for sensed in conclusions:
            entry = Entry(row.number, at, sensed.event, sensed.basis)
            yield from hands.card_events(entry)
    journal.close()


def table_of(site: Site, devices: Mapping[str, Path]) -> Table:
    """The table that has all these devices. Raises ConfigError."""
    for table in site.tables:
        if devices.keys() <= {device.name for device in table.devices}:
            return table
    raise ConfigError(
        f"No table of the site file has the devices {', '.join(sorted(devices))}; name them as it does."
    )


def from_captures(site: Site, files: Mapping[str, Path]) -> CardEvents:
    """What sensing concludes of captures, by their devices. They are taken to have begun at the same moment.

    Raises ConfigError if no table has all the devices, a file is no capture or its driver cannot hear it.
    """
    table = table_of(site, files)
    devices = {device.name: device for device in table.devices}
    heard = [_readings(devices[name], path) for name, path in files.items()]
    sensor, hands = sensor_of(table, load_inventory(site, table)), _Hands(table)
    sensor.begin_hand()
    events: list[dict[str, Any]] = []
    tracker = Tracker(sensor, hands, entered=lambda entered: events.extend(hands.card_events(entered.entry)))
    for stamped in heapq.merge(*heard, key=lambda stamped: (stamped.at.monotonic_ns, stamped.device)):
        if tracker.due(stamped.at):
            tracker.tick(stamped.at)
        tracker.reading(stamped)
        yield from events
        events.clear()


def counts_of(table: Table, path: Path) -> DwellCounts:
    """What the readings that a journal keeps say of the table's antennas. Raises JournalError."""
    collector = DwellCounter(table.antenna_places)
    journal = Journal(path, table.name, readonly=True)
    for row in journal.rows():
        if isinstance(row, Record):
            body = body_of(row)
            if isinstance(body, Entry) and isinstance(body.event, Hand):
                collector.end_hand()
        elif isinstance(row.row, Taken) and isinstance(row.row.stamped.reading, Sweep):
            stamped = row.row.stamped
            collector.count_report(stamped.device, row.row.stamped.reading, stamped.at.monotonic_ns)
    journal.close()
    collector.end_hand()
    return collector.counts


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
