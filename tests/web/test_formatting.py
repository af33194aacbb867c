"""How things are written, and what the hub makes of messages: no process needed."""

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.bus import topics
from tablebridge.bus.messages import ActiveAlerts, AlertMessage, Availability, HistoryPage, encode
from tablebridge.cli import cli
from tablebridge.floor.alerts import Alerts
from tablebridge.floor.incidents import table_incidents
from tablebridge.languages.texts import texts
from tablebridge.model.alerts import Alert, AlertChange
from tablebridge.model.cards import DECK_52
from tablebridge.model.findings import KINDS
from tablebridge.model.views import Choice, LineView, TrayView
from tablebridge.web import formatting, wording
from tablebridge.web.assets import Assets
from tablebridge.web.floor_picture import FloorPicture
from tablebridge.web.hub import Hub
from tablebridge.web.status import TableStatus

from .hall import instant, misdeal, site, view

ENGLISH = texts("en")


def test_a_rule_is_written_with_its_book() -> None:
    assert wording.rule(ENGLISH, "tda-2022", "35-A(2)") == "TDA 2022 rule 35-A(2)"
    assert wording.rule(ENGLISH, "house", "7") == "house rule 7"
    assert wording.rule(ENGLISH, "tda-2022", None) == ""


def test_every_word_of_findings_has_a_heading() -> None:
    assert all(
        heading[0].isupper() and "-" not in heading
        for heading in (wording.heading(ENGLISH, word) for word in KINDS)
    )


def test_cards_are_drawn_by_rank_and_suit() -> None:
    assert {(formatting.rank(card), formatting.suit_sign(card)) for card in DECK_52} == {
        (rank, sign)
        for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
        for sign in "♣♦♥♠"
    }


@pytest.mark.parametrize(
    ("by", "mine"),
    [("Ann (operator)", True), ("Ann", True), ("Anna (operator)", False), ("Boris (operator)", False)],
)
def test_a_line_is_own_by_the_whole_name(by: str, mine: bool) -> None:
    assert formatting.is_own(LineView(1, "fold 3", "operator", by), "Ann") is mine


@given(st.integers(2, 10))
def test_seats_lie_apart_and_inside_the_picture(seats: int) -> None:
    spots = [formatting.seat_spot(seat, seats) for seat in range(1, seats + 1)]
    assert all(88 <= spot.x <= 912 and 42 <= spot.y <= 488 for spot in spots)
    for at, one in enumerate(spots):
        assert all(abs(one.x - two.x) >= 176 or abs(one.y - two.y) >= 84 for two in spots[at + 1 :]), seats


def queue_html(alert: Alert | None, offered: dict[tuple[str, str], tuple[Choice, ...]] | None = None) -> str:
    """The queue with this alert alone, for the floor."""
    assert alert is not None
    made = table_incidents([alert], (), {}, ())
    picture = FloorPicture({alert.table: made}, list(made.incidents), [], None, 0, 1, 0)
    return Assets().block("queue", picture, offered or {}, "Anna", True, {}, "")


def test_names_and_sentences_are_never_markup() -> None:
    alert = Alerts().raise_(misdeal(sentence="<script>x</script>"), instant())
    offered = {("main", "812.0"): (Choice("ruling play-on", "<b>words</b>", "<i>consequence</i>"),)}
    html = queue_html(alert, offered)
    assert "<script>" not in html and "&lt;script&gt;" in html
    assert "&lt;b&gt;words" in html and "&lt;i&gt;consequence" in html


def test_a_person_is_named_without_the_role() -> None:
    assert [wording.person_of(ENGLISH, by) for by in ("Boris (operator)", "Ann", "")] == [
        "Boris",
        "Ann",
        "the table",
    ]


def test_an_alert_says_what_the_floor_does_though_its_book_has_no_steps() -> None:
    lost = misdeal(finding="device-offline", cause=None, rule=None, device="board", remedy=())
    html = queue_html(Alerts().raise_(lost, instant()))
    assert html.count('name="step"') == 3 and "Check its cable and its power, and plug it in again." in html
    called = misdeal(finding="burn-missing", cause=None, remedy=("call-floor",))
    html = queue_html(Alerts().raise_(called, instant()))
    assert "Call the floor" not in html and "Rule which card is the burn card" in html


@given(st.permutations(range(6)))
def test_alerts_are_the_same_in_whatever_order_messages_come(order: list[int]) -> None:
    """The last message tells the truth whichever of the others come after it."""
    here = Hub(site(Path("/nonexistent")))
    fold = Alerts()
    first, second = fold.raise_(misdeal("1.0"), instant()), fold.raise_(misdeal("2.0"), instant())
    assert first is not None and second is not None
    messages = [
        (topics.ALERT, AlertMessage(first, 1)),
        (topics.ALERTS, ActiveAlerts((first,), 1)),
        (topics.ALERT, AlertMessage(second, 2)),
        (topics.ALERTS, ActiveAlerts((first, second), 2)),
        (topics.ALERTS, ActiveAlerts((second,), 3)),
        (topics.ALERTS, ActiveAlerts((), 0)),
    ]
    for at in order:
        here.take(messages[at][0].of("hall", "main"), encode(messages[at][1]))
    assert [alert.id for alert in here.open_alerts(["main"])] == ["2.0"]


def test_an_alert_that_is_closed_is_listed_though_the_list_without_it_comes_first() -> None:
    here = Hub(site(Path("/nonexistent")))
    fold = Alerts()
    assert fold.raise_(misdeal("1.0"), instant()) is not None
    fold.change(AlertChange("1.0", "ruled", "Anna"), instant())
    closed = fold.change(AlertChange("1.0", "closed", "Anna"), instant())
    here.take(topics.ALERTS.of("hall", "main"), encode(ActiveAlerts((), 5)))
    for _ in range(2):
        here.take(topics.ALERT.of("hall", "main"), encode(AlertMessage(closed, 4)))
    assert [alert.id for alert in here.tables["main"].closed] == ["1.0"]
    assert here.open_alerts(["main"]) == []


def test_closed_alerts_are_the_same_whenever_the_answer_of_the_engine_comes() -> None:
    fold, messages, pages = Alerts(), [], []
    for rev in range(1, 70):
        assert fold.raise_(misdeal(f"{rev}.0"), instant()) is not None
        fold.change(AlertChange(f"{rev}.0", "ruled", "Anna"), instant())
        closed = fold.change(AlertChange(f"{rev}.0", "closed", "Anna"), instant())
        messages.append(AlertMessage(closed, rev))
        pages.append(HistoryPage("recall", rev, fold.closed_last()))
    wanted = [f"{rev}.0" for rev in range(69, 19, -1)]
    for asked_at in (0, 1, 30, 68):
        status = TableStatus("main")
        for message in messages[:asked_at]:
            status.take_alert(message)
        # What was closed while the answer was under way came before or comes after it, or twice.
        for message in messages[asked_at:]:
            status.take_alert(message)
        status.take_closed(pages[asked_at])
        for message in messages[asked_at - 1 :]:
            status.take_alert(message)
        assert [alert.id for alert in status.closed] == wanted, asked_at


def test_an_alert_that_is_raised_again_is_not_listed_as_closed() -> None:
    status, fold = TableStatus("main"), Alerts()
    raised = fold.raise_(misdeal("1.0"), instant())
    assert raised is not None
    closed = fold.change(AlertChange("1.0", "ruled", "Anna"), instant())
    closed = fold.change(AlertChange("1.0", "closed", "Anna"), instant())
    for alert, rev in ((raised, 1), (closed, 2), (raised, 3), (closed, 2)):
        status.take_alert(AlertMessage(alert, rev))
    assert [*status.alerts] == ["1.0"] and status.closed == []


def test_a_new_record_begins_with_what_its_engine_says_was_closed() -> None:
    status, fold = TableStatus("main"), Alerts()
    assert fold.raise_(misdeal("500.0"), instant()) is not None
    fold.change(AlertChange("500.0", "ruled", "Anna"), instant())
    status.take_alert(AlertMessage(fold.change(AlertChange("500.0", "closed", "Anna"), instant()), 503))
    status.begin_record()
    assert [alert.id for alert in status.closed] == ["500.0"]
    status.take_closed(HistoryPage("recall", 2))
    assert status.closed == []


def test_a_new_record_is_shown_though_the_word_of_it_comes_last() -> None:
    here = Hub(site(Path("/nonexistent")))

    def take(topic: topics.Topic, message: object) -> None:
        here.take(topic.of("hall", "main"), encode(message))

    take(topics.ENGINE_AVAILABILITY, Availability("online", "e1", since_wall_ns=1))
    take(topics.STATE, view(rev=500, pot=500))
    take(topics.STATE, view(rev=2, pot=2))
    assert here.tables["main"].view is not None and here.tables["main"].view.pot == 500
    take(topics.ENGINE_AVAILABILITY, Availability("online", "e2", since_wall_ns=2))
    assert here.tables["main"].view.pot == 2
    take(topics.ENGINE_AVAILABILITY, Availability("offline", "e1", since_wall_ns=1))
    assert here.tables["main"].runs, "the late last will of the run before changes nothing"


def test_the_last_will_at_one_table_speaks_for_the_whole_engine() -> None:
    here = Hub(site(Path("/nonexistent")))

    def take(table: str, state: str, epoch: str) -> None:
        here.take(topics.ENGINE_AVAILABILITY.of("hall", table), encode(Availability(state, epoch)))  # type: ignore[arg-type]

    def runs() -> list[bool]:
        return [now.runs for now in here.tables.values()]

    take("side", "online", "e1")
    take("main", "offline", "e1")
    assert runs() == [False, False]
    take("main", "online", "e1")
    assert runs() == [True, True]
    take("main", "offline", "e1")
    take("side", "online", "e2")
    assert runs() == [False, True]


def test_a_watcher_learns_what_changed_and_no_more() -> None:
    async def scene() -> None:
        here = Hub(site(Path("/nonexistent")))
        watch = here.watch(["state:main"])
        for rev in range(1000):
            here.take(topics.STATE.of("hall", "main"), encode(view(rev=rev)))
            here.take(topics.STATE.of("hall", "side"), encode(view(rev=rev, table="side")))
        assert await watch.wait(1) == {"state:main"}
        assert await watch.wait(0) == set()

    asyncio.run(scene())


def test_tokens_by_command(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_text(f'state_dir = "{tmp_path}"\n[web]\nport = 8091\n[[table]]\nname = "main"\n')

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(cli, ["token", *arguments, "--site", str(file)], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    assert "http://127.0.0.1:8091/login?token=tb_" in run("add", "floor", "Anna")
    assert "http://127.0.0.1:8091/overlay/main?key=tb_" in run("add", "broadcast", "OBS", "--table", "main")
    listed = run("list")
    assert "Anna" in listed and "tb_" not in listed
    id = listed.split()[0]
    assert "taken back" in run("revoke", id) and id not in run("list")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_entry_line_reads_or_says_why() -> None:
    """The reading of the entry line is pure: node can try it without a browser."""
    script = Path(formatting.__file__).parent / "static" / "entry.js"
    cases = """
      import { amount, read } from "SCRIPT";
      import { deepStrictEqual as is } from "node:assert";
      is(amount("1.5k"), 1500); is(amount("1 400"), 1400);
      is(amount("1.5"), null); is(amount("0"), null); is(amount("x"), null);
      is(read("", 4, ""), null);
      is(read("", 4, "1400").line, 'say 4 "1400"');
      is(read("", 4, "1000+3x100").line, "chips-in 4 1000+3x100");
      is(read("", 4, '"raise').line, 'say 4 "raise"');
      is(read("", 4, "fold").line, "fold 4");
      is(read("", null, "seats 1-9").line, "seats 1-9");
      is(read("bet", 4, "2k").line, "bet 4 2000");
      is(read("chips-back", 4, "all").line, "chips-back 4 all");
      is(read("end", null, "").line, "end");
      for (const [verb, seat, text] of [
        ["bet", 4, ""], ["bet", 4, "much"], ["bet", null, "5"], ["", 4, "1+"], ["say", 4, ""],
        ["chips-in", 4, "all"], ["fold", 4, "5"], ["table", 4, ""],
      ]) if (!read(verb, seat, text).why) throw new Error(text);
    """.replace("SCRIPT", script.as_uri())
    done = subprocess.run(
        ["node", "--input-type=module", "-e", cases], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_a_tile_shows_what_the_tray_is_worth_and_what_is_not_explained() -> None:
    now = Hub(site(Path())).tables["main"]
    for tray, shown in (
        (None, []),
        (TrayView({25: 38}, 950), ["950"]),
        (TrayView({25: 38, 100: 17}, 2650, -300), ["38 of 25, 17 of 100", "2\u202f650", "−300"]),
    ):
        now.view = view(tray=tray)
        tile = Assets().block("tile", now, table_incidents([], (), {}, ()), 0, False)
        assert ("Tray" in tile) == bool(shown) and all(word in tile for word in shown)
