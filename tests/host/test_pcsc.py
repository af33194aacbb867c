"""Readers behind PC/SC: real pcscd and libpcsclite, a virtual reader, a card that is laid down and taken."""

import select
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rig.pcscd import Card, Pcscd, missing

from tablebridge.host.links import winscard
from tablebridge.host.links.link import Link, LinkRefused
from tablebridge.host.links.opening import open_link
from tablebridge.host.links.pcsc import MOST_WAITING, PcscLink, choose
from tablebridge.model.errors import LinkError
from tablebridge.sdk import DeviceStatus, Instant, PcscPort, Reading, Sweep, Turn
from tablebridge.sdk.boards import ANY
from tablebridge.sdk.testing import defaults
from tablebridge_drivers.pcsc import DRIVER

UID = bytes.fromhex("04A1B2C3D4E580")
GET = bytes.fromhex("FFCA000000")
FIRST = "pcsc://Virtual PCD 00 00"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the service's socket is: the library asks for it once in the life of a process."""
    with pytest.MonkeyPatch.context() as patch:
        chosen = tmp_path_factory.mktemp("pcscd") / "comm"
        patch.setenv("PCSCLITE_CSOCK_NAME", str(chosen))
        yield chosen


@pytest.fixture
def service(tmp_path: Path, path: Path) -> Iterator[Pcscd]:
    if why := missing():
        pytest.skip(why)
    made = Pcscd(tmp_path, path)
    yield made
    made.end()


class Host:
    """A session that reads by a link."""

    def __init__(self, link: Link, board: str = "") -> None:
        self._link = link
        self._session = DRIVER.session(defaults(DRIVER, poll_interval_ms=20, board=board))
        self.readings: list[Reading] = []
        self._take(self._session.start(self._now()))

    def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not holds():
            assert time.monotonic() < deadline, self.readings[-5:]
            select.select([self._link], [], [], 0.01)
            if data := self._link.read():
                self._take(self._session.received(data, self._now()))
            if self._wake_ns is not None and time.monotonic_ns() >= self._wake_ns:
                self._take(self._session.due(self._now()))

    def _take(self, turn: Turn) -> None:
        assert turn.rejected == ()
        self.readings += turn.readings
        self._wake_ns = turn.wake_ns
        if turn.send:
            self._link.send(turn.send)

    def _now(self) -> Instant:
        return Instant(time.time_ns(), time.monotonic_ns(), "test")


def test_a_card_is_read_while_it_lies_there(service: Pcscd) -> None:
    link = open_link(FIRST, PcscPort())
    host = Host(link)
    try:
        host.until(lambda: Sweep(0, ()) in host.readings)
        assert host.readings[0] == DeviceStatus("identified", "Virtual PCD 00 00")
        card = Card(service.port, {GET: UID + b"\x90\x00"})
        host.until(lambda: host.readings[-1] == Sweep(0, (UID.hex().upper(),), complete=False))
        card.take_away()
        host.until(lambda: host.readings[-1] == Sweep(0, ()))
        card = Card(service.port, {GET: b"\x6a\x81"})
        host.until(lambda: host.readings[-1] == Sweep(0, (), complete=False))
        card.take_away()
    finally:
        link.close()


@pytest.mark.parametrize("laid", [False, True])
def test_a_reader_that_has_no_number_says_so_whether_a_card_lies_there_or_not(
    service: Pcscd, laid: bool
) -> None:
    """The virtual reader has none; a number that a real reader gives was not tried."""
    card = Card(service.port, {GET: UID + b"\x90\x00"}) if laid else None
    link = open_link(FIRST, PcscPort())
    try:
        free = Host(link, board=ANY)
        free.until(lambda: any(isinstance(each, Sweep) for each in free.readings))
        assert free.readings[0] == DeviceStatus("identified", "Virtual PCD 00 00")
        strict = Host(link, board="RR5")
        strict.until(lambda: any(getattr(each, "state", "") == "failed" for each in strict.readings))
        assert not any(isinstance(each, Sweep) for each in strict.readings)
    finally:
        link.close()
        if card is not None:
            card.take_away()


def test_the_number_of_a_reader_that_is_gone_is_none(service: Pcscd) -> None:
    context = winscard.Context()
    assert context.number("a reader that is not there") == ""
    context.close()


def test_the_beginning_of_a_name_must_be_that_of_one_reader(service: Pcscd) -> None:
    with pytest.raises(LinkRefused, match=r"beginning of several readers' names.*Virtual PCD 00 01"):
        open_link("pcsc://", PcscPort())
    with pytest.raises(LinkError, match=r"begins with 'ACS'\. There are: Virtual PCD 00 00; Virtual"):
        open_link("pcsc://ACS", PcscPort())


def test_a_service_that_ends_is_a_link_that_is_gone(service: Pcscd) -> None:
    link = PcscLink(FIRST)
    host = Host(link)
    try:
        host.until(lambda: Sweep(0, ()) in host.readings)
        service.end()
        with pytest.raises(LinkError, match="Virtual PCD 00 00 is gone, or pcscd ended"):
            host.until(lambda: False)
    finally:
        link.close()


def test_a_card_that_never_answers_is_no_link_for_ever(service: Pcscd) -> None:
    link = PcscLink(FIRST)
    try:
        with pytest.raises(LinkError, match="does not answer: unplug it"):
            link.send((GET.hex() + "\n").encode() * (MOST_WAITING + 200))
    finally:
        link.close()


def test_without_the_service_it_is_said_what_to_start(path: Path) -> None:
    path.unlink(missing_ok=True)
    with pytest.raises(LinkError, match=r"pcscd does not run: start it|PC/SC is not installed"):
        open_link(FIRST, PcscPort())


def test_without_the_library_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winscard, "_LIBRARY", "libpcsclite-that-is-not-there.so")
    with pytest.raises(LinkRefused, match="packages pcscd and libpcsclite1"):
        open_link(FIRST, PcscPort())


def test_a_service_without_readers_says_so() -> None:
    with pytest.raises(LinkError, match="plug it in"):
        choose("", [])
