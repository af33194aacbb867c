"""Adapters that hold answers back: the kernel is asked not to, and what that gains is what the docs say."""

import array
import fcntl
import os
import re
import termios
from collections.abc import Callable
from typing import Any

import pytest
import serial.serialposix
from rig.captures import DRIVERS
from rig.documents import DOCS
from rig.feig import Feig
from rig.latency import Adapter
from rig.metratec import Metratec
from rig.pepper import Pepper
from rig.pn532 import Pn532
from rig.pty import Pty

from tablebridge.host.links.opening import open_link
from tablebridge.sdk import SerialPort, Sweep
from tablebridge.sdk.testing import converse, defaults

LOW_LATENCY, FLAGS = 1 << 13, 4
"""ASYNC_LOW_LATENCY of linux/tty_flags.h; `flags` is the fifth number of linux/serial.h's serial_struct."""
A, B = "E004010000000001", "E004010000000002"
SECONDS = 10.0


def _put(reader: Any, *tags: str) -> Any:
    reader.put(*tags)
    return reader


READERS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "feig": (lambda: Feig(A, B), {}),
    "metratec": (lambda: _put(Metratec(), A, B), {}),
    "pepper": (lambda: _put(Pepper(), A, B), {}),
    "pn532": (lambda: Pn532("04374BD29C3980"), {}),
}


def cycle_ms(name: str, timer_ms: int) -> float:
    """How long one sweep of the driver takes."""
    make, options = READERS[name]
    driver = DRIVERS[name]
    heard = converse(driver.session(defaults(driver, **options)), Adapter(make(), timer_ms), SECONDS)
    return SECONDS * 1000 / sum(isinstance(reading, Sweep) for reading in heard.readings)


def test_the_kernel_is_asked_for_low_latency_when_a_port_is_opened(
    plugged: Callable[..., Pty], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pseudo-terminal has no such flag: the two calls are answered here as the kernel answers them for an
    adapter, by a serial_struct; all others are the kernel's own.
    """
    kept = array.array("i", [0] * 32)
    kept[FLAGS] = 1 << 6
    real = fcntl.ioctl

    def ioctl(fd: int, request: int, argument: Any = 0, *more: Any) -> Any:
        if request == termios.TIOCGSERIAL:
            argument[:] = kept
        elif request == termios.TIOCSSERIAL:
            kept[:] = argument
        else:
            return real(fd, request, argument, *more)
        return 0

    monkeypatch.setattr(serial.serialposix.fcntl, "ioctl", ioctl)
    link = open_link(str(plugged().link), SerialPort(9600))
    assert kept[FLAGS] == 1 << 6 | LOW_LATENCY
    link.close()


def test_a_port_that_knows_no_latency_is_opened_all_the_same(plugged: Callable[..., Pty]) -> None:
    link = open_link(str(plugged().link), SerialPort(9600))
    assert os.isatty(link.fileno())
    link.close()


@pytest.mark.parametrize("name", READERS)
def test_the_gain_is_what_the_page_says(name: str) -> None:
    page = (DOCS / "hardware.md").read_text(encoding="utf-8")
    row = re.search(rf"\| `{name}` \| (\d+) \| (\d+) \|", page)
    assert row is not None
    assert [round(cycle_ms(name, timer_ms)) for timer_ms in (16, 1)] == [int(row[1]), int(row[2])]
