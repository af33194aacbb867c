"""UHF readers of the UHFReader18 family, and modules with A0 frames: logged frames mean what they meant; what
lies in the tray is reported when it changes.
"""

from collections.abc import Callable
from typing import Any

import pytest
from rig.played import Played
from rig.uhf_readers import R2000, UhfReader18

from tablebridge.sdk import DeviceStatus, Reason, Rejected, Sweep, TrayReading
from tablebridge.sdk.testing import Chance, Heard, Link, converse, defaults
from tablebridge_drivers import r2000, uhfreader18

A, B, C = "304DB75F19600003F0085515", "304DB75F1960000300102E96", "E2001166"


def talk(
    reader: Any, seconds: float = 4.0, happens: Any = (), link: Link | None = None, **options: Any
) -> Heard:
    driver = r2000.DRIVER if isinstance(reader, R2000) else uhfreader18.DRIVER
    if isinstance(reader, UhfReader18) and reader.newer:
        options = {"records": "antenna", **options}
    return converse(driver.session(defaults(driver, **options)), Played(reader, happens), seconds, link)


def trays(heard: Heard) -> list[TrayReading]:
    return [reading for reading in heard.readings if isinstance(reading, TrayReading)]


def newer(*tags: str) -> UhfReader18:
    return UhfReader18(*tags, newer=True)


def with_phase(*tags: str) -> R2000:
    return R2000(*tags, phase=True)


MAKES: list[Callable[..., Any]] = [UhfReader18, newer, R2000, with_phase]


@pytest.mark.parametrize(
    ("command", "data", "address", "line"),
    [
        (0x21, "", 0xFF, "04 FF 21 19 95"),
        (0x01, "", 0xFF, "04 FF 01 1B B4"),
        (0x01, "", 0x00, "04 00 01 DB 4B"),
        (0x01, "010000800A", 0x00, "09 00 01 01 00 00 80 0A 76 FC"),
    ],
)
def test_requests_to_a_uhfreader18_are_those_of_others(
    command: int, data: str, address: int, line: str
) -> None:
    """Published commands; the last two were logged before an IQRFID-5102 and an RRU9816."""
    assert uhfreader18.frames.encode(command, bytes.fromhex(data), address) == bytes.fromhex(line)


@pytest.mark.parametrize(
    ("command", "data", "address", "line"),
    [
        (0x72, "", 0xFF, "A0 03 FF 72 EC"),
        (0x72, "", 0x01, "A0 03 01 72 EA"),
        (0x74, "00", 0x01, "A0 04 01 74 00 E7"),
        (0x89, "01", 0x01, "A0 04 01 89 01 D1"),
    ],
)
def test_requests_to_an_r2000_are_those_of_others(command: int, data: str, address: int, line: str) -> None:
    assert r2000.frames.encode(command, bytes.fromhex(data), address) == bytes.fromhex(line)


@pytest.mark.parametrize("make", MAKES)
def test_a_tray_is_reported_when_it_changes(make: Callable[..., Any]) -> None:
    reader = make()

    def put(*tags: str) -> Callable[[], bytes]:
        return lambda: reader.put(*tags) or b""

    heard = talk(reader, 15, [(3000, put(A, B, C)), (8000, put(B))])
    assert isinstance(heard.readings[0], DeviceStatus) and heard.readings[0].state == "identified"
    assert trays(heard) == [TrayReading(), TrayReading(tuple(sorted((A, B, C)))), TrayReading((B,))]
    assert heard.rejected == [] and len(heard.alive_ns) > 30


@pytest.mark.parametrize("make", [newer, with_phase])
def test_a_hundred_chips_are_one_tray(make: Callable[..., Any]) -> None:
    chips = tuple(f"E280689000005000000000{n:02X}" for n in range(100))
    assert trays(talk(make(*chips), 3)) == [TrayReading(chips)]


@pytest.mark.parametrize("reader", [UhfReader18(A), R2000(A)])
def test_a_reader_that_fails_is_no_empty_tray(reader: Any) -> None:
    if isinstance(reader, R2000):
        reader.error = 0x54
    else:
        reader.status = 0xF9
    heard = talk(reader, 8)
    said = [reading for reading in heard.readings if isinstance(reading, DeviceStatus)]
    assert trays(heard) == [] and said[-1].state == "failed"


def test_an_r2000_without_an_antenna_at_one_port_reads_on_at_the_others() -> None:
    heard = talk(R2000(A, ports=(1, 3)), 12, antennas=3, report="antenna")
    sweeps = {(reading.antenna, reading.tags) for reading in heard.readings if isinstance(reading, Sweep)}
    assert {(1, (A,)), (3, ())} <= sweeps
    faults = [reading for reading in heard.readings if isinstance(reading, DeviceStatus) and reading.antenna]
    assert {fault.antenna for fault in faults} == {2}
    assert "no antenna is connected" in faults[0].detail


def test_antennas_5_to_8_have_a_bit_in_the_strength() -> None:
    """The three bits of an antenna's number: two beside the frequency, one in the strength."""
    reader = R2000(A, ports=(7,))
    reader.selected = 7
    (sweep, _) = r2000.decode(reader(bytes.fromhex("A0 04 01 89 01 D1")))
    assert sweep == Sweep(7, (A,))


def test_power_is_set_only_if_the_site_says_so() -> None:
    for reader, command in ((UhfReader18(), 0x2F), (R2000(), 0x76)):
        talk(reader)
        assert command not in reader.commands
        talk(reader, power_dbm=20)
        assert reader.power == 20


def test_a_reader_in_scan_mode_is_reported_with_what_to_do() -> None:
    reader = UhfReader18(A)
    reader.mode = 1
    heard = talk(reader, 6, [(ms, reader.speak) for ms in range(500, 5500, 500)])
    said = [reading for reading in heard.readings if isinstance(reading, DeviceStatus)]
    failed = [status for status in said if status.state == "failed"]
    assert failed and all("drivers configure" in status.detail for status in failed)
    assert trays(heard) == []


@pytest.mark.parametrize("reader", [UhfReader18(A, address=3), R2000(A, address=3)])
def test_a_session_hears_the_reader_with_its_address_and_no_other(reader: Any) -> None:
    assert trays(talk(reader, address=3))[-1] == TrayReading((A,))
    asked = "04FF211995" if isinstance(reader, UhfReader18) else "A003FF72EC"
    answer = reader(bytes.fromhex(asked))
    driver = r2000.DRIVER if isinstance(reader, R2000) else uhfreader18.DRIVER
    heard = converse(driver.session(defaults(driver, address=4)), Played(lambda _: answer), 0.4)
    assert heard.readings == [] and heard.rejected[0].reason is Reason.UNEXPECTED


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        # As it stands in somebody's notes; typed by hand, its sum is wrong.
        ("A0 0A 01 89 00 00 1D 00 00 00 01 BC", Reason.CHECKSUM),
        ("A0 13 01 89 04 20 00 E2 00 30 16 66 13 01 21 15 50 74 EF 45 CF", Reason.IMPOSSIBLE_VALUE),
        ("A0 04 01 89 01 D1", Reason.UNEXPECTED),
        ("A0 02 01 5D", Reason.TOO_SHORT),
        ("11", Reason.NOISE),
    ],
)
def test_wrong_a0_frames_are_rejected(line: str, reason: Reason) -> None:
    found = r2000.decode(bytes.fromhex(line))
    assert isinstance(found[0], Rejected) and found[0].reason is reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.TOO_SHORT),
        (b"\x01\x0c\xe2", Reason.TOO_SHORT),
        (b"\x01\x03\xe2\x00\x11", Reason.IMPOSSIBLE_VALUE),
        (b"\x01\x02\xe2\x00\x11\x11", Reason.TOO_LONG),
    ],
)
def test_wrong_inventories_of_a_uhfreader18_are_rejected(data: bytes, reason: Reason) -> None:
    found = uhfreader18.frames.read_records(data, antennas=False)
    assert isinstance(found, Rejected) and found.reason is reason


@pytest.mark.parametrize("make", MAKES)
def test_a_hostile_line_never_invents_a_tag(make: Callable[..., Any]) -> None:
    heard = talk(make(A, B), 20, link=Link(Chance(1), flip=0.001, drop=0.001))
    if make in (UhfReader18, newer):
        assert all(set(tray.tags) <= {A, B} for tray in trays(heard))
    assert trays(heard)
