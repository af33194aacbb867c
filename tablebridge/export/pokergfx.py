"""Hands in the layout of the files that PokerGFX 3.2 writes: a session with `Hands[]`, each with `Players[]`
and `Events[]`.

The layout is known from descriptions that others have published of their files (28 of them, 939 hands,
hold'em only), not from its maker. If those leave an event's `DateTimeUTC` empty, it is filled in here. Cards
are written as there: `10d 9d`, lower case, all of a seat in one string, which is empty if they are not known.
A raise is a `BET` there. `BetAmt` is what the seat has in front for the round afterwards, `Pot` all chips in
the middle then. The statistics of players are counted over the hands of the file.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from tablebridge import __version__
from tablebridge.export.account import Account, Step
from tablebridge.export.ohh import faces
from tablebridge.model.cards import Card
from tablebridge.model.instant import Instant

_VARIANTS: Final = {
    "nlhe": "HOLDEM",
    "plhe": "HOLDEM",
    "flhe": "HOLDEM",
    "plo": "OMAHA",
    "flo": "OMAHA",
    "plo8": "OMAHA_HILO",
    "flo8": "OMAHA_HILO",
    "stud": "STUD7",
    "stud8": "STUD7_HILO8",
    "razz": "RAZZ",
    "draw5": "DRAW5",
    "nlhe-2b": "HOLDEM",
    "plo-2b": "OMAHA",
    "plo8-2b": "OMAHA_HILO",
}
# The layout has no word for half-pot.
_LIMITS: Final = {"no-limit": "NOLIMIT", "pot-limit": "POTLIMIT", "limit": "FIXEDLIMIT"}
_EVENTS: Final = {
    "fold": "FOLD",
    "dead": "FOLD",
    "check": "CHECK",
    "call": "CALL",
    "bring-in": "BET",
    "bet": "BET",
    "raise": "BET",
}
_RAISES: Final = ("bet", "raise")
_TICKS: Final = 10_000_000
_EPOCH_DAYS: Final = 719_162
"""Days from 0001-01-01 to 1970-01-01: `ID` and `RecordingOffsetStart` count from the former."""


class _Statistics:
    """The statistics of each seat over the hands so far."""

    def __init__(self) -> None:
        self._count: dict[str, Counter[int]] = {
            what: Counter() for what in ("hands", "vpip", "pfr", "aggressive", "acted", "showdown", "won")
        }

    def add(self, account: Account) -> None:
        later = next(
            (at for at, step in enumerate(account.steps) if step.deed == "street"), len(account.steps)
        )
        for seat in account.order:
            own = [
                (at, step.deed)
                for at, step in enumerate(account.steps)
                if step.seat == seat and step.deed in _EVENTS
            ]
            first = [deed for at, deed in own if at < later]
            self._count["hands"][seat] += 1
            self._count["vpip"][seat] += any(deed in (*_RAISES, "call") for deed in first)
            self._count["pfr"][seat] += any(deed in _RAISES for deed in first)
            self._count["aggressive"][seat] += sum(deed in _RAISES for _, deed in own)
            self._count["acted"][seat] += sum(deed != "check" for _, deed in own)
            self._count["showdown"][seat] += seat in account.show_order
            self._count["won"][seat] += account.finish[seat] - account.start[seat]

    def won(self, seat: int) -> int:
        return self._count["won"][seat]

    def percent(self, what: str, of: str, seat: int) -> int:
        return round(100 * self._count[what][seat] / max(1, self._count[of][seat]))


def cannot(account: Account) -> str:
    """Why the layout cannot hold this hand; empty if it can."""
    if account.form.name not in _VARIANTS:
        return f"the layout has no word for the game {account.form.name}"
    return (
        "its stacks or its betting were not told"
        if account.untracked or not account.known_stacks.issuperset(account.order)
        else ""
    )


def write(accounts: Sequence[Account]) -> bytes:
    """All hands of a session as one file. Raises ValueError if there is none, or one that the layout
    cannot hold.
    """
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
    return msgspec.json.format(
        msgspec.json.encode(
            {
                "ID": session_id(accounts[0]),
                "CreatedDateTimeUTC": _utc(began),
                "EventTitle": accounts[0].table,
                "SoftwareVersion": f"tablebridge {__version__}, in the layout of PokerGFX 3.2",
                "Type": "FEATURE_TABLE",
                "Payouts": [0] * 10,
                "Hands": hands,
            }
        ),
        indent=2,
    )


def session_id(first: Account) -> int:
    """The number of the session that begins with this hand: its time in units of 100 ns since the year 1."""
    return _EPOCH_DAYS * 86_400 * _TICKS + first.began.wall_ns // 100


def _hand(account: Account, statistics: _Statistics) -> dict[str, Any]:
    form, stakes = account.form, account.stakes
    notes = [
        account.state if account.state != "over" else "",
        *account.incomplete,
        *(
            f"{finding.finding} {finding.cause or ''}".strip()
            for finding in account.findings
            if finding.severity != "info"
        ),
    ]
    return {
        "HandNum": account.number,
        "Description": "; ".join(filter(None, notes)),
        "StartDateTimeUTC": _utc(account.began),
        "RecordingOffsetStart": _offset(account.began),
        "Duration": _duration(account.began, account.ended),
        "GameClass": "STUD" if not form.button else "FLOP" if form.board else "DRAW",
        "GameVariant": _VARIANTS[form.name],
        "BetStructure": _LIMITS[form.limit],
        "AnteAmt": 0 if account.bomb else stakes.ante or stakes.bb_ante,
        "BombPotAmt": stakes.ante if account.bomb else 0,
        "NumBoards": form.boards,
        "RunItNumTimes": len(account.boards) if form.boards == 1 else 1,
        "FlopDrawBlinds": _blinds(account),
        "StudLimits": _limits(account),
        "Players": [_player(account, seat, statistics) for seat in sorted(account.order)],
        "Events": list(_events(account)),
    }


def _blinds(account: Account) -> dict[str, Any]:
    stakes, positions = account.stakes, account.positions
    ante = "STD_ANTE" if not stakes.bb_ante else "BB_ANTE_BB1ST" if account.blind_first else "BB_ANTE"
    return {
        "AnteType": ante,
        "BlindLevel": 0,
        "ButtonPlayerNum": positions.button,
        "SmallBlindAmt": stakes.small,
        "SmallBlindPlayerNum": positions.small,
        "BigBlindAmt": stakes.big,
        "BigBlindPlayerNum": positions.big,
        "ThirdBlindAmt": 0,
        "ThirdBlindPlayerNum": 0,
    }


def _limits(account: Account) -> dict[str, Any]:
    stud, stakes = not account.form.button, account.stakes
    bring_in = [step.seat for step in account.steps if step.deed == "bring-in"]
    return {
        "BringInAmt": stakes.bring_in if stud else 0,
        "BringInPlayerNum": bring_in[0] if bring_in else 1,
        "LowLimitAmt": stakes.small_bet if stud else 0,
        "HighLimitAmt": stakes.big_bet if stud else 0,
    }


def _player(account: Account, seat: int, statistics: _Statistics) -> dict[str, Any]:
    name = account.names.get(seat) or f"Seat {seat}"
    return {
        "PlayerNum": seat,
        "Name": name,
        "LongName": name,
        "SittingOut": False,
        "EliminationRank": -1,
        "StartStackAmt": account.start[seat],
        "EndStackAmt": account.finish[seat],
        "CumulativeWinningsAmt": statistics.won(seat),
        "BlindBetStraddleAmt": account.blind_bets.get(seat, 0),
        "HoleCards": [_cards(account.holes[seat])],
        "VPIPPercent": statistics.percent("vpip", "hands", seat),
        "PreFlopRaisePercent": statistics.percent("pfr", "hands", seat),
        "AggressionFrequencyPercent": statistics.percent("aggressive", "acted", seat),
        "WentToShowDownPercent": statistics.percent("showdown", "hands", seat),
    }


def _events(account: Account) -> Iterable[dict[str, Any]]:
    """One for each action, for each card of the board and for each draw."""
    for step in account.steps:
        if step.deed in _EVENTS:
            yield _event(
                step,
                "ALL IN" if step.all_in else _EVENTS[step.deed],
                step.seat,
                step.total if step.put else 0,
            )
        elif step.deed == "street":
            for card in account.board_of(step.street, step.run):
                yield _event(step, "BOARD CARD", 0, board=_cards([card]))
            for seat in account.order:
                if (drawn := account.draws.get((step.street, seat))) is not None:
                    yield _event(step, "DRAW", seat, drawn=len(drawn[0]))


def _event(
    step: Step, kind: str, player: int, bet: int = 0, *, board: str | None = None, drawn: int = 0
) -> dict[str, Any]:
    return {
        "EventType": kind,
        "DateTimeUTC": _utc(step.at),
        "PlayerNum": player,
        "BetAmt": bet,
        "Pot": step.pot,
        "NumCardsDrawn": drawn,
        "BoardNum": step.run - 1,
        "BoardCards": board,
    }


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(card.replace("T", "10").lower() for card in faces(cards))


def _utc(at: Instant) -> str:
    """The time in UTC with seven decimals, as in those files."""
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
