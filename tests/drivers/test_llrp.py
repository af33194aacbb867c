"""LLRP readers: messages that others logged, the requests as somebody else's codec reads them, and
conversations with a reader that somebody else emulates.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from llrpkit.protocol import decode_message, params
from llrpkit.protocol import messages as theirs
from rig.llrp import Client, Reader

from tablebridge.sdk import DeviceStatus, Reason, Rejected, Sweep, TrayReading
from tablebridge.sdk.testing import MS, at, defaults
from tablebridge_drivers.llrp import DRIVER, decode, messages, requests
from tablebridge_drivers.llrp.messages import Capabilities

A, B, C = "3005FB63AC1F3841EC880467", "85047000049050503155303400702300", "E2001166"
Plug = Callable[..., tuple[Reader, Client]]


@pytest.fixture
def plugged() -> Iterator[Plug]:
    """Starts a reader with these tags and connects a session with these options."""
    opened: list[Any] = []

    def plug(*tags: tuple[str, int], **options: Any) -> tuple[Reader, Client]:
        reader = Reader(*tags)
        opened.append(reader)
        client = Client(DRIVER.session(defaults(DRIVER, **options)), reader.port)
        opened.append(client)
        return reader, client

    yield plug
    for each in reversed(opened):
        each.close()


def test_a_tray_is_reported_when_it_changes(plugged: Plug) -> None:
    reader, client = plugged((A, 1), (B, 2), (C, 3), antennas=2, keep_ms=1500)
    client.until(lambda: TrayReading((A, B)) in client.readings)
    first = client.readings[0]
    assert isinstance(first, DeviceStatus) and first.state == "identified"
    assert first.detail == "LLRP reader of maker 25882, model 700, firmware llrpkit-emu 0.1, 4 ports"
    reader.put((B, 2))
    client.until(lambda: client.readings[-1] == TrayReading((B,)))
    reader.put()
    client.until(lambda: client.readings[-1] == TrayReading(()))
    assert client.rejected == [] and reader.emulated.keepalive_acks > 0


def test_antennas_are_swept_if_that_is_wanted(plugged: Plug) -> None:
    _, client = plugged((A, 1), (B, 2), antennas=3, report="antenna")
    client.until(lambda: len(client.readings) >= 7)
    assert client.readings[-3:] == [Sweep(1, (A,)), Sweep(2, (B,)), Sweep(3, ())]


def test_power_is_the_readers_step_below_what_is_wanted(plugged: Plug) -> None:
    reader, client = plugged((A, 1), power_dbm=17)
    client.until(lambda: TrayReading((A,)) in client.readings)
    (spec, _) = next(iter(reader.emulated._rospecs.values()))
    (visit,) = [each for each in spec.spec_parameters if isinstance(each, params.AISpec)]
    transmitter = visit.inventory_parameter_specs[0].antenna_configurations[0].rf_transmitter
    assert transmitter is not None
    # Its steps are 10 dBm and 1 dB more each, from number 1.
    assert (transmitter.transmit_power, transmitter.hop_table_id, transmitter.channel_index) == (8, 1, 0)


def test_a_port_that_loses_its_antenna_is_a_fault_of_that_antenna(plugged: Plug) -> None:
    reader, client = plugged((A, 1), antennas=2)
    client.until(lambda: TrayReading((A,)) in client.readings)
    reader.call(reader.emulated.set_antenna_connected(2, False))
    client.until(lambda: ("failed", 2) in client.statuses)
    reader.call(reader.emulated.set_antenna_connected(2, True))
    client.until(lambda: client.statuses[-1] == ("ok", 2))


def test_a_reader_with_another_client_says_so(plugged: Plug) -> None:
    reader, first = plugged((A, 1))
    first.until(lambda: TrayReading((A,)) in first.readings)
    second = Client(DRIVER.session(defaults(DRIVER)), reader.port)
    try:
        second.until(lambda: bool(second.readings))
        told = second.readings[0]
        assert isinstance(told, DeviceStatus) and "has another client" in told.detail
    finally:
        second.close()


def test_an_answer_that_is_lost_is_asked_for_again(plugged: Plug) -> None:
    reader = Reader((A, 1))
    reader.emulated.drop_next(theirs.ENABLE_ROSPEC)
    client = Client(DRIVER.session(defaults(DRIVER)), reader.port)
    try:
        client.until(lambda: TrayReading((A,)) in client.readings)
        assert [item.reason for item in client.rejected] == [Reason.TIMEOUT]
    finally:
        client.close()
        reader.close()


def test_a_reader_that_falls_silent_is_no_longer_alive() -> None:
    session = DRIVER.session(defaults(DRIVER))
    session.start(at(0))
    event = bytes.fromhex("043f000000200ab288c900f600160080000c0004f8535baadaff010000060000")
    turn = session.received(event, at(MS))
    alive, sent = 0, b""
    for now_ms in range(2, 40_000):
        if turn.wake_ns is not None and turn.wake_ns <= now_ms * MS:
            turn = session.due(at(now_ms * MS))
            alive += turn.alive
            sent += turn.send
    assert alive == 0 and sent.count(messages.encode(1, 1, b"\0")[:6]) > 3


@pytest.mark.parametrize(("antennas", "power", "hop"), [(1, None, 0), (4, 3, 1), (32, 21, 0)])
def test_the_operation_is_read_by_somebody_elses_codec(antennas: int, power: int | None, hop: int) -> None:
    made = messages.encode(messages.ADD_ROSPEC, 7, requests.rospec(antennas, power, hop))
    read = decode_message(made)
    assert isinstance(read, theirs.ADD_ROSPEC) and read.to_bytes(message_id=7) == made
    (visit,) = [each for each in read.ro_spec.spec_parameters if isinstance(each, params.AISpec)]
    assert list(visit.antenna_ids) == list(range(1, antennas + 1))
    settings = visit.inventory_parameter_specs[0].antenna_configurations[0]
    control = settings.air_protocol_inventory_command_settings[0].c1_g2_singulation_control
    assert control is not None and int(control.session) == 0
    assert (settings.rf_transmitter is None) == (power is None)


def test_the_configuration_is_read_by_somebody_elses_codec() -> None:
    made = messages.encode(messages.SET_CONFIG, 9, requests.configuration())
    read = decode_message(made)
    assert isinstance(read, theirs.SET_READER_CONFIG) and read.to_bytes(message_id=9) == made
    assert read.keepalive_spec is not None
    assert read.keepalive_spec.periodic_trigger_value == requests.KEEPALIVE_MS
    assert not read.reset_to_factory_default


@pytest.mark.parametrize(
    ("kind", "number", "data", "line"),
    [
        (messages.CAPABILITIES, 0, "00", "04010000000b0000000000"),
        (messages.START_ROSPEC, 0, "00000001", "04160000000e0000000000000001"),
        (messages.ENABLE_ROSPEC, 0, "00000001", "04180000000e0000000000000001"),
        (messages.DELETE_ROSPEC, 0, "00000000", "04150000000e0000000000000000"),
        (messages.KEEPALIVE_ACK, 5, "", "04480000000a00000005"),
    ],
)
def test_requests_are_the_bytes_that_others_send(kind: int, number: int, data: str, line: str) -> None:
    """As sllurp 3.0.5 puts them together."""
    assert messages.encode(kind, number, bytes.fromhex(data)) == bytes.fromhex(line)


def report(*tags: bytes) -> bytes:
    return messages.encode(messages.REPORT, 1, b"".join(messages.tlv(240, tag) for tag in tags))


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        (b"\x81\x00\x01", Reason.TOO_SHORT),
        (messages.tlv(241, b"\x00\x08\x01"), Reason.IMPOSSIBLE_VALUE),
        (messages.tlv(241, b"\x00\x20\x01\x02"), Reason.IMPOSSIBLE_VALUE),
        (messages.tlv(241, b"\x02\x00" + bytes(64)), Reason.IMPOSSIBLE_VALUE),
        (b"\x8d" + bytes(12) + b"\x81\x00\x21", Reason.IMPOSSIBLE_VALUE),
        (b"\x8d" + bytes(11), Reason.TOO_SHORT),
    ],
)
def test_a_damaged_tag_is_rejected_and_the_others_are_read(tag: bytes, reason: Reason) -> None:
    good = b"\x8d" + bytes.fromhex(A)
    first, second = decode(report(tag, good))
    assert isinstance(first, Rejected) and first.reason is reason
    assert second == Sweep(0, (A,))


def test_a_report_whose_last_tag_is_cut_says_so() -> None:
    whole = report(b"\x8d" + bytes.fromhex(A)) + b"\x00\xf0\x00\x20\x8d"
    cut = whole[:2] + len(whole).to_bytes(4, "big") + whole[6:]
    assert decode(cut)[0] == Sweep(0, (A,))
    assert isinstance(last := decode(cut)[1], Rejected) and last.reason is Reason.TOO_SHORT


@pytest.mark.parametrize(("dbm", "index"), [(9, 1), (10, 1), (17, 2), (25, 3), (33, 3)])
def test_the_step_of_power_is_never_above_what_is_wanted_if_there_is_one(dbm: int, index: int) -> None:
    assert requests.power_index(Capabilities("", {1: 10.0, 2: 16.5, 3: 25.0}), dbm) == index


def test_a_reader_without_steps_of_power_keeps_its_own() -> None:
    assert requests.power_index(Capabilities(""), 20) is None
