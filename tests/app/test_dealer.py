"""What the dealer may do at a table: report facts, take them back in time, call the floor and settle the
call.
"""

import itertools
from collections.abc import Sequence

import msgspec
import pytest

from tablebridge.app.commands import events_of
from tablebridge.app.core import TableCore
from tablebridge.app.dealer_facts import TAKE_BACK_S
from tablebridge.bus.messages import Command, Reply
from tablebridge.engine.script.dealer import dealer_may_write
from tablebridge.engine.script.statements import STATEMENTS, parse_line
from tablebridge.engine.views import staff_view
from tablebridge.journal.read import entries
from tablebridge.journal.records import AlertRecord, body_of
from tablebridge.journal.store import Journal, Record
from tablebridge.model.alerts import AlertChange
from tablebridge.model.cards import Card
from tablebridge.model.errors import Refused
from tablebridge.model.events import Doubt, Entry, Undo
from tablebridge.model.instant import later
from tablebridge.model.places import seat_place
from tablebridge.model.views import TableView
from tablebridge.settings.site import Site

from .conftest import START
from .test_core import command, core_of

FACTS = (
    "boxed ??",
    "exposed",
    "expose 2 ??",
    "expose 2 ?? dropped",
    "seen ?? floor",
    "holds 2 3",
    "deck-check begin",
    "deck-check end",
    "cut",
    "absent 2",
    "arrives 2",
    "dealer-change",
)
OTHERS = ("call-floor", "call-floor cards", "floor-settled", "step 1.0 1")
"""What a dealer may write beside facts."""
FORBIDDEN = (
    "rules tda-2022",
    "game nlhe 50/100",
    "ante 5",
    "bb-ante 100",
    "bring-in 5",
    "seats 1-3",
    "button 2",
    "stacks 100",
    "chips 100",
    "ask-pot 2",
    "chips-of 2 4x25",
    "race 25 100",
    "race-card 2 Kh",
    "race-over",
    "exchange 2 25",
    "lammer 2 100",
    "collect 2 100",
    "no-look 2 200",
    "straddle 2 200",
    "kill 2",
    "bomb 50",
    "called-on 2",
    "behind 2 100",
    "token 2 time",
    "dispute 2 reading",
    "penalty 2",
    "penalty 2 3 hands",
    "penalty-over 2",
    "warning 2 delay",
    "infraction 2 talking",
    "disqualified 2",
    "leaves 2",
    "enters 2 1000",
    "sits-out 2",
    "returns 2 post",
    "missed 2 both",
    "changes-seat 2 3",
    "adds 2 100",
    "removes 2 100",
    "rebuy 2 100 declared",
    "button-card 2 Ah",
    "deck 52",
    "house raise-cap 3",
    "paytable pair-plus flush=4",
    "hand",
    "shuffled",
    "riffle",
    "strip",
    "wash",
    "square",
    "cut exposed Ah",
    "cut exposed ??",
    "shuffler ok",
    "shuffler-lid open",
    "unshuffled",
    "uncut",
    "deck-check Ah Kh",
    "deck-check ??",
    "deck-check deck red begin",
    "deck-in-play red",
    "level 100/200",
    "post 2 100",
    "in-doubt",
    "in-doubt 2 read 1",
    "in-doubt 2 over",
    "deal 2 ??",
    "deal 2 Ah",
    "dealt",
    "boxed Ah",
    "burn",
    "burn Ah",
    "flop Ah Kh Qh",
    "turn Ah",
    "river Ah",
    "run-times 3",
    "run-twice",
    "board-exposed ??",
    "draw 2 1",
    "expose 2 Ah",
    "expose 2 joker",
    "pick-up 2",
    "table 2 Ah Kh",
    "muck 2",
    "ask 2 3",
    "mixed 2",
    "seen Ah floor",
    "seen ?? muck",
    "seen ?? seat 2",
    "marked ??",
    "back ??",
    "stub 20",
    "check 2",
    "fold 2",
    "call 2",
    "bet 2 200",
    "raise 2 200",
    "allin 2",
    'say 2 "call"',
    "pot-count 100",
    "chips-in 2 100",
    "chips-back 2 all",
    "allin-button 2",
    "clock 2",
    "clock-expired 2",
    "draw-clock 2",
    "tick",
    "level-clock 600",
    "break 600",
    "hand-for-hand on",
    "tray 100",
    "fill 100",
    "credit 100",
    "pay 2 100",
    "take 2 100",
    "rake 5",
    "pot 100",
    "stack-chips 2 100",
    "foreign-chip tray",
    "box 2 ante 100",
    "play 2 100",
    "set 2 Ah Kh",
    "ruling play-on",
    "ruling misdeal",
    "ruling dead 2",
    "end",
)
HAND = ("hand", "deal 1 2c", "deal 2 2d", "deal 3 2h")
_NUMBERS = itertools.count(100)


class Dealer:
    """A dealer at a table whose clock the test turns."""

    def __init__(self, core: TableCore) -> None:
        self.core = core
        self.now = START

    def ask(
        self, role: str = "dealer", name: str = "Dora", lines: Sequence[str] = (), **what: object
    ) -> Reply:
        wanted = Command(
            f"id-{next(_NUMBERS)}",
            name,
            role,
            later(self.now, 60).wall_ns,
            tuple(lines),
            **what,  # type: ignore[arg-type]
        )
        return self.core.command(wanted, self.now, retained=False)

    def writes(self, *lines: str) -> Reply:
        return self.ask(lines=lines)

    def waits(self, seconds: float) -> None:
        self.now = later(self.now, seconds)
        self.core.tick(self.now)

    def view(self) -> TableView:
        sent = {topic.name: message for topic, message in self.core.retained()}
        return next(message for message in sent.values() if isinstance(message, TableView) and message.lines)

    def alerts(self) -> list[tuple[str, str]]:
        return [(alert.finding, alert.state) for alert in self.core.alerts.active()]

    def floor(self, to: str, alert: str, note: str = "", line: str = "") -> Reply:
        return self.ask("floor", "Anna", alert=AlertChange(alert, to, "Anna", note, line))  # type: ignore[arg-type]


def record_of(site: Site) -> tuple[list[Entry], list[AlertRecord]]:
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    bodies = [body_of(row) for row in journal.rows(1) if isinstance(row, Record)]
    found = list(entries(journal)), [body for body in bodies if isinstance(body, AlertRecord)]
    journal.close()
    return found


def test_every_line_of_the_language_is_allowed_or_forbidden_here() -> None:
    named = {line.split()[0] for line in (*FACTS, *OTHERS, *FORBIDDEN)}
    assert named == set(STATEMENTS)
    assert not any(dealer_may_write(parse_line(line)) for line in FORBIDDEN)


@pytest.mark.parametrize("line", FORBIDDEN)
def test_no_other_line_is_a_dealers(site: Site, line: str) -> None:
    with core_of(site) as core:
        assert core.command(command(1, *HAND), START, retained=False).ok
        before = staff_view(core.table, START)
        reply = core.command(command(2, line, role="dealer"), START, retained=False)
        assert not reply.ok and staff_view(core.table, START) == before
        if not line.startswith("ruling"):
            # Whatever the table is doing: alone, and behind a line that is allowed.
            with pytest.raises(Refused):
                events_of(command(3, "call-floor", line, role="dealer"), core.table)


@pytest.mark.parametrize("line", FACTS)
def test_facts_are_a_dealers_with_a_basis_of_their_own(site: Site, line: str) -> None:
    with core_of(site) as core:
        assert core.command(command(1, *HAND), START, retained=False).ok
        reply = core.command(command(2, line, role="dealer"), START, retained=False)
        assert reply.ok, reply.sentence
        assert [fact.line for fact in Dealer(core).view().facts] == [line]
    happened, _ = record_of(site)
    assert (happened[-1].basis, happened[-1].by) == ("dealer", "Olga (dealer)")


@pytest.mark.parametrize("role", ["floor", "technician", "broadcast", "metrics", ""])
@pytest.mark.parametrize("line", [*FACTS, *OTHERS])
def test_the_lines_of_a_dealer_are_no_other_roles(site: Site, role: str, line: str) -> None:
    with core_of(site) as core:
        assert core.command(command(1, *HAND), START, retained=False).ok
        reply = core.command(command(2, line, role=role), START, retained=False)
        assert reply.ok == (role == "floor" and line == "floor-settled")


def test_a_fact_that_is_taken_back_in_time_is_two_events_and_no_alert(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.ask("operator", lines=(*HAND, "dealt"))
        entry = dealer.writes("holds 2 3").entries[0]
        assert core.table.street == "void" and dealer.view().stage == "stopped"
        assert [notice.finding for notice in dealer.view().notices] == ["misdeal"]
        dealer.waits(TAKE_BACK_S - 1)
        assert dealer.alerts() == []
        assert dealer.ask(undo=entry).ok
        dealer.waits(60)
        assert dealer.alerts() == [] and core.table.street == "preflop" and dealer.view().facts == ()
    happened, changes = record_of(site)
    assert [entry.event for entry in happened[-1:]] == [Undo(entry)] and changes == []
    with core_of(site, dealer.now) as again:
        again.tick(dealer.now)
        assert again.alerts.active() == ()


def test_a_fact_that_stands_raises_its_alert_when_its_time_is_over_whatever_happens_to_the_engine(
    site: Site,
) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.ask("operator", lines=(*HAND, "dealt"))
        dealer.writes("boxed ??")
        entry = dealer.writes("holds 2 3").entries[0]
        dealer.waits(TAKE_BACK_S / 2)
    with core_of(site, dealer.now) as again:
        later_on = Dealer(again)
        later_on.now = dealer.now
        assert later_on.alerts() == [] and len(later_on.view().facts) == 2
        later_on.waits(TAKE_BACK_S)
        assert later_on.alerts() == [("misdeal", "raised")] and later_on.view().facts == ()
        late = later_on.ask(undo=entry)
        assert not late.ok and "last 10 s" in late.sentence
    with core_of(site, later_on.now) as third:
        third.tick(later_on.now)
        assert [alert.finding for alert in third.alerts.active()] == ["misdeal"]


def test_a_dealer_takes_back_facts_and_nothing_else(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        begun = dealer.ask("operator", lines=(*HAND, "dealt")).entries
        called = dealer.writes("call-floor").entries[0]
        undone = dealer.ask(undo=dealer.writes("boxed ??").entries[0])
        assert undone.ok
        for entry in (*begun, called, *undone.entries, 10**6):
            assert not dealer.ask(undo=entry).ok
        assert not dealer.ask(last="undo").ok and not dealer.ask(last="redo").ok
        assert not dealer.ask(alert=AlertChange(core.alerts.active()[0].id, "taken", "Dora")).ok


def test_the_call_is_taken_and_settled_at_the_table_with_names_and_times(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        assert dealer.writes("call-floor cards").ok
        (alert,) = core.alerts.active()
        assert (alert.finding, alert.cause, alert.state) == ("floor-called", "cards", "raised")
        dealer.waits(14)
        assert dealer.floor("taken", alert.id).ok
        dealer.waits(20)
        assert dealer.writes("floor-settled").ok
        assert core.alerts.active() == () and not core.table.floor_called
        again = dealer.writes("floor-settled")
        assert again.ok and again.sentence == "Ignored: The floor was not called."
    happened, changes = record_of(site)
    assert [(entry.by, entry.at.wall_ns - START.wall_ns) for entry in happened[-3:]] == [
        ("Dora (dealer)", 0),
        ("Dora (dealer)", 34 * 10**9),
        ("Dora (dealer)", 34 * 10**9),
    ]
    assert [(one.change.to, one.change.by, one.at.wall_ns - START.wall_ns) for one in changes] == [
        ("taken", "Anna", 14 * 10**9),
        ("closed", "Dora", 34 * 10**9),
    ]
    with core_of(site) as again_open:
        assert again_open.alerts.active() == () and not again_open.table.floor_called


def test_a_call_is_closed_from_afar_with_a_reason_only(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.writes("call-floor")
        (alert,) = core.alerts.active()
        for to in ("ruled", "closed"):
            refused = dealer.floor(to, alert.id)
            assert not refused.ok and "Give the reason" in refused.sentence
        assert core.table.floor_called
        assert dealer.floor("closed", alert.id, note="Settled by telephone").ok
        assert core.alerts.active() == () and not core.table.floor_called
        assert core.alerts.closed_last()[0].life[-1].note == "Settled by telephone"


def test_the_floor_settles_a_call_at_the_table_by_name(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.writes("call-floor")
        assert dealer.ask("floor", "Anna", lines=("floor-settled",)).ok
        assert core.alerts.closed_last()[0].life[-1].by == "Anna"


def test_steps_that_are_done_are_in_the_record_until_the_notice_goes(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.ask("operator", lines=(*HAND, "dealt", "holds 2 3"))
        (notice,) = dealer.view().notices
        assert notice.remedy == ("return-bets", "reshuffle", "redeal-same-button") and notice.done == ()
        assert dealer.writes(f"step {notice.id} 1").ok and dealer.writes(f"step {notice.id} 3").ok
        assert dealer.writes(f"step {notice.id} 3 open").ok
        assert dealer.view().notices[0].done == (1,)
        for wrong in (f"step {notice.id} 4", f"step {notice.id} 0", "step 1.0 1", "step x 1"):
            assert not dealer.writes(wrong).ok, wrong
    with core_of(site) as again:
        dealer = Dealer(again)
        assert dealer.view().notices[0].done == (1,)
        assert dealer.floor("ruled", notice.id, line="ruling misdeal").ok
        assert dealer.floor("closed", notice.id).ok
        assert dealer.view().notices == () and dealer.view().stage == "over"


def test_what_a_dealer_reports_asks_nothing_of_other_hands(site: Site) -> None:
    """A cut that a dealer reports once does not make the engine wait for one in every hand."""
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.ask("operator", lines=(*HAND, "dealt"))
        dealer.writes("cut", "deck-check begin", "deck-check end")
        dealer.ask("operator", lines=("end", "hand", "dealt"))
        assert core.table.open_findings == ()


def test_notices_hold_no_hidden_face(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.ask("operator", lines=("hand", "deal 1 As", "deal 2 As*", "deal 3 Kd"))
        notices = dealer.view().notices
        assert [(notice.finding, notice.cause) for notice in notices] == [("fouled-deck", "duplicate-card")]
        assert "As" not in msgspec.json.encode(notices).decode()


def test_notices_end_with_the_hand(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.ask("operator", lines=(*HAND, "dealt", "expose 2 2d"))
        assert [notice.finding for notice in dealer.view().notices] == ["exposed-card"]
        dealer.ask("operator", lines=("end",))
        assert "exposed-card" not in [notice.finding for notice in dealer.view().notices]


def test_a_doubtful_card_has_a_seat_and_no_face(site: Site) -> None:
    with core_of(site) as core:
        dealer = Dealer(core)
        dealer.ask("operator", lines=(*HAND, "dealt"))
        core.note(Doubt(Card("Qs"), {seat_place(2): 0.5, seat_place(3): 0.4}), START)
        view = dealer.view()
        assert [seat.seat for seat in view.seats if seat.in_doubt] == [2, 3]
        assert [notice.finding for notice in view.notices] == ["sensing-doubt"]
        assert "Qs" not in msgspec.json.encode((view.notices, view.seats)).decode()
