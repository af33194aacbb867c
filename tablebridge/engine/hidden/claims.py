"""What people typed of cards while antennas knew hidden ones, and what of it antennas had elsewhere.

A face that was typed wrongly is not answered while the hand goes on: the answer would reveal where it is. It
is kept, whatever becomes of the line, and found when the hand is over and only the floor can take that back.
What a void hand leaves is found with the end of the next one that is played out.
"""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.cards import Card, face
from tablebridge.model.places import MUCK, STUB, Place, seat_of

Claim = tuple[Card, Place]
"""A face that was typed, and where the card was said to be."""
_UNSAID = (MUCK, STUB, "")


class Claims(msgspec.Struct):
    """The claims at one table. `of`: by entry; `contradicted`: typed faces of void hands that antennas had
    elsewhere.
    """

    of: dict[int, tuple[Claim, ...]] = {}
    contradicted: set[Card] = set()

    def add(self, entry: int, claims: Iterable[Claim]) -> None:
        """Somebody typed these. The line may have been read before, and amended."""
        self.of[entry] = tuple(dict.fromkeys((*self.of.get(entry, ()), *claims)))

    def copy(self) -> "Claims":
        """The same claims, to be added to."""
        return Claims(dict(self.of), set(self.contradicted))

    def cut(self, first: int) -> None:
        """Delete those before this entry."""
        self.of = {entry: claims for entry, claims in self.of.items() if entry >= first}

    def weigh(self, hand: Hand, notes: Notes, begun: int) -> None:
        """A hand that began with the entry `begun` is void or over."""
        if not self.of and not self.contradicted:
            return
        self.contradicted |= {
            card
            for entry, claims in self.of.items()
            if entry >= begun
            for card, place in claims
            if _contradicted(hand, card, place)
        }
        if hand.street == "over" and self.contradicted:
            aside = Notes(notes.entry, notes.basis, notes.table, hand.number, notes.street)
            aside.find(
                hand.book,
                "typed-face-contradicted",
                cards=sorted(self.contradicted),
            )
            notes.lasting += tuple(replace(found, id=f"{notes.entry}.typed") for found in aside.findings)
            self.contradicted.clear()


def _contradicted(hand: Hand, card: Card, place: Place) -> bool:
    """Whether the face was read, but never there; or is at a seat whose cards were all read as others."""
    been = hand.veil.been.get(face(card))
    if been is not None:
        return place not in been and place not in _UNSAID
    seat = seat_of(place)
    held = hand.felt.cards.get(seat, ()) if seat is not None else ()
    return bool(held) and hand.veil.read(held)
