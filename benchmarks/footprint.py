"""Memory and processor time of each process, at an emulated table at the speed of life: idle, and while hands
are dealt.

Fourteen readers are polled and a board tells its state each second, whether a hand is played or not. Memory
is the resident set as the kernel counts it, shared libraries included; the processor's time is that of one
core. The baseline says what is not ours: a Python process that has imported the libraries of that process,
and nothing else.
"""

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from benchmarks.dealing import deal
from benchmarks.figures import Figure, Options, Say, median
from tablebridge.sim.session import Session

IDLE_S, DEALING_S, QUICK_S = 20.0, 30.0, 5.0
SETTLE_S = 5.0
LIMITS_MB = {"driver": 40.0, "engine": 80.0, "web": 100.0}
IDLE_PERCENT = 1.0
BARE = {
    "driver": "click, logging, msgspec, paho.mqtt.client, pydantic, serial, sqlite3, tomllib",
    "engine": "click, logging, msgspec, paho.mqtt.client, pydantic, sqlite3, tomllib, phevaluator",
    "web": "click, logging, msgspec, paho.mqtt.client, pydantic, fastapi, uvicorn, jinja2, tomllib",
}


def bare_mb(imports: str) -> float:
    """The resident memory of a Python process with these imports."""
    code = f"import {imports}, psutil; print(psutil.Process().memory_info().rss)"
    without = "import psutil; print(psutil.Process().memory_info().rss)"
    plain = "import os; print(int(open('/proc/self/statm').read().split()[1]) * os.sysconf('SC_PAGE_SIZE'))"
    sizes = [
        int(subprocess.run([sys.executable, "-c", one], capture_output=True, text=True, check=True).stdout)
        for one in (code, without, plain)
    ]
    return (sizes[0] - sizes[1] + sizes[2]) / 1e6


def measured(processes: dict[str, int], seconds: float) -> dict[str, tuple[float, float]]:
    """By kind: resident MB and percent of a core over so many seconds; of the drivers the median and of
    memory the largest.
    """
    watched = {name: psutil.Process(pid) for name, pid in processes.items()}
    began = time.monotonic()
    before = {name: sum(process.cpu_times()[:2]) for name, process in watched.items()}
    time.sleep(seconds)
    took = time.monotonic() - began
    found: dict[str, list[tuple[float, float]]] = {}
    for name, process in watched.items():
        kind = name if name in ("engine", "web") else "board" if name == "line" else "driver"
        percent = 100 * (sum(process.cpu_times()[:2]) - before[name]) / took
        found.setdefault(kind, []).append((process.memory_info().rss / 1e6, percent))
    return {
        kind: (max(mb for mb, _ in each), median([percent for _, percent in each]))
        for kind, each in found.items()
    }


def run(options: Options, say: Say) -> list[Figure]:
    idle_s, dealing_s = (QUICK_S, QUICK_S) if options.quick else (IDLE_S, DEALING_S)
    stopped = threading.Event()
    with tempfile.TemporaryDirectory(prefix="tablebridge-bench-") as folder:
        session = Session(Path(folder), level="mild", speed=1.0, seed=1, stopped=stopped.is_set)
        with session:
            session.wait_table()
            say("footprint: an idle table")
            time.sleep(SETTLE_S)
            idle = measured(session.runner.processes, idle_s)
            say("footprint: hands are dealt")
            dealer = threading.Thread(target=deal, args=(session,))
            dealer.start()
            try:
                dealing = measured(session.runner.processes, dealing_s)
            finally:
                stopped.set()
                dealer.join()
    figures = []
    for kind, limit in LIMITS_MB.items():
        figures += [
            Figure(f"{kind}: memory, dealing", dealing[kind][0], "MB", limit=limit),
            Figure(
                f"{kind}: memory beside its bare libraries",
                dealing[kind][0],
                "MB",
                "bare imports",
                bare_mb(BARE[kind]),
            ),
            Figure(f"{kind}: processor, idle", idle[kind][1], "% of a core", limit=IDLE_PERCENT),
            Figure(f"{kind}: processor, dealing", dealing[kind][1], "% of a core"),
        ]
    return figures
