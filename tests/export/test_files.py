"""Hands as files for other programs: chips add up in each, no hidden face leaves where it may not, and who
was given faces is on record.
"""

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

from tablebridge import __version__
from tablebridge.cli import cli
from tablebridge.cli.export import FORMATS
from tablebridge.engine.table import Table
from tablebridge.export import hands, ohh, pokergfx
from tablebridge.export.account import Account, accounts
from tablebridge.journal.read import entries, findings
from tablebridge.journal.store import Journal
from tablebridge.model import events as ev
from tablebridge.model.cards import UNKNOWN
from tablebridge.model.errors import ConfigError, JournalError
from tablebridge.model.instant import START, later

from .test_hands import Player

GOLDEN = Path(__file__).parent / "golden"
SETUP: tuple[ev.TableEvent, ...] = (
    ev.Rules("tda-2022"),
    ev.Game("nlhe", (50, 100)),
    ev.Seats((1, 2, 3, 4)),
    ev.Stacks(2_000),
    ev.Button(4),
)


def played(seed: int, hands: int, *, ante: int = 0, bb_ante: int = 0) -> list[ev.Entry]:
    player = Player(seed)
    for event in (*SETUP, ev.Ante(ante), ev.BbAnte(bb_ante)):
        player.do(event)
    for _ in range(hands):
        if sum(player.table.stack(seat) > 0 for seat in (1, 2, 3, 4)) > 1:
            player.hand()
    return player.entries


@settings(max_examples=40)
@given(st.integers(0, 1 << 30), st.sampled_from([(0, 0), (10, 0), (0, 100)]))
def test_what_went_in_and_did_not_come_back_is_paid_out(seed: int, antes: tuple[int, int]) -> None:
    for account in accounts(played(seed, 3, ante=antes[0], bb_ante=antes[1])):
        back = -sum(step.put for step in account.steps if step.put < 0)
        assert account.steps[-1].pot == sum(amount for amount, _ in account.payments)
        assert sum(account.finish.values()) == sum(account.start.values())
        hand = json.loads(ohh.write(account))["ohh"]
        acted = sum(action.get("amount", 0) for part in hand["rounds"] for action in part["actions"])
        assert acted - back == sum(pot["amount"] for pot in hand["pots"])
        assert all(
            sum(win["win_amount"] for win in pot["player_wins"]) == pot["amount"] for pot in hand["pots"]
        )


@settings(max_examples=20)
@given(st.integers(0, 1 << 30))
def test_a_session_in_the_layout_of_pokergfx_has_every_time_and_every_stack(seed: int) -> None:
    found = list(accounts(played(seed, 4)))
    session = json.loads(pokergfx.write(found))
    for account, hand in zip(found, session["Hands"], strict=True):
        assert {one["PlayerNum"]: one["EndStackAmt"] for one in hand["Players"]} == account.finish
        assert all(event["DateTimeUTC"].endswith("Z") for event in hand["Events"])
        cards = [event["BoardCards"] for event in hand["Events"] if event["EventType"] == "BOARD CARD"]
        assert cards == [card.replace("T", "10").lower() for card in account.board]
    won = {one["PlayerNum"]: one["CumulativeWinningsAmt"] for one in session["Hands"][-1]["Players"]}
    assert (
        won == {seat: found[-1].finish[seat] - 2_000 for seat in found[-1].order} or len(found[-1].order) < 4
    )


# What the specification says of each field of version 1.4.7 (hh-specs.handhistory.org): name, type, whether
# it must be there.
FIELDS: dict[str, dict[str, tuple[type | tuple[type, ...], bool]]] = {
    "ohh": {
        "spec_version": (str, True),
        "site_name": (str, True),
        "network_name": (str, True),
        "internal_version": (str, True),
        "tournament": (bool, False),
        "game_number": (str, True),
        "start_date_utc": (str, True),
        "table_name": (str, True),
        "game_type": (str, True),
        "bet_limit": (dict, True),
        "table_size": (int, True),
        "currency": (str, True),
        "dealer_seat": (int, True),
        "small_blind_amount": (int, False),
        "big_blind_amount": (int, False),
        "ante_amount": (int, True),
        "hero_player_id": ((int, type(None)), False),
        "flags": (list, False),
        "players": (list, True),
        "rounds": (list, True),
        "pots": (list, True),
    },
    "players": {"id": (int, True), "seat": (int, True), "name": (str, True), "starting_stack": (int, True)},
    "rounds": {"id": (int, True), "street": (str, True), "cards": (list, False), "actions": (list, True)},
    "actions": {
        "action_number": (int, True),
        "player_id": (int, False),
        "action": (str, True),
        "amount": (int, False),
        "is_allin": (bool, False),
        "cards": (list, False),
    },
    "pots": {"number": (int, True), "amount": (int, True), "rake": (int, False), "player_wins": (list, True)},
    "player_wins": {"player_id": (int, True), "win_amount": (int, True)},
}
WORDS = {
    "Dealt Cards",
    "Mucks Cards",
    "Shows Cards",
    "Post Ante",
    "Post SB",
    "Post BB",
    "Fold",
    "Check",
    "Bet",
    "Raise",
    "Call",
}


def judged(name: str, value: dict[str, Any]) -> None:
    fields = FIELDS[name]
    assert set(value) <= set(fields), f"{name} has a field that the specification does not know"
    for field, (kind, needed) in fields.items():
        assert not needed or field in value, f"{name}.{field} is missing"
        if field in value:
            assert isinstance(value[field], kind), f"{name}.{field}"
            for one in value[field] if field in FIELDS and isinstance(value[field], list) else ():
                judged(field, one)
    if name == "actions":
        assert value["action"] in WORDS


def of_script(name: str) -> list[Account]:
    from tablebridge.cli.scripts import load

    statements = load(GOLDEN / name).statements
    return list(
        accounts([ev.Entry(one.number, later(START, one.at_s), one.event) for one in statements], "oak")
    )


def test_a_hand_has_the_fields_of_the_specification() -> None:
    (account,) = of_script("side-pot.table")
    hand = json.loads(ohh.write(account))["ohh"]
    judged("ohh", hand)
    assert [part["street"] for part in hand["rounds"]] == ["Preflop", "Flop", "Turn", "River", "Showdown"]
    assert [
        (action["player_id"], action["action"], action.get("amount"))
        for action in hand["rounds"][0]["actions"][5:]
    ] == [(3, "Raise", 300), (1, "Raise", 950), (2, "Call", 900), (3, "Raise", 2700), (2, "Call", 2000)]
    assert [(pot["amount"], pot["player_wins"]) for pot in hand["pots"]] == [
        (3000, [{"player_id": 1, "win_amount": 3000}]),
        (4000, [{"player_id": 3, "win_amount": 4000}]),
    ]


def test_an_event_says_what_lies_in_front_and_in_the_middle() -> None:
    session = json.loads(pokergfx.write(of_script("side-pot.table")))
    (hand,) = session["Hands"]
    assert [
        (event["EventType"], event["PlayerNum"], event["BetAmt"], event["Pot"])
        for event in hand["Events"][:6]
    ] == [
        ("BET", 3, 300, 450),
        ("ALL IN", 1, 1000, 1400),
        ("CALL", 2, 1000, 2300),
        ("BET", 3, 3000, 5000),
        ("CALL", 2, 3000, 7000),
        ("BOARD CARD", 0, 0, 7000),
    ]
    assert hand["Events"][0]["DateTimeUTC"] == "1970-01-01T00:00:12.0000000Z"
    assert (hand["Duration"], hand["RecordingOffsetStart"]) == ("PT23S", "P719162DT5S")
    assert hand["Players"][0]["HoleCards"] == ["ah as"]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.table")), ids=lambda path: path.stem)
@pytest.mark.parametrize("form", ["phh", "ohh", "pokergfx"])
def test_what_is_written_of_a_script_stays_as_it_is(tmp_path: Path, path: Path, form: str) -> None:
    run(path, "--format", form, "--out", tmp_path)
    made = {file.name: file.read_text().replace(__version__, "VERSION") for file in tmp_path.iterdir()}
    kept = {file.name: file.read_text() for file in GOLDEN.glob(f"{path.stem}{FORMATS[form][0]}")}
    assert made == kept


def test_a_board_that_is_run_twice_has_the_streets_of_both_runs() -> None:
    (account,) = of_script("run-twice.table")
    hand = json.loads(ohh.write(account))["ohh"]
    judged("ohh", hand)
    assert hand["flags"] == ["Observed", "Run_It_Twice"]
    assert [(part["street"], part.get("cards")) for part in hand["rounds"]] == [
        ("Preflop", None),
        ("Flop", ["Qs", "7d", "3h"]),
        ("Turn", ["Ts"]),
        ("River", ["8c"]),
        ("Turn", ["Kh"]),
        ("River", ["5h"]),
        ("Showdown", None),
    ]
    (gfx,) = json.loads(pokergfx.write([account]))["Hands"]
    assert gfx["RunItNumTimes"] == 2
    assert [(event["BoardNum"], event["BoardCards"]) for event in gfx["Events"] if event["BoardCards"]][
        3:
    ] == [(0, "10s"), (0, "8c"), (1, "kh"), (1, "5h")]


def test_a_board_that_is_run_three_times_is_left_out_or_numbered() -> None:
    (account,) = of_script("../../hands/tda-2022/two-boards/run-three-times.table")
    (gfx,) = json.loads(pokergfx.write([account]))["Hands"]
    assert gfx["RunItNumTimes"] == 3
    assert [(event["BoardNum"], event["BoardCards"]) for event in gfx["Events"] if event["BoardCards"]][
        3:
    ] == [(0, "10c"), (0, "2d"), (1, "ks"), (1, "2h"), (2, "kc"), (2, "2s")]
    assert "more than twice" in ohh.cannot(account) and "no second board" in hands.cannot(account)
    assert all(UNKNOWN not in board for board in account.public().boards)


def test_a_game_with_two_boards_has_each_street_on_both() -> None:
    (account,) = of_script("../../hands/tda-2022/two-boards/each-street-twice.table")
    (gfx,) = json.loads(pokergfx.write([account]))["Hands"]
    assert (gfx["NumBoards"], gfx["RunItNumTimes"], gfx["GameVariant"]) == (2, 1, "HOLDEM")
    assert [(event["BoardNum"], event["BoardCards"]) for event in gfx["Events"] if event["BoardCards"]][
        3:
    ] == [(1, "kc"), (1, "8h"), (1, "9d"), (0, "4c"), (1, "4d"), (0, "2d"), (1, "7s")]
    assert "no variant" in hands.cannot(account) and "no streets" in ohh.cannot(account)


def run(*arguments: object) -> str:
    result = CliRunner().invoke(cli, ["export", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(("form", "suffix"), [("phh", "phhs"), ("ohh", "ohh"), ("pokergfx", "json")])
def test_a_public_file_holds_no_face_that_never_lay_open(tmp_path: Path, form: str, suffix: str) -> None:
    run(GOLDEN / "side-pot.table", "--format", form, "--out", tmp_path / "all")
    run(GOLDEN / "side-pot.table", "--format", form, "--out", tmp_path / "public", "--public")
    everything, public = (
        (tmp_path / kind / f"side-pot.{suffix}").read_text().lower() for kind in ("all", "public")
    )
    # Seat 2 folded its kings; nobody saw them, nor the burns.
    assert "kh" in everything and "kh" not in public
    assert "2c" not in public
    for face in ("qh", "ah", "8d"):
        assert face in public


def test_a_phhs_file_is_read_back_with_the_same_stacks(tmp_path: Path) -> None:
    run(GOLDEN / "side-pot.table", "--out", tmp_path)
    with (tmp_path / "side-pot.phhs").open("rb") as file:
        (hand,) = HandHistory.load_all(file)
    assert list(list(hand)[-1].stacks) == hand.finishing_stacks == [3000, 2000, 6000]


def journal_of(path: Path, written: list[ev.Entry]) -> Path:
    journal, table = Journal(path / "oak.sqlite", "oak"), Table("oak")
    with journal.transaction():
        for entry in written:
            journal.record("entry", entry)
            for finding in table.apply(entry).findings:
                journal.record("finding", finding)
    journal.close()
    return path / "oak.sqlite"


def renumbered(written: list[ev.Entry]) -> list[ev.Entry]:
    """Entries with the numbers that the journal will give them, findings between them."""
    table, number, out = Table("oak"), 0, []
    for entry in written:
        number += 1
        out.append(ev.Entry(number, entry.at, entry.event))
        number += len(table.apply(out[-1]).findings)
    return out


def test_who_takes_hole_cards_out_of_a_journal_is_on_record(tmp_path: Path) -> None:
    path = journal_of(tmp_path, renumbered(played(3, 2)))
    run(path, "--format", "ohh", "--out", tmp_path, "--public")
    journal = Journal(path, "oak", readonly=True)
    assert [one for one in findings(journal) if one.finding == "hole-card-access"] == []
    journal.close()
    run(path, "--format", "ohh", "--out", tmp_path, "--force")
    journal = Journal(path, "oak", readonly=True)
    (access,) = [one for one in entries(journal) if isinstance(one.event, ev.Access)]
    assert access.by.endswith("(command line)") and access.event == ev.Access("export ohh")
    assert [one.finding for one in findings(journal)][-1] == "hole-card-access"
    journal.close()
    assert stat.S_IMODE((tmp_path / "oak.ohh").stat().st_mode) == 0o600
    # A second hand begins after the objects' blank line.
    assert len((tmp_path / "oak.ohh").read_text().split("\n\n")) == 2


def test_after_an_export_the_journal_is_sound_and_replays_the_same(tmp_path: Path) -> None:
    path = journal_of(tmp_path, renumbered(played(4, 2)))
    run(path, "--out", tmp_path)
    result = CliRunner().invoke(cli, ["journal", "replay", str(path)], catch_exceptions=False)
    assert result.exit_code == 0 and "identical" in result.output


def test_a_journal_that_was_changed_is_refused_with_the_number_of_the_record(tmp_path: Path) -> None:
    path = journal_of(tmp_path, renumbered(played(4, 1)))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE record SET body = x'7b7d' WHERE number = 5")
    with pytest.raises(JournalError, match="record 5"):
        CliRunner().invoke(
            cli,
            ["export", str(path), "--out", str(tmp_path / "out")],
            catch_exceptions=False,
            standalone_mode=False,
        )
    assert list((tmp_path / "out").iterdir()) == []


def test_a_journal_that_its_engine_holds_is_read_and_the_missing_record_told(tmp_path: Path) -> None:
    path = journal_of(tmp_path, renumbered(played(3, 1)))
    held = Journal(path, "oak")
    try:
        assert "not in the journal" in run(path, "--out", tmp_path)
    finally:
        held.close()


def test_a_hand_under_way_goes_out_only_without_what_nobody_saw(tmp_path: Path) -> None:
    script = tmp_path / "oak.table"
    script.write_text(
        (GOLDEN / "side-pot.table").read_text() + "hand\ndeal 2 Kc\ndeal 3 Qc\ndeal 1 Ac exposed\n"
    )
    assert "hand 2 is left out: it is not over" in run(script, "--out", tmp_path / "all")
    assert "Ac" not in (tmp_path / "all" / "oak.phhs").read_text()
    assert "hand 2 is left out" not in run(script, "--public", "--hand", 2, "--out", tmp_path / "public.phhs")
    text = (tmp_path / "public.phhs").read_text()
    assert "_running = true" in text and "Ac" in text and "Kc" not in text and "Qc" not in text
    assert json.loads(run(script, "--public", "--json", "--format", "ohh", "--out", tmp_path)) == {
        "source": str(script),
        "file": str(tmp_path / "oak.ohh"),
        "hands": [1],
        "left_out": {"2": "it is not over"},
        "notes": [],
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--hand", "x"], "number of a hand"),
        (["nothing.txt"], "no journal nothing.txt"),
        ([__file__], "give one, such as"),
        (["gone.sqlite"], "no journal"),
    ],
)
def test_what_cannot_be_exported_is_told_in_a_sentence(
    tmp_path: Path, arguments: list[str], told: str
) -> None:
    file = [] if arguments[0].endswith(("txt", "sqlite", ".py")) else [str(GOLDEN / "side-pot.table")]
    with pytest.raises((ConfigError, JournalError), match=told):
        CliRunner().invoke(
            cli,
            ["export", *arguments, *file, "--out", str(tmp_path)],
            catch_exceptions=False,
            standalone_mode=False,
        )


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    run(GOLDEN / "side-pot.table", "--out", tmp_path)
    with pytest.raises(ConfigError, match="--force"):
        CliRunner().invoke(
            cli, ["export", str(GOLDEN / "side-pot.table"), "--out", str(tmp_path)], catch_exceptions=False
        )


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((ev.House("betting", "untold"),), "not told"),
        ((ev.Game("plo", (50, 100)),), ""),
    ],
)
def test_a_hand_that_a_format_cannot_hold_is_left_out_with_the_reason(
    lines: tuple[ev.TableEvent, ...], why: str
) -> None:
    table: list[ev.TableEvent] = [
        *SETUP,
        *lines,
        ev.Hand(),
        ev.Dealt(),
        ev.Action("fold", 3),
        ev.Action("fold", 4),
        ev.Action("fold", 1),
        ev.End(),
    ]
    made = list(accounts([ev.Entry(number, START, event) for number, event in enumerate(table, 1)]))
    assert [why in ohh.cannot(account) for account in made] == [True]
    assert bool(ohh.cannot(made[0])) is bool(why)
