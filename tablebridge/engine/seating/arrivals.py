"""Who comes, goes away, comes back and changes the seat: what that means for the hands to come.

| line | then |
| --- | --- |
| enters | the player waits for the first hand in which he may be dealt in; too few chips: not seated |
| sits-out, cash | away from the next hand on; in a tournament as `absent` |
| returns | back: plays at once if no blind passed him, else waits; one who left needs the chips for it |
| leaves, cash | what he took along is remembered for an hour |
| changes-seat | with his chips, from the next hand on; `blinds-dodged` if the big blind reaches him later |
"""

from typing import Final

from msgspec.structs import replace

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.seating.entitled import hands_to_big_blind, opens_for, owes
from tablebridge.engine.seating.players import CHANGED, Gone, Player, without
from tablebridge.engine.setup import UNKNOWN_STACK, Setup
from tablebridge.model.cards import RANKS, SUITS, is_known
from tablebridge.model.instant import seconds_between
from tablebridge.model.places import SEATS
from tablebridge.model.seat_events import (
    ButtonCard,
    ChangesSeat,
    Enters,
    MissedBlind,
    Returns,
    SitsOut,
)

HOUR_S: Final = 3_600
"""For so long it is remembered what a player left with, and a player may be away while others wait."""


def enters(setup: Setup, hand: Hand | None, notes: Notes, event: Enters) -> None:
    """A player takes an empty seat."""
    seat = event.seat
    if seat not in SEATS:
        return
    if seat in setup.seats:
        notes.ignored = f"Seat {seat} is taken."
        return
    least = buy_in(setup, notes, seat, new=True)
    if setup.cash and event.amount < least:
        _too_short(setup, notes, seat, event.amount, least)
        return
    opening = setup.seating.opening
    opens = setup.hand_number == 0 and frozenset(setup.seats) == opening
    _sits_down(setup, hand, seat, event.amount)
    seating = replace(setup.seating, gone=without(setup.seating.gone, seat))
    if opens:
        setup.seating = replace(seating, opening=opening | {seat})
        return
    setup.seating = seating.with_player(seat, Player("waits", event.kind, event.choice))
    _choice_due(setup, notes, seat)


def sits_out(setup: Setup, notes: Notes, event: SitsOut) -> None:
    """The player is away from the next hand on, and keeps the seat."""
    seat = event.seat
    if not _is_seated(setup, notes, seat):
        return
    if not setup.cash:
        setup.absent |= {seat}
        return
    player = setup.seating.players.get(seat, Player("away"))
    if player.state == "away" and player.since is not None:
        notes.ignored = f"Seat {seat} sits out already."
        return
    away = replace(player, state="away", choice="", since=notes.at, long=False)
    setup.seating = setup.seating.with_player(seat, away)


def returns(setup: Setup, hand: Hand | None, notes: Notes, event: Returns) -> None:
    """The player is back, or chooses how to get cards again."""
    seat = event.seat
    if seat not in SEATS:
        return
    if seat not in setup.seats:
        _comes_back_to_the_game(setup, hand, notes, event)
        return
    player = setup.seating.players.get(seat)
    if player is None:
        if seat in setup.absent:
            setup.absent -= {seat}
            if hand is not None:
                hand.entries.come_back(seat)
        else:
            notes.ignored = f"Seat {seat} is not away."
        return
    if event.amount is not None and setup.stack(seat) < UNKNOWN_STACK:
        set_stack(setup, hand, seat, event.amount)
    chosen = event.choice or player.choice
    back = replace(player, state="waits", choice=chosen, since=None, long=False)
    plays = not back.new and back.missed == "none"
    setup.seating = setup.seating.with_player(seat, None if plays else back)
    if not plays:
        _choice_due(setup, notes, seat)


def missed(setup: Setup, notes: Notes, event: MissedBlind) -> None:
    """The missed-blind button stands before the seat: its player owes that blind."""
    seat = event.seat
    if not _is_seated(setup, notes, seat):
        return
    player = setup.seating.players.get(seat, Player("waits"))
    setup.seating = setup.seating.with_player(
        seat,
        replace(
            player,
            kind="",
            small=player.small or event.blind != "big",
            big=player.big or event.blind != "small",
        ),
    )


def left(setup: Setup, hand: Hand | None, notes: Notes, seat: int) -> None:
    """The player gave the seat up. What is left of a hand under way is known at its end."""
    seating = setup.seating.without_seat(seat)
    if setup.cash:
        amount = setup.stack(seat)
        if hand is not None and not hand.over and seat in hand.order:
            amount = hand.chips.stack[seat]
        if amount < UNKNOWN_STACK:
            seating = replace(seating, gone={**seating.gone, seat: Gone(amount, notes.at)})
    setup.seating = seating


def changes_seat(setup: Setup, hand: Hand | None, notes: Notes, event: ChangesSeat) -> None:
    """The player goes to an empty seat, with everything that is known of him."""
    seat, other = event.seat, event.other
    if other not in SEATS or not _is_seated(setup, notes, seat):
        return
    if other in setup.seats:
        notes.ignored = f"Seat {other} is taken."
        return
    if hand is not None and not hand.over:
        notes.ignored = "A hand is under way: the seat is changed when it is over."
        return
    playing = setup.playing()
    moved = tuple(sorted({*playing, other} - {seat}))
    stays, goes = hands_to_big_blind(setup, seat, playing), hands_to_big_blind(setup, other, moved)
    _moves(setup, seat, other)
    if goes > stays > 0:
        notes.find(setup.book, "blinds-dodged", args={"hands": goes - stays}, seat=other)


def button_card(setup: Setup, notes: Notes, event: ButtonCard) -> None:
    """A card is dealt for the button: it goes to the highest card, of equal ones to the highest suit (spades,
    hearts, diamonds, clubs).
    """
    if not _is_seated(setup, notes, event.seat):
        return
    cards = without(setup.seating.button_cards, event.seat)
    if not is_known(event.card) or event.card[0] not in RANKS:
        notes.ignored = "The button goes by cards that are known."
    elif event.card[:2] in cards.values():
        notes.ignored = "That card was dealt for the button already."
    else:
        cards = {**cards, event.seat: event.card[:2]}
        setup.seating = replace(setup.seating, button_cards=cards)
        setup.button = max(cards, key=lambda seat: (RANKS.index(cards[seat][0]), SUITS.index(cards[seat][1])))


def buy_in(setup: Setup, notes: Notes | None, seat: int, *, new: bool = False) -> int:
    """The least that the player of the seat must bring: the game's, and within an hour what he left with.
    `new`: another player.
    """
    named = setup.house.get("buy-in", "")
    least = int(named) if named.isascii() and named.isdigit() else 0
    gone = setup.seating.gone.get(seat)
    if new or gone is None or (notes is not None and seconds_between(gone.at, notes.at) >= HOUR_S):
        return least
    return max(least, gone.amount)


def set_stack(setup: Setup, hand: Hand | None, seat: int, amount: int) -> None:
    """The seat has these chips, from the end of the hand on if one with that seat is under way."""
    amount = max(amount, 0)
    if hand is not None and not hand.over and seat in hand.order:
        setup.seating = replace(setup.seating, becomes={**setup.seating.becomes, seat: amount})
    else:
        setup.stacks = {**setup.stacks, seat: amount}


def away_long(setup: Setup, notes: Notes) -> None:
    """Who is away for more than an hour while people wait has his chips taken to the cage."""
    for seat in setup.seating.away():
        player = setup.seating.players[seat]
        if player.long or player.since is None or seconds_between(player.since, notes.at) <= HOUR_S:
            continue
        setup.seating = setup.seating.with_player(seat, replace(player, long=True))
        notes.find(setup.book, "absent-long", seat=seat)


def _comes_back_to_the_game(setup: Setup, hand: Hand | None, notes: Notes, event: Returns) -> None:
    """A player who gave the seat up takes it again, with enough chips."""
    seat = event.seat
    if seat not in setup.seating.gone:
        notes.ignored = f"Nobody left seat {seat}: a player who comes enters."
    elif event.amount is None:
        notes.ignored = f"The player left seat {seat}: write with how many chips he is back."
    elif event.amount < (least := buy_in(setup, notes, seat)):
        _too_short(setup, notes, seat, event.amount, least)
    else:
        _sits_down(setup, hand, seat, event.amount)
        setup.seating = replace(setup.seating, gone=without(setup.seating.gone, seat)).with_player(
            seat, Player("waits", "new", event.choice)
        )
        _choice_due(setup, notes, seat)


def _sits_down(setup: Setup, hand: Hand | None, seat: int, amount: int) -> None:
    setup.seats = tuple(sorted((*setup.seats, seat)))
    setup.absent -= {seat}
    set_stack(setup, hand, seat, amount)


def _moves(setup: Setup, seat: int, other: int) -> None:
    """Everything that is known of the seat's player is known of the other seat."""
    setup.seats = tuple(sorted({*setup.seats, other} - {seat}))
    setup.stacks = {**without(setup.stacks, seat), other: setup.stack(seat)}
    for known in ("offences", "penalties", "names", "public_names"):
        values = getattr(setup, known)
        if seat in values:
            setattr(setup, known, {**without(values, seat), other: values[seat]})
    for group in ("absent", "penalty"):
        if seat in getattr(setup, group):
            setattr(setup, group, getattr(setup, group) - {seat} | {other})
    seating = setup.seating
    player, declared = seating.players.get(seat, Player("waits", CHANGED)), seating.declared.get(seat)
    seating = seating.without_seat(seat)
    if declared is not None:
        seating = replace(seating, declared={**seating.declared, other: declared})
    setup.seating = replace(seating, gone=without(seating.gone, other)).with_player(other, player)


def _choice_due(setup: Setup, notes: Notes, seat: int) -> None:
    """The player has to say whether he posts or waits, unless the big blind is his in any case."""
    player, (live, dead) = setup.seating.players[seat], owes(setup, seat)
    if player.choice or not (live or dead) or opens_for(setup, seat):
        return
    first = "guest-blind" if setup.book.first_post == "big" else "first-post"
    cause = first if player.new else "missed-blind"
    notes.find(
        setup.book,
        "post-due",
        args={"live": live, "dead": dead},
        cause=cause,
        seat=seat,
        case="missed-small" if player.missed == "small" else "",
    )


def _too_short(setup: Setup, notes: Notes, seat: int, amount: int, least: int) -> None:
    notes.find(setup.book, "buy-in-short", args={"amount": amount, "least": least}, seat=seat)


def _is_seated(setup: Setup, notes: Notes, seat: int) -> bool:
    if seat in setup.seats:
        return True
    notes.ignored = f"Nobody sits at seat {seat}."
    return False
