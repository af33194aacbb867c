"""The conversation with readers that speak when asked: one request at a time, one answer to each. No driver
by itself.

Theory. Every request has a deadline. A request without a whole answer is counted and asked again, from where
the driver says that it is safe; after `TRIES` of them in a row the conversation begins anew, for the reader
may have been switched off or exchanged. Nothing is sent while bytes still come, and nothing but in `due`: so
what a stream of bytes means does not depend on how it was cut.

    state      due                              a frame that answers           another frame
    waiting    count a timeout, ask again       the driver names the next      the driver rejects or takes it
    idle       ask for the next step: waiting   the driver rejects it          the same
"""

from abc import ABC, abstractmethod
from enum import Enum
from typing import Final, Literal

from tablebridge.sdk import DeviceStatus, Instant, Reading, Reason, Rejected, Turn
from tablebridge.sdk.framing import Frames, rejected

MS: Final = 1_000_000
BREAK_NS: Final = 40 * MS
"""Silence after which a frame that has begun is given up; USB adapters pause for up to 16 ms."""
TRIES: Final = 3
FAULTS_TO_FAIL: Final = 5

Health = Literal["ok", "degraded", "failed"]
Found = list[bytes | Rejected]


class Asking(ABC):
    """A session of which a driver gives the steps, the requests and what answers mean. `first`: where it
    begins.
    """

    def __init__(self, first: Enum) -> None:
        self.step = first
        self.waiting = False
        """True: a request is out and `_at_ns` is its deadline. False: `_at_ns` is when the next request goes
        out.
        """
        self._first = first
        self._at_ns = 0
        self._break_ns = 0
        self._tries = 0
        self._faults: dict[int | None, int] = {}
        self._told: dict[int | None, str] = {}
        self._readings: list[Reading] = []
        self._rejected: list[Rejected] = []
        self._alive = False

    # What a driver gives.

    @abstractmethod
    def request(self, step: Enum) -> tuple[bytes, int]:
        """The bytes that ask for a step, and how long an answer may take in ns."""

    @abstractmethod
    def cut(self, data: bytes) -> Found:
        """The frames that these bytes complete."""

    @abstractmethod
    def heard(self, frame: bytes, now_ns: int) -> None:
        """A whole frame came."""

    @property
    def pending(self) -> bool:
        """Whether a frame has begun and not ended."""
        return False

    def rest(self) -> Found:
        """The line went silent: what has begun will not end."""
        return []

    def again(self, step: Enum) -> Enum:
        """The step to ask for when `step` got no answer."""
        return step

    @abstractmethod
    def anew(self) -> None:
        """The conversation begins from its first step: what was known of the reader's mode is not known any
        more.
        """

    # What a driver says.

    def next(self, step: Enum, at_ns: int) -> None:
        """What was asked is answered; the next request goes out at `at_ns`."""
        self.step, self.waiting, self._at_ns, self._tries = step, False, at_ns, 0

    def patience(self, until_ns: int) -> None:
        """The answer is on its way: wait for the rest of it so long."""
        self._at_ns = until_ns

    def say(self, reading: Reading, alive: bool = False) -> None:
        self._readings.append(reading)
        self._alive |= alive

    def alive(self) -> None:
        """The device has just proved that it works."""
        self._alive = True

    def reject(self, reason: Reason, detail: str, raw: bytes = b"") -> None:
        self._rejected.append(rejected(reason, detail, raw))

    def tell(self, state: Health, detail: str = "", antenna: int | None = None) -> None:
        """A status is told when it changes; "ok" only after something else."""
        told = f"{state} {detail}"
        if self._told.get(antenna, "ok ") != told:
            self._told[antenna] = told
            self._readings.append(DeviceStatus(state, detail, antenna))

    def well(self, antenna: int | None = None) -> None:
        """It works, and does so again if it did not."""
        self._faults.pop(antenna, None)
        self.tell("ok", "", antenna)

    def unwell(self, detail: str, antenna: int | None = None) -> None:
        """It refused; the fifth time in a row it counts as failed."""
        faults = self._faults[antenna] = self._faults.get(antenna, 0) + 1
        self.tell("failed" if faults >= FAULTS_TO_FAIL else "degraded", detail, antenna)

    # What the host calls.

    def start(self, now: Instant) -> Turn:
        self.anew()
        return self._turn(self._ask(now.monotonic_ns))

    def received(self, data: bytes, now: Instant) -> Turn:
        self._break_ns = now.monotonic_ns + BREAK_NS
        self._take(self.cut(data), now.monotonic_ns)
        return self._turn(b"")

    def due(self, now: Instant) -> Turn:
        now_ns = now.monotonic_ns
        if self.pending and now_ns >= self._break_ns:
            self._take(self.rest(), now_ns)
        if self.waiting and self.pending:
            self._at_ns = max(self._at_ns, self._break_ns)
        if now_ns < self._at_ns:
            return self._turn(b"")
        if self.waiting:
            self._rejected.append(Rejected(Reason.TIMEOUT, f"no whole answer to {self.step.value}"))
            self._tries += 1
            self.step = self.again(self.step)
            if self._tries >= TRIES:
                self.step, self._tries = self._first, 0
                self.anew()
        return self._turn(self._ask(now_ns))

    def _ask(self, now_ns: int) -> bytes:
        data, answer_ns = self.request(self.step)
        self.waiting, self._at_ns = True, now_ns + answer_ns
        return data

    def _take(self, found: Found, now_ns: int) -> None:
        for item in found:
            if not isinstance(item, Rejected):
                self.heard(item, now_ns)
                continue
            self._rejected.append(item)
            if self.waiting:
                # A damaged answer does not come again: ask anew as soon as the line is silent.
                self._at_ns = min(self._at_ns, now_ns + BREAK_NS)

    def _turn(self, send: bytes) -> Turn:
        wake_ns = min(self._at_ns, self._break_ns) if self.pending else self._at_ns
        turn = Turn(tuple(self._readings), tuple(self._rejected), send, wake_ns, self._alive)
        self._readings.clear()
        self._rejected.clear()
        self._alive = False
        return turn


class AskingFrames(Asking):
    """One of a reader whose frames tell their length."""

    def __init__(self, first: Enum, frames: Frames) -> None:
        super().__init__(first)
        self._frames = frames

    @property
    def pending(self) -> bool:
        return self._frames.pending

    def cut(self, data: bytes) -> Found:
        return self._frames.feed(data)

    def rest(self) -> Found:
        return self._frames.silence()


def following(antenna: int, antennas: tuple[int, ...]) -> int:
    """The antenna that is visited after this one, the first after the last."""
    return antennas[(antennas.index(antenna) + 1) % len(antennas)]
