"""Runs tests/usb_devices, a process for each file: libusb must find umockdev's library in front of libc from
its start.
"""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rig.bed import PRELOAD

FOLDER = Path(__file__).parents[1] / "usb_devices"


def test_the_library_that_comes_along_can_be_used() -> None:
    """Where the system has no libusb; in a process of its own, since pyusb keeps the first one it loads."""
    code = (
        "from tablebridge.host.links import usb_interface as usb\nbackend = usb._loaded(usb._shipped())\n"
        "assert 'libusb_package' in backend.lib._name, backend.lib._name"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _missing(*libraries: str) -> str:
    for library in libraries:
        try:
            ctypes.CDLL(library)
        except OSError:
            return library
    return ""


@pytest.mark.parametrize("file", sorted(path.name for path in FOLDER.glob("test_*.py")))
def test_below_libusb(file: str) -> None:
    if missing := _missing(PRELOAD, "libusb-1.0.so.0"):
        pytest.skip(f"{missing} is missing: sudo apt-get install umockdev libusb-1.0-0")
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(FOLDER / file)],
        env=environ | {"LD_PRELOAD": PRELOAD},
        cwd=FOLDER.parents[1],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
