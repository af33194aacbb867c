"""Chips from the bytes of their reader to the finding: driver process, broker, sensing, engine, journal. A
table a reader.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from rig.feig import Feig
from rig.ports import free_port
from rig.pty import Pty
from rig.uhf import M100, Mercury
from rig.wait import wait_for

from tablebridge.app.runner import Runner
from tablebridge.journal.read import entries, findings
from tablebridge.journal.store import Journal
from tablebridge.model.chip_events import Tray
from tablebridge.model.event import Event
from tablebridge.model.events import ChipsIn
from tablebridge.model.findings import Counted, Finding
from tablebridge.settings.decks import save_chips

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
    "mercury": ('{ 1 = "bet 3" }', '{ report = "antenna", keep_ms = 500, region = "EU3" }'),
    "feig": ('{ 0 = "tray" }', "{}"),
}


class Hall:
    """Three tables, each with one reader, and all processes of the site."""

    def __init__(self, folder: Path) -> None:
        text = f'state_dir = "{folder}"\n[broker]\nport = {free_port()}\n[web]\nport = 0\n'
        for driver, (antennas, options) in DEVICES.items():
            text += TABLE.format(
                table=f"of-{driver}", driver=driver, port=folder / driver, antennas=antennas, options=options
            )
        (folder / "site.toml").write_text(text)
        save_chips(folder / "chips" / "chips.toml", dict.fromkeys(EPCS + UIDS, 100))
        self.folder = folder
        self.m100, self.mercury, self.feig = M100(*EPCS[:8]), Mercury(), Feig(*UIDS[:8])
        models: dict[str, Callable[[bytes], bytes]] = {
            "m100": self.m100,
            "mercury": self.mercury,
            "feig": self.feig,
        }
        self.cables = {driver: Pty(folder / driver, model) for driver, model in models.items()}
        self.runner = Runner(folder / "site.toml", folder / "log")
        self._spoke = 0.0

    def tell(self, driver: str, *lines: str) -> None:
        """Lines of the operator at the reader's table."""
        headers = {"Authorization": f"Bearer {self.runner.tokens['operator']}"}
        wait_for(
            lambda: (
                httpx.post(
                    f"{self.runner.web_url}/api/tables/of-{driver}/lines",
                    headers=headers,
                    timeout=60,
                    json={"id": f"lines-of-{driver}", "lines": lines},
                ).is_success
            ),
            "the lines are taken",
            60,
        )

    def record(self, driver: str) -> tuple[list[Event], list[Finding]]:
        """What happened at the reader's table and what was found."""
        path = self.folder / "journal" / f"of-{driver}.sqlite"
        if not path.exists():
            return [], []
        with closing(Journal(path, f"of-{driver}", readonly=True)) as journal:
            return [entry.event for entry in entries(journal)], list(findings(journal))

    def until(
        self, driver: str, condition: Callable[[list[Event], list[Finding]], object], what: str
    ) -> None:
        def stepped() -> object:
            # A Mercury that streams says its records by itself, about once in the time of a round.
            if time.monotonic() > self._spoke + 0.1:
                self._spoke = time.monotonic()
                self.cables["mercury"].say(self.mercury.speak())
            return condition(*self.record(driver))

        wait_for(stepped, what, 60)

    def play(self) -> None:
        """What happens at the tables, at all of them at once: sensing takes its time."""
        self.tell("mercury", "hand", "dealt")
        self.until("mercury", lambda *_: self.mercury.streaming, "the reader streams")
        self.mercury.put(*EPCS[:4], STRANGER)
        for driver in ("m100", "feig"):
            self.until(driver, lambda events, _: Tray((100,) * 8) in events, "eight chips in the tray")
        self.m100.put(*EPCS[:6], STRANGER)
        self.feig.put(*UIDS[:6])


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    hall = Hall(tmp_path_factory.mktemp("hall"))
    with hall.runner:
        hall.runner.start()
        hall.runner.wait_ready(60)
        hall.play()
        yield hall
    for cable in hall.cables.values():
        cable.unplug()
    said = "".join(path.read_text(errors="replace") for path in (hall.folder / "log").glob("*.log"))
    assert "Traceback" not in said
    assert not [tag for tag in (*EPCS, *UIDS, STRANGER) if tag in said], "a tag in a log"


@pytest.mark.parametrize("driver", ["m100", "feig"])
def test_a_tray_that_loses_two_chips(hall: Hall, driver: str) -> None:
    """A UHF module tells of a tray by itself; an antenna of any other reader is one by its place."""
    hall.until(
        driver,
        lambda _, found: (
            [one.chips for one in found if one.finding == "tray-mismatch"][-1:] == [(Counted(100, 8, 6),)]
        ),
        "the tray is short",
    )


def test_chips_that_are_bet_are_told_once(hall: Hall) -> None:
    hall.until(
        "mercury",
        lambda events, _: (
            [event for event in events if isinstance(event, ChipsIn)] == [ChipsIn(3, (100,) * 4)]
        ),
        "four chips are in",
    )


@pytest.mark.parametrize("driver", ["m100", "mercury"])
def test_a_tag_of_nobody(hall: Hall, driver: str) -> None:
    hall.until(
        driver,
        lambda _, found: ("foreign-chip", "unknown-tag") in {(one.finding, one.cause) for one in found},
        "a tag that is no chip is told",
    )
