"""What a table learns of its antennas: from play, from one card laid on each place, and when one of them
fails.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from rig.groups import alone, message

from tablebridge.antennas.calibration import Calibration, learn
from tablebridge.antennas.drift import Drift
from tablebridge.antennas.dwell import MOST_FOLLOWED, DwellCounter, DwellCounts, antenna_name
from tablebridge.antennas.guide import LIFTED, MEASURED, Guide
from tablebridge.app.antenna_counts import (
    calibration_path,
    hand_over,
    handed_over,
    known_counts,
    load_counts,
    save_counts,
)
from tablebridge.app.calibration import CalibrationKeeper, map_of
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.topics import READING
from tablebridge.cli.calibrate import command
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.model.learnt import lone_card
from tablebridge.model.places import MUCK, STUB
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Broker
from tablebridge.sim.dealing import Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.polling import LINES, PLACES, SEATED, RoundRobin, poll
from tablebridge.sim.rig import new_deck
from tablebridge.web.crosstalk import draw
from tests.effort import steps

ANTENNAS = {("table", number): place for number, place in enumerate(PLACES)}
SPOTS = {antenna_name(*key): place for key, place in ANTENNAS.items()}


def hands(
    level: str, count: int, seed: int, worse: tuple[int, float] | None = None
) -> Iterator[list[tuple[Sweep, int]]]:
    """What is read in some hands, and when. `worse`: an antenna that misses cards on top, reading them with a
    probability.
    """
    rng, deaf = Random(seed), Random(seed)
    deck = new_deck(rng)
    for number in range(count):
        hand = random_hand(rng, SEATED, 9, (50, 100), dict.fromkeys(SEATED, 10_000))
        dealing = Dealing(LEVELS[level], hand, deck, rng)
        read = []
        for report in poll(dealing, LEVELS[level], LINES[level], RoundRobin(), rng):
            hit = worse[1] if worse is not None and report.antenna == worse[0] else 1.0
            tags = tuple(tag for tag in report.tags if deaf.random() < hit)
            read.append((Sweep(report.antenna, tags), round((1000 * number + report.at_s) * 1e9)))
        yield read


def counted(level: str, count: int, seed: int = 1) -> DwellCounts:
    collector = DwellCounter(ANTENNAS)
    for hand in hands(level, count, seed):
        for sweep, at_ns in hand:
            collector.count_report("table", sweep, at_ns)
        collector.end_hand()
    return collector.counts


@pytest.fixture(scope="module")
def counts() -> DwellCounts:
    return counted("typical", 8)


@pytest.fixture(scope="module")
def learnt(counts: DwellCounts) -> Calibration:
    found = learn(counts, SPOTS)
    assert found is not None
    return found


def test_rates_of_the_noise_are_found_without_a_label(learnt: Calibration) -> None:
    noise = LEVELS["typical"]
    rates = {antenna.place: antenna.hit for antenna in learnt.antennas.values()}
    assert set(rates) == set(PLACES)
    assert all(0.62 < rates[f"seat {seat}"] < 0.84 for seat in SEATED)
    assert 0.8 < rates["board"] < 0.95
    assert rates[MUCK] < 0.6
    assert noise.frailty - 0.3 < learnt.spread < noise.frailty + 0.3
    assert 0.5 * noise.edge < learnt.edge < 2 * noise.edge
    assert 0.5 * noise.edge_read < learnt.edge_read < 1.5 * noise.edge_read
    assert all(0.12 < antenna.cycle_s < 0.2 for antenna in learnt.antennas.values())


def test_a_clean_table_is_found_clean() -> None:
    found = learn(counted("clean", 1), SPOTS)
    assert found is not None
    assert all(antenna.hit > 0.98 for antenna in found.antennas.values() if antenna.place != STUB)
    assert (found.edge, found.cross) == (0, {})


def test_cross_reads_are_of_neighbours(learnt: Calibration) -> None:
    near = {
        frozenset(pair)
        for pair in (
            *((f"seat {seat}", f"seat {seat + 1}") for seat in range(1, 9)),
            ("stub", "burn"),
            ("stub", "muck"),
            ("burn", "board"),
            ("muck", "seat 1"),
        )
    }
    strong = [
        frozenset((SPOTS[spot], SPOTS[other]))
        for spot, others in learnt.cross.items()
        for other, rate in others.items()
        if rate > 0.003
    ]
    assert len(strong) > 5
    assert set(strong) <= near


def test_nothing_is_learnt_from_nothing() -> None:
    assert learn(DwellCounts(), SPOTS) is None
    assert learn(counted("clean", 0), SPOTS) is None


def test_repeated_visits_count_as_often() -> None:
    both = []
    for joined in (False, True):
        collector = DwellCounter(ANTENNAS)
        for number in range(9):
            for _ in range(1 if joined else 3):
                collector.count_report(
                    "table", Sweep(0, ("E0",) if number % 4 else (), 3 if joined else 1), number * 10**8
                )
        collector.end_hand()
        both.append(collector.counts)
    assert both[0].stays == both[1].stays
    assert both[0].visits == both[1].visits


@pytest.mark.parametrize(("worse", "what"), [((3, 0.5), "weak"), ((11, 0.0), "dead")])
def test_an_antenna_that_fails_is_reported_once(
    counts: DwellCounts, learnt: Calibration, worse: tuple[int, float], what: str
) -> None:
    counts.hands, counts.used = 30, dict.fromkeys(SPOTS, 30)
    drift, collector = Drift(learnt, counts), DwellCounter(ANTENNAS)
    reported = []
    for hand in hands("typical", 12, 9, worse):
        for sweep, at_ns in hand:
            collector.count_report("table", sweep, at_ns)
        reported += drift.judge_hand(collector.end_hand())
    assert [(failing.antenna, failing.what) for failing in reported] == [(f"table/{worse[0]}", what)]
    event = reported[0].event
    assert (event.device, event.antenna, event.places, event.health) == (
        "table",
        worse[0],
        (PLACES[worse[0]],),
        "degraded",
    )
    assert ("no card in" if what == "dead" else "of what lies there") in reported[0].detail


def test_antennas_that_read_as_before_are_left_alone(counts: DwellCounts, learnt: Calibration) -> None:
    drift, collector = Drift(learnt, counts), DwellCounter(ANTENNAS)
    for hand in hands("typical", 8, 10):
        for sweep, at_ns in hand:
            collector.count_report("table", sweep, at_ns)
        assert drift.judge_hand(collector.end_hand()) == []


def test_the_map_is_a_picture_without_tags(learnt: Calibration) -> None:
    text = draw(map_of(learnt, 0))
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert all(place in text for place in PLACES)
    assert "E00401" not in text


# Guided.


def lay(guide: Guide, antenna: int, *, hit: float = 1.0, also: int | None = None, tag: str = "E0AA") -> None:
    """The card lies on an antenna, read so often; another antenna reads it now and then."""
    rng = Random(antenna)
    for number in range(MEASURED + 20):
        for other in range(3):
            reads = (other == antenna and rng.random() < hit) or (other == also and number % 5 == 0)
            guide.measure_report("r", Sweep(other, (tag,) if reads else ()), number * 10**8)
        if len(guide.done) > antenna:
            return


def test_a_card_is_led_from_place_to_place() -> None:
    places = {"r/0": "seat 1", "r/1": "seat 2", "r/2": "board"}
    guide = Guide(places)
    assert guide.place == "seat 1"
    lay(guide, 0)
    assert guide.place == "seat 2"
    lay(guide, 1, hit=0.6, also=2)
    lay(guide, 2)
    assert guide.place is None
    assert [(one.place, one.antenna, one.visits) for one in guide.done] == [
        ("seat 1", "r/0", MEASURED),
        ("seat 2", "r/1", MEASURED),
        ("board", "r/2", MEASURED),
    ]
    assert (guide.done[0].rate, guide.done[0].advice(places)) == (1.0, [])
    weak, crossed = guide.done[1].advice(places)
    assert weak.startswith(("seat 2 reads 5", "seat 2 reads 6"))
    assert "read at board too" in crossed


def test_a_place_that_is_not_read_can_be_skipped_and_two_cards_are_refused() -> None:
    guide = Guide({"r/0": "seat 1", "r/1": "seat 2"})
    reported = [guide.measure_report("r", Sweep(0, ("E0AA", "E0BB")), number) for number in range(9)]
    assert [one for one in reported if one] == ["several"]
    guide.skip()
    assert "never read" in guide.done[0].advice({})[0]
    lay(guide, 1)
    assert guide.place is None


def test_a_card_can_be_laid_several_times_on_each_place() -> None:
    guide = Guide({"r/0": "seat 1", "r/1": "seat 2"}, times=2)
    for hit in (1.0, 0.5):
        rng = Random(7)
        for _ in range(LIFTED):
            guide.measure_report("r", Sweep(0, ()), 0)
        reported = []
        while "measured" not in reported and len(reported) < 3 * MEASURED:
            reported.append(guide.measure_report("r", Sweep(0, ("E0AA",) if rng.random() < hit else ()), 0))
        for _ in range(30):
            assert guide.measure_report("r", Sweep(0, ("E0AA",)), 0) is None
    assert guide.place == "seat 2"
    lay(guide, 1)
    found = guide.result()
    assert found is not None
    seat = found.antennas["r/0"]
    assert (seat.stays, seat.visits) == (2, 2 * MEASURED)
    assert seat.low < 0.7 and seat.hit == pytest.approx((1 + seat.low) / 2)


def site(folder: Path, port: int = 18830) -> Path:
    path = folder / "site.toml"
    path.write_text(f"""
        state_dir = "{folder}"
        [broker]
        port = {port}
        [[table]]
        name = "one"
        group = "alone"
        [[table.device]]
        name = "r"
        driver = "line"
        port = "/dev/null"
        antennas = {{ 0 = "seat 1", 1 = "seat 2" }}
        """)
    return path


def test_calibrate_measures_says_what_to_do_draws_and_remembers(tmp_path: Path) -> None:
    path, picture = site(tmp_path), tmp_path / "map.svg"
    lines = [
        json.dumps(
            {
                "device": "r",
                "kind": "sweep",
                "antenna": antenna,
                "at_ms": 50 * number,
                "tags": ["E0AA"] if antenna == lies and (lies == 0 or number % 2) else [],
            }
        )
        for lies in (0, 1)
        for number in range(MEASURED + 20)
        for antenna in (0, 1)
    ]
    done = CliRunner().invoke(
        command,
        ["--site", str(path), "--readings", "-", "--map", str(picture)],
        input="\n".join(["nonsense", *lines]),
    )
    assert done.exception is None, done.output
    assert "line 1: this is no sweep" in done.stderr
    assert "2 of 2: lay the card on seat 2." in done.stderr
    assert "seat 2 reads 50% only: move the antenna closer" in done.stdout
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    again = CliRunner().invoke(command, ["--site", str(path), "--learnt", "--json"])
    reported = json.loads(again.stdout)
    assert reported["antennas"]["r/1"]["hit"] < reported["antennas"]["r/0"]["hit"]


def test_calibrate_says_what_is_missing(tmp_path: Path) -> None:
    path = site(tmp_path)
    for arguments, words in (
        (["--learnt"], "Nothing is known of the antennas"),
        (["--table", "two"], "no table 'two'"),
    ):
        done = CliRunner().invoke(command, ["--site", str(path), *arguments])
        assert isinstance(done.exception, ConfigError)
        assert words in str(done.exception)
    calibration_path(load_site(path), load_site(path).tables[0]).parent.mkdir()
    calibration_path(load_site(path), load_site(path).tables[0]).write_text("{")
    assert "holds no calibration" in str(
        CliRunner().invoke(command, ["--site", str(path), "--learnt"]).exception
    )


def test_the_engine_keeps_what_it_learns(tmp_path: Path) -> None:
    loaded = load_site(site(tmp_path))
    table = loaded.tables[0]
    keeper = CalibrationKeeper(loaded, table)
    keeper.hand(1)
    for hand in range(2, 4):
        keeper.readings(
            Stamped("r", "e", number, Instant(0, number * 10**8), Sweep(0, ("E0AA",))) for number in range(40)
        )
        assert keeper.hand(hand) == []
    keeper.save()
    kept = load_counts(calibration_path(loaded, table))
    assert (kept.hands, kept.used) == (2, {"r/0": 2})
    assert kept.stays["r/0"]
    save_counts(calibration_path(loaded, table), kept)
    assert CalibrationKeeper(loaded, table).hand(1) == []


def test_what_was_measured_counts_once_whatever_was_killed_when(tmp_path: Path) -> None:
    loaded = load_site(site(tmp_path))
    table, now = loaded.tables[0], Instant(5, 7)
    counts = DwellCounts(stays={"r/0": {"10 9": 1}}, visits={"r/0": 10}, timed={"r/0": (10**9, 10)})
    hand_over(loaded.state_dir, table.name, counts)
    hand_over(loaded.state_dir, f"{table.name}.x", counts)
    assert known_counts(loaded.state_dir, table.name).stays == counts.stays
    keeper = CalibrationKeeper(loaded, table)
    (measured,) = keeper.measured(now)
    assert measured.record(now).lone == {"r/0": lone_card({(10, 9): 1})}
    assert keeper.measured(now) == [], "it looks once per second"
    text = measured.path.read_bytes()
    keeper.take(measured)
    assert not measured.path.exists()
    measured.path.write_bytes(text)  # as if it had been killed before it deleted the file
    again = CalibrationKeeper(loaded, table)
    assert known_counts(loaded.state_dir, table.name).visits == {"r/0": 10}
    (measured,) = again.measured(now)
    again.take(measured)
    kept = load_counts(calibration_path(loaded, table))
    assert (kept.stays, kept.visits, kept.timed) == (counts.stays, counts.visits, counts.timed)
    assert handed_over(loaded.state_dir, table.name) == []


def test_a_measurement_that_cannot_be_read_is_put_aside(tmp_path: Path) -> None:
    loaded = load_site(site(tmp_path))
    hand_over(loaded.state_dir, loaded.tables[0].name, DwellCounts())
    (path,) = handed_over(loaded.state_dir, loaded.tables[0].name)
    for damaged in ("{", '{"stays": {"r/0": {"5 9": 1}}}'):
        path.write_text(damaged)
        assert CalibrationKeeper(loaded, loaded.tables[0]).measured(Instant(5, 7)) == []
        assert [left.suffix for left in path.parent.iterdir()] == [".damaged"]


def test_calibrate_listens_to_the_readers_on_the_bus(tmp_path: Path) -> None:
    with EmbeddedBroker(tmp_path, groups=alone({"r": "one"})) as broker:
        client = BusClient(Broker(port=broker.port), "reader", *broker.accounts["dev-r"])
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tablebridge",
                "calibrate",
                "--site",
                str(site(tmp_path, broker.port)),
                "--json",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None and process.stderr is not None
        try:
            topic, lies, number, deadline = READING.of("site", "one", "r"), 0, 0, time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline:
                number += 1
                # The card goes on to the next place in a while, and comes back should it have been too early.
                lies = number // 60 % 2
                for antenna in (0, 1):
                    sweep = Sweep(antenna, ("E0AA",) if antenna == lies else ())
                    stamped = Stamped("r", "e", number, Instant(0, number * 50_000_000), sweep)
                    client.publish(topic, message(stamped))
                client.step(0.01)
            reported = json.loads(process.communicate(timeout=60)[0])
        finally:
            process.kill()
            process.communicate()
            client.close()
    assert {spot: antenna["visits"] for spot, antenna in reported["antennas"].items()} == {
        "r/0": MEASURED,
        "r/1": MEASURED,
    }


def test_cards_that_come_together_cost_their_number_and_not_its_square() -> None:
    def cost(count: int) -> int:
        collector = DwellCounter({("table", 0): PLACES[0]})

        def three_sweeps() -> None:
            for at_ns in range(3):
                tags = tuple(f"{number:08X}" for number in range(at_ns, count + at_ns))
                collector.count_report("table", Sweep(0, tags), at_ns)

        return steps(three_sweeps)

    assert PLACES[0] not in (MUCK, STUB)
    assert MOST_FOLLOWED > 8 * 200
    assert cost(8 * 200) < 10 * cost(200), "eight times as many cost eight times as much, not 64 times"


def test_tags_without_end_do_not_grow_what_is_followed() -> None:
    collector = DwellCounter({("table", 0): PLACES[0]})
    for number in range(10_000):
        collector.count_report("table", Sweep(0, (f"{number:08X}",)), number)
    assert len(collector.end_hand()) <= MOST_FOLLOWED
