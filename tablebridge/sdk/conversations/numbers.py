"""The conversation with a reader that types numbers of badges and cards, each once, in one form or another.

Theory. As `push` has it. What a line of ten digits means depends on what the reader has typed before
(`card_numbers`), so the session remembers it; if it took such a line for decimal and then sees that the
reader types hex, it says so, for a badge was read under another number.
"""

from collections.abc import Callable

from tablebridge.model.readings import Reading, Sweep
from tablebridge.sdk.card_numbers import Numbers, badge
from tablebridge.sdk.conversations.push import Named, NamingSession, Said
from tablebridge.sdk.driver import Options, Rejected
from tablebridge.sdk.framing import Receiver, TextLines

Read = Callable[[bytes, Numbers], str | Rejected]
"""The UID that a line names, by what the reader has typed so far."""


class NumberSession(NamingSession):
    """A session with a reader that types numbers. `options`: those of the driver, with `hold_ms` and `badge`
    among them. `read`: what a line names. `lines`: cuts what it says into lines, if it says no text.
    """

    def __init__(
        self, numbers: Numbers, read: Read, options: Options, lines: Receiver[bytes] | None = None
    ) -> None:
        self._numbers, self._read, self._badge = numbers, read, str(options["badge"])
        super().__init__(lines or TextLines(), self._named, int(options["hold_ms"]))

    def _named(self, line: bytes) -> Said:
        uid = self._read(line, self._numbers)
        return uid if isinstance(uid, Rejected) else Named(0, badge(uid, self._badge))

    def heard(self, item: bytes, now_ns: int) -> None:
        super().heard(item, now_ns)
        if self._numbers.doubt:
            self.report_status(
                "degraded",
                "it types hex digits, and a number without letters was taken for a decimal one before: "
                'set form = "hex"',
            )


def decode_numbers(
    read: Read, numbers: Numbers, data: bytes, lines_of: Receiver[bytes] | None = None
) -> tuple[Reading | Rejected, ...]:
    """What lines that one reader typed mean outside a conversation: what it shows in the last of them holds
    for the first, too. `lines_of`: cuts what it says into lines, if it says no text.
    """
    cut = lines_of or TextLines()
    lines = (*cut.feed(data), *cut.silence())
    for line in lines:
        if isinstance(line, bytes):
            read(line, numbers)
    found = [read(line, numbers) if isinstance(line, bytes) else line for line in lines]
    return tuple(uid if isinstance(uid, Rejected) else Sweep(0, (uid,)) for uid in found)


__all__ = ["NumberSession", "Read", "decode_numbers"]
