"""What all conversations share: bytes cut into items, items heard in their order, and what the driver says of
them gathered into one `Turn`.

Theory. A frame that has begun is given up after a silence of `break_ns`: what its receiver makes of it then
is heard as anything else. A status is reported when it changes, and "ok" only after something else, so that a
device that works says nothing of itself.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, Generic, Literal, TypeVar

from tablebridge.model.instant import Instant
from tablebridge.model.readings import DeviceStatus, Reading
from tablebridge.sdk.boards import Belonging, plain, with_board
from tablebridge.sdk.driver import Reason, Rejected, Turn
from tablebridge.sdk.framing import Receiver, rejected

MS: Final = 1_000_000
"""Nanoseconds."""
BREAK_NS: Final = 40 * MS
"""Silence after which a frame that has begun is given up; USB adapters pause for up to 16 ms, readers 12."""
REFUSALS_TO_FAIL: Final = 5

Health = Literal["ok", "degraded", "failed"]
Item = TypeVar("Item")


class Conversation(ABC, Generic[Item]):
    """One conversation with one device. `receiver`: cuts what it says into items."""

    def __init__(self, receiver: Receiver[Item], break_ns: int = BREAK_NS) -> None:
        self._receiver = receiver
        self._break_ns = break_ns
        self._silent_ns = 0
        """When silence has lasted for `break_ns`."""
        self._refusals: dict[int | None, int] = {}
        self._status: dict[int | None, str] = {}
        self._readings: list[Reading] = []
        self._rejected: list[Rejected] = []
        self._send = b""
        self._alive = False
        self.belonging = Belonging()
        """A driver whose device says a number of its own puts in what the site file wants."""
        self._strange = ""
        """The status by which the device was called a stranger; empty if it was not."""

    # What a driver gives.

    @abstractmethod
    def heard(self, item: Item, now_ns: int, /) -> None:
        """A whole item came: a frame, a line, a record."""

    # What a driver says.

    def report(self, said: Reading | Rejected, alive: bool = False) -> None:
        """What an item says, or why it says nothing. `alive`: a reading that proves that the device works."""
        if isinstance(said, Rejected):
            self._rejected.append(said)
            return
        self._alive |= alive
        if isinstance(said, DeviceStatus) or not self.belonging.stranger:
            self._readings.append(said)

    def reject(self, reason: Reason, detail: str = "", raw: bytes = b"") -> None:
        """These bytes say nothing. `raw` is cut to its length."""
        self._rejected.append(rejected(reason, detail, raw))

    def prove_alive(self) -> None:
        """The device has just proved that it works."""
        self._alive = True

    def send(self, data: bytes) -> None:
        """Bytes go out with this turn."""
        self._send += data

    def report_status(self, state: Health, detail: str = "", antenna: int | None = None) -> None:
        """The status of the device, or of an antenna: a reading if it has changed. That it does not belong
        here stands above all others.
        """
        if not self.belonging.stranger:
            self._note_status(state, detail, antenna)

    def report_board(self, identity: str, number: str) -> None:
        """The device has said who it is, and its own number; empty: it says none."""
        self.report(DeviceStatus("identified", with_board(identity, plain(number))), alive=True)
        self.check_board(number)

    def check_board(self, number: str) -> None:
        """The device has said its own number, empty: it says none. If it does not belong here that is its
        status.
        """
        before, why = self._strange, self.belonging.said(plain(number))
        self._strange = f"failed {why}" if why else ""
        if why:
            self._note_status("failed", why)
        elif before and self._status.get(None) == before:
            self.report_success()

    def report_success(self, antenna: int | None = None) -> None:
        """The device, or an antenna, did what was asked: "ok" if its last status was another."""
        self._refusals.pop(antenna, None)
        self.report_status("ok", "", antenna)

    def report_refusal(self, detail: str, antenna: int | None = None) -> None:
        """The device, or an antenna, refused: "degraded", and "failed" from the fifth time in a row."""
        refusals = self._refusals[antenna] = self._refusals.get(antenna, 0) + 1
        self.report_status("failed" if refusals >= REFUSALS_TO_FAIL else "degraded", detail, antenna)

    def _note_status(self, state: Health, detail: str, antenna: int | None = None) -> None:
        status = f"{state} {detail}"
        if self._status.get(antenna, "ok ") != status:
            self._status[antenna] = status
            self._readings.append(DeviceStatus(state, detail, antenna))

    # What the host calls.

    @abstractmethod
    def start(self, now: Instant) -> Turn:
        """The port is open and empty: the first bytes to send, if any."""

    def received(self, data: bytes, now: Instant) -> Turn:
        """Bytes arrived, cut anywhere."""
        self._silent_ns = now.monotonic_ns + self._break_ns
        self._hear(self._receiver.feed(data), now.monotonic_ns)
        return self._turn()

    @abstractmethod
    def due(self, now: Instant) -> Turn:
        """The time named by the last turn has come."""

    # What a conversation is made of.

    @abstractmethod
    def _next_ns(self) -> int | None:
        """When something is due, silence apart; None: never."""

    def _damaged(self, now_ns: int) -> None:
        """An item was rejected by the receiver; by default nothing follows from that."""

    def _hear(self, found: Sequence[Item | Rejected], now_ns: int) -> None:
        for item in found:
            if isinstance(item, Rejected):
                self._rejected.append(item)
                self._damaged(now_ns)
            else:
                self.heard(item, now_ns)

    def _hear_silence(self, now_ns: int) -> None:
        """Gives up an item that has begun if nothing came for long enough."""
        if self._receiver.pending and now_ns >= self._silent_ns:
            self._hear(self._receiver.silence(), now_ns)

    def _turn(self) -> Turn:
        """All that was said since the last turn."""
        wake_ns = self._next_ns()
        if self._receiver.pending:
            wake_ns = self._silent_ns if wake_ns is None else min(wake_ns, self._silent_ns)
        turn = Turn(tuple(self._readings), tuple(self._rejected), self._send, wake_ns, self._alive)
        self._readings.clear()
        self._rejected.clear()
        self._send, self._alive = b"", False
        return turn
