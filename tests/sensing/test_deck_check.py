"""A deck check by antennas: cards laid or passed in the order of the spread, with misses, cross-reads and
strange tags.
"""

import random
from collections.abc import Iterable

import pytest

from tablebridge.model.cards import BLANK, DECK_52, UNKNOWN, Card
from tablebridge.model.decks import Deck, Inventory, spread_order
from tablebridge.model.events import DeckCheck, DeckInPlay, Entry, ForeignTag, Hand, TableEvent
from tablebridge.model.expectation import NOTHING, Expectation
from tablebridge.model.instant import START, later
from tablebridge.model.places import BOARD, TRAY, Place, seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.enrolment.spread import PATIENCE_S, QUIET_S
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry

ORDER = spread_order("52")
VISIT_S = 0.1


def deck(name: str, first: int) -> Deck:
    return Deck(name, {f"E00401{first + at:010X}": card for at, card in enumerate(DECK_52)})


RED, BLUE = deck("red", 0), deck("blue", 256)
TAG = {name: {card: tag for tag, card in one.cards.items()} for name, one in (("red", RED), ("blue", BLUE))}
STRANGE = "E0FFFFFFFFFFFFFF"


class Check:
    """A check at one antenna, ten visits a second. `reported`: what was sensed; all of it is entered."""

    def __init__(
        self,
        *,
        miss: float = 0.0,
        cross: float = 0.0,
        seed: int = 0,
        in_play: str | None = None,
        place: Place = BOARD,
    ) -> None:
        self.sensor = Sensor(
            {("r", 0): place, ("r", 1): seat_place(1)}, {}, DeckRegistry(Inventory((RED, BLUE), {}, in_play))
        )
        self.reported: list[TableEvent] = []
        self.lies: list[str] = []
        self.beside: list[str] = []
        self._rng, self._miss, self._cross = random.Random(seed), miss, cross
        self._visits = 0

    def say(self, event: TableEvent) -> None:
        self.sensor.observe(Entry(1, later(START, self._visits * VISIT_S), event, "button"))

    def visit(self, count: int = 1, expect: Expectation = NOTHING) -> None:
        for _ in range(count):
            self._visits += 1
            now = later(START, self._visits * VISIT_S)
            tags = [tag for tag in self.lies if self._rng.random() >= self._miss]
            tags += [tag for tag in self.beside if self._rng.random() < self._cross]
            self._rng.shuffle(tags)
            reported = list(
                self.sensor.update(Stamped("r", "e", self._visits, now, Sweep(0, tuple(tags))), expect)
            )
            if self.sensor.wake_ns is not None and self.sensor.wake_ns <= now.monotonic_ns:
                reported += self.sensor.due(now, expect)
            for sensed in reported:
                self.reported.append(sensed.event)
                self.say(sensed.event)

    def lay(self, cards: Iterable[Card], visits: int = 4, name: str = "red") -> None:
        """One after the other, so many visits each."""
        for card in cards:
            tag = TAG[name][card]
            self.lies.append(tag)
            if tag in self.beside:
                self.beside.remove(tag)
            self.visit(visits)

    def quiet(self, seconds: float = QUIET_S) -> None:
        self.visit(round(seconds / VISIT_S) + 1)


def begun(**how: object) -> Check:
    check = Check(**how)  # type: ignore[arg-type]
    check.say(DeckCheck(state="begin"))
    return check


def test_a_whole_deck_laid_card_by_card_ends_by_itself() -> None:
    check = begun()
    check.lay(ORDER)
    assert check.reported == []
    check.quiet()
    assert check.reported == [DeckCheck(ORDER, "red")]
    assert check.sensor.wake_ns is None


def test_cards_passed_over_a_hand_reader_are_read_at_the_tray() -> None:
    check = begun(place=TRAY)
    for card in ORDER:
        check.lies = [TAG["red"][card]]
        check.visit(5)
    check.lies = []
    check.quiet()
    assert check.reported == [DeckCheck(ORDER, "red")]


def test_row_by_row_in_any_order_of_the_inventory() -> None:
    check = begun()
    for at in range(0, 52, 13):
        check.lies += [TAG["red"][card] for card in ORDER[at : at + 13]]
        check.visit(12)
    check.quiet()
    assert check.reported == [DeckCheck(ORDER, "red")]


def test_a_card_that_lies_elsewhere_in_the_deck_is_reported_where_it_came() -> None:
    check = begun()
    moved = [*ORDER[:30], ORDER[10], *ORDER[30:]]
    moved.remove(ORDER[10])
    check.lay(moved)
    check.quiet()
    (event,) = check.reported
    assert isinstance(event, DeckCheck)
    assert sorted(event.cards) == sorted(ORDER)
    assert event.cards.index(ORDER[10]) > 20


@pytest.mark.parametrize("seed", range(12))
def test_noise_makes_no_card_missing_nor_out_of_order(seed: int) -> None:
    check = begun(miss=0.12, cross=0.004, seed=seed)
    check.beside = list(TAG["red"].values())
    check.lay(ORDER)
    check.say(DeckCheck(state="end"))
    check.quiet()
    assert check.reported[0] == DeckCheck(ORDER, "red")


def test_cards_that_were_not_read_are_unknown_and_last() -> None:
    check = begun()
    check.lay(card for card in ORDER if card not in ("5h", "Ks"))
    check.say(DeckCheck(state="end"))
    check.quiet()
    assert check.reported == [
        DeckCheck((*(card for card in ORDER if card not in ("5h", "Ks")), UNKNOWN, UNKNOWN), "red")
    ]


def test_a_check_that_nobody_ends_ends_when_nothing_comes_any_more() -> None:
    check = begun()
    check.lay(ORDER[:20])
    check.quiet(PATIENCE_S)
    assert check.reported == [DeckCheck((*ORDER[:20], *[UNKNOWN] * 32), "red")]


def test_strange_tags_do_not_belong_and_another_decks_are_reported() -> None:
    check = begun()
    check.lay(ORDER[:26])
    check.lies += [STRANGE, TAG["blue"][Card("Qd")]]
    check.visit(8)
    check.lay(ORDER[26:])
    check.quiet()
    foreign, event = check.reported
    assert foreign == ForeignTag(BOARD, "blue")
    assert isinstance(event, DeckCheck)
    assert event.deck == "red"
    assert event.cards.count(BLANK) == 2
    assert tuple(card for card in event.cards if card != BLANK) == ORDER


def test_the_deck_that_the_table_plays_with_is_the_one_that_is_checked() -> None:
    check = begun(in_play="red")
    check.lay(ORDER, name="blue")
    check.say(DeckCheck(state="end"))
    check.quiet()
    assert check.reported == [ForeignTag(BOARD, "blue"), DeckCheck((*[BLANK] * 52, *[UNKNOWN] * 52), "red")]


def test_a_hand_or_a_written_check_ends_it_unreported() -> None:
    for event in (Hand(), DeckCheck(ORDER)):
        check = begun()
        check.lay(ORDER[:5])
        check.say(event)
        check.quiet(PATIENCE_S)
        assert check.reported == []


def test_nothing_is_dealt_while_a_check_runs() -> None:
    check = begun()
    check.lies = [TAG["red"][card] for card in ORDER[:5]]
    check.visit(40, Expectation("street", next_street="flop", board_due=3))
    assert check.reported == []


def test_the_deck_in_play_is_reported_when_it_changes_and_again_after_a_check() -> None:
    check = Check()
    for name, again, reported in (
        ("red", False, ["red"]),
        ("red", False, []),
        ("blue", False, ["blue"]),
        ("blue", True, ["blue"]),
    ):
        if again:
            check.say(DeckCheck(ORDER, "blue"))
        check.sensor.begin_hand()
        check.say(Hand())
        check.reported.clear()
        check.lies = [TAG[name][card] for card in ORDER[:3]]
        check.visit(10, Expectation("street", next_street="flop", board_due=3))
        assert [event.deck for event in check.reported if isinstance(event, DeckInPlay)] == reported
        check.lies = []
        check.visit(10)
