"""The receiver's half of "nothing lost": once, in order, and gaps are requested. Pure: time comes in as
nanoseconds.

Theory. An outbox numbers its readings 1, 2, 3 ... and begins an epoch at each opening, in which the numbers
go on. Brokers may repeat, reorder and, at the worst, forget what they had acknowledged. For each (device,
epoch) the inbox knows `expected`, the next number to hand on.

    arrives                         then
    number < expected               a duplicate: dropped and counted
    number = expected               passed on, with what was held directly behind it
    number > expected               held; the gap before it is requested at once
    META: next_seq > expected       the end is missing: it may be under way, so it is requested after a second

    META kept by the broker         older than this connection: a new one is requested from the device, by a
                                    request for no number at all, since a broker that forgot the last readings
                                    leaves no visible gap

    while a gap stays open          it is requested again after 1, 2, 4 ... 60 seconds, at most 1,000 numbers
                                    per request
    META: first_seq > expected      the outbox no longer has it. The broker may still hold it, for some
                                    seconds after a crash of the receiver: after three requests the numbers
                                    below `first_seq` are given up: `lost`
    another epoch has begun         the old epoch's gap is requested five times more, then given up

Where an unknown epoch begins: with number 1; with the number that another epoch of the device expects, which
is then over; else with META's `first_seq`, or what came if that is lower; if META is not there after five
seconds, with the lowest number that came. Nothing is lost by definition before that.

META says with its first number how the epoch before it ended. If that is higher than expected, the end is
missing, as above. If it is lower, numbers went `back`: the outbox is an older copy, or a new one. What it
says from now on is new and is taken.

Of each device the `EPOCHS` newest are remembered. A driver that ends and starts for ever makes more of them.

What was held is handed on in pieces of `PIECE`, the rest with the next call: a device's backlog must not keep
others waiting.

Held readings may be acknowledged to the broker: no more are held than an outbox keeps after acknowledgement,
so a crash of the receiver has them replayed. Not acknowledging them would fill the broker's window and keep
the gap's filling out.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.bus.messages import DeviceMeta, ReplayRequest
from tablebridge.model.readings import Stamped

HOLD: Final = 2_000
"""How many readings are held behind a gap. Fewer than `outbox.KEEP`; what comes beyond is dropped and
requested later.
"""

EPOCHS: Final = 64
"""How many epochs of a device are remembered: those that were heard of last."""

CHUNK: Final = 1_000
PIECE: Final = 32
_SECOND: Final = 1_000_000_000
_PATIENCE_NS: Final = 5 * _SECOND
_LONGEST_NS: Final = 60 * _SECOND
_ASKS: Final = 3
_OLD_EPOCH_ASKS: Final = 5

Key = tuple[str, str]
"""(device, epoch)"""


class Lost(msgspec.Struct, frozen=True):
    """These readings can never arrive any more, both ends included."""

    device: str
    epoch: str
    first: int
    last: int


class Request(msgspec.Struct, frozen=True):
    """Publish `request` on the device's REPLAY topic."""

    device: str
    request: ReplayRequest


class WentBack(msgspec.Struct, frozen=True):
    """The device's numbers went back: its present epoch begins with `first`, and `due` was next in the epoch
    before it.
    """

    device: str
    epoch: str
    first: int
    due: int


class Arrived(msgspec.Struct, frozen=True):
    """`ready`: apply these now, in this order. `back`, then `lost` come before them: what is missing at their
    front.
    """

    ready: tuple[Stamped, ...] = ()
    duplicates: int = 0
    ask: Request | None = None
    lost: Lost | None = None
    back: WentBack | None = None


class _Stream:
    """One epoch of one device. `expected` None: its first number is not known yet, since `since_ns`."""

    def __init__(self, expected: int | None, now_ns: int) -> None:
        self.expected = expected
        self.judged = expected is not None
        self.since_ns = now_ns
        self.held: dict[int, Stamped] = {}
        self.end = expected or 0
        self.first_seq: int | None = None
        self.asked: tuple[int, int] | None = None
        self.asks = 0
        self.ask_ns: int | None = None

    def gap(self) -> tuple[int, int] | None:
        """The first numbers that are missing, as far as anything says that they exist."""
        if self.expected is None:
            return None
        last = min(self.held, default=self.end) - 1
        return (self.expected, last) if self.expected <= last else None

    @property
    def waits(self) -> bool:
        """Whether the next number is held."""
        return self.expected in self.held

    def release(self) -> tuple[Stamped, ...]:
        """What is held from `expected` on without a gap, a piece of it at most."""
        ready: list[Stamped] = []
        while (
            len(ready) < PIECE
            and self.expected is not None
            and (stamped := self.held.pop(self.expected, None)) is not None
        ):
            ready.append(stamped)
            self.expected += 1
        return tuple(ready)


class Inbox:
    """All devices of one receiver. `positions` is what `positions()` gave before, kept in the same
    transaction as the data, in the order in which they were noted.
    """

    def __init__(self, positions: Mapping[Key, int] | None = None, *, hold: int = HOLD) -> None:
        self._hold = hold
        self._streams = {key: _Stream(expected, 0) for key, expected in (positions or {}).items()}
        self._present: dict[str, str] = dict(list(self._streams))

    def positions(self) -> dict[Key, int]:
        """The next number of every epoch that has begun: what was handed out with `ready` or `lost` lies
        below.
        """
        return {key: stream.expected for key, stream in self._streams.items() if stream.expected is not None}

    def take(self, stamped: Stamped, now_ns: int) -> Arrived:
        """A reading arrived."""
        key = stamped.device, stamped.epoch
        stream = self._stream(key, now_ns)
        self._present.setdefault(stamped.device, stamped.epoch)
        if stream.expected is None:
            over = self._ended_at(stamped.device, stamped.seq)
            if stamped.seq == 1 or over is not None:
                stream.expected = stamped.seq
                if over is not None:
                    over.end = stamped.seq
            elif stream.first_seq is not None:
                stream.expected = min(stream.first_seq, stamped.seq, *stream.held)
        if (stream.expected is not None and stamped.seq < stream.expected) or stamped.seq in stream.held:
            return Arrived(duplicates=1)
        stream.end = max(stream.end, stamped.seq + 1)
        if stamped.seq == stream.expected or len(stream.held) < self._hold:
            stream.held[stamped.seq] = stamped
        ready = stream.release()
        if ready and stream.ask_ns is not None:
            stream.ask_ns = max(stream.ask_ns, now_ns + _SECOND)
        return Arrived(ready, ask=self._ask(key, stream, now_ns, at_once=bool(stream.held)))

    def meta(self, meta: DeviceMeta, now_ns: int, *, retained: bool = False) -> Arrived:
        """The device's birth, or its answer to a request; `retained` if it came out of the broker's
        memory.
        """
        key = meta.device, meta.epoch
        earlier = meta.device, self._present.get(meta.device, meta.epoch)
        before = self._streams.get(earlier)
        self._present[meta.device] = meta.epoch
        stream = self._stream(key, now_ns)
        due = before.expected if before is not None and before is not stream and not stream.judged else None
        back = WentBack(*key, meta.first_seq, due) if due is not None and meta.first_seq < due else None
        if before is not None and due is not None and meta.first_seq > due:
            before.end = max(before.end, meta.first_seq)
            self._ask(earlier, before, now_ns, at_once=False)
        stream.judged = True
        stream.first_seq = meta.first_seq
        if stream.expected is None:
            stream.expected = min(meta.first_seq, *stream.held) if stream.held else meta.first_seq
        stream.end = max(stream.end, meta.next_seq)
        ready = stream.release()
        ask = self._ask(key, stream, now_ns, at_once=bool(stream.held))
        if ask is None and retained:
            ask = Request(key[0], ReplayRequest(key[1], stream.expected, stream.expected - 1))
        return Arrived(ready, ask=ask, back=back)

    def due(self, now_ns: int) -> list[Arrived]:
        """What is due by time: gaps that are requested again or given up. Call it once per second, and at
        once while something `waits`.
        """
        brought = []
        for key, stream in self._streams.items():
            if stream.waits:
                brought.append(Arrived(stream.release()))
            elif stream.expected is None and stream.held and now_ns - stream.since_ns >= _PATIENCE_NS:
                stream.expected = min(stream.held)
                brought.append(Arrived(stream.release(), ask=self._ask(key, stream, now_ns, at_once=True)))
            elif (gap := stream.gap()) is not None and now_ns >= (stream.ask_ns or 0):
                lost = self._given_up(key, stream, gap)
                ready = stream.release()
                brought.append(
                    Arrived(
                        ready, ask=self._ask(key, stream, now_ns, at_once=True, again=lost is None), lost=lost
                    )
                )
        return brought

    @property
    def waits(self) -> bool:
        """Whether anything is held that could be handed on now."""
        return any(stream.waits for stream in self._streams.values())

    def _stream(self, key: Key, now_ns: int) -> _Stream:
        if key not in self._streams:
            mine = [
                other for other, stream in self._streams.items() if other[0] == key[0] and not stream.held
            ]
            for old in mine[: max(0, len(mine) - EPOCHS + 1)]:
                del self._streams[old]
            self._streams[key] = _Stream(None, now_ns)
        return self._streams[key]

    def _ended_at(self, device: str, seq: int) -> _Stream | None:
        """The epoch of the device that expects this number."""
        return next(
            (stream for (of, _), stream in self._streams.items() if of == device and stream.expected == seq),
            None,
        )

    def _given_up(self, key: Key, stream: _Stream, gap: tuple[int, int]) -> Lost | None:
        """The part of the gap that was requested in vain and cannot arrive; `expected` moves behind it."""
        first, last = gap
        if not stream.asks:
            return None
        present = self._present.get(key[0], key[1]) == key[1]
        if present:
            if stream.asks < _ASKS:
                return None
            last = min(last, (stream.first_seq or 0) - 1)
        elif stream.asks < _OLD_EPOCH_ASKS:
            return None
        if first > last:
            return None
        stream.expected = last + 1
        stream.asked, stream.asks = None, 0
        return Lost(*key, first, last)

    def _ask(
        self, key: Key, stream: _Stream, now_ns: int, *, at_once: bool, again: bool = False
    ) -> Request | None:
        """A request, if there is a gap that was not requested yet or is due again."""
        gap = stream.gap()
        if gap is None:
            stream.asked, stream.asks, stream.ask_ns = None, 0, None
            return None
        if stream.asked is not None and not again and gap[0] <= stream.asked[1]:
            return None
        if not at_once and stream.asked is None:
            stream.ask_ns = stream.ask_ns or now_ns + _SECOND
            return None
        if stream.asked is not None and gap[0] > stream.asked[1]:
            stream.asks = 0
        wanted = gap[0], min(gap[1], gap[0] + CHUNK - 1)
        stream.ask_ns = now_ns + min(_SECOND << min(stream.asks, 6), _LONGEST_NS)
        stream.asks += 1
        stream.asked = wanted
        return Request(key[0], ReplayRequest(key[1], *wanted))
