"""Chips from the bytes of their reader to the finding: driver process, broker, sensing, engine, journal. A table a reader."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from rig.feig import Feig
from rig.pty import Pty
from rig.uhf import M100, Mercury, Tags
from rig.wait import wait_for

from tablebridge.app.runner import Runner
from tablebridge.journal.read import entries, findings
from tablebridge.journal.store import Journal
from tablebridge.model.chip_events import Tray
from tablebridge.model.event import Event
from tablebridge.model.events import ChipsIn
from tablebridge.model.findings import Counted, Finding
from tablebridge.settings.decks import save_chips

from .test_bad_input import free_port

pytestmark = pytest.mark.timeout(120)

EPCS = [f"E28011600000020400000{number:03X}" for number in range(10)]
UIDS = [f"E0040100000000{number:02X}" for number in range(10)]
STRANGER = "E28011600000099900000001"
TABLE = """
[[table]]
name = "{table}"
seats = "1-3"
stacks = 10000
chips = [100]
[[table.device]]
name = "{driver}"
driver = "{driver}"
port = "{port}"
antennas = {antennas}
options = {options}
"""
DEVICES = {
    "m100": ("{}", "{ keep_ms = 500 }"),
    "mercury": ('{ 1 = "bet 3" }', '{ report = "antenna", keep_ms = 500 }'),
    "feig": ('{ 0 = "tray" }', "{}"),
}


class Hall:
    """Three tables, each with one reader, and all processes of the site."""

    def __init__(self, folder: Path) -> None:
        text = f'state_dir = "{folder}"\n[broker]\nport = {free_port()}\n[web]\nport = 0\n'
        for driver, (antennas, options) in DEVICES.items():
            text += TABLE.format(table=f"of-{driver}", driver=driver, port=folder / driver, antennas=antennas, options=options)
        (folder / "site.toml").write_text(text)
        save_chips(folder / "chips.toml", dict.fromkeys(EPCS + UIDS, 100))
        self.folder = folder
        self.m100, self.mercury, self.feig = M100(*EPCS[:8]), Mercury(), Feig(*UIDS[:8])
        models: dict[str, Callable[[bytes], bytes]] = {"m100": self.m100, "mercury": self.mercury, "feig": self.feig}
        self.cables = {driver: Pty(folder / driver, model) for driver, model in models.items()}
        self.runner = Runner(folder / "site.toml", folder / "log")
        self._spoke = 0.0

    def tell(self, driver: str, *lines: str) -> None:
        """Lines of the operator at the reader's table."""
        headers = {"Authorization": f"Bearer {self.runner.tokens['operator']}"}
        wait_for(lambda: httpx.post(f"{self.runner.web_url}/api/tables/of-{driver}/lines", headers=headers, timeout=30,
                                    json={"id": f"lines-of-{driver}", "lines": lines}).is_success, "the lines are taken", 60)

    def record(self, driver: str) -> tuple[list[Event], list[Finding]]:
        """What happened at the reader's table and what was found."""
        path = self.folder / "journal" / f"of-{driver}.sqlite"
        if not path.exists():
            return [], []
        with closing(Journal(path, f"of-{driver}", readonly=True)) as journal:
            return [entry.event for entry in entries(journal)], list(findings(journal))

    def until(self, driver: str, condition: Callable[[list[Event], list[Finding]], object], what: str) -> None:
        def stepped() -> object:
            # A Mercury that streams says its records by itself, about once in the time of a round.
            if time.monotonic() > self._spoke + 0.1:
                self._spoke = time.monotonic()
                self.cables["mercury"].say(self.mercury.speak())
            return condition(*self.record(driver))

        wait_for(stepped, what, 60)

    def until_tray(self, driver: str, count: int) -> None:
        self.until(driver, lambda events, _: [event for event in events if isinstance(event, Tray)][-1:]
                   == [Tray((100,) * count)], f"{count} chips in the tray")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    hall = Hall(tmp_path_factory.mktemp("hall"))
    with hall.runner:
        hall.runner.start()
        hall.runner.wait_ready(60)
        yield hall
    for cable in hall.cables.values():
        cable.unplug()
    said = "".join(path.read_text(errors="replace") for path in (hall.folder / "log").glob("*.log"))
    assert "Traceback" not in said
    assert not [tag for tag in (*EPCS, *UIDS, STRANGER) if tag in said], "a tag in a log"


def a_tray_that_loses_two_chips(hall: Hall, driver: str, reader: Tags | Feig, tags: list[str]) -> None:
    hall.until_tray(driver, 8)
    reader.put(*tags[:6])
    hall.until(driver, lambda _, found: "tray-mismatch" in {one.finding for one in found}, "the tray is short")
    _, found = hall.record(driver)
    assert [(one.finding, one.chips) for one in found if one.finding == "tray-mismatch"] == [
        ("tray-mismatch", (Counted(100, 8, 6),))]


def test_a_tray_on_an_m100(hall: Hall) -> None:
    a_tray_that_loses_two_chips(hall, "m100", hall.m100, EPCS[:8])
    hall.m100.put(*EPCS[:6], STRANGER)
    hall.until("m100", lambda _, found: ("foreign-chip", "unknown-tag") in {(one.finding, one.cause) for one in found},
               "a tag of nobody's in the tray")


def test_a_tray_on_a_feig(hall: Hall) -> None:
    """Its place makes the antenna a tray, whatever the driver."""
    a_tray_that_loses_two_chips(hall, "feig", hall.feig, UIDS[:8])


def test_a_bet_on_a_mercury(hall: Hall) -> None:
    hall.tell("mercury", "hand", "dealt")
    hall.until("mercury", lambda events, _: hall.mercury.streaming, "the reader streams")
    hall.mercury.put(*EPCS[:4])
    hall.until("mercury", lambda events, _: ChipsIn(3, (100,) * 4) in events, "the chips are in")
    hall.mercury.put(*EPCS[:4], STRANGER)
    hall.until("mercury", lambda _, found: ("foreign-chip", "unknown-tag") in {(one.finding, one.cause) for one in found},
               "a tag of nobody's among them")
    events, _ = hall.record("mercury")
    assert [event for event in events if isinstance(event, ChipsIn)] == [ChipsIn(3, (100,) * 4)], "told once"
