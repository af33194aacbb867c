"""What is likely before anything is read: which fields touch, and where a card goes that has left its place.

No probability here is zero: what the rules of dealing make unlikely takes more reads to believe, and is
believed in the end. The numbers are `DealOdds` and `LeaveOdds` of `dynamics.py`.
"""

from collections.abc import Mapping
from typing import Final

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import BOARD, BURN, MUCK, SEATS, STUB, Place, seat_place
from tablebridge.sensing.dynamics import DealOdds, LeaveOdds

_PAIRS: Final = (
    *((seat_place(seat), seat_place(seat + 1)) for seat in SEATS if seat + 1 in SEATS),
    (STUB, BURN),
    (STUB, MUCK),
    (BURN, BOARD),
    (MUCK, seat_place(1)),
    (STUB, seat_place(9)),
    (STUB, seat_place(10)),
)
NEIGHBOURS: Final[dict[Place, tuple[Place, ...]]] = {
    place: tuple(pair[1 - pair.index(place)] for pair in _PAIRS if place in pair)
    for place in (*map(seat_place, SEATS), BOARD, BURN, MUCK, STUB)
}
"""The places whose fields touch."""


def seats_due(expect: Expectation, cards_at: Mapping[int, int]) -> list[int]:
    """The seats to which cards are still to come, in the order of the next card. `cards_at`: by seat the
    number of cards that are known to lie there, reported or not.
    """
    seats: list[int] = []
    waiting = {seat: max(0, count - expect.holds.get(seat, 0)) for seat, count in cards_at.items()}
    for seat in expect.next_seats:
        if waiting.get(seat, 0) > 0:
            waiting[seat] -= 1
        elif seat not in seats:
            seats.append(seat)
    return seats


def deal_odds(
    odds: DealOdds, expect: Expectation, cards_at: Mapping[int, int], unread: float, burn_lacks: bool = False
) -> dict[Place, float]:
    """Where a card of the stub may have gone, by place the probability against the stub. `cards_at`: as in
    `seats_due`. `unread`: `Rates.unread`. `burn_lacks`: the last street lies without a burn.
    """
    likely: dict[Place, float] = dict.fromkeys(map(seat_place, SEATS), odds.full_seat)
    most = max(cards_at.values(), default=0)
    for seat in expect.live:
        if cards_at.get(seat, 0) < most and seat not in expect.next_seats:
            likely[seat_place(seat)] = odds.lacking_seat
    if expect.next_seats:
        seats = seats_due(expect, cards_at)
        first = 1 if expect.phase == "burn" else 0
        for number, seat in enumerate(seats, first):
            likely[seat_place(seat)] = max(odds.later_seat, odds.next_seat * unread**number)
        burn = odds.deal_burn if not seats else odds.deal_burn * unread ** (1 + len(seats))
        if expect.phase == "burn":
            burn = odds.burn
        likely |= {BOARD: odds.deal_board, BURN: burn, MUCK: odds.deal_muck}
    else:
        board = odds.board if expect.board_due else odds.undue
        if expect.burn_due:
            board = max(odds.undue, odds.board_before_burn * unread)
        burn = odds.burn if expect.burn_due or burn_lacks else odds.undue
        likely |= {MUCK: odds.muck, BURN: burn, BOARD: board}
    for seat in expect.drawing:
        lacks = cards_at.get(seat, 0) < expect.holds.get(seat, 0)
        likely[seat_place(seat)] = odds.next_seat if lacks else odds.later_seat
    return {place: share * odds.given_card for place, share in likely.items()}


def leave_odds(odds: LeaveOdds, origin: Place, to: Place, dealing: bool) -> float:
    """The probability that a card which left `origin`, and not the stub, comes to lie at `to`."""
    if origin == MUCK:
        return odds.muck_to_stub if to == STUB else odds.muck_to_other
    if origin in (BOARD, BURN):
        if to == MUCK:
            return odds.shared_to_muck
        return odds.shared_to_stub if to == STUB else odds.shared_to_other
    if to == MUCK:
        return odds.dealt_to_muck if dealing else odds.seat_to_muck
    if dealing:
        return odds.dealt_to_other
    return odds.seat_to_stub if to == STUB else odds.seat_to_other
