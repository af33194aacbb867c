"""Checks of the spread deck, and which deck is dealt."""

from tablebridge.engine.cards import shuffler, shuffles
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model.cards import UNKNOWN, Card, deck_of, face
from tablebridge.model.events import DeckCheck, DeckInPlay

_DECKS_AT_A_TABLE = 2
"""One is played with while the other is shuffled."""

_SPREAD_SUITS = "hcds"
_SPREAD_RANKS = "A23456789TJQK"


def check(setup: Setup, notes: Notes, event: DeckCheck) -> None:
    """The deck was spread and read. In order means hearts, clubs, diamonds, spades, each from the ace to the
    king.
    """
    if event.state is None or notes.basis != "dealer":
        # That a dealer spread a deck once says nothing of the other hands.
        setup.reports_checks = True
    if event.state is not None:
        return
    read = [card for card in event.cards if card != UNKNOWN]
    faces = [face(card) for card in read]
    passed = _complete(setup, notes, read, unread=len(event.cards) - len(read))
    if passed and [card for card in faces if card != "joker"] != _spread(deck_of(setup.deck)):
        passed = False
        notes.find(
            setup.book,
            "deck-check-failed",
            cause="out-of-order",
            remedy=("restore-order",),
        )
    setup.deck_checked = passed
    others = tuple(name for name in setup.checked if name != event.deck)
    setup.checked = (*others, event.deck)[-_DECKS_AT_A_TABLE:] if passed else others
    setup.memory = shuffles.checked(faces)
    shuffler.checked(setup, notes, faces)
    if passed:
        notes.find(setup.book, "deck-check-passed")


def _complete(setup: Setup, notes: Notes, read: list[Card], *, unread: int) -> bool:
    """Whether each card of the deck was read once and no other; what is wrong is found. `unread`: how many
    cards could not be read.
    """
    wanted, faces = deck_of(setup.deck), [face(card) for card in read]
    missing = sorted(set(wanted) - set(faces))
    foreign = [card for card in read if face(card) not in wanted]
    twice = [card for at, card in enumerate(read) if face(card) in faces[:at] and face(card) in wanted]
    wrong: tuple[tuple[str, list[Card] | list[str]], ...] = (
        ("duplicate-card", twice),
        ("foreign-card", foreign),
        # A card that could not be read is not known to be missing.
        ("missing-card", missing[: max(0, len(missing) - unread)]),
    )
    for cause, cards in wrong:
        if cards:
            notes.find(setup.book, "deck-check-failed", cause=cause, cards=tuple(map(Card, cards)))
    if unread:
        notes.find(
            setup.book,
            "deck-check-failed",
            args={"unread": unread},
            cause="unreadable-tag",
        )
    return not unread and not any(cards for _, cards in wrong)


def in_play(setup: Setup, notes: Notes, event: DeckInPlay) -> None:
    """The tags of the cards say which deck is dealt. A check that somebody wrote down without a name was of
    this one.
    """
    if not setup.checked or event.deck in setup.checked:
        return
    if "" in setup.checked:
        setup.checked = tuple(name or event.deck for name in setup.checked)
        return
    checked = " and ".join(setup.checked)
    notes.find(
        setup.book,
        "deck-swapped",
        args={"deck": event.deck, "checked": checked},
        remedy=("call-floor", "replace-deck"),
    )


def unchecked(setup: Setup, notes: Notes) -> None:
    """A hand begins: was its deck checked?"""
    if setup.reports_checks and not setup.deck_checked:
        notes.find(setup.book, "deck-unchecked")


def _spread(deck: tuple[Card, ...]) -> list[Card]:
    cards = [card for card in deck if card != "joker"]
    return sorted(cards, key=lambda card: (_SPREAD_SUITS.index(card[1]), _SPREAD_RANKS.index(card[0])))
