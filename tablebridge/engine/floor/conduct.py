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
| absent, leaves: with a live hand | `left-table`: the hand stays live (31) |
"""

from typing import Final

from tablebridge.engine.consequences import NONE, Consequences, Kill
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
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
        steps = (step.rpartition("-")[0] or step for step in ladder(setup, event.seat, event.offence))
        remedy = tuple(dict.fromkeys(_STEPS[step] for step in steps))
        _noted(setup, notes, event.seat, event.offence, remedy)


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


def absent(setup: Setup, hand: Hand | None, notes: Notes, event: Absent) -> None:
    """These players, and no others, are away when the next hand is dealt."""
    gone = frozenset(event.seats)
    if hand is not None:
        for seat in sorted(gone - setup.absent):
            _left(hand, notes, seat)
    setup.absent = gone


def leaves(setup: Setup, hand: Hand | None, notes: Notes, event: Leaves) -> None:
    """The player gives the seat up, from the next hand on."""
    if not _is_seated(setup, notes, event.seat):
        return
    setup.seats = tuple(seat for seat in setup.seats if seat != event.seat)
    setup.end_penalty(event.seat)
    setup.offences = {seat: known for seat, known in setup.offences.items() if seat != event.seat}
    if hand is not None:
        _left(hand, notes, event.seat)


def _left(hand: Hand, notes: Notes, seat: int) -> None:
    """A player with a live hand left the table during the hand."""
    if not hand.over and hand.deal.over and seat in hand.live and len(hand.live) > 1:
        hand.find(notes, "left-table", cause="live-hand", seat=seat)


def _is_seated(setup: Setup, notes: Notes, seat: int) -> bool:
    if seat in setup.seats:
        return True
    notes.ignored = f"Nobody sits at seat {seat}."
    return False


def _noted(setup: Setup, notes: Notes, seat: int, offence: str, remedy: tuple[str, ...]) -> None:
    """An offence stands against the player of the seat."""
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
    )


def _counted(setup: Setup, notes: Notes, seat: int, cause: str, left: int) -> None:
    notes.find(setup.book, "penalty", args={"hands": left}, cause=cause, seat=seat)
