"""Several devices on one line, as on RS-485: each is read, and nothing of one is taken for another's."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from host.conftest import Box, start_thread
from rig.feig import Feig
from rig.pepper import Pepper
from rig.pty import Pty
from rig.uhf_readers import UhfReader18
from rig.wait import wait_for

from tablebridge.app.check import check_site
from tablebridge.host import registry
from tablebridge.host.links.bus import BusLink
from tablebridge.host.links.link import LinkRefused
from tablebridge.host.loop import Loop
from tablebridge.host.supervisor import Supervisor
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Sweep
from tablebridge.sdk import SerialPort
from tablebridge.watchdog import Watchdog

A, B, C = "E004010000000001", "E004010000000002", "E004010000000003"
Plug = Callable[..., Pty]


class Wires:
    """One line with these devices on it."""

    def __init__(self, *devices: Callable[[bytes], bytes]) -> None:
        self.devices = list(devices)

    def __call__(self, data: bytes) -> bytes:
        return b"".join(device(data) for device in self.devices)


class Supervised:
    """A device that the host serves, and what it said."""

    def __init__(self, port: str, driver: str, address: int, **options: Any) -> None:
        self.box = Box()
        loaded = registry.load(driver)
        settled = registry.settle(loaded, {"address": address, **options})
        self.supervisor = Supervisor(
            f"{driver}-{address}", port, loaded, settled, self.box, named=[port, port]
        )

    @property
    def tags(self) -> set[str]:
        sweeps = [reading for _, reading in self.box.kept if isinstance(reading, Sweep)]
        return {tag for sweep in sweeps for tag in sweep.tags}

    @property
    def sweeps(self) -> int:
        return sum(reading.visits for _, reading in self.box.kept if isinstance(reading, Sweep))


@pytest.fixture
def served() -> Iterator[Callable[..., None]]:
    stops: list[Callable[[], None]] = []

    def serve(*devices: Supervised, alone: bool = False) -> None:
        parts = [[device] for device in devices] if alone else [list(devices)]
        for part in parts:
            loop = Loop("bus", [one.supervisor for one in part], Box(), Watchdog({}))
            stops.append(start_thread(loop))

    yield serve
    for stop in stops:
        stop()


@pytest.mark.parametrize("alone", [False, True], ids=["one loop", "a thread for each"])
@pytest.mark.parametrize(
    ("driver", "make", "options"),
    [
        ("feig", lambda tag, address: Feig(tag, address=address), {}),
        ("pepper", lambda tag, address: _pepper(tag, address), {}),
        ("uhfreader18", lambda tag, address: UhfReader18(tag, address=address), {"report": "antenna"}),
    ],
    ids=["feig", "pepper", "uhfreader18"],
)
def test_three_readers_on_one_line_are_read(
    plugged: Plug, served: Any, driver: str, make: Any, options: dict[str, Any], alone: bool
) -> None:
    first = 0x80 if driver == "pepper" else 1
    wires = Wires(*(make(tag, first + number) for number, tag in enumerate((A, B, C))))
    port = str(plugged(wires).link)
    devices = [Supervised(port, driver, first + number, **options) for number in range(3)]
    served(*devices, alone=alone)
    wait_for(lambda: all(device.sweeps > 5 for device in devices), "sweeps of all three")
    assert [device.tags for device in devices] == [{A}, {B}, {C}]


def _pepper(tag: str, address: int) -> Pepper:
    reader = Pepper(address=address)
    reader.put(tag)
    return reader


def test_a_dead_reader_does_not_stop_the_others(plugged: Plug, served: Any) -> None:
    wires = Wires(Feig(A, address=1))
    port = str(plugged(wires).link)
    alive, dead = Supervised(port, "feig", 1), Supervised(port, "feig", 2)
    served(alive, dead)
    wait_for(lambda: alive.sweeps > 10 and dead.box.reported, "sweeps beside a dead reader")
    assert dead.sweeps == 0
    wires.devices.append(Feig(B, address=2))
    wait_for(lambda: dead.tags == {B}, "the dead one answers")


def test_the_line_goes_out_and_in_for_all(plugged: Plug, served: Any) -> None:
    pty = plugged(Wires(Feig(A, address=1), Feig(B, address=2)))
    devices = [Supervised(str(pty.link), "feig", address) for address in (1, 2)]
    served(*devices)
    wait_for(lambda: all(device.sweeps for device in devices), "sweeps")
    pty.unplug()
    wait_for(lambda: all(device.box.states[-1] == "lost" for device in devices), "both are lost")
    before = [device.sweeps for device in devices]
    pty.plug()
    wait_for(
        lambda: all(device.sweeps > seen for device, seen in zip(devices, before, strict=True)), "both again"
    )


def test_a_bus_has_one_speed(plugged: Plug) -> None:
    port = str(plugged(Wires()).link)
    link = BusLink(port, SerialPort(38400))
    with pytest.raises(LinkRefused, match="the same speed and parity"):
        BusLink(port, SerialPort(9600))
    link.close()
    BusLink(port, SerialPort(9600)).close()


def test_who_waits_longest_has_the_line_next(plugged: Plug) -> None:
    port = str(plugged(Wires()).link)
    first, second, third = (BusLink(port, SerialPort(38400)) for _ in range(3))
    assert first.claim() and first.claim()
    assert not third.claim() and not second.claim()
    assert not first.claim()
    assert not second.claim() and third.claim()
    third.close()
    assert second.claim()
    assert len({first.fileno(), second.fileno()}) == 2 and first.read() == b""
    first.close()
    second.close()


SITE = """
state_dir = "{folder}"
[[table]]
name = "one"
{table}
[[table.device]]
name = "left"
driver = "feig"
port = "/dev/ttyUSB0"
options = {{ address = 1 }}
antennas = {{ 0 = "seat 1" }}
[[table.device]]
name = "right"
driver = "feig"
port = "/dev/ttyUSB0"
options = {{ {options} }}
antennas = {{ 0 = "seat 2" }}
"""


@pytest.mark.parametrize(
    ("table", "options", "fault"),
    [
        ("", "address = 2", ""),
        ("", "address = 1", "several of one driver with different `address`"),
        ("", "baud = 9600", "several of one driver with different `address`"),
        ('group = "alone"', "address = 2", "give them the same group"),
    ],
)
def test_a_site_file_may_name_a_port_for_devices_with_different_addresses(
    tmp_path: Path, table: str, options: str, fault: str
) -> None:
    site = tmp_path / "site.toml"
    site.write_text(SITE.format(folder=tmp_path, table=table, options=options))
    if not fault:
        assert len(check_site(site).tables[0].devices) == 2
        return
    with pytest.raises(ConfigError, match=fault):
        check_site(site)
