"""A kit to test drivers with, for any test runner: the contract, hostile lines, and recorded captures.

    check_driver(DRIVER, streams=[bytes of a device at work])

raises `ContractError` with a sentence for the first promise of `tablebridge.sdk.driver` that the driver
breaks. Time is virtual and chance comes from a seed, so a failure comes again.
"""

import gc
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final, Protocol

import msgspec

from tablebridge.model.readings import Sweep
from tablebridge.sdk.captures import Piece, read_capture, replay
from tablebridge.sdk.driver import Driver, Reason, Rejected, SerialPort, Session, Turn
from tablebridge.sdk.turns import MS, ContractError, Heard, S, at, check_turn, defaults, must, no_raise

MEMORY_LIMIT: Final = 256 * 1024
"""What a session may hold in bytes, however long it listens."""
SHOWN: Final = 32
"""Bytes of a stream that an error shows."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


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
    """A hostile line. The shares are by byte, but for `cut` (by message: the rest of it never comes) and
    `delay`.

    `delay_ms`: by how much each piece may be late, in order. A link with all at zero is a good line.
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
            del out[self.chance.below(len(out) + 1) :]
        return bytes(out)

    def delay_ns(self) -> int:
        """How late the next piece is."""
        return self.chance.below(self.delay_ms * MS) if self.delay_ms else 0


class Peer(Protocol):
    """A device, played: what it says to bytes of the host, or by itself, each piece with its delay from now
    in ns.
    """

    def asked(self, data: bytes, now_ns: int) -> Iterable[tuple[int, bytes]]: ...

    def waits_ns(self) -> int | None:
        """How long from now it would speak by itself at the latest; None: it speaks only when asked."""

    def speaks(self, now_ns: int) -> Iterable[tuple[int, bytes]]: ...


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
    """A frame with one to three of these faults: a flipped bit, a byte lost, doubled, replaced or put in, the
    end cut off.
    """
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


def check_driver(driver: Driver, streams: Sequence[bytes], seed: int = 0, rounds: int = 40) -> None:
    """All promises. `streams`: what devices said when all was well, to be cut, damaged and repeated."""
    check_description(driver)
    must(
        any(streams),
        "no bytes of a device at work: give a capture's, or those of an example in the device's document",
    )
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
    must(_NAME.fullmatch(driver.name) is not None, f"the name {driver.name!r} is not of a-z, 0-9, - and _")
    for field in ("title", "source", "tested"):
        must(bool(getattr(driver, field).strip()), f"{field} is empty")
    must(driver.stale_after_s > 0, "stale_after_s is not more than 0")
    for name, option in driver.options.items():
        value = option.default
        must(bool(option.meaning.strip()), f"option {name}: its meaning is empty")
        must(
            not option.choices or value in option.choices,
            f"option {name}: the default is none of the choices",
        )
        if isinstance(value, int | float):
            low, high = option.lowest, option.highest
            inside = (low is None or value >= low) and (high is None or value <= high)
            must(inside, f"option {name}: the default is outside its limits")
    options = defaults(driver)
    must(
        any((driver.port, driver.usb, driver.watch, driver.keys, driver.pcsc)),
        "the driver says of no port how its device is reached: give port, usb, keys, pcsc or watch",
    )
    for variant in driver.variants:
        unknown = sorted(variant.keys() - driver.options.keys())
        must(not unknown, f"a variant has options that the driver does not have: {', '.join(unknown)}")
    with no_raise("by port() and session(), with the options' defaults"):
        if driver.port is not None:
            must(isinstance(driver.port(options), SerialPort), "port() gives no SerialPort")
        must(driver.session(options) is not driver.session(options), "session() gives the same session twice")


def check_pieces(driver: Driver, stream: bytes, chance: Chance) -> None:
    """The same bytes at the same time mean the same: whole, byte by byte, cut at random; and never raise."""
    whole = _hear(driver, [stream])
    for name, cut in (
        ("byte by byte", [bytes((byte,)) for byte in stream]),
        ("in pieces", list(pieces(stream, chance))),
    ):
        other = _hear(driver, cut)
        must(other.readings == whole.readings, f"{_shown(stream)} means other readings {name} than whole")
        must(other.rejected == whole.rejected, f"{_shown(stream)} is rejected otherwise {name} than whole")


def _shown(stream: bytes) -> str:
    """The stream in one line."""
    rest = f"… ({len(stream)} bytes)" if len(stream) > SHOWN else ""
    return stream[:SHOWN].hex(" ").upper() + rest


def _hear(driver: Driver, cut: Sequence[bytes]) -> Heard:
    session, heard = driver.session(defaults(driver)), Heard()
    with no_raise(f"on {_shown(b''.join(cut))}"):
        heard.add(session.start(at(0)), 0)
        for piece in cut:
            heard.add(session.received(piece, at(MS)), MS)
        heard.add(session.due(at(S)), S)
        if driver.decode is not None:
            decoded = driver.decode(b"".join(cut))
            check_turn(
                Turn(
                    tuple(item for item in decoded if not isinstance(item, Rejected)),
                    tuple(item for item in decoded if isinstance(item, Rejected)),
                ),
                0,
            )
    return heard


def check_silence(driver: Driver, seconds: float = 30.0) -> None:
    """A device that never says a word: a session that asks goes on asking, and counts timeouts; none calls it
    alive.
    """
    with no_raise("while its device said nothing"):
        heard = converse(driver.session(defaults(driver)), _Mute(), seconds)
    must(not heard.alive_ns, "a device that never spoke is called alive")
    must(not any(isinstance(reading, Sweep) for reading in heard.readings), "silence became a sweep")
    if heard.sent:
        must(len(heard.sent) > 2, "what gets no answer is not asked again")
        must(
            any(item.reason is Reason.TIMEOUT for item in heard.rejected),
            "silence is not counted as a timeout",
        )
        must(len(heard.sent) < seconds * 100, "a silent device is asked without pause")


def check_memory(
    driver: Driver, streams: Sequence[bytes] = (), seed: int = 0, megabytes: float = 0.25
) -> None:
    """However much is heard, noise or sense, a session stays below `MEMORY_LIMIT`."""
    chance = Chance(seed)
    noise = chance.bytes(4096)
    for block in (noise, b"\0" * 4096, b"\xff" * 4096, b"A" * 4096, *streams):
        session = driver.session(defaults(driver))
        with no_raise(f"on {_shown(block)} again and again"):
            session.start(at(0))
            if block:
                for _ in range(int(megabytes * 1024 * 1024) // len(block) + 1):
                    session.received(block, at(0))
        size = _size(session)
        must(size < MEMORY_LIMIT, f"a session holds {size} bytes after {megabytes} MB")


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
    """A device that never says a word."""

    def asked(self, data: bytes, now_ns: int) -> Iterable[tuple[int, bytes]]:
        return ()

    def waits_ns(self) -> int | None:
        return None

    def speaks(self, now_ns: int) -> Iterable[tuple[int, bytes]]:
        return ()


__all__ = [
    "Chance",
    "ContractError",
    "Heard",
    "Link",
    "Peer",
    "Piece",
    "at",
    "check_description",
    "check_driver",
    "check_memory",
    "check_pieces",
    "check_silence",
    "check_turn",
    "converse",
    "defaults",
    "mutate",
    "pieces",
    "read_capture",
    "replay",
]
