"""Logs of other programs become captures: usbmon's text and pcap files, logs of serial lines."""

import json
import struct
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablebridge.cli import cli
from tablebridge.sdk.logs import packets_of

ASKED, CARD = "07FFB001001C56", "1100B000010300E01680FF080050248075"
UID = "E01680FF08005024"
USBMON = f"""\
ffff88003abc 3575914555 S Bo:1:004:2 -115 7 = {ASKED[:8].lower()} {ASKED[8:].lower()}
ffff88003abc 3575914601 C Bo:1:004:2 0 7 >
ffff88003def 3575930100 C Bi:1:004:1 0 17 = {" ".join(CARD[at : at + 8] for at in range(0, 34, 8)).lower()}
ffff88003def 3575930150 S Bi:1:004:1 -115 64 <
ffff88003fff 3575930160 C Ii:1:007:1 0 4 = 00010203
"""
SERIAL = f"""\
port opened
12:00:01.250 TX: {" ".join(ASKED[at : at + 2] for at in range(0, 14, 2))}
12:00:01.266 RX: {" ".join(CARD[at : at + 2] for at in range(0, 34, 2))}
"""
ARROWS = f"> {':'.join(ASKED[at : at + 2] for at in range(0, 14, 2))}\n< 0x11 0x00 0xB0" + "".join(
    f" 0x{CARD[at : at + 2]}" for at in range(6, 34, 2)
)


def pcap(*packets: tuple[str, int, bytes], order: str = "<", kind: int = 220) -> bytes:
    """A pcap file of usbmon, as tcpdump's list of link types describes it. `packets`: event, end, data."""
    head = {189: 48, 220: 64}[kind]
    out = struct.pack(f"{order}IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, kind)
    for number, (event, end, data) in enumerate(packets):
        packet = struct.pack(f"{order}QBBBBHBB", 1, ord(event), 3, end, 4, 1, 45, 0).ljust(head, b"\0") + data
        out += struct.pack(f"{order}IIII", 1000, number * 15000, len(packet), len(packet)) + packet
    return out


TRANSFERS = (("S", 2, bytes.fromhex(ASKED)), ("C", 2, b""), ("C", 0x81, bytes.fromhex(CARD)))


@pytest.mark.parametrize(
    "log",
    [
        USBMON.encode(),
        SERIAL.encode(),
        ARROWS.encode(),
        pcap(*TRANSFERS),
        pcap(*TRANSFERS, order=">", kind=189),
    ],
    ids=["usbmon", "serial", "arrows", "pcap", "pcap of the other end"],
)
def test_a_log_becomes_a_capture_that_its_driver_reads(log: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(log)
    out = tmp_path / "feig.jsonl"
    arguments = ["drivers", "import", str(tmp_path / "log"), "--driver", "feig", "--out", str(out)]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0 and "17 bytes of the device" in done.output, done.output
    pieces = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(piece["direction"], piece["hex"]) for piece in pieces] == [("tx", ASKED), ("rx", CARD)]
    assert pieces[0]["ms"] == 0 and 9 <= pieces[1]["ms"] <= 30
    told = CliRunner().invoke(cli, ["decode", "feig", str(out)])
    assert json.loads(told.output)["uid"] == UID
    assert CliRunner().invoke(cli, arguments).exit_code != 0


def test_what_an_ftdi_chip_adds_is_left_out(tmp_path: Path) -> None:
    long = bytes.fromhex(CARD) * 4
    first = b"\x01\x60" + long[:62] + b"\x01\x60" + long[62:]
    idle = ("C", 0x81, b"\x01\x60")
    (tmp_path / "log").write_bytes(pcap(idle, idle, ("C", 0x81, first), idle))
    out = tmp_path / "feig.jsonl"
    CliRunner().invoke(
        cli, ["drivers", "import", str(tmp_path / "log"), "--driver", "feig", "--out", str(out)]
    )
    (piece,) = map(json.loads, out.read_text().splitlines())
    assert piece["hex"] == CARD * 4


def test_another_device_of_the_log_is_chosen_by_its_address(tmp_path: Path) -> None:
    (tmp_path / "log").write_text(USBMON)
    out = tmp_path / "other.jsonl"
    arguments = ["drivers", "import", str(tmp_path / "log"), "--driver", "feig", "--out", str(out)]
    assert CliRunner().invoke(cli, [*arguments, "--device", "1.9"]).exit_code != 0
    done = CliRunner().invoke(cli, [*arguments, "--device", "1.7"])
    assert "4 bytes of the device 1.7" in done.output and "Others in it: 1.4" in done.output


@pytest.mark.parametrize(
    ("log", "why"),
    [
        (b"\x0a\x0d\x0d\x0a" + b"\0" * 24, "editcap -F pcap"),
        (struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1), "link type 1"),
        (b"\xd4\xc3\xb2\xa1", "is cut"),
        (b"hello\n", "no line of it has bytes"),
    ],
)
def test_what_cannot_be_read_is_said(log: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        packets_of(log)


def test_a_damaged_pcap_raises_nothing() -> None:
    whole = pcap(*TRANSFERS)
    for end in range(24, len(whole)):
        packets_of(whole[:end])
