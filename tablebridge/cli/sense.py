"""`tablebridge sense`: antenna readings on standard input, card events on standard output."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import click

from tablebridge.journal.read import may_be_journal
from tablebridge.model.cards import Card, parse_card
from tablebridge.model.errors import ConfigError
from tablebridge.model.events import Burn, Deal, End, Entry, Muck, Seen, Street, TableEvent, Undo
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, MUCK, Place, parse_place, seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.settings.decks import parse_uid

_STREETS = {0: ("flop", 3), 3: ("turn", 1), 4: ("river", 1)}


class Unreadable(ValueError):
    """A line that is no reading."""


class Follower:
    """A stand-in for the hand engine where nobody says what is bet: the order of the deal, then burn and
    street by turns.
    """

    def __init__(self, seats: tuple[int, ...], button: int) -> None:
        after = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
        self._due = after * 2
        self._live = list(seats)
        self._holds: dict[int, list[Card]] = {}
        self._board: list[Card] = []
        self._burned = False
        self._deals: dict[int, Deal] = {}

    def expectation(self) -> Expectation:
        """What is likely to happen next."""
        holds = {seat: len(cards) for seat, cards in self._holds.items()}
        if self._due:
            return Expectation("deal", tuple(self._due), tuple(self._live), "preflop", holds=holds)
        board = tuple(self._board)
        if len(board) not in _STREETS:
            return Expectation("showdown", (), tuple(self._live), "river", holds=holds, board=board)
        street, count = _STREETS[len(board)]
        return Expectation(
            "street" if self._burned else "burn",
            (),
            tuple(self._live),
            "",
            street,
            count,
            holds,
            not self._burned,
            board,
        )

    def apply(self, event: TableEvent, number: int) -> list[tuple[Card, Place]]:
        """Follow the event of this number; the cards that it puts somewhere."""
        match event:
            case Undo(entry=undone) if undone in self._deals:
                deal = self._deals.pop(undone)
                self._holds[deal.seat].remove(deal.card)
                self._due.insert(0, deal.seat)
                return []
            case Deal(seat=seat, card=card):
                if seat in self._due:
                    self._due.remove(seat)
                self._holds.setdefault(seat, []).append(card)
                self._deals[number] = event
                return [(card, seat_place(seat))]
            case Burn(card=card) if card is not None:
                self._burned = True
                return [(card, BURN)]
            case Street(cards=cards):
                self._due.clear()
                self._burned = False
                self._board += cards
                return [(card, BOARD) for card in cards]
            case Muck(seat=seat):
                self._live = [live for live in self._live if live != seat]
                return [(card, MUCK) for card in self._holds.get(seat, [])]
            case Seen(card=card, place=place):
                return [(card, place)]
            case _:
                return []


class Stream:
    """One stream of readings: the table of its first line, then hand after hand."""

    def __init__(self) -> None:
        self._seats: tuple[int, ...] = ()
        self._button = 0
        self._cards: dict[str, Card] = {}
        self._visited: list[tuple[int, Any]] = []
        self._last_ms = 0.0
        self._sensor: Sensor | None = None
        self._follower: Follower | None = None
        self._hand = 0
        self._number = 0
        self._told = 0

    @property
    def has_table(self) -> bool:
        """Whether the line that describes the table has come."""
        return self._sensor is not None

    def feed(self, line: str) -> list[dict[str, Any]]:
        """The events of one line. Raises Unreadable."""
        try:
            record = json.loads(line)
        except ValueError as error:
            raise Unreadable(f"this is not JSON ({error})") from None
        if not isinstance(record, dict):
            raise Unreadable("a line is one JSON object")
        if "table" in record:
            self._table(record["table"])
            return []
        if self._sensor is None:
            raise Unreadable('the first line must be {"table": {...}}')
        try:
            at_ms = float(record["at_ms"])
            hand = record["hand"]
            at = Instant(round(at_ms * 1e6), round(at_ms * 1e6))
        except (KeyError, TypeError, ValueError, OverflowError):
            raise Unreadable('a reading needs "hand" and "at_ms", a number of milliseconds') from None
        if record.get("begin"):
            self._hand = hand
            self._follower = Follower(self._seats, self._button)
            self._sensor.begin_hand()
            self._visited.clear()
            return []
        if record.get("end"):
            self._told += 1
            self._sensor.observe(Entry(self._told, at, End(), "inferred"))
            return self._moved(self._sensor, self._last_ms)  # they rest on no later reading
        if self._follower is None:
            raise Unreadable('a hand begins with {"hand": N, "begin": true, "at_ms": 0}')
        antenna, tags = record.get("antenna"), record.get("tags")
        if (
            not isinstance(antenna, int)
            or not isinstance(tags, list)
            or not all(isinstance(tag, str) for tag in tags)
        ):
            raise Unreadable('a reading needs "antenna", a whole number, and "tags", a list of texts')
        visited = (antenna, record.get("visited_ms"))
        if visited[1] is not None and visited in self._visited:
            return []  # the report came twice
        self._visited = [*self._visited[-63:], visited]
        self._number += 1
        self._last_ms = at_ms
        sweep = Sweep(antenna, tuple(tag.upper() for tag in tags))
        return self._events(
            Stamped("table", "stream", self._number, at, sweep), self._sensor, self._follower, at_ms
        )

    def _events(
        self, stamped: Stamped, sensor: Sensor, follower: Follower, at_ms: float
    ) -> list[dict[str, Any]]:
        told = list(sensor.update(stamped, follower.expectation()))
        if sensor.wake_ns is not None and sensor.wake_ns <= stamped.at.monotonic_ns:
            told += sensor.due(stamped.at, follower.expectation())
        printed = self._moved(sensor, at_ms)
        for sensed in told:
            self._told += 1
            sensor.observe(Entry(self._told, stamped.at, sensed.event, sensed.basis))
            follower.apply(sensed.event, self._told)
        return printed

    def _moved(self, sensor: Sensor, at_ms: float) -> list[dict[str, Any]]:
        """Where cards went with the last reading."""
        return [
            {"hand": self._hand, "at_ms": at_ms, "card": self._cards[move.tag], "place": move.place}
            for move in sensor.moves
        ]

    def _table(self, table: Any) -> None:
        try:
            seats = tuple(sorted(int(seat) for seat in table["seats"]))
            button = int(table.get("button", seats[-1]))
            places = {
                ("table", int(antenna)): parse_place(place) for antenna, place in table["antennas"].items()
            }
            cards = {parse_uid(tag): parse_card(card) for tag, card in table["tags"].items()}
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise Unreadable(
                f'the table needs "seats", "antennas" (number to place) and "tags" (UID to card): {error}'
            ) from None
        self._seats, self._button, self._cards = seats, button, cards
        self._sensor = Sensor(places, {}, DeckRegistry.of(cards))
        self._follower = None


def sense(lines: Iterable[str], out: TextIO, complain: TextIO) -> tuple[int, int]:
    """Reads all lines, writes events as they are sensed. Gives how many lines were read and how many skipped."""
    stream = Stream()
    read = skipped = 0
    table_missing = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            events = stream.feed(line)
        except Unreadable as error:
            skipped += 1
            if not table_missing:
                print(f"line {number}: {error}; skipped", file=complain)
            # Without a table all lines fail alike: one complaint says it.
            table_missing = not stream.has_table
            continue
        read += 1
        table_missing = False
        for event in events:
            print(json.dumps(event), file=out, flush=True)
    return read, skipped


@click.command("sense", epilog="Example: tablebridge sense < readings.jsonl")
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option(
    "--site", "site_file", type=click.Path(path_type=Path), help="The site file: for captures and journals."
)
def command(sources: tuple[str, ...], site_file: Path | None) -> None:
    """Read antenna readings, print card events.

    \b
    SOURCE is
      -                  standard input, also where nothing is given
      FILE               a file of readings, or a pipe
      JOURNAL            a journal: the readings that it keeps (--site)
      DEVICE=FILE ...    captures of devices of one table (--site)

    \b
    Readings, one JSON object a line, in the order of arrival:
      {"table": {"seats": [1, 2], "button": 2,
                 "antennas": {"0": "seat 1", "1": "seat 2", "2": "board"},
                 "tags": {"E0040150ABCD0001": "Ah"}}}
      {"hand": 0, "begin": true, "at_ms": 0}
      {"hand": 0, "at_ms": 812.4, "antenna": 1, "tags": ["E0040150ABCD0001"]}
      {"hand": 0, "end": true, "at_ms": 76120.0}
    The first line is the table. A hand begins with all cards in the stub.
    Each reading is one visit of one antenna; an empty list of tags counts.
    With "visited_ms", a copy of a visit (same antenna, same time) is dropped.

    \b
    Events, one JSON object a line, each as soon as it is sensed:
      {"hand": 0, "at_ms": 1020.0, "card": "Ah", "place": "seat 1"}
    These are the moves of single cards as the card filter believes them,
    before a record is made of them: a later one of the same card corrects it.
    at_ms is that of the last reading it rests on; what the end of a hand
    concludes has that of the hand's last reading. Places are seat 1 to
    seat 10, board, burn, muck, stub.

    A line that is no reading is named on standard error and skipped. The
    same recording gives the same output, to the byte.
    """
    if any("=" in source or may_be_journal(Path(source)) for source in sources):
        _recorded(sources, site_file)
        return
    if len(sources) > 1:
        raise click.UsageError(
            "Give one file of readings; only captures come several at once, as DEVICE=FILE."
        )
    try:
        with click.open_file(sources[0] if sources else "-", encoding="utf-8", errors="replace") as lines:
            read, skipped = sense(lines, sys.stdout, sys.stderr)
    except OSError as error:
        raise ConfigError(
            f"{sources[0]} cannot be read ({error.strerror}); check the path and its permissions."
        ) from None
    if skipped:
        click.echo(f"{skipped} of {read + skipped} lines were skipped.", err=True)
    if not read:
        raise ConfigError(
            'no line could be read; the first must be {"table": {...}}, see tablebridge sense --help.'
        )


def _recorded(sources: tuple[str, ...], site_file: Path | None) -> None:
    from tablebridge.cli import sense_recorded
    from tablebridge.settings.load import load_site

    if site_file is None:
        raise click.UsageError("Captures and journals need --site FILE: it says which antenna looks where.")
    site = load_site(site_file)
    if may_be_journal(Path(sources[0])):
        if len(sources) > 1:
            raise click.UsageError("Give one journal alone.")
        told = sense_recorded.from_journal(site, Path(sources[0]))
    else:
        files = {}
        for source in sources:
            device, equals, file = source.partition("=")
            if not equals or device in files:
                raise click.UsageError(
                    f"{source!r} is no capture of a further device; write DEVICE=FILE for each."
                )
            files[device] = Path(file)
        table = next(
            (table for table in site.tables if files.keys() <= {device.name for device in table.devices}),
            None,
        )
        if table is None:
            raise ConfigError(
                f"No table of the site file has the devices {', '.join(sorted(files))}; name them as it does."
            )
        told = sense_recorded.from_captures(site, table, files)
    for event in told:
        click.echo(json.dumps(event))
