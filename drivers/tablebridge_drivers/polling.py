"""The conversation with a device that is asked the same again and again, and may speak by itself, too. No
driver by itself.

state      due                               what the driver takes for an answer
waiting    count a timeout, ask: waiting     idle, until the driver's next time
idle       ask: waiting                      the same
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, Generic, TypeVar

from tablebridge.sdk import Instant, Reading, Reason, Rejected, Turn

MS: Final = 1_000_000
Item = TypeVar("Item")


class Polling(ABC, Generic[Item]):
    """A session of which a driver gives the question and what answers mean. `silence`: what a missing answer
    is counted as.
    """

    def __init__(self, question: bytes, answer_ns: int, silence: str) -> None:
        self.waiting = False
        """True: the question is out and `_at_ns` is its deadline. False: `_at_ns` is when it goes out again.
        """
        self._question = question
        self._answer_ns = answer_ns
        self._silence = silence
        self._at_ns = 0

    @abstractmethod
    def cut(self, data: bytes) -> Iterable[Item | Rejected]:
        """What these bytes complete."""

    @abstractmethod
    def heard(self, item: Item, now_ns: int) -> Sequence[Reading] | Rejected | None:
        """What an item says; readings, and be it none, prove that the device works. None: nothing."""

    def answered(self, at_ns: int) -> None:
        """The question is answered; it goes out again at `at_ns`."""
        self.waiting, self._at_ns = False, at_ns

    # What the host calls.

    def start(self, now: Instant) -> Turn:
        return self._ask(now)

    def received(self, data: bytes, now: Instant) -> Turn:
        readings: list[Reading] = []
        faults: list[Rejected] = []
        alive = False
        for item in self.cut(data):
            told = item if isinstance(item, Rejected) else self.heard(item, now.monotonic_ns)
            if isinstance(told, Rejected):
                faults.append(told)
            elif told is not None:
                readings += told
                alive = True
        return Turn(tuple(readings), tuple(faults), b"", self._at_ns, alive)

    def due(self, now: Instant) -> Turn:
        if now.monotonic_ns < self._at_ns:
            return Turn(wake_ns=self._at_ns)
        late = (Rejected(Reason.TIMEOUT, self._silence),) if self.waiting else ()
        turn = self._ask(now)
        return Turn(rejected=late, send=turn.send, wake_ns=turn.wake_ns)

    def _ask(self, now: Instant) -> Turn:
        self.waiting = True
        self._at_ns = now.monotonic_ns + self._answer_ns
        return Turn(send=self._question, wake_ns=self._at_ns)
