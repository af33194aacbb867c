"""Conduct: offences that the floor confirmed, penalties that count and end, disqualification, players who
leave.

Theory. A finding of the engine is at most a suspicion: only what the floor enters moves the ladder of a
player. What the ladder gives next is a proposal. A penalty counts hands: each hand that began while it was
due takes one off when it is over, a void hand and its re-deal together one (35-C). Given during a hand it
counts from the next one (68).

| event | then |
| --- | --- |
| warning, infraction | `infraction`, with the steps of the book; the second of a kind is a `warning` |
| penalty in hands or rounds | `penalty` `begins`; with an offence also `infraction` |
| the end of a hand that was missed | `penalty` `counts`, or `over` |
| penalty-over | it is over at once |
| disqualified | the hand is dead, its bets stay, the stack leaves play |
| absent, leaves: with a live hand | `left-table`; by book it lives (31), dies in turn, or at once |
"""

from collections.abc import Iterable
from typing import Final

from tablebridge.engine.consequences import NONE, Consequences, Kill
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.seating import arrivals
from tablebridge.engine.setup import Setup
from tablebridge.model.conduct_events import (
    OFFENCES,
    Disqualified,
    Infraction,
    Leaves,
    MissedHands,
    PenaltyOver,
    Warned,
)
from tablebridge.model.events import Absent

MOST_HANDS: Final = 1_000
"""No penalty is longer."""
_STEPS: Final = {
    "warning": "warn",
    "rounds": "miss-rounds",
    "disqualified": "disqualify",
    "floor": "call-floor",
}


def ladder(setup: Setup, seat: int, offence: str) -> tuple[str, ...]:
    """What the book gives for the next offence of this kind; nothing if nobody sits there."""
    if seat not in setup.seats:
        return ()
    steps = setup.book.ladders.get(offence)
    if steps is None:
        return ("floor",)
    return steps.again if setup.offences.get(seat, {}).get(offence) else steps.first


def warned(setup: Setup, notes: Notes, event: Warned) -> None:
    """A verbal warning."""
    if _is_seated(setup, notes, event.seat):
        _noted(setup, notes, event.seat, event.offence, ("warn",))


def infraction(setup: Setup, notes: Notes, event: Infraction) -> None:
    """An offence that the floor confirms, before it gives anything for it."""
    if _is_seated(setup, notes, event.seat):
        gives = ladder(setup, event.seat, event.offence)
        remedy = tuple(dict.fromkeys(_STEPS[step.rpartition("-")[0] or step] for step in gives))
        _noted(setup, notes, event.seat, event.offence, remedy, gives)


def misses(setup: Setup, notes: Notes, event: MissedHands) -> None:
    """The seat is to miss hands or rounds. A second penalty is added to what is left of the first."""
    seat = event.seat
    if not _is_seated(setup, notes, seat) or event.number <= 0:
        return
    hands = event.number * (len(setup.seats) if event.unit == "rounds" else 1)
    left = min(setup.penalties.get(seat, 0) + hands, MOST_HANDS)
    setup.penalties = {**setup.penalties, seat: left}
    _counted(setup, notes, seat, "begins", left)
    if event.offence:
        _noted(setup, notes, seat, event.offence, (f"miss-{event.unit}",))


def over(setup: Setup, notes: Notes, event: PenaltyOver) -> None:
    """The floor ends a penalty, however it was given."""
    seat = event.seat
    if seat not in setup.on_penalty:
        notes.ignored = f"Seat {seat} serves no penalty."
        return
    setup.end_penalty(seat)
    _counted(setup, notes, seat, "over", 0)


def served(setup: Setup, hand: Hand, notes: Notes) -> None:
    """A hand is over: each seat that missed it has one less to miss."""
    if not setup.penalties:
        return
    for seat in sorted(hand.penalty & setup.penalties.keys() & set(hand.order)):
        left = setup.penalties[seat] - 1
        if left:
            setup.penalties = {**setup.penalties, seat: left}
        else:
            setup.end_penalty(seat)
        _counted(setup, notes, seat, "counts" if left else "over", left)


def disqualified(setup: Setup, hand: Hand | None, notes: Notes, event: Disqualified) -> Consequences:
    """The player is out: his hand is dead, his bets stay, and his chips leave play (71-D)."""
    seat = event.seat
    if not _is_seated(setup, notes, seat):
        return NONE
    setup.end_penalty(seat)
    setup.stacks = {**setup.stacks, seat: 0}
    if event.offence:
        _noted(setup, notes, seat, event.offence, ("disqualify", "remove-from-play"))
    if hand is None or hand.over or seat not in hand.order:
        return NONE
    hand.chips.remove(seat)
    if seat not in hand.live:
        return NONE
    hand.find(notes, "dead-hand", cause="ruling", seat=seat)
    return (Kill(seat),)


def absent(setup: Setup, hand: Hand | None, notes: Notes, event: Absent) -> Consequences:
    """These players, and no others, are away when the next hand is dealt."""
    gone = frozenset(event.seats)
    left = sorted(gone - setup.absent)
    setup.absent = gone
    return NONE if hand is None else _left(setup, hand, notes, left)


def leaves(setup: Setup, hand: Hand | None, notes: Notes, event: Leaves) -> Consequences:
    """The player gives the seat up, from the next hand on."""
    if not _is_seated(setup, notes, event.seat):
        return NONE
    arrivals.left(setup, hand, notes, event.seat)
    setup.seats = tuple(seat for seat in setup.seats if seat != event.seat)
    setup.end_penalty(event.seat)
    setup.time_banks = {seat: left for seat, left in setup.time_banks.items() if seat != event.seat}
    setup.offences = {seat: known for seat, known in setup.offences.items() if seat != event.seat}
    return NONE if hand is None else _left(setup, hand, notes, (event.seat,))


def back(hand: Hand, seat: int) -> None:
    """The player of the seat is there: in time for the deal, or before the turn comes to him."""
    hand.entries.come_back(seat)
    if not hand.deal.over:
        hand.arrive(seat)


def turn_of_gone(hand: Hand, notes: Notes) -> Consequences:
    """The turn comes to a player who left, or hands are shown: his hand is dead."""
    while (seat := hand.round.to_act) in hand.entries.gone and seat is not None and len(hand.live) > 1:
        yield from _dies(hand, notes, seat, "left")
    if hand.street == "showdown":
        for seat in sorted(hand.entries.gone & hand.live):
            if len(hand.live) > 1:
                yield from _dies(hand, notes, seat, "left-showdown")


def _left(setup: Setup, hand: Hand, notes: Notes, seats: Iterable[int]) -> Consequences:
    """Players left the table during the hand: a live hand lives, or dies as the book says."""
    for seat in seats:
        if hand.over or not hand.deal.over or seat not in hand.live or len(hand.live) < 2:
            continue
        if hand.book.leaving == "dies":
            yield from _dies(hand, notes, seat, "left")
            continue
        cause = "showdown" if hand.street == "showdown" else "live-hand"
        hand.find(notes, "left-table", cause=cause, seat=seat)
        if hand.book.leaving == "dies-in-turn" and setup.cash:
            hand.entries.go_away(seat)


def _dies(hand: Hand, notes: Notes, seat: int, case: str) -> Consequences:
    """The hand of a player who left is dead."""
    hand.find(notes, "dead-hand", case, cause="left", seat=seat, case="" if case == "left" else case)
    yield Kill(seat)


def _is_seated(setup: Setup, notes: Notes, seat: int) -> bool:
    if seat in setup.seats:
        return True
    notes.ignored = f"Nobody sits at seat {seat}."
    return False


def _noted(
    setup: Setup,
    notes: Notes,
    seat: int,
    offence: str,
    remedy: tuple[str, ...],
    gives: tuple[str, ...] = (),
) -> None:
    """An offence stands against the player of the seat. `gives`: what the book gives for it, if nothing is
    given yet.
    """
    if offence not in OFFENCES:
        notes.ignored = f"{offence!r} is no kind of offence."
        return
    known = setup.offences.get(seat, {})
    before = known.get(offence, 0)
    setup.offences = {**setup.offences, seat: {**known, offence: before + 1}}
    notes.find(
        setup.book,
        "infraction",
        "again" if before else "first",
        args={"kind": offence, "before": before},
        cause=offence,
        seat=seat,
        severity="warning" if before else "notice",
        remedy=remedy,
        gives=gives,
    )


def _counted(setup: Setup, notes: Notes, seat: int, cause: str, left: int) -> None:
    notes.find(setup.book, "penalty", args={"hands": left}, cause=cause, seat=seat)
