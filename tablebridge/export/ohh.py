"""Hands as Open Hand History, version 1.4.7 (hh-specs.handhistory.org): one JSON object a hand, a blank line between two.

Players are numbered by their seats. Every amount is the chips that moved. The format has no action for chips that go back: a
bet that nobody called stands whole, and the pots are smaller by it. What the format has no words for (burns, misdeals,
findings, rulings, other games than hold'em and Omaha) stays in the journal and in PHH; `cannot` says why a hand is left out.
"""

from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from tablebridge import __version__
from tablebridge.export.account import Account, Moment
from tablebridge.model.cards import Card, face, is_known
from tablebridge.model.instant import Instant

SPEC: Final = "1.4.7"
CHIPS: Final = "XPM"
"""The code of play money, since chips of a table have no currency."""

_GAMES: Final = {"nlhe": "Holdem", "plhe": "Holdem", "flhe": "Holdem", "plo": "Omaha", "flo": "Omaha", "plo8": "OmahaHiLo",
                 "flo8": "OmahaHiLo"}
_LIMITS: Final = {"no-limit": "NL", "pot-limit": "PL", "limit": "FL"}
_STREETS: Final = ("preflop", "flop", "turn", "river")


def cannot(account: Account) -> str:
    """Why the format cannot hold this hand; empty where it can."""
    if account.game not in _GAMES:
        return f"Open Hand History has no streets for the game {account.game}"
    if not account.told:
        return "its stacks or its betting were not told"
    if account.void:
        return "it was void and dealt again"
    return account.incomplete[0].rstrip(".").lower() if account.incomplete else ""


def write(account: Account) -> bytes:
    """One hand, as the object `{"ohh": ...}`. Raises ValueError for a hand that it cannot hold."""
    if why := cannot(account):
        raise ValueError(f"hand {account.number} cannot be written: {why}")
    return msgspec.json.format(msgspec.json.encode({"ohh": _hand(account)}), indent=2)


def _hand(account: Account) -> dict[str, Any]:
    seats = sorted(account.order)
    return {
        "spec_version": SPEC, "site_name": "tablebridge", "network_name": "tablebridge", "internal_version": __version__,
        "tournament": False, "game_number": f"{account.table}-{account.number}", "start_date_utc": utc(account.began),
        "table_name": account.table, "game_type": _GAMES[account.game],
        "bet_limit": {"bet_type": _LIMITS[account.limit], "bet_cap": 0}, "table_size": max(seats), "currency": CHIPS,
        "dealer_seat": account.button, "small_blind_amount": account.small, "big_blind_amount": account.big,
        "ante_amount": account.ante or account.bb_ante, "hero_player_id": 0, "flags": ["Observed"],
        "players": [{"id": seat, "seat": seat, "name": account.names[seat], "starting_stack": account.start[seat]}
                    for seat in seats],
        "rounds": _rounds(account),
        "pots": [{"number": number, "amount": amount, "rake": 0,
                  "player_wins": [{"player_id": seat, "win_amount": won} for seat, won in sorted(wins.items())]}
                 for number, (amount, wins) in enumerate(account.payments)],
    }


def _rounds(account: Account) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = []
    for number, street in enumerate(_STREETS):
        moments = [moment for moment in account.moments if moment.street == street]
        cards = [card for moment in moments if moment.what == "board" for card in faces(moment.cards)]
        actions = [action for moment in moments for action in _action(moment)]
        if number == 0:
            forced = [action for action in actions if action["action"].startswith("Post")]
            dealt = [{"player_id": seat, "action": "Dealt Cards", **_with_cards(account.cards[seat])} for seat in account.order]
            actions = forced + dealt + actions[len(forced):]
        if actions or cards:
            rounds.append(_round(len(rounds), street.capitalize(), cards, actions))
    shown = [{"player_id": moment.seat, "action": "Shows Cards" if moment.what == "show" else "Mucks Cards",
              **_with_cards(moment.cards)} for moment in account.moments if moment.what in ("show", "muck")]
    if shown:
        rounds.append(_round(len(rounds), "Showdown", [], shown))
    return rounds


def _round(number: int, street: str, cards: list[str], actions: list[dict[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {"id": number, "street": street}
    if cards:
        made["cards"] = cards
    made["actions"] = [{"action_number": at, **action} for at, action in enumerate(actions, 1)]
    return made


def _action(moment: Moment) -> list[dict[str, Any]]:
    match moment.what, moment.kind:
        case "ante", _:
            word = "Post Ante"
        case "blind", kind:
            word = "Post SB" if kind == "small" else "Post BB"
        case "action", "allin":
            word = "Bet" if moment.opens else "Raise"
        case "action", kind:
            word = kind.capitalize()
        case _:
            return []
    made: dict[str, Any] = {"player_id": moment.seat, "action": word}
    if word not in ("Fold", "Check"):
        made |= {"amount": moment.amount, "is_allin": moment.all_in}
    return [made]


def _with_cards(cards: tuple[Card, ...]) -> dict[str, Any]:
    """There is no sign for a card that is not known: it is left out."""
    known = faces(cards)
    return {"cards": known} if known else {}


def faces(cards: tuple[Card, ...]) -> list[str]:
    """The faces that are known."""
    return [face(card) for card in cards if is_known(card)]


def utc(at: Instant) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    return datetime.fromtimestamp(at.wall_ns / 1e9, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
