"""What a session answers, judged and collected: the ground of the test kit and of played captures."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from tablebridge.model.bounds import MOST_ODDS
from tablebridge.model.instant import Instant
from tablebridge.model.places import parse_place
from tablebridge.model.readings import (
    ButtonPress,
    DeviceStatus,
    Look,
    Reading,
    ShufflerReport,
    Sweep,
    TrayReading,
)
from tablebridge.sdk.driver import Driver, Options, Reason, Rejected, Turn

MS: Final = 1_000_000
S: Final = 1_000_000_000
_UID: Final = re.compile(r"(?:[0-9A-F]{2}){2,62}")
"""From 16 bits, the shortest EPC, to 496, the longest."""


class ContractError(AssertionError):
    """A driver breaks a promise; the sentence says which and how."""


def must(holds: bool, sentence: str) -> None:
    """Raises ContractError with the sentence unless it holds."""
    if not holds:
        raise ContractError(sentence)


@contextmanager
def no_raise(doing: str) -> Iterator[None]:
    """What a driver raises within is a broken promise. `doing`: what was done when it raised."""
    try:
        yield
    except ContractError:
        raise
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise ContractError(f"the driver raised {why} ({doing})") from error


def check_turn(turn: Turn, now_ns: int) -> None:
    """One answer of a session: right types, UIDs in upper-case hex, counts above zero, bytes cut."""
    must(isinstance(turn, Turn), f"a session answered with {type(turn).__name__}, not with a Turn")
    must(isinstance(turn.send, bytes), "Turn.send is not bytes")
    must(turn.wake_ns is None or turn.wake_ns > now_ns - 60 * S, "Turn.wake_ns lies long in the past")
    for reading in turn.readings:
        must(
            isinstance(reading, Sweep | ShufflerReport | TrayReading | ButtonPress | DeviceStatus | Look),
            f"{type(reading).__name__} is no reading",
        )
        if isinstance(reading, Sweep):
            must(reading.visits > 0, "a sweep of less than one visit")
            must(len(set(reading.tags)) == len(reading.tags), "a tag twice in one sweep")
        if isinstance(reading, Sweep | TrayReading):
            for tag in reading.tags:
                must(
                    _UID.fullmatch(tag) is not None, f"the UID {tag!r} is not upper-case hex of 2 to 62 bytes"
                )
        if isinstance(reading, Look):
            must(_is_place(reading.place), f"a look at {reading.place!r}, which is no place")
            must(1 <= reading.odds <= MOST_ODDS, f"odds of {reading.odds!r}; they are 1 to {MOST_ODDS}")
            must(len(reading.face) <= 6, "a face that is no card")
        # What a session says goes on the bus: it must have a JSON form.
        msgspec.json.encode(reading)
    for item in turn.rejected:
        must(
            isinstance(item, Rejected) and isinstance(item.reason, Reason),
            "a reject without a reason of `Reason`",
        )
        must(len(item.raw) <= 64, "Rejected.raw is longer than 64 bytes")


def _is_place(text: str) -> bool:
    try:
        parse_place(text)
    except ValueError:
        return False
    return True


class Heard(msgspec.Struct):
    """What a session made of a conversation. `read_ns`: when it said each reading. `alive_ns`: when it said
    that it lives.
    """

    readings: list[Reading] = msgspec.field(default_factory=list)
    read_ns: list[int] = msgspec.field(default_factory=list)
    rejected: list[Rejected] = msgspec.field(default_factory=list)
    sent: list[bytes] = msgspec.field(default_factory=list)
    alive_ns: list[int] = msgspec.field(default_factory=list)

    def add(self, turn: Turn, now_ns: int) -> None:
        """One more turn, which is checked first."""
        check_turn(turn, now_ns)
        self.readings.extend(turn.readings)
        self.read_ns.extend([now_ns] * len(turn.readings))
        self.rejected.extend(turn.rejected)
        if turn.send:
            self.sent.append(turn.send)
        if turn.alive:
            self.alive_ns.append(now_ns)


def defaults(driver: Driver, **changed: bool | int | float | str) -> Options:
    """The driver's options as the host gives them: every one, with its default unless changed."""
    return {**{name: option.default for name, option in driver.options.items()}, **changed}


def at(now_ns: int) -> Instant:
    """An instant of virtual time."""
    return Instant(now_ns, now_ns, "test")


__all__ = ["MS", "ContractError", "Heard", "S", "at", "check_turn", "defaults", "must", "no_raise"]
