"""Readers behind PC/SC, the system's service for card readers: whatever pcscd knows, shared with other
programs.

    question   FFCA000000                   Get Data, in hex: the UID of the card that lies there
               number                       asks for the reader's own number instead
    answer     {"reader": "…", "state": 34, "atr": "3B…", "answer": "04A1B2C39000"}      a line of JSON

    state      10 empty, 20 a card, 200 a card that does not answer, 4 or 8 no such reader (bits, in hex)
    answer     UID, then 9000; anything else: the reader has no UID for this card
    number     of the reader, empty if it says none, in place of `answer`
    error      a sentence in place of `answer`: why the card could not be asked

Such a reader powers one card at a time. A place where one was named may hold more: that sweep is not
complete. "Empty" is.

Source: PC/SC workgroup, part 3, 3.2.2.1.3 (Get Data); pcsc-lite's winscard.h (states). Whether a reader gives
the UID of an ISO 15693 card, and its bytes in which order, is its maker's: both orders are understood.
"""

from typing import Final

import msgspec

from tablebridge.sdk import (
    DeviceStatus,
    Driver,
    Instant,
    Option,
    Options,
    PcscPort,
    Reading,
    Reason,
    Rejected,
    Sweep,
    Turn,
    boards,
)
from tablebridge.sdk.boards import BOARD, Belonging
from tablebridge.sdk.conversations.polling import MS, Polling
from tablebridge.sdk.framing import Lines, each, rejected
from tablebridge.sdk.uids import uid_text

QUESTION: Final = b"FFCA000000\n"
NUMBER: Final = b"number\n"
ANSWER_NS: Final = 3_000 * MS
"""A card that is moved may take its time: pcscd tries it again with other voltages and protocols."""
LONGEST: Final = 2_048
GONE, EMPTY, PRESENT, MUTE = 0x0C, 0x10, 0x20, 0x200
DONE: Final = b"\x90\x00"


class Look(msgspec.Struct):
    """What the host saw. `state`: bits of PC/SC."""

    reader: str
    state: int
    atr: str = ""
    answer: str = ""
    error: str = ""
    number: str | None = None


_LOOKS: Final = msgspec.json.Decoder(Look)


def read(line: bytes) -> Look | Rejected:
    """The look in a line."""
    try:
        look = _LOOKS.decode(line)
        bytes.fromhex(look.answer)
    except (ValueError, RecursionError):
        return rejected(Reason.IMPOSSIBLE_VALUE, "no line of the host's", line)
    return look


def meaning(look: Look) -> Sweep | DeviceStatus:
    """What a look says. A card without a UID is a sweep that is not complete."""
    if look.state & GONE:
        return DeviceStatus("failed", f"{look.reader} is not there")
    if look.state & EMPTY:
        return Sweep(0, ())
    answer = bytes.fromhex(look.answer)
    uid = uid_text(answer[:-2]) if answer.endswith(DONE) else None
    return Sweep(0, (uid,) if uid else (), complete=False)


def receiver() -> Lines:
    """Cuts what the host answers."""
    return Lines(LONGEST, patient=True, empty=False)


class PcscSession(Polling[bytes]):
    """Asks for the card's UID again and again."""

    def __init__(self, options: Options) -> None:
        super().__init__(receiver(), QUESTION, ANSWER_NS, "no look at the reader")
        self._poll_ns = int(options["poll_interval_ms"]) * MS
        self._reader = ""
        self.belonging = Belonging(str(options[BOARD]))

    def start(self, now: Instant) -> Turn:
        if self.belonging.asked:
            self.send(NUMBER)
        return super().start(now)

    def heard(self, line: bytes, now_ns: int) -> None:
        look = read(line)
        if isinstance(look, Rejected):
            self.report(look)
            return
        if look.number is not None:
            self._reader = look.reader
            self.report_board(look.reader, look.number)
            return
        self.answered(now_ns + self._poll_ns)
        if look.reader != self._reader:
            self._reader = look.reader
            self.report(DeviceStatus("identified", look.reader))
        said = meaning(look)
        if isinstance(said, DeviceStatus):
            self.report_refusal(said.detail)
            return
        if look.error or look.state & MUTE:
            self.report_status("degraded", look.error or "the card does not answer")
        else:
            self.report_success()
        self.report(said, alive=True)


def _said(line: bytes) -> Reading | Rejected:
    look = read(line)
    return look if isinstance(look, Rejected) else meaning(look)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines mean outside a conversation."""
    return each(receiver(), _said, data)


DRIVER: Final = Driver(
    name="pcsc",
    title="Readers behind PC/SC: whatever the system's service pcscd knows",
    trust="vendor document",
    source="PC/SC workgroup, part 3, Get Data; pcsc-lite's winscard.h",
    tested="real pcscd with the virtual reader of vsmartcard, whose card is composed; answers that others "
    "logged; never on hardware of ours",
    pcsc=PcscPort(),
    session=PcscSession,
    options={
        "poll_interval_ms": Option(100, "pause between two looks", lowest=0, highest=10000),
        **boards.OPTIONS,
    },
    stale_after_s=10.0,
    decode=decode,
    emulation="published",
)
