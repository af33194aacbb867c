"""Tables that differ from those on which sensing was set: what is drawn, and that sensing learns them."""

from random import Random
from xml.etree import ElementTree

import msgspec
import pytest

from benchmarks.spread import draw
from benchmarks.tables import HOLDEM, OWN, PLAYED, SINGLE, drawn, geometry, measure
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, seat_place
from tablebridge.sim.dealing import Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import SEATED
from tablebridge.sim.rig import new_deck
from tablebridge.sim.table import STUB_DEPTH, Table

SEED = 27


def test_labels_may_be_rotated_against_the_antennas_and_a_muck_lie_beside_the_board() -> None:
    plain, rotated = geometry(), geometry(rotated=4)
    assert set(plain[MUCK]) == {STUB, seat_place(1)} and set(rotated[MUCK]) == {STUB, seat_place(5)}
    assert seat_place(9) in plain[STUB] and seat_place(4) in rotated[STUB]
    assert seat_place(1) in rotated[seat_place(9)] and seat_place(1) not in plain[seat_place(9)]
    assert MUCK not in plain[BOARD] and MUCK in geometry(muck_by_board=True)[BOARD]
    assert all(place in rotated[other] for place, near in rotated.items() for other in near)


def test_the_same_seed_draws_the_same_tables_and_tables_differ() -> None:
    tables = [drawn(Random(number)) for number in range(50)]
    assert tables == [drawn(Random(number)) for number in range(50)]
    assert {table.level for table in tables} == {"mild", "typical", "harsh"}
    assert {table.line.readers for table in tables} == {1, 2, 4}
    assert {table.players for table in tables} == set(range(2, 10))
    assert {table.game for table in tables} == set(PLAYED)
    assert {table.muck_by_board for table in tables} == {True, False}
    assert min(table.noise.far for table in tables) < 1e-4 < 1e-2 < max(table.noise.far for table in tables)
    assert any(table.noise.anywhere for table in tables) and any(table.rotated for table in tables)


def test_a_dealer_twice_as_fast_deals_the_same_hand_in_half_the_time() -> None:
    table = SINGLE["mild"]
    ends, landings = [], []
    for tempo in (1.0, 2.0):
        rng = Random(SEED)
        hand = random_hand(rng, SEATED, 9, (50, 100), dict.fromkeys(SEATED, 10_000))
        dealing = Dealing(table.noise, hand, new_deck(rng), Random(1), table.near, tempo)
        ends.append(dealing.end_s)
        landings.append([(landing.tag, landing.place, landing.at_s * tempo) for landing in dealing.landings])
    assert ends[1] == ends[0] / 2 and landings[0] == landings[1]


def test_a_deep_stub_answers_to_antennas_beside_it_and_each_of_its_cards_may() -> None:
    noise = msgspec.structs.replace(LEVELS["mild"], far=0.05)
    read = {}
    for depth in (STUB_DEPTH, 52):
        table = Table(noise, SEED, geometry(), depth)
        table.put([str(number) for number in range(52)], STUB)
        tags = [tag for _ in range(400) for tag in table.visit(BURN)]
        read[depth] = (len(tags) / 400, len(set(tags)))
    assert read[STUB_DEPTH][1] == STUB_DEPTH and read[52][1] == 52
    assert 0.1 < read[STUB_DEPTH][0] < 0.2 and 2.2 < read[52][0] < 3.0


def test_a_table_of_the_family_may_play_another_game_than_holdem() -> None:
    table = msgspec.structs.replace(SINGLE["mild"], game="stud", players=3)
    scores = measure(table, 1, Random(SEED), [OWN, "window 3/5"])
    assert scores[OWN].landings == scores["window 3/5"].landings >= 18 and scores[OWN].hands == 1
    assert scores[OWN].missed + scores[OWN].false <= 1
    assert "stud, 3 players" in str(table) and table.game != HOLDEM


@pytest.mark.slow
def test_cross_reading_of_a_percent_is_learned_within_a_hand() -> None:
    """A filter that takes cross-reading for granted makes six errors a hand at such a table."""
    score = measure(SINGLE["mild, cross-reading 1 %"], 2, Random(SEED), [OWN])[OWN]
    assert score.missed + score.false <= 2


def test_antennas_of_some_tables_differ_and_a_weak_one_misses_more() -> None:
    drawn_tables = [drawn(Random(number)) for number in range(50)]
    assert any(table.weak for table in drawn_tables) and not all(table.weak for table in drawn_tables)
    assert all(STUB not in table.weak for table in drawn_tables)
    seat, other = seat_place(4), seat_place(5)
    table = Table(LEVELS["typical"], SEED, weak={seat: 2.0})
    reads = {seat: 0, other: 0}
    for number in range(300):
        for place in reads:
            table.put([f"{place} {number % 2}"], place)
            reads[place] += len(table.visit(place))
    assert reads[seat] < 0.8 * reads[other]


def test_the_picture_has_a_line_for_each_method_that_ends_at_its_worst_table() -> None:
    svg = draw({"tablebridge": [0.0, 0.0, 1.0, 0.0], "smurf 3": [10.0, 100.0, 1.0, 10.0]})
    root = ElementTree.fromstring(svg)
    paths = {
        path.findtext("{*}title"): path.attrib["d"]
        for path in root.iter("{http://www.w3.org/2000/svg}path")
        if path.findtext("{*}title")
    }
    ends = {name: float(steps.rpartition("H")[2].partition("V")[0]) for name, steps in paths.items()}
    tops = {steps.rpartition("V")[2] for steps in paths.values()}
    assert set(paths) == {"tablebridge", "smurf 3"} and len(tops) == 1
    across = ends["smurf 3"] - 60
    assert ends["tablebridge"] - 60 == pytest.approx(across / 3, abs=0.2), "0.1, 1, 10, 100"
