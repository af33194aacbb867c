"""The demo on a machine that has no time for it: it deals slowly, finds nothing that is not there, and says
something every few seconds.
"""

import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psutil
import pytest

pytestmark = pytest.mark.slow

SILENT_S = 10.0
"""How long the terminal may say nothing."""
OFTEN_S, SELDOM_S = (0.3, 0.1), (0.9, 0.1)
"""For how long a process is stopped, and then runs."""


class Brake:
    """Stops and continues each child of a process in its own time. The driver gets to run most seldom once
    there are cards to read.
    """

    def __init__(self, parent: int) -> None:
        self.dealing = False
        self._parent = psutil.Process(parent)
        self._over = threading.Event()
        self._braked: dict[int, threading.Thread] = {}
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def release(self) -> None:
        self._over.set()
        for thread in (self._thread, *self._braked.values()):
            thread.join()

    def _run(self) -> None:
        while not self._over.wait(0.2):
            try:
                children = self._parent.children(recursive=True)
                new = {child.pid: child.cmdline() for child in children if child.pid not in self._braked}
            except psutil.Error:
                continue
            for pid, command in new.items():
                self._braked[pid] = threading.Thread(target=self._brake, args=(pid, "drive" in command))
                self._braked[pid].start()

    def _brake(self, pid: int, drives: bool) -> None:
        rng = Random(pid)
        try:
            while not self._over.is_set():
                stopped_s, running_s = SELDOM_S if drives and self.dealing else OFTEN_S
                os.kill(pid, signal.SIGSTOP)
                self._over.wait(stopped_s * rng.uniform(0.5, 1.5))
                os.kill(pid, signal.SIGCONT)
                self._over.wait(running_s * rng.uniform(0.5, 1.5))
        except ProcessLookupError:
            pass


@contextmanager
def on_a_terminal(*arguments: str, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The demo, and the other end of the terminal on which it runs."""
    master, slave = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "demo", "--no-browser", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TMPDIR": str(folder)},
            start_new_session=True,
        ) as process:
            os.close(slave)
            try:
                yield process, master
            finally:
                process.kill()
    finally:
        os.close(master)


def said(master: int) -> Iterator[tuple[float, str]]:
    """What comes on the terminal until it is closed, and when."""
    while True:
        try:
            data = os.read(master, 4096)
        except OSError:
            return
        if not data:
            return
        yield time.monotonic(), data.decode()


def test_the_dealer_waits_for_a_busy_machine_and_the_terminal_says_so(tmp_path: Path) -> None:
    text, last, longest = "", time.monotonic(), 0.0
    arguments = ("--hands", "1", "--speed", "3", "--level", "clean", "--seed", "3")
    with on_a_terminal(*arguments, folder=tmp_path) as (process, master):
        brake = Brake(process.pid)
        try:
            for now, more in said(master):
                longest, last, text = max(longest, now - last), now, text + more
                brake.dealing = "Ctrl-C ends" in text and "readings lost" not in text
            assert process.wait(60) == 0, text
        finally:
            brake.release()
    found = re.search(r"^1 hand in \d+ s; 0 readings lost\r\n((?: +\d+  .*\r\n)*)", text, re.MULTILINE)
    assert found, text
    assert re.findall(r"^ +\d+  (.*)\r$", found[1], re.MULTILINE) == [], "findings that nobody asked for"
    assert re.search(r"^  hand 1: .*; this machine is busy: the dealer waits\r$", text, re.MULTILINE), text
    assert longest < SILENT_S, text
