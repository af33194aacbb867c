"""Readings as messages: many in one, each with its identity; and what can be saved of a message that is
damaged.
"""

import contextlib
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from tablebridge.bus.messages import (
    CEILING,
    MOST_READINGS,
    BatchedIdentity,
    BatchedReading,
    ReadingBatch,
    Unreadable,
    decode,
    encode,
)
from tablebridge.model.bounds import Word
from tablebridge.model.instant import Instant
from tablebridge.model.readings import DeviceStatus, Stamped

_SET_ASIDE: Final = DeviceStatus("identified", "set aside")


def batches(group: str, stamped: Sequence[Stamped]) -> list[tuple[bytes, int]]:
    """Readings of one group and epoch as messages, in their order: each payload with the number of readings
    in it. As few as the bounds allow; a message has one boot and one state of the clock.
    """
    made: list[tuple[bytes, int]] = []
    waiting = list(stamped)
    while waiting:
        first = waiting[0].at
        count = 1
        while count < min(len(waiting), MOST_READINGS) and _like(first, waiting[count].at):
            count += 1
        payload = _within_ceiling(group, waiting[:count])
        while payload is None:
            count = (count + 1) // 2
            payload = _within_ceiling(group, waiting[:count])
        made.append((payload, count))
        del waiting[:count]
    return made


def _like(numbered: Instant, other: Instant) -> bool:
    return (numbered.boot_id, numbered.clock_synchronised) == (other.boot_id, other.clock_synchronised)


def _within_ceiling(group: str, stamped: Sequence[Stamped]) -> bytes | None:
    """The payload of one message; None if there are several readings and they are too long together."""
    at = stamped[0].at
    batch = ReadingBatch(
        group,
        stamped[0].epoch,
        at,
        tuple(
            BatchedReading(
                numbered.device,
                numbered.seq,
                numbered.at.wall_ns - at.wall_ns,
                numbered.at.monotonic_ns - at.monotonic_ns,
                numbered.reading,
            )
            for numbered in stamped
        ),
    )
    try:
        return encode(batch)
    except ValueError:
        if len(stamped) == 1:
            raise
        return None


class _LooseBatch(msgspec.Struct, frozen=True):
    """A batch whose single readings may be anything."""

    group: Word
    epoch: Word
    at: Instant
    readings: Annotated[tuple[msgspec.Raw, ...], msgspec.Meta(max_length=MOST_READINGS)]


_LOOSE: Final = msgspec.json.Decoder(_LooseBatch)
_READING: Final = msgspec.json.Decoder(BatchedReading)
_NUMBERED: Final = msgspec.json.Decoder(BatchedIdentity)


def salvaged(payload: bytes) -> list[Stamped]:
    """What can be used of a batch that cannot be decoded: its readings, and in the place of those that cannot
    be decoded, but have an identity, one without content.
    """
    if len(payload) > 2 * CEILING:
        return []
    try:
        batch = _LOOSE.decode(payload)
    except Exception:
        return []
    found = []
    for raw in batch.readings:
        with contextlib.suppress(Exception):
            numbered = _NUMBERED.decode(raw)
            at = numbered.made_after(batch.at)
            stamped = Stamped(numbered.device, batch.epoch, numbered.seq, at, _SET_ASIDE)
            with contextlib.suppress(Exception):
                stamped = msgspec.structs.replace(stamped, reading=_READING.decode(raw).reading)
            found.append(stamped)
    return found


def taken(payload: bytes) -> list[Stamped]:
    """The readings of a message, or what can be salvaged of it."""
    try:
        return decode(payload, ReadingBatch).stamped()
    except Unreadable:
        return salvaged(payload)


def in_place_of(reading: Stamped) -> Stamped:
    """A reading without content, so that the numbers of its device have no gap where one was set
    aside.
    """
    return msgspec.structs.replace(reading, reading=_SET_ASIDE)
