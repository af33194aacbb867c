"""What a contact of a device can mean: the words of `[table.device.contacts]` in the site file."""

from typing import Final, NewType

from tablebridge.model.places import SEATS

Contact = NewType("Contact", str)

HAND: Final = Contact("hand")
SHUFFLER_LID: Final = Contact("shuffler-lid")
KEY_FLOOR: Final = Contact("key floor")
KEY_BOXED: Final = Contact("key boxed")
KEY_EXPOSED: Final = Contact("key exposed")
KEY_UNDO: Final = Contact("key undo")
KEY_END: Final = Contact("key end")
KEY_DEALER_CHANGE: Final = Contact("key dealer-change")
KEY_DECK_CHECK: Final = Contact("key deck-check")

MEANINGS: Final[dict[Contact, str]] = {
    HAND: "the shuffler was started, or the dealer pushed for a new hand",
    SHUFFLER_LID: "the shuffler's lid is open",
    KEY_FLOOR: "the dealer calls the floor",
    KEY_BOXED: "the dealer found a boxed card",
    KEY_EXPOSED: "the dealer exposed a card",
    KEY_UNDO: "the dealer takes back the last key",
    KEY_END: "the hand is over: pots are paid",
    KEY_DEALER_CHANGE: "another dealer takes over",
    KEY_DECK_CHECK: "the dealer begins to pass the spread deck over the antenna, or has done so",
}
"""`all-in N` is the tenth: the all-in button is in front of seat N."""


def all_in(seat: int) -> Contact:
    """The all-in button of a seat."""
    return Contact(f"all-in {seat}")


def all_in_seat(contact: Contact) -> int | None:
    """The seat of a contact `all-in N`, else None."""
    return int(contact[7:]) if contact.startswith("all-in ") else None


_CONTACTS: Final = frozenset({*MEANINGS, *map(all_in, SEATS)})


def parse_contact(text: str) -> Contact:
    """The contact that `text` names. Raises ValueError if there is no such contact."""
    if text in _CONTACTS:
        return Contact(text)
    raise ValueError(
        f"no contact is called {text!r}; contacts are {', '.join(MEANINGS)} and all-in 1 to all-in 10"
    )
