"""A room with its record: reports of tables, commands of people, imports of other software."""

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.bus.messages import CEILING, encode
from tablebridge.model.errors import JournalBroken
from tablebridge.model.instant import START, Instant
from tablebridge.model.rooms import MOST_ROWS, RoomCommand, RoomReply
from tablebridge.room import exchange
from tablebridge.room.reported import Report, Sitting
from tablebridge.tournament.desk import Desk

CHANGE = "UPDATE record SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)"
OPEN = ("room nlhe 9", "rules tda-2022", "prizes 500 300 200")


class Stage:
    """A desk in a folder, and commands to it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "room.sqlite"
        self.ids = 0
        self.now: Instant = START
        self.desk = Desk(self.path, "room of hall", lambda: self.now)

    def say(
        self, *lines: str, role: str = "floor", id: str = "", form: str = "", file: str = ""
    ) -> RoomReply:
        self.ids += 1
        return self.desk.command(
            RoomCommand(
                id or f"command-{self.ids}",
                "Anna",
                role,
                START.wall_ns + 10**9,
                lines=lines,
                form=form,  # type: ignore[arg-type]
                file=file,
            )
        )

    def again(self) -> None:
        """Another process goes on."""
        self.desk.close()
        self.desk = Desk(self.path, "room of hall", lambda: self.now)

    def report(self, table: str, *seats: tuple[int, str, int], hand: int = 1, big: int | None = None) -> bool:
        """A table between hands."""
        sitting = {seat: Sitting(name, stack) for seat, name, stack in seats}
        return self.desk.report(Report(table, hand, True, sitting, 1, 1 if big == 2 else 2, big))

    def seats(self) -> dict[str, tuple[str, int]]:
        return dict(self.desk.room.tables.named)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    yield stage
    stage.desk.close()


def test_reports_mean_nothing_until_the_room_is_open_and_then_seat_the_players(stage: Stage) -> None:
    assert not stage.report("one", (1, "Anna", 500)) and stage.desk.view().players == 0
    assert stage.say(*OPEN).ok
    assert stage.report("one", (1, "Anna", 500), (2, "Boris", 700), big=2)
    assert stage.seats() == {"Anna": ("one", 1), "Boris": ("one", 2)}
    assert not stage.report("one", (1, "Anna", 500), (2, "Boris", 700), big=2), "no news"
    assert stage.desk.view().chips == 1200


def test_who_has_no_chips_after_a_hand_is_out_with_the_stack_that_he_began_it_with(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.report("one", (1, "Anna", 500), (2, "Boris", 700), (3, "Carla", 100))
    stage.report("one", (1, "Anna", 1300), (2, "Boris", 0), (3, "Carla", 0), hand=2)
    view = stage.desk.view()
    assert [(row.name, row.first, row.prize) for row in view.out] == [("Carla", 3, 200), ("Boris", 2, 300)]
    assert view.players == 1 and view.chips == 1300


def test_a_player_at_another_table_has_moved(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.report("one", (1, "Anna", 500), (2, "Boris", 700))
    stage.report("two", (1, "Carla", 100))
    stage.report("one", (1, "Anna", 500))
    stage.report("two", (1, "Carla", 100), (4, "Boris", 700))
    assert stage.seats()["Boris"] == ("two", 4) and stage.desk.view().entries == 3


def test_two_tables_that_claim_a_player_are_a_clash_and_nothing_is_overwritten(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.report("one", (1, "Anna", 500), (2, "Boris", 700))
    stage.report("two", (4, "Boris", 700))
    assert stage.seats()["Boris"] == ("one", 2)
    (clash,) = stage.desk.view().clashes
    assert clash.startswith("Boris is reported at seat 2 of one and at seat 4 of two")
    stage.report("one", (1, "Anna", 500))
    stage.report("two", (4, "Boris", 700))
    assert stage.desk.view().clashes == () and stage.seats()["Boris"] == ("two", 4)


def test_a_seat_with_another_name_is_a_clash(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.report("one", (1, "Anna", 500))
    stage.report("one", (1, "Dora", 500))
    assert stage.desk.view().clashes == ("Seat 1 of one is Anna's; the table calls the player Dora.",)
    assert stage.seats() == {"Anna": ("one", 1)}


def test_the_record_brings_everything_back(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.report("one", (1, "Anna", 500), (2, "Boris", 700), big=2)
    stage.report("one", (1, "Anna", 1200), (2, "Boris", 0), hand=2, big=1)
    before = stage.desk.view()
    stage.again()
    after = msgspec.structs.replace(stage.desk.view(), tables=before.tables)
    assert after == before


def test_a_flipped_byte_ends_the_record_with_its_number(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.desk.close()
    with sqlite3.connect(stage.path) as db:
        db.execute(CHANGE, ("tda-2022", "tda-2017"))
    with pytest.raises(JournalBroken, match="record 2"):
        Desk(stage.path, "room of hall", lambda: START)
    with sqlite3.connect(stage.path) as db:
        db.execute(CHANGE, ("tda-2017", "tda-2022"))
    stage.again()


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("level 2",), "The room is not open"),
        ((*OPEN, "level 2", "level 1"), "a level does not go back to 1"),
        ((*OPEN, "tables A"), "did you mean table?"),
        ((), "nothing to do"),
    ],
)
def test_a_command_is_done_as_a_whole_or_not_at_all(stage: Stage, lines: tuple[str, ...], why: str) -> None:
    reply = stage.say(*lines)
    assert not reply.ok and why in reply.sentence
    assert stage.desk.rev == 0 and not stage.desk.is_open


def test_a_command_is_done_once_for_its_id(stage: Stage) -> None:
    stage.say(*OPEN, "table A seats 1-3")
    assert stage.say("busts A 1:50", id="once").ok
    assert stage.say("busts A 2:50", id="once").ok
    assert stage.desk.view().players == 2


@pytest.mark.parametrize("role", ["dealer", "operator", "surveillance", ""])
def test_only_the_floor_and_tournament_software_change_a_room(stage: Stage, role: str) -> None:
    assert not stage.say(*OPEN, role=role).ok and not stage.desk.is_open


def test_a_command_that_comes_late_is_not_done(stage: Stage) -> None:
    stage.now = Instant(START.wall_ns + 2 * 10**9, START.monotonic_ns, START.boot_id, True)
    assert "too late" in stage.say(*OPEN).sentence


CSV = "\ufeffPlayer,Table,Seat,Stack\r\nAnna,one,1,20000\r\nBoris,one,2,\r\n\r\n"


def test_an_import_seats_and_moves_players_and_the_export_has_them(stage: Stage) -> None:
    stage.say(*OPEN)
    assert stage.say(form="csv", file=CSV, role="tournament").ok
    assert stage.seats() == {"Anna": ("one", 1), "Boris": ("one", 2)}
    moved = '{"players": [{"table": "two", "seat": 9, "player": "Boris", "stack": 5}], "level": 4}'
    assert stage.say(form="json", file=moved).ok
    assert stage.seats()["Boris"] == ("two", 9) and stage.desk.view().level == 4
    rows = stage.desk.command(RoomCommand("rows-1234", "x", "tournament", 0, rows_from=0))
    assert exchange.write_csv(rows.rows) == (
        "player,table,seat,stack,place,prize\nAnna,one,1,20000,,0\nBoris,two,9,5,,0\n"
    )


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("", "Line 1: the columns are table, seat, player, stack"),
        ("table,seat\n", "Line 1: the columns are"),
        ("table,seat,player,chips\n", "no column is called 'chips'"),
        ("table,seat,player\none,1\n", "Line 2: 2 cells, and the first line has 3"),
        ("table,seat,player\none,11,Anna\n", "Line 2: Expected `int` <= 10"),
        ("table,seat,player\none,one,Anna\n", "Line 2: Expected `int`, got `str`"),
        ("table,seat,player\none,1,\n", "Line 2: Object missing required field `player`"),
        ("table,seat,player\none,1,Anna\none,2,Anna\n", "Anna stands twice"),
        ("table,seat,player\none,1,Anna\none,1,Boris\n", "Two players are to sit in seat 1 of one"),
        ('table,seat,player\none,1,"Anna\n', "Anna"),
    ],
)
def test_a_wrong_import_changes_nothing_and_names_its_line(stage: Stage, file: str, why: str) -> None:
    stage.say(*OPEN)
    rev = stage.desk.rev
    reply = stage.say(form="csv", file=file)
    if reply.ok:
        assert why in str(stage.seats())
    else:
        assert why in reply.sentence and stage.desk.rev == rev


def test_an_import_over_a_taken_seat_changes_nothing(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.say(form="csv", file=CSV)
    reply = stage.say(form="csv", file="table,seat,player\ntwo,1,Carla\none,1,Dora\n")
    assert not reply.ok and reply.sentence == "Seat 1 of table one is not empty."
    assert "two" not in stage.desk.room.tables.tables


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_no_text_breaks_an_import(text: str) -> None:
    for read in (exchange.read_csv, exchange.read_json):
        try:
            read(text)
        except exchange.Unfit as why:
            assert str(why)


def test_a_formula_is_a_text_in_a_spreadsheet(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.say(form="csv", file='table,seat,player\none,1,"=1+1"\n')
    rows = stage.desk.command(RoomCommand("rows-1234", "x", "tournament", 0, rows_from=0)).rows
    assert "\n'=1+1,one,1" in exchange.write_csv(rows)


def test_many_players_come_in_pages(stage: Stage) -> None:
    stage.say(*OPEN)
    lines = [f"t{number // 9},{1 + number % 9},player {number},100" for number in range(MOST_ROWS + 5)]
    assert stage.say(form="csv", file="table,seat,player,stack\n" + "\n".join(lines)).ok
    first = stage.desk.command(RoomCommand("rows-1", "x", "tournament", 0, rows_from=0))
    second = stage.desk.command(RoomCommand("rows-2", "x", "tournament", 0, rows_from=first.more))
    assert (len(first.rows), first.more, len(second.rows), second.more) == (MOST_ROWS, MOST_ROWS, 5, None)


def test_the_picture_of_the_largest_room_fits_into_a_message(stage: Stage) -> None:
    stage.say(*OPEN)
    for table in range(300):
        name = f"{table:03}" + "\u6b63" * 60
        seats = [(seat, f"{table:03}{seat}" + "\u6b63" * 55, 100) for seat in range(1, 10)]
        stage.report(name, *seats, big=3)
        stage.report(name, *[(seat, player, 0) for seat, player, _ in seats[:3]], *seats[3:], hand=2)
    assert stage.say("offer chop").ok
    view = stage.desk.view()
    assert view.shares and len(encode(view)) <= CEILING
    assert len(view.tables) + view.more_tables == 300 and view.players == 1800
    since, players = 0, 0
    while since is not None:
        reply = stage.desk.command(RoomCommand(f"rows-{since}", "x", "tournament", 0, rows_from=since))
        assert len(encode(reply)) <= CEILING
        since, players = reply.more, players + len(reply.rows)  # type: ignore[assignment]
    assert players == 2700


@pytest.mark.parametrize("seed", range(5))
def test_whatever_tables_report_nobody_sits_twice_and_the_record_brings_it_back(
    stage: Stage, seed: int
) -> None:
    chance = random.Random(seed)
    names = [f"p{number}" for number in range(8)]
    stage.say(*OPEN)
    for hand in range(60):
        table = chance.choice(["one", "two", "three"])
        seats = chance.sample(range(1, 10), chance.randint(0, 5))
        some = [(seat, chance.choice([*names, ""]), chance.choice([0, 100, 500])) for seat in seats]
        stage.report(table, *some, hand=hand, big=chance.choice([None, 3]))
        tables = stage.desk.room.tables
        sitting = [player.name for _, player in tables.playing() if player.name]
        assert len(sitting) == len(set(sitting)) == len(tables.named)
        stage.desk.view()
    before = stage.desk.room.tables
    stage.again()
    assert stage.desk.room.tables == before or stage.seats() == dict(before.named)


def test_a_table_is_drawn_from_the_seed_that_is_on_record_and_from_no_other(stage: Stage) -> None:
    stage.say("room nlhe 9", "rules tda-2022")
    stage.report("table-1", (1, "Anna", 500), (2, "Boris", 700))
    stage.report("table-2", (1, "Carla", 100))
    assert stage.say("seed table-1 abc123").ok
    assert not stage.say("seed table-1 better").ok, "nobody looks for a seed that suits"
    assert [(seeded.table, seeded.seed) for seeded in stage.desk.view().seeds] == [("table-1", "abc123")]
    refused = stage.say("break table-1 seed better")
    assert "abc123" in refused.sentence and not refused.ok and not stage.desk.view().places
    assert stage.say("break table-1 seed abc123").ok
    view = stage.desk.view()
    assert {place.name for place in view.places} == {"Anna", "Boris"} and not view.seeds
    assert {place.to for place in view.places} == {"table-2"}
    first = view.places[0]
    assert stage.say(f"moves table-1 {first.seat} to table-2 {first.to_seat}").ok
    assert [place.name for place in stage.desk.view().places] == [view.places[1].name]


def test_a_trial_writes_nothing_and_names_what_is_wrong(stage: Stage) -> None:
    stage.say(*OPEN)
    before = stage.desk.rev
    wanted = RoomCommand("trial-1", "Anna", "floor", START.wall_ns + 10**9, form="csv", trial=True)
    good = msgspec.structs.replace(wanted, file="table,seat,player\none,1,Anna\n")
    reply = stage.desk.command(good)
    assert reply.ok and reply.changes == 2 and stage.desk.rev == before and not stage.seats()
    wrong = stage.desk.command(msgspec.structs.replace(wanted, file="table,seat,player\none,x,Anna\n"))
    assert not wrong.ok and wrong.sentence.startswith("Line 2:")


def test_a_deal_shows_what_each_would_get_until_somebody_is_out(stage: Stage) -> None:
    stage.say(*OPEN)
    stage.report("one", (1, "Anna", 600), (2, "Boris", 300), (3, "Carla", 100))
    assert stage.say("offer chop").ok
    view = stage.desk.view()
    assert view.offered == "chop"
    assert {row.name: row.prize for row in view.shares} == {"Anna": 440, "Boris": 320, "Carla": 240}
    stage.report("one", (1, "Anna", 700), (2, "Boris", 300), (3, "Carla", 0), hand=2)
    assert not stage.desk.view().offered and stage.desk.view().shares == ()


def test_an_import_names_the_stakes_of_its_level(stage: Stage) -> None:
    stage.say(*OPEN)
    assert stage.say(form="json", file='{"level": 2, "stakes": [100, 200]}').ok
    assert (stage.desk.view().level, stage.desk.view().stakes) == (2, (100, 200))
    assert stage.say("level 3").ok and stage.desk.view().stakes is None
    assert stage.say("level 3 200/400").ok and stage.desk.view().stakes == (200, 400)
    assert "name its number" in stage.say(form="json", file='{"stakes": [1, 2]}').sentence


def test_the_floor_alone_decides_that_names_go_to_the_tables(stage: Stage) -> None:
    stage.say(*OPEN)
    refused = stage.say("names-to-tables on", role="tournament")
    assert not refused.ok and refused.sentence.startswith("Only the floor decides")
    assert stage.desk.view().named_by == ""
    assert stage.say("names-to-tables on").ok
    before = stage.desk.view()
    assert before.named_by == "Anna"
    assert stage.say("level 2 100/200", role="tournament").ok
    assert stage.desk.view().names_rev > before.names_rev
    stage.again()
    assert stage.desk.view().named_by == "Anna", "the record brings it back"
    assert stage.say("names-to-tables off").ok
    assert stage.desk.view().named_by == ""
