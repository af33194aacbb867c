"""Programs of strangers against the emulated readers: what an emulator answers satisfies somebody who never
saw our drivers.

metraTec's package 1.4.5 cuts every answer into lines, so it reads no inventory of the ASCII dialect, which
has several; it is tried on a reader of that dialect as far as it goes, and on one of the AT dialect in full.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from rig.captures import DRIVERS
from rig.metratec import Metratec
from rig.metratec_at import MetratecAt
from rig.pepper import Pepper
from rig.pn532 import Pn532
from rig.pty import Pty
from rig.uhf_readers import UhfReader18

NTAG, SLIX, OTHER = "04374BD29C3980", "E0040150954F02B1", "E0040150954F02B2"
Plug = Callable[[Callable[[bytes], bytes]], str]
CLIENTS = {"metratec", "pepper", "pn532", "uhfreader18"}
"""Drivers whose emulated devices the programs below read."""
COMPOSED = {"delcom", "hid-key", "luxafor", "serial-contact"}
"""Those of which nothing comes from outside: there should be ever fewer of them."""


def test_each_driver_says_truly_from_where_its_emulated_device_has_its_answers() -> None:
    """Frames with a source were logged or published by others."""
    lines = (Path(__file__).parent / "frames.jsonl").read_text(encoding="utf-8").splitlines()
    published = {frame["driver"] for frame in map(json.loads, lines) if "source" in frame} - CLIENTS
    said: dict[str, set[str]] = {"clients": set(), "published": set(), "composed": set()}
    for name, driver in DRIVERS.items():
        said[driver.emulation].add(name)
    assert (said["clients"], said["published"]) == (CLIENTS, published)
    assert {name for name in said["composed"] if DRIVERS[name].composed} == COMPOSED


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plug]:
    """Plugs a device in and gives its port."""
    cables: list[Pty] = []

    def plug(device: Callable[[bytes], bytes]) -> str:
        cables.append(Pty(tmp_path / f"port-{len(cables)}", device))
        return str(cables[-1].link)

    yield plug
    for cable in cables:
        cable.unplug()


def test_nfcpy_diagnoses_a_pn532_and_reads_a_card_again_and_again(plugged: Plug) -> None:
    pn532: Any = import_module("nfc.clf.pn532")
    clf: Any = import_module("nfc.clf")
    transport: Any = import_module("nfc.clf.transport")
    port = transport.TTY(os.path.realpath(plugged(Pn532(NTAG))))
    device = pn532.init(port)
    try:
        assert all(device.chipset.diagnose(test) for test in ("line", "rom", "ram"))
        for _ in range(3):
            target = device.sense_tta(clf.RemoteTarget("106A"))
            assert target.sdd_res.hex().upper() == NTAG
    finally:
        device.close()


def test_libnfc_lists_the_cards_of_a_pn532(plugged: Plug) -> None:
    """Debian's nfc-list, of libnfc-bin."""
    done = subprocess.run(
        ["nfc-list"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "LIBNFC_DEFAULT_DEVICE": f"pn532_uart:{os.path.realpath(plugged(Pn532(NTAG)))}"},
        check=False,
    )
    uids = [line.partition(":")[2].replace(" ", "") for line in done.stdout.splitlines() if "UID" in line]
    assert uids == [NTAG.lower()], done.stdout + done.stderr


ADAFRUIT = """
import sys, serial
from adafruit_pn532.uart import PN532_UART
chip = PN532_UART(serial.Serial(sys.argv[1], 115200, timeout=1))
print(*chip.firmware_version)
chip.SAM_configuration()
for _ in range(3):
    print(bytes(chip.read_passive_target(timeout=10)).hex().upper())
"""


def test_adafruits_library_reads_a_card_again_and_again(plugged: Plug) -> None:
    """In a process of its own, for it looks for a board's pins when it is imported."""
    done = subprocess.run(
        [sys.executable, "-c", ADAFRUIT, plugged(Pn532(NTAG))],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "BLINKA_OS_AGNOSTIC": "1"},
        check=False,
    )
    assert done.stdout.splitlines() == ["50 1 6 7", NTAG, NTAG, NTAG], done.stderr


def test_metratecs_package_reads_the_antennas_of_an_at_reader(plugged: Plug) -> None:
    package: Any = import_module("metratec_rfid")
    port = plugged(MetratecAt({1: (SLIX,), 2: (), 3: (OTHER,)}))

    async def read() -> list[list[str]]:
        reader = package.DeskIdNfc("test", port)
        await reader.connect(timeout=60)
        found = []
        for antenna in (1, 2, 3):
            await reader.set_antenna(antenna)
            found.append([tag.get_id() for tag in await reader.get_inventory()])
        with pytest.raises(package.RfidReaderException, match="Error"):
            await reader.set_antenna(4)
        await reader.disconnect()
        return found

    assert asyncio.run(read()) == [[SLIX], [], [OTHER]]


def test_metratecs_package_connects_to_an_ascii_reader_and_selects_its_ports_from_0(plugged: Plug) -> None:
    package: Any = import_module("metratec_rfid")
    made = Metratec(ports=2)
    port = plugged(made)

    async def select() -> dict[str, str]:
        reader = package.QuasarLR("test", serial_port=port)
        await reader.connect(timeout=60)
        info: dict[str, str] = await reader.get_reader_info()
        for antenna in (0, 1):
            await reader.set_antenna(antenna)
        with pytest.raises(package.RfidReaderException, match="NOR"):
            await reader.set_antenna(2)
        await reader.disconnect()
        return info

    assert asyncio.run(select()) == {
        "hardware": "QuasarLR",
        "hardware_version": "0200",
        "firmware": "QuasarLR",
        "firmware_version": "0312",
    }
    assert made.field and made.port == 1


def test_eccels_package_reads_cards_of_both_standards(plugged: Plug) -> None:
    package: Any = import_module("pepper_c1")
    made = Pepper(antennas=8)
    made.put(NTAG, port=1)
    made.put(SLIX, port=3)
    with package.PepperC1(package.UARTTransport(plugged(made), 115200)) as reader:
        assert reader.get_version() == "1.10"
        reader.set_active_antenna(1)
        # Its kind and a parameter of that kind come before the UID.
        assert reader.get_tag_count() == 1 and reader.get_uid(0)[2:].hex().upper() == NTAG
        reader.set_active_antenna(3)
        assert reader.icode_inventory_start()[:8][::-1].hex().upper() == SLIX


@pytest.fixture
def served() -> Iterator[Plug]:
    """Puts a device behind a serial server, to which one client connects, and gives its address."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve(device: Callable[[bytes], bytes]) -> None:
        wire, _ = listener.accept()
        with wire:
            while data := wire.recv(4096):
                wire.sendall(device(data))

    def put(device: Callable[[bytes], bytes]) -> str:
        threading.Thread(target=serve, args=(device,), daemon=True).start()
        host, port = listener.getsockname()
        return f"{host}:{port}"

    yield put
    listener.close()


def test_a_package_for_uhfreader18_finds_the_reader_and_the_tags_that_it_names(served: Plug) -> None:
    """It sets the reader up, and cuts the stream of an inventory into frames; records it leaves to others."""
    package: Any = import_module("uhfreader18")
    epc = "304DB75F19600003F0085515"
    reader = UhfReader18(epc, address=7)
    host, _, port = served(reader).partition(":")
    with package.RfidClient(host, int(port), timeout=60) as client:
        info, address = client.discover_address()
        assert (address, info.version, info.power, info.reader_model.name) == (7, "3.1", 30, "UHFREADER18")
        assert client.set_power(7, 20).ok and reader.power == 20
        assert client.get_work_mode(7).work_mode == package.WorkMode.ANSWER
    asked = package.build_command_frame(7, package.Command.INVENTORY)
    (answer,) = package.StreamBuffer().feed(reader(asked)).frames
    assert answer.status == package.Status.INVENTORY_DONE_PARTIAL
    assert answer.data == b"\x01\x0c" + bytes.fromhex(epc)
