"""The clock on a player: called (29), the time that a house gives everybody, and that for a draw.

Theory. A clock runs on one decision of a seat: any action in turn ends it, and the end of the hand. What it
does at its end is found with the first entry whose time is later: who acts at the last moment is in time.

| clock | runs | then |
| --- | --- | --- |
| called | as book or house says, the last seconds counted aloud | dead, or by book a check without a bet |
| the house's time | from the moment when the seat is to act, then the player's time bank | the same |
| to draw | 30 s, or as the house says | the seat stands pat, and may not raise in the next round |
"""

from typing import Final

from tablebridge.engine import expect
from tablebridge.engine.betting import actions
from tablebridge.engine.cards import draws
from tablebridge.engine.consequences import FIND_TURN, NONE, Consequences, Kill
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.hand_time import Decision, Running
from tablebridge.engine.setup import Setup
from tablebridge.model.clock_events import DrawClock
from tablebridge.model.events import Clock, ClockExpired
from tablebridge.model.instant import Instant, seconds_between
from tablebridge.rulebooks import Rulebook

_DRAW_S: Final = 30


def time_of(setup: Setup) -> int:
    """The seconds that the house gives everybody to act; 0 for no limit."""
    named = setup.house.get("action-time", "")
    return int(named) if named.isdecimal() else 0


def called(hand: Hand, notes: Notes, event: Clock, *, there: bool = True) -> None:
    """The clock is called on a seat. `there`: the player who asks is at his seat."""
    seat, caller = event.seat, event.caller
    if seat != hand.round.to_act:
        notes.ignored = f"Seat {seat} is not to act: no clock runs."
    elif _stands(hand, hand.time.running):
        notes.ignored = f"A clock runs on seat {seat} already."
    elif not there:
        hand.find(notes, "clock", args={"caller": caller or 0}, cause="refused", seat=seat)
    else:
        hand.find(notes, "clock", cause="called", seat=seat, case=_case(hand, "clock"))
        seconds, last = _times(hand.book, hand.house.get("clock", ""))
        hand.time.start(Running("called", seat, _decision(hand), notes.at, seconds + last, last))


def expired(hand: Hand, notes: Notes, event: ClockExpired) -> Consequences:
    """The time of a seat has run out: its hand is dead, or it checks."""
    return NONE if event.seat != hand.round.to_act else _ran_out(hand, notes, event.seat)


def to_draw(hand: Hand, notes: Notes, event: DrawClock) -> None:
    """The time to discard runs for a seat."""
    seat, seconds = event.seat, _number(hand, "draw-seconds", _DRAW_S)
    if seat != draws.to_discard(hand):
        notes.ignored = f"Seat {seat} is not to draw: no clock runs."
    elif not seconds:
        notes.ignored = "The house sets no time to draw."
    elif _stands(hand, hand.time.running):
        notes.ignored = f"A clock runs on seat {seat} already."
    else:
        decision: Decision = (hand.street, hand.round.actions, seat)
        hand.time.start(Running("draw", seat, decision, notes.at, seconds))


def running(hand: Hand) -> Running | None:
    """The clock that runs now."""
    clock = hand.time.running
    return clock if _stands(hand, clock) else None


def left(hand: Hand, at: Instant) -> float | None:
    """The seconds until the clock that runs is at its end; None if none runs."""
    clock = running(hand)
    if clock is None:
        return None
    return max(0.0, clock.seconds + clock.bank - seconds_between(clock.since, at))


def due(hand: Hand, at: Instant) -> float | None:
    """The seconds until the clock that runs does something; below 0 if that is not found yet."""
    clock = running(hand)
    if clock is None:
        return None
    first = clock.seconds - clock.last if (clock.last or clock.bank) and not hand.time.reported else None
    then = clock.seconds + clock.bank if first is None else first
    return then - seconds_between(clock.since, at)


def pass_time(setup: Setup, hand: Hand, notes: Notes) -> Consequences:
    """What the clock that runs has done before this entry."""
    clock = hand.time.running
    if clock is None or not _stands(hand, clock):
        return
    passed = seconds_between(clock.since, notes.at)
    if passed > clock.seconds - clock.last and not hand.time.reported and (clock.last or clock.bank):
        hand.time.report()
        if clock.bank:
            seconds = int(clock.bank)
            hand.find(notes, "time-bank", args={"seconds": seconds}, cause="begun", seat=clock.seat)
        else:
            seconds = int(clock.last)
            hand.find(notes, "clock", args={"seconds": seconds}, cause="countdown", seat=clock.seat)
    if passed <= clock.seconds + clock.bank:
        return
    stop(setup, hand, notes.at)
    if clock.bank:
        hand.find(notes, "time-bank", cause="spent", seat=clock.seat)
    if clock.kind == "draw":
        yield from draws.stands_pat(hand, notes, clock.seat)
    else:
        yield from _ran_out(hand, notes, clock.seat)


def turn(setup: Setup, hand: Hand, at: Instant) -> None:
    """At a table where everybody has the same time: it runs for the seat that is to act."""
    if _stands(hand, hand.time.running):
        return
    stop(setup, hand, at)
    seat = expect.acting(hand)
    if seat is None or hand.over:
        return
    bank = setup.time_banks.get(seat, float(_number(hand, "time-bank", 0)))
    hand.time.start(Running("time", seat, _decision(hand), at, hand.time.time_s, bank=bank))


def stop(setup: Setup, hand: Hand, at: Instant) -> None:
    """The clock that ran runs no more; what it took of a time bank is gone."""
    clock = hand.time.running
    if clock is None:
        return
    hand.time.stop()
    used = seconds_between(clock.since, at) - clock.seconds
    if clock.bank and used > 0:
        setup.time_banks = {**setup.time_banks, clock.seat: max(0.0, clock.bank - used)}


def _ran_out(hand: Hand, notes: Notes, seat: int) -> Consequences:
    hand.find(notes, "clock", cause="expired", seat=seat, case=_case(hand, "clock"))
    faces_bet = hand.round.current > hand.chips.bet[seat]
    if faces_bet or hand.book.clock_without_bet == "dead" or _cash(hand):
        hand.find(notes, "dead-hand", cause="clock", seat=seat, case=_case(hand, "dead-hand"))
        return (Kill(seat),)
    actions.act(hand, notes, seat, "check", None)
    return (FIND_TURN,)


def _cash(hand: Hand) -> bool:
    """Whether the book looks at the kind of game here, and this is a cash game."""
    by_format = hand.book.clock_without_bet == "dead-in-cash"
    return by_format and hand.house.get("format", hand.book.format) == "cash"


def _case(hand: Hand, finding: str) -> str:
    """The case of a tournament, if the book has rules of its own for it."""
    if hand.book.clock_without_bet != "dead-in-cash" or _cash(hand):
        return ""
    return "tournament" if finding == "clock" else "clock-tournament"


def _times(book: Rulebook, named: str) -> tuple[float, float]:
    """The seconds of a clock before its countdown, and of the countdown. By some books a house only makes
    them shorter.
    """
    seconds, plus, last = named.partition("+")
    if not (plus and seconds.isdecimal() and last.isdecimal()):
        return float(book.clock_s), float(book.countdown_s)
    if book.clock_change == "shorter":
        return float(min(int(seconds), book.clock_s)), float(min(int(last), book.countdown_s))
    return float(int(seconds)), float(int(last))


def _number(hand: Hand, key: str, otherwise: int) -> int:
    named = hand.house.get(key, "")
    return int(named) if named.isdecimal() else otherwise


def is_there(setup: Setup, seat: int) -> bool:
    return seat in setup.seats and seat not in setup.absent and seat not in setup.on_penalty


def _decision(hand: Hand) -> Decision:
    return hand.street, hand.round.actions, hand.round.to_act


def _stands(hand: Hand, clock: Running | None) -> bool:
    """Whether the clock still runs: the decision is the same."""
    if clock is None or hand.over:
        return False
    if clock.kind == "draw":
        return draws.to_discard(hand) == clock.seat
    return clock.decision == _decision(hand)
