"""A new hand: who plays it, from which positions, with which blinds; and what it leaves behind when it is
over.
"""

from functools import cache
from typing import Final

from msgspec.structs import replace

from tablebridge.engine import substantial_action, table_findings
from tablebridge.engine.betting import round_start
from tablebridge.engine.cards import deck_checks
from tablebridge.engine.hand import Hand, laps_of
from tablebridge.engine.hidden.veil import veil_of
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.boxes import Boxes
from tablebridge.engine.parts.chips import Stacks
from tablebridge.engine.parts.deal import Deal
from tablebridge.engine.parts.felt import Felt
from tablebridge.engine.parts.showdown import Showdown
from tablebridge.engine.setup import (
    UNKNOWN_STACK,
    Positions,
    Replay,
    Setup,
    Stakes,
    after,
    from_left_of,
    positions_from,
)
from tablebridge.model.cards import JOKER, deck_of
from tablebridge.model.events import Payments

_LEAST: Final = {1: "one seat", 2: "two seats"}


def begin(setup: Setup, notes: Notes, paid: Payments = ()) -> Hand | None:
    """Begin the next hand of this setup, or None if too few seats can play. `paid`: how its pots were
    paid, if its cards no longer say so.
    """
    players = _players(setup)
    if players is None:
        notes.ignored = f"Fewer than {_LEAST[setup.form.least_seats]} can play: name seats and stacks first."
        return None
    setup.hand_number += 1
    hand = _hand(setup, *players, paid)
    _used(setup)
    notes.hand, notes.street = hand.number, hand.street
    round_start.post_blinds(hand)
    deck_checks.unchecked(setup, notes)
    if len(hand.order) > hand.form.most_seats:
        hand.find(
            notes,
            "stub-short",
            "players",
            args={"most": hand.form.most_seats, "players": len(hand.order)},
            case="players",
            remedy=(),
        )
    return hand


def _players(setup: Setup) -> tuple[Positions, tuple[int, ...]] | None:
    """Where button and blinds of the next hand stand, and who plays it; None if too few seats can."""
    replay, playing = setup.replay, setup.playing()
    positions = setup.next_positions(playing)
    seats = playing if replay is None else tuple(seat for seat in replay.seats if setup.stack(seat) > 0)
    if positions is None or len(seats) < setup.form.least_seats:
        return None
    if setup.form.button and positions.big not in seats:
        positions = replace(positions, big=after(positions.big, seats))
    return positions, seats


def _hand(setup: Setup, positions: Positions, seats: tuple[int, ...], paid: Payments) -> Hand:
    """The hand before anything was posted."""
    replay, form = setup.replay, setup.form
    order = from_left_of(positions.button, seats)
    everyone = UNKNOWN_STACK if setup.everyone is None else setup.everyone
    untracked = form.banked or setup.house.get("betting") == "untold"
    killed = frozenset() if replay is None or setup.book.redeal_absent != "killed" else replay.absent
    deck = _faces(setup.deck)
    return Hand(
        number=setup.hand_number,
        book=setup.book,
        form=form,
        stakes=Stakes() if untracked else _stakes(setup),
        positions=positions,
        order=order,
        laps=laps_of(order),
        chips=Stacks.of({seat: setup.stacks.get(seat, everyone) for seat in order}),
        unit=setup.chips[0] if setup.chips else 1,
        denominations=frozenset(setup.chips),
        deck=deck,
        veil=veil_of(deck, joker=form.deck.endswith(JOKER) or setup.house.get("wild") == "jokers"),
        house=dict(setup.house),
        absent=set(setup.absent),
        penalty=setup.on_penalty if replay is None else setup.on_penalty | replay.penalty,
        untracked=untracked,
        paid=paid,
        absent_before=killed,
        shuffles_reported=setup.reports_shuffles,
        shuffled=setup.shuffled,
        cut=setup.cut,
        street=form.first.name,
        live=set(order),
        felt=Felt(
            cards={seat: [] for seat in order},
            up={seat: [] for seat in order},
            first_board=[] if form.boards > 1 else None,
        ),
        deal=Deal(unwatched=table_findings.unwatched(setup, order)),
        showdown=Showdown(buttons_used=setup.buttons_used),
        boxes=Boxes(stakes=setup.boxes, tables=setup.pay_tables) if form.banked else Boxes(),
    )


def _stakes(setup: Setup) -> Stakes:
    """The forced bets of the next hand; the bring-in follows from the ante unless it is named."""
    stakes = setup.stakes if setup.replay is None else setup.replay.stakes
    if stakes.bring_in:
        return stakes
    return replace(stakes, bring_in=setup.form.antes_to_bring_in * stakes.ante)


def _used(setup: Setup) -> None:
    """What was meant for one hand is used up."""
    setup.replay = None
    if setup.form.button:
        setup.button = None
    setup.shuffled = setup.cut = False
    setup.boxes = {}
    setup.pushed, setup.stakes, setup.next_stakes = False, setup.next_stakes or setup.stakes, None


@cache
def _faces(deck: str) -> frozenset[str]:
    return frozenset(deck_of(deck))


def button_may_move(hand: Hand) -> bool:
    """Whether a button that was moved wrongly can still be put right in this hand (TDA 34-A of 2024)."""
    in_time = (
        not (hand.over or substantial_action.too_late(hand))
        and hand.street == hand.form.first.name
        and len(hand.live) > 1
    )
    return in_time and hand.form.button and hand.book.button_error == "put-right"


def put_button_right(hand: Hand, notes: Notes, button: int) -> None:
    """The button of the hand under way was to stand at `button` (TDA 34-A of 2024).

    Until substantial action it is put there and the blinds with it. The cards stay where they are and a fold
    stays a fold; everything else that was bet goes back, and the first seat begins again. After that the
    error stands.
    """
    if not button_may_move(hand):
        notes.ignored = (
            "Substantial action has occurred: the button stays where it is, and moves on from there."
        )
        return
    before = {seat: hand.chips.put_in(seat) for seat in hand.order}
    hand.give_all_back()
    hand.move_button(positions_from(button, tuple(sorted(hand.order))))
    hand.play_in(from_left_of(hand.positions.button, tuple(sorted(hand.order))))
    hand.round.start_over()
    round_start.post_blinds(hand)
    for seat in hand.order:
        if before[seat] > hand.chips.put_in(seat):
            notes.give_back(seat, before[seat] - hand.chips.put_in(seat))


def leave(setup: Setup, hand: Hand) -> None:
    """The hand is over: stacks and positions carry over; a void hand is dealt again as it was (TDA 35-C)."""
    start, stacks = hand.chips.start, setup.stacks
    for seat, stack in hand.chips.stack.items():
        if start[seat] < UNKNOWN_STACK:
            stacks[seat] = 0 if seat in hand.chips.removed else stack
    setup.doubts.clear()
    if hand.showdown.marked:
        setup.buttons_used = True
    if hand.street == "void":
        absent = hand.absent_before | hand.absent
        setup.replay = Replay(hand.positions, tuple(sorted(hand.order)), hand.stakes, absent, hand.penalty)
    elif hand.form.button:
        setup.last = hand.positions


def untouched(hand: Hand) -> bool:
    """Whether nothing happened in the hand yet, so that beginning it once more changes nothing."""
    return not (
        hand.over or hand.felt.off_deck or hand.round.actions or hand.out_of_turn.strays or hand.deal.boxed
    )


def again(setup: Setup, before: Setup) -> None:
    """Take back the beginning of an untouched hand, so that it can begin once more. `before`: what stood
    before it.
    """
    setup.hand_number = before.hand_number
    setup.replay = before.replay
    if setup.button is None:
        setup.button = before.button
