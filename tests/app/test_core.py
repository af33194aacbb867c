"""A table's core: the record is all it needs, at any moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import msgspec
import pytest

from tablebridge.app.core import TableCore
from tablebridge.app.opening import open_core
from tablebridge.bus import topics
from tablebridge.bus.messages import ActiveAlerts, Command, DeviceMeta, PresenceMessage, TableSignal
from tablebridge.engine.views import overlay_view, staff_view
from tablebridge.journal.read import entries, findings
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.events import Access, DeviceState
from tablebridge.model.instant import Instant, later
from tablebridge.model.readings import DeviceStatus, ShufflerReport, Stamped
from tablebridge.model.sentences import sentence_of
from tablebridge.model.views import TableView
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import night


class Fixed:
    """A clock that stands where it was put."""

    def __init__(self, at: Instant) -> None:
        self.at = at

    def now(self) -> Instant:
        return self.at


@contextmanager
def core_of(site: Site, at: Instant = START) -> Iterator[TableCore]:
    core = open_core(site, site.tables[0], Fixed(at))
    yield core
    core.close()


def told(site: Site) -> tuple[list[bytes], list[tuple[object, ...]]]:
    """What happened and what was found, without numbers, which waits of sensing shift."""
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    happened = [msgspec.json.encode(entry.event) for entry in entries(journal)]
    found = [
        (f.finding, f.cause, f.rule, f.hand, f.street, f.seat, f.cards, f.remedy) for f in findings(journal)
    ]
    journal.close()
    return happened, found


def command(number: int, *lines: str, role: str = "operator") -> Command:
    return Command(f"id-{number}", "Olga", role, later(START, 3600).wall_ns, lines)


def test_a_night_of_readings_becomes_hands_and_findings(site: Site) -> None:
    with core_of(site) as core:
        for one in stamp(night()):
            core.readings([one], one.at)
    happened, found = told(site)
    words = [msgspec.json.decode(event)["event"] for event in happened]
    assert words.count("hand") == 5
    assert words.count("deal") == 25
    assert words.count("street") == 4
    assert {one[:2] for one in found} >= {
        ("rabbit-hunt", None),
        ("card-out-of-place", None),
        ("misdeal", "first-card-wrong-seat"),
    }


@pytest.mark.parametrize("seed", range(8))
def test_reopening_at_any_moment_changes_nothing(site: Site, seed: int) -> None:
    rng, stamped = Random(seed), stamp(night())
    cuts = sorted(rng.sample(range(len(stamped)), 6))
    begun = 0
    for cut in [*cuts, len(stamped)]:
        with core_of(site, stamped[begun].at if begun < len(stamped) else START) as core:
            # What was not committed comes again, and some of what was.
            for one in stamped[max(0, begun - rng.randrange(30)) : cut]:
                core.readings([one], one.at)
            shown = staff_view(core.table, START)
        begun = cut
        with core_of(site, START) as again:
            assert staff_view(again.table, START) == shown
    reopened = told(site)
    (site.state_dir / "journal" / "one.sqlite").unlink()
    with core_of(site) as core:
        for one in stamped:
            core.readings([one], one.at)
    assert told(site) == reopened


def test_a_command_is_done_once_and_answered_the_same_after_a_restart(site: Site) -> None:
    with core_of(site) as core:
        first = core.command(command(1, "hand", "dealt", "call 3"), START, retained=False)
        assert first.ok
        assert core.command(command(1, "hand", "dealt", "call 3"), START, retained=False) == first
    with core_of(site) as core:
        assert core.command(command(1, "hand"), START, retained=False) == first
        assert core.table.hand_number == 1
        assert core.table.to_act == 1


@pytest.mark.parametrize(
    ("lines", "role", "why"),
    [
        (("fold 3",), "operator", "No hand is under way"),
        (("hand", "seats 1-3"), "operator", "A hand is under way"),
        (("fodl 3",), "operator", "fold"),
        (("hand", "deal 3 Zz"), "operator", "Zz"),
        ((), "operator", "1 to 60"),
        (("hand",), "floor", "Only the operator"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_changes_nothing(
    site: Site, lines: tuple[str, ...], role: str, why: str
) -> None:
    with core_of(site) as core:
        before = staff_view(core.table, START)
        reply = core.command(command(1, *lines, role=role), START, retained=False)
        assert not reply.ok
        assert why in reply.sentence
        assert staff_view(core.table, START) == before


@pytest.mark.parametrize(
    "line",
    [
        "infraction 3 delay",
        "warning 3 delay",
        "penalty 3 2 rounds delay",
        "disqualified 3 collusion",
        "dispute 3 payment",
        "ruling raise 3 600",
    ],
)
def test_the_floor_writes_what_it_rules_of_players_and_a_dealer_does_not(site: Site, line: str) -> None:
    with core_of(site) as core:
        assert core.command(command(1, "hand", "dealt"), START, retained=False).ok
        assert not core.command(command(2, line, role="dealer"), START, retained=False).ok
        reply = core.command(command(3, line, role="floor"), START, retained=False)
        assert reply.ok, reply.sentence


def test_the_floor_ends_a_penalty(site: Site) -> None:
    with core_of(site) as core:
        for number, line in enumerate(("penalty 3 2 rounds", "penalty-over 3")):
            reply = core.command(command(number, line, role="floor"), START, retained=False)
            assert reply.ok and not reply.sentence, reply.sentence


@pytest.mark.parametrize("role", ["operator", "dealer"])
def test_that_a_player_is_away_is_a_fact_that_is_taken_in_a_hand_too(site: Site, role: str) -> None:
    with core_of(site) as core:
        assert core.command(command(1, "hand", "dealt"), START, retained=False).ok
        reply = core.command(command(2, "absent 3", role=role), START, retained=False)
        assert reply.ok and not reply.sentence, reply.sentence


def test_who_was_given_hole_cards_is_recorded(site: Site) -> None:
    with core_of(site) as core:
        given = Command("g", "Studio", "broadcast", later(START, 60).wall_ns, access="stream")
        assert core.command(given, START, retained=False).ok
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    (entry,) = [entry for entry in entries(journal) if isinstance(entry.event, Access)]
    found = [finding.finding for finding in findings(journal)]
    journal.close()
    assert entry.by == "Studio (broadcast)" and found == ["hole-card-access"]


def test_what_was_answered_not_done_is_never_done_under_that_id(site: Site) -> None:
    """Late, retained, refused: the person has read that it was not done, so a copy that comes in time is not
    done either.
    """
    refused = [
        (command(1, "hand"), {"retained": True}, START, "retained"),
        (command(2, "hand"), {"retained": False}, later(START, 7200), "too late"),
        (command(3, "hand", role="floor"), {"retained": False}, START, "Only the operator"),
    ]
    with core_of(site) as core:
        answers = []
        for one, how, now, why in refused:
            answers.append(core.command(one, now, **how))
            assert not answers[-1].ok and why in answers[-1].sentence
            assert answers[-1].late == (why == "too late")
        for (one, _, _, _), answer in zip(refused, answers, strict=True):
            in_time = msgspec.structs.replace(
                one, role="operator", deadline_wall_ns=later(START, 9000).wall_ns
            )
            assert core.command(in_time, START, retained=False) == answer
    with core_of(site) as core:
        for (one, _, _, _), answer in zip(refused, answers, strict=True):
            in_time = msgspec.structs.replace(
                one, role="operator", deadline_wall_ns=later(START, 9000).wall_ns
            )
            assert core.command(in_time, START, retained=False) == answer
        assert core.table.hand_number == 0
        assert core.command(command(4, "hand"), START, retained=False).ok


def test_what_was_done_is_answered_so_to_a_late_and_to_a_retained_copy(site: Site) -> None:
    with core_of(site) as core:
        done = core.command(command(1, "hand"), START, retained=False)
        assert done.ok
        assert core.command(command(1, "hand"), later(START, 7200), retained=False) == done
        assert core.command(command(1, "hand"), START, retained=True) == done
        assert core.table.hand_number == 1


def test_an_answer_stays_however_many_come_after_it(site: Site) -> None:
    with core_of(site) as core:
        first = core.command(command(0, "fodl 3"), START, retained=False)
        for number in range(1, 2_200):
            core.command(command(number, "fodl 3"), START, retained=False)
        assert core.command(command(0, "hand"), START, retained=False) == first
        assert core.table.hand_number == 0


def test_only_the_floor_changes_an_alert_whatever_the_pages_say(site: Site) -> None:
    """Whoever has the account of the pages on the bus may write any role but must write one that may."""
    with core_of(site) as core:
        core.device("board", "lost", (), START)
        (alert,) = core.alerts.active()
        for number, role in enumerate(("operator", "technician", "broadcast", "", "Floor")):
            change = Command(
                f"a{number}",
                "Anna",
                role,
                later(START, 60).wall_ns,
                alert=AlertChange(alert.id, "taken", "Anna"),
            )
            reply = core.command(change, START, retained=False)
            assert not reply.ok and "Only the floor changes alerts" in reply.sentence
        assert core.alerts.active() == (alert,)


def test_an_outbox_that_went_back_is_a_finding_and_none_of_its_readings_is_dropped(site: Site) -> None:
    stamped = stamp(night())
    with core_of(site) as core:
        core.readings(stamped[:300], stamped[299].at)
        at = stamped[300].at
        core.birth(DeviceMeta("board", "line", "copy", 101, 101, "1"), at)
        after = [
            Stamped("board", "copy", 101 + n, one.at, one.reading) for n, one in enumerate(stamped[300:])
        ]
        core.readings(after, after[-1].at)
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    (found,) = [one for one in findings(journal) if one.finding == "device-degraded"]
    assert "numbered from 101 again and 301 was next" in sentence_of(found)
    assert journal.positions() == {("board", "e"): 301, ("board", "copy"): 101 + len(after)}
    journal.close()


def test_an_alert_lives_through_a_restart(site: Site) -> None:
    with core_of(site) as core:
        core.device("board", "lost", (), START)
        (alert,) = core.alerts.active()
        assert alert.finding == "device-offline"
        change = Command(
            "a",
            "Anna",
            "floor",
            later(START, 60).wall_ns,
            alert=AlertChange(alert.id, "taken", "somebody else"),
        )
        assert core.command(change, START, retained=False).ok
    with core_of(site) as core:
        (again,) = core.alerts.active()
        assert (again.state, again.life[-1].by) == ("taken", "Anna"), (
            "the name is the token's, not the message's"
        )
        core.device("board", "live", (), START)
        assert core.alerts.active()[0].cleared
        retained = {topic.name: message for topic, message in core.retained()}
        assert isinstance(retained[topics.ALERTS.name], ActiveAlerts)


def test_a_device_that_is_back_in_the_same_hand_clears_its_alert(site: Site) -> None:
    with core_of(site) as core:
        assert core.command(command(1, "hand"), START, retained=False).ok
        for state in ("stale", "lost", "live"):
            core.device("board", state, (), START)
        assert core.table.hand_number == 1
        assert {(alert.finding, alert.cleared) for alert in core.alerts.active()} == {
            ("device-offline", True)
        }


def test_an_alert_can_leave_once_it_is_on_disk_and_before_any_picture(site: Site) -> None:
    jam = Stamped("board", "e", 1, START, ShufflerReport("jam"))
    left: list[tuple[list[str], list[str]]] = []
    with core_of(site) as core:
        core.messages.clear()
        core.committed = lambda: left.append(
            ([topic.name for topic, _ in core.messages], [name for name, *_ in told(site)[1]])
        )
        core.readings([jam], START)
        assert left == [(["alert", "finding", "alerts", "calls", "signal"], ["shuffler-fault"])]
        assert [topic.name for topic, _ in core.messages][5:] == ["state", "public-state"]


def test_a_correction_marks_the_alert_it_takes_the_reason_from(site: Site) -> None:
    with core_of(site) as core:
        dealt = core.command(command(1, "hand", "deal 3 ??"), START, retained=False)
        assert [(alert.finding, alert.cleared) for alert in core.alerts.active()] == [("misdeal", False)]
        undo = Command("u", "Olga", "operator", later(START, 60).wall_ns, undo=dealt.entries[-1])
        assert core.command(undo, START, retained=False).ok
        assert [(alert.finding, alert.cleared) for alert in core.alerts.active()] == [("misdeal", True)]
    with core_of(site) as core:
        assert [(alert.finding, alert.cleared) for alert in core.alerts.active()] == [("misdeal", True)]


def test_a_gap_that_can_never_be_filled_is_entered(site: Site) -> None:
    stamped = stamp(night())[:60]
    with core_of(site) as core:
        for one in stamped[:20] + stamped[40:]:
            core.readings([one], one.at)
        assert [(ask.request.first, ask.request.last) for ask in core.asks] == [(21, 40)]
        at = stamped[-1].at
        core.birth(DeviceMeta("board", "line", "e", 41, 61, "1"), at)
        for second in range(1, 10):
            core.tick(later(at, second))
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    gaps = [entry.event.gap for entry in entries(journal) if isinstance(entry.event, DeviceState)]
    journal.close()
    assert gaps == [20]


def test_hole_cards_leave_only_in_the_overlay_and_only_after_the_delay(site: Site) -> None:
    with core_of(site) as core:
        sent: list[tuple[str, Instant, bytes]] = []
        last: Stamped | None = None
        for one in stamp(night())[:600]:
            core.readings([one], one.at)
            core.tick(one.at)
            while core.messages:
                topic, message = core.messages.popleft()
                sent.append((topic.name, one.at, msgspec.json.encode(message)))
            last = one
        assert last is not None
        dealt = {
            card: entry.at
            for entry in entries(Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True))
            if (card := getattr(entry.event, "card", None)) is not None
        }
        hole = {card: at for card, at in dealt.items() if not core.table.is_public(card)}
        assert hole
        for name, at, payload in sent:
            for card, since in hole.items():
                if f'"{card}"'.encode() in payload:
                    assert name == topics.OVERLAY.name, f"a hidden face on {name}"
                    assert at.monotonic_ns - since.monotonic_ns >= 0.5e9
        assert any(name == topics.OVERLAY.name for name, _, _ in sent)
        assert overlay_view(core.table, START).seats


def test_a_device_that_nobody_named_is_an_alert(site: Site) -> None:
    told = Stamped("board", "e", 1, START, DeviceStatus("unknown", "1209:0001 Stick at 1-4.1"))
    with core_of(site) as core:
        core.readings([told], START)
        (alert,) = core.alerts.active()
        assert (alert.finding, alert.severity, alert.device) == ("device-unknown", "warning", "board")
        assert "1209:0001 Stick at 1-4.1" in alert.sentence
        assert core.retained()[-1][1] == TableSignal("warning")


def test_people_are_told_what_lies_before_the_seats_and_a_kill_takes_nothing_of_it(site: Site) -> None:
    stamped = stamp(night())
    with core_of(site) as core:
        signs: list[PresenceMessage] = []
        pictures: list[TableView] = []
        used = 0
        while len(signs) < 5:
            core.readings([stamped[used]], stamped[used].at)
            used += 1
            while core.messages:
                topic, message = core.messages.popleft()
                if topic is topics.PRESENCE:
                    signs.append(message)
                elif topic is topics.PUBLIC_STATE:
                    pictures.append(message)
        assert {one.sign.sign for one in signs} == {"arrived"}
        shown = {seat.seat: seat.read.lying for seat in pictures[-1].seats}
        assert sum(shown.values()) == 5
    with core_of(site) as core:
        again = next(view for topic, view in core.retained() if topic is topics.PUBLIC_STATE)
        assert {seat.seat: seat.read.lying for seat in again.seats} == shown
        assert not [topic for topic, _ in core.messages if topic is topics.PRESENCE]


def test_an_exception_in_a_transaction_leaves_nothing_behind_and_a_core_that_refuses_to_go_on(
    site: Site,
) -> None:
    with core_of(site) as core:
        before, shown = core.rev, list(core.messages)

        def broken_again() -> Iterator[DeviceState]:
            yield DeviceState("board", "lost")
            raise KeyError("Kh")

        with pytest.raises(KeyError):
            core.setup("another section", broken_again(), START)
        assert core.rev == before and list(core.messages) == shown
        with pytest.raises(RuntimeError, match="must be opened again"):
            core.readings(stamp(night())[:1], START)
    with core_of(site) as core:
        assert core.rev == before and core.table.setup.lost == {}
        core.readings(stamp(night())[:1], START)


def test_each_reading_is_charged_to_its_device_when_it_is_applied(site: Site) -> None:
    charged: list[str] = []
    with core_of(site) as core:
        core.applied = charged.append
        core.readings(stamp(night())[:3], START)
        assert charged == ["board"] * 3
