"""What a hand that begins means for those who waited for it, and for those who are away.

| found | then |
| --- | --- |
| a player without chips, cash | `rebuy-due`: no cards |
| a rebuy that was announced and is not paid | `rebuy-due`, with each hand until it is |
| more seats than the game has | `table-full`: the further ones are dealt out |
| a blind passed a seat whose player is away, or waits | `blind-missed`, once for each blind |
| a player who waited is dealt in | `entry` `dealt-in` or `posts`: from now on he simply plays |
| a player still waits | `entry` `must-wait` |
"""

from typing import Final

from msgspec.structs import replace

from tablebridge.engine.notes import Notes
from tablebridge.engine.seating.entitled import Entitled, Wait, missed_now
from tablebridge.engine.seating.players import CHANGED, MOVED, NOBODY, Player
from tablebridge.engine.setup import Setup

_KINDS: Final = {
    "late": "late",
    "alternate": "late",
    "re-entry": "late",
    "new": "new",
    "broken": "new",
    "balanced": "balanced",
}
"""By what the books distinguish how a player came to a tournament's seat."""
_CASH: Final = {
    (True, False): "arrives-posts",
    (True, True): "arrives-waits",
    (False, False): "returns-posts",
    (False, True): "returns-waits",
}
"""And the players of a cash game: whether they are new, and whether they wait."""
_UNTIL: Final[dict[Wait, str]] = {"button": "wait-button", "blind": "wait-big-blind"}
"""What is done about a player who waits, by what he waits for."""


def hand_begins(setup: Setup, notes: Notes, hand: Entitled) -> None:
    """The hand of these seats begins."""
    if setup.cash and len(setup.with_chips()) < len(setup.seats):
        _without_chips(setup, notes)
    if hand.left_out:
        _too_many(setup, notes, hand)
    if setup.seating == NOBODY:
        return
    for seat, amount in sorted(setup.seating.declared.items()):
        notes.find(setup.book, "rebuy-due", args={"amount": amount}, cause="declared", seat=seat)
    _missed(setup, notes, hand)
    _entries(setup, notes, hand)
    seating = setup.seating
    served = {seat: player for seat, player in seating.players.items() if seat in hand.seats}
    others = {seat: player for seat, player in seating.players.items() if seat not in served}
    setup.seating = replace(
        seating,
        players=others,
        served=served,
        opening=frozenset(),
        bought=frozenset(),
        taken=frozenset(),
        button_cards={},
    )


def not_begun(setup: Setup) -> None:
    """The beginning of an untouched hand is taken back: who was dealt in with it waits for it again."""
    seating = setup.seating
    if seating.served:
        setup.seating = replace(seating, players=seating.served | seating.players, served={})


def _without_chips(setup: Setup, notes: Notes) -> None:
    away = setup.seating.away()
    for seat in setup.seats:
        if setup.stack(seat) <= 0 and seat not in away:
            notes.find(setup.book, "rebuy-due", cause="lost-all", seat=seat)


def _too_many(setup: Setup, notes: Notes, hand: Entitled) -> None:
    most = setup.form.table_seats
    notes.find(
        setup.book,
        "table-full",
        args={"most": most, "players": most + len(hand.left_out)},
        rule="AMERICANA" if setup.form.name == "americana" else None,
    )


def _missed(setup: Setup, notes: Notes, hand: Entitled) -> None:
    for seat, blind in missed_now(setup, hand.positions):
        if seat in hand.seats:
            continue
        player = setup.seating.players[seat]
        marked = replace(player, big=True) if blind == "big" else replace(player, small=True)
        setup.seating = setup.seating.with_player(seat, marked)
        notes.find(setup.book, "blind-missed", cause=blind, seat=seat)


def _entries(setup: Setup, notes: Notes, hand: Entitled) -> None:
    for seat in setup.seating.waiting():
        player = setup.seating.players[seat]
        until = hand.waits.get(seat)
        if seat in hand.seats:
            _dealt_in(setup, notes, seat, player, hand.posts.get(seat))
        elif until in _UNTIL:
            notes.find(
                setup.book,
                "entry",
                f"waits-{until}",
                cause="must-wait",
                seat=seat,
                case=_case(setup, player, waits=True),
                remedy=(_UNTIL[until],),
            )


def _dealt_in(setup: Setup, notes: Notes, seat: int, player: Player, post: tuple[int, int] | None) -> None:
    if player.kind == CHANGED and post is None:
        return
    live, dead = post or (0, 0)
    steps = (
        *(("post-live",) if live else ()),
        *(("post-dead",) if dead else ()),
        *(("remove-missed-button",) if player.missed != "none" else ()),
    )
    notes.find(
        setup.book,
        "entry",
        "dealt-in" if post is None else "live-and-dead" if live and dead else "live" if live else "dead",
        args={"live": live, "dead": dead} if post is not None else {},
        cause="dealt-in" if post is None else "posts",
        seat=seat,
        case=_case(setup, player, waits=False),
        remedy=steps,
    )


def _case(setup: Setup, player: Player, *, waits: bool) -> str:
    """By what the books distinguish players who are dealt in, or wait."""
    if player.kind == CHANGED:
        return ""
    if not setup.cash:
        return _KINDS.get(player.kind, "")
    if player.kind in MOVED and not waits:
        return "moved"
    return _CASH[player.new, waits]
