"""The chips of a hand: in the stacks, in front of the seats, in the pots."""

from dataclasses import dataclass, field

from tablebridge.engine.setup import UNTOLD


@dataclass(slots=True)
class Stacks:
    """Chips by seat, in the smallest unit. `stack` of all seats, `paid`, `dead_chips` and `raked` add up to
    `start`.
    """

    start: dict[int, int]
    stack: dict[int, int] = field(default_factory=dict)
    bet: dict[int, int] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    # What a seat has in the pots beside its bets: the ante for all, and what it forfeited above the bet.
    dead_chips: dict[int, int] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)
    # What the house takes out of the pots, and what of it they were paid without.
    rake: int = 0
    raked: int = 0
    # How each pot was paid, main pot first: its amount, and what each winner got of it.
    payments: list[tuple[int, dict[int, int]]] = field(default_factory=list)

    @property
    def dead_money(self) -> int:
        """Chips in the pots that are no bets."""
        return sum(self.dead_chips.values())

    def put_in(self, seat: int) -> int:
        """All chips of this hand that the seat has put in."""
        return self.paid[seat] + self.dead_chips.get(seat, 0)

    def pot(self) -> int:
        """Chips in the middle, bets in front included."""
        return sum(self.paid.values()) + self.dead_money

    def known(self, seat: int) -> bool:
        """Whether the stack of the seat is known at all."""
        return self.start.get(seat, 0) < UNTOLD


@dataclass(slots=True)
class CountedChips:
    """Chips as they were counted. `odd_reported`: denominations that were reported to be out of play. `pot`:
    what the pot held when it was counted; `variance`: how much that differs from the record, and `finding`:
    the id of the finding that stands for it. `posted`: the chips that a seat posted. `shown`: the chips that
    a seat put in this round, and whether they were for its words.
    """

    # Chips in front that were not changed yet, by seat: those of a post, less what was pulled back.
    fronts: dict[int, list[int]] = field(default_factory=dict)
    odd_reported: frozenset[int] = frozenset()
    pot: int | None = None
    variance: int = 0
    finding: str = ""
    posted: dict[int, int] = field(default_factory=dict)
    shown: dict[int, tuple[int, bool]] = field(default_factory=dict)
