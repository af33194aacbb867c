"""The tray and the pot in the core: an alert for each count that does not fit, marked when it fits again."""

from tablebridge.engine.views import public_view, staff_view
from tablebridge.model.findings import Counted
from tablebridge.model.instant import later
from tablebridge.model.readings import Stamped, TrayReading
from tablebridge.model.views import TrayView
from tablebridge.settings.decks import chips_path, save_chips
from tablebridge.settings.site import Site

from .conftest import START
from .test_core import command, core_of


def test_a_tray_that_fits_again_marks_its_alert_and_a_restart_changes_nothing(site: Site) -> None:
    with core_of(site) as core:

        def enter(number: int, *lines: str) -> list[tuple[str, bool]]:
            assert core.command(command(number, *lines), START, retained=False).ok
            return [(alert.finding, alert.cleared) for alert in core.alerts.active()]

        assert enter(1, "tray 20x100") == []
        assert enter(2, "tray 17x100") == [("tray-mismatch", False)]
        assert core.table.open_findings[0].chips == (Counted(100, 20, 17),)
        assert staff_view(core.table, START).tray == TrayView({100: 17}, 1700, -300)
        assert public_view(core.table, START).tray is None
        assert enter(3, "tray 16x100") == [("tray-mismatch", True), ("tray-mismatch", False)]
    with core_of(site) as core:
        assert [alert.cleared for alert in core.alerts.active()] == [True, False]
        assert enter(4, "hand", "dealt", "credit 4x100") == [("tray-mismatch", True), ("tray-mismatch", True)]
        assert staff_view(core.table, START).tray == TrayView({100: 16}, 1600)


def test_a_pot_that_fits_again_marks_its_alert(site: Site) -> None:
    with core_of(site) as core:
        core.command(
            command(1, "hand", "dealt", "call 3", "call 1", "check 2", "pot 1000"), START, retained=False
        )
        assert [(alert.finding, alert.cleared) for alert in core.alerts.active()] == [("pot-mismatch", False)]
        core.command(command(2, "pot 300"), START, retained=False)
        assert [(alert.finding, alert.cleared) for alert in core.alerts.active()] == [("pot-mismatch", True)]


def test_a_tray_that_a_reader_tells_becomes_an_inventory_and_alerts(site: Site) -> None:
    tags = [f"E0040200000000{number:02X}" for number in range(9)]
    save_chips(chips_path(site), dict.fromkeys(tags[:8], 100))
    with core_of(site) as core:
        for number, content in enumerate((tags[:8], tags[:6], tags), 1):
            at = later(START, number * 60)
            core.readings([Stamped("rack", "e", number, at, TrayReading(tuple(content)))], at)
            core.tick(later(at, 10))
            if number == 2:
                assert [(alert.finding, alert.cleared) for alert in core.alerts.active()] == [
                    ("tray-mismatch", False)
                ]
                assert staff_view(core.table, START).tray == TrayView({100: 6}, 600, -200)
        found = {(alert.finding, alert.cause, alert.cleared) for alert in core.alerts.active()}
        assert found == {("tray-mismatch", None, True), ("foreign-chip", "unknown-tag", False)}
