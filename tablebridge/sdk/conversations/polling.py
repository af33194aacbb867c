"""The conversation with a device that is asked the same again and again, and may speak by itself, too.

    state      due                               what the driver takes for an answer
    waiting    count a timeout, ask: waiting     idle, until the time that the driver names
    idle       ask: waiting                      the same

A driver gives `heard`, and says in it by `answered` that something was the answer:

    class ScaleSession(Polling[bytes]):
        def __init__(self, options: Options) -> None:
            super().__init__(Lines(20), b"W\\n", 300 * MS, "no answer of the scale")

        def heard(self, line: bytes, now_ns: int) -> None:
            self.report(meaning(line), alive=True)
            self.answered(now_ns + 50 * MS)
"""

from tablebridge.model.instant import Instant
from tablebridge.sdk.conversations.conversation import MS, Conversation, Item
from tablebridge.sdk.driver import Reason, Rejected, Turn
from tablebridge.sdk.framing import Receiver


class Polling(Conversation[Item]):
    """A session to which a driver gives the question and what answers mean.

    `question`: the bytes that ask. `answer_ns`: how long an answer may take. `no_answer`: the detail with
    which a missing one is counted.
    """

    def __init__(self, receiver: Receiver[Item], question: bytes, answer_ns: int, no_answer: str) -> None:
        super().__init__(receiver)
        self.waiting = False
        """True: the question is out and `_at_ns` is its deadline. False: `_at_ns` is when it goes out again.
        """
        self._question = question
        self._answer_ns = answer_ns
        self._no_answer = no_answer
        self._at_ns = 0

    # What a driver says, beside what all conversations can say.

    def answered(self, at_ns: int) -> None:
        """The question is answered; it goes out again at `at_ns`."""
        self.waiting, self._at_ns = False, at_ns

    # What the host calls.

    def start(self, now: Instant) -> Turn:
        self._ask(now.monotonic_ns)
        return self._turn()

    def due(self, now: Instant) -> Turn:
        self._hear_silence(now.monotonic_ns)
        if now.monotonic_ns < self._at_ns:
            return self._turn()
        if self.waiting:
            self._rejected.append(Rejected(Reason.TIMEOUT, self._no_answer))
        self._ask(now.monotonic_ns)
        return self._turn()

    def _next_ns(self) -> int:
        return self._at_ns

    def _ask(self, now_ns: int) -> None:
        self.send(self._question)
        self.waiting, self._at_ns = True, now_ns + self._answer_ns


__all__ = ["MS", "Polling"]
