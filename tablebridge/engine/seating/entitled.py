"""Who is dealt in, and for what.

Theory. Who entered, or was away and is back, waits for a hand in which he may be dealt in:

| he waits | until |
| --- | --- |
| between button and small blind, always | the button has passed |
| on the button or the small blind, cash, if the book says so | the button has passed |
| and chose to wait, or has not chosen and owes something | the big blind comes to him |

In a tournament nobody owes anything. In a cash game a new player posts what the book says, and one who was
away the blinds that passed him: the big blind live, the small one dead in the pot. Who was moved posts
nothing. On the big blind its post is that blind, and a missed small blind is dead beside it.

The big blind goes to the next seat that plays or whose player may be dealt in there (2.1); so nobody who
comes pushes a blind back.
"""

from typing import Literal

import msgspec

from tablebridge.engine.seating.players import CHANGED, MOVED, Player
from tablebridge.engine.seating.positions import Positions, after, between, from_left_of, passed
from tablebridge.engine.setup import Setup

Wait = Literal["button", "blind", "choice"]
"""For what a seat waits: that the button passes, for the big blind, or for the player's own choice."""


class Entitled(msgspec.Struct, frozen=True):
    """The next hand. `seats`: those that are dealt in, ascending; `posts`: what seats post beside the blinds,
    live and dead; `waits`: the seats that wait, and for what; `left_out`: those for which the game has no
    room.
    """

    positions: Positions
    seats: tuple[int, ...]
    posts: dict[int, tuple[int, int]] = {}
    waits: dict[int, Wait] = {}
    left_out: tuple[int, ...] = ()


def next_hand(setup: Setup) -> Entitled | None:
    """Who is dealt in in the next hand; None if too few seats can play. A hand that is dealt again has its
    seats, and what they posted.
    """
    if setup.replay is not None:
        return _again(setup)
    if not setup.seating.players:
        return _plain(setup, setup.playing())
    return _with_waiting(setup)


def owes(setup: Setup, seat: int) -> tuple[int, int]:
    """What the seat has to post before it is dealt in, live and dead."""
    player = setup.seating.players.get(seat)
    if player is None or not setup.cash or setup.form.forced != "blinds":
        return 0, 0
    small, big = setup.stakes.small, setup.stakes.big
    if player.new:
        if player.kind in MOVED or player.kind == CHANGED:
            return 0, 0
        first = setup.house.get("first-post", setup.book.first_post)
        return {"small": small, "big": big}.get(first, 0), 0
    if player.missed == "small":
        return (big, 0) if setup.book.missed_small == "live-big" else (0, small)
    return (big if player.big else 0), (small if player.small else 0)


def missed_now(setup: Setup, positions: Positions) -> tuple[tuple[int, Literal["small", "big"]], ...]:
    """The blinds that pass seats whose players are away, or back and not dealt in, with a hand in these
    positions: each once, however long the absence is.
    """
    players = setup.seating.players
    if not players or not setup.cash or setup.form.forced != "blinds":
        return ()
    last = setup.before(setup.playing() or setup.with_chips())
    small, big = passed(last.small, positions.small), passed(last.big, positions.big)
    found: list[tuple[int, Literal["small", "big"]]] = []
    for seat, player in sorted(players.items()):
        if player.new:
            continue
        if seat in big and not player.big:
            found.append((seat, "big"))
        if seat in small and not player.small:
            found.append((seat, "small"))
    return tuple(found)


def hands_to_big_blind(setup: Setup, seat: int, seats: tuple[int, ...]) -> int:
    """After how many hands the big blind reaches the seat, if these seats stay; 0 if there are no blinds."""
    if setup.form.forced != "blinds" or len(seats) < 2 or seat not in seats:
        return 0
    order = from_left_of(setup.before(seats).big, seats)
    return order.index(seat) + 1


def _plain(setup: Setup, playing: tuple[int, ...]) -> Entitled | None:
    """A table at which nobody waits."""
    seats, left_out = playing[: setup.form.table_seats], playing[setup.form.table_seats :]
    positions = setup.next_positions(seats)
    return None if positions is None else Entitled(positions, seats, left_out=left_out)


def _again(setup: Setup) -> Entitled | None:
    """A void hand is dealt again to the same seats."""
    replay, positions = setup.replay, setup.next_positions()
    assert replay is not None
    seats = tuple([seat for seat in replay.seats if setup.stack(seat) > 0])
    if len(seats) < setup.form.least_seats:
        return None
    if positions is None:
        positions = replay.positions
    return Entitled(positions, seats, posts=dict(replay.posts))


def _with_waiting(setup: Setup) -> Entitled | None:
    """A table at which players are away or wait."""
    active, waiting = setup.playing(), _waiting(setup)
    willing = {seat for seat, player in waiting.items() if _is_willing(setup, seat, player)}
    seats = tuple(sorted({*active, *willing}))
    if setup.form.forced == "blinds":
        seats = _with_the_big_blind(setup, seats, waiting)
        seats = _without_forbidden(setup, seats, waiting)
    if len(seats) < setup.form.least_seats:
        # A game cannot be made of the others: whoever is there plays.
        seats = tuple(sorted({*active, *waiting}))
    hand = _plain(setup, seats)
    if hand is None:
        return None
    posts = {}
    for seat in waiting.keys() & set(hand.seats):
        post = _posted(setup, seat, hand.positions)
        if any(post):
            posts[seat] = post
    waits = {
        seat: _waits_for(seat, player, willing) for seat, player in waiting.items() if seat not in hand.seats
    }
    return msgspec.structs.replace(hand, posts=dict(sorted(posts.items())), waits=dict(sorted(waits.items())))


def _waiting(setup: Setup) -> dict[int, Player]:
    players, chips = setup.seating.players, set(setup.with_chips())
    return {seat: players[seat] for seat in setup.seating.waiting() if seat in chips}


def _is_willing(setup: Setup, seat: int, player: Player) -> bool:
    """Whether the player takes cards as soon as he may."""
    return player.choice == "post" or (player.choice != "wait" and not any(owes(setup, seat)))


def _with_the_big_blind(setup: Setup, seats: tuple[int, ...], waiting: dict[int, Player]) -> tuple[int, ...]:
    """Whoever waits where the big blind comes is dealt in with it."""
    there = tuple(sorted({*seats, *waiting}))
    if not seats:
        return there
    return tuple(sorted({*seats, after(setup.before(seats).big, there)}))


def _without_forbidden(setup: Setup, seats: tuple[int, ...], waiting: dict[int, Player]) -> tuple[int, ...]:
    """The seats without those that may not be dealt in where they sit now."""
    while (positions := setup.next_positions(seats)) is not None:
        forbidden = {seat for seat in seats if seat in waiting and is_forbidden(setup, seat, positions)}
        if not forbidden:
            break
        seats = tuple(seat for seat in seats if seat not in forbidden)
    return seats


def is_forbidden(setup: Setup, seat: int, positions: Positions) -> bool:
    """Whether a player who waits may not be dealt in at this seat."""
    if seat in between(positions.button, positions.small):
        return True
    if setup.book.enter_on_button or not setup.cash or seat not in (positions.button, positions.small):
        return False
    player = setup.seating.players[seat]
    return player.missed != "none" or (player.new and player.kind != CHANGED)


def _waits_for(seat: int, player: Player, willing: set[int]) -> Wait:
    if seat in willing:
        return "button"
    return "blind" if player.choice == "wait" else "choice"


def _posted(setup: Setup, seat: int, positions: Positions) -> tuple[int, int]:
    """What the seat posts beside a blind that it may have."""
    live, dead = owes(setup, seat)
    small, big = setup.stakes.small, setup.stakes.big
    player = setup.seating.players[seat]
    if seat == positions.big:
        return 0, small if player.small and not player.new else 0
    if seat == positions.small:
        # The small blind is posted as such; what is live adds up to the big blind.
        return max(min(live, big) - small, 0), 0
    return live, dead


def opens_for(setup: Setup, seat: int) -> bool:
    """Whether the next hand would bring the big blind to the seat."""
    hand = next_hand(setup)
    return hand is not None and hand.positions.big == seat
