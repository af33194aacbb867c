"""What drivers cost: to decode a frame, to bring it in from a port, and fourteen of them at work.

- Decoding: how many frames a second each driver decodes, from what the devices of tests/captures said. For
  the PN532 and for metraTec the baseline is the Python package for that device, fed with the same bytes:
  nfcpy cuts the frame, checks its sums and makes a target of it; metratec-rfid cuts what came by TCP and
  parses inventories, and checks nothing. Both come with `pip install -e '.[bench]'`; they take turns with us.
- A port: badges are written to two pseudo-terminals in turn. At the far end of one is a bare loop of
  pyserial, at that of the other the host's loop with a driver, up to where it keeps the reading. The
  difference is what we add (port.py).
- Fourteen readers: `tablebridge drive` for each at an emulated table at the speed of life, all processes
  together.
"""

import asyncio
import io
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any

import psutil

from benchmarks.figures import Figure, Options, Say, percentile
from benchmarks.fuzz import said
from tablebridge import DISTRIBUTION
from tablebridge.host import registry
from tablebridge.sim.session import Session
from tablebridge_drivers.metratec.blocks import decode as decode_metratec
from tablebridge_drivers.pn532.frames import decode as decode_pn532
from tablebridge_drivers.rdm6300 import encode

ROUNDS, CALLS = 15, 1_000
PN532 = bytes.fromhex("0000FF0CF4D54B010100040804507E7A592D00")
INVENTORY = b"E0040150954F02B1\rE0040150954F02B2\rARP 12\rIVF 02\r\n"
PIECE = 512
BADGES, QUICK_BADGES = 2_000, 300
PAUSE_S = 0.004
P50_MS = 1.0
SUM_PERCENT = 15.0
WORK_S, QUICK_S, SETTLE_S = 20.0, 5.0, 5.0


def run(options: Options, say: Say) -> list[Figure]:
    say("drivers: decoding")
    figures = _decoding()
    say("drivers: a port")
    figures += _port(QUICK_BADGES if options.quick else BADGES)
    say("drivers: fourteen readers")
    return figures + _fourteen(QUICK_S if options.quick else WORK_S)


# Decoding.


def _decoding() -> list[Figure]:
    figures = []
    for known in registry.known():
        frames, decode = said(known.name), registry.load(known.name).decode
        if frames and decode is not None and known.distribution == DISTRIBUTION:
            times = 1 + CALLS // len(frames)
            took = min(_seconds(partial(decode, b"".join(frames) * times)) for _ in range(5))
            figures.append(
                Figure(
                    f"{known.name}: frames decoded", len(frames) * times / took, "frames/s", better="higher"
                )
            )
    return [
        *figures,
        *_beside("pn532: frames of one tag", "nfcpy", partial(decode_pn532, PN532 * CALLS), _nfcpy),
        *_beside(
            "metratec: inventories of two tags",
            "metratec-rfid",
            partial(decode_metratec, INVENTORY * CALLS),
            _metratec,
        ),
    ]


def _seconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _beside(
    name: str, package: str, ours: Callable[[], object], make: Callable[[], Callable[[], object]]
) -> list[Figure]:
    try:
        theirs = make()
    except ImportError:
        return []
    best = [inf, inf]
    for _ in range(ROUNDS):
        best = [min(so_far, _seconds(call)) for so_far, call in zip(best, (ours, theirs), strict=True)]
    return [Figure(name, CALLS / best[0], "frames/s", package, CALLS / best[1], limit=1.0, better="higher")]


def _nfcpy() -> Callable[[], object]:
    clf: Any = import_module("nfc.clf")
    pn532: Any = import_module("nfc.clf.pn532")
    transport: Any = import_module("nfc.clf.transport")

    class Port:
        """What nfcpy takes for a serial port."""

        timeout = 0.0

        def __init__(self) -> None:
            self.read = io.BytesIO(PN532 * CALLS).read

    def decode() -> None:
        link, chip = transport.TTY.__new__(transport.TTY), pn532.Chipset.__new__(pn532.Chipset)
        link.tty = Port()
        chip.transport, chip.log = link, logging.getLogger("nfc")
        for _ in range(CALLS):
            data = chip.command(0x4A, None, 1.0)[2:]
            # As its sense_tta does with an answer.
            target = clf.RemoteTarget("106A", sens_res=data[1::-1], sel_res=data[2:3], sdd_res=data[4:])
            assert target.sdd_res.hex() == "507e7a59"

    return decode


def _metratec() -> Callable[[], object]:
    package: Any = import_module("metratec_rfid")

    found: list[Any] = []

    async def made() -> Any:
        return package.QuasarLR("bench", hostname="localhost", port=10001)

    reader = asyncio.run(made())
    # Else each inventory begins a task of asyncio, which is no part of decoding.
    reader._fire_inventory_event = found.extend
    reader._handle_data = reader._data_received
    line = reader._connection
    line.set_separator("\n")
    stream = INVENTORY * CALLS

    def decode() -> None:
        found.clear()
        for at in range(0, len(stream), PIECE):
            line.data_received(stream[at : at + PIECE])
        assert len(found) == 2 * CALLS

    return decode


# A port.


def _port(count: int) -> list[Figure]:
    late = _late_ms(count)
    figures = []
    for percent in (50, 99):
        ours, bare = percentile(late["host"], percent), percentile(late["plain"], percent)
        figures += [
            Figure(f"port to reading, p{percent}", ours, "ms", "pyserial loop", bare),
            Figure(
                f"port to reading, p{percent}: added",
                ours - bare,
                "ms",
                limit=P50_MS if percent == 50 else None,
            ),
        ]
    return figures


def _late_ms(count: int) -> dict[str, list[float]]:
    """How late each badge was, in ms, at the bare loop and at the host's."""
    with tempfile.TemporaryDirectory(prefix="tablebridge-bench-") as folder:
        ends: dict[str, tuple[int, int]] = {}
        far: dict[str, subprocess.Popen[str]] = {}
        for kind in ("plain", "host"):
            master, slave = os.openpty()
            tty.setraw(master)
            ends[kind] = master, slave
            link = Path(folder) / kind
            link.symlink_to(os.ttyname(slave))
            far[kind] = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.port", kind, str(link), str(count)],
                stdout=subprocess.PIPE,
                text=True,
            )
            out = far[kind].stdout
            assert out is not None
            out.readline()
        time.sleep(1.0)
        sent: dict[str, dict[str, int]] = {"plain": {}, "host": {}}
        for number in range(count):
            for kind in ("plain", "host"):
                uid = f"{number + 1:010X}"
                sent[kind][uid] = time.monotonic_ns()
                os.write(ends[kind][0], encode(uid))
                time.sleep(PAUSE_S)
        late: dict[str, list[float]] = {}
        for kind, process in far.items():
            printed = process.communicate(timeout=30)[0]
            arrived = {uid: int(at) for uid, _, at in (line.partition(" ") for line in printed.splitlines())}
            late[kind] = [(arrived[uid] - at_ns) / 1e6 for uid, at_ns in sent[kind].items()]
        for descriptor in chain(*ends.values()):
            os.close(descriptor)
    return late


# Fourteen readers.


def _fourteen(seconds: float) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="tablebridge-bench-") as folder:
        session = Session(Path(folder), level="mild", speed=1.0, seed=1, stopped=threading.Event().is_set)
        with session:
            session.wait_table()
            time.sleep(SETTLE_S)
            watched = [
                psutil.Process(pid)
                for name, pid in session.runner.processes.items()
                if name not in ("engine", "web", "line")
            ]
            began, before = time.monotonic(), _spent(watched)
            time.sleep(seconds)
            percent = 100 * (_spent(watched) - before) / (time.monotonic() - began)
    return [
        Figure(
            f"{len(watched)} readers: processor of all drivers together",
            percent,
            "% of a core",
            limit=SUM_PERCENT,
        )
    ]


def _spent(processes: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)
