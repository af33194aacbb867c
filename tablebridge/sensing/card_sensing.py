"""One antenna's report of cards, from its tags to what follows for the table.

The tags are sorted (cards of the deck in play, strays), the card filter says which cards have moved, and each
move, the visit as such, and tags that answer twice are held against what is recorded.
"""

from typing import Final, Literal

from msgspec.structs import replace

from tablebridge.antennas.wear import ReadCount
from tablebridge.model.events import (
    ClonedTag,
    DeckInPlay,
    DeviceState,
    Doubt,
    End,
    Entry,
    ForeignTag,
    Hand,
    Shuffled,
)
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, BURN, STUB, Place, is_for_chips
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.card_filter import CardFilter, Move
from tablebridge.sensing.cards.prior import NEIGHBOURS
from tablebridge.sensing.conclusion import Conclusion, reading_id
from tablebridge.sensing.dynamics import Dynamics
from tablebridge.sensing.events.assembler import Assembler
from tablebridge.sensing.events.clones import Clone, Clones
from tablebridge.sensing.events.presence import Presence, SeatDoubt
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.sensing.tags.strays import StrayTags

_CARD_PLACES: Final = frozenset(NEIGHBOURS)


class CardSensing:
    """The cards of one table.

    `places`: what the table's antennas look at. `presence`: what people may see of the cards before the
    seats. `reads`: how often each tag answers. `moves`: which cards the last report showed elsewhere, before
    anything is made of it.
    """

    def __init__(
        self, places: list[Place], registry: DeckRegistry, cards: CardFilter, dynamics: Dynamics
    ) -> None:
        self._registry = registry
        self._cards = cards
        self._bounds = dynamics.clones
        self._assembler = Assembler(
            cards, dynamics.events, burns_watched=BURN in places, board_watched=BOARD in places
        )
        self.presence = Presence(cards.place, cards.gone, dynamics.presence)
        self.reads = ReadCount()
        self.moves: tuple[Move, ...] = ()
        self._clones = Clones(dynamics.clones)
        self._strays = StrayTags(dynamics.tags)
        self._deck = registry.in_play
        self._reported_deck = ""
        self._read_at: dict[str, Place] = {}
        self._last_ns: dict[tuple[str, int], int] = {}
        self._began_ns = -1

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though nothing is read."""
        return self._assembler.wake_ns

    @property
    def reported_deck(self) -> str:
        """The deck that was reported last to be in play."""
        return self._reported_deck

    def restore(self, reported_deck: str) -> None:
        """This deck was reported last, in a hand that is over."""
        self._reported_deck = reported_deck

    def begin_hand(self) -> None:
        """All cards of the deck are in the stub or the shuffler."""
        self._cards.reset()
        self.presence.begin_hand()
        self._assembler.begin_hand()
        self.reads.begin_hand()
        self._clones.begin_hand()
        self._strays.begin_hand()
        self._read_at.clear()
        self._deck = self._registry.in_play
        self._began_ns = -1

    def note_entry(self, entry: Entry) -> None:
        """An event was entered, sensed or not."""
        event = entry.event
        self._assembler.note_entry(entry)
        if isinstance(event, Hand):
            self._began_ns = entry.at.monotonic_ns
        elif isinstance(event, DeckInPlay):
            self._reported_deck = event.deck
        if isinstance(event, Shuffled) or (isinstance(event, Hand) and entry.basis == "shuffler"):
            self.reads.shuffled()
        if isinstance(event, End):
            self.moves = self._cards.finish()

    def begin_reading(self) -> None:
        """A reading arrives: nothing has moved in it so far."""
        self.moves = ()

    def deck_checked(self) -> None:
        """The deck was checked: which one is in play is reported again after it."""
        self._reported_deck = ""

    def before_action(self, expect: Expectation) -> list[Conclusion]:
        """A person is about to enter an action: what it shows to be true already."""
        return self._assembler.before_action(expect)

    def release_cards(self, expect: Expectation, now: Instant) -> list[Conclusion]:
        """What has waited for long enough."""
        return self._assembler.release(expect, now)

    def read_cards(
        self,
        place: Place,
        sweep: Sweep,
        stamped: Stamped,
        expect: Expectation,
        of: Literal["all", "down", "up"] = "all",
    ) -> list[Conclusion]:
        """An antenna that looks at a place was visited. `of`: which cards of a seat it is there for."""
        tags, concluded = self._sort_tags(place, sweep, stamped, expect)
        report = self._report_of(place, tags, sweep, stamped)
        if report is None:
            return concluded
        if of != "all":
            report = replace(report, of=of)
        if place == BOARD:
            self._take_back(report, expect)
        coming = self._note_coming(report)
        self.moves = self._cards.locate(report, expect)
        for move in self.moves:
            self.presence.card_moved(move.tag, move.origin, move.place, stamped.at, move.sure)
            concluded += self._card_moved(move, expect, stamped.at)
        wondered = expect.phase not in ("idle", "showdown")
        self.presence.count_visits(place, report.visits, stamped.at, doubts=wondered)
        concluded += [self._seat_doubt(doubt, report) for doubt in self.presence.take_doubts()]
        self._assembler.count_visits(report, coming)
        concluded += self._assembler.release(expect, stamped.at)
        if expect.phase != "idle":
            concluded += self._find_clones(report)
        if place == BOARD and sweep.complete:
            concluded += self._count_board(report, (stamped.device, sweep.antenna), expect)
        return concluded

    def _sort_tags(
        self, place: Place, sweep: Sweep, stamped: Stamped, expect: Expectation
    ) -> tuple[list[str], list[Conclusion]]:
        """The tags that are cards of the deck in play, and the strays that were read often enough."""
        registry = self._registry
        cards: list[str] = []
        strays: list[Conclusion] = []
        for tag in sweep.tags:
            known = registry.card(tag)
            if (
                known is not None
                and known.deck == (self._deck or known.deck)
                and registry.may_play(known.deck)
            ):
                cards.append(tag)
            elif (
                expect.phase != "idle"
                and (known is not None or self._is_stray(tag, place))
                and self._strays.count_reads(tag, max(1, sweep.visits))
            ):
                stray = ForeignTag(place, known.deck if known else None)
                strays.append(Conclusion(stray, evidence=(reading_id(stamped),)))
        return cards, strays

    def _is_stray(self, tag: str, place: Place) -> bool:
        """Whether a tag that is no card is a stray. `TableChips` judges the places for chips."""
        return self._registry.chip(tag) is None and not (self._registry.has_chips and is_for_chips(place))

    def _report_of(
        self, place: Place, tags: list[str], sweep: Sweep, stamped: Stamped
    ) -> AntennaReport | None:
        """The report as far as it is of this hand; None if no card can lie there, or it is of the hand
        before.
        """
        if place not in _CARD_PLACES:
            return None
        antenna, at_ns = (stamped.device, sweep.antenna), stamped.at.monotonic_ns
        since_ns = min(at_ns, self._last_ns.get(antenna, at_ns))
        self._last_ns[antenna] = at_ns
        visits, began_ns = max(1, sweep.visits), self._began_ns
        reading = reading_id(stamped)
        report = AntennaReport(place, tuple(tags), visits, at_ns, since_ns, sweep.complete, reading)
        if began_ns <= since_ns:
            return report
        visits = report.visits_after(began_ns)
        if not visits:
            return None  # held back since the hand before
        return AntennaReport(place, report.tags, visits, at_ns, began_ns, sweep.complete, reading)

    def _take_back(self, report: AntennaReport, expect: Expectation) -> None:
        """Cards of a premature street went back into the stub: those that the board reads again come from
        there.
        """
        for tag in report.tags:
            card = self._registry.known_card(tag).card
            if (
                card not in expect.board
                and self._assembler.on_board(card)
                and self._cards.place(tag) == BOARD
                and self._cards.gone(tag) >= self._bounds.taken_back
            ):
                self._cards.assume(tag, STUB)
                self._assembler.take_back(card)

    def _note_coming(self, report: AntennaReport) -> bool:
        """Whether the report reads a card that is not yet sure to lie there. Such a card may be a clone."""
        coming = False
        place = report.place
        for tag in report.tags:
            before = self._cards.place(tag)
            if before != place:
                coming = True
                elsewhere = before if before != STUB else self._read_at.get(tag, STUB)
                if STUB not in (elsewhere, place) and elsewhere != place:
                    self._clones.suspect(tag, elsewhere, place, report.at_ns)
                self._read_at[tag] = place
        return coming

    def _card_moved(self, move: Move, expect: Expectation, now: Instant) -> list[Conclusion]:
        known = self._registry.known_card(move.tag)
        concluded: list[Conclusion] = []
        if move.place != STUB and expect.phase != "idle":
            self._deck = known.deck
            self.reads.dealt(known.deck)
            if self._registry.several and self._reported_deck != known.deck:
                self._reported_deck = known.deck
                concluded.append(Conclusion(DeckInPlay(known.deck), move.sure, evidence=move.evidence))
        return concluded + self._assembler.card_moved(move, known.card, expect, now)

    def _seat_doubt(self, doubt: SeatDoubt, report: AntennaReport) -> Conclusion:
        """A doubt that begins, with the odds, or that is over. If they sum to less than one, the rest is
        where no antenna looks.
        """
        odds = self._cards.odds(doubt.tag) if doubt.place is None else {doubt.place: 1.0}
        card = self._registry.known_card(doubt.tag).card
        return Conclusion(Doubt(card, odds), 1.0, evidence=(report.reading,))

    def _find_clones(self, report: AntennaReport) -> list[Conclusion]:
        """Tags that answer at two places. What the filter is sure of is no doubt, however often the tag is
        read elsewhere.
        """
        return [
            self._clone(clone, report)
            for clone in self._clones.compare(report)
            if clone.sure or max(self._cards.odds(clone.tag).values(), default=0.0) < self._bounds.settled
        ]

    def _clone(self, clone: Clone, report: AntennaReport) -> Conclusion:
        card = self._registry.known_card(clone.tag).card
        if clone.sure:
            self._assembler.add_copy(card, clone.places)
            return Conclusion(ClonedTag(card, clone.places), evidence=(report.reading,))
        total = sum(clone.rates)
        odds = {place: round(rate / total, 2) for place, rate in zip(clone.places, clone.rates, strict=True)}
        return Conclusion(Doubt(card, odds), max(odds.values()), evidence=(report.reading,))

    def _count_board(
        self, report: AntennaReport, antenna: tuple[str, int], expect: Expectation
    ) -> list[Conclusion]:
        """Counts how often the tags on the board answer. Those that fell silent now."""
        device = antenna[0]
        silent = self.reads.count_board(
            antenna, report.tags, report.visits, lambda tag: self._lies_on_board(tag, expect), expect
        )
        return [
            Conclusion(
                DeviceState(device, "live", silent=self._registry.known_card(tag).card),
                basis="inferred",
                evidence=(report.reading,),
            )
            for tag in silent
        ]

    def _lies_on_board(self, tag: str, expect: Expectation) -> bool:
        return self._registry.known_card(tag).card in expect.board and self._cards.place(tag) == BOARD
