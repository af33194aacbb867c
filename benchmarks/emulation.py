"""An emulated table in a process of its own, which gives way to what is measured: its priority is lower.

    python -m benchmarks.emulation FOLDER NAME PREFIX SEED

A line of JSON on standard output says what its section of the site file is: its ports can be opened then. It
reads one line of JSON, `{"url": ..., "token": ...}`, says `{"dealing": true}` as soon as all its devices are
live, and deals until standard input ends. To the line `call` the dealer calls the floor, and the answer says
when the line of the board was sent, `{"sent_ns": ...}` (monotonic); the line `visits` asks how often the
readers have visited their antennas, `{"visits": ...}`.
"""

import contextlib
import json
import os
import queue
import sys
import threading
import time
from pathlib import Path

from benchmarks.dealing import deal
from tablebridge.sim.emulated import EmulatedTable
from tablebridge.sim.rig import BOARD_DEVICE, FLOOR_CONTACT

NICE = 10
_PRESSED = f",k,{FLOOR_CONTACT},1,".encode()
_WITHIN_S = 60.0


class Caller:
    """Has the dealer call the floor, and notes when the board's line was sent."""

    def __init__(self, table: EmulatedTable) -> None:
        self._table = table
        self._asked = False
        self._sent: queue.Queue[int] = queue.Queue()
        table.rig.bench.watch(BOARD_DEVICE, self._sending)

    def call(self) -> int:
        """Call the floor; when the line was sent (monotonic ns)."""
        self._asked = True
        self._table.rig.call_floor()
        return self._sent.get(timeout=_WITHIN_S)

    def _sending(self, data: bytes) -> None:
        if self._asked and _PRESSED in data:
            self._asked = False
            self._sent.put(time.monotonic_ns())


def main() -> None:
    folder, name, prefix, seed = sys.argv[1:]
    _give_way()
    stopped = threading.Event()
    table = EmulatedTable(
        Path(folder),
        level="typical",
        speed=1.0,
        seed=int(seed),
        stopped=stopped.is_set,
        name=name,
        prefix=prefix,
    )
    with table:
        caller = Caller(table)
        _say(section=table.section())
        table.connect(**json.loads(sys.stdin.readline()))
        table.wait_table()
        dealer = threading.Thread(target=deal, args=(table, int(seed)))
        dealer.start()
        _say(dealing=True)
        for line in sys.stdin:
            if line.strip() == "call":
                _say(sent_ns=caller.call())
            else:
                _say(visits=sum(reader.visits for reader in table.rig.readers.values()))
        stopped.set()
        dealer.join()


def _give_way() -> None:
    """Lower the priority, and that of the session: a kernel with autogroups compares only sessions."""
    os.nice(NICE)
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICE))


def _say(**said: object) -> None:
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
