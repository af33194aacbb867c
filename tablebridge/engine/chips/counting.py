"""Chips that were counted, against what the record explains: the tray (`inventory.py`), the pot, chips before
a seat.

Theory of the pot. It holds what was paid in, less the bets of this round that still lie in front, until they
are swept; before the flop the antes may lie in front, too. While a seat has to act, chips beyond that may be
of an action that nobody entered yet, so more is judged when the round is over. From the showdown on, and when
one hand is left, the pot is being pushed, so less is no longer judged. What the house rakes may or may not be
out of it already.

| the pot was counted | found, if it differs |
| --- | --- |
| while a seat has to act | too little |
| after the round | too little, too much |
| at the showdown, or with one hand left | too much |
| not again, and the next street comes | too much |

Chips that a seat puts before it after it declared are added up. If they are less than its bet when the round
is over, chips are missing. More is no fault: change is owed for it.
"""

from collections.abc import Iterable

from tablebridge.engine.chips.inventory import Account, Movement, counts
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import UNKNOWN_STACK, Setup
from tablebridge.model.chip_events import Credit, Fill, ForeignChip, Pay, PotChips, Take, Tray
from tablebridge.model.events import Chips
from tablebridge.model.findings import Counted, Member
from tablebridge.model.sentences import listed


def in_play(setup: Setup, hand: Hand | None, notes: Notes, event: Chips) -> None:
    """The denominations in play. Seats with chips of those that leave play are reported for the chip race
    (TDA 24).
    """
    before = min(setup.chips, default=0)
    setup.chips = tuple(sorted({value for value in event.denominations if value > 0}))
    smallest = min(setup.chips, default=0)
    for seat in setup.seats if 0 < before < smallest and (hand is None or hand.over) else ():
        odd = setup.stack(seat) % smallest
        if odd and setup.stack(seat) < UNKNOWN_STACK:
            notes.find(
                setup.book,
                "wrong-denomination",
                "race",
                args={"odd": odd},
                seat=seat,
            )


# The tray.


def tray(setup: Setup, notes: Notes, event: Tray) -> None:
    """The chip tray was read."""
    odd = _odd(setup.chips, event.chips)
    if odd - setup.tray_odd:
        notes.find(setup.book, "wrong-denomination", "tray", args={"chips": _listed(odd)})
    setup.tray_odd = odd
    if event.opening or setup.tray is None:
        setup.tray, setup.tray_finding = Account.opened(counts(event.chips)), None
    else:
        _judge_tray(setup, notes, setup.tray.read(counts(event.chips)))


def fill(setup: Setup, notes: Notes, event: Fill) -> None:
    """The cage brought chips to the tray."""
    _moved(setup, notes, event.chips)


def credit(setup: Setup, notes: Notes, event: Credit) -> None:
    """Chips went from the tray to the cage."""
    _moved(setup, notes, event.chips, out=True)


def pay(setup: Setup, notes: Notes, event: Pay) -> None:
    """The tray paid a seat."""
    setup.pays_reported = True
    _moved(setup, notes, event.chips, out=True)


def take(setup: Setup, notes: Notes, event: Take) -> None:
    """The tray took chips from a seat."""
    setup.pays_reported = True
    _moved(setup, notes, event.chips)


def _moved(setup: Setup, notes: Notes, chips: Iterable[int], *, out: bool = False) -> None:
    """Chips were reported to come to the tray, or to go out of it."""
    if setup.tray is not None:
        sign = -1 if out else 1
        change = {value: sign * number for value, number in counts(chips).items()}
        _judge_tray(setup, notes, setup.tray.moved(Movement(change, setup.hand_number)))


def overdue(setup: Setup, notes: Notes) -> None:
    """A hand begins: what was reported before the last hand should be in the tray."""
    if setup.tray is not None:
        _judge_tray(setup, notes, setup.tray.overdue(setup.hand_number - 1))


def _judge_tray(setup: Setup, notes: Notes, account: Account) -> None:
    """Compare the tray with its account. If nobody reports what the house pays and takes, nothing is expected
    of the tray of a game against the house.
    """
    if setup.form.banked and not setup.pays_reported:
        account = Account.opened(account.held)
    known = 0 if setup.tray is None else setup.tray.variance
    setup.tray = account
    if account.variance == 0:
        setup.tray_finding = None
    elif account.variance != known:
        wrong = account.breakdown
        notes.find(
            setup.book,
            "tray-mismatch",
            "less" if account.variance < 0 else "more",
            args={"by": abs(account.variance), "chips": listed([_member(each) for each in wrong])},
            chips=wrong,
            remedy=("call-floor",),
        )
        setup.tray_finding = notes.findings[-1]


def foreign_chip(setup: Setup, notes: Notes, event: ForeignChip) -> None:
    """A chip that is not of the inventory."""
    notes.find(
        setup.book,
        "foreign-chip",
        args={"place": event.place},
        cause=event.cause,
        remedy=("call-floor",),
    )


# The pot, and chips before a seat.


def denominations(hand: Hand, notes: Notes, chips: Iterable[int], seat: int | None = None) -> None:
    """Denominations that are out of play are reported once per hand."""
    new = _odd(hand.denominations, chips) - hand.counted.odd_reported
    if new:
        hand.counted.report_odd(new)
        holder = "pot" if seat is None else "seat"
        hand.find(notes, "wrong-denomination", holder, args={"chips": _listed(new)}, seat=seat)


def pot(hand: Hand, notes: Notes, event: PotChips) -> None:
    """The chips in the middle were counted."""
    denominations(hand, notes, event.chips)
    amount = sum(chip for chip in event.chips if chip > 0)
    hand.counted.count_pot(amount)
    _judge_pot(hand, notes, amount, counted=True)


def show(hand: Hand, seat: int, chips: Iterable[int]) -> None:
    """A seat put these chips before it."""
    hand.counted.show(seat, _posted(hand, seat), chips)


def change(hand: Hand, seat: int, put: int) -> int:
    """What is too much of the chips that the seat put before it just now. `put`: their amount."""
    over = hand.counted.shown[seat][0] - hand.chips.bet[seat]
    return min(over, put) if over > 0 and hand.chips.stack[seat] else 0


def swept(hand: Hand, notes: Notes) -> None:
    """A street comes: what was put in before it is complete."""
    if hand.round.to_act is None:
        if hand.counted.pot is not None:
            _judge_pot(hand, notes, hand.counted.pot, counted=False)
        _judge_seats(hand, notes)


def _judge_pot(hand: Hand, notes: Notes, seen: int, *, counted: bool) -> None:
    whole = hand.chips.pot()
    if hand.untracked or whole >= UNKNOWN_STACK:
        return
    pushed = hand.street in (hand.form.first.name, "showdown") or len(hand.live) < 2
    least = 0 if pushed or not counted else whole - sum(hand.chips.bet.values()) - hand.chips.rake
    if seen > whole and hand.round.to_act is not None:
        return
    variance = min(seen - least, 0) or max(seen - whole, 0)
    if variance and variance != hand.counted.variance:
        hand.find(
            notes,
            "pot-mismatch",
            "less" if variance < 0 else "more",
            args={"seen": seen, "by": abs(variance)},
        )
        hand.counted.pot_differs(variance, notes.findings[-1].id)
    elif not variance and counted:
        hand.counted.pot_fits()


def _judge_seats(hand: Hand, notes: Notes) -> None:
    for seat, (amount, declared) in hand.counted.shown.items():
        if declared and amount < hand.chips.bet[seat] < UNKNOWN_STACK:
            hand.find(
                notes,
                "pot-mismatch",
                "seat",
                args={"amount": amount, "bet": hand.chips.bet[seat]},
                seat=seat,
            )
    hand.counted.collect()


def _posted(hand: Hand, seat: int) -> int:
    """What lies before the seat for its blind."""
    if hand.street != hand.form.first.name:
        return 0
    blind = {hand.positions.big: hand.stakes.big, hand.positions.small: hand.stakes.small}.get(seat, 0)
    return max(blind, hand.counted.posted.get(seat, 0), hand.blind_bets.of(seat))


def _odd(in_play: Iterable[int], chips: Iterable[int]) -> frozenset[int]:
    """Denominations that are out of play, if it is known which are in play."""
    known = frozenset(in_play)
    return frozenset(chip for chip in chips if chip > 0 and chip not in known) if known else frozenset()


def _listed(denominations: Iterable[int]) -> tuple[Member, ...]:
    """The denominations as a sentence lists them, the lowest first."""
    return listed([{"denomination": value} for value in sorted(denominations)])


def _member(wrong: Counted) -> Member:
    return {"denomination": wrong.denomination, "expected": wrong.expected, "found": wrong.found}
