"""What a table or a dealer does in an hour: hands, rake, seats.

Theory. A hand takes from its beginning to the beginning of the next, or to its own end if the next begins
more than `BREAK_S` later: that is a break. A seat hour is an hour of a player who is dealt in. Void hands
take time and are no hands.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from tablebridge.export.account import Account

BREAK_S: Final = 900.0
_HOUR_S: Final = 3600.0


class Rates(msgspec.Struct):
    """What was done at a table by a dealer. `table`, `dealer`: empty for all of them."""

    table: str = ""
    dealer: str = ""
    hands: int = 0
    void: int = 0
    hours: float = 0.0
    seat_hours: float = 0.0
    rake: int = 0

    @property
    def hands_an_hour(self) -> float:
        """Hands per hour of play; 0 if there was none."""
        return self.hands / self.hours if self.hours else 0.0

    @property
    def rake_an_hour(self) -> float:
        """Rake per hour of play; 0 if there was none."""
        return self.rake / self.hours if self.hours else 0.0

    def add(self, other: "Rates") -> None:
        """Count what another has done."""
        self.hands += other.hands
        self.void += other.void
        self.hours += other.hours
        self.seat_hours += other.seat_hours
        self.rake += other.rake


def rates(accounts: Iterable[Account]) -> list[Rates]:
    """The rates of one table by dealer, in the order in which they dealt first. A hand that runs takes no
    time yet.
    """
    hands = [account for account in accounts if account.state != "running"]
    by_dealer: dict[str, Rates] = {}
    for at, account in enumerate(hands):
        hours = _seconds(hands, at) / _HOUR_S
        of = by_dealer.setdefault(account.dealer, Rates(account.table, account.dealer))
        over = account.state == "over"
        of.add(
            Rates(
                hands=over,
                void=not over,
                hours=hours,
                seat_hours=hours * len(account.order),
                rake=account.rake if over else 0,
            )
        )
    return list(by_dealer.values())


def summed(found: Iterable[Rates], *, by: str) -> list[Rates]:
    """The rates added up by `table` or by `dealer`."""
    sums: dict[str, Rates] = {}
    for rate in found:
        name = rate.table if by == "table" else rate.dealer
        sums.setdefault(name, Rates(name if by == "table" else "", "" if by == "table" else name)).add(rate)
    return list(sums.values())


def _seconds(hands: Sequence[Account], at: int) -> float:
    began = hands[at].began.wall_ns
    if at + 1 < len(hands):
        until_next = (hands[at + 1].began.wall_ns - began) / 1e9
        if until_next <= BREAK_S:
            return max(0.0, until_next)
    return max(0.0, (hands[at].ended.wall_ns - began) / 1e9)
