"""What chips that are pushed forward without words are taken as (TDA 40 to 57).

Theory. Chips pushed forward in one motion are judged with the seat's chips of this round that still lie
before it. The rows of the table below are asked in their order, and the first that fits says what the chips
are. An amount said alone is the same as chips of that amount, if one of them can be spared.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from tablebridge.engine.hand import Hand

Action = Literal["bet", "call", "raise", "allin"]


@dataclass(frozen=True, slots=True)
class Judged:
    """The chips are `action` to `total`. `put`: chips in all; `cause`: that of the `bet-ruled`, if it is to
    be reported, and `case` if the book has several.
    """

    action: Action
    total: int
    put: int
    cause: str | None = None
    case: str = ""


@dataclass(frozen=True, slots=True)
class _Pushed:
    """Chips that are pushed forward, against the bet.

    `single`: the chip, if only one is pushed; `put`: the seat's chips of the round in all, `prior` of them
    lay there before; `bet`: what it has bet; `current`: what it must match; `least`: the least raise;
    `everything`: its bet if it puts everything in. `spare`: whether one chip can be spared without being less
    than the call. `bring_in`: the bring-in if it is due from this seat, else 0. `mixed`: whether the book
    judges prior chips together with new ones, `lay`: whether there are any, and `pulled`: whether some were
    pulled back. `several`: what the book makes of several chips.
    """

    single: int | None
    put: int
    prior: int
    bet: int
    current: int
    least: int
    everything: int
    spare: bool
    bring_in: int
    mixed: bool
    lay: bool
    pulled: bool
    several: str

    @property
    def facing(self) -> bool:
        """Whether there is a bet to face."""
        return self.current > self.bet

    @property
    def half(self) -> bool:
        """Whether they are half a raise or more."""
        return 2 * (self.put - self.current) >= self.least

    @property
    def covering(self) -> bool:
        """Whether the prior chips cover the call already."""
        return self.prior > self.bet and self.prior >= self.current


class _Row(NamedTuple):
    """Chips for which `when` holds are `action`; `half`: a raise from half a raise on, else a call."""

    when: Callable[[_Pushed], bool]
    action: Literal[Action, "half"]
    cause: str | None = None
    case: str = ""
    total: Callable[[_Pushed], int] = lambda pushed: pushed.put


_ROWS: Final = (
    # The bring-in with one chip.
    _Row(
        lambda chips: chips.bring_in > 0 and chips.single is not None,
        "bet",
        total=lambda chips: min(chips.put, chips.bring_in),
    ),
    # No bet to face.
    _Row(
        lambda chips: not chips.current and chips.single is not None and chips.single > chips.least,
        "bet",
        "overchip",
    ),
    _Row(lambda chips: not chips.current, "bet"),
    # The call exactly, or less.
    _Row(lambda chips: chips.put <= chips.current, "call", total=lambda chips: chips.current),
    # More, and prior chips were partly pulled back, or cover the call (46-C(2)).
    _Row(
        lambda chips: chips.mixed and ((chips.pulled and chips.prior > 0) or chips.covering),
        "half",
        "prior-chips",
        "prior-chips-sum",
    ),
    # More, with one chip (44), or with several if none can be spared (45-A).
    _Row(lambda chips: chips.facing and chips.single is not None, "call", "overchip"),
    _Row(lambda chips: not chips.spare and chips.several != "half-of-all", "call", "multi-chip-call"),
    # One can be spared, and they are the last chips (45-B(2)).
    _Row(lambda chips: chips.spare and chips.put >= chips.everything, "allin"),
    # The same beside prior chips: half a raise or more is a raise (43-A).
    _Row(lambda chips: chips.mixed and chips.facing and chips.lay, "half", "prior-chips"),
    # A full raise (45-B), half a one, which is made good, or less (43-A).
    _Row(
        lambda chips: chips.put - chips.current >= chips.least or chips.several == "raise",
        "raise",
        "multi-chip-raise",
    ),
    _Row(lambda chips: chips.half, "raise", "half-raise"),
    _Row(lambda chips: True, "call", "under-half"),
)
"""What the chips are: the first row that fits."""


def judge(hand: Hand, seat: int, chips: tuple[int, ...], *, spare: bool | None = None) -> Judged:
    """What these chips are, at the seat's turn. `spare`: whether one of them can be spared, if that does not
    follow from the chips.
    """
    pushed = _pushed(hand, seat, chips, spare)
    row = next(row for row in _ROWS if row.when(pushed))
    action: Action = ("raise" if pushed.half else "call") if row.action == "half" else row.action
    return Judged(action, row.total(pushed), pushed.put, row.cause, row.case)


def _pushed(hand: Hand, seat: int, chips: tuple[int, ...], spare: bool | None) -> _Pushed:
    bet, current = hand.chips.bet[seat], hand.round.current
    prior = hand.counted.in_front(seat, bet)
    put = prior + sum(chips)
    return _Pushed(
        single=chips[0] if spare is None and len(chips) == 1 else None,
        put=put,
        prior=prior,
        bet=bet,
        current=current,
        least=hand.round.least,
        everything=hand.chips.whole(seat),
        spare=(current <= bet or put - min(chips) >= current) if spare is None else spare,
        bring_in=hand.stakes.bring_in if seat == hand.round.bringer else 0,
        mixed=hand.book.rule("bet-ruled", "prior-chips") is not None,
        lay=seat in hand.counted.fronts or bet > 0,
        pulled=seat in hand.bindings.pulled,
        several=hand.book.several_chips,
    )
