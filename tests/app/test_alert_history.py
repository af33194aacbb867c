"""What happened to alerts, page by page from the record."""

from tablebridge.app.alert_history import alert_events
from tablebridge.app.core import TableCore
from tablebridge.bus.messages import Command, HistoryRequest
from tablebridge.model.alert_events import AlertEvent
from tablebridge.model.alerts import AlertChange
from tablebridge.model.floor_marks import Shelve
from tablebridge.settings.site import Ringing, Site

from .conftest import START, later
from .test_core import core_of

HAND = ("hand", "dealt", "call 3", "call 1", "check 2", "burn", "flop Ah Kd 2c 9s")


def do(core: TableCore, number: int, **what: object) -> None:
    role = "floor" if {"alert", "mark"} & set(what) else "operator"
    at = later(START, number)
    command = Command(f"id-{number:06d}", "Anna", role, later(START, 3600).wall_ns, **what)  # type: ignore[arg-type]
    reply = core.command(command, at, retained=False)
    assert reply.ok, reply


def test_the_record_says_what_happened_to_alerts_the_latest_first(site: Site) -> None:
    site = site.model_copy(update={"ringing": Ringing(warning_all_s=2, warning_manager_s=9)})
    with core_of(site) as core:
        do(core, 1, lines=HAND)
        id = core.alerts.active()[0].id
        core.tick(later(START, 4))
        do(core, 5, alert=AlertChange(id, "taken", "Anna"))
        note = "Nothing found: it was a shadow"
        do(core, 6, alert=AlertChange(id, "ruled", "Anna", note, line="ruling play-on"))
        page = core.history.page(HistoryRequest("r-1", "alert-events"))
        assert page.before == 0 and page.rev == core.rev
        assert [event.what for event in page.events] == ["ruled", "taken", "rang", "raised"]
        ruled, taken, _, raised = page.events
        at = later(START, 1).wall_ns
        assert raised == AlertEvent(id, "raised", at, "flop-count", "warning")
        assert (taken.by, taken.nothing, taken.at_wall_ns) == ("Anna", False, later(START, 5).wall_ns)
        assert ruled.by == "Anna"


def test_a_page_reads_a_bounded_part_and_the_pages_are_the_whole(site: Site) -> None:
    with core_of(site) as core:
        for number in range(3):
            do(core, 10 * number + 1, lines=HAND if not number else ("hand", *HAND[1:]))
            for alert in core.alerts.active():
                if alert.state == "raised":
                    do(core, 10 * number + 2, alert=AlertChange(alert.id, "taken", "Anna"))
                    line = "ruling misdeal"
                    do(core, 10 * number + 3, alert=AlertChange(alert.id, "ruled", "Anna", line=line))
        whole = core.history.page(HistoryRequest("r-1", "alert-events")).events
        parts: list[AlertEvent] = []
        before, pages = 0, 0
        backwards = core._journal.backwards
        while True:
            events, _, before = alert_events(backwards(before), 5)
            parts += events
            pages += 1
            if not before:
                break
        assert tuple(parts) == whole and pages > 5


def test_what_was_put_on_the_shelf_stands_there_with_who_did_it(site: Site) -> None:
    with core_of(site) as core:
        do(core, 1, lines=("call-floor other",))
        (alert,) = core.alerts.active()
        do(core, 5, mark=Shelve(alert.id, 10, "the deck is being counted"))
        shelved, _ = core.history.page(HistoryRequest("r-1", "alert-events")).events
        assert shelved == AlertEvent(alert.id, "shelved", later(START, 5).wall_ns, by="Anna")
