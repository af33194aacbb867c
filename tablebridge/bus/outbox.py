"""The outbox: every reading is on disk here before it is published, and stays until it was acknowledged and
longer.

One folder for one group of devices, which have one process. Each device's readings are numbered without a
gap. They are kept as they are published: in batches, called *messages*, which have numbers of their own.
`acked_to` is the message up to which the broker has acknowledged everything; what lies behind it is kept a
while (`keep_bytes`), so that a receiver that misses some can ask again. Acknowledgements beyond the first
missing one are remembered in memory only, and the others come to the disk with the next message: a crash
repeats some readings, it loses none.

The messages lie one behind the other in files (`frames.py`), a new file for every 256 KiB; pruning deletes
whole files. A message is one write at the end of a file. A database would write whole pages for each commit:
with 25 messages per second ten times as much as is in them.

A kill of the process loses nothing. Loss of power may lose the last messages, because a file is synced when
it is full and when the outbox is closed. A backup that is restored loses more of them. Some of them may
already have been delivered, and their numbers must not be given out twice. The files cannot know that they
are older ones: so every opening begins a new epoch, in which each device goes on after its last number. The
receiver compares that with what it has, and says so when numbers went back.
"""

import secrets
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from tablebridge.bus.batches import batches, taken
from tablebridge.bus.frames import MESSAGE, NUMBERS, Damaged, Frame, framed
from tablebridge.bus.messages import BatchedIdentity
from tablebridge.bus.outbox_files import File, Files
from tablebridge.model.errors import BrokerError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading, Stamped

KEEP_BYTES: Final = 8 * 1024 * 1024
"""How much of the newest stays after it was acknowledged: some 75,000 readings, ten minutes of a table that
is being dealt.
"""
LIMIT_BYTES: Final = 512 * 1024 * 1024
FILE_BYTES: Final = 256 * 1024
_FRESH: Final = 100

Made = tuple[str, Instant, Reading]
"""A reading: its device, when it was made, what it is."""


class _Identities(msgspec.Struct, frozen=True):
    readings: Annotated[tuple[BatchedIdentity, ...], msgspec.Meta(max_length=1_000)]


_IDENTITIES: Final = msgspec.json.Decoder(_Identities)
_NEXT: Final = msgspec.json.Decoder(dict[str, int])


class Outbox:
    """The outbox of one group of devices: the folder has the group's name. One process and one thread use it.

    `limit_bytes` bounds it; if that is reached the oldest acknowledged messages go first. `epoch` is new at
    each opening. Raises BrokerError if it cannot be opened or another process has it open.

    A damaged file is set aside as `NUMBER.log.damaged-TIME`, whenever that is found out; of those set aside
    the newest three are kept. `damage` then says it in a sentence, until somebody has passed it on and clears
    it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        keep_bytes: int = KEEP_BYTES,
        limit_bytes: int = LIMIT_BYTES,
        file_bytes: int = FILE_BYTES,
    ) -> None:
        self.folder = folder
        self.group = folder.name
        self.damage = ""
        self.acked_to = 0
        self.next_number = 1
        self.waiting = 0
        """How many readings the broker has not acknowledged."""
        self._keep_bytes = keep_bytes
        self._acked_early: set[int] = set()
        self._next: dict[str, int] = {}
        self._fresh: deque[tuple[int, bytes]] = deque(maxlen=_FRESH)
        try:
            self._files = Files(folder, limit_bytes, file_bytes, self._numbers)
            self._scan()
            self._begin_epoch()
        except OSError as error:
            raise BrokerError(f"The outbox {folder} cannot be opened: {error}.") from None

    # ---- what it holds

    def next_seq(self, device: str) -> int:
        """The number that the device's next reading gets."""
        return self._next.get(device, 1)

    def epoch_first(self, device: str) -> int:
        """The device's first number of this epoch."""
        return self._began.get(device, 1)

    def first_seq(self, device: str) -> int:
        """The device's oldest reading of this epoch that can still be replayed; `next_seq` if there is
        none.
        """
        began = self.epoch_first(device)
        spans = (file.spans[device] for file in self._files.all if device in file.spans)
        return next((max(first, began) for first, last in spans if last >= began), self.next_seq(device))

    # ---- what is done with it

    def append(self, readings: Sequence[Made]) -> None:
        """Number the readings and put them on disk, all or none. Raises OutboxFull if they cannot be
        written.
        """
        following = dict(self._next)
        stamped = []
        for device, at, reading in readings:
            seq = following.get(device, 1)
            following[device] = seq + 1
            stamped.append(Stamped(device, self.epoch, seq, at, reading))
        made = batches(self.group, stamped)
        rows = [(self.next_number + offset, payload, count) for offset, (payload, count) in enumerate(made)]
        data = b"".join(framed(MESSAGE, number, self.acked_to, payload) for number, payload, _ in rows)
        file = self._files.write(data, self.next_number, self.acked_to)
        for number, payload, count in rows:
            within, stamped = stamped[:count], stamped[count:]
            file.holds(number, file.size, [(reading.device, reading.seq) for reading in within])
            self._fresh.append((number, payload))
            self.waiting += count
        file.size += len(data)
        self._next = following
        self.next_number += len(rows)

    def unsent(self, after: int, limit: int) -> list[tuple[int, bytes]]:
        """At most `limit` messages beyond number `after` and not acknowledged, oldest first, as (number,
        payload).
        """
        first = max(after, self.acked_to) + 1
        if self._fresh and self._fresh[0][0] <= first:
            rows = [row for row in self._fresh if row[0] >= first]
        else:
            rows = []
            for file in list(self._files.all):
                if file.last >= first and len(rows) < limit:
                    found = (frame for frame in self._messages(file) if frame.number >= first)
                    rows += [(frame.number, frame.payload) for frame in found]
        return rows[:limit]

    def replay(self, device: str, first: int, last: int, limit: int) -> list[tuple[int, bytes]]:
        """The readings of a device from `first` to `last`, both included, as far as they are still there: at
        most `limit` messages, as (number of the last reading in it, payload).
        """
        rows: list[tuple[int, bytes]] = []
        for file in list(self._files.all):
            span = file.spans.get(device)
            if span is None or span[1] < first or span[0] > last:
                continue
            for frame in self._messages(file):
                part = _part(frame.payload, device, first, last)
                if part and len(rows) < limit:
                    rows += [(part[-1].seq, payload) for payload, _ in batches(self.group, part)]
        return rows

    def acked(self, numbers: Iterable[int]) -> None:
        """Note that the broker has these messages."""
        for number in numbers:
            if self.acked_to < number < self.next_number and number not in self._acked_early:
                self._acked_early.add(number)
                self.waiting -= self._count(number)
        before = self.acked_to
        while self.acked_to + 1 in self._acked_early:
            self.acked_to += 1
            self._acked_early.remove(self.acked_to)
        if self.acked_to != before:
            self._files.prune(self.acked_to, self._keep_bytes)

    def close(self) -> None:
        """Write everything to disk, synced: after this not even loss of power loses a reading."""
        self._files.close(self.next_number)

    # ---- how it is done

    def _scan(self) -> None:
        """Read what is there: what is damaged is set aside, and the numbers of the rest are known."""
        for kept in self._files.scan(self._found):
            self._damaged(kept)
        self.next_number = max(self.next_number, self.acked_to + 1)
        expected = self.acked_to + 1
        for file in self._files.all:
            self._acked_early.update(range(expected, file.first))
            expected = max(expected, file.last + 1)
            self.waiting += self._unacknowledged(file)
        self.acked(range(expected, self.next_number))

    def _found(self, file: File, frame: Frame) -> None:
        self.acked_to = max(self.acked_to, frame.acked)
        if frame.kind == NUMBERS:
            for device, number in _NEXT.decode(frame.payload).items():
                self._next[device] = max(self._next.get(device, 1), number)
            return
        identities = [(reading.device, reading.seq) for reading in _IDENTITIES.decode(frame.payload).readings]
        file.holds(frame.number, frame.end, identities)
        self.next_number = max(self.next_number, frame.number + 1)
        for device, seq in identities:
            self._next[device] = max(self._next.get(device, 1), seq + 1)

    def _begin_epoch(self) -> None:
        """Begin an epoch and a file. Raises OSError."""
        self.epoch: str = secrets.token_hex(8)
        self._began = dict(self._next)
        self._files.begin(self.next_number)

    def _numbers(self) -> bytes:
        return framed(NUMBERS, self.next_number, self.acked_to, msgspec.json.encode(self._next))

    def _count(self, number: int) -> int:
        """How many readings a message has; 0 if it is not here."""
        files = self._files.all
        at = bisect_right(files, number, key=lambda file: file.first) - 1
        if at < 0 or number > files[at].last:
            return 0
        return files[at].counts[number - files[at].first]

    def _unacknowledged(self, file: File) -> int:
        """How many readings of a file the broker has not acknowledged."""
        return sum(
            count
            for number, count in enumerate(file.counts, file.first)
            if number > self.acked_to and number not in self._acked_early
        )

    def _messages(self, file: File) -> list[Frame]:
        """The messages of a file. If it is damaged it is set aside, and there are none: numbers go on, in a
        new epoch.
        """
        try:
            return self._files.messages(file)
        except (OSError, Damaged) as error:
            self._fresh.clear()
            try:
                self._damaged(self._files.lose(file, error))
                self._begin_epoch()
            except OSError as again:
                raise self._files.refused(again) from None
            self.waiting -= self._unacknowledged(file)
            self.acked(range(file.first, file.last + 1))
            return []

    def _damaged(self, kept: str) -> None:
        self.damage = (
            f"its outbox was damaged and is set aside as {kept}: readings that nobody had yet are lost"
        )


def _part(payload: bytes, device: str, first: int, last: int) -> list[Stamped]:
    """The readings of a message that are of this device and between these numbers."""
    return [
        stamped for stamped in taken(payload) if stamped.device == device and first <= stamped.seq <= last
    ]
