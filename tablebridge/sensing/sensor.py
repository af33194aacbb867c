"""Sensing, joined: readings and what the engine expects in, table events out. Pure: the same calls give the
same events.

Tags go through the card filter and the assembler, chips through their bet spots, contacts and the shuffler's
reports become the events that they stand for. A reading that stands for no event gives none.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from tablebridge.antennas.wear import ReadCount
from tablebridge.model import contacts as meaning
from tablebridge.model.cards import UNKNOWN, Card, parse_card
from tablebridge.model.contacts import Contact
from tablebridge.model.events import (
    Action,
    AllinButton,
    Boxed,
    Burn,
    ChipsIn,
    ClonedTag,
    Deal,
    DealerChange,
    Dealt,
    DeckCheck,
    DeckInPlay,
    DeviceState,
    Doubt,
    End,
    Entry,
    ForeignTag,
    Hand,
    Holds,
    Muck,
    Ruling,
    Say,
    Seen,
    Shuffled,
    Shuffler,
    Street,
    TableEvent,
    Undo,
)
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.key_events import CallFloor, Exposed, ShufflerLid
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, is_for_chips, seat_of
from tablebridge.model.readings import ButtonPress, DeviceStatus, ShufflerReport, Stamped, Sweep, TrayReading
from tablebridge.sensing.antenna_report import AntennaReport
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.card_filter import CardFilter, Move
from tablebridge.sensing.chips.table_chips import TableChips
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.enrolment.spread import PLACES as CHECK_PLACES
from tablebridge.sensing.enrolment.spread import SpreadCheck
from tablebridge.sensing.events.assembler import Assembler
from tablebridge.sensing.events.clones import Clones, Double
from tablebridge.sensing.events.presence import Presence, Settled
from tablebridge.sensing.tags.registry import DeckRegistry

FOREIGN_READS: Final = 3
SETTLED: Final = 0.95
GONE: Final = 0.95
_MOST_FOREIGN: Final = 512
_UNDER_WAY: Final = (
    Deal,
    Dealt,
    Holds,
    Boxed,
    Burn,
    Street,
    Seen,
    Muck,
    Action,
    Say,
    ChipsIn,
    AllinButton,
    Ruling,
    End,
    Undo,
)
"""After one of these, another sign of a new hand is of another hand."""

__all__ = ["Conclusion", "Sensor"]


class Sensor:
    """Senses one table.

    `places`: which antenna of which device looks where. `contacts`: what each contact of each device means.
    `cards`: another card filter than the built-in one. `wake_ns`: call `due` at this monotonic time (None: no
    need). `reads`: how often each tag answers. `presence`: what people may see of the cards before the seats.
    `moves`: which cards the last reading showed elsewhere, before anything is made of it.
    """

    def __init__(
        self,
        places: Mapping[tuple[str, int], Place],
        contacts: Mapping[tuple[str, int], str],
        registry: DeckRegistry,
        cards: CardFilter | None = None,
    ) -> None:
        looks = list(places.values())
        self._places = dict(places)
        self._contacts = {key: meaning.parse_contact(text) for key, text in contacts.items()}
        self._registry = registry
        self._cards = cards or BayesFilter([place for place in looks if looks.count(place) > 1])
        self._assembler = Assembler(self._cards, burns_watched=BURN in looks, board_watched=BOARD in looks)
        self.presence = Presence(self._cards.place, self._cards.gone)
        self._chips = TableChips(looks, registry)
        self._twins = Clones()
        self._read_at: dict[str, Place] = {}
        self._deck = registry.in_play
        self._told_deck = ""
        self._check: SpreadCheck | None = None
        self.reads = ReadCount()
        self._last: dict[tuple[str, int], AntennaReport] = {}
        self._foreign: dict[str, int] = {}
        self._fresh = False
        self._last_key: int | None = None
        self._began_ns = -1
        self._health: dict[tuple[str, int | None], tuple[str, str]] = {}
        self.moves: tuple[Move, ...] = ()

    @property
    def wake_ns(self) -> int | None:
        """When a wait ends though nothing is read."""
        waits = [
            self._assembler.wake_ns,
            None if self._check is None else self._check.until_ns,
            self._chips.wake_ns,
        ]
        return min((wait for wait in waits if wait is not None), default=None)

    def begin_hand(self) -> None:
        """A `Hand` was entered: all cards of the deck are in the stub or the shuffler."""
        self._cards.reset()
        self.presence.begin_hand()
        self._assembler.begin_hand()
        self.reads.begin_hand()
        self._began_ns = -1
        self._twins.reset()
        self._read_at.clear()
        self._foreign.clear()
        self._chips.begin_hand()
        self._deck = self._registry.in_play
        self._fresh = True
        self._last_key = None

    def observe(self, entry: Entry) -> None:
        """An event was entered, sensed or not."""
        self._assembler.record(entry)
        if isinstance(entry.event, Hand):
            self._began_ns = entry.at.monotonic_ns
            self._check = None
        elif isinstance(entry.event, DeckCheck):
            self._checked(entry.event, entry.at.monotonic_ns)
        elif isinstance(entry.event, DeckInPlay):
            self._told_deck = entry.event.deck
        elif isinstance(entry.event, DeviceState):
            self._told_of(entry.event)
        if isinstance(entry.event, Shuffled) or (isinstance(entry.event, Hand) and entry.basis == "shuffler"):
            self.reads.shuffled()
        if isinstance(entry.event, End):
            self.moves = self._cards.finish()
        if isinstance(entry.event, _UNDER_WAY):
            self._fresh = False
        if isinstance(entry.event, End) or (
            isinstance(entry.event, Undo) and entry.event.entry == self._last_key
        ):
            self._last_key = None  # the end of a hand is the floor's to take back
        elif entry.basis == "button" and not isinstance(entry.event, Hand | Undo | DeckCheck | ShufflerLid):
            self._last_key = entry.id

    def before(self, event: TableEvent, expect: Expectation) -> tuple[Conclusion, ...]:
        """A person is about to enter an event: what it shows to be true already, and is to be entered before
        it.
        """
        return tuple(self._assembler.acted(expect)) if isinstance(event, Action) else ()

    def update(self, stamped: Stamped, expect: Expectation) -> tuple[Conclusion, ...]:
        """One reading, in the order of arrival."""
        reading = stamped.reading
        told: list[Conclusion] = []
        self.moves = ()
        match reading:
            case Sweep():
                place = self._places.get((stamped.device, reading.antenna))
                if place is not None:
                    self._sweep(place, reading, stamped, expect, told)
            case ButtonPress(contact=number, pressed=pressed):
                contact = self._contacts.get((stamped.device, number))
                event = self._contact(contact, pressed=pressed) if contact is not None else None
                if event is not None:
                    told.append(Conclusion(event, basis="button", evidence=(_name(stamped),)))
            case ShufflerReport():
                event = self._shuffler(reading)
                if event is not None:
                    told.append(Conclusion(event, basis="shuffler", evidence=(_name(stamped),)))
            case TrayReading():
                told.extend(self._chips.tray(stamped.device, reading, _name(stamped), stamped.at))
            case DeviceStatus(state="unknown", detail=what):
                found = DeviceState(stamped.device, "live", unknown=what)
                told.append(Conclusion(found, basis="inferred", evidence=(_name(stamped),)))
            case DeviceStatus(state="ok" | "degraded" | "failed" as health):
                told.extend(self._status(health, reading, stamped))
            case _:
                pass
        return tuple(told)

    def due(self, now: Instant, expect: Expectation) -> tuple[Conclusion, ...]:
        """Time has passed without a reading."""
        told = self._assembler.release(expect, now)
        told.extend(self._chips.due(now, expect))
        if self._check is not None and self._check.until_ns <= now.monotonic_ns:
            told.extend(self._check_over(self._check))
        return tuple(told)

    def _sweep(
        self, place: Place, sweep: Sweep, stamped: Stamped, expect: Expectation, told: list[Conclusion]
    ) -> None:
        visits = max(1, sweep.visits)
        checking = self._check is not None and place in CHECK_PLACES
        if is_for_chips(place) and not checking:
            told.extend(self._chips.sweep(place, stamped.device, sweep, _name(stamped), stamped.at, expect))
        if self._check is not None and checking:
            antenna = (stamped.device, sweep.antenna)
            self._check.sweep(antenna, place, sweep.tags, visits, stamped.at.monotonic_ns)
            return
        cards = self._deck_tags(place, sweep, visits, stamped, expect, told)
        if seat_of(place) is None and place not in (BOARD, BURN, MUCK, STUB):
            return
        last = self._last.get((stamped.device, sweep.antenna))
        at_ns = stamped.at.monotonic_ns
        since_ns = min(at_ns, last.at_ns) if last else at_ns
        look = AntennaReport(place, tuple(cards), visits, at_ns, since_ns, sweep.complete, _name(stamped))
        self._last[stamped.device, sweep.antenna] = look
        visits = look.after(self._began_ns)
        if not visits:
            return  # held back since the hand before
        look = msgspec.structs.replace(look, visits=visits, since_ns=max(since_ns, self._began_ns))
        if place == BOARD:
            self._taken_back(cards, expect)
        coming = False
        lies = self._cards.place
        for tag in cards:
            before = lies(tag)
            if before != place:
                coming = True
                elsewhere = before if before != STUB else self._read_at.get(tag, STUB)
                if STUB not in (elsewhere, place) and elsewhere != place:
                    self._twins.suspect(tag, elsewhere, place, at_ns)
                self._read_at[tag] = place
        self.moves = self._cards.sweep(look, expect)
        for move in self.moves:
            self.presence.moved(move.tag, move.origin, move.place, stamped.at, move.sure)
            told.extend(self._moved(move, expect, stamped.at))
        self.presence.visited(place, visits, stamped.at, doubts=expect.phase not in ("idle", "showdown"))
        told.extend(self._settled(one, stamped) for one in self.presence.settled())
        self._assembler.visited(look, coming)
        told.extend(self._assembler.release(expect, stamped.at))
        if expect.phase != "idle":
            for double in self._twins.sweep(look):
                # What the filter is sure of is no doubt, however often the tag is read elsewhere.
                if double.copy or max(self._cards.odds(double.tag).values(), default=0.0) < SETTLED:
                    told.append(self._doubled(double, stamped))
        if place == BOARD and sweep.complete:
            antenna = (stamped.device, sweep.antenna)
            for tag in self.reads.board(
                antenna, cards, visits, lambda tag: self._on_board(tag, expect), expect
            ):
                told.append(self._silent(tag, stamped))

    def _status(
        self, health: Literal["ok", "degraded", "failed"], status: DeviceStatus, stamped: Stamped
    ) -> list[Conclusion]:
        """What a device says of itself, where it is news: all is well until it says otherwise."""
        device, antenna, detail = stamped.device, status.antenna, "" if health == "ok" else status.detail
        if self._health.get((device, antenna), ("ok", "")) == (health, detail):
            return []
        places = [
            place
            for (of, number), place in self._places.items()
            if of == device and antenna in (None, number)
        ]
        event = DeviceState(device, "live", tuple(places), health=health, antenna=antenna, detail=detail)
        return [Conclusion(event, basis="inferred", evidence=(_name(stamped),))]

    def _told_of(self, event: DeviceState) -> None:
        """A device that was away says anew how it does."""
        if event.health:
            self._health[event.device, event.antenna] = event.health, event.detail
        elif event.state != "live":
            self._health = {key: told for key, told in self._health.items() if key[0] != event.device}

    def _taken_back(self, cards: list[str], expect: Expectation) -> None:
        """Cards of a premature street went back into the stub: those that the board reads again come from
        there.
        """
        for tag in cards:
            known = self._registry.card(tag)
            if (
                known is not None
                and known.card not in expect.board
                and self._assembler.on_board(known.card)
                and self._cards.place(tag) == BOARD
                and self._cards.gone(tag) >= GONE
            ):
                self._cards.assume(tag, STUB)
                self._assembler.taken_back(known.card)

    def _on_board(self, tag: str, expect: Expectation) -> bool:
        known = self._registry.card(tag)
        return known is not None and known.card in expect.board and self._cards.place(tag) == BOARD

    def _silent(self, tag: str, stamped: Stamped) -> Conclusion:
        known = self._registry.card(tag)
        assert known is not None
        return Conclusion(
            DeviceState(stamped.device, "live", silent=known.card),
            basis="inferred",
            evidence=(_name(stamped),),
        )

    def _doubled(self, double: Double, stamped: Stamped) -> Conclusion:
        known = self._registry.card(double.tag)
        assert known is not None
        if double.copy:
            self._assembler.copied(known.card, double.places)
            return Conclusion(ClonedTag(known.card, double.places), evidence=(_name(stamped),))
        total = sum(double.rates)
        odds = {
            place: round(rate / total, 2) for place, rate in zip(double.places, double.rates, strict=True)
        }
        return Conclusion(Doubt(known.card, odds), max(odds.values()), evidence=(_name(stamped),))

    def _settled(self, one: Settled, stamped: Stamped) -> Conclusion:
        """A doubt that begins, with the odds, or that is over. What is missing in the odds is where no
        antenna looks.
        """
        known = self._registry.card(one.tag)
        assert known is not None
        odds = self._cards.odds(one.tag) if one.place is None else {one.place: 1.0}
        return Conclusion(Doubt(known.card, odds), 1.0, evidence=(_name(stamped),))

    def _moved(self, move: Move, expect: Expectation, now: Instant) -> list[Conclusion]:
        known = self._registry.card(move.tag)
        assert known is not None
        told: list[Conclusion] = []
        if move.place != STUB and expect.phase != "idle":
            self._deck = known.deck
            self.reads.dealt(known.deck)
            if self._registry.several and self._told_deck != known.deck:
                self._told_deck = known.deck
                told.append(Conclusion(DeckInPlay(known.deck), move.sure, evidence=move.evidence))
        return [*told, *self._assembler.moved(move, known.card, expect, now)]

    def _checked(self, event: DeckCheck, now_ns: int) -> None:
        """A check begins or ends. Which deck is in play is told anew after it."""
        if event.state == "begin":
            self._check = SpreadCheck(self._registry, now_ns)
        elif event.state == "end":
            if self._check is not None:
                self._check.end(now_ns)
        else:
            self._check, self._told_deck = None, ""

    def _check_over(self, check: SpreadCheck) -> list[Conclusion]:
        """What the check found: strange tags of other decks, then the deck itself."""
        self._check = None
        result = check.result()
        if 2 * len(result.unread) < len(result.cards):
            self.reads.unread(result.unread)
        strangers = [Conclusion(ForeignTag(place, deck)) for deck, place in result.strangers.items() if deck]
        return [*strangers, Conclusion(DeckCheck(result.cards, result.deck))]

    def _deck_tags(
        self,
        place: Place,
        sweep: Sweep,
        visits: int,
        stamped: Stamped,
        expect: Expectation,
        told: list[Conclusion],
    ) -> list[str]:
        """The tags that are cards of the deck in play. Others are told once a hand, when they were read a few
        times.
        """
        tags = []
        for tag in sweep.tags:
            known = self._registry.card(tag)
            if (
                known is not None
                and known.deck == (self._deck or known.deck)
                and self._registry.may_play(known.deck)
            ):
                tags.append(tag)
            elif expect.phase != "idle" and (known is not None or self._stray(tag, place)):
                reads = self._foreign.get(tag, 0)
                if reads < FOREIGN_READS and (tag in self._foreign or len(self._foreign) < _MOST_FOREIGN):
                    self._foreign[tag] = reads + visits
                    if reads + visits >= FOREIGN_READS:
                        told.append(
                            Conclusion(
                                ForeignTag(place, known.deck if known else None), evidence=(_name(stamped),)
                            )
                        )
        return tags

    def _stray(self, tag: str, place: Place) -> bool:
        """Whether a tag that is no card lies where it should not. Of places for chips the chips know better."""
        return self._registry.chip(tag) is None and not (self._registry.has_chips and is_for_chips(place))

    def _contact(self, contact: Contact, *, pressed: bool) -> TableEvent | None:
        """The event that a contact stands for when it closes, and the lid's when it opens, too."""
        if contact == meaning.SHUFFLER_LID:
            return ShufflerLid(pressed)
        return self._pressed(contact) if pressed else None

    def _pressed(self, contact: Contact) -> TableEvent | None:
        seat = meaning.all_in_seat(contact)
        if seat is not None:
            return AllinButton(seat)
        match contact:
            case meaning.HAND:
                return self._hand()
            case meaning.KEY_END:
                return End()
            case meaning.KEY_BOXED:
                return Boxed(UNKNOWN)
            case meaning.KEY_EXPOSED:
                return Exposed()
            case meaning.KEY_FLOOR:
                return CallFloor()
            case meaning.KEY_DEALER_CHANGE:
                return DealerChange()
            case meaning.KEY_DECK_CHECK:
                return DeckCheck(state="begin" if self._check is None else "end")
            case meaning.KEY_UNDO if self._last_key is not None:
                return Undo(self._last_key)
            case _:
                return None

    def _hand(self) -> TableEvent | None:
        """A second sign of a new hand before anything has happened in it is of the same hand."""
        return None if self._fresh else Hand()

    def _shuffler(self, report: ShufflerReport) -> TableEvent | None:
        """`started` begins a hand."""
        if report.report == "started":
            return self._hand()
        return Shuffler(report.report, tuple(_card(face) for face in report.faces), report.count)


def _card(face: str) -> Card:
    try:
        return parse_card(face)
    except ValueError:
        return UNKNOWN


def _name(stamped: Stamped) -> str:
    return f"{stamped.device}/{stamped.epoch}/{stamped.seq}"
