"""A room of tables: what is wrong changes nothing and is said; nobody is lost, doubled or paid twice."""

import random
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.rooms import STACK, Night
from tablebridge.engine.script.reader import read_in
from tablebridge.model.cards import Card
from tablebridge.model.errors import ScriptError
from tablebridge.room import breaking, money
from tablebridge.room import events as ev
from tablebridge.room.fold import apply as apply_event
from tablebridge.room.room import Room
from tablebridge.room.script import LANGUAGE, is_room, parse_line, play
from tablebridge.room.tables import Player, SeatedTable, Tables

SET_UP = """room nlhe 9
rules tda-2022
prizes 500 300 200
table A seats 1-5
table B seats 1-4
positions A 1 2 3
positions B 1 2 3
"""


def ignored(lines: str) -> str:
    """Why the last line changed nothing."""
    *_, last = play(read_in(LANGUAGE, SET_UP + lines, "room"))
    return last.outcome.ignored


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("busts C 1", "There is no table C; the tables are A, B."),
        ("busts A 9", "Nobody sits in seat 9 of table A."),
        ("busts-with A 1:100", "Only in hand-for-hand"),
        ("moves A 1 to B 2", "Seat 2 of table B is not empty."),
        ("moves A 1 to A 1", "Seat 1 of table A is not empty."),
        ("sits A 1", "Seat 1 of table A is not empty."),
        ("sits B 10", "A table of this room has 9 seats: there is no seat 10."),
        ('name A 9 "Anna"', "Nobody sits in seat 9 of table A."),
        ('name A 1 "Anna"\nsits B 9 "Anna"', "Anna sits in seat 1 of table A already; nobody sits twice."),
        ('sits B 9 500 "Anna"\nname A 1 "Anna"', "Anna sits in seat 9 of table B already"),
        ("level 3\nlevel 2", "Level 3 is being played: a level does not go back to 2."),
        ("table A seats 1", "Table A is there already."),
        ("table C seats 10", "A table of this room has 9 seats: there is no seat 10."),
        ("prizes 100 200", "name the first place first"),
        ("room nlhe 6", "The room has tables already."),
        ("draw A 1 Kh", "No table is being broken."),
        ("seat-cards B8", "No table is being broken."),
        ("break A\nseat-cards B1", "Seat 1 of table B is not empty."),
        ("break A\nseat-cards B8 B8", "Two seat cards name the same seat."),
        ("break A\ndraw B 1 Kh", "Table A is being broken, not table B."),
        ("break A\ndraw A 1 Kh\ndraw A 2 Kh", "each is dealt once"),
        ("break A\ndraw A 1 ??", "is a face"),
        ("break A\ndraw A 1 joker", "is a face"),
        ("break A\ndraw A 1 Kh*", "is a face"),
        ("offer chop", "The stack of seat 1 of table A is not known."),
        ("knocks-out A 1 by 1", "Seat 1 cannot win the pot that puts it out."),
        ("knocks-out A 1 by 9", "Nobody sits in seat 9 of table A."),
    ],
)
def test_a_wrong_fact_changes_nothing_and_is_said(line: str, why: str) -> None:
    assert why in ignored(line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("tables A", "did you mean table?"),
        ("room nlhe 1", "2 seats or more"),
        ("house balance 0", "a difference of 1 or more"),
        ("table AAAA seats 1", "a table such as B"),
        ("level 0", "a level from 1 on"),
        ('sits A 1 500 ""', "words between double quotes"),
        (f'name A 1 "{"x" * 65}"', "64 characters at most"),
        ("offer fair", "expected a formula: chop, icm"),
        ("seat-cards B11", "a table and its seat such as B8"),
        ("busts A 1:5 2", "SEAT:AMOUNT"),
        ("", "no statement of a room"),
    ],
)
def test_a_wrong_line_is_a_sentence(line: str, why: str) -> None:
    with pytest.raises(ScriptError, match=why.replace("?", r"\?")):
        parse_line(line)


def test_a_room_is_known_by_its_first_statement() -> None:
    assert is_room("# a comment\n\nroom nlhe 9\n") and is_room("\ufeff@3 room nlhe 9")
    assert not is_room("rules tda-2022\nroom nlhe 9") and not is_room("roommate") and not is_room("")


def test_a_move_that_is_not_possible_leaves_the_player_where_he_is() -> None:
    room = Room()
    for number, line in enumerate([*SET_UP.split("\n")[:-1], "moves A 1 to B 2"]):
        apply_event(room, number, parse_line(line))
    assert room.tables.left == 9 and 1 in room.tables.tables["A"].players


PRIZES = st.lists(st.integers(0, 10**9), min_size=1, max_size=12).map(lambda prizes: sorted(prizes)[::-1])
STACKS = st.lists(st.integers(1, 10**9), min_size=1, max_size=9)


@given(PRIZES, STACKS)
def test_a_deal_never_pays_more_than_there_is_and_at_most_a_unit_a_player_less(
    prizes: list[int], stacks: list[int]
) -> None:
    pool = sum(prizes[: len(stacks)])
    for formula in (money.chop, money.icm):
        paid = formula(prizes, stacks)
        assert pool - len(stacks) <= sum(paid) <= pool
        assert all(amount >= 0 for amount in paid)
    assert 0 <= sum(prizes) - sum(money.half_by_chips(prizes, stacks)) <= 2 * len(stacks)


@given(PRIZES, STACKS)
def test_more_chips_are_never_worth_less(prizes: list[int], stacks: list[int]) -> None:
    for formula in (money.chop, money.icm):
        paid = formula(prizes, stacks)
        by_stack = sorted(zip(stacks, paid, strict=True))
        assert all(low <= high + 1 for (_, low), (_, high) in pairwise(by_stack))


def test_the_chip_model_of_two_is_the_share_of_the_chips() -> None:
    assert money.icm([100, 0], [3, 1]) == [75, 25]
    assert money.icm([60, 40], [3, 1]) == [55, 45]


@given(st.text(max_size=20), st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_the_rooms_own_draw_gives_each_player_an_empty_seat_of_its_own(
    seed: str, broken: int, first: int, second: int
) -> None:
    tables = Tables(9)
    for name, count in (("A", broken), ("B", first), ("C", second)):
        tables.tables[name] = SeatedTable(name, {seat: Player() for seat in range(1, count + 1)})
    cards, dealt = breaking.drawn(seed, tables, "A")
    assert (cards, dealt) == breaking.drawn(seed, tables, "A")
    given_to = breaking.places(cards, dealt)
    assert given_to.keys() == set(range(1, broken + 1)) and len(set(given_to.values())) == broken
    assert all(seat not in tables.tables[name].players for name, seat in given_to.values())
    sizes = [
        count + sum(name == to for to, _ in given_to.values())
        for name, count in (("B", first), ("C", second))
    ]
    assert abs(sizes[0] - sizes[1]) <= max(1, abs(first - second))


def test_ranks_go_before_suits_and_spades_before_hearts() -> None:
    order = [("B", 1), ("B", 2), ("B", 3)]
    dealt = {2: Card("Qs"), 5: Card("Kd"), 9: Card("Kh")}
    assert breaking.places(order, dealt) == {9: ("B", 1), 2: ("B", 2), 5: ("B", 3)}


@pytest.mark.parametrize("seed", range(3))
def test_a_night_of_many_tables_keeps_everybody(seed: int) -> None:
    """26 tables are played down to the last player: whoever goes out has a place of his own, and tables stay
    balanced when each move is made that is due.
    """
    chance = random.Random(seed)
    room, entries = Room(), 0

    def apply(event: ev.Event) -> None:
        nonlocal entries
        entries += 1
        outcome = apply_event(room, entries, event)
        assert outcome.ignored == "", (event, outcome.ignored)

    apply(ev.Open("nlhe", 9))
    apply(ev.Rules("tda-2022"))
    apply(ev.Prizes(tuple(range(900, 0, -100))))
    names = [chr(ord("A") + number) for number in range(26)]
    for name in names:
        apply(ev.Seated(name, tuple(range(1, 10))))
        apply(ev.Positions(name, 7, 8, 9))
    players, places = room.tables.left, list[int]()
    while room.tables.left > 1:
        playing = [table for table in room.tables.tables.values() if table.players]
        table = chance.choice(playing)
        if len(playing) > 1 and (room.tables.left + 8) // 9 < len(playing):
            shortest = min(playing, key=lambda each: len(each.players))
            apply(ev.Break(shortest.name, f"{seed} {entries}"))
            for (name, seat), (to, to_seat) in list(room.new_places.items()):
                if name == shortest.name and seat in shortest.players:
                    apply(ev.Moves(name, seat, to, to_seat))
            assert not shortest.players
            room.new_places.clear()
            continue
        if len(table.players) > 1:
            apply(ev.NextHand((table.name,)))
            seat = chance.choice(sorted(table.players))
            apply(ev.Busts(table.name, {seat: None}))
            places.append(room.tables.out[table.name, seat].first)
        while (move := room.balance) is not None and move.seat is not None:
            apply(ev.Moves(move.table, move.seat, move.to, move.to_seat))
        assert entries < 10 * players
    assert sorted(places) == list(range(2, players + 1))


@pytest.mark.parametrize("seed", range(3))
def test_a_night_keeps_every_player_and_chip_and_no_blind_passes_anybody(seed: int) -> None:
    """The night of the benchmark, which checks itself after each round, with 20 tables."""
    night = Night(20, 150, seed)
    night.play(lambda _: None)
    (_, winner), *others = night.room.tables.playing()
    assert others == [] and winner.stack == 150 * STACK
    assert sorted(player.first for _, player in night.room.tables.gone) == list(range(2, 151))


def test_a_room_is_written_to_a_record_and_read_again() -> None:
    room = [
        *SET_UP.split("\n")[:-1],
        'sits B 9 500 "Anna"',
        "stack A 1 700",
        "busts A 1:700",
        "break A seed x",
    ]
    for event in map(parse_line, room):
        assert msgspec.json.decode(msgspec.json.encode(event), type=ev.AnyEvent) == event
    assert {type(parse_line(line)) for line in room} <= set(ev.EVENTS)
