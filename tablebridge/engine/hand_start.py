"""A new hand: who plays it, from which positions, with which blinds; and what it leaves behind when it is
over.
"""

from dataclasses import replace as dataclass_replace
from functools import cache
from typing import Final, Literal

from msgspec.structs import replace

from tablebridge.engine import substantial_action, table_findings
from tablebridge.engine.betting import kill_pots, round_start
from tablebridge.engine.cards import deck_checks
from tablebridge.engine.floor import clock, levels
from tablebridge.engine.games import Form
from tablebridge.engine.hand import Hand, laps_of
from tablebridge.engine.hidden.veil import veil_of
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.blind_bets import BlindBets
from tablebridge.engine.parts.boxes import Boxes
from tablebridge.engine.parts.chips import Stacks
from tablebridge.engine.parts.deal import Deal
from tablebridge.engine.parts.entries import Entries
from tablebridge.engine.parts.felt import Felt
from tablebridge.engine.parts.hand_time import HandTime
from tablebridge.engine.parts.showdown import Showdown
from tablebridge.engine.parts.shuffle import Shuffle
from tablebridge.engine.seating.entitled import Entitled, next_hand
from tablebridge.engine.seating.hand_begins import hand_begins, not_begun
from tablebridge.engine.seating.positions import after, from_left_of, positions_from
from tablebridge.engine.setup import (
    UNKNOWN_STACK,
    Replay,
    Setup,
    Stakes,
)
from tablebridge.model.cards import JOKER, deck_of
from tablebridge.model.events import Hand as Began

_LEAST: Final = {1: "one seat", 2: "two seats"}


def begin(setup: Setup, notes: Notes, event: Began) -> Hand | None:
    """Begin the next hand of this setup, or None if too few seats can play."""
    coming = next_hand(setup)
    if coming is None:
        notes.ignored = f"Fewer than {_LEAST[setup.form.least_seats]} can play: name seats and stacks first."
        return None
    setup.hand_number += 1
    levels.begins(setup, again=setup.replay is not None)
    hand = _hand(setup, coming, event)
    if setup.replay is None:  # the hand that is dealt again was counted
        setup.counted(hand.order)
    notes.hand, notes.street = hand.number, hand.street
    hand_begins(setup, notes, coming)
    _used(setup)
    round_start.post_blinds(hand)
    if event.stakes is not None:
        levels.began_at(setup, hand, notes)
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


def _hand(setup: Setup, coming: Entitled, event: Began) -> Hand:
    """The hand before anything was posted."""
    replay, bomb = setup.replay, setup.bomb if setup.replay is None else setup.replay.bomb
    form = setup.form if bomb is None else _with_boards(setup.form, bomb[1])
    positions, seats = coming.positions, coming.seats
    if form.button and positions.big not in seats:
        positions = replace(positions, big=after(positions.big, seats))
    kill = _kill(setup, seats)
    order = from_left_of(positions.button, seats)
    everyone = UNKNOWN_STACK if setup.everyone is None else setup.everyone
    untracked = form.banked or setup.house.get("betting") == "untold"
    killed = frozenset() if replay is None or setup.book.redeal_absent != "killed" else replay.absent
    deck = _faces(setup.deck)
    return Hand(
        number=setup.hand_number,
        book=setup.book,
        form=form,
        stakes=Stakes() if untracked else _stakes(setup, event.stakes, bomb, killed=kill is not None),
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
        paid=event.paid,
        absent_before=killed,
        shuffle=Shuffle(setup.reports_shuffles, setup.shuffled, setup.cut),
        street=form.first.name,
        live=set(order),
        entries=Entries({} if untracked else coming.posts, frozenset(coming.waits)),
        felt=Felt(
            cards={seat: [] for seat in order},
            up={seat: [] for seat in order},
            earlier=[[]] if form.boards > 1 else [],
        ),
        deal=Deal(unwatched=table_findings.unwatched(setup, order)),
        showdown=Showdown(buttons_used=setup.buttons_used),
        time=HandTime(
            time_s=0 if untracked else clock.time_of(setup), stops="on" if setup.hand_for_hand else ""
        ),
        boxes=Boxes(stakes=setup.boxes, tables=setup.pay_tables) if form.banked else Boxes(),
        blind_bets=BlindBets() if untracked else BlindBets(kill=kill, bomb=bomb is not None),
    )


def _kill(setup: Setup, seats: tuple[int, ...]) -> tuple[int, int] | None:
    """Who kills the next pot and what it posts for that, in a hand that is dealt again as it was."""
    if setup.replay is not None:
        return setup.replay.kill
    if setup.kill is None or setup.bomb is not None:
        return None
    seat = kill_pots.killer(setup, seats)
    return None if seat is None else (seat, kill_pots.blind(setup, setup.stakes))


@cache
def _with_boards(form: Form, boards: Literal[1, 2]) -> Form:
    """The game on this number of boards, at least its own."""
    return form if boards <= form.boards else dataclass_replace(form, boards=boards)


def _stakes(
    setup: Setup, own: tuple[int, int] | None, bomb: tuple[int, int] | None, *, killed: bool
) -> Stakes:
    """The forced bets of the next hand; the bring-in follows from the ante unless it is named. `own`: stakes
    that are this hand's alone.
    """
    if setup.replay is not None and own is None:
        return setup.replay.stakes
    stakes = setup.stakes if own is None else setup.staked(own)
    if bomb is not None:
        return replace(stakes, ante=bomb[0], bb_ante=0, small=0)
    if killed:
        return kill_pots.killed(setup, stakes)
    bring_in = setup.form.antes_to_bring_in * stakes.ante
    return stakes if stakes.bring_in or not bring_in else replace(stakes, bring_in=bring_in)


def _used(setup: Setup) -> None:
    """What was meant for one hand is used up."""
    setup.replay = None
    if setup.form.button:
        setup.button = None
    setup.shuffled = setup.cut = False
    setup.boxes = {}
    setup.bomb = None
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
    hand.blind_bets.take_back()
    round_start.post_blinds(hand)
    for seat in hand.order:
        if before[seat] > hand.chips.put_in(seat):
            notes.give_back(seat, before[seat] - hand.chips.put_in(seat))


def leave(setup: Setup, hand: Hand) -> None:
    """The hand is over: stacks and positions carry over; a void hand is dealt again as it was (TDA 35-C),
    unless it was cancelled.
    """
    start, stacks = hand.chips.start, setup.stacks
    for seat, stack in hand.chips.stack.items():
        if start[seat] < UNKNOWN_STACK:
            stacks[seat] = 0 if seat in hand.chips.removed else stack + hand.chips.behind.get(seat, 0)
    setup.doubts.clear()
    kill_pots.after(setup, hand)
    if hand.showdown.marked:
        setup.buttons_used = True
    if hand.street == "void" and not hand.cancelled:
        absent = hand.absent_before | hand.absent
        bets = hand.blind_bets
        bomb = (hand.stakes.ante, hand.form.boards) if bets.bomb else None
        setup.replay = Replay(
            hand.positions,
            tuple(sorted(hand.order)),
            hand.stakes,
            absent,
            hand.penalty,
            hand.entries.posts,
            bets.kill,
            bomb,
        )
    elif hand.form.button:
        setup.last = hand.positions


def untouched(hand: Hand) -> bool:
    """Whether nothing happened in the hand yet, so that beginning it once more changes nothing."""
    return not (
        hand.over
        or hand.felt.off_deck
        or hand.round.actions
        or hand.out_of_turn.strays
        or hand.deal.boxed
        or not hand.blind_bets.none_put
    )


def again(setup: Setup, before: Setup) -> None:
    """Take back the beginning of an untouched hand, so that it can begin once more. `before`: what stood
    before it.
    """
    setup.hand_number = before.hand_number
    setup.replay, setup.bomb = before.replay, before.bomb
    not_begun(setup)
    setup.level_clock, setup.pause = before.level_clock, before.pause
    setup.hands_dealt = before.hands_dealt
    if setup.button is None:
        setup.button = before.button
