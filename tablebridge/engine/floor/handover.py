"""What the next dealer is to know from the outgoing one (NOTES of the club, RP-15).

A cash game hands over the game, the least buy-in, the players, the structure, the house's fee, lammers and
who is absent; a tournament the players, the level, and the seats that are empty until the add-on. Both have
warnings and penalties. A dealer hands over between hands only.
"""

from collections.abc import Iterable
from typing import Final

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup

NONE: Final = "none"
CASH: Final = ("game", "buy-in", "players", "structure", "fee", "lammers", "absent", "warnings", "penalties")
TOURNAMENT: Final = ("players", "level", "empty", "warnings", "penalties")
KEYS: Final = tuple(dict.fromkeys((*CASH, *TOURNAMENT)))


def pushed(setup: Setup, hand: Hand | None, notes: Notes) -> None:
    """The dealer changes: not in the middle of a hand, and what the next one is to know."""
    under_way = hand is not None and not hand.over and (hand.felt.off_deck or hand.round.actions)
    if under_way and hand is not None and hand.book.rule("push-in-hand") is not None:
        hand.find(notes, "push-in-hand")
    if setup.book.rule("handover") is None or len(setup.seats) < 1:
        return
    if setup.cash:
        keys, text = ("buy-in", "players", "fee", "lammers", "absent"), "cash"
    else:
        keys, text = TOURNAMENT, "tournament"
    args = {key.replace("-", ""): _shown(said(setup, key)) for key in keys}
    notes.find(setup.book, "handover", text, args=args)


def said(setup: Setup, key: str) -> str:
    """What the next dealer is to know under this key."""
    match key:
        case "game":
            return setup.form.name
        case "buy-in":
            return setup.house.get("buy-in", NONE)
        case "players":
            return str(len(setup.playing()))
        case "structure":
            return setup.form.limit
        case "fee":
            return _fee(setup)
        case "lammers":
            return _seats(seat for seat, amount in setup.lammers.items() if amount)
        case "absent":
            playing = setup.playing()
            away = {seat for seat in setup.seats if setup.stack(seat) and seat not in playing}
            return _seats(away.union(setup.absent))
        case "level":
            return (
                f"{setup.stakes.small or setup.stakes.small_bet}/{setup.stakes.big or setup.stakes.big_bet}"
            )
        case "empty":
            return _seats(seat for seat in setup.seats if not setup.stack(seat))
        case "warnings":
            return _seats(seat for seat, kinds in setup.offences.items() if kinds)
        case _:
            left = sorted(setup.penalties.items())
            return " ".join(f"{seat}:{hands}" for seat, hands in left) or NONE


def _shown(text: str) -> str:
    """What a sentence of any language says of it."""
    return "–" if text == NONE else text.replace(" cap ", " ≤ ").removeprefix("time ")


def _fee(setup: Setup) -> str:
    percent, cap = setup.house.get("rake-percent"), setup.house.get("rake-cap")
    if percent:
        return f"{percent}% cap {cap}" if cap else f"{percent}%"
    charge = setup.house.get("time-charge")
    return f"time {charge}" if charge else NONE


def _seats(seats: Iterable[int]) -> str:
    return " ".join(map(str, sorted(seats))) or NONE
