"""Decks through the core: a check by antennas whose process is ended in the middle, then another deck."""

from tablebridge.app.core import TableCore
from tablebridge.app.opening import open_core
from tablebridge.bus.messages import Command
from tablebridge.export.receipt import receipts
from tablebridge.journal.read import entries, findings
from tablebridge.journal.store import Journal
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.events import DeckCheck
from tablebridge.model.instant import Instant, later
from tablebridge.model.places import BOARD, seat_place
from tablebridge.model.readings import Reading, Stamped, Sweep
from tablebridge.model.sentences import sentence_of
from tablebridge.settings.decks import save_deck
from tablebridge.settings.site import Site

from .conftest import START
from .recording import DECK, PLACES

ORDER = spread_order("52")
OTHER = Deck("blue", {f"E00402{at:010X}": card for at, card in enumerate(ORDER)})
BOARD_ANTENNA = PLACES.index(BOARD) + 1


class Clock:
    def __init__(self) -> None:
        self.at = START

    def now(self) -> Instant:
        return self.at


class Night:
    """One table, a reading a tenth of a second."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.clock = Clock()
        self.core = self.opened()
        self._number = 0

    def opened(self) -> TableCore:
        return open_core(self.site, self.site.tables[0], self.clock)

    def restart(self) -> None:
        self.core.close()
        self.core = self.opened()

    def read(self, antenna: int, *tags: str, times: int = 1) -> None:
        for _ in range(times):
            self._take(Sweep(antenna, tags))

    def line(self, line: str) -> None:
        command = Command(f"id-{self._number}", "Olga", "operator", later(self.clock.at, 60).wall_ns, (line,))
        assert self.core.command(command, self.clock.at, retained=False).ok

    def _take(self, reading: Reading) -> None:
        self._number += 1
        self.clock.at = later(START, self._number / 10)
        self.core.readings([Stamped("board", "e", self._number, self.clock.at, reading)], self.clock.at)
        self.core.tick(self.clock.at)


def checked(night: Night) -> None:
    """The deck is spread card by card, with restarts in between."""
    tag = {card: tag for tag, card in DECK.cards.items()}
    night.line("deck-check begin")
    lying: list[str] = []
    for number, card in enumerate(spread_order(DECK.kind)):
        lying.append(tag[card])
        night.read(BOARD_ANTENNA, *lying, times=4)
        if number % 15 == 7:
            night.restart()
    night.read(BOARD_ANTENNA, *lying, times=35)
    night.read(BOARD_ANTENNA, times=5)


def test_a_check_goes_on_after_a_restart_and_another_deck_is_told(site: Site) -> None:
    save_deck(site.state_dir / "decks" / "blue.toml", OTHER)
    night = Night(site)
    checked(night)
    seat = PLACES.index(seat_place(1)) + 1
    night.line("hand")
    night.read(seat, next(iter(OTHER.cards)), times=8)
    night.restart()
    night.core.close()
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    red, blue = receipts(journal.records())
    checks = [entry.event for entry in entries(journal) if isinstance(entry.event, DeckCheck)]
    found = list(findings(journal))
    journal.close()
    assert checks == [DeckCheck(state="begin"), DeckCheck(ORDER, "red")]
    assert [finding.finding for finding in found if finding.finding.startswith("deck")] == [
        "deck-check-passed",
        "deck-swapped",
    ]
    assert (red.deck, red.checks_passed, red.checks_failed, red.hands, len(red.findings)) == (
        "red",
        1,
        0,
        0,
        1,
    )
    assert (blue.deck, blue.hands, [noted.finding for noted in blue.findings]) == (
        "blue",
        1,
        ["deck-swapped"],
    )
    words = {word.strip(".,;:") for finding in found for word in sentence_of(finding).split()}
    assert words.isdisjoint(ORDER)
