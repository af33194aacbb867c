"""Cards and chips as text: the forms of a table script.

A card is rank `23456789TJQKA` and suit `cdhs`, `??` if the face is not known, `joker`, or `blank` (a cut
or advertising card). `Kh*` is a second physical card with the face `Kh`. Inside the engine `#7` is the
seventh card of the hand whose face only antennas know, `#7*` a second one with that face; no such name leaves
the engine. In a record `?a` is a card of the hand whose face was deleted, `?a*` a second one with that face.
"""

import string
from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", str)

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
UNKNOWN: Final = Card("??")
JOKER: Final = Card("joker")
BLANK: Final = Card("blank")
DECK_52: Final = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
FACES: Final = frozenset(DECK_52)
_SECOND: Final = {Card(card + "*"): card for card in DECK_52}
VEILED: Final = tuple(Card(f"#{number}") for number in range(1, len(DECK_52) + 2))
"""Names for cards whose faces only antennas know, as many as a deck has cards."""
DELETED: Final = tuple(Card(f"?{sign}") for sign in string.ascii_letters + string.digits)
"""What stands in a record for faces that were deleted, the same for one face through a hand; more than a deck
has cards.
"""
_PRINTED: Final = _SECOND | {Card(card + "*"): card for card in (*VEILED, *DELETED)}
_NAMES: Final = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
_SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def parse_card(text: str) -> Card:
    """The card that `text` names. Raises ValueError if there is no such card."""
    if text in FACES or text in (UNKNOWN, JOKER, BLANK) or (text.endswith("*") and text[:-1] in FACES):
        return Card(text)
    raise ValueError(
        f"no card is written {text!r}; a card is a rank of {RANKS} and a suit of {SUITS}, such as Kh"
    )


def face(card: Card) -> Card:
    """The printed face: `Kh` for `Kh*`."""
    return _PRINTED.get(card, card)


def faces(cards: Iterable[Card]) -> set[Card]:
    """The printed faces of these cards."""
    found = set(cards)
    # Most hands have no second card of a face, no joker and no card without one.
    return found if found <= FACES else set(map(face, found))


def is_known(card: Card) -> bool:
    """Whether rank and suit are known (so not `??`, not a joker, not a blank)."""
    return card in FACES or card in _SECOND


def spoken(card: Card) -> str:
    """The card's name as it is spoken, for people who listen to pages: `ten of hearts`."""
    plain = face(card)
    if plain not in FACES:
        return {"??": "unknown card", "joker": "joker"}.get(plain, "blank card")
    return f"{_NAMES[plain[0]]} of {_SUIT_NAMES[plain[1]]}"


def deck_of(kind: str) -> tuple[Card, ...]:
    """The cards that a deck `52`, `40`, `36`, `32` or `52+joker` holds. Raises ValueError for any other kind.

    40 leaves out 2 to 4, 36 leaves out 2 to 5, 32 leaves out 2 to 6 (dealer manual, spread of the deck).
    """
    lowest = {"52": "2", "52+joker": "2", "40": "5", "36": "6", "32": "7"}.get(kind)
    if lowest is None:
        raise ValueError(f"no deck is called {kind!r}; decks are 52, 40, 36, 32 and 52+joker")
    kept = RANKS[RANKS.index(lowest) :]
    cards = tuple(card for card in DECK_52 if card[0] in kept)
    return (*cards, JOKER) if kind.endswith("joker") else cards


def parse_chips(text: str) -> tuple[int, ...]:
    """Denominations of a chip list, one entry per chip: `1000+3x100` -> (1000, 100, 100, 100). Raises
    ValueError.
    """
    chips: list[int] = []
    for part in text.split("+"):
        count, times, denomination = part.partition("x")
        number, value = (count, denomination) if times else ("1", count)
        if (
            not (number.isascii() and number.isdigit() and value.isascii() and value.isdigit())
            or int(value) == 0
        ):
            raise ValueError(f"{text!r} is no chip list; write denominations joined by +, such as 1000+3x100")
        chips.extend([int(value)] * int(number))
    return tuple(chips)
