"""A whole emulated table in one piece: cards, readers and board on their lines, and the site file that names
them.
"""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from tablebridge import private
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.contacts import HAND, KEY_END, KEY_FLOOR, SHUFFLER_LID, Contact, all_in
from tablebridge.model.decks import Deck
from tablebridge.model.places import (
    BOARD,
    BURN,
    MUCK,
    SEATS,
    STUB,
    Place,
    bet_place,
    seat_place,
    stack_place,
    stack_seat_of,
)
from tablebridge.settings.decks import save_chips, save_deck
from tablebridge.settings.site import parse_seats
from tablebridge.settings.state import CHIP_FILE, DECK_FILE
from tablebridge.sim.bench import Bench
from tablebridge.sim.chips import DENOMINATIONS, EACH
from tablebridge.sim.lineboard import LineBoard
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.pace import WATCHED_FROM
from tablebridge.sim.reader import Reader
from tablebridge.sim.table import VISIT_S, Table

TABLE: Final = "table-1"
READERS: Final[dict[str, Place]] = {
    **{f"seat-{seat}": seat_place(seat) for seat in SEATS},
    "board": BOARD,
    "muck": MUCK,
    "burn": BURN,
    "stub": STUB,
}
"""Each reader's device name and where its antenna looks."""
BOARD_DEVICE: Final = "line"
"""The device name of the board with contacts and shuffler."""
_SLOW: Final = 2.0
"""How much less often than at live speed readers may visit their antennas and keep up still."""
_FAST_VISIT_S: Final = 0.1
"""The time between two visits that is enough for a dealer who waits until each card is seen."""

_HAND, _LID, _END, FLOOR_CONTACT = 1, 2, 3, 4
_ALL_IN: Final = 10
_STACKS: Final = 10
"""The antenna of a stack is that of its seat's bet spot and this many more."""
CONTACTS: Final[dict[int, Contact]] = {
    _HAND: HAND,
    _LID: SHUFFLER_LID,
    _END: KEY_END,
    FLOOR_CONTACT: KEY_FLOOR,
    **{_ALL_IN + seat: all_in(seat) for seat in SEATS},
}
"""The contacts of the board and what the site file says of them."""
NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Iris", "Jan")


def new_deck(rng: Random) -> dict[Card, str]:
    """A tagged deck: each card's ISO 15693 UID."""
    serials = rng.sample(range(1 << 32), len(DECK_52))
    return {card: f"E0040150{serial:08X}" for card, serial in zip(DECK_52, serials, strict=True)}


class Rig:
    """Emulated devices under `folder`. A context manager: while it is entered, drivers can open the ports.

    `level`: how badly the readers read. `speed`: how many times faster than life, None for as fast as
    possible. `bets`: whether there are tagged chips and an antenna at each bet spot and stack. `name`:
    the table's. The names of devices and decks begin with `prefix`: at a site with several tables each
    has its own.
    """

    def __init__(
        self,
        folder: Path,
        level: str,
        speed: float | None,
        seed: int,
        *,
        bets: bool = False,
        name: str = TABLE,
        prefix: str = "",
    ) -> None:
        rng = Random(seed)
        self.name = name
        self._prefix = prefix
        self.deck = new_deck(rng)
        self.other_deck = new_deck(rng)
        """A second deck that is enrolled, and does not belong on the table."""
        self.chips = (
            {f"E0040151{number:08X}": value for number, value in enumerate(DENOMINATIONS * EACH)}
            if bets
            else {}
        )
        self.table = Table(LEVELS[level], rng.randrange(1 << 32))
        self.bench = Bench(rng.randrange(1 << 32))
        self.readers = {name: Reader(self.table, place, speed) for name, place in READERS.items()}
        self._antennas = (
            {seat: bet_place(seat) for seat in SEATS} | {_STACKS + seat: stack_place(seat) for seat in SEATS}
            if bets
            else {}
        )
        self._board = LineBoard(self.table, max(CONTACTS), self._antennas, speed)
        self._visit_s = _FAST_VISIT_S if speed is None or speed > WATCHED_FROM else _SLOW * VISIT_S / speed
        self._folder = folder
        self._speed = speed
        self._by_place: dict[Place, Callable[[], None]] = {
            place: self.readers[name].touched for name, place in READERS.items()
        }
        self.table.watch(self._touched)

    def __enter__(self) -> "Rig":
        self._link(BOARD_DEVICE).parent.mkdir(parents=True, exist_ok=True)
        self.bench.__enter__()
        for name, reader in self.readers.items():
            self.bench.add(name, self._link(name), reader)
        self.bench.add(BOARD_DEVICE, self._link(BOARD_DEVICE), self._board)
        return self

    def __exit__(self, *error: object) -> None:
        self.bench.__exit__(*error)

    def worked_s(self) -> float:
        """For how many seconds the readers have worked since the start, by how often they visited their
        antennas: on a machine that is not too busy they get ahead of the clock.
        """
        return sum(reader.visits for reader in self.readers.values()) / len(self.readers) * self._visit_s

    # What is within the dealer's reach.

    def shuffler_done(self) -> None:
        """The shuffler's button."""
        self._board.press(_HAND)

    def shuffler_counts(self, cards: int) -> None:
        """The shuffler says how many cards it holds."""
        self._board.shuffler("count", cards)

    def end(self) -> None:
        """The dealer's key for the end of the hand."""
        self._board.press(_END)

    def all_in(self, seat: int) -> None:
        """The all-in button is put before a seat."""
        self._board.contact(_ALL_IN + seat, True)

    def all_in_away(self) -> None:
        """All all-in buttons are taken away."""
        for seat in SEATS:
            self._board.contact(_ALL_IN + seat, False)

    def call_floor(self) -> None:
        """The dealer's key that calls the floor."""
        self._board.press(FLOOR_CONTACT)

    # What the site file says of it.

    @property
    def devices(self) -> tuple[str, ...]:
        """The names of its devices."""
        return tuple(self._prefix + name for name in (*READERS, BOARD_DEVICE))

    def section(self, *, game: str, seats: str, stacks: int, stakes: str, names: dict[int, str]) -> str:
        """Write decks and chips; the table's section of the site file."""
        deck = self._write_decks()
        return (
            f'[[table]]\nname = "{self.name}"\nrulebook = "tda-2022"\ngame = "{game}"\n'
            f'stakes = "{stakes}"\nseats = "{seats}"\n'
            f'stacks = {stacks}\ndeck = "{deck}"\n\n[table.names]\n'
            + "".join(f'{seat} = "{name}"\n' for seat, name in names.items())
            + "\n"
            + "\n".join(self._devices(parse_seats(seats)))
        )

    def _write_decks(self) -> Path:
        """Write the decks and chips; the file of the deck in play."""
        for kind, deck in (("demo", self.deck), ("other", self.other_deck)):
            name = self._prefix + kind
            save_deck(
                DECK_FILE.path(self._folder, name), Deck(name, {tag: card for card, tag in deck.items()})
            )
        if self.chips:
            save_chips(CHIP_FILE.path(self._folder), self.chips)
        return DECK_FILE.path(self._folder, f"{self._prefix}demo")

    def _devices(self, seats: Collection[int]) -> list[str]:
        """A section of the site file for each device. `seats`: those that have a stack."""
        # A driver that waits as long as a real reader needs would be what a fast table waits for.
        options = "" if self._speed == 1 else "options = { quiet_ms = 0, poll_interval_ms = 0 }"
        contacts = ", ".join(f'{number} = "{meaning}"' for number, meaning in CONTACTS.items())
        antennas = ", ".join(
            f'{number} = "{place}"'
            for number, place in self._antennas.items()
            if stack_seat_of(place) in (None, *seats)
        )
        line = f"contacts = {{ {contacts} }}\nantennas = {{ {antennas} }}\noptions = {{ settle_s = 0.0 }}"
        return [
            *(
                self._device(name, "feig", f'antennas = {{ 0 = "{place}" }}\n{options}')
                for name, place in READERS.items()
            ),
            self._device(BOARD_DEVICE, "line", line),
        ]

    def _device(self, name: str, driver: str, more: str) -> str:
        port = self._link(name)
        return f'[[table.device]]\nname = "{port.name}"\ndriver = "{driver}"\nport = "{port}"\n{more}\n'

    def _link(self, name: str) -> Path:
        """The port of a device."""
        return self._folder / "dev" / (self._prefix + name)

    def _touched(self, place: Place) -> None:
        self._by_place.get(place, partial(self._board.touched, place))()


def write_site(
    folder: Path,
    sections: Iterable[str],
    *,
    web_port: int,
    broker_port: int,
    overlay_delay_s: float,
    name: str = "demo",
    people: str = "",
) -> Path:
    """Write the site file of tables with these sections, and its file of people unless that is empty; its
    path.
    """
    path = folder / "site.toml"
    if people:
        private.write(folder / "people.toml", people.encode())
    path.write_text(
        f'name = "{name}"\nstate_dir = "{folder}"\nlog_level = "info"\n'
        + ('people = "people.toml"\n' if people else "")
        +
        # The share is measured on the clock, which goes on while a busy machine lets the engine wait; and no
        # device here sends too much.
        "device_engine_share = 1.0\n\n"
        f"[broker]\nembedded = true\nport = {broker_port}\n\n"
        f"[web]\nport = {web_port}\noverlay_delay_s = {overlay_delay_s}\n"
        # A hand here lasts longer than the delay, and there is nobody to cheat.
        'overlay_reveal = "delay"\n\n' + "\n".join(sections),
        encoding="utf-8",
    )
    return path
