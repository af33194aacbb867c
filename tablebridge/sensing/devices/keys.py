"""The dealer's contacts and the shuffler: which table event each of their reports stands for."""

from typing import Final

from tablebridge.model import contacts as meaning
from tablebridge.model.cards import UNKNOWN, Card, parse_card
from tablebridge.model.contacts import Contact
from tablebridge.model.events import (
    Action,
    AllinButton,
    Boxed,
    Burn,
    ChipsIn,
    Deal,
    DealerChange,
    Dealt,
    DeckCheck,
    End,
    Entry,
    Hand,
    Holds,
    Muck,
    Ruling,
    Say,
    Seen,
    Shuffler,
    Street,
    TableEvent,
    Undo,
)
from tablebridge.model.key_events import CallFloor, Exposed, ShufflerLid
from tablebridge.model.readings import ShufflerReport

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


class DealerKeys:
    """What keys mean at this moment of a hand. The undo key takes back what a key entered last."""

    def __init__(self) -> None:
        self._nothing_happened = False
        self._last_key: int | None = None

    def begin_hand(self) -> None:
        """A hand begins."""
        self._nothing_happened = True
        self._last_key = None

    def note_entry(self, entry: Entry) -> None:
        """An event was entered, by a key or otherwise."""
        event = entry.event
        if isinstance(event, _UNDER_WAY):
            self._nothing_happened = False
        if isinstance(event, End) or (isinstance(event, Undo) and event.entry == self._last_key):
            self._last_key = None  # the end of a hand is the floor's to take back
        elif entry.basis == "button" and not isinstance(event, Hand | Undo | DeckCheck | ShufflerLid):
            self._last_key = entry.id

    def contact_event(self, contact: Contact, *, pressed: bool, checking: bool) -> TableEvent | None:
        """The event for which a contact stands when it closes; the lid's when it opens, too. `checking`: a
        deck check is under way.
        """
        if contact == meaning.SHUFFLER_LID:
            return ShufflerLid(pressed)
        if not pressed:
            return None
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
                return DeckCheck(state="end" if checking else "begin")
            case meaning.KEY_UNDO if self._last_key is not None:
                return Undo(self._last_key)
            case _:
                return None

    def shuffler_events(self, report: ShufflerReport) -> tuple[TableEvent, ...]:
        """The events for which a report of the shuffler stands; `started` begins a hand, too."""
        said = Shuffler(report.report, tuple(_card(face) for face in report.faces), report.count)
        hand = self._hand() if report.report == "started" else None
        return (said,) if hand is None else (said, hand)

    def _hand(self) -> TableEvent | None:
        """A second sign of a new hand before anything has happened in it is of the same hand."""
        return None if self._nothing_happened else Hand()


def _card(face: str) -> Card:
    try:
        return parse_card(face)
    except ValueError:
        return UNKNOWN
