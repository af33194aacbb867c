"""What a broadcast shows of a hand beside the table's picture: positions, the order of action, what each seat
did on this street, whose the pots are, and the hand's history. All of it lies open at the table.
"""

from typing import Any, Final

from tablebridge.engine.hand import Hand
from tablebridge.engine.showdown import tabling
from tablebridge.engine.table import Table
from tablebridge.model.overlay import MOST_ACTS, ActView, OverlaySeat, OverlayView, PotView, StreetView, Verb
from tablebridge.model.views import SeatView, TableView

_LATE: Final = ("LJ", "HJ", "CO")
"""The positions before the button, as far as there are seats for them; the first after the big blind is
`UTG`.
"""

_STAFF_ONLY: Final = {"expects": "", "may": (), "incomplete": (), "tray": None}
"""What is for the dealer and the floor."""


def on_air(table: Table, view: TableView) -> OverlayView:
    """The picture for the broadcast; it shows the faces of `view` and no others."""
    hand = table.hand
    fields: dict[str, Any] = {name: getattr(view, name) for name in TableView.__struct_fields__}
    fields.update(_STAFF_ONLY)
    if hand is None:
        fields["seats"] = tuple(_seat(table, seat, 0, "", "") for seat in view.seats)
        return OverlayView(**fields, title=table.setup.form.title)
    order = order_of_action(hand)
    places = {seat: at for at, seat in enumerate(order, 1)}
    names = positions(hand)
    fields["seats"] = tuple(
        _seat(table, seat, places.get(seat.seat, 0), names.get(seat.seat, ""), _act(hand, seat))
        for seat in view.seats
    )
    return OverlayView(
        **fields,
        title=hand.form.title,
        ante=hand.stakes.ante or hand.stakes.bb_ante,
        collected=view.pot - sum(hand.chips.bet.values()),
        shares=_shares(hand),
        history=tuple(
            StreetView(street, tuple(ActView(act.seat, act.kind, act.total) for act in acts[-MOST_ACTS:]))
            for street, acts in hand.round.acts.items()
        ),
    )


def order_of_action(hand: Hand) -> tuple[int, ...]:
    """The seats as they act in the first round, the blinds last."""
    order = hand.order
    if hand.positions.big not in order:
        return order
    after = order.index(hand.positions.big) + 1
    return order[after:] + order[:after]


def positions(hand: Hand) -> dict[int, str]:
    """The name of each seat's position; empty in a game without a button."""
    stands = hand.positions
    if not hand.form.button or not stands.button:
        return {}
    named = {stands.big: "BB", stands.small: "SB", stands.button: "BTN"}
    others = [seat for seat in order_of_action(hand) if seat not in named]
    late = _LATE[-len(others) :] if others else ()
    early = len(others) - len(late)
    if len(others) > 1 and not early:
        late, early = late[1:], 1
    names = ["UTG", *(f"UTG+{at}" for at in range(1, early))][:early] + list(late)
    return {seat: name for seat, name in named.items() if seat in hand.order} | dict(
        zip(others, names, strict=True)
    )


def _seat(table: Table, seat: SeatView, order: int, position: str, act: Verb) -> OverlaySeat:
    fields = {name: getattr(seat, name) for name in SeatView.__struct_fields__}
    hands = table.setup.hands_dealt.get(seat.seat, 0)
    return OverlaySeat(**fields, order=order, position=position, act=act, hands=hands)


def _act(hand: Hand, seat: SeatView) -> Verb:
    if seat.state in ("folded", "all-in"):
        return "fold" if seat.state == "folded" else "allin"
    if hand.over or hand.street == "showdown":
        return ""
    done: Verb = next(
        (act.kind for act in reversed(hand.round.acts.get(hand.street, ())) if act.seat == seat.seat), ""
    )
    # Who has chips again has had back what nobody could call.
    return "" if done == "allin" else done


def _shares(hand: Hand) -> tuple[PotView, ...]:
    if hand.over:
        return tuple(PotView(amount, tuple(sorted(won))) for amount, won in hand.chips.payments)
    return tuple(PotView(pot.amount, pot.seats) for pot in tabling.pots(hand))
