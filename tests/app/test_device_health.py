"""What devices say of themselves, from the bytes of a reader to the floor's alerts and the light."""

from collections.abc import Iterable

from rig.documents import ROOT

from tablebridge.app.core import TableCore
from tablebridge.bus.messages import TableSignal
from tablebridge.host import registry
from tablebridge.journal.read import entries
from tablebridge.journal.store import Journal
from tablebridge.model.events import DeviceState
from tablebridge.model.instant import later
from tablebridge.model.readings import DeviceStatus, Reading, Stamped
from tablebridge.sdk.captures import hear, read_capture
from tablebridge.settings.site import Site

from .conftest import START
from .test_core import core_of, told

WELL, BAD, BROKEN = (
    DeviceStatus(state, detail, 2)
    for state, detail in (("ok", ""), ("degraded", "noise"), ("failed", "look at the cable"))
)


class Said:
    """Readings of the board, numbered as its outbox would."""

    def __init__(self) -> None:
        self._count = 0

    def to(self, core: TableCore, *readings: Reading) -> None:
        for reading in readings:
            self._count += 1
            at = later(START, self._count * 0.01)
            core.readings([Stamped("board", "e", self._count, at, reading)], at)


def found(site: Site) -> list[tuple[object, ...]]:
    return [(finding, cause) for finding, cause, *_ in told(site)[1]]


def health(site: Site) -> list[tuple[str, int | None]]:
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    events: Iterable[DeviceState] = [
        entry.event for entry in entries(journal) if isinstance(entry.event, DeviceState)
    ]
    journal.close()
    return [(event.health, event.antenna) for event in events if event.health]


def standing(core: TableCore) -> list[str]:
    return [alert.sentence for alert in core.alerts.active() if not alert.cleared]


def test_an_antenna_that_a_reader_finds_faulty_is_found_and_recovers(site: Site) -> None:
    """A FEIG reader's own bytes: status 84, then an inventory with tags."""
    capture = read_capture(
        (ROOT / "tests/captures/feig/03-antenna-fault-and-more-data/capture.jsonl").read_text()
    )
    with core_of(site) as core:
        Said().to(core, *hear(registry.load("feig"), capture).readings)
        assert core.table.open_findings == ()
    assert health(site) == [("degraded", 0), ("ok", 0)]
    assert found(site) == [("device-degraded", "degraded")]


def test_a_dead_antenna_is_an_alert_once_until_it_works_again(site: Site) -> None:
    said = Said()
    with core_of(site) as core:
        said.to(core, WELL, BAD, BAD, BROKEN, BROKEN)
        assert standing(core) == ["Antenna 2 of board (seat 2) does not work: look at the cable."]
        assert core.retained()[-1][1] == TableSignal("warning")
    with core_of(site) as core:
        said.to(core, BROKEN)
        assert len(standing(core)) == 1, "known after a restart, too"
        assert core.table.setup.lost, "its seat cannot be watched"
        said.to(core, WELL, WELL)
        assert standing(core) == [] and core.table.open_findings == () and not core.table.setup.lost
        assert core.retained()[-1][1] == TableSignal("clear")
        said.to(core, BROKEN)
        assert len(standing(core)) == 1, "and told anew when it fails anew"
    assert health(site) == [(state, 2) for state in ("degraded", "failed", "ok", "failed")]
    assert found(site) == [("device-degraded", cause) for cause in ("degraded", "failed", "failed")]


def test_antennas_and_the_whole_device_are_told_apart(site: Site) -> None:
    said = Said()
    with core_of(site) as core:
        said.to(core, BROKEN, DeviceStatus("failed", "no power", 3), DeviceStatus("failed", "flash"))
        said.to(core, WELL)
        assert standing(core) == [
            "Antenna 3 of board (seat 3) does not work: no power.",
            "The device board does not work: flash.",
        ]
        said.to(core, DeviceStatus("unknown", "1209:0001 Stick at 1-2"), DeviceStatus("ok", "", None))
        assert standing(core)[0] == "Antenna 3 of board (seat 3) does not work: no power."


def test_a_device_that_was_away_says_anew_how_it_does(site: Site) -> None:
    said = Said()
    with core_of(site) as core:
        said.to(core, BROKEN)
        core.device("board", "lost", (), START)
        core.device("board", "live", (), START)
        assert standing(core) == [], "nobody knows yet"
        said.to(core, BROKEN)
        assert len(standing(core)) == 1
