"""Captures: recorded conversations with a device, one piece a line, and sessions that hear them again.

    {"ms":0.0,"direction":"start","driver":"feig","options":{"ont":"presc"}}
    {"ms":0.0,"direction":"tx","hex":"0500520052"}
    {"ms":4.251,"direction":"rx","hex":"0600520052AB"}
    {"ms":54.3,"direction":"due"}

`rx` is what the device said, `tx` what the host said. A capture that begins with `start` was recorded from a
running driver: it names the driver and the options that differ from the defaults, and has a `due` for each
time that the session was called because its time had come, so that it is heard again exactly. Each further
`start` is a new conversation: the port was opened again. One that does not begin so was composed, or logged
elsewhere: its session is called at just the times that it asks for.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, cast

import msgspec

from tablebridge.sdk.driver import Driver, Light, Options, Session, Signal, Turn
from tablebridge.sdk.turns import MS, Heard, at, defaults, must, no_raise


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line. `ms`: since the first `start`, to the nanosecond. `hex`: the bytes of `rx` and `tx`."""

    ms: float
    direction: Literal["rx", "tx", "due", "start", "show"]
    hex: str = ""
    driver: str = ""
    options: Options = {}
    signal: Signal | None = None


def read_capture(text: str) -> list[Piece]:
    """The pieces of a capture, in order of time. Raises ValueError with the number of the first line that is
    none.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                piece = msgspec.json.decode(line, type=Piece)
                bytes.fromhex(piece.hex)
            except ValueError as error:
                raise ValueError(f"line {number} is no piece of a capture ({error})") from None
            found.append(piece)
    if any(before.ms > after.ms for before, after in pairwise(found)):
        raise ValueError("the capture is not in order of time")
    return found


def hear(driver: Driver, capture: Sequence[Piece], **changed: bool | int | float | str) -> Heard:
    """What sessions make of a capture. `changed`: options other than the capture's own. Raises ContractError
    if the driver breaks a promise.
    """
    player = _Player(driver, changed)
    recorded = bool(capture) and capture[0].direction == "start"
    if not recorded:
        with no_raise("at the start"):
            player.start(0, {})
    for piece in capture:
        with no_raise(f"at {piece.ms:g} ms, {piece.direction} {piece.hex[:64]}".rstrip()):
            player.hear(piece, wait=not recorded)
    return player.heard


def said_otherwise(heard: Heard, capture: Sequence[Piece]) -> str:
    """How what the sessions said differs from what the capture's host said; empty if it does not."""
    said = b"".join(heard.sent)
    recorded = bytes.fromhex("".join(piece.hex for piece in capture if piece.direction == "tx"))
    if said == recorded:
        return ""
    at = next(
        (n for n, (ours, theirs) in enumerate(zip(said, recorded, strict=False)) if ours != theirs),
        min(len(said), len(recorded)),
    )
    ours, theirs = (part[at : at + 24].hex().upper() or "nothing more" for part in (said, recorded))
    return f"from byte {at} on the session says {ours}, the capture's host said {theirs}"


def replay(driver: Driver, capture: Sequence[Piece], **changed: bool | int | float | str) -> Heard:
    """What sessions make of a capture. Raises ContractError if they say other bytes than the capture's host
    said.
    """
    heard = hear(driver, capture, **changed)
    difference = said_otherwise(heard, capture)
    must(not difference, difference)
    return heard


class _Player:
    """The sessions of one capture, one after the other, and what they made of it."""

    session: Session

    def __init__(self, driver: Driver, changed: Options) -> None:
        self.heard = Heard()
        self._driver = driver
        self._changed = changed
        self._turn = Turn()

    def start(self, now_ns: int, options: Options) -> None:
        self.session = self._driver.session(defaults(self._driver, **{**options, **self._changed}))
        self.take(self.session.start(at(now_ns)), now_ns)

    def hear(self, piece: Piece, wait: bool) -> None:
        """One piece. `wait`: the session is called before at the times that it asks for."""
        now_ns = round(piece.ms * MS)
        if wait:
            self.wait(now_ns)
        match piece.direction:
            case "start":
                self.start(now_ns, piece.options)
            case "rx":
                self.take(self.session.received(bytes.fromhex(piece.hex), at(now_ns)), now_ns)
            case "show" if piece.signal is not None:
                self.take(cast(Light, self.session).show(piece.signal, at(now_ns)), now_ns)
            case "due":
                self.take(self.session.due(at(now_ns)), now_ns)

    def take(self, turn: Turn, now_ns: int) -> None:
        self._turn = turn
        self.heard.add(turn, now_ns)

    def wait(self, until_ns: int) -> None:
        """Call the session at the times that it asks for."""
        while (wake_ns := self._turn.wake_ns) is not None and wake_ns <= until_ns:
            self.take(self.session.due(at(wake_ns)), wake_ns)
            must(
                self._turn.wake_ns is None or self._turn.wake_ns > wake_ns,
                "due() at its time names no later one",
            )


__all__ = ["Piece", "hear", "read_capture", "replay", "said_otherwise"]
