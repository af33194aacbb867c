"""`tablebridge ports` looks at devices and touches none."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner
from rig.buttons import BigRedButton
from rig.usb import UsbDevice, UsbModel

from tablebridge.cli import cli

Plug = Callable[..., UsbDevice]


def test_what_is_plugged_in_is_listed_and_not_touched(plug: Plug, tmp_path: Path) -> None:
    devices = [
        plug(BigRedButton(), "1-1", 4, serial="77"),
        plug(BigRedButton(), "1-2", 5),
        plug(UsbModel(), "1-4.1", 6),
    ]
    site = tmp_path / "site.toml"
    site.write_text(
        '[[table]]\nname = "t"\n[[table.device]]\nname = "floor"\ndriver = "big-red-button"\n'
        'port = "usb://by-path/1-2"\n'
    )
    told = CliRunner().invoke(cli, ["ports", "--site", str(site)])
    assert told.exit_code == 0, told.output
    assert (
        told.output
        == """\
1d34:000d Big Red Button at 1-2
    port:   usb://by-path/1-2
    driver: big-red-button (100, by the site file's floor)
1d34:000d Big Red Button serial number 77 at 1-1
    port:   usb://by-serial/77
    driver: big-red-button (90, by vendor and product)
1209:0001 Thing at 1-4.1
    port:   usb://by-path/1-4.1
    driver: none fits
"""
    )
    listed = json.loads(CliRunner().invoke(cli, ["ports", "--json"]).output)
    assert [one["plugged"]["path"] for one in listed] == ["1-1", "1-2", "1-4.1"]
    assert sum(device.claims for device in devices) == 0


def test_nothing_is_plugged_in(bed: object) -> None:
    assert CliRunner().invoke(cli, ["ports"]).output == "No USB device is plugged in.\n"
