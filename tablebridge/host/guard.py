"""A driver that does not come back ends its process, and at the next start its device is held out.

Several devices share one thread. A driver that raises is its own device's fault and nobody else's; one that
blocks, in Python or in a library, would stop them all, and so would one that crashes the interpreter.

1. Before a device is served its name is written into a file that is mapped into memory, and taken out
   afterwards: no system call, and it is there after any end of the process.
2. If no pass of the loop ends within `PATIENCE_S`, a thread of the standard library's `faulthandler`, which
   needs no lock of the interpreter, writes where the process stands and ends it. A crash is written in the
   same way.
3. The next start reads both files. The device that was being served is held out: for 15 seconds, and each
   time within the hour four times as long, up to 15 minutes. All others run.
"""

import faulthandler
import mmap
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

import msgspec

from tablebridge import private

PATIENCE_S: Final = 12.0
"""Less than systemd's watchdog has for this process, which would end it without saying why."""
FIRST_S: Final = 15.0
GROWTH: Final = 4.0
LONGEST_S: Final = 900.0
FORGOTTEN_S: Final = 3_600.0
_NAME_BYTES: Final = 64


class HeldOut(msgspec.Struct, frozen=True):
    """A device that is not opened before `until_s` (seconds since 1970), after it has stopped its process
    `times`. `position`: what the driver was doing.
    """

    times: int
    until_s: float
    position: str


_HELD: Final = msgspec.json.Decoder(dict[str, HeldOut])


class Guard:
    """The guard of one process; its files are in `folder`. `held_out`: by device. Raises OSError."""

    def __init__(
        self,
        folder: Path,
        patience_s: float = PATIENCE_S,
        wall_s: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._patience_s = patience_s
        self._monotonic = monotonic
        self._armed_at = -patience_s
        self.held_out = self._known(wall_s())
        (folder / "stuck").unlink(missing_ok=True)
        self._stuck: IO[bytes] = os.fdopen(private.lock(folder / "stuck"), "wb", buffering=0)
        handle = private.lock(folder / "serving")
        os.ftruncate(handle, _NAME_BYTES)
        self._serving = mmap.mmap(handle, _NAME_BYTES)
        os.close(handle)
        self.served()
        faulthandler.enable(self._stuck)

    def serving(self, device: str) -> None:
        """The device is about to be served."""
        self._serving[:] = device.encode().ljust(_NAME_BYTES, b"\0")

    def served(self) -> None:
        """No device is being served."""
        self._serving[:] = b"\0" * _NAME_BYTES

    def worked(self) -> None:
        """A pass of the loop has ended. It costs nothing if it is called often."""
        now = self._monotonic()
        if now - self._armed_at >= self._patience_s / 4:
            self._armed_at = now
            faulthandler.dump_traceback_later(self._patience_s, exit=True, file=self._stuck)

    def close(self) -> None:
        """The loop has ended as it should."""
        faulthandler.cancel_dump_traceback_later()
        faulthandler.disable()
        self._serving.close()
        self._stuck.close()

    def _known(self, now_s: float) -> dict[str, HeldOut]:
        """Who is held out, from what the last process left."""
        held = self._folder / "held-out.json"
        try:
            known = _HELD.decode(held.read_bytes())
        except (OSError, msgspec.MsgspecError):
            known = {}
        known = {name: held_out for name, held_out in known.items() if now_s - held_out.until_s < FORGOTTEN_S}
        device, position = self._culprit()
        if device:
            times = known[device].times + 1 if device in known else 1
            wait_s = min(LONGEST_S, FIRST_S * GROWTH ** min(times - 1, 8))
            known[device] = HeldOut(times, now_s + wait_s, position)
            private.write(held, msgspec.json.encode(known))
        return known

    def _culprit(self) -> tuple[str, str]:
        """The device that was being served if the last process was stuck or crashed, and where it stood."""
        try:
            stuck = (self._folder / "stuck").read_text(errors="replace")
            device = (self._folder / "serving").read_bytes().rstrip(b"\0").decode(errors="replace")
        except OSError:
            return "", ""
        lines = [line.strip() for line in stuck.splitlines()]
        position = next((line for line in lines if line.startswith("File ")), "an unknown place")
        return (device, position) if stuck else ("", "")
