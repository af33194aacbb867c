"""Sensing, joined: readings and what the engine expects in, table events out. Pure: the same calls give the
same events.

Each kind of reading has a part that knows what it means: tags of cards `CardSensing`, of chips
`TableChips`, the spread of a deck check `DeckChecks`, what a camera sees `Looks`, contacts and shuffler
`DealerKeys`, a device's own health `DeviceHealth`. A reading that stands for no event gives none.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from tablebridge.antennas.dwell import AntennaName, antenna_name
from tablebridge.antennas.wear import ReadCount
from tablebridge.model import contacts as meaning
from tablebridge.model.cards import Card
from tablebridge.model.events import Action, Basis, DeckCheck, DeviceState, Entry, Hand, TableEvent
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.learnt import NOTHING_LEARNT, LearntTable, LoneCard
from tablebridge.model.places import Place, card_place, is_for_chips, seat_of
from tablebridge.model.readings import (
    ButtonPress,
    DeviceStatus,
    Look,
    ShufflerReport,
    Stamped,
    Sweep,
    TrayReading,
)
from tablebridge.sensing.camera.looks import Looks
from tablebridge.sensing.card_sensing import CardSensing
from tablebridge.sensing.cards.bayes_filter import BayesFilter
from tablebridge.sensing.cards.card_filter import CardFilter, Move
from tablebridge.sensing.chips.table_chips import TableChips
from tablebridge.sensing.conclusion import Conclusion, reading_id
from tablebridge.sensing.devices.antennas import AntennaNews
from tablebridge.sensing.devices.health import DeviceHealth, Known
from tablebridge.sensing.devices.keys import DealerKeys
from tablebridge.sensing.dynamics import ASSUMED, Dynamics, earliest
from tablebridge.sensing.enrolment.deck_checks import DeckChecks
from tablebridge.sensing.events.folds import FoldDoubts
from tablebridge.sensing.events.presence import Presence
from tablebridge.sensing.tags.registry import DeckRegistry

__all__ = ["Conclusion", "Sensor"]


class KeptSensing(msgspec.Struct, frozen=True):
    """What sensing knows of the entries before a hand, as it is kept on disk; of the readings before it
    nothing is. `deck`: the deck that was reported last to be in play; `health`: of the devices.
    """

    deck: str = ""
    health: Known = {}


class Sensor:
    """Senses one table.

    `places`: where each antenna of each device looks. `contacts`: what each contact of each device means.
    `cards`: another card filter than the built-in one. `dynamics`: what is assumed of people, cards and
    chips.
    """

    def __init__(
        self,
        places: Mapping[tuple[str, int], Place],
        contacts: Mapping[tuple[str, int], str],
        registry: DeckRegistry,
        cards: CardFilter | None = None,
        dynamics: Dynamics = ASSUMED,
    ) -> None:
        seen = list(places.values())
        shared = [card_place(place) for place in seen if seen.count(place) > 1]
        watched = [card_place(place) for place in seen]
        self._places = dict(places)
        self._seats_of_up = frozenset(seat_of(place) for place in seen if place != card_place(place))
        self._contacts = {key: meaning.parse_contact(text) for key, text in contacts.items()}
        self._cards = cards or BayesFilter(shared, dynamics=dynamics)
        self._card_sensing = CardSensing(watched, registry, self._cards, dynamics)
        self._chips = TableChips(watched, registry, dynamics)
        self._looks = Looks(dynamics.camera)
        self._checks = DeckChecks(registry)
        self._registry = registry
        self._keys = DealerKeys()
        self._health = DeviceHealth()
        self._antenna_news = AntennaNews()
        self._folds = FoldDoubts()
        self._antennas = _digest(places)

    @property
    def presence(self) -> Presence:
        """What people may see of the cards before the seats."""
        return self._card_sensing.presence

    @property
    def reads(self) -> ReadCount:
        """How often each tag answers."""
        return self._card_sensing.reads

    @property
    def moves(self) -> tuple[Move, ...]:
        """The cards that the last reading showed elsewhere, before anything is made of it."""
        return self._card_sensing.moves

    @property
    def cards(self) -> dict[str, Card]:
        """The face of each enrolled tag."""
        return self._registry.cards

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time at which a wait ends though nothing is read, and `due` is to be called."""
        cards, checks = self._card_sensing.wake_ns, self._checks.wake_ns
        return earliest(cards, checks, self._chips.wake_ns, self._folds.wake_ns)

    def kept(self) -> KeptSensing:
        """What is known of the entries, as it is kept on disk. It holds from the next hand on."""
        return KeptSensing(self._card_sensing.reported_deck, self._health.kept())

    def restore(self, kept: KeptSensing) -> None:
        """Know what was kept, before the next hand."""
        self._card_sensing.restore(kept.deck)
        self._health.restore(kept.health)

    @property
    def learnt(self) -> LearntTable:
        """What was known of the table when the hand began."""
        return LearntTable(self._antennas, self._cards.learnt)

    def recall(self, known: LearntTable) -> None:
        """A hand has begun and nothing was read in it yet: this is what was known of the table then. What
        was learnt of other antennas is not used.
        """
        self._cards.recall(known.cards if known.antennas == self._antennas else NOTHING_LEARNT)

    def measured(self, antennas: Mapping[AntennaName, LoneCard]) -> None:
        """Antennas were measured with one card, by name: this is known from the next hand on. Those that look
        at nothing here are passed over; of several that look at one place the last counts.
        """
        places = {antenna_name(*antenna): place for antenna, place in self._places.items()}
        self._cards.measured({places[name]: lone for name, lone in antennas.items() if name in places})

    def begin_hand(self) -> None:
        """A `Hand` was entered: all cards of the deck are in the stub or the shuffler."""
        self._card_sensing.begin_hand()
        self._chips.begin_hand()
        self._looks.begin_hand()
        self._keys.begin_hand()

    def observe(self, entry: Entry) -> None:
        """An event was entered, sensed or not."""
        event = entry.event
        self._card_sensing.note_entry(entry)
        self._looks.note_entry(entry)
        self._keys.note_entry(entry)
        self._folds.note_entry(entry)
        if isinstance(event, Hand):
            self._checks.drop()
        elif isinstance(event, DeckCheck):
            self._checks.note_entry(event, entry.at.monotonic_ns)
            if event.state not in ("begin", "end"):
                self._card_sensing.deck_checked()
        elif isinstance(event, DeviceState):
            self._health.note_entry(event)

    def before(self, event: TableEvent, expect: Expectation) -> tuple[Conclusion, ...]:
        """A person is about to enter an event: what it shows to be true already, and is to be entered before
        it.
        """
        return tuple(self._card_sensing.before_action(expect)) if isinstance(event, Action) else ()

    def update(self, stamped: Stamped, expect: Expectation) -> tuple[Conclusion, ...]:
        """Takes in one reading, in the order of arrival."""
        sensed = self._sensed(stamped, expect)
        sensed += tuple(self._looks.conclude(expect))
        if not self._folds.watched:
            return sensed
        return (*sensed, *self._in_doubt(expect, stamped.at, (reading_id(stamped),)))

    def _in_doubt(
        self, expect: Expectation, at: Instant, evidence: tuple[str, ...] = ()
    ) -> Iterator[Conclusion]:
        """What is recorded and not what is read."""
        for doubt in self._folds.compare(self.presence.read(), expect.live, at.monotonic_ns):
            yield Conclusion(doubt, basis="inferred", evidence=evidence)

    def _sensed(self, stamped: Stamped, expect: Expectation) -> tuple[Conclusion, ...]:
        """What one reading says, by its kind."""
        reading = stamped.reading
        self._card_sensing.begin_reading()
        match reading:
            case Sweep():
                return tuple(self._read_antenna(reading, stamped, expect))
            case ButtonPress(contact=number, pressed=pressed):
                contact = self._contacts.get((stamped.device, number))
                if contact is None:
                    return ()
                checking = self._checks.running
                event = self._keys.contact_event(contact, pressed=pressed, checking=checking)
                return _concluded(event, "button", stamped)
            case ShufflerReport():
                return tuple(
                    conclusion
                    for event in self._keys.shuffler_events(reading)
                    for conclusion in _concluded(event, "shuffler", stamped)
                )
            case TrayReading():
                return tuple(self._chips.read_tray(stamped.device, reading, reading_id(stamped), stamped.at))
            case Look():
                self._cards.weigh_look(reading.place, self._looks.see(reading, reading_id(stamped)))
                return ()
            case DeviceStatus():
                return _concluded(self._device_state(reading, stamped.device), "inferred", stamped)
            case _:
                return ()

    def due(self, now: Instant, expect: Expectation) -> tuple[Conclusion, ...]:
        """Time has passed without a reading."""
        released = self._card_sensing.release_cards(expect, now)
        released += self._chips.release_chips(now, expect)
        checked, unread = self._checks.release_check(now.monotonic_ns)
        self.reads.count_unread(unread)
        return (*released, *checked, *self._in_doubt(expect, now))

    def _read_antenna(self, sweep: Sweep, stamped: Stamped, expect: Expectation) -> list[Conclusion]:
        device, at = stamped.device, stamped.at
        place = self._places.get((device, sweep.antenna))
        if place is None:
            return []
        visits = max(1, sweep.visits)
        if self._checks.read_spread((device, sweep.antenna), place, sweep.tags, visits, at.monotonic_ns):
            return []
        chips: list[Conclusion] = []
        if is_for_chips(place):
            chips = self._chips.read_chips(place, device, sweep, reading_id(stamped), at, expect)
        cards = self._card_sensing.read_cards(card_place(place), sweep, stamped, expect, self._of(place))
        news = self._antenna_news.news(device, sweep.antenna, place, self._cards.troubles(place))
        return [*chips, *cards, *_concluded(news, "inferred", stamped)]

    def _of(self, place: Place) -> Literal["all", "down", "up"]:
        """Which cards the antenna of a place is there for."""
        if place != card_place(place):
            return "up"
        return "down" if seat_of(place) in self._seats_of_up and seat_of(place) is not None else "all"

    def _device_state(self, status: DeviceStatus, device: str) -> DeviceState | None:
        """What a device says of itself, if it is news."""
        match status.state:
            case "unknown":
                return DeviceState(device, "live", unknown=status.detail)
            case "ok" | "degraded" | "failed" as state:
                places = [
                    place
                    for (of, number), place in self._places.items()
                    if of == device and status.antenna in (None, number)
                ]
                return self._health.news(device, state, status, tuple(places))
            case _:
                return None


def _digest(places: Mapping[tuple[str, int], Place]) -> str:
    """Changes with what any antenna looks at; empty if there is none."""
    if not places:
        return ""
    lines = sorted(f"{device} {antenna} {place}" for (device, antenna), place in places.items())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _concluded(event: TableEvent | None, basis: Basis, stamped: Stamped) -> tuple[Conclusion, ...]:
    if event is None:
        return ()
    return (Conclusion(event, basis=basis, evidence=(reading_id(stamped),)),)
