"""What no message, device or count may do to a table: it is entered as a fault, and the table goes on."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from rig.groups import message
from rig.poison import poisoned

from tablebridge.app.answers import EACH_MINUTE
from tablebridge.app.calibration import CalibrationKeeper
from tablebridge.app.core import TableCore
from tablebridge.app.faults import AGAIN_NS, Faults
from tablebridge.app.intake import BATCH, STORE_NS, WAITING, Intake
from tablebridge.app.opening import open_core
from tablebridge.app.served import Served
from tablebridge.app.wear import WearKeeper
from tablebridge.bus import topics
from tablebridge.bus.aside import KEPT, Aside
from tablebridge.bus.messages import MOST_ALERTS, ActiveAlerts, Command, encode
from tablebridge.host.clock import SystemClock
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.errors import JournalError
from tablebridge.model.fault import Fault
from tablebridge.model.instant import later
from tablebridge.model.readings import DeviceStatus, Stamped, Sweep
from tablebridge.settings.site import Site

from .conftest import START
from .test_core import command, core_of, told


def shown(core: TableCore) -> ActiveAlerts:
    message = dict(core.retained())[topics.ALERTS]
    assert isinstance(message, ActiveAlerts)
    encode(message)
    return message


@pytest.mark.parametrize("count", [120, 10_000])
def test_however_many_alerts_are_open_the_table_starts_and_shows_the_first(site: Site, count: int) -> None:
    """Written as one transaction: 10,000 synchronous commits would only test the disk."""
    with core_of(site) as core:
        with core._transaction(START):
            for number in range(count):
                core._tracker.enter(Fault("overload", f"d{number}"), "inferred", later(START, number))
        for topic, message in core.messages:
            encode(message)
            assert topic is not None
        assert len(core.alerts) == count
    with core_of(site) as core:
        message = shown(core)
        assert len(message.alerts) == min(count, MOST_ALERTS) and len(message.alerts) + message.more == count
        assert [alert.device for alert in message.alerts[:3]] == ["d0", "d1", "d2"], "the oldest first"


def test_a_device_that_comes_and_goes_has_one_alert_that_counts_until_somebody_has_seen_it(
    site: Site,
) -> None:
    with core_of(site) as core:
        for number in range(117):
            core.device("board", "lost", (), later(START, 2 * number))
            core.device("board", "live", (), later(START, 2 * number + 1))
        core.device("board", "lost", (), later(START, 500))
    with core_of(site) as core:
        (alert,) = shown(core).alerts
        assert (alert.times, alert.cleared, alert.finding) == (118, False, "device-offline")
        change = AlertChange(alert.id, "acknowledged", "Anna")
        assert core.command(
            Command("s", "Anna", "floor", later(START, 900).wall_ns, alert=change), START, retained=False
        ).ok
        core.device("board", "live", (), later(START, 501))
        assert shown(core).alerts[0].cleared
        core.device("board", "lost", (), later(START, 502))
        assert [(one.times, one.state) for one in shown(core).alerts] == [
            (118, "acknowledged"),
            (1, "raised"),
        ]
    losses = [finding for finding in told(site)[1] if finding[0] == "device-offline"]
    assert len(losses) == 119, "each is on record"


def test_refused_commands_are_on_record_a_few_each_minute_and_the_rest_as_a_number(site: Site) -> None:
    with core_of(site) as core:
        core.tick(START)
        for number in range(3_000):
            assert not core.command(command(number, "fodl 3"), START, retained=False).ok
        assert core.command(command(9_999, "stacks 5000"), START, retained=False).ok
        core.tick(later(START, 61))
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    commands = [
        msgspec.json.decode(record.body)["reply"] for record in journal.records() if record.kind == "command"
    ]
    journal.close()
    refused = [reply for reply in commands if not reply["ok"]]
    assert len(refused) == EACH_MINUTE + 1
    assert refused[-1]["sentence"] == f"{3_000 - EACH_MINUTE} more commands were refused within one minute."


@pytest.fixture
def served(site: Site, tmp_path: Path) -> Served:
    table, clock = site.tables[0], SystemClock()

    def begin() -> TableCore:
        return poisoned(open_core(site, table, clock))

    return Served(
        begin,
        {"board": {}, "other": {}},
        {"main": ("board",), "others": ("other",)},
        WearKeeper(site, table),
        CalibrationKeeper(site, table),
        Intake(1.0),
        Aside(tmp_path / "aside"),
        clock,
    )


def reading(seq: int, detail: str) -> bytes:
    return message(Stamped("board", "e", seq, START, DeviceStatus("degraded", detail)), group="main")


def test_a_reading_on_which_the_core_breaks_is_set_aside_and_the_others_are_taken(
    served: Served, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    acked: list[int] = []
    for seq, detail in enumerate(("fine", "poison", "finer", "finest"), 1):
        served.batch("main", "t", reading(seq, detail), lambda seq=seq: acked.append(seq))  # type: ignore[misc]
    served.take()
    assert acked == [1, 2, 3, 4], "all are acknowledged: none comes again"
    assert served.core._journal.positions() == {("board", "e"): 5}
    (kept,) = (tmp_path / "aside").iterdir()
    assert b"poison" in kept.read_bytes() and b"finer" not in kept.read_bytes()
    assert [fault.fault for fault in served.faults.due(START)] == ["unforeseen"]
    assert "Kh" not in caplog.text and "KeyError" in caplog.text
    served.core.close()


@pytest.mark.parametrize(("named", "devices"), [("others", ["board"]), ("main", ["board", "other"])])
def test_a_message_that_speaks_for_another_group_is_put_aside_whole(
    served: Served, tmp_path: Path, named: str, devices: list[str]
) -> None:
    acked: list[bool] = []
    forged = [Stamped(device, "e", 1, START, DeviceStatus("ok")) for device in devices]
    served.batch("main", "t", message(*forged, group=named), lambda: acked.append(True))
    served.take()
    assert acked == [True] and served.core._journal.positions() == {}
    (kept,) = (tmp_path / "aside").iterdir()
    assert b"of-another-group" in kept.read_bytes()
    served.core.close()


def test_of_a_damaged_message_the_other_readings_are_taken(served: Served) -> None:
    whole = message(
        *(Stamped("board", "e", seq, START, DeviceStatus("ok")) for seq in (1, 2, 3)), group="main"
    )
    acked: list[bool] = []
    served.batch("main", "t", whole.replace(b'"ok"', b'"ko"', 1), lambda: acked.append(True))
    assert not acked, "it is acknowledged after the commit"
    served.take()
    served.finish()
    assert acked == [True] and served.core._journal.positions() == {("board", "e"): 4}
    assert [fault.fault for fault in served.faults.due(START)] == ["undecodable"]
    served.core.close()


def test_the_journals_own_errors_are_not_survived(served: Served) -> None:
    def fails() -> None:
        raise JournalError("the disk is full")

    with pytest.raises(JournalError):
        served.survived(fails)
    served.core.close()


def test_what_is_set_aside_is_bounded_private_and_says_why(tmp_path: Path) -> None:
    aside, folder = Aside(tmp_path / "a"), tmp_path / "a"
    for number in range(3 * KEPT):
        aside.put(f"t{number}", b"x" * 200_000, "too-deep", later(START, 10 * number))
    kept = sorted(folder.iterdir())
    assert len(kept) == KEPT and sum(path.stat().st_size for path in kept) < KEPT * 132_000
    newest = max(kept, key=lambda path: path.stat().st_mtime_ns).read_bytes().partition(b"\n")[0]
    assert (
        msgspec.json.decode(newest)["topic"] == f"t{3 * KEPT - 1}"
        and msgspec.json.decode(newest)["reason"] == "too-deep"
    )
    assert {path.stat().st_mode & 0o777 for path in kept} == {
        0o600
    } and folder.stat().st_mode & 0o777 == 0o700
    before = {path.name: path.read_bytes() for path in kept}
    for _ in range(500):
        aside.put("flood", b"y", "no-json", later(START, 5_000))
    assert sum(path.read_bytes() != before[path.name] for path in kept) == 10, "a few each minute"
    assert aside.counts["flood", "no-json"] == 500


def test_counters_of_what_is_set_aside_are_bounded(tmp_path: Path) -> None:
    aside = Aside(tmp_path / "a")
    for number in range(5_000):
        aside.put(f"t{number}", b"", "no-json", START)
    assert len(aside.counts) <= 257 and sum(aside.counts.values()) == 5_000


def test_a_fault_is_entered_at_once_and_then_once_in_ten_minutes() -> None:
    faults = Faults()
    for second in range(1_200):
        faults.add("overload", "board")
        due = faults.due(later(START, second))
        assert due == (
            [Fault("overload", "board", 1)]
            if second == 0
            else [Fault("overload", "board", 600)]
            if second * 10**9 == AGAIN_NS
            else []
        )


class Sent:
    """Readings of one device, and which of them were acknowledged and taken, in order."""

    def __init__(self, intake: Intake) -> None:
        self.intake = intake
        self.seq = 0
        self.acked = 0
        self.taken: list[int] = []

    def _ack(self) -> None:
        self.acked += 1

    def send(self, now_ns: int) -> bool:
        if self.intake.full("board", now_ns):
            return False
        self.seq += 1
        if self.intake.put(Stamped("board", "e", self.seq, START, Sweep(1, ())), now_ns):
            self.intake.acknowledge(self._ack)
        else:
            self._ack()
        return True

    def take(self) -> int:
        arrived, acks = self.intake.take()
        self.taken += [one.seq for one in arrived]
        calls: list[Callable[[], None]] = list(acks)
        for call in calls:
            call()
        return len(arrived)


def test_a_device_beyond_its_share_waits_in_order_and_gets_its_share() -> None:
    """Each reading costs 10 ms of the engine; a hundred a second come, and the device has a tenth of the
    engine.
    """
    intake = Intake(0.1)
    sent, dropped = Sent(intake), 0
    for round_ in range(3_000):
        now_ns = round_ * 10_000_000
        dropped += not sent.send(now_ns)
        intake.let_in(now_ns)
        intake.spend("board", sent.take() * 10_000_000, now_ns)
    assert sent.taken == sorted(sent.taken), "in their order"
    assert len(sent.taken) == pytest.approx(30 * 10 + STORE_NS / 10_000_000, abs=2 * BATCH)
    assert dropped and sent.seq - len(sent.taken) <= WAITING
    assert sent.acked == sent.seq


def test_a_device_within_its_share_never_waits() -> None:
    intake = Intake(0.25)
    sent = Sent(intake)
    for round_ in range(3_000):
        assert sent.send(round_ * 10_000_000)
        assert sent.take() == 1 and not intake.waits
        intake.spend("board", 2_000_000, round_ * 10_000_000)
