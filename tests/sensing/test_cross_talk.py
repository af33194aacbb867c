"""An antenna that reads cards of another place is reported, with the place and what to do."""

from collections.abc import Iterator

from tablebridge.model.cards import DECK_52
from tablebridge.model.events import DeviceState
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BURN, STUB, Place, seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry

TAGS = {f"E0040100000000{number:02X}": card for number, card in enumerate(DECK_52)}
SOME = tuple(TAGS)[:10]
PLACES: dict[tuple[str, int], Place] = {("r", 0): STUB, ("r", 1): BURN, ("r", 2): seat_place(1)}
BETTING = Expectation("betting", (), (1, 2), holds={1: 2, 2: 2})


class Table:
    """A stub of ten cards that all answer, and the antennas beside it."""

    def __init__(self) -> None:
        self._sensor = Sensor(PLACES, {}, DeckRegistry.of(TAGS))
        self._ns = 0

    def hand(self, rounds: int, *, every: int) -> list[DeviceState]:
        """A hand in which the antenna of the burns reads one card of the stub in one of some visits (never if
        zero). Returns what is reported of devices.
        """
        self._sensor.begin_hand()
        reported = []
        for number in range(1, rounds + 1):
            crossed = SOME[number // every % 10 :][:1] if every and number % every == 0 else ()
            for antenna, tags in ((0, SOME), (1, crossed), (2, ())):
                reported += list(self._read(antenna, tags))
        return reported

    def _read(self, antenna: int, tags: tuple[str, ...]) -> Iterator[DeviceState]:
        self._ns += 20_000_000
        at = Instant(self._ns, self._ns)
        stamped = Stamped("r", "epoch", self._ns, at, Sweep(antenna, tags))
        for concluded in self._sensor.update(stamped, BETTING):
            if isinstance(concluded.event, DeviceState):
                yield concluded.event


def test_an_antenna_that_reads_the_stub_is_reported_once_with_what_to_do() -> None:
    table = Table()
    assert table.hand(400, every=5) == [], "what was learned is reported as the next hand begins"
    (state,) = table.hand(400, every=5)
    assert (state.health, state.places, state.antenna) == ("degraded", (BURN,), 1)
    assert "card that lies at stub in 2." in state.detail and "lower its power" in state.detail
    assert table.hand(400, every=5) == []


def test_an_antenna_that_reads_little_of_other_places_is_not_reported() -> None:
    table = Table()
    assert [state for _ in range(4) for state in table.hand(400, every=20)] == []


def test_an_antenna_that_was_set_right_is_reported_to_be_well() -> None:
    table = Table()
    table.hand(400, every=5)
    table.hand(400, every=5)
    states = [state for _ in range(8) for state in table.hand(400, every=0)]
    assert [(state.health, state.antenna) for state in states] == [("ok", 1)]
