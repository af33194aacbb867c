"""Which driver can speak over which port, told before anything is opened."""

from pathlib import Path

import pytest

from tablebridge.app.check import check_group
from tablebridge.host import registry
from tablebridge.host.links.link import LinkRefused
from tablebridge.host.links.opening import check_port
from tablebridge.host.registry import settle
from tablebridge.model.errors import ConfigError


@pytest.mark.parametrize(
    ("name", "port"),
    [
        ("feig", "/dev/ttyUSB0"),
        ("feig", "socket://192.168.10.10:10001"),
        ("feig", "usb://0ab1"),
        ("acs", "usb://by-serial/A1"),
        ("hid-key", "usb://by-path/1-1.4"),
        ("serial-contact", "/dev/ttyS0"),
        ("usb-watch", "watch://usb"),
        ("pcsc", "pcsc://"),
        ("pcsc", "pcsc://ACS ACR1252"),
        ("acs", "replay:a.jsonl"),
    ],
)
def test_ports_that_fit(name: str, port: str) -> None:
    driver = registry.load(name)
    check_port(port, driver, settle(driver, {}))


@pytest.mark.parametrize(
    ("name", "port", "told"),
    [
        ("line", "usb://0ab1", "The driver line does not speak over USB: write the port as a path"),
        ("acs", "/dev/ttyUSB0", "The driver acs speaks over USB only: write the port as usb://"),
        ("acs", "usb://072g:2200", "names no USB device: write usb://VENDOR:PRODUCT"),
        (
            "serial-contact",
            "socket://127.0.0.1:1",
            "has no contacts: the driver serial-contact needs a serial port",
        ),
        ("usb-watch", "usb://0ab1", 'watches the box and no device: write port = "watch://usb"'),
        ("pcsc", "/dev/ttyUSB0", 'reads by PC/SC: write port = "pcsc://"'),
        ("feig", "pcsc://", "pcsc:// is a port for drivers that read by PC/SC, which feig does not"),
        ("feig", "watch://usb", "is a port for drivers that watch the box, which feig does not"),
    ],
)
def test_ports_that_do_not(tmp_path: Path, name: str, port: str, told: str) -> None:
    driver = registry.load(name)
    with pytest.raises(LinkRefused, match=told):
        check_port(port, driver, settle(driver, {}))
    site = tmp_path / "site.toml"
    site.write_text(
        f'[[table]]\nname = "t"\n[[table.device]]\nname = "d"\ndriver = "{name}"\nport = "{port}"\n'
    )
    with pytest.raises(ConfigError, match=rf"site\.toml:6: .*{told}"):
        check_group(site, "d", lambda _sentence: None)
