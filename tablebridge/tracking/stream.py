"""One stream of readings as JSON lines, tracked without an engine: the table of its first line, then hand
after hand.

`tablebridge sense --help` gives the format of the lines.
"""

import itertools
import json
from typing import Any, Final

from tablebridge.model.cards import Card, parse_card
from tablebridge.model.decks import parse_uid
from tablebridge.model.events import End
from tablebridge.model.instant import Instant
from tablebridge.model.places import parse_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.tracking.stand_in import stand_in
from tablebridge.tracking.tracker import Tracker

_GAME: Final = "nlhe"
"""The game of a table that names none."""
_COPIES: Final = 64
"""Of this number of visits a copy that arrives later is recognised (assumed)."""


class UnreadableLine(ValueError):
    """A line is no reading; the text says what is wrong with it."""


class Stream:
    """The readings of one table, line by line."""

    def __init__(self) -> None:
        self._seats: tuple[int, ...] = ()
        self._button = 0
        self._game = _GAME
        self._cards: dict[str, Card] = {}
        self._visited: list[tuple[int, Any]] = []
        self._last_ms = 0.0
        self._sensor: Sensor | None = None
        self._tracker: Tracker | None = None
        self._hand = 0
        self._readings = 0
        self._entries = itertools.count(1)

    @property
    def has_table(self) -> bool:
        """Whether the line that describes the table has come."""
        return self._sensor is not None

    @property
    def sensor(self) -> Sensor | None:
        """What senses the table; None before the line that describes it."""
        return self._sensor

    def feed(self, line: str) -> list[dict[str, Any]]:
        """The events of one line. Raises UnreadableLine."""
        record = _object(line)
        if "table" in record:
            self._table(record["table"])
            return []
        if self._sensor is None:
            raise UnreadableLine('the first line must be {"table": {...}}')
        try:
            at_ms = float(record["at_ms"])
            hand = record["hand"]
            at = Instant(round(at_ms * 1e6), round(at_ms * 1e6))
        except (KeyError, TypeError, ValueError, OverflowError):
            raise UnreadableLine('a reading needs "hand" and "at_ms", a number of milliseconds') from None
        if record.get("begin"):
            self._begin(self._sensor, hand)
            return []
        if record.get("end"):
            tracker = self._tracker or self._new_tracker(self._sensor)  # a hand may end that never began
            tracker.enter(End(), "inferred", at)
            return self._moved(self._sensor, self._last_ms)  # they rest on no later reading
        if self._tracker is None:
            raise UnreadableLine('a hand begins with {"hand": N, "begin": true, "at_ms": 0}')
        sweep = _sweep(record)
        if self._is_copy(sweep.antenna, record.get("visited_ms")):
            return []
        self._readings += 1
        self._last_ms = at_ms
        self._tracker.reading(Stamped("table", "stream", self._readings, at, sweep))
        if self._tracker.due(at):
            self._tracker.tick(at)
        return self._moved(self._sensor, at_ms)

    def _begin(self, sensor: Sensor, hand: int) -> None:
        self._hand = hand
        sensor.begin_hand()
        self._tracker = self._new_tracker(sensor)
        self._visited.clear()

    def _new_tracker(self, sensor: Sensor) -> Tracker:
        return Tracker(sensor, stand_in(self._game, self._seats, self._button), self._entries.__next__)

    def _is_copy(self, antenna: int, visited_ms: Any) -> bool:
        """Whether the report of this visit came before."""
        visit = (antenna, visited_ms)
        if visited_ms is not None and visit in self._visited:
            return True
        self._visited = [*self._visited[1 - _COPIES :], visit]
        return False

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
            game = str(table.get("game", _GAME))
            stand_in(game, seats, button)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise UnreadableLine(
                f'the table needs "seats", "antennas" (number to place) and "tags" (UID to card): {error}'
            ) from None
        self._seats, self._button, self._cards, self._game = seats, button, cards, game
        self._sensor = Sensor(places, {}, DeckRegistry.of(cards))
        self._tracker = None


def _object(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise UnreadableLine(f"this is not JSON ({error})") from None
    if not isinstance(record, dict):
        raise UnreadableLine("a line is one JSON object")
    return record


def _sweep(record: dict[str, Any]) -> Sweep:
    antenna, tags = record.get("antenna"), record.get("tags")
    if (
        not isinstance(antenna, int)
        or not isinstance(tags, list)
        or not all(isinstance(tag, str) for tag in tags)
    ):
        raise UnreadableLine('a reading needs "antenna", a whole number, and "tags", a list of texts')
    return Sweep(antenna, tuple(tag.upper() for tag in tags))
