"""metraTec readers: the vendor's sample lines mean what they meant; readers in every state are brought to
sweep.
"""

from typing import Any

import pytest
from rig.metratec import Metratec
from rig.metratec_at import MetratecAt
from rig.played import Played

from tablebridge.sdk import ButtonPress, DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.testing import MS, Chance, Heard, Link, at, converse, defaults
from tablebridge_drivers.metratec import DRIVER, decode
from tablebridge_drivers.metratec.lines import with_crc

A, B, C = "E004010000000001", "E004010000000002", "E016800000000003"


@pytest.mark.parametrize(("text", "line"), [("COF", "COF 4F5E"), ("WAK", "WAK 5E70"), ("INV", "INV 5CBD")])
def test_crc_of_the_sample_commands(text: str, line: str) -> None:
    assert with_crc(text) == line


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "E0040150954F02B1\rE200600311753E33\rARP 12\rIVF 02\r",
            [Sweep(12, ("E0040150954F02B1", "E200600311753E33"))],
        ),
        ("TDT\r0011112222B7DD\rCOK\rNCL\r", [DeviceStatus("ok", "a tag answered with 11112222")]),
        (
            "DESKID_ISO     01000218\r",
            [DeviceStatus("identified", "DESKID_ISO, hardware 1.00, firmware 2.18")],
        ),
        ("DESKID_ISO      0312\r", [DeviceStatus("identified", "DESKID_ISO 3.12")]),
        ("+INV: E002223504422958\r\n", [Sweep(0, ("E002223504422958",))]),
        ("+ANT: 2\r\n", [DeviceStatus("ok", "selected", 2)]),
        ("+IEV: 1,HIGH\r\n+IN: 1,LOW\r\n", [ButtonPress(1, True), ButtonPress(1, False)]),
        ("IVF 00\r", [Sweep(0, ())]),
        ("E004010000000001\rCER\rIVF 01\r", [Sweep(0, (A,), complete=False)]),
        ("+CINV: E002223504422958\r+CINV: <ROUND FINISHED ANT=3>\r", [Sweep(3, ("E002223504422958",))]),
        ("+INV: <NO TAGS FOUND>\r\nOK\r\n", [Sweep(0, ()), DeviceStatus("ok", "done")]),
        ("IN0 HI!\rHBT\r", [ButtonPress(0, True), DeviceStatus("ok", "heartbeat")]),
        # UHFReaderAT.java, MetratecReaderATUhf.cs: `<ROUND FINISHED, ANT=2>`, the tag with its TID and
        # strength.
        (
            "+CINV: 3034257BF468D480000003EC,E200600311753E33,1755\r+CINV: <ROUND FINISHED, ANT=2>\r",
            [Sweep(2, ("3034257BF468D480000003EC",))],
        ),
        ("+CINV: E002223504422958\r+CINV=<ROUND FINISHED>\r", [Sweep(0, ("E002223504422958",))]),
        # reader_at.py: the heartbeat that `AT+HBT` switches on, here in the middle of an inventory.
        (
            "+CINV: E002223504422958\r\n+HBT\r\n+CINV: <ROUND FINISHED, ANT=2>\r\n",
            [DeviceStatus("ok", "heartbeat"), Sweep(2, ("E002223504422958",))],
        ),
        (
            "+INV: <Antenna Error>\r\n",
            [DeviceStatus("failed", "ARH: antenna reflection high: look at the antenna and its cable")],
        ),
    ],
)
def test_sample_lines(lines: str, said: list[Reading]) -> None:
    assert list(decode(lines.encode())) == said
    assert (
        list(decode("".join(f"{with_crc(line)}\r" for line in lines.split("\r")[:-1]).encode())) == said
        or "+" in lines
    )


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("IVF 00 0000\r", Reason.CHECKSUM),
        ("E0040150954F02B1 1234\rIVF 01\r", Reason.CHECKSUM),
        ("INV 5CBE\r", Reason.CHECKSUM),
        ("INV 5CBD\r", Reason.UNEXPECTED),
        ("AT+INV\r\n", Reason.UNEXPECTED),
        ("E004010000000001\r", Reason.TOO_SHORT),
        ("E004010000000001\rIVF 02\r", Reason.IMPOSSIBLE_VALUE),
        ("E00401000000000\rIVF 01\r", Reason.TOO_SHORT),
        ("E0040100000000010203\rIVF 01\r", Reason.TOO_LONG),
        ("XYZ\r", Reason.UNKNOWN_TYPE),
        ("A" * 700 + "\r", Reason.TOO_LONG),
        ("TDT\r0011112222B7DE\rCOK\rNCL\r", Reason.CHECKSUM),
        ("+INV: 12\r\n", Reason.UNKNOWN_TYPE),
    ],
)
def test_what_is_wrong_is_rejected_and_nothing_else(lines: str, reason: Reason) -> None:
    (item,) = decode(lines.encode())
    assert isinstance(item, Rejected) and item.reason is reason


def talk(
    reader: Metratec,
    seconds: float = 3.0,
    link: Link | None = None,
    restarts_ms: int | None = None,
    **options: Any,
) -> Heard:
    happens = [] if restarts_ms is None else [(restarts_ms, reader.restart)]
    return converse(DRIVER.session(defaults(DRIVER, **options)), Played(reader, happens), seconds, link)


def sweeps(heard: Heard) -> list[Sweep]:
    return [reading for reading in heard.readings if isinstance(reading, Sweep)]


def reader(**options: Any) -> Metratec:
    made = Metratec(**options)
    made.put(A, B)
    return made


@pytest.mark.parametrize(
    "state", [{}, {"crc_on": True}, {"asleep": True}, {"old": True}, {"crc_on": True, "asleep": True}]
)
@pytest.mark.parametrize("crc", [True, False])
def test_a_reader_in_any_state_is_brought_to_sweep(state: dict[str, bool], crc: bool) -> None:
    made = reader(**state)
    heard = talk(made, crc=crc)
    assert heard.readings[0] == DeviceStatus(
        "identified",
        "metraTec " + ("DESKID_ISO, hardware 1.00, firmware 2.18" if state.get("old") else "QuasarLR 3.12"),
    )
    assert set(sweeps(heard)) == {Sweep(0, (A, B))} and len(sweeps(heard)) > 20
    assert made.crc_on is crc and made.eof


def test_a_reader_that_says_nothing_to_what_has_no_crc_is_brought_to_sweep() -> None:
    made = reader(crc_on=True)
    made.quiet = True
    heard = talk(made, 5)
    assert set(sweeps(heard)) == {Sweep(0, (A, B))} and len(sweeps(heard)) > 20


def test_a_name_in_a_form_that_nobody_knows_is_a_name() -> None:
    made = reader()
    heard = converse(
        DRIVER.session(defaults(DRIVER, crc=False)),
        Played(lambda data: made(data).replace(b"QuasarLR       0312 ", b"Quasar (new) v4")),
        2,
    )
    assert heard.readings[0] == DeviceStatus("identified", "metraTec Quasar (new) v4")
    assert set(sweeps(heard)) == {Sweep(0, (A, B))}


def test_in_crc_mode_a_line_that_lost_its_crc_is_damaged() -> None:
    """Its UID may have been damaged with it: the tag C does not lie there."""
    made = reader()
    line = with_crc(B).encode()
    heard = converse(
        DRIVER.session(defaults(DRIVER)), Played(lambda data: made(data).replace(line, C.encode())), 3
    )
    assert made.inventories > 20 and C not in {tag for sweep in sweeps(heard) for tag in sweep.tags}
    assert {sweep.complete for sweep in sweeps(heard)} <= {False}
    assert Reason.CHECKSUM in {item.reason for item in heard.rejected}


@pytest.mark.parametrize("forms", [("SAP MAN",), ("SAP",)])
def test_ports_are_selected_in_turn_by_hand(forms: tuple[str, ...]) -> None:
    """From 0: `MetratecReader.setAntennaPort` of the Java SDK, "antenna port … [0..15]"."""
    made = Metratec(ports=3, forms=forms)
    made.put(A, port=0)
    made.put(B, C, port=2)
    assert sweeps(talk(made, antennas=3))[:6] == [Sweep(0, (A,)), Sweep(1, ()), Sweep(2, (B, C))] * 2


def test_a_port_that_is_refused_is_a_fault_of_its_antenna_and_the_others_are_visited() -> None:
    made = Metratec(ports=2)
    made.put(A, port=0)
    heard = talk(made, antennas=3)
    assert {sweep.antenna for sweep in sweeps(heard)} == {0, 1} and len(sweeps(heard)) > 20
    faults = [each for each in heard.readings if isinstance(each, DeviceStatus) and each.antenna == 2]
    assert faults[0] == DeviceStatus("degraded", "SAP MAN refused, NOR: number out of range", 2)
    assert heard.alive_ns[-1] > 2_900 * MS


def test_what_another_port_read_than_the_selected_one_is_nobodys() -> None:
    made = Metratec(ports=3)
    made.put(A, port=0)
    made.stuck = True
    heard = talk(made, antennas=3)
    assert set(sweeps(heard)) == {Sweep(0, (A,))} and len(sweeps(heard)) > 10
    assert {item.detail for item in heard.rejected} == {
        "antenna 0 read where 1 was selected",
        "antenna 0 read where 2 was selected",
    }


def test_a_port_with_a_new_tag_is_visited_more_often_until_it_is_well_read() -> None:
    made = Metratec(ports=8)

    def lay() -> bytes:
        made.put(A, port=5)
        return b""

    heard = converse(
        DRIVER.session(defaults(DRIVER, antennas=8, order="new-first")), Played(made, [(4000, lay)]), 6
    )
    order = [sweep.antenna for sweep in sweeps(heard)]
    first = next(number for number, sweep in enumerate(sweeps(heard)) if sweep.tags)
    assert order[:16] == [0, 1, 2, 3, 4, 5, 6, 7] * 2
    assert order[first : first + 10].count(5) >= 3
    assert set(order[first : first + 14]) == set(range(8))


def test_ports_are_named_by_the_antenna_report_when_the_reader_goes_on_by_itself() -> None:
    """`ISOReaderAscii.setMultiplexAntennas` of the Java SDK: "switching always starts with the lowest antenna
    port (0)".
    """
    made = Metratec(ports=3)
    made.put(A, port=0)
    made.put(B, C, port=2)
    heard = talk(made, antennas=3, multiplex="automatic")
    assert sweeps(heard)[:6] == [Sweep(0, (A,)), Sweep(1, ()), Sweep(2, (B, C))] * 2
    assert "SAP AUT 3" in made.commands and not any(
        command.startswith("SAP MAN") for command in made.commands
    )


def test_an_inventory_without_a_report_is_nobodys() -> None:
    made = reader(ports=2)
    session = DRIVER.session(defaults(DRIVER, antennas=2, multiplex="automatic", crc=False))
    turn = session.start(at(0))
    now_ns = 0
    for _ in range(40):
        now_ns = max(now_ns + MS, turn.wake_ns or 0)
        turn = session.due(at(now_ns))
        if turn.send:
            said = b"\r".join(line for line in made(turn.send).split(b"\r") if not line.startswith(b"ARP"))
            turn = session.received(said, at(now_ns))
            assert turn.readings == () or not isinstance(turn.readings[0], Sweep)
    assert made.inventories > 5, made.commands


def test_a_multiplexer_that_is_not_there_is_told() -> None:
    heard = talk(reader(), antennas=2)
    assert [r.state for r in heard.readings if isinstance(r, DeviceStatus)][:2] == ["identified", "degraded"]
    assert sweeps(heard) == []


@pytest.mark.parametrize("crc", [True, False])
@pytest.mark.parametrize("pins", ["EGC", "SEC"])
def test_an_input_pin_is_a_contact_once_the_reader_was_asked_for_its_edges(pins: Any, crc: bool) -> None:
    """`EnableInputEvents` of the .NET SDK: `EGC 0 #SPIN0#RIP 0`, in CRC mode with its own CRC 640F."""
    made = reader(pins=pins)
    happens = [(1000, lambda: made.pin(0, True)), (1400, lambda: made.pin(1, True))]
    happens += [(1700, lambda: made.pin(0, False))]
    heard = converse(DRIVER.session(defaults(DRIVER, crc=crc)), Played(made, happens), 3)
    assert [each for each in heard.readings if isinstance(each, ButtonPress)] == [
        ButtonPress(0, True),
        ButtonPress(1, True),
        ButtonPress(0, False),
    ]
    stored = "#SPIN0#RIP 0 640F" if crc else "#SPIN0#RIP 0"
    assert (f"EGC 0 {stored}" if pins == "EGC" else f"SEC COMM 0 {stored}") in made.commands
    # What came unasked was no end of an inventory.
    assert heard.rejected == [] and set(sweeps(heard)) == {Sweep(0, (A, B))}


def test_a_reader_without_input_pins_is_swept() -> None:
    heard = talk(reader(pins=""))
    assert set(sweeps(heard)) == {Sweep(0, (A, B))} and heard.rejected == []


def test_a_reader_that_restarts_is_set_up_again() -> None:
    made = reader()
    heard = talk(made, restarts_ms=1_000)
    assert DeviceStatus("restarted", "the reader has started") in heard.readings
    assert heard.alive_ns[-1] > 2_900 * MS and made.crc_on


def test_a_field_that_went_off_is_switched_on_again_and_is_no_fault() -> None:
    made = reader()
    off = (1_000, lambda: setattr(made, "field", False) or b"")  # type: ignore[func-returns-value]
    heard = converse(DRIVER.session(defaults(DRIVER)), Played(made, [off]), 3)
    assert made.commands.count("SRI SS 100") == 2
    assert [r.state for r in heard.readings if isinstance(r, DeviceStatus)] == ["identified"]
    assert heard.alive_ns[-1] > 2_900 * MS


def test_a_failed_slot_makes_the_sweep_incomplete() -> None:
    made = reader()
    made.slot_error = "CER"
    assert set(sweeps(talk(made))) == {Sweep(0, (A, B), complete=False)}


@pytest.mark.parametrize("seed", range(3))
def test_a_hostile_line_never_invents_a_tag(seed: int) -> None:
    link = Link(Chance(seed), flip=0.003, drop=0.003, double=0.003, cut=0.02, delay_ms=30)
    seen = sweeps(talk(reader(), 60, link))
    assert len(seen) > 30
    assert {sweep for sweep in seen if sweep.complete} == {Sweep(0, (A, B))}


def test_an_at_reader_is_swept() -> None:
    heard = converse(DRIVER.session(defaults(DRIVER, dialect="at")), Played(MetratecAt({0: (A, B)})), 2)
    assert heard.readings[0] == DeviceStatus(
        "identified",
        "metraTec, firmware DeskID_NFC 0204, hardware DeskID_NFC 0101, serial number 2019042912340000",
    )
    assert set(sweeps(heard)) == {Sweep(0, (A, B))} and len(sweeps(heard)) > 20 and heard.rejected == []


def test_antennas_of_an_at_reader_are_selected_in_turn() -> None:
    heard = converse(
        DRIVER.session(defaults(DRIVER, dialect="at", antennas=2)), Played(MetratecAt({1: (A,), 2: ()})), 2
    )
    assert sweeps(heard)[:4] == [Sweep(1, (A,)), Sweep(2, ())] * 2


def test_an_antenna_that_an_at_reader_refuses_is_a_fault_of_it_and_the_others_are_visited() -> None:
    heard = converse(
        DRIVER.session(defaults(DRIVER, dialect="at", antennas=3)), Played(MetratecAt({1: (A,), 3: ()})), 2
    )
    assert {sweep.antenna for sweep in sweeps(heard)} == {1, 3}
    assert DeviceStatus("degraded", "AT+ANT refused: Error (01 00 00 00)", 2) in heard.readings


def test_a_heartbeat_breaks_no_inventory_of_an_at_reader() -> None:
    """reader_at.py of the Python SDK: `AT+HBT` switches `+HBT` on, which it ignores."""
    made = MetratecAt({0: (A, B)})
    made.heartbeat = True
    heard = converse(DRIVER.session(defaults(DRIVER, dialect="at")), Played(made), 2)
    assert set(sweeps(heard)) == {Sweep(0, (A, B))} and len(sweeps(heard)) > 20 and heard.rejected == []


def test_an_at_reader_whose_field_cannot_be_switched_on_is_no_empty_place() -> None:
    made = MetratecAt({0: (A,)})
    made.refuses = {"AT+INV"}
    heard = converse(DRIVER.session(defaults(DRIVER, dialect="at")), Played(made), 5)
    assert sweeps(heard) == []
    assert [r.state for r in heard.readings if isinstance(r, DeviceStatus)] == [
        "identified",
        "degraded",
        "failed",
    ]
