"""The conversation with a device that speaks when asked: one request at a time, one answer to each.

Theory. Every request has a deadline. A request without a whole answer is counted and asked again, from where
the driver says that it is safe; after `TRIES` of them in a row the conversation restarts, for the device may
have been switched off or exchanged. Nothing is sent while a frame still comes, and nothing but in `due`: so
what a stream of bytes means does not depend on how it was cut. A damaged answer does not come again, so its
request is asked for again as soon as the line is silent.

    state      due                              a frame that answers           another frame
    waiting    count a timeout, ask again       the driver names the next      the driver rejects or takes it
    idle       ask for the next step: waiting   the driver rejects it          the same

A driver has an `Enum` of its steps, the value of each its name for people, and gives `request` and `heard`:

    class CoinSession(RequestResponse[Step]):
        def __init__(self, options: Options) -> None:
            super().__init__(Step.NAME, Frames(measure, intact))

        def request(self, step: Step) -> tuple[bytes, int]:
            return REQUESTS[step], 300 * MS

        def heard(self, frame: bytes, now_ns: int) -> None:
            if not self.waiting or frame[1] != ANSWERS[self.step]:
                self.reject(Reason.UNEXPECTED, "an answer that no request waits for", frame)
            elif self.step is Step.NAME:
                self.report(DeviceStatus("identified", name_of(frame)), alive=True)
                self.go_to(Step.SWEEP, now_ns)
            else:
                self.report(sweep_of(frame), alive=True)
                self.go_to(Step.SWEEP, now_ns + POLL_NS)
"""

from abc import abstractmethod
from enum import Enum
from typing import Final, Generic, TypeVar

from tablebridge.model.instant import Instant
from tablebridge.sdk.conversations.conversation import BREAK_NS, MS, Conversation, Health
from tablebridge.sdk.driver import Reason, Rejected, Turn
from tablebridge.sdk.framing import Receiver

TRIES: Final = 3

Step = TypeVar("Step", bound=Enum)


class RequestResponse(Conversation[bytes], Generic[Step]):
    """A session to which a driver gives the steps, the requests and what answers mean.

    `first`: the step with which it starts. `half_duplex`: one line carries both directions, so nothing is
    sent until the device has been silent for `BREAK_NS`; for devices that never speak by themselves.
    """

    def __init__(self, first: Step, receiver: Receiver[bytes], half_duplex: bool = False) -> None:
        super().__init__(receiver)
        self.step = first
        self.waiting = False
        """True: a request is out and `_at_ns` is its deadline. False: `_at_ns` is when the next request goes
        out.
        """
        self._first = first
        self._half_duplex = half_duplex
        self._at_ns = 0
        self._tries = 0

    # What a driver gives, beside `heard`.

    @abstractmethod
    def request(self, step: Step) -> tuple[bytes, int]:
        """The bytes that ask for a step, and how long its answer may take in ns."""

    def retry(self, step: Step) -> Step:
        """The step to ask for if `step` got no answer."""
        return step

    def restart(self) -> None:
        """The conversation starts from its first step. A driver that knows something of the device's mode
        forgets it here, too.
        """
        self.step, self._tries = self._first, 0
        self.belonging.forget()

    @property
    def in_vain(self) -> bool:
        """Whether a step got no answer as often as is tried before the conversation restarts: for `retry` of
        one that a device may not know, and without which it works.
        """
        return self._tries >= TRIES - 1

    # What a driver says, beside what all conversations can say.

    def go_to(self, step: Step, at_ns: int) -> None:
        """What was asked is answered; the next request is that of `step`, at `at_ns`."""
        self.step, self.waiting, self._at_ns, self._tries = step, False, at_ns, 0

    def wait_until(self, deadline_ns: int) -> None:
        """The answer, or the rest of it, is on its way: this is its deadline now."""
        self._at_ns = deadline_ns

    # What the host calls.

    def start(self, now: Instant) -> Turn:
        self.restart()
        self._ask(now.monotonic_ns)
        return self._turn()

    def due(self, now: Instant) -> Turn:
        now_ns = now.monotonic_ns
        self._hear_silence(now_ns)
        if self.waiting and (self._half_duplex or self._receiver.pending):
            self._at_ns = max(self._at_ns, self._silent_ns)
        if now_ns < self._at_ns:
            return self._turn()
        if self.waiting:
            self._rejected.append(Rejected(Reason.TIMEOUT, f"no whole answer to {self.step.value}"))
            self._tries += 1
            self.step = self.retry(self.step)
            if self._tries >= TRIES:
                self.restart()
        self._ask(now_ns)
        return self._turn()

    def _next_ns(self) -> int:
        return self._at_ns

    def _damaged(self, now_ns: int) -> None:
        if self.waiting:
            self._at_ns = min(self._at_ns, now_ns + BREAK_NS)

    def _ask(self, now_ns: int) -> None:
        data, answer_ns = self.request(self.step)
        self.send(data)
        self.waiting, self._at_ns = True, now_ns + answer_ns


def following(antenna: int, antennas: tuple[int, ...]) -> int:
    """The antenna that is visited after this one, the first after the last."""
    return antennas[(antennas.index(antenna) + 1) % len(antennas)]


__all__ = ["BREAK_NS", "MS", "TRIES", "Health", "RequestResponse", "following"]
