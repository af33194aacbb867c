"""Logs of other programs as pieces of a capture: usbmon's text and pcap files, logs of a serial line. Pure.

usbmon, text      TAG MICROSECONDS S|C TYPE:BUS:DEVICE:END STATUS LENGTH = WORDS     (its usbmon.rst)
usbmon, pcap      link types 189 and 220, packets begin with 48 or 64 bytes       (tcpdump.org/linktypes.html)
serial lines      [time] rx|tx|<|>|… pairs of hex digits, as terminals and sniffers write them

Of USB what a device sends is in the end of a transfer (C, towards the host), what it gets in its beginning
(S). FTDI's chips put two bytes of state before each packet of what they send, which are no part of it.
"""

import re
import struct
from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from tablebridge.sdk.captures import Piece

FTDI_PACKETS: Final = (64, 512)
_USB_HEADERS: Final = {189: 48, 220: 64}
_MAGIC: Final = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"M<\xb2\xa1": "<", b"\xa1\xb2<M": ">"}
_NANOSECONDS: Final = (b"M<\xb2\xa1", b"\xa1\xb2<M")
_PCAPNG: Final = b"\x0a\x0d\x0d\x0a"
_DATA_TYPES: Final = (1, 3)
"""Interrupt and bulk."""
_USBMON: Final = re.compile(
    r"^\S+ (?P<us>\d+) (?P<event>[SC]) (?P<kind>[BI])(?P<way>[io]):(?P<bus>\d+):(?P<device>\d+):\d+ "
    r"\S+ \d+ =(?P<words>( [0-9a-f]+)+)\s*$"
)
_SERIAL: Final = re.compile(
    r"^\W*(?:(?P<hours>\d+):(?P<minutes>\d+):)?(?P<seconds>\d+(?:\.\d+)?)?[\s\])s,]*"
    r"(?P<way>rx|tx|recv|send|read|write|in|out|<+-*|-*>+)\W*?(?P<bytes>(?:0x)?[0-9a-f]{2}(?:[\s,:-]+(?:0x)?[0-9a-f]{2})*)"
    r"(?:\s*\(.*\)|\s+[|\"'].*)?\s*$",
    re.IGNORECASE,
)
_FROM_DEVICE: Final = ("rx", "recv", "read", "in", "<")
Direction = Literal["rx", "tx"]


class Packet(NamedTuple):
    """Bytes of one transfer. `device`: bus and address, as 1.4; empty for a serial line."""

    ms: float
    direction: Direction
    data: bytes
    device: str = ""


def packets_of(log: bytes) -> list[Packet]:
    """All that a log has. Raises ValueError with a sentence if it is none that can be read."""
    if log.startswith(_PCAPNG):
        raise ValueError("it is a pcapng file: save it as pcap first, with `editcap -F pcap IN OUT`")
    if log[:4] in _MAGIC:
        return list(_pcap(log))
    lines = log.decode("utf-8", "replace").splitlines()
    found = list(_usbmon(lines)) or list(_serial(lines))
    if not found:
        raise ValueError(
            "no line of it has bytes with a direction: usbmon's text, a pcap file of usbmon, or lines such "
            "as `12:00:01.250 RX 06 00 B0 01 5C 63` are read"
        )
    return found


def devices_of(packets: list[Packet]) -> Counter[str]:
    """How many bytes each device said, the most first."""
    said: Counter[str] = Counter()
    for packet in packets:
        said[packet.device] += len(packet.data) if packet.direction == "rx" else 0
    return said


def pieces_of(packets: list[Packet], device: str, ftdi: bool = False) -> list[Piece]:
    """The conversation of one device, from its first byte on. `ftdi`: behind a chip of FTDI."""
    mine = sorted((packet for packet in packets if packet.device == device), key=lambda packet: packet.ms)
    pieces = []
    for packet in mine:
        data = _without_state(packet.data) if ftdi and packet.direction == "rx" else packet.data
        if data:
            pieces.append(Piece(round(packet.ms - mine[0].ms, 3), packet.direction, data.hex().upper()))
    return pieces


def looks_like_ftdi(packets: list[Packet], device: str) -> bool:
    """Whether all that a device sends begins with two bytes of state: the first has the bit 0 of FTDI's chips
    and no error bit, and most packets are nothing else.
    """
    said = [packet.data for packet in packets if packet.device == device and packet.direction == "rx"]
    idle = sum(len(data) == 2 for data in said)
    return idle > 2 and all(len(data) >= 2 and data[0] & 0x0F == 1 for data in said)


def _without_state(data: bytes) -> bytes:
    size = (
        FTDI_PACKETS[1]
        if len(data) > FTDI_PACKETS[0] and len(data) % FTDI_PACKETS[0] == 0
        else FTDI_PACKETS[0]
    )
    return b"".join(data[at + 2 : at + size] for at in range(0, len(data), size))


def _pcap(log: bytes) -> Iterator[Packet]:
    order, per_ms = _MAGIC[log[:4]], 1e6 if log[:4] in _NANOSECONDS else 1e3
    if len(log) < 24:
        raise ValueError("the pcap file is cut")
    (kind,) = struct.unpack_from(f"{order}I", log, 20)
    head = _USB_HEADERS.get(kind & 0xFFFF)
    if head is None:
        raise ValueError(f"the pcap file is of link type {kind}, not of usbmon (189, 220)")
    at = 24
    while at + 16 <= len(log):
        seconds, fraction, size, _ = struct.unpack_from(f"{order}4I", log, at)
        packet = log[at + 16 : at + 16 + size]
        at += 16 + size
        if len(packet) < head:
            continue
        event, transfer, end, address, bus, _, no_data = struct.unpack_from(f"{order}BBBBHBB", packet, 8)
        way: Direction = "rx" if end & 0x80 else "tx"
        data = packet[head:]
        if transfer in _DATA_TYPES and no_data == 0 and data and chr(event) == ("C" if way == "rx" else "S"):
            yield Packet(seconds * 1000 + fraction / per_ms, way, data, f"{bus}.{address}")


def _usbmon(lines: list[str]) -> Iterator[Packet]:
    for line in lines:
        match = _USBMON.match(line)
        if match is None or (match["event"] == "C") != (match["way"] == "i"):
            continue
        data = bytes.fromhex(match["words"])
        way: Direction = "rx" if match["way"] == "i" else "tx"
        yield Packet(int(match["us"]) / 1000, way, data, f"{int(match['bus'])}.{int(match['device'])}")


def _serial(lines: list[str]) -> Iterator[Packet]:
    """Lines without a time are 10 ms apart."""
    before = -10.0
    for line in lines:
        match = _SERIAL.match(line)
        if match is None:
            continue
        ms = before + 10
        if match["seconds"] is not None:
            whole = int(match["hours"] or 0) * 3600 + int(match["minutes"] or 0) * 60
            ms = max(before, (whole + float(match["seconds"])) * 1000)
        before = ms
        way = match["way"].lower()
        data = bytes.fromhex(re.sub(r"0x|[^0-9a-fA-F]", "", match["bytes"], flags=re.IGNORECASE))
        yield Packet(ms, "rx" if way.startswith(_FROM_DEVICE) else "tx", data)


__all__ = ["Packet", "devices_of", "looks_like_ftdi", "packets_of", "pieces_of"]
