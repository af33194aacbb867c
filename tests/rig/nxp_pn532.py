"""A PN532 behind SPI or I2C, after NXP's user manual UM0701-02: sections 6.2.4 and 6.2.5 (the buses), 7.2 and
7.3 (commands). What it says and when is that of `rig.pn532`, which others' clients drive over a serial line.

composed: how long it takes for an answer.
"""

from rig.pn532 import Pn532

_TAKES_US = 2000.0


def _mirror(data: bytes) -> bytes:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)


class Pn532OnBus:
    """The chip on a bus. Each reading transfer takes one frame; what is not read of it is gone."""

    def __init__(self, *uids: str) -> None:
        self.chip = Pn532(*uids, halts=True)
        self.chip(b"\x55\x55" + bytes(6))
        self.silent = False
        self._frames: list[tuple[float, bytes]] = []

    def lay(self, *uids: str) -> None:
        """These cards, and no others, lie there from now on."""
        self.chip.put(*uids)

    def deselected(self) -> None:
        """The select pin has gone up."""

    def exchange(self, data: bytes, us: float) -> bytes:
        """One SPI transfer, lowest bit first."""
        sent = _mirror(data)
        match sent[0]:
            case 0x01:
                self.written(sent[1:], us)
            case 0x02:
                return _mirror(bytes((0, self._ready(us))) + bytes(len(sent) - 2))
            case 0x03:
                return _mirror(b"\0" + self._next(len(sent) - 1, us))
        return bytes(len(sent))

    def written(self, data: bytes, us: float) -> None:
        """A frame of the host; over I2C as it is."""
        if self.silent:
            return
        said = self.chip(data)
        if said.startswith(b"\0\0\xff\0\xff\0"):
            self._frames = [(us + 200, said[:6])]
            said = said[6:]
        if said:
            self._frames.append((us + _TAKES_US, said))

    def read(self, count: int, us: float) -> bytes:
        """An I2C read: whether it is ready, then the frame."""
        if count == 1 or not self._ready(us):
            return bytes((self._ready(us),)) + bytes(count - 1)
        return b"\x01" + self._next(count - 1, us)

    def _ready(self, us: float) -> int:
        return int(bool(self._frames) and us >= self._frames[0][0])

    def _next(self, count: int, us: float) -> bytes:
        if not self._ready(us):
            return bytes(count)
        return self._frames.pop(0)[1][:count].ljust(count, b"\0")
