"""A recorded table: one multi-antenna board that reads three seats, a board, a burn place and a muck, and
never misses.

Made cycle by cycle: each antenna is swept once in every cycle, so a card that moved is read from the next
cycle on.
"""

from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.decks import Deck
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_place
from tablebridge.model.readings import ButtonPress, Reading, Sweep

PLACES: tuple[Place, ...] = (seat_place(1), seat_place(2), seat_place(3), BOARD, BURN, MUCK, STUB)
HAND_KEY, END_KEY = 1, 2
DECK = Deck("red", {f"E00401500000{number:04X}": card for number, card in enumerate(DECK_52)})
TAGS = {card: tag for tag, card in DECK.cards.items()}
FOREIGN = "E0040150FFFF0001"
_SETTLE = 10


class Recording:
    """Readings of one device, in order."""

    def __init__(self) -> None:
        self.readings: list[Reading] = []
        self._lies: dict[str, Place] = {}
        self._deck = iter(DECK_52)
        self._button = 3

    def cycles(self, count: int = _SETTLE) -> None:
        for _ in range(count):
            for number, place in enumerate(PLACES, 1):
                tags = tuple(sorted(tag for tag, lies in self._lies.items() if lies == place))
                self.readings.append(Sweep(number, tags))

    def press(self, key: int) -> None:
        self.readings += [ButtonPress(key), ButtonPress(key, pressed=False)]

    def put(self, place: Place, count: int = 1) -> list[Card]:
        cards = [next(self._deck) for _ in range(count)]
        for card in cards:
            self._lies[TAGS[card]] = place
        self.cycles()
        return cards

    def move(self, cards: list[Card], place: Place) -> None:
        for card in cards:
            self._lies[TAGS[card]] = place
        self.cycles()

    def lay_foreign(self, place: Place) -> None:
        self._lies[FOREIGN] = place
        self.cycles()

    def hand(self, *, flop: int = 3, foreign: bool = False, wrong_start: bool = False) -> None:
        """A hand from the shuffler's button to the dealer's key. Nobody says a word: folds are seen, the flop
        comes when one hand is left.

        `wrong_start`: the first card goes to the second seat, which is a misdeal; the hand ends there.
        """
        self._lies.clear()
        self._deck = iter(DECK_52)
        self.press(HAND_KEY)
        self.cycles(3)
        order = [self._button % 3 + 1, (self._button + 1) % 3 + 1, self._button]
        if wrong_start:
            self.put(seat_place(order[1]))
            self.cycles(20)
            self.press(END_KEY)
            self.cycles(5)
            return
        held: dict[int, list[Card]] = {seat: [] for seat in order}
        for _ in range(2):
            for seat in order:
                held[seat] += self.put(seat_place(seat))
        if foreign:
            self.lay_foreign(seat_place(2))
        self.move(held[order[2]], MUCK)
        self.move(held[order[0]], MUCK)
        self.put(BURN)
        self.put(BOARD, flop)
        self.cycles(20)
        self.press(END_KEY)
        self.cycles(5)
        self._button = order[0]


def night(times: int = 1) -> list[Reading]:
    """Five hands in which things go right and wrong, `times` over."""
    recording = Recording()
    for _ in range(times):
        recording.hand()
        recording.hand(flop=4)
        recording.hand(foreign=True)
        recording.hand(wrong_start=True)
        recording.hand()
    return recording.readings


def site_text(folder: object, broker_port: int) -> str:
    """A site file for the table and the board."""
    antennas = ", ".join(f'{number} = "{place}"' for number, place in enumerate(PLACES, 1))
    return (
        f'name = "t"\nstate_dir = "{folder}"\nlog_level = "warning"\n[broker]\nport = {broker_port}\n'
        f'[web]\noverlay_delay_s = 0.5\n[[table]]\nname = "one"\ngroup = "alone"\n'
        'seats = "1-3"\nstacks = 10000\n'
        '[[table.device]]\nname = "board"\ndriver = "line"\nport = "/dev/null"\n'
        f"antennas = {{ {antennas} }}\n"
        f'contacts = {{ {HAND_KEY} = "hand", {END_KEY} = "key end" }}\n'
    )
