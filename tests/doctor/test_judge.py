"""What is thought of what a device said: pure, from readings."""

from random import Random

import msgspec
import pytest
from rig.documents import ROOT

from tablebridge.doctor.check import Check, fail, ok, status, warn
from tablebridge.doctor.examine import installed, report
from tablebridge.doctor.judge import judge, overlaps
from tablebridge.doctor.tally import Tally, shared, shortened
from tablebridge.doctor.writes import Budget
from tablebridge.host import registry
from tablebridge.model.instant import Instant
from tablebridge.model.readings import ButtonPress, DeviceStatus, Reading, Sweep
from tablebridge.sdk.captures import read_capture
from tablebridge.sdk.driver import Options, Reason, Rejected, Turn
from tablebridge.settings.site import Device
from tablebridge_drivers.line.lines import Line, Visits, encode_line

A, B = "E004010000000001", "E004010000000002"
LINE = registry.load("line")


def at(ms: float) -> Instant:
    return Instant(0, round(ms * 1e6), "boot")


def heard(*told: tuple[float, Reading], alive: bool = True) -> Tally:
    tally = Tally()
    for ms, reading in told:
        tally.take(b"", Turn((reading,), alive=alive), at(ms))
    return tally


def device(**antennas: str) -> Device:
    return Device.model_validate(
        {
            "name": "left",
            "driver": "feig",
            "port": "/dev/x",
            "antennas": {number.lstrip("a"): place for number, place in antennas.items()},
        }
    )


def judged(tally: Tally, detail: str = "", **antennas: str) -> list[Check]:
    return list(judge(device(**antennas), tally, detail, [LINE]))


def test_cycle_and_share_are_counted_in_visits() -> None:
    tally = heard(
        *((100 * n, Sweep(0, (A, B) if n % 2 else (A,))) for n in range(21)), (2500, Sweep(0, (A,), visits=5))
    )
    antenna = tally.antennas[0]
    assert antenna.visits == 26 and antenna.cycle_s == 0.1
    assert antenna.tags[A].share == 1 and antenna.tags[B].share == 10 / 19


def test_a_card_that_was_taken_away_is_read_well() -> None:
    tally = heard(*((100 * n, Sweep(0, (A,) if n < 10 else ())) for n in range(30)))
    assert tally.antennas[0].tags[A].share == 1
    assert [one.level for one in judged(tally, a0="seat 1")] == ["ok", "ok"]


def test_a_tag_at_the_edge_a_slow_cycle_and_cut_inventories_are_told() -> None:
    weak = heard(*((100 * n, Sweep(0, (A,) if n % 3 == 0 else ())) for n in range(31)))
    assert any("badly" in one.says for one in judged(weak, a0="seat 1"))
    slow = heard(*((900 * n, Sweep(0, ())) for n in range(5)))
    assert any("every 0.90 s only" in one.says for one in judged(slow, a0="seat 1"))
    cut = heard(*((100 * n, Sweep(0, (A, B), complete=n % 2 == 0)) for n in range(10)))
    assert any("5 of 10 inventories were cut short" in one.says for one in judged(cut, a0="seat 1"))


def test_noise_statuses_and_contacts_without_a_meaning_are_told() -> None:
    tally = heard(
        (0, Sweep(0, ())), (10, DeviceStatus("failed", "the coil is open", 0)), (20, ButtonPress(4))
    )
    tally.take(b"", Turn(rejected=(Rejected(Reason.CHECKSUM),) * 3), at(30))
    told = judged(tally, a0="seat 1")
    assert any(
        one.level == "fail" and "antenna 0 (seat 1) says of itself: the coil is open" in one.says
        for one in told
    )
    assert any("3 checksum" in one.says for one in told)
    assert any("contact 4 was pressed" in one.says for one in told)


def test_a_device_that_another_driver_understands_is_told_so() -> None:
    board = b"".join(b"v1,%d,%d,k,1,%d,%d*0000\n" % (n, n, n % 2, n) for n in range(9))
    silent = Tally()
    silent.take(board, Turn(), at(0))
    assert "line" not in judged(silent, "nothing comes.", a0="seat 1")[0].do, (
        "with wrong check sums it is nobody's"
    )
    board = b"".join(encode_line(Line(n, 10 * n, Visits(1, "=", 2, ()))) for n in range(9))
    understood = Tally()
    understood.take(board, Turn(), at(0))
    (check,) = judged(understood, "nothing comes.", a0="seat 1")
    assert (check.level, check.about, check.says, check.do) == (
        "fail",
        "left",
        "nothing comes.",
        'The driver line understands what it says: write driver = "line" in the site file.',
    )


GPS = (
    b"$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,*76\r\n"
    b"$GPGSA,A,3,10,07,05,02,29,04,08,13,,,,,1.72,1.03,1.38*0A\r\n"
) * 20
SKETCH = b"temperature 21.5 C, humidity 40 %\r\nreader 1 ready\r\n" * 40
MODEM = b"AT\r\nOK\r\n+CSQ: 17,99\r\nOK\r\nERROR\r\n" * 60
ANSWERS = b"OK\r\nERROR\r\nOK\r\n" * 60
NAMES = b"Device ABC 0001\r\nFirmware V 0102\r\n" * 40
"""Lines that look like the name and version of a metraTec reader."""
COUNTING = bytes(range(256)) * 8


@pytest.mark.parametrize(
    "said",
    [GPS, SKETCH, MODEM, ANSWERS, NAMES, COUNTING, b"\0" * 2000, b"\xff" * 2000, Random(1).randbytes(4096)],
    ids=["gps", "sketch", "modem", "answers", "names", "counting", "zeros", "ones", "noise"],
)
@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "usb://by-path/1-1"])
def test_no_driver_is_proposed_for_bytes_that_prove_nothing(said: bytes, port: str) -> None:
    """And what came is shown, as text and as hex digits."""
    tally = Tally()
    tally.take(said, Turn(), at(0))
    other = Device.model_validate({"name": "left", "driver": "template", "port": port})
    (check,) = judge(other, tally, "nothing comes.", installed())
    assert "understands what it says" not in check.do and "capture left" in check.do
    assert (
        check.heard.startswith("It sent more than 48 bytes: ") and said[:48].hex(" ").upper() in check.heard
    )
    assert check.heard in str(check) and check.heard.isprintable()


@pytest.mark.parametrize(
    ("name", "options", "hint"),
    [
        ("pepper", {}, 'no card but those of iso15693; try cards = "iso14443"'),
        ("pepper", {"cards": "iso14443"}, 'no card but those of iso14443; try cards = "iso15693"'),
        ("pn532", {}, "cards of ISO 14443 A (MIFARE, NTAG) only"),
        ("feig", {}, ""),
    ],
)
def test_a_reader_that_sees_no_card_says_of_which_standard_it_would_see_one(
    name: str, options: Options, hint: str
) -> None:
    reader = Device(name="left", driver=name, port="/dev/ttyUSB0", options=options)
    said = " ".join(check.says for check in judge(reader, heard((0, Sweep(0, ()))), "", installed()))
    assert (hint in said) if hint else "no card" not in said
    said = " ".join(check.says for check in judge(reader, heard((0, Sweep(0, (A,)))), "", installed()))
    assert "no card" not in said


@pytest.mark.parametrize(
    ("name", "composed"), [("serial-contact", True), ("wedge", False), ("rdm6300", False), ("line", False)]
)
def test_a_driver_that_was_only_tried_with_composed_answers_is_named(name: str, composed: bool) -> None:
    badges = Device(name="badges", driver=name, port="/dev/ttyUSB0")
    said = [check.says for check in judge(badges, heard((0, Sweep(0, (A,)))), "", installed())]
    assert any("composed answers only" in text for text in said) is composed


@pytest.mark.parametrize(
    "name",
    ["feig", "line", "m100", "mercury", "metratec", "pepper", "pn532", "r2000", "rdm6300", "uhfreader18"],
)
def test_a_driver_is_proposed_for_the_bytes_of_its_own_devices_and_its_kind_of_port(name: str) -> None:
    captures = sorted((ROOT / "tests" / "captures" / name).glob("*/capture.jsonl"))
    heard = (
        b"".join(
            bytes.fromhex(piece.hex)
            for path in captures
            for piece in read_capture(path.read_text())
            if piece.direction == "rx"
        )
        * 2
    )
    tally = Tally()
    tally.take(heard, Turn(), at(0))
    on_serial, on_usb = (
        Device.model_validate({"name": "left", "driver": "template", "port": port})
        for port in ("/dev/ttyUSB0", "usb://by-path/1-1")
    )
    (check,) = judge(on_serial, tally, "nothing comes.", [registry.load(name)])
    assert f"The driver {name} understands what it says" in check.do
    (check,) = judge(on_usb, tally, "nothing comes.", [registry.load(name)])
    assert ("understands" in check.do) == (registry.load(name).usb is not None)


def test_a_report_leaves_out_the_bytes_that_were_heard() -> None:
    """They may hold a tag, and a report is sent to others."""
    tally = Tally()
    tally.take(bytes.fromhex(A) * 9, Turn(), at(0))
    checks = judged(tally, "nothing comes.", a0="seat 1")
    assert A in checks[0].heard.replace(" ", "")
    assert A not in msgspec.json.encode(report(checks, {}, Budget())).decode().replace(" ", "")


def test_what_a_device_calls_itself_cannot_speak_to_the_terminal() -> None:
    """Firmware strings that nobody has seen are told as they are, without what a terminal would obey."""
    tally = heard(
        (0, DeviceStatus("identified", "X9 \x1b[2J\x07 beta \u202e" + "y" * 999)), (5, Sweep(0, ()))
    )
    says = judged(tally, a0="seat 1")[0].says
    assert says.startswith("X9 ?[2J? beta ?yyy") and len(says) < 220


def test_an_antenna_without_a_place_is_told_when_it_reads_something() -> None:
    quiet, reading = (
        heard((0, Sweep(0, ())), (9, Sweep(7, ()))),
        heard((0, Sweep(0, ())), (9, Sweep(7, (A,)))),
    )
    assert not [one for one in judged(quiet, a0="seat 1") if one.level != "ok"]
    assert [one.says for one in judged(reading, a0="seat 1") if one.level == "warn"] == [
        "antenna 7 reads tags and the site file gives it no place: what it reads is not used."
    ]


def test_antennas_that_share_a_card_are_told_unless_they_look_at_one_place() -> None:
    tallies = {"left": heard((0, Sweep(1, (A,))), (10, Sweep(2, (A, B))), (20, Sweep(3, (B,))))}
    assert len(shared(tallies)) == 2
    apart = list(overlaps({"left": device(a1="seat 1", a2="seat 2", a3="seat 2")}, tallies))
    assert [one.says for one in apart] == ["seat 1 and seat 2 read the same tag."]
    assert A not in str(apart) and shortened(A) == "…0001"


def test_the_exit_status_is_that_of_the_worst() -> None:
    fine, doubtful, broken = ok("a", "x."), warn("a", "x.", "y"), fail("a", "x.", "y")
    assert [status(some) for some in ([], [fine], [fine, doubtful], [broken, doubtful, fine])] == [0, 0, 1, 2]
