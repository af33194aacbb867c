"""Readers that say a number of their own, and what follows if another one is at the port: the option `board`,
the same for each driver that has it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rig.captures import DRIVERS
from rig.ccid import Acr122U, Acr1552U
from rig.feig import Feig
from rig.llrp import Client, Reader
from rig.metratec import Metratec
from rig.metratec_at import MetratecAt
from rig.pepper import Pepper
from rig.played import Played
from rig.uhf import Mercury
from rig.uhf_readers import R2000, UhfReader18

from tablebridge.sdk import ButtonPress, DeviceStatus, Sweep, TrayReading, Turn
from tablebridge.sdk.boards import ANY, LONGEST, board_in, plain, with_board
from tablebridge.sdk.testing import Heard, at, converse, defaults

CARD, CHIP = "E0040150954F02B1", "E28068900000500E88C6A4A7"
Device = Callable[[bytes], bytes]
Options = dict[str, Any]


def _laid(made: Any) -> Any:
    made.put(CARD)
    return made


def _acr(number: bytes) -> Acr1552U:
    made = Acr1552U(CARD)
    made.number = number
    return made


READERS: dict[str, tuple[str, Options, Callable[[], Any], Callable[[], Any], str]] = {
    "feig": ("feig", {}, lambda: Feig(CARD), lambda: Feig(CARD, number=b""), "0BA75E01"),
    "pepper": ("pepper", {}, lambda: _laid(Pepper()), lambda: _laid(Pepper(name=b"")), "Pepper_C1-1A6318"),
    "metratec": (
        "metratec",
        {},
        lambda: _laid(Metratec()),
        lambda: _laid(Metratec(number="")),
        "2020090817420000",
    ),
    "metratec without CRC": (
        "metratec",
        {"crc": False},
        lambda: _laid(Metratec(number="A-17")),
        lambda: _laid(Metratec(number="", old=True)),
        "A-17",
    ),
    "metratec at": (
        "metratec",
        {"dialect": "at"},
        lambda: MetratecAt({1: (CARD,)}),
        lambda: MetratecAt({1: (CARD,)}, number=" "),
        "2019042912340000",
    ),
    "acs": ("acs", {}, lambda: Acr1552U(CARD), lambda: _acr(b""), "RR554-000123"),
    "mercury": (
        "mercury",
        {"region": "EU3", "reading": "single"},
        lambda: Mercury(CHIP),
        lambda: Mercury(CHIP, number=b""),
        "2516012345",
    ),
    "r2000": ("r2000", {}, lambda: R2000(CHIP), lambda: R2000(CHIP, number=b""), "0A0B0C0D0E0F101112131415"),
    "uhfreader18": (
        "uhfreader18",
        {},
        lambda: UhfReader18(CHIP),
        lambda: UhfReader18(CHIP, number=b""),
        "16029355",
    ),
}
"""By a name for people: the driver, its options, a reader, one that says no number, and the number."""
READER = pytest.mark.parametrize("reader", READERS)


def talk(driver: str, device: Device, seconds: float = 4.0, **options: Any) -> Heard:
    return converse(DRIVERS[driver].session(defaults(DRIVERS[driver], **options)), Played(device), seconds)


def read(heard: Heard) -> list[Any]:
    """What it read, tags or none."""
    return [each for each in heard.readings if isinstance(each, Sweep | TrayReading | ButtonPress)]


def statuses(heard: Heard, state: str) -> list[str]:
    return [each.detail for each in heard.readings if isinstance(each, DeviceStatus) and each.state == state]


@READER
def test_a_reader_is_not_asked_unless_the_site_wants_it(reader: str) -> None:
    driver, options, made, mute, _ = READERS[reader]
    heard = talk(driver, made(), **options)
    assert read(heard) and board_in(statuses(heard, "identified")[0]) == ""
    assert talk(driver, mute(), **options).sent == heard.sent or reader == "metratec without CRC"


@READER
def test_a_reader_that_is_asked_says_its_number_as_the_site_file_has_it(reader: str) -> None:
    driver, options, made, _, number = READERS[reader]
    heard = talk(driver, made(), board=ANY, **options)
    assert [board_in(text) for text in statuses(heard, "identified")] == [number]
    assert read(heard) and statuses(heard, "failed") == [] and heard.rejected == []


@READER
def test_a_reader_that_belongs_here_is_read(reader: str) -> None:
    driver, options, made, _, number = READERS[reader]
    heard = talk(driver, made(), board=number[:4], **options)
    assert read(heard) and statuses(heard, "failed") == []


@READER
def test_a_swapped_reader_is_a_failed_device_that_says_what_to_do(reader: str) -> None:
    driver, options, made, _, number = READERS[reader]
    heard = talk(driver, made(), 8, board="another", **options)
    assert read(heard) == []
    assert statuses(heard, "failed") == [
        f"this is the board {number}, and another belongs here: cables are swapped, or, if it was exchanged, "
        f'write board = "{number}"; what it reads is not used'
    ]
    assert statuses(heard, "ok") == [], "that it answers ends no swap"
    assert heard.alive_ns


@READER
def test_a_reader_without_a_number_is_read_unless_one_is_wanted(reader: str) -> None:
    driver, options, _, mute, number = READERS[reader]
    assert read(talk(driver, mute(), board=ANY, **options))
    heard = talk(driver, mute(), board=number, **options)
    assert read(heard) == []
    assert [text.partition(",")[0] for text in statuses(heard, "failed")] == ["it does not say its number"]


class Swallowed:
    """A reader that says nothing to the question for its number, instead of refusing it."""

    def __init__(self, device: Device, question: bytes) -> None:
        self._device, self._question = device, question
        self.swallowed = 0

    def __call__(self, data: bytes) -> bytes:
        if self._question in data:
            self.swallowed += 1
            return b""
        return self._device(data)


QUESTIONS = {
    "feig": bytes.fromhex("06FF6680"),
    "pepper": bytes.fromhex("1300"),
    "metratec": b"RSN",
    "acs": bytes.fromhex("E000003300"),
    "mercury": bytes.fromhex("FF02100040"),
    "r2000": bytes.fromhex("A003FF68"),
    "uhfreader18": bytes.fromhex("04FF4C"),
}


@pytest.mark.parametrize("reader", QUESTIONS)
def test_a_reader_that_is_silent_to_the_question_is_read_all_the_same(reader: str) -> None:
    driver, options, made, _, _ = READERS[reader]
    device = Swallowed(made(), QUESTIONS[reader])
    assert read(talk(driver, device, 8, board=ANY, **options))
    assert device.swallowed == 2, "asked once more, and not again and again"


def test_readers_that_are_swapped_while_the_port_stays_open_are_noticed_and_noticed_again() -> None:
    right, wrong = Feig(CARD), Feig(CARD, number=b"\1\2\3\4")
    plugged: list[Device] = [right]
    session = DRIVERS["feig"].session(defaults(DRIVERS["feig"], board="0BA7"))

    def into(device: Device) -> Callable[[], bytes]:
        def plug() -> bytes:
            plugged[0] = device
            return b""

        return plug

    happens = [(2000, into(lambda data: b"")), (6000, into(wrong)), (10_000, into(lambda data: b""))]
    peer = Played(lambda data: plugged[0](data), [*happens, (14_000, into(right))])
    heard = converse(session, peer, 18)
    assert [board[:17] for board in statuses(heard, "failed")] == ["this is the board"]
    assert statuses(heard, "ok") == [""]
    swept = [
        ns
        for each, ns in zip(heard.readings, heard.read_ns, strict=True)
        if isinstance(each, Sweep) and each.tags
    ]
    assert not any(2.1e9 < ns < 14e9 for ns in swept) and max(swept) > 14e9


def test_an_acr122u_has_no_number() -> None:
    assert read(talk("acs", Acr122U("04A1B2C3"), board=ANY))
    assert read(talk("acs", Acr122U("04A1B2C3"), board="RR")) == []


def test_a_feig_reader_in_buffered_mode_is_asked_too() -> None:
    heard = talk("feig", Feig(CARD), board=ANY, reading="buffered")
    assert board_in(statuses(heard, "identified")[0]) == "0BA75E01"
    assert statuses(talk("feig", Feig(CARD), board="1", reading="buffered"), "failed")


def test_a_reader_behind_pcsc_is_asked_for_its_number_by_a_line_of_its_own() -> None:
    def told(board: str) -> tuple[bytes, list[Turn]]:
        session = DRIVERS["pcsc"].session(defaults(DRIVERS["pcsc"], board=board))
        sent = session.start(at(0)).send
        number = b'{"reader":"ACR 00","state":34,"atr":"","number":"RR554"}\n'
        card = b'{"reader":"ACR 00","state":34,"atr":"","answer":"04A1B2C39000"}\n'
        return sent, [session.received(line, at(1)) for line in (number, card)]

    sent, (named, seen) = told("RR5")
    assert sent == b"number\nFFCA000000\n"
    assert named.readings == (DeviceStatus("identified", 'ACR 00, board = "RR554"'),)
    assert seen.readings == (Sweep(0, ("04A1B2C3",), complete=False),)
    _, (named, seen) = told("other")
    assert [getattr(each, "state", "") for each in named.readings] == ["identified", "failed"]
    assert seen.readings == ()


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    """An LLRP reader of llrpkit that is made to say its MAC address: the package's own says none."""
    from llrpkit.emulator import LLRPEmulator
    from llrpkit.protocol import messages, params

    sends = LLRPEmulator._send

    async def send(self: Any, message: Any, **rest: Any) -> None:
        if isinstance(message, messages.GET_READER_CONFIG_RESPONSE):
            message.identification = params.Identification(reader_id=bytes.fromhex("001625FFFE11A2B3"))
        await sends(self, message, **rest)

    monkeypatch.setattr(LLRPEmulator, "_send", send)
    made = Reader((CHIP, 1))
    yield made
    made.close()


@pytest.mark.parametrize(("board", "belongs"), [(ANY, True), ("001625", True), ("001626", False)])
def test_an_llrp_reader_says_its_address(reader: Reader, board: str, belongs: bool) -> None:
    client = Client(DRIVERS["llrp"].session(defaults(DRIVERS["llrp"], board=board)), reader.port)
    try:
        client.until(lambda: reader.emulated.keepalive_acks > 1)
        first = client.readings[0]
        assert isinstance(first, DeviceStatus) and board_in(first.detail) == "001625FFFE11A2B3"
        assert any(isinstance(each, TrayReading) for each in client.readings) is belongs
        assert any(state == "failed" for state, _ in client.statuses) is not belongs
    finally:
        client.close()


def test_a_number_may_stand_in_a_site_file() -> None:
    assert plain('  A"1\\\n2\x002é ') == "A122"
    assert len(plain("7" * 200)) == LONGEST
    identity = with_board("a reader", plain("x" * 200))
    assert board_in(identity) == "x" * LONGEST and board_in("a reader") == ""
