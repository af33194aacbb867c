"""What a driver is: a description, and a session that turns bytes into readings and says what to send.

A session owns no port, no thread and no clock. The host opens the port, stamps the time, and calls in this
order: `start` once the port is open; `received` for every piece of bytes, cut anywhere; `due` whenever the
time that the last `Turn.wake_ns` named has come. Whatever bytes come in, a session never raises: what cannot
be decoded is a `Rejected` with a reason, and the host counts it.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final, Literal, Protocol, get_args

import msgspec

from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading
from tablebridge.sdk.stored import Options, Stored


class Reason(StrEnum):
    """Why bytes were rejected. The host keeps a counter for each, by device."""

    TOO_SHORT = "too-short"
    TOO_LONG = "too-long"
    CHECKSUM = "checksum"
    UNKNOWN_TYPE = "unknown-type"
    IMPOSSIBLE_VALUE = "impossible-value"
    UNEXPECTED = "unexpected"
    TIMEOUT = "timeout"
    NOISE = "noise"


class Rejected(msgspec.Struct, frozen=True, tag="rejected", tag_field="kind"):
    """Bytes that are no reading. `detail` says what is wrong; `raw` is cut to 64 bytes."""

    reason: Reason
    detail: str = ""
    raw: bytes = b""


class Turn(msgspec.Struct, frozen=True):
    """What a session answers: readings, rejects, bytes to send now, and when to call `due` (monotonic ns;
    None: never).

    `alive`: the device proved in this turn that it works, as distinct from being connected.
    """

    readings: tuple[Reading, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    send: bytes = b""
    wake_ns: int | None = None
    alive: bool = False


class Session(Protocol):
    """One conversation with one device, from port open to port closed. Pure: time comes in as `now`."""

    def start(self, now: Instant) -> Turn:
        """The port is open and empty: the first bytes to send, if any."""

    def received(self, data: bytes, now: Instant) -> Turn:
        """Bytes arrived, cut anywhere."""

    def due(self, now: Instant) -> Turn:
        """The time named by `wake_ns` has come: send again, poll, or report a timeout."""


class Signal(msgspec.Struct, frozen=True):
    """What a light shows: the table's worst open alert.

    `level`: `unknown` if no engine says anything; `called` if the dealer calls the floor and nothing is
    critical. `taken`: all alerts of this level have been acknowledged by a person.
    """

    level: Literal["unknown", "clear", "warning", "called", "critical"] = "unknown"
    taken: bool = False


class Light(Session, Protocol):
    """A session that also shows something: that of a driver with `shows`."""

    def show(self, signal: Signal, now: Instant) -> Turn:
        """From now on this is to be shown. Called after `start` and at each change."""


class SerialPort(msgspec.Struct, frozen=True):
    """How the device's serial line is set. `parity`: N, E or O. `settle_s`: silence after opening (boards
    that reset).

    `dtr`, `rts`: whether these lines are raised; some boards take them for a reset. `contacts`: no data are
    sent; contacts are wired to the modem lines. Each byte that the session sends sets the outputs (bit 0 DTR,
    bit 1 RTS) and is answered by one byte of the inputs (bit 0 CTS, bit 1 DSR, bit 2 RI, bit 3 CD).
    """

    baud: int
    parity: Literal["N", "E", "O"] = "N"
    data_bits: int = 8
    stop_bits: int = 1
    dtr: bool = True
    rts: bool = True
    settle_s: float = 0.0
    contacts: bool = False


class UsbPort(msgspec.Struct, frozen=True):
    """How a device is reached over USB, without a serial port between.

    `ids`: vendor and product numbers, product None for all of a vendor; none at all if the site file alone
    can say which device it is. `interface`: class, subclass and protocol of its interface, None for any.
    `form`: "stream": bytes as they are, over a pair of bulk endpoints; "reports": HID reports in the records
    of `tablebridge.sdk.reports`. `numbered`: the first byte of each report is its number.
    """

    ids: tuple[tuple[int, int | None], ...]
    interface: tuple[int, int | None, int | None] | None = None
    form: Literal["stream", "reports"] = "stream"
    numbered: bool = False

    def knows(self, vendor: int, product: int) -> bool:
        """Whether a device with these numbers is one of the driver's."""
        return not self.ids or (vendor, product) in self.ids or (vendor, None) in self.ids


class KeysPort(msgspec.Struct, frozen=True):
    """How a reader is reached that the kernel takes for a keyboard: its key events, below /dev/input.

    Each event is eight bytes: type, code (two each) and value (four), low byte first, as of the kernel's
    input_event. `ids`: vendor and product of readers that no keyboard shares its numbers with.
    """

    ids: tuple[tuple[int, int], ...] = ()


class PcscPort(msgspec.Struct, frozen=True):
    """How a reader is reached by PC/SC, the system's service for card readers.

    Each line that the session sends is a command to the card in hex. Each is answered by a line of JSON:
    `{"reader": "its name", "state": 34, "atr": "3B…", "answer": "04A1B2C39000"}`. `state`: bits of PC/SC, 10
    empty, 20 a card, 200 a card that does not answer (hex). `answer` is there if the card answered, `error` a
    sentence if it did not. The line `number` asks for the reader's own number, which is there as `number`
    then, empty if it has none.
    """


class WatchPort(msgspec.Struct, frozen=True):
    """No device but the box itself. Each line that the session sends, whatever is in it, is answered by a
    line of JSON: all USB devices but hubs, each `{"ids": "1209:0001", "path": "1-4.1", "what": "...",
    "named": false}`. `named`: the site file's.
    """


class Option(msgspec.Struct, frozen=True):
    """One setting of a driver in the site file: its default, whose type is the option's, and a
    sentence.
    """

    default: bool | int | float | str
    meaning: str
    lowest: float | None = None
    highest: float | None = None
    choices: tuple[str, ...] = ()


POLL_INTERVAL: Final = "poll_interval_ms"
"""The option that says how long a device is left alone between two questions."""

Trust = Literal["vendor document", "logged traffic", "computed", "own protocol"]
"""How far the knowledge of a protocol goes, the best first; an own protocol is the driver author's."""

Emulation = Literal["clients", "published", "composed"]
"""How far what the emulated device of a driver's tests says comes from outside, the best first: programs of
others read it as they read the real one; it sends what others logged or published; its author composed all
of it.
"""


class Driver(msgspec.Struct, frozen=True):
    """What the host and the doctor must know of a driver without running it.

    `trust`: how far the protocol knowledge goes. `source`: where it comes from. `tested`: on what. `port`:
    line settings for these options, None if the device has no serial line; `usb`: how it is reached over
    USB, None if it is not. `session`: a new session with these options. `stale_after_s`: a device not
    `alive` for so long is stale; after three times that it is lost. `decode`: what bytes mean outside a
    conversation, for people who look at them. `distinctive`: `decode` accepts only what carries a checksum or
    a text that no other device sends, so that bytes which it understands show that the device is one of the
    driver's. `shows`: the device is a light; its session is a `Light`. `watch`: it is the box itself. `keys`:
    it types as a keyboard. `pcsc`: it is reached by PC/SC. `emulation`: from where the emulated device of its
    tests has what it says. `standard`: of the only cards that it reads, if a deck may have others. `stored`:
    what such a device keeps of its configuration and the driver depends on. `answers_only`: the device speaks
    only when it is asked. If its option `poll_interval_ms` leaves it 10 ms and more between two questions,
    its answers may be read some milliseconds later, with those of others. `variants`: options with which such
    devices are met, too, in place of the defaults: another speed, another dialect. The set-up tries them.
    """

    name: str
    title: str
    trust: Trust
    source: str
    tested: str
    session: Callable[[Options], Session]
    port: Callable[[Options], SerialPort] | None = None
    usb: UsbPort | None = None
    options: dict[str, Option] = {}
    antennas: tuple[int, ...] = (0,)
    stale_after_s: float = 2.0
    decode: Callable[[bytes], tuple[Reading | Rejected, ...]] | None = None
    distinctive: bool = False
    shows: bool = False
    watch: WatchPort | None = None
    keys: KeysPort | None = None
    pcsc: PcscPort | None = None
    answers_only: bool = False
    emulation: Emulation = "composed"
    standard: str = ""
    stored: tuple[Stored, ...] = ()
    variants: tuple[Options, ...] = ()

    def __post_init__(self) -> None:
        """Refuses a description of other types when it is made, as a type checker would."""
        if not isinstance(self.antennas, tuple):
            raise TypeError(
                "Driver.antennas is a tuple of numbers: (0,), or () for a device without antennas"
            )
        if self.trust not in get_args(Trust):
            raise TypeError(f"Driver.trust is one of: {', '.join(get_args(Trust))}")
        if self.emulation not in get_args(Emulation):
            raise TypeError(f"Driver.emulation is one of: {', '.join(get_args(Emulation))}")

    @property
    def composed(self) -> bool:
        """Whether nobody outside has ever seen what it was tried with; an own protocol has no outside."""
        return self.emulation == "composed" and self.trust != "own protocol"


__all__ = [
    "Driver",
    "KeysPort",
    "Light",
    "Option",
    "Options",
    "PcscPort",
    "Reason",
    "Rejected",
    "SerialPort",
    "Session",
    "Signal",
    "Turn",
    "UsbPort",
    "WatchPort",
]
