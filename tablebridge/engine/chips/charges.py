"""What the house takes: the fee of a pot, and charges for time.

Theory. If the house names a percentage or a cap, the rake of a pot is that percentage of it, cut to the
smallest chip, and at most the cap. A charge for time is due at its times, counted from the first hand on,
between hands, from each seat that is present; what was not noticed in time is due once.

| event | then |
| --- | --- |
| rake | `rake-wrong` `over-cap`, or `percent` for another amount than the percentage |
| the first entry between hands when it is time | `time-charge` `due` for each seat that is present |
| collect | the chips leave the stack; less than the charge is `time-charge` `short` |
| lammer | a marker for an exchange of chips lies at a seat |
"""

from typing import Final

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import UNKNOWN_STACK, Setup, chosen
from tablebridge.model import events as ev
from tablebridge.model.chip_events import Collect, Lammer, Rake
from tablebridge.model.instant import Instant, seconds_between

CHARGE: Final = "time-charge"
_USUALLY_EVERY_S: Final = 1800


def rake(hand: Hand, notes: Notes, event: Rake) -> None:
    """The house takes this amount out of the pot; it goes off the pots when they are paid."""
    hand.chips.take_rake(event.amount)
    percent, cap = chosen(hand.house, "rake-percent"), chosen(hand.house, "rake-cap")
    if hand.untracked or (percent is None and cap is None):
        return
    taken, pot = hand.chips.rake, hand.chips.pot()
    if cap is not None and taken > cap:
        hand.find(
            notes,
            "rake-wrong",
            cause="over-cap",
            args={"rake": taken, "cap": cap},
            remedy=("return-excess",),
        )
    elif percent is not None:
        due = pot * percent // (100 * hand.unit) * hand.unit
        due = due if cap is None else min(due, cap)
        if taken != due:
            remedy = ("return-excess",) if taken > due else ("call-floor",)
            args = {"rake": taken, "due": due, "percent": percent, "pot": pot}
            hand.find(notes, "rake-wrong", cause="percent", args=args, remedy=remedy)


def pass_time(setup: Setup, notes: Notes, entry: ev.Entry) -> None:
    """An entry between hands: a charge for time may be due."""
    amount = chosen(setup.house, CHARGE)
    if setup.charged_at is None:
        # The time runs from the first hand on.
        setup.charged_at = entry.at if isinstance(entry.event, ev.Hand) else None
    if not amount or setup.charged_at is None:
        return
    every = chosen(setup.house, "time-charge-every") or _USUALLY_EVERY_S
    passed = seconds_between(setup.charged_at, entry.at)
    if passed < every:
        return
    # Whole periods, so that the charge stays at its times however late it is noticed.
    setup.charged_at = _later(setup.charged_at, entry.at, passed // every * every)
    for seat in setup.seats:
        if seat not in setup.absent:
            notes.find(setup.book, "time-charge", cause="due", seat=seat, args={"amount": amount})


def collect(setup: Setup, hand: Hand | None, notes: Notes, event: Collect) -> None:
    """Time charge was taken from a seat."""
    if hand is not None and not hand.over:
        notes.ignored = "Time is charged between hands."
        return
    if event.seat not in setup.seats or event.amount < 0:
        notes.ignored = f"Nobody sits at seat {event.seat}."
        return
    stack, due = setup.stack(event.seat), chosen(setup.house, CHARGE) or 0
    if stack < UNKNOWN_STACK:
        setup.stacks[event.seat] = stack - min(event.amount, stack)
    if event.amount < due:
        notes.find(
            setup.book,
            "time-charge",
            cause="short",
            seat=event.seat,
            args={"amount": event.amount, "due": due},
        )


def lammer(setup: Setup, notes: Notes, event: Lammer) -> None:
    """A marker for an exchange lies at a seat, or was taken off."""
    others = {seat: amount for seat, amount in setup.lammers.items() if seat != event.seat}
    setup.lammers = {**others, event.seat: event.amount} if event.amount > 0 else others


def _later(begun: Instant, now: Instant, seconds: float) -> Instant:
    """The instant a number of seconds after `begun`, by the clocks of `now`."""
    back = round((seconds_between(begun, now) - seconds) * 1e9)
    return Instant(now.wall_ns - back, now.monotonic_ns - back, now.boot_id, now.clock_synchronised)
