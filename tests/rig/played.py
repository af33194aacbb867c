"""A device of the rig as a peer of `tablebridge.sdk.testing.converse`: in virtual time, without a port."""

from collections.abc import Callable, Iterable, Sequence

MS = 1_000_000


class Played:
    """`device(data)` gives its answer, 3 ms later. `happens`: in order of time, at which ms what it then says
    by itself.
    """

    def __init__(
        self, device: Callable[[bytes], bytes], happens: Sequence[tuple[int, Callable[[], bytes]]] = ()
    ) -> None:
        self._device = device
        self._happens = list(happens)
        self._now_ns = 0

    def asked(self, data: bytes, now_ns: int) -> Iterable[tuple[int, bytes]]:
        self._now_ns = now_ns
        return [(3 * MS, answer)] if (answer := self._device(data)) else []

    def waits_ns(self) -> int | None:
        return max(0, self._happens[0][0] * MS - self._now_ns) if self._happens else None

    def speaks(self, now_ns: int) -> Iterable[tuple[int, bytes]]:
        self._now_ns = now_ns
        while self._happens and self._happens[0][0] * MS <= now_ns:
            if said := self._happens.pop(0)[1]():
                yield 0, said
