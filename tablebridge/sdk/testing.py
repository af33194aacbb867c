"""A kit to test drivers with, for any test runner: the contract, hostile lines, and recorded captures.

    check_driver(DRIVER, streams=[bytes of a device at work])

raises `ContractError` with a sentence for the first promise of `tablebridge.sdk.driver` that the driver breaks. Time is
virtual and chance comes from a seed, so a failure comes again.
"""

import gc
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final, Literal, Protocol

import msgspec

from tablebridge.model.instant import Instant
from tablebridge.model.readings import ButtonPress, DeviceStatus, Reading, ShufflerReport, Sweep, TrayReading
from tablebridge.sdk.driver import Driver, Options, Reason, Rejected, SerialPort, Session, Turn

MS: Final = 1_000_000
S: Final = 1_000_000_000
MEMORY_LIMIT: Final = 256 * 1024
"""What a session may hold in bytes, however long it listens."""
_UID: Final = re.compile(r"(?:[0-9A-F]{2}){2,62}")
"""From 16 bits, the shortest EPC, to 496, the longest."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


class ContractError(AssertionError):
    """A driver breaks a promise; the sentence says which and how."""


def _must(holds: bool, sentence: str) -> None:
    if not holds:
        raise ContractError(sentence)


class Chance:
    """Pseudo-random numbers from a seed (splitmix64), so that this module needs no source of chance."""

    def __init__(self, seed: int = 0) -> None:
        self._state = seed & 0xFFFFFFFFFFFFFFFF

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        return (mixed ^ mixed >> 31) % limit

    def happens(self, share: float) -> bool:
        """True in `share` (0 to 1) of the cases."""
        return self.below(1_000_000) < share * 1_000_000

    def bytes(self, count: int) -> bytes:
        return bytes(self.below(256) for _ in range(count))


class Link(msgspec.Struct):
    """A hostile line. The shares are by byte, but for `cut` (by message: the rest of it never comes) and `delay`.

    `delay_ms`: each piece comes up to so much later, in order. A link with all at zero is a good line.
    """

    chance: Chance
    flip: float = 0.0
    drop: float = 0.0
    double: float = 0.0
    cut: float = 0.0
    delay_ms: int = 0

    def carry(self, data: bytes) -> bytes:
        """What comes out of the line when `data` goes in."""
        out = bytearray()
        for byte in data:
            if self.chance.happens(self.drop):
                continue
            out.append(byte ^ 1 << self.chance.below(8) if self.chance.happens(self.flip) else byte)
            if self.chance.happens(self.double):
                out.append(out[-1])
        if self.chance.happens(self.cut):
            del out[self.chance.below(len(out) + 1):]
        return bytes(out)

    def delay_ns(self) -> int:
        """How late the next piece is."""
        return self.chance.below(self.delay_ms * MS) if self.delay_ms else 0


class Peer(Protocol):
    """A device, played: what it says to bytes of the host, or by itself, each piece with its delay from now in ns."""

    def asked(self, data: bytes, now_ns: int) -> Iterable[tuple[int, bytes]]: ...

    def waits_ns(self) -> int | None:
        """How long from now it would speak by itself at the latest; None: it speaks only when asked."""

    def speaks(self, now_ns: int) -> Iterable[tuple[int, bytes]]: ...


class Heard(msgspec.Struct):
    """What a session made of a conversation. `alive_ns`: when it said so."""

    readings: list[Reading] = msgspec.field(default_factory=list)
    rejected: list[Rejected] = msgspec.field(default_factory=list)
    sent: list[bytes] = msgspec.field(default_factory=list)
    alive_ns: list[int] = msgspec.field(default_factory=list)

    def add(self, turn: Turn, now_ns: int) -> None:
        check_turn(turn, now_ns)
        self.readings.extend(turn.readings)
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


def converse(session: Session, peer: Peer, seconds: float, link: Link | None = None) -> Heard:
    """Lets a session and a played device talk for so long in virtual time, in both directions over `link`."""
    link = link or Link(Chance())
    heard = Heard()
    now_ns, end_ns = 0, int(seconds * S)
    coming: list[tuple[int, int, bytes]] = []
    arrivals = 0

    def post(pieces: Iterable[tuple[int, bytes]]) -> None:
        nonlocal arrivals
        for delay_ns, data in pieces:
            when_ns = now_ns + delay_ns + link.delay_ns()
            latest_ns = max((piece[0] for piece in coming), default=0)
            arrivals += 1
            heappush(coming, (max(when_ns, latest_ns), arrivals, link.carry(data)))

    turn = session.start(at(0))
    while True:
        heard.add(turn, now_ns)
        if turn.send:
            post(peer.asked(link.carry(turn.send), now_ns))
        waits_ns = peer.waits_ns()
        speaks_ns = end_ns if waits_ns is None else now_ns + waits_ns
        wake_ns = end_ns if turn.wake_ns is None else max(turn.wake_ns, now_ns)
        comes_ns = coming[0][0] if coming else end_ns
        next_ns = min(speaks_ns, wake_ns, comes_ns)
        if next_ns >= end_ns:
            return heard
        now_ns = next_ns
        if comes_ns == next_ns:
            turn = session.received(heappop(coming)[2], at(now_ns))
        elif wake_ns == next_ns:
            turn = session.due(at(now_ns))
        else:
            post(peer.speaks(now_ns))
            turn = Turn(wake_ns=turn.wake_ns)


def pieces(data: bytes, chance: Chance, longest: int = 12) -> Iterator[bytes]:
    """The bytes cut at random."""
    begin = 0
    while begin < len(data):
        end = begin + 1 + chance.below(longest)
        yield data[begin:end]
        begin = end


def mutate(frame: bytes, chance: Chance) -> bytes:
    """A frame with one to three of these faults: a flipped bit, a byte lost, doubled, replaced or put in, the end cut off."""
    out = bytearray(frame)
    for _ in range(1 + chance.below(3)):
        at = chance.below(len(out) + 1)
        fault = chance.below(6)
        if at == len(out) or fault == 0:
            out.insert(at, chance.below(256))
        elif fault == 1:
            del out[at]
        elif fault == 2:
            out.insert(at, out[at])
        elif fault == 3:
            out[at] = chance.below(256)
        elif fault == 4:
            del out[at:]
        else:
            out[at] ^= 1 << chance.below(8)
    return bytes(out)


# The promises.


def check_driver(driver: Driver, streams: Sequence[bytes] = (), seed: int = 0, rounds: int = 40) -> None:
    """All promises. `streams`: what devices said when all was well, to be cut, damaged and repeated."""
    check_description(driver)
    check_silence(driver)
    chance = Chance(seed)
    for _ in range(rounds):
        noise = chance.bytes(chance.below(300))
        check_pieces(driver, noise, chance)
        for stream in streams:
            harsh = Link(chance, flip=0.01, drop=0.01, double=0.01, cut=0.1)
            check_pieces(driver, noise[:20] + harsh.carry(stream) + stream, chance)
    for stream in streams:
        check_pieces(driver, stream, chance)
    check_memory(driver, streams, seed)


def check_description(driver: Driver) -> None:
    """The driver says what it is, and its options hold their own defaults."""
    _must(_NAME.fullmatch(driver.name) is not None, f"the name {driver.name!r} is not of a-z, 0-9, - and _")
    for field in ("title", "source", "tested"):
        _must(bool(getattr(driver, field).strip()), f"{field} is empty")
    _must(driver.stale_after_s > 0, "stale_after_s is not more than 0")
    for name, option in driver.options.items():
        value = option.default
        _must(bool(option.meaning.strip()), f"option {name} does not say what it means")
        _must(not option.choices or value in option.choices, f"option {name}: the default is none of the choices")
        if isinstance(value, int | float):
            low, high = option.lowest, option.highest
            inside = (low is None or value >= low) and (high is None or value <= high)
            _must(inside, f"option {name}: the default is outside its limits")
    options = defaults(driver)
    _must(driver.port is not None or driver.usb is not None, "the driver has neither a serial port nor USB")
    if driver.port is not None:
        _must(isinstance(driver.port(options), SerialPort), "port() gives no SerialPort")
    _must(driver.session(options) is not driver.session(options), "session() gives the same session twice")


def check_turn(turn: Turn, now_ns: int) -> None:
    """One answer of a session: right types, UIDs in upper-case hex, counts above zero, bytes cut."""
    _must(isinstance(turn, Turn), f"a session answered with {type(turn).__name__}, not with a Turn")
    _must(isinstance(turn.send, bytes), "Turn.send is not bytes")
    _must(turn.wake_ns is None or turn.wake_ns > now_ns - 60 * S, "Turn.wake_ns lies long in the past")
    for reading in turn.readings:
        _must(isinstance(reading, Sweep | ShufflerReport | TrayReading | ButtonPress | DeviceStatus),
              f"{type(reading).__name__} is no reading")
        if isinstance(reading, Sweep):
            _must(reading.visits > 0, "a sweep of less than one visit")
            _must(len(set(reading.tags)) == len(reading.tags), "a tag twice in one sweep")
        if isinstance(reading, Sweep | TrayReading):
            for tag in reading.tags:
                _must(_UID.fullmatch(tag) is not None, f"the UID {tag!r} is not upper-case hex of 2 to 62 bytes")
        # What a session says goes on the bus: it must have a JSON form.
        msgspec.json.encode(reading)
    for item in turn.rejected:
        _must(isinstance(item, Rejected) and isinstance(item.reason, Reason), "a reject without a reason of `Reason`")
        _must(len(item.raw) <= 64, "Rejected.raw is longer than 64 bytes")


def check_pieces(driver: Driver, stream: bytes, chance: Chance) -> None:
    """The same bytes at the same time mean the same, whole, byte by byte and cut at random; and never raise."""
    whole = _hear(driver, [stream])
    for name, cut in (("byte by byte", [bytes((byte,)) for byte in stream]), ("in pieces", list(pieces(stream, chance)))):
        other = _hear(driver, cut)
        _must(other.readings == whole.readings, f"{stream.hex()} means other readings {name} than whole")
        _must(other.rejected == whole.rejected, f"{stream.hex()} is rejected otherwise {name} than whole")


def _hear(driver: Driver, cut: Sequence[bytes]) -> Heard:
    session, heard = driver.session(defaults(driver)), Heard()
    try:
        heard.add(session.start(at(0)), 0)
        for piece in cut:
            heard.add(session.received(piece, at(MS)), MS)
        heard.add(session.due(at(S)), S)
        if driver.decode is not None:
            told = driver.decode(b"".join(cut))
            check_turn(Turn(tuple(item for item in told if not isinstance(item, Rejected)),
                            tuple(item for item in told if isinstance(item, Rejected))), 0)
    except ContractError:
        raise
    except Exception as error:
        raise ContractError(f"the driver raised {type(error).__name__}: {error}") from error
    return heard


def check_silence(driver: Driver, seconds: float = 30.0) -> None:
    """A device that never says a word: a session that asks goes on asking, and counts timeouts; none calls it alive."""
    heard = converse(driver.session(defaults(driver)), _Mute(), seconds)
    _must(not heard.alive_ns, "a device that never spoke is called alive")
    _must(not any(isinstance(reading, Sweep) for reading in heard.readings), "silence became a sweep")
    if heard.sent:
        _must(len(heard.sent) > 2, "what gets no answer is not asked again")
        _must(any(item.reason is Reason.TIMEOUT for item in heard.rejected), "silence is not counted as a timeout")
        _must(len(heard.sent) < seconds * 100, "a silent device is asked without pause")


def check_memory(driver: Driver, streams: Sequence[bytes] = (), seed: int = 0, megabytes: float = 0.25) -> None:
    """However much is heard, noise or sense, a session stays below `MEMORY_LIMIT`."""
    chance = Chance(seed)
    noise = chance.bytes(4096)
    for block in (noise, b"\0" * 4096, b"\xff" * 4096, b"A" * 4096, *streams):
        session = driver.session(defaults(driver))
        session.start(at(0))
        if block:
            for _ in range(int(megabytes * 1024 * 1024) // len(block) + 1):
                session.received(block, at(0))
        size = _size(session)
        _must(size < MEMORY_LIMIT, f"a session holds {size} bytes after {megabytes} MB")


def _size(root: object) -> int:
    """Bytes of all that hangs on an object, classes, modules and functions left out."""
    seen: set[int] = set()
    todo: list[Any] = [root]
    total = 0
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, type | ModuleType | FunctionType | BuiltinFunctionType):
            continue
        seen.add(id(item))
        total += sys.getsizeof(item)
        todo.extend([item.__self__] if isinstance(item, MethodType) else gc.get_referents(item))
    return total


class _Mute:
    def asked(self, data: bytes, now_ns: int) -> Iterable[tuple[int, bytes]]:
        return ()

    def waits_ns(self) -> int | None:
        return None

    def speaks(self, now_ns: int) -> Iterable[tuple[int, bytes]]:
        return ()


# Captures.


class Piece(msgspec.Struct, frozen=True):
    """One line of `capture.jsonl`: `direction` is `rx` for what the device said, `tx` for what the host said."""

    ms: float
    direction: Literal["rx", "tx"]
    hex: str


def read_capture(text: str) -> list[Piece]:
    """The pieces of a `capture.jsonl`, in order of time. Raises ValueError for a line that is none."""
    found = [msgspec.json.decode(line, type=Piece) for line in text.splitlines() if line.strip()]
    if any(before.ms > after.ms for before, after in pairwise(found)):
        raise ValueError("the capture is not in order of time")
    return found


def replay(driver: Driver, capture: Sequence[Piece], **changed: bool | int | float | str) -> Heard:
    """Lets a session hear a capture at its times, and checks that it says just what the capture's host said."""
    session, heard = driver.session(defaults(driver, **changed)), Heard()
    turn = session.start(at(0))
    heard.add(turn, 0)
    for piece in capture:
        piece_ns = round(piece.ms * MS)
        while turn.wake_ns is not None and turn.wake_ns <= piece_ns:
            wake_ns = turn.wake_ns
            turn = session.due(at(wake_ns))
            heard.add(turn, wake_ns)
            _must(turn.wake_ns is None or turn.wake_ns > wake_ns, "due() at its time names no later one")
        if piece.direction == "rx":
            turn = session.received(bytes.fromhex(piece.hex), at(piece_ns))
            heard.add(turn, piece_ns)
    said = b"".join(heard.sent).hex()
    recorded = "".join(piece.hex for piece in capture if piece.direction == "tx").lower()
    _must(said == recorded, f"the session says {said}, the capture's host said {recorded}")
    return heard


__all__ = [
    "Chance", "ContractError", "Heard", "Link", "Peer", "Piece", "at", "check_description", "check_driver", "check_memory",
    "check_pieces", "check_silence", "check_turn", "converse", "defaults", "mutate", "pieces", "read_capture", "replay",
]
