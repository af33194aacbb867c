"""Levels and their clock, breaks, and hand-for-hand play.

Theory. The level's clock runs on the times of the entries. It stands while it is stopped, and during
hand-for-hand play, where each hand takes off the same, whatever time it takes (RP-8-B).

| event | then |
| --- | --- |
| level | the stakes of the next hand, or of the one after it (23); the clock is done with if it is at 0 |
| hand at other stakes | below the level's: `old-level`; the hand is played at them |
| level, once more in it | until substantial action blinds and minimums are put right; then they stand |
| dealer-change | in the last 90 s of the level, or a break is due: `late-push` (RP-7) |
| break | begins at once, or with the end of the hand under way |
| hand-for-hand on | the clock stands; the next all-in and call is held up (RP-8-F) |
| hand-for-hand go, over | what is held up goes on |
"""

from typing import Final

from msgspec.structs import replace

from tablebridge.engine import substantial_action
from tablebridge.engine.betting import limits, rounds
from tablebridge.engine.consequences import FIND_TURN, NONE, Consequences
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import LevelClock, Pause, Setup, Stakes
from tablebridge.model import clock_events as timed
from tablebridge.model.events import Level
from tablebridge.model.instant import Instant, seconds_between

_LATE_PUSH_S: Final = 90.0
_HAND_S: Final = 120
_MOST_HAND_S: Final = 180
"""What a hand of hand-for-hand play takes off the clock, and the most that a house may have it take."""
_MOST_SECONDS: Final = 86_400
_DECKS_READY_FOR: Final = 2
"""How many players sit where a deck is made ready in the last minute of a break."""


def left(setup: Setup, at: Instant) -> float | None:
    """The seconds that are left in the level; None if the table has no clock."""
    clock = setup.level_clock
    if clock is None:
        return None
    return max(0.0, clock.left_s - (0.0 if clock.since is None else seconds_between(clock.since, at)))


def decks_ready(setup: Setup) -> bool:
    """Whether the deck of this table is to be made ready in the last minute of the break that is on."""
    players = set(setup.seats) - setup.absent
    return setup.pause is not None and setup.book.decks_ready and len(players) >= _DECKS_READY_FOR


def level(setup: Setup, hand: Hand | None, notes: Notes, event: Level) -> Consequences:
    """A new level of blinds. After the push it is of the hand after the next by some books (23)."""
    before, new = setup.stakes, setup.staked(event.stakes)
    if _below(new, before):
        notes.ignored = (
            f"The level {_named(new)} is below {_named(before)}, which holds: "
            "name the game with its stakes to go back."
        )
        return NONE
    setup.stakes = new
    if setup.pushed and setup.book.push_begins_hand:
        setup.stakes, setup.next_stakes = before, new
    if setup.level_clock is not None:
        setup.level_clock = replace(setup.level_clock, early=True) if left(setup, notes.at) else None
    if hand is None or hand.over or not hand.time.old_level:
        return NONE
    if substantial_action.occurred(hand):
        _old(hand, notes, new, "stands", ("play-on",))
        return NONE
    _put_right(hand, new)
    return (FIND_TURN,)


def began_at(setup: Setup, hand: Hand, notes: Notes) -> None:
    """A hand began at stakes of its own: below those of the level that is a mistake."""
    if _below(hand.stakes, setup.stakes):
        hand.time.at_old_level(True)
        _old(hand, notes, setup.stakes, "began", ("correct-level",))


def _old(hand: Hand, notes: Notes, new: Stakes, text: str, remedy: tuple[str, ...]) -> None:
    args = {"stakes": _named(hand.stakes), "level": _named(new)}
    hand.find(notes, "old-level", text, args=args, remedy=remedy)


def _put_right(hand: Hand, new: Stakes) -> None:
    """The blinds are made good to the new level, and what may be bet follows them."""
    chips, positions = hand.chips, hand.positions
    hand.play_at(new)
    hand.time.at_old_level(False)
    for seat, blind in ((positions.small, new.small), (positions.big, new.big)):
        if seat in chips.bet and chips.bet[seat] < blind:
            chips.pay(seat, blind - chips.bet[seat])
    hand.round.raise_blinds(max(new.small, new.big), limits.street_bet(hand))


def _below(stakes: Stakes, other: Stakes) -> bool:
    return (stakes.small_bet, stakes.big_bet) != (other.small_bet, other.big_bet) and (
        stakes.small_bet <= other.small_bet and stakes.big_bet <= other.big_bet
    )


def _named(stakes: Stakes) -> str:
    return f"{stakes.small_bet}/{stakes.big_bet}"


def clock(setup: Setup, notes: Notes, event: timed.LevelClock) -> None:
    """The clock of the level is set, stopped, or runs again."""
    known = setup.level_clock
    if event.state == "set":
        seconds = float(min(max(event.seconds, 0), _MOST_SECONDS))
        stands = setup.hand_for_hand
        setup.level_clock = LevelClock(seconds, None if stands else notes.at, held=stands)
    elif known is None:
        notes.ignored = "The table has no clock of the level: set it with its seconds first."
    elif event.state == "stop":
        if known.since is None and not known.held:
            notes.ignored = "The clock of the level stands already."
        setup.level_clock = _standing(setup, notes.at, held=False)
    elif setup.hand_for_hand:
        notes.ignored = "During hand-for-hand play the clock of the level stands."
    elif known.since is not None:
        notes.ignored = "The clock of the level runs already."
    else:
        setup.level_clock = replace(known, since=notes.at)


def _standing(setup: Setup, at: Instant, *, held: bool) -> LevelClock | None:
    known, seconds = setup.level_clock, left(setup, at)
    if known is None or seconds is None:
        return None
    return replace(known, left_s=seconds, since=None, held=held)


def pushed(setup: Setup, notes: Notes) -> None:
    """A dealer is relieved: not in the last 90 seconds before a level or a break (RP-7)."""
    seconds = left(setup, notes.at)
    if setup.break_due or (seconds is not None and seconds <= _LATE_PUSH_S):
        text = "break" if setup.break_due else "level"
        args = {} if seconds is None or setup.break_due else {"seconds": int(seconds)}
        notes.find(setup.book, "late-push", text, args=args)


def pause(setup: Setup, hand: Hand | None, notes: Notes, event: timed.Break) -> None:
    """A break began, or begins with the end of the hand under way."""
    seconds = min(max(event.seconds, 0), _MOST_SECONDS)
    if hand is not None and not hand.over:
        setup.break_due = seconds
    else:
        setup.pause = Pause(notes.at, seconds)


def begins(setup: Setup, *, again: bool) -> None:
    """A hand begins: the break is over, and hand-for-hand play takes its share off the clock. `again`: it is
    dealt again, and was counted.
    """
    setup.pause = None
    clock = setup.level_clock
    if setup.hand_for_hand and clock is not None and not again:
        named = setup.house.get("h4h-seconds", "")
        share = min(int(named), _MOST_HAND_S) if named.isdecimal() else _HAND_S
        setup.level_clock = replace(clock, left_s=max(0.0, clock.left_s - share))


def ended(setup: Setup, at: Instant) -> None:
    """A hand was played to its end."""
    if setup.break_due:
        setup.pause, setup.break_due = Pause(at, setup.break_due), 0
    setup.ended, setup.ended_in_break = at, setup.pause is not None


def hand_for_hand(setup: Setup, hand: Hand | None, notes: Notes, event: timed.HandForHand) -> None:
    """Hand-for-hand play begins, goes on, or is over."""
    under_way = hand if hand is not None and not hand.over else None
    if event.state == "on":
        if setup.hand_for_hand:
            notes.ignored = "Hand-for-hand play is on already."
            return
        setup.hand_for_hand = True
        clock = setup.level_clock
        if clock is not None and clock.since is not None:
            setup.level_clock = _standing(setup, notes.at, held=True)
        if under_way is not None:
            under_way.time.hold("on")
        return
    if not setup.hand_for_hand:
        notes.ignored = "Hand-for-hand play is not on."
        return
    if event.state == "over":
        _over(setup, under_way, notes)
    elif under_way is None or under_way.time.stops != "held":
        notes.ignored = "Nothing is held up for hand-for-hand play."
    else:
        under_way.time.hold("released")
        rounds.all_in_and_called(under_way, notes)


def _over(setup: Setup, hand: Hand | None, notes: Notes) -> None:
    setup.hand_for_hand = False
    clock = setup.level_clock
    if clock is not None and clock.held:
        setup.level_clock = replace(clock, since=notes.at, held=False)
    notes.find(setup.book, "hand-for-hand", cause="over", remedy=())
    if hand is not None:
        held = hand.time.stops == "held"
        hand.time.hold("")
        if held:
            rounds.all_in_and_called(hand, notes)
