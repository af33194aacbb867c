"""The deck as a whole: checks of the spread deck, the shuffle, the stub, marked cards, devices."""

from collections.abc import Iterable

from tablebridge.engine.cards import dealing, misdeals, shuffler, shuffles
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model.cards import UNKNOWN, Card, deck_of, face, is_known
from tablebridge.model.events import (
    Access,
    BrokenJournal,
    ClonedTag,
    Cut,
    DeckCheck,
    DeckInPlay,
    DeviceState,
    Disclosure,
    Doubt,
    ForeignTag,
    Shuffled,
    Stub,
)
from tablebridge.model.fault import Fault
from tablebridge.model.places import BURN, MUCK, STUB, seat_place

_UNFIT = {
    "marked-card": "A card is marked or damaged.",
    "mixed-backs": "A card has another back than the deck.",
}
_DECKS_AT_A_TABLE = 2
"""One is played with while the other is shuffled."""

_SPREAD_SUITS = "hcds"
_SPREAD_RANKS = "A23456789TJQK"


def check(setup: Setup, notes: Notes, event: DeckCheck) -> None:
    """The deck was spread and read. In order means hearts, clubs, diamonds, spades, each from the ace to the
    king.
    """
    setup.reports_checks = True
    if event.state is not None:
        return
    wanted = deck_of(setup.deck)
    read = [card for card in event.cards if card != UNKNOWN]
    faces = [face(card) for card in read]
    missing = sorted(set(wanted) - set(faces))
    foreign = [card for card in read if face(card) not in wanted]
    twice = [card for at, card in enumerate(read) if face(card) in faces[:at] and face(card) in wanted]
    unread = event.cards.count(UNKNOWN)
    failed = False
    for cause, found, told in (
        ("duplicate-card", twice, "holds a card twice"),
        ("foreign-card", foreign, "holds a card that does not belong to it"),
        # A card that could not be read is not known to be missing.
        ("missing-card", missing[: max(0, len(missing) - unread)], "is not complete"),
    ):
        if found:
            failed = True
            _note(setup, notes, "deck-check-failed", f"The deck {told}.", cause=cause, cards=tuple(found))
    if unread:
        failed = True
        _note(
            setup,
            notes,
            "deck-check-failed",
            f"{unread} cards of the deck could not be read.",
            cause="unreadable-tag",
        )
    if not failed and [card for card in faces if card != "joker"] != _spread(wanted):
        failed = True
        _note(
            setup,
            notes,
            "deck-check-failed",
            "The spread deck is complete but not in order.",
            cause="out-of-order",
            remedy=("restore-order",),
        )
    setup.deck_checked = not failed
    others = tuple(name for name in setup.checked if name != event.deck)
    setup.checked = others if failed else (*others, event.deck)[-_DECKS_AT_A_TABLE:]
    setup.memory = shuffles.checked(faces)
    shuffler.checked(setup, notes, faces)
    if not failed:
        _note(setup, notes, "deck-check-passed", "The spread deck is complete and in order.")


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
    _note(
        setup,
        notes,
        "deck-swapped",
        f"The cards in play are those of the deck {event.deck}; checked was {checked}.",
        remedy=("call-floor", "replace-deck"),
    )


def unchecked(setup: Setup, notes: Notes) -> None:
    """A hand begins: was its deck checked?"""
    if setup.reports_checks and not setup.deck_checked:
        _note(setup, notes, "deck-unchecked", "The hand begins on a deck that was not checked.")


def shuffle(setup: Setup, hand: Hand, notes: Notes) -> None:
    """The hand is over: is the order of its cards believable as the outcome of a shuffle? Only antennas can
    say.
    """
    if "rfid" not in hand.deal.by:
        return
    groups = [_named(hand, group) for group in (*hand.felt.cards.values(), *hand.felt.boards)]
    setup.memory, suspicion = shuffles.judge(
        setup.memory, tuple(dict.fromkeys(_named(hand, _came_off(hand)))), groups
    )
    if suspicion is not None:
        _note(
            setup,
            notes,
            "shuffle-suspect",
            f"The order of the cards is hardly that of a shuffle: {suspicion.told}.",
            cause=suspicion.cause,
        )


def prepared(hand: Hand, notes: Notes, event: Shuffled | Cut) -> None:
    """The deck was shuffled or cut."""
    hand.shuffles_reported = True
    if isinstance(event, Shuffled):
        hand.shuffled = True
        return
    hand.cut = True
    if event.exposed is None:
        return
    cards = () if event.exposed == UNKNOWN else (event.exposed,)
    hand.felt.open_cards.update(cards)
    if not dealing.shows(hand, notes, event.exposed, STUB):
        return
    if "exposed-in-cut" in hand.book.misdeals:
        misdeals.misdeal(hand, notes, "exposed-in-cut", cards=cards)
    else:
        hand.find(notes, "exposed-card", "A card showed while the deck was cut.", cause="dealer", cards=cards)


def stub(hand: Hand, notes: Notes, event: Stub) -> None:
    """The stub was counted or dropped. A count is checked against what left the deck."""
    if hand.over:
        return
    if event.state == "counted":
        left = len(hand.deck) - hand.felt.off_deck
        if event.count is not None and event.count != left:
            hand.find(
                notes, "stub-wrong", f"The stub holds {event.count} cards instead of {left}.", cause="count"
            )
    else:
        told = "out of order" if event.state == "disordered" else "mixed with the muck or the burns"
        hand.find(notes, "stub-wrong", f"The stub was dropped and is {told}.", cause=event.state)
        if event.state == "mixed":
            # Any of them may come again.
            for card in [card for card, place in hand.felt.places.items() if place in (BURN, MUCK)]:
                hand.forget(card)


def unfit_between(setup: Setup, notes: Notes, card: Card, cause: str) -> None:
    """A marked card, or one with another back, found while no hand is under way."""
    _note(setup, notes, "fouled-deck", _UNFIT[cause], cause=cause, cards=() if card == UNKNOWN else (card,))


def unfit(hand: Hand, notes: Notes, card: Card, cause: str) -> None:
    """A marked card, or one with another back: what it means is the floor's to say unless the rulebook stops
    the hand.
    """
    if card != UNKNOWN and not dealing.shows(hand, notes, card, hand.felt.places.get(card, "")):
        return
    if cause == "marked-card" and hand.book.marked_by_time and hand.felt.off_deck:
        _marked_in_play(hand, notes, card)
        return
    hand.find(notes, "fouled-deck", _UNFIT[cause], cause=cause, cards=() if card == UNKNOWN else (card,))
    if cause in hand.book.voiding:
        hand.void(notes)


def _marked_in_play(hand: Hand, notes: Notes, card: Card) -> None:
    cards = () if card == UNKNOWN else (card,)
    if not hand.too_late:
        misdeals.misdeal(hand, notes, "marked-card", cards=cards)
    else:
        board = any(card in board for board in hand.felt.boards)
        hand.find(
            notes,
            "misdeal-too-late",
            "A card is marked: the hand is played out and the card or deck replaced after it.",
            cause="marked-card",
            cards=cards,
            case="marked-board" if board else "",
        )


def foreign_tag(setup: Setup, notes: Notes, event: ForeignTag) -> None:
    """A tag that is no card of the deck in play. Of another deck: fouled; of none: something lies where it
    should not.
    """
    if event.deck is not None:
        _note(
            setup,
            notes,
            "fouled-deck",
            f"A card of another deck ({event.deck}) is at {event.place}.",
            cause="foreign-card",
        )
    else:
        _note(setup, notes, "card-out-of-place", f"A tag that belongs to no deck is at {event.place}.")


def cloned_tag(setup: Setup, notes: Notes, event: ClonedTag) -> None:
    first, second = event.places
    _note(
        setup,
        notes,
        "cloned-tag",
        f"One tag answers at two places at once: {first} and {second}.",
        cards=(event.card,),
    )


def doubt(setup: Setup, notes: Notes, event: Doubt) -> None:
    """The readings do not settle where a card is. The doubt stands until the hand is over or one place is
    nearly sure.
    """
    odds = sorted(event.odds.items(), key=lambda item: (-item[1], item[0]))
    if odds and odds[0][1] >= 0.99:
        setup.doubts.pop(event.card, None)
        return
    nowhere = 1 - sum(event.odds.values())
    told = ", ".join(
        [
            *(f"{place} {probability:.0%}" for place, probability in odds),
            *([f"out of every field {nowhere:.0%}"] if nowhere >= 0.005 else []),
        ]
    )
    _note(
        setup,
        notes,
        "sensing-doubt",
        f"The readings do not settle where a card is: {told}.",
        cards=() if event.card == UNKNOWN else (event.card,),
    )
    setup.doubts[event.card] = notes.findings[-1]


def device(setup: Setup, hand: Hand | None, notes: Notes, event: DeviceState) -> None:
    """A device is lost, stale or live again, readings of it can never come, a card's tag fell silent under
    it, or it says of itself how it does.
    """
    if event.health:
        _health(setup, notes, event)
    else:
        _state(setup, hand, notes, event)
    if hand is not None and not hand.deal.over:
        hand.deal.unwatched |= unwatched(setup, hand.order)


def _state(setup: Setup, hand: Hand | None, notes: Notes, event: DeviceState) -> None:
    setup.device_findings.pop(event.device, None)
    if event.state == "live":
        setup.lost.pop(event.device, None)
    else:
        # What it said of itself is forgotten: when it is back, its driver says it anew.
        for told in (setup.lost, setup.device_findings):
            for key in [key for key in told if key.startswith(f"{event.device} ")]:
                del told[key]
        setup.lost[event.device] = frozenset(event.places)
    if event.state == "lost":
        where = f" {', '.join(event.places)} cannot be read." if event.places else ""
        _note(
            setup,
            notes,
            "device-offline",
            f"The device {event.device} is lost.{where}",
            remedy=(),
            device=event.device,
        )
        setup.device_findings[event.device] = notes.findings[-1]
    elif event.state == "stale":
        _note(
            setup,
            notes,
            "device-degraded",
            f"The device {event.device} has stopped answering.",
            cause="stale",
            remedy=(),
            device=event.device,
        )
        setup.device_findings[event.device] = notes.findings[-1]
    if event.gap:
        _note(
            setup,
            notes,
            "device-degraded",
            f"{event.gap} readings of {event.device} are lost for good.",
            cause="gap",
            remedy=(),
            device=event.device,
        )
    if event.silent is not None:
        lies_open = () if hand is None else hand.felt.open_cards
        notes.find(
            setup.book,
            "device-degraded",
            "The tag of a card on the board has stopped answering.",
            cause="tag",
            device=event.device,
            cards=(event.silent,),
            public=lies_open,
            remedy=("finish-hand-then-replace",),
        )
    if event.unknown:
        _note(
            setup,
            notes,
            "device-unknown",
            f"A device that the site file does not name is plugged in: {event.unknown}.",
            remedy=(),
            device=event.device,
        )


def _health(setup: Setup, notes: Notes, event: DeviceState) -> None:
    """What does not work at all hides its places, as a lost device does."""
    key = f"{event.device} {event.antenna}"
    setup.device_findings.pop(key, None)
    setup.lost.pop(key, None)
    if event.health == "ok":
        return
    failed = event.health == "failed"
    who = (
        f"The device {event.device}"
        if event.antenna is None
        else " ".join(
            (f"Antenna {event.antenna} of {event.device}", *(f"({place})" for place in event.places))
        )
    )
    how = "does not work" if failed else "works badly"
    _note(
        setup,
        notes,
        "device-degraded",
        f"{who} {how}: {event.detail or 'no reason told'}.",
        cause=event.health,
        remedy=(),
        device=event.device,
    )
    setup.device_findings[key] = notes.findings[-1]
    if failed:
        setup.lost[key] = frozenset(event.places)


_FAULT_FINDINGS = {
    "too-many-tags": (
        "too-many-tags",
        None,
        (
            "An antenna of {device} reports more than 64 tags; {count} were left out. Take foreign tags away from it; if there are "
            "none, the reader is broken or is not ours."
        ),
    ),
    "overload": (
        "device-degraded",
        "overload",
        (
            "{device} sends more than the engine may spend on it; {count} of its readings have to wait, and all else goes on. Look "
            "at the device, or unplug it."
        ),
    ),
    "undecodable": (
        "set-aside",
        "undecodable",
        (
            "{count} messages of {device} could not be read and were set aside. Look at the device's driver, and at who may "
            "publish on its topics."
        ),
    ),
    "unforeseen": (
        "set-aside",
        "unforeseen",
        (
            "{count} messages of {device} met an error of the engine and were set aside; all else goes on. Report it: the log says "
            "where."
        ),
    ),
    "too-long": (
        "set-aside",
        "too-long",
        ("{count} pictures of this table are too long and could not be shown; the record has everything."),
    ),
}
"""Finding, cause and sentence of each fault."""


def fault(setup: Setup, notes: Notes, event: Fault) -> None:
    """Something was left out or set aside so that the table goes on."""
    finding, cause, sentence = _FAULT_FINDINGS[event.fault]
    _note(
        setup,
        notes,
        finding,
        sentence.format(device=event.device or "another process", count=event.count),
        cause=cause,
        remedy=(),
        device=event.device,
    )


def broken_journal(setup: Setup, notes: Notes, event: BrokenJournal) -> None:
    """The record of what was before could not be verified; this one begins without it."""
    _note(
        setup,
        notes,
        "journal-broken",
        f"The record of this table fails its own verification. It is kept as {event.file} "
        "and a new one begins here: tell the seats, button and stacks of the hand anew.",
        remedy=("call-floor",),
    )


def access(setup: Setup, notes: Notes, event: Access) -> None:
    """Hole cards were given to somebody."""
    whom = f" to token {event.token}" if event.token else ""
    late = "" if event.delay_s is None else f", {event.delay_s:g} s late"
    _note(
        setup,
        notes,
        "hole-card-access",
        f"Hole cards were given out through {event.feed}{whom}{late}.",
        remedy=(),
    )


def disclosure(setup: Setup, notes: Notes, event: Disclosure) -> None:
    """Hole cards are shown on other terms than before, which is for the floor to know."""
    _note(
        setup,
        notes,
        "disclosure-changed",
        "The site file says something else of when hole cards are shown. "
        f"Before: {event.before}. Now: {event.terms}.",
        remedy=("stop-broadcast",),
    )


def unwatched(setup: Setup, seats: tuple[int, ...]) -> frozenset[int]:
    """Seats whose cards a dead device hides."""
    if not setup.lost:
        return frozenset()
    places = frozenset().union(*setup.lost.values())
    return frozenset(seat for seat in seats if seat_place(seat) in places)


def _came_off(hand: Hand) -> list[Card]:
    """The cards in the order in which they came off the deck: laps of the deal, then of each street its burn
    and its cards.
    """
    rows = [hand.felt.cards[seat] for seat in hand.order]
    cards = [row[lap] for lap in range(max(map(len, rows), default=0)) for row in rows if lap < len(row)]
    burns = [card for card, place in hand.felt.places.items() if place == BURN]
    for at, street in enumerate((slice(3), slice(3, 4), slice(4, None))):
        cards += [*burns[at : at + 1], *(card for board in hand.felt.boards for card in board[street])]
    return cards


def _named(hand: Hand, cards: Iterable[Card]) -> list[str]:
    return [face(card) for card in map(hand.veil.truth, cards) if is_known(card)]


def _spread(deck: tuple[Card, ...]) -> list[Card]:
    cards = [card for card in deck if card != "joker"]
    return sorted(cards, key=lambda card: (_SPREAD_SUITS.index(card[1]), _SPREAD_RANKS.index(card[0])))


def _note(
    setup: Setup,
    notes: Notes,
    finding: str,
    sentence: str,
    *,
    cause: str | None = None,
    cards: tuple[Card, ...] = (),
    remedy: tuple[str, ...] | None = None,
    device: str = "",
) -> None:
    notes.find(setup.book, finding, sentence, cause=cause, cards=cards, remedy=remedy, device=device)
