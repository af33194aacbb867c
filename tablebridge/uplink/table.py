"""The records of one table on their way to the stream, a batch at a time.

    journal ── at most BATCH rows ──▶ messages ──▶ stream ── all acknowledged ──▶ position

Nothing is noted as sent that the stream's replicas have not acknowledged, and nothing is kept here that the
journal does not hold: whatever ends in the middle is sent again, and the room knows a record that it has.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec
from msgspec.structs import replace
from nats.js.api import PubAck

from tablebridge.journal.chain import Row
from tablebridge.journal.links import Link
from tablebridge.journal.reader import ChainReader
from tablebridge.model.errors import JournalError
from tablebridge.stream.message import (
    LARGEST,
    STREAM,
    Address,
    RecordMessage,
    encode,
    message_id,
    subject_of,
)
from tablebridge.stream.sealing import Seal
from tablebridge.uplink.opened import opened
from tablebridge.uplink.position import Position, load_position, save_position

BATCH: Final = 256
_SEALED_AT_MOST: Final = LARGEST // 2
_SALT: Final = slice(1, None)
_NEVER: Final = -1
_NOTE_S: Final = 5.0
"""How far behind what is noted may be: less than the time in which the stream itself knows a record again."""
_log: Final = logging.getLogger(__name__)


class Stream(Protocol):
    """What is asked of the stream. Each raises nats.errors.Error if it cannot be had now."""

    async def publish(self, subject: str, payload: bytes, stream: str, headers: Mapping[str, str]) -> PubAck:
        """Store a message; return when its replicas have it."""
        ...

    async def last(self, subject: str) -> RecordMessage | None:
        """The last message of a subject; None if there is none."""
        ...


class TableUplink:
    """Sends the records of the table at `address`, whose journal is at `path`. `sent` is called with the
    number of records and bytes of each batch that was acknowledged.
    """

    def __init__(
        self,
        address: Address,
        path: Path,
        noted: Path,
        seal: Seal,
        stream: Stream,
        sent: Callable[[int, int], None] = lambda _records, _bytes: None,
    ) -> None:
        self.address = address
        self._path = path
        self._noted = noted
        self._seal = seal
        self._stream = stream
        self._sent = sent
        self._subject = subject_of(address)
        self._reader: ChainReader | None = None
        self._position = self._on_disk = Position(0, b"")
        self._noted_s = -_NOTE_S
        self._at_wall_ns = 0
        self._looked = _NEVER
        """The version of the journal at the last look."""
        self.behind = 0
        """How many numbers the journal is ahead of what was acknowledged."""

    async def step(self) -> bool:
        """Send the next batch. Whether there may be more at once. Raises nats.errors.Error, asyncio's
        TimeoutError, JournalError, OSError: then the same is tried again later.
        """
        if self._reader is None or self._reader.replaced:
            await self._open()
        reader = self._reader
        if reader is None:
            return False
        version = reader.version
        if self.behind == 0 and version == self._looked:
            await self._note()
            return False
        rows = reader.after(self._position.number, BATCH)
        self._looked = version
        if rows:
            await self._send(reader, rows)
        if self._reader is None:
            return True
        self.behind = reader.last - self._position.number
        return self.behind > 0

    def close(self) -> None:
        """Close the journal; the next step begins from what is noted."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def forget(self) -> None:
        """Send all records again."""
        self._noted.unlink(missing_ok=True)
        self.close()

    async def _open(self) -> None:
        """Open the journal and find out where to go on."""
        self.close()
        self._looked = _NEVER
        if not self._path.exists():
            return
        reader = ChainReader(self._path)
        try:
            if reader.table != self.address.table:
                raise JournalError(
                    f"{self._path} is the journal of table {reader.table!r}, not of {self.address.table!r}"
                )
            self._position = Position(*reader.beginning())
            noted = load_position(self._noted)
            last = await self._stream.last(self._subject)
            if noted is not None and reader.holds((noted.number, noted.hash)):
                # A stream that has nothing of the table was made again, or has forgotten it as old.
                if last is not None and last.number >= noted.number:
                    self._position = noted
                elif last is not None and reader.holds((last.number, last.hash)):
                    self._position = Position(last.number, last.hash)
            elif noted is not None:
                _log.critical(
                    "the record of table %s is not the one that was sent up to record %d: all of it is sent "
                    "again, and the room finds where they differ",
                    self.address.table,
                    noted.number,
                )
            self._reader, self._on_disk = reader, self._position
        except BaseException:
            reader.close()
            raise

    async def _send(self, reader: ChainReader, rows: Sequence[Row]) -> None:
        begins = self._position.number == reader.beginning()[0]
        before: Link = (self._position.number, self._position.hash)
        messages: list[RecordMessage] = []
        signed = reader.checkpoints(rows[0].number, rows[-1].number)
        for row in rows:
            message = self._message(row, before, begins and not messages)
            if (checkpoint := signed.get(row.number)) is not None:
                key, signature = checkpoint
                message = replace(message, signer=key, signature=signature)
            messages.append(message)
            before = (row.number, row.hash)
        payloads = [encode(message) for message in messages]
        acks = await asyncio.gather(
            *(
                self._stream.publish(
                    self._subject,
                    payload,
                    STREAM,
                    {"Nats-Msg-Id": message_id(self.address, message)},
                )
                for message, payload in zip(messages, payloads, strict=True)
            )
        )
        last = acks[-1]
        if not last.duplicate and last.seq <= self._position.sequence:
            _log.error(
                "the stream of the room was made again: all records of %s go again", self.address.table
            )
            self.forget()
            return
        sequence = max(self._position.sequence, *(ack.seq for ack in acks))
        self._position = Position(before[0], before[1], sequence)
        await self._note()
        self._sent(len(payloads), sum(map(len, payloads)))

    async def _note(self) -> None:
        """Note the position, now and then: what was sent since is sent again after a crash, and known. The
        disk is asked as often for a busy table as for an idle one.
        """
        if self._position != self._on_disk and time.monotonic() - self._noted_s > _NOTE_S:
            position = self._position
            await asyncio.to_thread(save_position, self._noted, position)
            self._on_disk, self._noted_s = position, time.monotonic()

    def _message(self, row: Row, before: Link, begins: bool) -> RecordMessage:
        """The message of a row that follows this link."""
        readable = opened(row)
        self._at_wall_ns = readable.at_wall_ns or self._at_wall_ns
        body, digest, sealed = readable.body, b"", b""
        if not readable.whole:
            digest = row.digest or b""
            if not row.redacted and len(row.body) <= _SEALED_AT_MOST:
                sealed = self._seal.seal((row.proof or b"")[_SALT], row.body)
        if len(body) > LARGEST - 2 * len(sealed):
            body, digest = b"null", row.digest or b""
        return RecordMessage(
            self.address.table,
            row.number,
            row.kind,
            before[0],
            before[1],
            row.hash,
            body=msgspec.Raw(body),
            salt=b"" if digest else (row.proof or b"")[_SALT],
            digest=digest,
            sealed=sealed,
            redacted=row.redacted,
            begins=begins,
            at_wall_ns=self._at_wall_ns,
            sent_wall_ns=time.time_ns(),
        )
