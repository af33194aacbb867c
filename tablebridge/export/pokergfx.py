"""Hands in the layout of the files that PokerGFX 3.2 writes: a session with `Hands[]`, each with `Players[]` and `Events[]`.

The layout is known from files that others have published and described, not from its maker. Where those leave an event's
`DateTimeUTC` empty, it stands here. Cards are written as there: `10d 9d`, lower case, all of a seat in one string, an empty one
where they are not known. `BetAmt` is what the seat has in front for the round afterwards, `Pot` all chips in the middle then.
The statistics of players are counted over the hands of the file.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from tablebridge import __version__
from tablebridge.export.account import Account, Moment
from tablebridge.export.ohh import faces
from tablebridge.model.instant import Instant

_CLASSES: Final = {"stud": "STUD", "stud8": "STUD", "razz": "STUD", "draw5": "DRAW"}
_VARIANTS: Final = {
    "nlhe": "HOLDEM", "plhe": "HOLDEM", "flhe": "HOLDEM", "plo": "OMAHA", "flo": "OMAHA", "plo8": "OMAHA_HILO",
    "flo8": "OMAHA_HILO", "stud": "STUD7", "stud8": "STUD7_HILO8", "razz": "RAZZ", "draw5": "DRAW5"}
_LIMITS: Final = {"no-limit": "NOLIMIT", "pot-limit": "POTLIMIT", "limit": "FIXEDLIMIT"}
_EVENTS: Final = {"fold": "FOLD", "check": "CHECK", "call": "CALL", "bet": "BET", "raise": "RAISE", "allin": "ALL IN"}
_TICKS: Final = 10_000_000
_EPOCH_DAYS: Final = 719_162
"""Days from 0001-01-01 to 1970-01-01: `RecordingOffsetStart` counts from the former."""


class _Statistics:
    """Of each seat over the hands so far, in percent."""

    def __init__(self) -> None:
        self._count: dict[str, Counter[int]] = {
            what: Counter() for what in ("hands", "vpip", "pfr", "aggressive", "acted", "showdown", "won")}

    def add(self, account: Account) -> None:
        for seat in account.order:
            own = [moment for moment in account.moments if moment.what == "action" and moment.seat == seat]
            first = [moment.kind for moment in own if moment.street == account.moments[0].street]
            raised = {"bet", "raise", "allin"}
            self._count["hands"][seat] += 1
            self._count["vpip"][seat] += any(kind in raised | {"call"} for kind in first)
            self._count["pfr"][seat] += any(kind in raised for kind in first)
            self._count["aggressive"][seat] += sum(moment.kind in raised for moment in own)
            self._count["acted"][seat] += sum(moment.kind != "check" for moment in own)
            self._count["showdown"][seat] += any(moment.what == "show" and moment.seat == seat for moment in account.moments)
            self._count["won"][seat] += account.end[seat] - account.start[seat]

    def won(self, seat: int) -> int:
        return self._count["won"][seat]

    def percent(self, what: str, of: str, seat: int) -> int:
        return round(100 * self._count[what][seat] / max(1, self._count[of][seat]))


def cannot(account: Account) -> str:
    """Why the layout cannot hold this hand; empty where it can."""
    if account.game not in _VARIANTS:
        return f"the layout has no word for the game {account.game}"
    return "" if account.told else "its stacks or its betting were not told"


def write(accounts: Sequence[Account]) -> bytes:
    """All hands of a session as one file. Raises ValueError where there is none, or one that the layout cannot hold."""
    for account in accounts:
        if why := cannot(account):
            raise ValueError(f"hand {account.number} cannot be written: {why}")
    if not accounts:
        raise ValueError("there is no hand to write")
    statistics = _Statistics()
    hands = []
    for account in accounts:
        statistics.add(account)
        hands.append(_hand(account, statistics))
    began = accounts[0].began
    return msgspec.json.format(msgspec.json.encode({
        "ID": began.wall_ns // 100, "CreatedDateTimeUTC": _utc(accounts[-1].ended), "EventTitle": accounts[0].table,
        "SoftwareVersion": f"tablebridge {__version__}, in the layout of PokerGFX 3.2", "Type": "FEATURE_TABLE",
        "Payouts": [0] * 10, "Hands": hands}), indent=2)


def _hand(account: Account, statistics: _Statistics) -> dict[str, Any]:
    stud = account.game in _CLASSES and _CLASSES[account.game] == "STUD"
    notes = ["void" if account.void else "", *account.incomplete, *(f"{one.finding} {one.cause or ''}".strip()
                                                                   for one in account.findings if one.severity != "info")]
    return {
        "HandNum": account.number, "Description": "; ".join(filter(None, notes)), "StartDateTimeUTC": _utc(account.began),
        "RecordingOffsetStart": _offset(account.began), "Duration": _duration(account.began, account.ended),
        "GameClass": _CLASSES.get(account.game, "FLOP"), "GameVariant": _VARIANTS[account.game],
        "BetStructure": _LIMITS[account.limit], "AnteAmt": account.ante or account.bb_ante, "BombPotAmt": 0, "NumBoards": 1,
        "RunItNumTimes": 1,
        "FlopDrawBlinds": {
            "AnteType": "BB_ANTE_BB1ST" if account.bb_ante else "STD_ANTE", "BlindLevel": 0, "ButtonPlayerNum": account.button,
            "SmallBlindAmt": account.small, "SmallBlindPlayerNum": account.small_seat, "BigBlindAmt": account.big,
            "BigBlindPlayerNum": account.big_seat, "ThirdBlindAmt": 0, "ThirdBlindPlayerNum": 0},
        "StudLimits": {
            "BringInAmt": 0, "BringInPlayerNum": 1, "LowLimitAmt": account.small if stud else 0,
            "HighLimitAmt": account.big if stud else 0},
        "Players": [_player(account, seat, statistics) for seat in sorted(account.order)],
        "Events": list(_events(account)),
    }


def _player(account: Account, seat: int, statistics: _Statistics) -> dict[str, Any]:
    return {
        "PlayerNum": seat, "Name": account.names[seat], "LongName": account.names[seat], "SittingOut": False,
        "EliminationRank": -1, "StartStackAmt": account.start[seat], "EndStackAmt": account.end[seat],
        "CumulativeWinningsAmt": statistics.won(seat), "BlindBetStraddleAmt": 0,
        "HoleCards": [_cards(faces(account.cards[seat]))],
        "VPIPPercent": statistics.percent("vpip", "hands", seat),
        "PreFlopRaisePercent": statistics.percent("pfr", "hands", seat),
        "AggressionFrequencyPercent": statistics.percent("aggressive", "acted", seat),
        "WentToShowDownPercent": statistics.percent("showdown", "hands", seat)}


def _events(account: Account) -> Iterable[dict[str, Any]]:
    """One for each action and for each card of the board."""
    for moment in account.moments:
        if moment.what == "action" and moment.kind in _EVENTS:
            yield _event(moment, _EVENTS[moment.kind], moment.seat or 0, moment.total if moment.amount else 0, None)
        elif moment.what == "board":
            for card in faces(moment.cards):
                yield _event(moment, "BOARD CARD", 0, 0, _cards([card]))


def _event(moment: Moment, kind: str, player: int, bet: int, board: str | None) -> dict[str, Any]:
    return {"EventType": kind, "DateTimeUTC": _utc(moment.at), "PlayerNum": player, "BetAmt": bet, "Pot": moment.pot,
            "NumCardsDrawn": 0, "BoardNum": 0, "BoardCards": board}


def _cards(known: list[str]) -> str:
    return " ".join(card.replace("T", "10").lower() for card in known)


def _utc(at: Instant) -> str:
    """With seven decimals, as there."""
    seconds, ns = divmod(at.wall_ns, 1_000_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{ns // 100:07d}Z"


def _period(ticks: int) -> str:
    seconds, rest = divmod(ticks, _TICKS)
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    fraction = f".{rest:07d}".rstrip("0").rstrip(".")
    return f"T{f'{hours}H' if hours else ''}{f'{minutes}M' if minutes else ''}{seconds % 60}{fraction}S"


def _duration(began: Instant, ended: Instant) -> str:
    return f"P{_period(max(0, ended.monotonic_ns - began.monotonic_ns) // 100)}"


def _offset(at: Instant) -> str:
    days, ticks = divmod(at.wall_ns // 100, 86_400 * _TICKS)
    return f"P{days + _EPOCH_DAYS}D{_period(ticks)}"
