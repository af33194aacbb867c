"""Which driver fits which device: scored by what the kernel knows, and nothing is claimed on a guess."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.host import registry
from tablebridge.host.discovery import ADAPTERS, Found, discover
from tablebridge.host.plugged import Interface, Plugged, interfaces

DRIVERS = [listed.driver for listed in registry.listed() if listed.driver is not None]
VENDOR = (Interface(0, (255, 0, 0)),)


def usb(ids: str, path: str = "1-1", **more: object) -> Plugged:
    vendor, product = (int(one, 16) for one in ids.split(":"))
    return Plugged(vendor, product, path, 1, 4, **more)  # type: ignore[arg-type]


def scores(found: Found) -> dict[str, int]:
    return {one.driver: one.score for one in found.candidates}


def test_numbers_tell_the_driver() -> None:
    one, two, three = discover(
        [usb("1209:0001", "1-3"), usb("0ab1:0004", "1-2", interfaces=VENDOR), usb("1d34:000d")], DRIVERS
    )
    assert (scores(one), one.port) == ({"big-red-button": 90}, "usb://by-path/1-1")
    assert (scores(two), two.port) == ({"feig": 60}, "usb://by-path/1-2")
    assert scores(three) == {}


def test_a_vendors_other_device_is_not_claimed() -> None:
    (found,) = discover([usb("0ab1:0004", interfaces=(Interface(0, (3, 0, 0)),))], DRIVERS)
    assert found.candidates == ()


@pytest.mark.parametrize("ids", sorted(ADAPTERS))
def test_a_serial_adapter_is_never_claimed(ids: tuple[int, int]) -> None:
    (found,) = discover([usb(f"{ids[0]:04x}:{ids[1]:04x}", serial_ports=("/dev/ttyUSB0",))], DRIVERS)
    assert found.candidates == () and found.adapter and found.port == "/dev/ttyUSB0"


def test_a_serial_number_names_a_device_where_it_is_its_own() -> None:
    alike = [usb("1d34:000d", path, serial="1") for path in ("1-1", "1-2")]
    assert [one.port for one in discover(alike, DRIVERS)] == ["usb://by-path/1-1", "usb://by-path/1-2"]
    assert discover([*alike[:1], usb("1d34:000d", "1-2", serial="2")], DRIVERS)[0].port == "usb://by-serial/1"


def test_what_the_site_file_names_and_hubs() -> None:
    found = discover(
        [usb("1d34:000d"), usb("1d34:000d", "1-2"), usb("1d6b:0002", "usb1", hub=True)],
        DRIVERS,
        {"usb://by-path/1-2": "floor", "/dev/ttyS0": "other"},
    )
    assert [(one.device, scores(one)) for one in found] == [
        ("floor", {"big-red-button": 100}),
        ("", {"big-red-button": 90}),
    ]


@given(st.binary(max_size=200))
def test_descriptors_of_any_bytes_raise_nothing(data: bytes) -> None:
    assert len(interfaces(data)) <= 256
