"""An alert that nobody answers rings again, and the journal says so."""

from tablebridge.app.core import TableCore
from tablebridge.bus import topics
from tablebridge.bus.messages import ActiveAlerts, Command, TableSignal
from tablebridge.journal.records import AlertRecord, RingRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import Alert, AlertChange, rings
from tablebridge.model.calls import OpenCalls
from tablebridge.model.events import DeviceState
from tablebridge.model.floor_marks import Shelve
from tablebridge.model.instant import Instant
from tablebridge.settings.site import Ringing, Site

from .conftest import START, later
from .test_core import core_of

TIMES = Ringing(not_taken_s=2, warning_all_s=1, warning_manager_s=3)


def do(core: TableCore, number: int, at: Instant, **what: object) -> None:
    role = "floor" if {"alert", "mark"} & set(what) else "operator"
    command = Command(f"id-{number:06d}", "Anna", role, later(START, 3600).wall_ns, **what)  # type: ignore[arg-type]
    assert core.command(command, at, retained=False).ok


def only(core: TableCore) -> Alert:
    (alert,) = core.alerts.active()
    return alert


def test_f4_an_alert_that_is_seen_and_not_taken_rings_again_and_the_journal_has_both(site: Site) -> None:
    site = site.model_copy(update={"ringing": TIMES})
    with core_of(site) as core:
        do(core, 1, START, lines=("hand", "dealt", "call 3", "call 1", "check 2", "burn", "flop Ah Kd 2c 9s"))
        seen = later(START, 0.5)
        do(core, 2, seen, alert=AlertChange(only(core).id, "acknowledged", "Anna"))
        core.messages.clear()
        core.tick(later(seen, 1.9))
        assert only(core).ring is None and not rings(only(core))
        core.tick(later(seen, 2.5))
        ring = only(core).ring
        assert ring is not None and (ring.to, ring.why) == ("all", "not-taken")
        kinds = {topic.name: message for topic, message in core.messages}
        assert isinstance(kinds["alerts"], ActiveAlerts) and kinds["alerts"].alerts == (only(core),)
        assert kinds[topics.SIGNAL.name] == TableSignal("warning", taken=False), "the light blinks again"
        before = only(core)
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    bodies = [body_of(record) for record in journal.records()]
    journal.close()
    seen_record, rang = [body for body in bodies if isinstance(body, (AlertRecord, RingRecord))]
    assert isinstance(seen_record, AlertRecord) and seen_record.change.by == "Anna"
    assert rang == RingRecord(before.id, ring)
    with core_of(site, later(seen, 2.6)) as core:
        assert only(core) == before, "the next process goes on where this one was"
        core.tick(later(seen, 2.7))
        assert only(core) == before


def test_what_waits_on_the_shelf_neither_rings_nor_is_anybody_notified_of_it(site: Site) -> None:
    site = site.model_copy(update={"ringing": TIMES})
    with core_of(site) as core:
        core.note(DeviceState("board", "lost", ()), START, "board")
        alert = only(core)
        shelf = Shelve(alert.id, 5, "it is on its way")
        do(core, 3, START, mark=shelf)
        core.messages.clear()
        core.tick(later(START, 100))
        assert only(core).ring is None
        calls = {topic.name: message for topic, message in core.retained()}["calls"]
        assert isinstance(calls, OpenCalls) and calls.calls == ()
        core.tick(later(START, 301))
        core.tick(later(START, 302))
        ring = only(core).ring
        assert ring is not None and ring.to == "manager", "it comes back, and has waited for long"


def test_a_table_without_alerts_writes_nothing(site: Site) -> None:
    with core_of(site) as core:
        rev = core.rev
        core.tick(later(START, 4000))
        assert core.rev == rev
