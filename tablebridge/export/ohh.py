"""Hands as Open Hand History, version 1.4.7 (hh-specs.handhistory.org): one JSON object per hand, with a
blank line between two.

Players are numbered by their seats. Every amount is the chips that went in with the action, as the
specification says of a raise. The format has no action for chips that go back: a bet that nobody called
stands whole, and the pots are smaller by it. What the format cannot express (burns, misdeals, findings,
rulings, games other than hold'em and Omaha) stays in the journal and in PHH; `cannot` says why a hand is left
out.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from tablebridge import __version__
from tablebridge.export.account import Account, Step
from tablebridge.export.hands import utc
from tablebridge.model.cards import Card, face, is_known
from tablebridge.model.places import SEATS

SPEC: Final = "1.4.7"
CHIPS: Final = "XPM"
"""The code of play money, since chips of a table have no currency."""

_GAMES: Final = {
    "nlhe": "Holdem",
    "plhe": "Holdem",
    "flhe": "Holdem",
    "plo": "Omaha",
    "flo": "Omaha",
    "plo8": "OmahaHiLo",
    "flo8": "OmahaHiLo",
}
_LIMITS: Final = {"no-limit": "NL", "pot-limit": "PL", "limit": "FL"}
_ACTION_NAMES: Final = {
    "ante": "Post Ante",
    "bb-ante": "Post Ante",
    "blind": "Post BB",
    "fold": "Fold",
    "dead": "Fold",
    "check": "Check",
    "call": "Call",
    "bet": "Bet",
    "raise": "Raise",
    "chips": "Post Dead",
}
_POSTS: Final = ("ante", "bb-ante", "blind")


def cannot(account: Account) -> str:
    """Why the format cannot hold this hand; empty if it can."""
    if account.form.name not in _GAMES:
        return f"Open Hand History has no streets for the game {account.form.name}"
    if account.untracked or not account.known_stacks.issuperset(account.order):
        return "its stacks or its betting were not told"
    if account.state == "void":
        return "it was void and dealt again"
    if account.given_up:
        return "a bet was given up, for which Open Hand History has no action"
    if account.between_boards:
        return "its board was run more than twice, for which Open Hand History has no word"
    if account.state == "running":
        return "it is not over"
    return account.incomplete[0].rstrip(".").lower() if account.incomplete else ""


def write(account: Account) -> bytes:
    """One hand, as the object `{"ohh": ...}`. Raises ValueError for a hand that it cannot hold."""
    if why := cannot(account):
        raise ValueError(f"hand {account.number} cannot be written: {why}")
    return msgspec.json.format(msgspec.json.encode({"ohh": _hand(account)}), indent=2)


def faces(cards: Iterable[Card]) -> list[str]:
    """The faces that are known."""
    return [face(card) for card in cards if is_known(card)]


def _hand(account: Account) -> dict[str, Any]:
    stakes = account.stakes
    return {
        "spec_version": SPEC,
        "site_name": "tablebridge",
        "network_name": "tablebridge",
        "internal_version": __version__,
        "game_number": f"{account.table}-{account.number}",
        "start_date_utc": utc(account.began),
        "table_name": account.table,
        "game_type": _GAMES[account.form.name],
        "bet_limit": {"bet_type": _LIMITS[account.form.limit], "bet_cap": 0},
        "table_size": len(SEATS),
        "currency": CHIPS,
        "dealer_seat": account.positions.button,
        "small_blind_amount": stakes.small,
        "big_blind_amount": stakes.big,
        "ante_amount": stakes.ante or stakes.bb_ante,
        "hero_player_id": None,
        "flags": ["Observed", *(["Run_It_Twice"] if account.first_board else [])],
        "players": [
            {
                "id": seat,
                "seat": seat,
                "name": account.names.get(seat) or f"Seat {seat}",
                "starting_stack": account.start[seat],
            }
            for seat in sorted(account.order)
        ],
        "rounds": _rounds(account),
        "pots": [
            {
                "number": number,
                "amount": amount,
                "rake": amount - sum(wins.values()),
                "player_wins": [{"player_id": seat, "win_amount": won} for seat, won in sorted(wins.items())],
            }
            for number, (amount, wins) in enumerate(account.payments)
        ],
    }


def _rounds(account: Account) -> list[dict[str, Any]]:
    posts = [step for step in account.steps if step.deed in _POSTS]
    dealt = [
        {"player_id": seat, "action": "Dealt Cards", **_with_cards(account.holes[seat])}
        for seat in account.order
    ]
    rounds = [_round(account, 0, (), [*(_action(account, step, 0) for step in posts), *dealt])]
    street = 0
    for step in account.steps:
        if step.deed == "street":
            street = step.street
            rounds.append(_round(account, street, account.board_of(street, step.run), []))
        elif step.deed not in _POSTS and not (step.deed == "chips" and step.put < 0):
            rounds[-1]["actions"].append(_action(account, step, street))
    if account.show_order:
        rounds.append(
            {
                "street": "Showdown",
                "actions": [
                    {"player_id": seat, "action": "Shows Cards", **_with_cards(account.holes[seat])}
                    if seat in account.shown
                    else {"player_id": seat, "action": "Mucks Cards"}
                    for seat in account.show_order
                ],
            }
        )
    for number, made in enumerate(rounds):
        made["id"] = number
        made["actions"] = [{"action_number": at, **action} for at, action in enumerate(made["actions"], 1)]
    return rounds


def _round(
    account: Account, street: int, cards: tuple[Card, ...], actions: list[dict[str, Any]]
) -> dict[str, Any]:
    name = account.form.streets[street].name.capitalize()
    return {"street": name, "actions": actions, **_with_cards(cards)}


def _action(account: Account, step: Step, street: int) -> dict[str, Any]:
    word = _ACTION_NAMES[step.deed]
    if step.deed == "blind" and step.seat == account.positions.small:
        word = "Post SB"
    elif step.deed == "blind" and step.seat != account.positions.big:
        word = "Straddle"
    elif step.deed == "bet" and street == 0:
        # The specification has no bet before the flop.
        word = "Raise"
    made: dict[str, Any] = {"player_id": step.seat, "action": word}
    return {**made, "amount": step.put, "is_allin": step.all_in} if step.put else made


def _with_cards(cards: tuple[Card, ...]) -> dict[str, Any]:
    """There is no sign for a card that is not known: it is left out."""
    known = faces(cards)
    return {"cards": known} if known else {}
