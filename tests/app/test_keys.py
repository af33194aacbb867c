"""The dealer's keys and the shuffler's lid, from the contact to the record, the alert and the light."""

from pathlib import Path
from typing import Literal

import msgspec
import pytest

from tablebridge.app.core import TableCore
from tablebridge.bus import topics
from tablebridge.bus.messages import ActiveAlerts, Command, TableSignal
from tablebridge.engine.views import public_view, staff_view
from tablebridge.model.alerts import AlertChange
from tablebridge.model.instant import later
from tablebridge.model.readings import ButtonPress, Reading, ShufflerReport, Stamped
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site

from .conftest import START
from .recording import site_text
from .test_core import command, core_of, told

FLOOR, EXPOSED, LID = 3, 4, 5


@pytest.fixture
def keys(site: Site, tmp_path: Path) -> Site:
    path = tmp_path / "keys.toml"
    path.write_text(
        site_text(tmp_path, 18830).replace(
            '"key end"',
            f'"key end", {FLOOR} = "key floor", {EXPOSED} = "key exposed", {LID} = "shuffler-lid"',
        )
    )
    return load_site(path)


class Board:
    """The device with the keys: what it says, in order."""

    def __init__(self, core: TableCore) -> None:
        self._core = core
        self._said = 0

    def says(self, *readings: Reading) -> None:
        for reading in readings:
            self._said += 1
            at = later(START, self._said)
            self._core.readings([Stamped("board", "e", self._said, at, reading)], at)

    def press(self, key: int) -> None:
        self.says(ButtonPress(key), ButtonPress(key, pressed=False))


def change(core: TableCore, to: Literal["taken", "closed"]) -> None:
    """Anna does something to the alert."""
    alert = AlertChange(core.alerts.active()[0].id, to, "Anna", "Seen to.")
    assert core.command(
        Command(to, "Anna", "floor", later(START, 3600).wall_ns, alert=alert), START, retained=False
    ).ok


def test_the_floor_key_calls_the_floor_by_record_alert_and_light_until_somebody_has_come(keys: Site) -> None:
    def shown() -> tuple[list[tuple[str, str]], TableSignal]:
        sent = {topic.name: message for topic, message in core.retained()}
        active, signal = sent[topics.ALERTS.name], sent[topics.SIGNAL.name]
        assert isinstance(active, ActiveAlerts)
        assert isinstance(signal, TableSignal)
        return [(alert.finding, alert.state) for alert in active.alerts], signal

    with core_of(keys) as core:
        board = Board(core)
        board.press(FLOOR)
        assert shown() == ([("floor-called", "raised")], TableSignal("called", False))
        board.press(FLOOR)
        assert shown()[0] == [("floor-called", "raised")]
        change(core, "taken")
        assert shown() == ([("floor-called", "taken")], TableSignal("called", True))
        change(core, "closed")
        assert shown() == ([], TableSignal("clear"))
        board.press(FLOOR)
        assert shown()[0] == [("floor-called", "raised")]
    with core_of(keys) as again:
        assert [alert.finding for alert in again.alerts.active()] == ["floor-called"]
    happened, found = told(keys)
    assert [msgspec.json.decode(event)["event"] for event in happened].count("call-floor") == 3
    assert [one[0] for one in found] == ["floor-called"] * 3
    assert found[0][-1] == ("go-to-table",)


def test_the_exposed_key_has_the_last_card_ruled_on_and_shows_its_face_to_nobody(keys: Site) -> None:
    with core_of(keys) as core:
        assert core.command(
            command(1, "hand", "deal 1 2c", "deal 2 2d", "deal 3 As"), START, retained=False
        ).ok
        core.messages.clear()
        Board(core).press(EXPOSED)
        findings = [message.finding for topic, message in core.messages if topic is topics.FINDING]
        assert [(one.finding, one.cause, one.seat, one.cards) for one in findings] == [
            ("exposed-card", "dealer", 3, ())
        ]
        for view in (staff_view(core.table, START), public_view(core.table, START)):
            assert [seat.faces for seat in view.seats] == [(), (), ()]
        assert "As" not in str([message for topic, message in core.messages if topic is not topics.OVERLAY])


def test_the_lid_is_in_the_record_and_an_alert_when_the_deck_lay_ready(keys: Site) -> None:
    with core_of(keys) as core:
        board = Board(core)
        board.press(LID)
        assert core.alerts.active() == ()
        board.says(ShufflerReport("ready"))
        board.press(LID)
        assert [alert.finding for alert in core.alerts.active()] == ["shuffler-opened"]
    happened, _ = told(keys)
    lids = [event for event in map(msgspec.json.decode, happened) if event["event"] == "shuffler-lid"]
    assert [event["opened"] for event in lids] == [True, False, True, False]
