"""Readings and ticks as the journal keeps them: those of one commit, as far as no record is between them, in
one row, a batch.

**Format.** A batch is a MessagePack array (https://github.com/msgpack/msgpack/blob/master/spec.md) of typed
fields: `_Batch` and its rows are the format. What repeats is written once: devices with their epochs, clocks
and tags are listed at the head and named by their index; times are differences to the row before; a tag that
is hex is eight bytes instead of sixteen letters; the tags of an antenna that answers as it did the time
before are left out. With a batch every quarter of a second a reading takes about 38 bytes, of 285 as JSON.

**Bounds.** Every list has its longest length in its type, every index is checked; what does not fit is
`JournalBroken`, as any other damage of the file.

Journals of schema 1 hold one reading or tick per row, as JSON. JSON begins with a brace, which no batch does.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from tablebridge.model.bounds import MOST_MEMBERS, Antenna, Count, Reader, Tag, Word
from tablebridge.model.instant import START, Instant
from tablebridge.model.readings import Reading, Stamped, Sweep

MOST_ROWS: Final = 512
"""Readings and ticks of one batch."""
_MOST_TAGS: Final = MOST_ROWS * MOST_MEMBERS


class Tick(msgspec.Struct, frozen=True, tag="tick", tag_field="row"):
    """Sensing was asked at this instant, without a reading, whether its waits are over."""

    at: Instant


class Taken(msgspec.Struct, frozen=True, tag="taken", tag_field="row"):
    """A reading as it was taken."""

    stamped: Stamped


class Row(msgspec.Struct, frozen=True):
    """A reading or a tick with its number."""

    number: int
    row: Taken | Tick


_Index = Annotated[int, Meta(ge=0, lt=_MOST_TAGS)]
_Indices = Annotated[tuple[_Index, ...], Meta(max_length=MOST_MEMBERS)]
_Int64 = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
_FARTHEST: Final = 2**53
_Difference = Annotated[int, Meta(ge=-_FARTHEST, le=_FARTHEST)]
"""Nanoseconds between two rows of a batch, 104 days at most, or between two numbers."""
_HexTag = Annotated[bytes, Meta(max_length=32)]


class _Source(msgspec.Struct, frozen=True, array_like=True):
    """One epoch of a device. `seq`: of its first reading in the batch; `following`: the number after its
    last.
    """

    device: Word
    epoch: Word
    seq: Count
    following: Count


class _Clock(msgspec.Struct, frozen=True, array_like=True):
    """What instants have in common."""

    boot_id: Word
    synchronised: bool


class _Tick(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """A tick. Its instant: `since` after the row before by the monotonic clock, whose distance to the wall
    clock differs by `drift` from the row before; by the clock of this index.
    """

    since: _Difference
    drift: _Difference
    clock: _Index


class _Sweep(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """A sweep. `skipped`: how far its number is from the one that follows the source's reading before.
    `tags` None: the same as those of the antenna's sweep before.
    """

    since: _Difference
    drift: _Difference
    clock: _Index
    source: _Index
    skipped: _Difference
    antenna: Antenna
    tags: _Indices | None
    visits: Count
    missed: _Indices
    complete: bool


class _Other(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """Any other reading, or a sweep of more tags than a message holds."""

    since: _Difference
    drift: _Difference
    clock: _Index
    source: _Index
    skipped: _Difference
    reading: Reading


_Rows = Annotated[tuple[_Tick | _Sweep | _Other, ...], Meta(min_length=1, max_length=MOST_ROWS)]


class _Batch(msgspec.Struct, frozen=True, array_like=True):
    """The whole row. `count`: of its rows. `wall_ns`, `monotonic_ns`: of the first. `tags`: as bytes; an
    empty one stands for the next of `texts`, the tags that are no hex.
    """

    count: Annotated[int, Meta(ge=1, le=MOST_ROWS)]
    sources: Annotated[tuple[_Source, ...], Meta(max_length=MOST_ROWS)]
    clocks: Annotated[tuple[_Clock, ...], Meta(max_length=MOST_ROWS)]
    wall_ns: _Int64
    monotonic_ns: _Int64
    tags: Annotated[tuple[_HexTag, ...], Meta(max_length=_MOST_TAGS)]
    texts: Annotated[tuple[Tag, ...], Meta(max_length=_MOST_TAGS)]
    rows: _Rows


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """The first fields of a batch; the rest is not looked at."""

    count: Annotated[int, Meta(ge=1, le=MOST_ROWS)]
    sources: Annotated[tuple[_Source, ...], Meta(max_length=MOST_ROWS)]


_ENCODER: Final = msgspec.msgpack.Encoder()
_BATCHES: Final = msgspec.msgpack.Decoder(_Batch)
_HEADS: Final = msgspec.msgpack.Decoder(_Head)
_JSON_ROWS: Final = Reader[Taken | Tick](Taken | Tick)

Key = tuple[str, str]
"""(device, epoch)"""


def follows(before: Taken | Tick, row: Taken | Tick) -> bool:
    """Whether a row may follow another in one batch: a clock may jump, but not that far."""
    first, then = _instant(before), _instant(row)
    since = then.monotonic_ns - first.monotonic_ns
    return abs(since) <= _FARTHEST and abs(then.wall_ns - first.wall_ns - since) <= _FARTHEST


def _instant(row: Taken | Tick) -> Instant:
    return row.at if isinstance(row, Tick) else row.stamped.at


def encoded(rows: Iterable[Taken | Tick]) -> bytes:
    """A batch of at least one and at most MOST_ROWS rows; each `follows` the row before."""
    writer = _Writer()
    for row in rows:
        writer.add(row)
    return writer.batch()


def decoded(body: bytes) -> list[Taken | Tick]:
    """The rows of a batch. Raises ValueError if it is none."""
    try:
        if body.startswith(b"{"):
            return [_JSON_ROWS.decode(body)]
        return list(_rows(_BATCHES.decode(body)))
    except (msgspec.MsgspecError, LookupError) as error:
        raise ValueError(str(error)) from None


def head_of(body: bytes) -> tuple[int, dict[Key, int]]:
    """The number of rows of a batch, and by device and epoch the number that follows its last reading. Raises
    ValueError if it is none.
    """
    try:
        if not body.startswith(b"{"):
            head = _HEADS.decode(body)
            return head.count, {(source.device, source.epoch): source.following for source in head.sources}
        row = _JSON_ROWS.decode(body)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    if isinstance(row, Tick):
        return 1, {}
    return 1, {(row.stamped.device, row.stamped.epoch): row.stamped.seq + 1}


class _Indexed(dict[Any, int]):
    """Each value's index, in the order in which they were asked for first."""

    def __missing__(self, value: Any) -> int:
        self[value] = index = len(self)
        return index


class _Writer:
    """A batch in the making."""

    def __init__(self) -> None:
        self._rows: list[_Tick | _Sweep | _Other] = []
        self._sources = _Indexed()
        self._first: list[int] = []
        self._following: list[int] = []
        self._clocks = _Indexed()
        self._tags = _Indexed()
        self._last_tags: dict[tuple[int, int], tuple[str, ...]] = {}
        self._first_at: Instant | None = None
        self._at: Instant = START

    def add(self, row: Taken | Tick) -> None:
        """The next row."""
        if isinstance(row, Tick):
            self._rows.append(_Tick(*self._time(row.at)))
            return
        stamped, reading = row.stamped, row.stamped.reading
        since, drift, clock = self._time(stamped.at)
        source, skipped = self._source(stamped)
        if not isinstance(reading, Sweep):
            self._rows.append(_Other(since, drift, clock, source, skipped, reading))
            return
        antenna = (source, reading.antenna)
        same = self._last_tags.get(antenna) == reading.tags
        self._last_tags[antenna] = reading.tags
        self._rows.append(
            _Sweep(
                since,
                drift,
                clock,
                source,
                skipped,
                reading.antenna,
                None if same else tuple([self._tags[tag] for tag in reading.tags]),
                reading.visits,
                tuple([self._tags[tag] for tag in reading.missed]),
                reading.complete,
            )
        )

    def batch(self) -> bytes:
        """The whole of it."""
        first = self._first_at or START
        sources = tuple(
            _Source(device, epoch, seq, following)
            for (device, epoch), seq, following in zip(
                self._sources, self._first, self._following, strict=True
            )
        )
        clocks = tuple(_Clock(boot_id, synchronised) for boot_id, synchronised in self._clocks)
        tags = tuple(map(_hex, self._tags))
        texts = tuple(tag for tag, short in zip(self._tags, tags, strict=True) if not short)
        rows = tuple(self._rows)
        return _ENCODER.encode(
            _Batch(len(rows), sources, clocks, first.wall_ns, first.monotonic_ns, tags, texts, rows)
        )

    def _time(self, at: Instant) -> tuple[int, int, int]:
        if self._first_at is None:
            self._first_at = self._at = at
        since = at.monotonic_ns - self._at.monotonic_ns
        drift = at.wall_ns - self._at.wall_ns - since
        self._at = at
        return since, drift, self._clocks[at.boot_id, at.clock_synchronised]

    def _source(self, stamped: Stamped) -> tuple[int, int]:
        source = self._sources[stamped.device, stamped.epoch]
        if source == len(self._first):
            self._first.append(stamped.seq)
            self._following.append(stamped.seq)
        skipped = stamped.seq - self._following[source]
        self._following[source] = stamped.seq + 1
        return source, skipped


def _hex(tag: str) -> bytes:
    """The bytes that the tag is the hex of, in the usual form; none if it is not."""
    try:
        short = bytes.fromhex(tag)
    except ValueError:
        return b""
    return short if short.hex().upper() == tag else b""


def _rows(batch: _Batch) -> Iterator[Taken | Tick]:
    texts = iter(batch.texts)
    tags = [tag.hex().upper() if tag else next(texts, "") for tag in batch.tags]
    following = [source.seq for source in batch.sources]
    last_tags: dict[tuple[int, int], tuple[str, ...]] = {}
    wall_ns, monotonic_ns = batch.wall_ns, batch.monotonic_ns
    for row in batch.rows:
        wall_ns += row.since + row.drift
        monotonic_ns += row.since
        clock = batch.clocks[row.clock]
        at = Instant(wall_ns, monotonic_ns, clock.boot_id, clock.synchronised)
        if isinstance(row, _Tick):
            yield Tick(at)
            continue
        source = batch.sources[row.source]
        seq = following[row.source] + row.skipped
        following[row.source] = seq + 1
        reading: Reading
        if isinstance(row, _Other):
            reading = row.reading
        else:
            antenna = (row.source, row.antenna)
            if row.tags is not None:
                last_tags[antenna] = tuple([tags[index] for index in row.tags])
            missed = tuple([tags[index] for index in row.missed])
            reading = Sweep(row.antenna, last_tags[antenna], row.visits, missed, row.complete)
        yield Taken(Stamped(source.device, source.epoch, seq, at, reading))
