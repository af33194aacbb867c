"""The betting round: whose turn it is, what it must match, and what binds it."""

from dataclasses import dataclass, field

import msgspec

from tablebridge.engine.notes import Kind


@dataclass(slots=True)
class Pending:
    """An action out of turn that waits for its turn. `faced`: what the bet was then; `amount`: its total, if
    it has one.
    """

    seat: int
    action: str
    amount: int | None
    faced: int


class Standing(msgspec.Struct, frozen=True, gc=False):
    """How the betting stood before a bet or raise."""

    current: int
    level: int
    least: int
    raises: int
    aggressor: int | None
    answered: frozenset[int]
    actions: int
    chip_actions: int
    street_actions: int


class Unfinished(msgspec.Struct, frozen=True, gc=False):
    """A bet or raise of too few chips: whose, how many (`put`, its total for the round), and what stood
    before it.
    """

    seat: int
    put: int
    before: Standing


@dataclass(slots=True)
class Round:
    """One betting round. `current`: what must be matched; `level`: what raises are counted from, the same but
    in limit after an all-in of less than half a bet; `least`: the largest full bet or raise of the round.
    """

    to_act: int | None = None
    turn_from: int = 0
    current: int = 0
    level: int = 0
    least: int = 0
    # What short blinds lack; the pot as announced, and the bet that was made on it: seat, the pot, actions
    # before.
    blinds_short: int = 0
    pot_count: int | None = None
    pot_bet: tuple[int, int, int, int] | None = None
    acted: set[int] = field(default_factory=set)
    # Those of them that have acted since the last full bet or raise.
    answered: set[int] = field(default_factory=set)
    # Who opens the round, and whether that is only guessed since no card that lies open is known.
    opener: int | None = None
    guessed: bool = False
    # Who has the bring-in to post, whether it may fold instead, and who posted it.
    bringer: int | None = None
    may_decline: bool = False
    brought: int | None = None
    # A pair that lies open allows the big bet; a card that came too soon caps the round at what was bet.
    doubled: bool = False
    closed: bool = False
    # Bets and raises of the round, the big blind being the first before the flop; and who made the last.
    raises: int = 0
    aggressor: int | None = None
    open: bool = True
    # How many seats were live when the round began.
    began: int = 0
    actions: int = 0
    chip_actions: int = 0
    street_actions: int = 0
    ever_acted: set[int] = field(default_factory=set)
    # What words, rulings and pulled-back chips take from a seat's choices this round.
    no_raise: set[int] = field(default_factory=set)
    no_fold: set[int] = field(default_factory=set)
    must_bet: set[int] = field(default_factory=set)
    pending: list[Pending] = field(default_factory=list)
    # A bet or raise that was made good and that its seat may still forfeit by folding (by book).
    unfinished: Unfinished | None = None
    # Actions out of turn since the skipped seat should have acted: seat and action.
    strays: list[tuple[int, str]] = field(default_factory=list)
    skipped_reported: bool = False
    pulled: set[int] = field(default_factory=set)
    # The last action as it was taken.
    taken: Kind | None = None
    # Who acted last and whether by words or by silent chips; who declared a bet without its amount; an
    # undercall and its chips.
    motion: tuple[int, str] | None = None
    declared: int | None = None
    undercall: tuple[int, int] | None = None
    last: dict[int, str] = field(default_factory=dict)
