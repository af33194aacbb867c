"""What a camera sees beside the antennas: exposed and boxed cards, and whether cards lie before a seat."""

import msgspec
import pytest

from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.model.cards import UNKNOWN
from tablebridge.model.decks import Deck, Inventory
from tablebridge.model.events import Boxed, TableEvent
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.key_events import Exposed
from tablebridge.model.places import MUCK, STUB, Place, seat_place
from tablebridge.model.readings import Look, Reading, Stamped, Sweep, hides_face
from tablebridge.sensing.camera.looks import Looks
from tablebridge.sensing.dynamics import ASSUMED
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.tracking.tracker import Entered, Tracker

CARDS = {f"E00401000000000{number}": card for number, card in enumerate(("Ah", "Kd", "Qc", "Js"))}
TAG = {card: tag for tag, card in CARDS.items()}
PLACES = [seat_place(1), seat_place(2), MUCK, STUB]


class Felt:
    """Two seats with antennas and a camera that looks where the test says."""

    def __init__(self, game: str = "nlhe") -> None:
        antennas = {("r", number): place for number, place in enumerate(PLACES)}
        self.sensor = Sensor(antennas, {}, DeckRegistry(Inventory((Deck("deck", CARDS),), {}, "deck")))  # type: ignore[arg-type]
        self.entered: list[TableEvent] = []
        self.found: list[Finding] = []
        self.engine = Table("t")
        self._tracker = Tracker(self.sensor, self.engine, entered=self._entered)
        self._number = 0
        for line in ("rules tda-2022", f"game {game} 50/100", "seats 1 2", "button 2", "stacks 1000", "hand"):
            self._tracker.enter(parse_line(line), "operator", self._at)
        self.lies: dict[str, Place] = dict.fromkeys(CARDS, STUB)

    @property
    def _at(self) -> Instant:
        return Instant(self._number * 20_000_000, self._number * 20_000_000)

    def _entered(self, entered: Entered) -> None:
        self.entered.append(entered.entry.event)
        self.found += entered.findings

    def give(self, reading: Reading, device: str = "r") -> None:
        self._number += 1
        self._tracker.reading(Stamped(device, "e", self._number, self._at, reading))

    def look(self, place: Place, sees: str, odds: float = 5_000.0) -> None:
        self.give(Look(place, sees, odds), "eye")  # type: ignore[arg-type]

    def visits(self, count: int, *missed: str) -> None:
        for _ in range(count):
            for number, place in enumerate(PLACES):
                read = [tag for tag, at in self.lies.items() if at == place and CARDS[tag] not in missed]
                self.give(Sweep(number, tuple(read)))

    def deal(self, card: str, seat: int) -> None:
        self.lies[TAG[card]] = seat_place(seat)  # type: ignore[index]
        self.visits(12)

    def count(self, event: TableEvent) -> int:
        return self.entered.count(event)


def test_a_card_that_lies_face_up_before_its_seat_was_exposed() -> None:
    felt = Felt()
    felt.visits(3)
    for card, seat in (("Ah", 1), ("Kd", 2), ("Qc", 1)):
        felt.deal(card, seat)
    felt.look(seat_place(2), "face-up")
    assert felt.count(Exposed()) == 0, "no card was dealt there last"
    felt.look(seat_place(1), "face-up")
    felt.look(seat_place(1), "face-up")
    felt.visits(5)
    assert felt.count(Exposed()) == 1
    assert "exposed-card" in {found.finding for found in felt.found}


def test_a_look_that_comes_before_the_antennas_are_sure_is_kept() -> None:
    felt = Felt()
    felt.visits(3)
    felt.look(seat_place(1), "face-up")
    assert felt.count(Exposed()) == 0
    felt.deal("Ah", 1)
    assert felt.count(Exposed()) == 1


def test_a_boxed_card_that_no_antenna_can_tell_is_reported_once_per_run_of_looks() -> None:
    felt = Felt()
    felt.visits(3)
    felt.deal("Ah", 1)
    assert felt.count(Boxed(UNKNOWN)) == 0
    for _ in range(5):
        felt.look(seat_place(1), "boxed")
        felt.visits(1)
    assert felt.count(Boxed(UNKNOWN)) == 1
    assert "boxed-card" in {found.finding for found in felt.found}
    felt.look(seat_place(1), "face-down")
    felt.look(seat_place(1), "boxed")
    assert felt.count(Boxed(UNKNOWN)) == 2


@pytest.mark.parametrize("sees", ["face-up", "boxed"])
def test_what_a_camera_is_less_sure_of_is_not_reported_however_often_it_says_so(sees: str) -> None:
    felt = Felt()
    felt.visits(3)
    felt.deal("Ah", 1)
    before = len(felt.entered)
    for _ in range(200):
        felt.look(seat_place(1), sees, 1_000.0)
    assert felt.entered[before:] == []


def test_open_cards_of_stud_are_not_exposed() -> None:
    felt = Felt("stud")
    felt.visits(3)
    felt.look(seat_place(1), "face-up")
    felt.deal("Ah", 1)
    assert felt.count(Exposed()) == 0


def test_a_look_weighs_whether_cards_lie_there_and_readings_overrule_a_broken_camera() -> None:
    felt = Felt()
    felt.visits(3)
    for card, seat in (("Ah", 1), ("Kd", 2), ("Qc", 1), ("Js", 2)):
        felt.deal(card, seat)
    felt.visits(2, "Ah", "Qc")
    gone = felt.sensor._cards.gone(TAG["Ah"])  # type: ignore[index]
    felt.look(seat_place(1), "nothing", 50.0)
    less = felt.sensor._cards.gone(TAG["Ah"])  # type: ignore[index]
    felt.look(seat_place(1), "face-down", 2_000.0)
    assert less > gone and felt.sensor._cards.gone(TAG["Ah"]) < gone  # type: ignore[index]
    for _ in range(30):
        felt.look(seat_place(1), "nothing", 10_000.0)
        felt.visits(1)
    for _ in range(20):
        felt.look(seat_place(1), "nothing", 10_000.0)
    assert felt.sensor._cards.gone(TAG["Ah"]) < 0.05  # type: ignore[index]


@pytest.mark.parametrize("other", [1.0, 3_000.0])
def test_a_camera_that_changes_its_mind_all_the_time_weighs_no_more_than_one_look(other: float) -> None:
    felt = Felt()
    felt.visits(3)
    for card, seat in (("Ah", 1), ("Kd", 2), ("Qc", 1), ("Js", 2)):
        felt.deal(card, seat)
    for _ in range(300):
        felt.look(seat_place(1), "nothing", 10_000.0)
        felt.look(seat_place(1), "face-down", other)
    felt.visits(15)
    assert felt.sensor._cards.gone(TAG["Ah"]) < 0.05  # type: ignore[index]


def test_a_look_counts_by_what_it_is_surer_than_the_one_before() -> None:
    looks = Looks(ASSUMED.camera)
    grown = [
        looks.see(Look(seat_place(1), sees, odds), "1")  # type: ignore[arg-type]
        for sees, odds in (
            ("face-down", 10),
            ("face-down", 4),
            ("face-down", 40),
            ("face-up", 5),
            ("nothing", 50),
        )
    ]
    assert grown == pytest.approx([10, 1, 4, 5, 1 / 50])


def test_odds_are_bounded_by_their_type() -> None:
    looks = msgspec.json.Decoder(Look)
    with pytest.raises(msgspec.ValidationError):
        looks.decode(b'{"kind":"look","place":"seat 1","sees":"boxed","odds":1e9}')
    assert looks.decode(b'{"kind":"look","place":"seat 1","sees":"boxed","odds":10000}').odds == 10_000


@pytest.mark.parametrize(
    ("place", "hides"), [("seat 3", True), ("stub", True), ("muck", True), ("board", False)]
)
def test_a_face_may_be_named_on_the_board_alone(place: str, hides: bool) -> None:
    assert hides_face(Look(Place(place), "face-up", 2.0, "Ah")) == hides
    assert not hides_face(Look(Place(place), "face-up", 2.0))


def test_the_same_looks_and_readings_give_the_same_events() -> None:
    told = []
    for _ in range(2):
        felt = Felt()
        felt.visits(3)
        for card, seat in (("Ah", 1), ("Kd", 2), ("Qc", 1)):
            felt.deal(card, seat)
        felt.look(seat_place(1), "face-up")
        felt.look(STUB, "boxed")
        told.append(felt.entered)
    assert told[0] == told[1]
    assert Exposed() in told[0] and Boxed(UNKNOWN) in told[0]
