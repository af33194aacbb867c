"""The latency timer of FTDI's chips, in virtual time.

The chip hands what it has received to the host when 62 bytes are there or when its timer runs out: every
16 ms, or every 1 ms with ASYNC_LOW_LATENCY (FTDI, application note AN232B-04; the kernel's ftdi_sio.c).
"""

from collections.abc import Callable, Iterable

MS = 1_000_000
PACKET = 62


class Adapter:
    """A device behind such a chip, as a peer of `tablebridge.sdk.testing.converse`. It answers after 3 ms."""

    def __init__(self, device: Callable[[bytes], bytes], timer_ms: int) -> None:
        self._device = device
        self._timer_ns = timer_ms * MS

    def asked(self, data: bytes, now_ns: int) -> Iterable[tuple[int, bytes]]:
        answer = self._device(data)
        whole = len(answer) // PACKET * PACKET
        if answer[:whole]:
            yield 3 * MS, answer[:whole]
        if answer[whole:]:
            came_ns = now_ns + 3 * MS
            yield 3 * MS + -came_ns % self._timer_ns, answer[whole:]

    def waits_ns(self) -> int | None:
        return None

    def speaks(self, now_ns: int) -> Iterable[tuple[int, bytes]]:
        return ()
