"""The chips that a seat puts in for what it owes (`post`).

| the seat | its chips |
| --- | --- |
| is a blind, or owes and puts in just that | are its post |
| puts in too little, or too much | `post-wrong`: it is not dealt in, or the rest goes back |
| owes nothing | `post-wrong` `not-due`: they go back |
| may not be dealt in where it sits | `entry` `illegal-seat`: they go back |

Before the first card a seat that had not chosen yet joins the hand with its post, and one whose post is too
small leaves it again; after that the hand stands, and the post is for the next one.
"""

from msgspec.structs import replace

from tablebridge.engine.betting import pushed_chips
from tablebridge.engine.betting.turns import next_to_act
from tablebridge.engine.hand import Hand
from tablebridge.engine.hand_start import untouched
from tablebridge.engine.notes import Notes
from tablebridge.engine.seating.entitled import is_forbidden, owes
from tablebridge.engine.seating.players import Player
from tablebridge.engine.seating.positions import from_left_of
from tablebridge.engine.setup import Setup
from tablebridge.model.events import Post


def post(setup: Setup, hand: Hand | None, notes: Notes, event: Post) -> None:
    """Chips of a seat for what it owes, in a hand or before it."""
    seat, amount = event.seat, sum(chip for chip in event.chips if chip > 0)
    if seat not in setup.seats and (hand is None or seat not in hand.order):
        notes.ignored = f"Nobody sits at seat {seat}."
        return
    under_way = hand is not None and not hand.over
    if seat in setup.seating.players:
        _waits(setup, hand if under_way else None, notes, seat, amount)
    elif hand is None or not under_way:
        _not_due(setup, notes, seat, amount)
    elif seat in hand.entries.posts:
        _posted(setup, hand, notes, seat, amount)
    elif seat in (hand.positions.small, hand.positions.big) or hand.untracked or not hand.form.button:
        pushed_chips.post(hand, notes, event)
    else:
        _not_due(setup, notes, seat, amount)


def _waits(setup: Setup, hand: Hand | None, notes: Notes, seat: int, amount: int) -> None:
    """A player who has not been dealt in puts in what he owes."""
    player, (live, dead) = setup.seating.players[seat], owes(setup, seat)
    if not live + dead or player.state == "away":
        _not_due(setup, notes, seat, amount)
        return
    if _wrong(setup, notes, seat, player, amount, live + dead):
        return
    chosen = replace(player, choice="post")
    setup.seating = setup.seating.with_player(seat, chosen)
    if hand is None or not untouched(hand) or not setup.stack(seat):
        return
    if is_forbidden(setup, seat, hand.positions):
        notes.find(setup.book, "entry", cause="illegal-seat", seat=seat, remedy=("wait-button",))
        notes.give_back(seat, amount)
        return
    setup.seating = replace(
        setup.seating.with_player(seat, None), served={**setup.seating.served, seat: chosen}
    )
    hand.chips.join(seat, setup.stack(seat))
    hand.felt.join(seat)
    hand.deal_to(from_left_of(hand.positions.button, tuple(sorted((*hand.order, seat)))))
    hand.entries.post(seat, live, dead)
    hand.chips.pay(seat, live)
    hand.chips.pay_dead(seat, dead)
    if hand.round.to_act is not None:
        hand.round.turn_to(next_to_act(hand))
    notes.find(
        setup.book,
        "entry",
        "live-and-dead" if live and dead else "live" if live else "dead",
        args={"live": live, "dead": dead},
        cause="posts",
        seat=seat,
        case="arrives-posts" if player.new else "returns-posts",
        remedy=(),
    )


def _posted(setup: Setup, hand: Hand, notes: Notes, seat: int, amount: int) -> None:
    """The chips of a seat that was dealt in for them."""
    player = setup.seating.served.get(seat, Player("waits"))
    if not _wrong(setup, notes, seat, player, amount, sum(hand.entries.posts[seat])):
        return
    if untouched(hand) and len(hand.order) > 2:
        hand.chips.leave_out(seat)
        hand.felt.leave_out(seat)
        hand.entries.leave_out(seat)
        hand.deal_to(tuple(other for other in hand.order if other != seat))
        if hand.round.to_act is not None:
            hand.round.turn_to(next_to_act(hand))
        setup.seating = setup.seating.with_player(seat, replace(player, choice=""))


def _wrong(setup: Setup, notes: Notes, seat: int, player: Player, amount: int, due: int) -> bool:
    """Whether the chips are too few: all go back. What is too much goes back, too."""
    if amount == due:
        return False
    notes.find(
        setup.book,
        "post-wrong",
        args={"amount": amount, "due": due},
        cause="too-small" if amount < due else "too-big",
        seat=seat,
        case={"none": "", "small": "missed-small"}.get(player.missed, "missed-blind"),
    )
    notes.give_back(seat, amount - due if amount > due else amount)
    return amount < due


def _not_due(setup: Setup, notes: Notes, seat: int, amount: int) -> None:
    notes.find(setup.book, "post-wrong", args={"amount": amount, "due": 0}, cause="not-due", seat=seat)
    if amount:
        notes.give_back(seat, amount)
