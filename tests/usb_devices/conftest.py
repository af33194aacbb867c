"""Tests below libusb. They run in a process that was started with umockdev's library in front:
tests/host/test_usb.py starts one for each file here. To see one alone: `LD_PRELOAD=libumockdev-preload.so.0
pytest tests/usb_devices`.
"""

import os
from collections.abc import Callable, Iterator

import pytest
from host.conftest import Box, run
from rig.bed import PRELOAD, Bed
from rig.usb import UsbDevice, UsbModel

__all__ = ["Box", "run"]

if PRELOAD not in os.environ.get("LD_PRELOAD", ""):
    collect_ignore_glob = ["*"]


@pytest.fixture(scope="session")
def bed() -> Iterator[Bed]:
    bed = Bed()
    yield bed
    bed.close()


@pytest.fixture
def plug(bed: Bed) -> Iterator[Callable[..., UsbDevice]]:
    """Plug devices in: `plug(Model(), path, address, ...)`. All are pulled out at the end, and the bed must
    have worked.
    """
    made: list[UsbDevice] = []

    def make(model: UsbModel, *place: object, **more: object) -> UsbDevice:
        made.append(UsbDevice(bed, model, *place, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for device in made:
        device.unplug()
    faults, bed.faults[:] = list(bed.faults), []
    assert faults == []
