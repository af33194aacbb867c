"""What operators and the floor write: undo and redo as often as wanted, lines for the turn they were meant
for, rulings that end the waiting of the table and of its alert in one step.
"""

from collections.abc import Iterator
from random import Random

import pytest

from tablebridge.app.core import TableCore
from tablebridge.app.preview import preview
from tablebridge.bus.messages import CEILING, Command, Reply, TableSignal, encode
from tablebridge.engine.views import staff_view
from tablebridge.journal.records import MarkRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import Alert, AlertChange, AlertState
from tablebridge.model.cards import Card
from tablebridge.model.events import Deal
from tablebridge.model.floor_marks import EndService, FloorMark, ResumeService, Shelf, Shelve, Unshelve
from tablebridge.model.preview import Preview
from tablebridge.model.views import LineView, TableView
from tablebridge.settings.site import Site

from .conftest import START, later
from .test_core import core_of

STOPPED = "Stop: the floor must rule"


class Desk:
    """A core, and the people who write to it."""

    def __init__(self, core: TableCore) -> None:
        self.core = core
        self.count = 0

    def send(self, by: str, role: str, **what: object) -> Reply:
        self.count += 1
        command = Command(f"id-{self.count:06d}", by, role, later(START, 3600).wall_ns, **what)  # type: ignore[arg-type]
        return self.core.command(command, START, retained=False)

    def write(self, *lines: str, by: str = "Boris", turn: str = "") -> Reply:
        return self.send(by, "operator", lines=lines, turn=turn)

    def undo(self, by: str = "Boris") -> Reply:
        return self.send(by, "operator", last="undo")

    def redo(self, by: str = "Boris") -> Reply:
        return self.send(by, "operator", last="redo")

    def change(
        self, to: AlertState, alert: str = "", line: str = "", by: str = "Anna", over: bool = False
    ) -> Reply:
        change = AlertChange(alert or self.alert().id, to, by, line=line, over=over)
        return self.send(by, "floor", alert=change)

    def alert(self) -> Alert:
        (alert,) = self.core.alerts.active()
        return alert

    def view(self) -> TableView:
        return next(message for topic, message in self.core.retained() if topic.name == "state")

    def line(self, text: str) -> LineView:
        return [line for line in self.view().lines if line.line == text][-1]

    def state(self) -> TableView:
        """All that holds, without the lines."""
        return staff_view(self.core.table, START)


@pytest.fixture
def desk(site: Site) -> Iterator[Desk]:
    with core_of(site) as core:
        desk = Desk(core)
        assert desk.write("hand", "dealt").ok
        yield desk


def test_ten_undos_and_ten_redos_give_every_state_again(desk: Desk, site: Site) -> None:
    lines = [
        "call 3",
        "call 1",
        "raise 2 400",
        "call 3",
        "call 1",
        "burn",
        "flop Ah Kd 2c",
        "check 1",
        "bet 2 500",
        "fold 3",
    ]
    states = [desk.state()]
    for line in lines:
        assert desk.write(line).ok
        states.append(desk.state())
    for number, state in enumerate(reversed(states[:-1]), 1):
        assert desk.undo().sentence == f"Taken back: {lines[-number]}"
        assert desk.state() == state, f"undo {number}"
    assert [line.line for line in desk.view().lines if line.undone] == lines
    assert desk.line("fold 3").undone_by == "Boris (operator)"
    for line, state in zip(lines, states[1:], strict=True):
        assert desk.redo().sentence == f"Back in force: {line}"
        assert desk.state() == state, line
    assert desk.redo().sentence == "Nothing of yours is taken back in this hand."
    shown = desk.view().lines
    assert [line.line for line in shown if line.undone] == [] and len(shown) == len(lines) + 2, (
        "each line stands once"
    )
    desk.core.close()
    with core_of(site) as again:
        assert Desk(again).view().lines == shown


@pytest.mark.parametrize("seed", range(12))
def test_undo_and_redo_in_any_order_are_a_stack_of_ones_own(desk: Desk, site: Site, seed: int) -> None:
    """A model of two persons who write, undo and redo: what holds is what the model says, also after a
    restart.
    """
    rng = Random(seed)
    standing: list[tuple[str, str]] = []
    undone: dict[str, list[tuple[int, tuple[str, str]]]] = {"Boris": [], "Carla": []}
    mucks = iter(range(1, 100))
    written = {"Boris": 2, "Carla": 0}
    for _ in range(40):
        who = rng.choice(("Boris", "Carla"))
        own = [index for index, (by, _) in enumerate(standing) if by == who]
        match rng.choice(("write", "write", "undo", "undo", "redo")):
            case "write":
                line = f'say 1 "word {next(mucks)}"'
                assert desk.write(line, by=who).ok
                standing.append((who, line))
                undone[who].clear()
            case "undo" if own:
                assert desk.undo(who).ok
                undone[who].append((own[-1], standing.pop(own[-1])))
            case "redo":
                assert desk.redo(who).ok == bool(undone[who])
                if undone[who]:
                    _, line_of = undone[who].pop()
                    standing.append(line_of)
    expected = sorted(line for _, line in standing)
    holds = sorted(line.line for line in desk.view().lines if not line.undone and line.line.startswith("say"))
    assert holds == expected and written
    shown = desk.view().lines
    desk.core.close()
    with core_of(site) as again:
        assert Desk(again).view().lines == shown


def test_a_person_takes_back_nobody_elses_line(desk: Desk) -> None:
    desk.write("call 3")
    desk.write("fold 1", by="Carla")
    assert desk.undo().sentence == "Taken back: call 3"
    desk.write("fold 3")
    assert desk.redo().sentence == "You have written another line since; there is nothing to bring back."
    assert desk.undo("Dora").sentence == "There is no line of yours to take back in this hand."


def test_what_is_taken_back_is_not_taken_back_again(desk: Desk) -> None:
    entry = desk.write("call 3").entries[0]
    assert desk.send("Boris", "operator", undo=entry).ok
    refused = desk.send("Boris", "operator", undo=entry)
    assert not refused.ok and refused.sentence == "That is taken back already."


def test_an_undo_of_what_can_no_longer_be_changed_is_refused_and_leaves_no_trace(desk: Desk) -> None:
    entry = desk.write("fold 3").entries[0]
    for _ in range(3):
        assert desk.write("hand", "dealt").ok
    before = desk.view().lines
    for number in (entry, 99_999, 0, -1):
        refused = desk.send("Boris", "operator", undo=number)
        assert refused.sentence.startswith(f"There is no line {number} in this hand"), number
    assert desk.view().lines == before


def test_a_line_meant_for_a_turn_that_has_passed_is_refused_and_says_whose_turn_it_is(desk: Desk) -> None:
    turn = desk.view().turn
    assert desk.write("fold 3", by="Carla", turn=turn).ok
    before = desk.state()
    late = desk.write("raise 3 600", turn=turn)
    assert not late.ok and late.moved and late.turn is not None and late.turn.seat == 1
    assert late.sentence == "Seat 3 has acted meanwhile (fold): seat 1 is to act."
    assert desk.state() == before
    assert desk.write("raise 1 600", turn=late.turn.name).ok


def test_two_who_press_call_in_the_same_second_write_one_call_and_no_alert(desk: Desk) -> None:
    turn = desk.view().turn
    first, second = (desk.write("call 3", by=name, turn=turn) for name in ("Boris", "Carla"))
    assert first.ok and second.moved
    assert desk.core.alerts.active() == () and desk.core.table.to_act == 1


def test_a_turn_comes_back_with_the_undo_of_what_ended_it(desk: Desk) -> None:
    turn = desk.view().turn
    desk.write("fold 3", by="Carla")
    desk.undo("Carla")
    assert desk.write("raise 3 600", turn=turn).ok


def test_what_the_engine_ignored_is_said_and_stands_on_the_line_until_a_correction_changes_it(
    desk: Desk,
) -> None:
    first = desk.write("fold 3").entries[0]
    reply = desk.write("fold 3")
    assert reply.ok and reply.sentence == "Ignored: Seat 3 has no live hand."
    assert [line.ignored for line in desk.view().lines if line.line == "fold 3"] == [
        "",
        "Seat 3 has no live hand.",
    ]
    desk.send("Boris", "operator", undo=first)
    assert [(line.undone, line.ignored) for line in desk.view().lines if line.line == "fold 3"] == [
        (True, ""),
        (False, ""),
    ]


def test_a_correction_says_of_each_line_what_holds_now_with_severity_sentence_and_rule(
    desk: Desk, site: Site
) -> None:
    first = desk.write("call 3").entries[0]
    desk.write("call 1")
    assert desk.line("call 1").findings == ()
    desk.send("Boris", "operator", undo=first)
    (found,) = desk.line("call 1").findings
    assert (found.finding, found.severity, found.cause) == ("out-of-turn", "warning", "pending")
    assert found.sentence and found.rule
    shown = desk.view().lines
    desk.core.close()
    with core_of(site) as again:
        assert Desk(again).view().lines == shown


def test_nobody_is_to_act_while_cards_of_the_deal_are_due(site: Site) -> None:
    with core_of(site) as core:
        desk = Desk(core)
        desk.write("hand", "deal 1 ??", "deal 2 ??", "deal 3 ??", "deal 1 ??", "deal 2 ??")
        assert (desk.view().to_act, desk.view().may, desk.view().expects) == (
            None,
            (),
            "Deal the next card to seat 3",
        )
        desk.write("deal 3 ??")
        assert (desk.view().to_act, desk.view().may) == (3, ("call", "fold", "raise"))


def test_lines_of_any_length_and_number_fit_a_message(desk: Desk) -> None:
    for number in range(160):
        desk.write(f'say 1 "{"ä" * 400}{number}"')
    assert len(encode(desk.view())) < CEILING
    assert desk.view().lines[-1].line.startswith("say 1")


def stop(desk: Desk) -> Alert:
    desk.write("call 3", "call 1", "check 2", "burn", "flop Ah Kd 2c 9s")
    assert desk.view().expects == STOPPED
    return desk.alert()


def test_no_alert_is_ruled_or_closed_by_a_word_while_the_table_waits_for_the_floor(desk: Desk) -> None:
    stop(desk)
    for to in ("ruled", "closed"):
        refused = desk.change(to)  # type: ignore[arg-type]
        assert (
            not refused.ok
            and refused.sentence == "The table waits for the floor: choose one of the rulings of this alert."
        )
    assert desk.alert().state == "raised" and desk.view().expects == STOPPED


def test_a_choice_writes_the_ruling_and_rules_the_alert_in_one_step(desk: Desk, site: Site) -> None:
    alert = stop(desk)
    (question,) = desk.view().questions
    assert question.finding == alert.id
    choice = next(choice for choice in question.choices if choice.line == "ruling burn Kd")
    assert not desk.change("ruled", line="ruling burn 7h").ok, "no choice of this question"
    assert desk.change("ruled", line=choice.line).ok
    assert desk.view().board == ("Ah", "2c", "9s") and desk.view().expects == "Seat 1 to act: nothing to call"
    assert desk.view().questions == ()
    assert (desk.alert().state, desk.alert().life[-1].by) == ("ruled", "Anna")
    assert desk.alert().life[-1].note == "The king of diamonds is the burn"
    assert desk.line("ruling burn ??").by == "Anna (floor)", "the burn lies face down again"
    desk.core.close()
    with core_of(site) as again:
        assert (Desk(again).alert().state, Desk(again).view().questions) == ("ruled", ())
        assert Desk(again).change("closed").ok


def test_a_refused_ruling_writes_no_line(desk: Desk) -> None:
    stop(desk)
    desk.change("taken", by="Bob")
    before = desk.view().lines
    refused = desk.change("ruled", line="ruling misdeal")
    assert not refused.ok and "Bob has taken this alert" in refused.sentence
    assert desk.view().lines == before
    assert desk.change("ruled", line="ruling misdeal", over=True).ok


def test_a_ruling_that_is_taken_back_raises_its_alert_again(desk: Desk, site: Site) -> None:
    alert = stop(desk)
    entry = desk.write("ruling burn 9s").entries[0]
    assert desk.change("ruled").ok and desk.change("closed", alert.id).ok
    assert desk.core.alerts.active() == ()
    desk.send("Boris", "operator", undo=entry)
    assert desk.view().expects == STOPPED and desk.alert().state == "raised"
    desk.core.close()
    with core_of(site) as again:
        assert Desk(again).alert().id == alert.id


def test_what_the_floor_ruled_itself_calls_nobody(desk: Desk, site: Site) -> None:
    alert = stop(desk)
    assert desk.change("ruled", line="ruling misdeal").ok
    assert desk.view().street == "void" and [(one.id, one.state) for one in desk.core.alerts.active()] == [
        (alert.id, "ruled")
    ]
    desk.core.close()
    with core_of(site) as again:
        assert [one.id for one in again.alerts.active()] == [alert.id]


def test_a_misdeal_stands_or_is_overruled_by_the_floor(desk: Desk) -> None:
    desk.write("end", "hand", "deal 3 ??")
    assert desk.view().street == "void" and not desk.change("ruled").ok
    assert desk.alert().refunds and desk.view().notices[0].refunds == desk.alert().refunds
    assert desk.change("ruled", line="ruling play-on").ok
    assert desk.view().street == "preflop" and desk.alert().state == "ruled"
    assert desk.alert().refunds == {}, "the bets stay"


def test_chips_that_go_back_by_a_ruling_stand_on_the_alert_that_was_ruled_on(desk: Desk, site: Site) -> None:
    alert = stop(desk)
    assert alert.refunds == {}
    assert desk.change("ruled", line="ruling misdeal").ok
    assert desk.alert().refunds == {1: 100, 2: 100, 3: 100}
    desk.core.close()
    with core_of(site) as again:
        assert Desk(again).alert().refunds == {1: 100, 2: 100, 3: 100}


def test_chips_that_go_back_follow_a_correction(desk: Desk) -> None:
    entry = desk.write("raise 3 400").entries[0]
    desk.write("holds 2 3")
    assert desk.alert().finding == "misdeal" and desk.alert().refunds == {1: 50, 2: 100, 3: 400}
    assert desk.send("Boris", "operator", lines=("raise 3 300",), change=entry).ok
    assert desk.alert().refunds == {1: 50, 2: 100, 3: 300}


def test_a_ruling_on_what_the_table_waits_for_no_more_is_refused(desk: Desk) -> None:
    alert = stop(desk)
    ruled = {"lines": ("ruling misdeal",), "question": alert.id}
    assert desk.change("ruled", line="ruling play-on").ok
    refused = desk.send("Boris", "operator", **ruled)
    assert not refused.ok
    assert refused.sentence == "The table does not wait for this ruling; look at it again."
    assert desk.view().street != "void"


@pytest.mark.parametrize("ruling", ["burn 8c", "dead 1", "live 1", "passive 1", "call 1", "fold 1"])
def test_a_ruling_that_does_nothing_to_a_void_hand_is_refused(desk: Desk, ruling: str) -> None:
    desk.write("end", "hand", "deal 3 ??")
    assert desk.view().street == "void"
    refused = desk.write(f"ruling {ruling}")
    assert not refused.ok and refused.sentence.startswith("No hand is under way")
    assert desk.write("ruling misdeal").ok


@pytest.mark.parametrize("seed", range(6))
def test_an_empty_queue_never_stands_beside_a_stopped_table(desk: Desk, seed: int) -> None:
    """Any order of stops, rulings, words on alerts, undos and further play."""
    rng = Random(seed)
    stop(desk)
    for _ in range(60):
        match rng.choice(("line", "undo", "redo", "alert", "choice", "look")):
            case "line":
                desk.write(
                    rng.choice(
                        (
                            "check 1",
                            "burn",
                            "turn 4s 5s",
                            "ruling burn 2c",
                            "fold 2",
                            "flop Ah Kd 2c 9s",
                            "hand",
                            "dealt",
                            "call 3",
                            "ruling play-on",
                        )
                    )
                )
            case "undo":
                desk.undo()
            case "redo":
                desk.redo()
            case "alert":
                for alert in desk.core.alerts.active():
                    desk.change(rng.choice(("taken", "ruled", "closed")), alert.id)
            case "choice":
                for question in desk.view().questions[:1]:
                    assert desk.change("ruled", question.finding, rng.choice(question.choices).line).ok
            case "look":
                desk.write("seen 7d floor")
        waits = {question.finding for question in desk.view().questions}
        assert waits <= {alert.id for alert in desk.core.alerts.active() if alert.state != "ruled"}
        assert waits or desk.view().expects != STOPPED


def floor_mark(desk: Desk, mark: FloorMark, role: str = "floor", by: str = "Anna") -> Reply:
    return desk.send(by, role, mark=mark)


def test_one_press_moves_the_alerts_that_were_on_the_screen_and_no_other(desk: Desk) -> None:
    for device in ("board", "reader"):
        desk.core.device(device, "lost", (), START)
    first, second = desk.core.alerts.active()
    desk.core.device("late", "lost", (), START)
    reply = desk.send("Anna", "floor", alert=AlertChange(first.id, "taken", ""), also=(second.id, "nothing"))
    assert reply.ok and len(reply.entries) == 2
    assert [(alert.device, alert.state) for alert in desk.core.alerts.active()] == [
        ("board", "taken"),
        ("reader", "taken"),
        ("late", "raised"),
    ]
    back = desk.send(
        "Anna", "floor", alert=AlertChange(first.id, "acknowledged", ""), also=(second.id,), back=True
    )
    assert back.ok and {alert.state for alert in desk.core.alerts.active()} == {"acknowledged", "raised"}


def test_an_alert_comes_back_from_the_shelf_by_itself_also_after_a_restart(site: Site) -> None:
    with core_of(site) as core:
        desk = Desk(core)
        core.device("board", "lost", (), START)
        alert = desk.alert()
        assert "Only the floor" in floor_mark(desk, Shelve(alert.id, 10, "known"), "operator").sentence
        assert floor_mark(desk, Shelve(alert.id, 10, "known", by="somebody else")).ok
        assert desk.alert().shelved == Shelf(START, 10, "Anna", "known")
        assert core.retained()[-1][1] == TableSignal("clear"), "the light does not show it"
        core.tick(later(START, 599))
        assert desk.alert().shelved is not None
    with core_of(site) as core:
        desk = Desk(core)
        assert desk.alert().shelved is not None
        core.tick(later(START, 600))
        assert desk.alert().shelved is None and core.retained()[-1][1] == TableSignal("warning")
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    marks = [
        body.mark for record in journal.records(0, "mark") if isinstance(body := body_of(record), MarkRecord)
    ]
    assert marks == [Shelve(alert.id, 10, "known", "Anna"), Unshelve(alert.id)], "both are on record"
    journal.close()


def test_what_the_table_waits_for_cannot_be_put_on_the_shelf(desk: Desk) -> None:
    stop(desk)
    reply = floor_mark(desk, Shelve(desk.alert().id, 10, "later"))
    assert reply.sentence == "The table waits for the floor: this alert cannot be put on the shelf."


def test_a_device_out_of_service_raises_no_light_and_is_so_after_a_restart(site: Site) -> None:
    with core_of(site) as core:
        desk = Desk(core)
        device = site.tables[0].devices[0].name
        assert "no device" in floor_mark(desk, EndService("nothing", "gone")).sentence
        assert "Write why" in floor_mark(desk, EndService(device, "")).sentence
        assert floor_mark(desk, EndService(device, "being exchanged")).ok
        assert "Anna was first" in floor_mark(desk, EndService(device, "again"), by="Olga").sentence
        core.device(device, "lost", (), START)
        assert core.retained()[-1][1] == TableSignal("clear")
    with core_of(site) as core:
        desk = Desk(core)
        desk.count = 100
        (mark,) = next(m for topic, m in core.retained() if topic.name == "alerts").out
        assert (mark.device, mark.by, mark.why) == (device, "Anna", "being exchanged")
        assert floor_mark(desk, ResumeService(device)).ok
        assert core.retained()[-1][1] == TableSignal("warning")
        assert "in service already" in floor_mark(desk, ResumeService(device)).sentence


# Changing what was written, and what would come of it.


def entry_of(desk: Desk, text: str) -> int:
    return desk.line(text).entry


def test_a_line_is_changed_in_its_place_and_the_change_is_taken_back_like_a_line(desk: Desk) -> None:
    for line in ("raise 3 600", "call 1", "fold 2"):
        assert desk.write(line).ok
    before = desk.state()
    assert desk.send("Boris", "operator", lines=("raise 3 500",), change=entry_of(desk, "raise 3 600")).ok
    changed = desk.line("raise 3 500")
    assert (changed.was, changed.changed_by) == ("raise 3 600", "Boris (operator)")
    assert desk.state().pot == 1_100 and desk.core.table.pot == 1_100
    assert desk.undo().sentence == "Taken back: the change to raise 3 500"
    assert desk.state() == before and desk.line("raise 3 600").was == ""
    assert desk.redo().sentence == "Back in force: the change to raise 3 500"
    assert desk.state().pot == 1_100


def test_lines_that_were_left_out_stand_where_they_belong(desk: Desk, site: Site) -> None:
    assert desk.write("check 2").ok
    place = entry_of(desk, "check 2")
    assert desk.send("Boris", "operator", lines=("call 3", "call 1"), before=place, note="missed").ok
    shown = desk.view().lines
    assert [line.line for line in shown] == ["hand", "dealt", "call 3", "call 1", "check 2"]
    assert [line.inserted for line in shown] == [False, False, True, True, False]
    assert shown[2].note == "missed" and shown[-1].findings == ()
    assert desk.core.alerts.active()[0].cleared, "out of turn is no longer true"
    desk.core.close()
    with core_of(site) as again:
        assert Desk(again).view().lines == shown


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ({"lines": ("hand",)}, "Where a hand begins or ends is not changed"),
        ({"lines": ("end",)}, "Where a hand begins or ends is not changed"),
        ({"lines": ("fold 3", "fold 1")}, "One line of the hand stands in the place of another"),
        ({"lines": ("stacks 5000",)}, "A hand is under way"),
        ({"lines": ("raise",)}, "expected"),
    ],
)
def test_what_cannot_stand_in_the_place_of_a_line_is_refused(
    desk: Desk, what: dict[str, object], sentence: str
) -> None:
    entry = desk.write("call 3").entries[0]
    before = desk.view().lines
    refused = desk.send("Boris", "operator", change=entry, **what)
    assert not refused.ok and refused.sentence.startswith(sentence)
    assert desk.view().lines == before


def test_the_beginning_of_a_hand_and_what_is_taken_back_are_not_changed(desk: Desk) -> None:
    assert not desk.send("Boris", "operator", lines=("call 3",), change=entry_of(desk, "hand")).ok
    entry = desk.write("call 3").entries[0]
    desk.undo()
    refused = desk.send("Boris", "operator", lines=("fold 3",), change=entry)
    assert refused.sentence.startswith("That line is taken back")


def test_a_hand_that_is_over_is_corrected_with_a_reason_where_no_antenna_knows_a_hidden_face(
    desk: Desk,
) -> None:
    for line in ("raise 3 600", "fold 1", "fold 2", "end"):
        assert desk.write(line).ok
    entry = entry_of(desk, "raise 3 600")
    refused = desk.send("Boris", "operator", lines=("raise 3 500",), change=entry)
    assert refused.sentence == "That hand is over: say why it is corrected."
    assert desk.send("Boris", "operator", lines=("raise 3 500",), change=entry, note="misread").ok
    assert desk.line("raise 3 500").note == "misread"


def foreseen(desk: Desk, **what: object) -> Preview:
    command = Command("preview-1", "Boris", "operator", 2**62, **what)  # type: ignore[arg-type]
    before = desk.view(), desk.core.rev
    found = preview(command, desk.core.table, desk.core.rev)
    assert (desk.view(), desk.core.rev) == before, "nothing is recorded and nothing changes"
    return found


def test_the_ruling_on_chips_is_known_before_they_are_written(desk: Desk) -> None:
    found = foreseen(desk, lines=("chips-in 3 1000",))
    assert [(taken.action, taken.amount) for taken in found.taken] == [("call", 100)]
    assert found.back == ((3, 900),)
    assert [(come.finding, come.rule) for come in found.comes] == [("bet-ruled", "44")]
    assert desk.write("chips-in 3 1000").ok and desk.state().pot == found.after.pot


def test_the_consequence_of_a_correction_is_known_before_it_is_applied(desk: Desk) -> None:
    for line in ("raise 3 150", "call 1"):
        assert desk.write(line).ok
    entry = entry_of(desk, "raise 3 150")
    found = foreseen(desk, lines=("raise 3 400",), change=entry)
    assert [gone.finding for gone in found.goes] == ["underraise"] and found.comes == ()
    assert (found.before.pot, found.after.pot) == (500, 900)
    assert foreseen(desk, undo=entry).after.to_act == 3
    assert foreseen(desk, lines=("fold 9",)).sentence and not foreseen(desk, lines=("fold",)).ok


def test_no_end_of_a_hand_is_tried_out_where_antennas_know_hidden_faces(site: Site) -> None:
    with core_of(site) as core:
        desk = Desk(core)
        assert desk.write("hand").ok
        for seat, face in ((1, "Ah"), (2, "Kd"), (3, "Qc")) * 2:
            core.note(Deal(seat, Card(face)), START)
        assert core.table.hides
        for line in ("end", "hand"):
            assert foreseen(desk, lines=(line,)).ends
        assert desk.write("dealt", "call 3", "call 1").ok
        assert not foreseen(desk, lines=("check 2",)).ends
        desk.write("end")
        found = foreseen(desk, undo=entry_of(desk, "call 1"))
        assert not found.ok and found.sentence == "That hand is over; the floor can take the line back."
        command = Command("preview-2", "Anna", "floor", 2**62, undo=entry_of(desk, "call 1"))
        assert preview(command, core.table, core.rev).ends


@pytest.mark.parametrize(
    "line",
    [
        "warning 1 talking",
        "infraction 1 delay",
        "penalty 1 2 hands",
        "disqualified 1 abuse",
        "leaves 1",
        "dispute 1 payment",
        "box 1 ante 10",
        "paytable ante-bonus flush=2",
    ],
)
def test_what_is_said_of_players_and_boxes_can_be_written_between_hands(desk: Desk, line: str) -> None:
    for before in ("fold 3", "fold 1", "end"):
        assert desk.write(before).ok
    assert desk.write(line).ok
    assert desk.write("hand").ok
