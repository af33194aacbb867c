"""A reader behind PC/SC, the system's service for card readers: `pcsc://`, or `pcsc://NAME` with the
beginning of the reader's name. See `PcscPort` for the bytes.

A card takes its time, so it is asked in a thread of its own; nothing else is done there. The reader is shared
with other programs, and each question is a connection of its own, so that none waits for us.
"""

import os
import queue
import threading
from typing import Final

import msgspec

from tablebridge.host.links import winscard
from tablebridge.host.links.link import LinkRefused
from tablebridge.host.links.opening import PCSC
from tablebridge.host.links.winscard import CardError, Context
from tablebridge.model.errors import LinkError

MOST_WAITING: Final = 16
_LONGEST: Final = 600
"""Hex digits of a command that may come without its end."""
_JOIN_S: Final = 5.0
_NUMBER: Final = b"number"
_GONE: Final = frozenset(
    {
        winscard.NO_SERVICE,
        winscard.SERVICE_STOPPED,
        winscard.INVALID_HANDLE,
        winscard.UNKNOWN_READER,
        winscard.READER_UNAVAILABLE,
        winscard.NO_READERS,
    }
)


def choose(wanted: str, there: list[str]) -> str:
    """The reader whose name begins so. Raises LinkRefused if several do, LinkError if none does."""
    fitting = [name for name in there if name.startswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    names = "; ".join(there)
    if fitting:
        raise LinkRefused(
            f"{PCSC}{wanted} is the beginning of several readers' names: write more of one in the site file "
            f"({names})."
        )
    if there:
        raise LinkError(f"no reader's name begins with {wanted!r}. There are: {names}.")
    raise LinkError("pcscd knows no reader: plug it in.")


class PcscLink:
    """An open way to one reader. Raises LinkRefused, LinkError."""

    def __init__(self, port: str) -> None:
        self._context = Context()
        try:
            self._reader = choose(port.removeprefix(PCSC), self._context.readers())
        except LinkError:
            self._context.close()
            raise
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._begun = b""
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._questions: queue.Queue[bytes | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._work, name="pcsc", daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """To wait on until there is something to read."""
        return self._event

    def read(self) -> bytes:
        """The answers that are there. Raises LinkError when the reader was unplugged or pcscd ended."""
        try:
            os.eventfd_read(self._event)
        except BlockingIOError:
            return b""
        answers = b""
        while not self._answers.empty():
            answer = self._answers.get()
            if answer is None:
                if answers:
                    # What came before is given first.
                    self._answer(None)
                    return answers
                raise LinkError(f"{self._reader} is gone, or pcscd ended: check its cable.")
            answers += answer
        return answers

    def send(self, data: bytes) -> bool:
        """Each line is a command in hex, or asks for the reader's number. Raises LinkError if a card answers
        none for too long.
        """
        *lines, self._begun = (self._begun + data).split(b"\n")
        self._begun = self._begun[-_LONGEST:]
        try:
            for line in lines:
                self._questions.put_nowait(line)
        except queue.Full:
            raise LinkError(f"{self._reader} does not answer: unplug it and plug it in again.") from None
        return True

    def close(self) -> None:
        """Release the reader. A question that is out is waited for, but not for ever."""
        if self._event < 0:
            return
        while not self._questions.empty():
            self._questions.get()
        self._questions.put(None)
        self._thread.join(_JOIN_S)
        if not self._thread.is_alive():
            os.close(self._event)
        self._event = -1

    def _work(self) -> None:
        """The thread: asks the card, one question after the other."""
        while (question := self._questions.get()) is not None:
            try:
                self._answer(self._asked(question))
            except CardError:
                self._answer(None)
                break
        self._context.close()

    def _answer(self, answer: bytes | None) -> None:
        self._answers.put(answer)
        os.eventfd_write(self._event, 1)

    def _asked(self, question: bytes) -> bytes:
        """The line that answers a question. Raises CardError if the reader is gone."""
        state, atr = self._context.look(self._reader)
        said: dict[str, object] = {"reader": self._reader, "state": state, "atr": atr.hex().upper()}
        if question == _NUMBER:
            said["number"] = self._context.number(self._reader)
        elif state & winscard.PRESENT:
            try:
                answer = self._context.ask(self._reader, bytes.fromhex(question.decode("ascii")))
                said["answer"] = answer.hex().upper()
            except CardError as error:
                if error.code in _GONE:
                    raise
                said["error"] = str(error)
        return msgspec.json.encode(said) + b"\n"
