"""`tablebridge sense` and `tablebridge enrol`."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from rig.groups import alone, message

from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.topics import READING
from tablebridge.cli.enrol import command as enrol
from tablebridge.cli.sense import sense
from tablebridge.model.cards import DECK_52
from tablebridge.model.decks import spread_order
from tablebridge.model.instant import START
from tablebridge.model.places import BOARD, BURN, MUCK, seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.settings.decks import load_deck
from tablebridge.settings.site import Broker

UID = "E0040100000000{:02X}".format
TAGS = {UID(number): card for number, card in enumerate(DECK_52)}
PLACES = [seat_place(1), seat_place(2), BOARD, BURN, MUCK]


def recording(hands: int = 1) -> Iterator[str]:
    """Two seats are dealt to, one folds, three cards come after a burn."""
    yield json.dumps(
        {"table": {"seats": [1, 2], "button": 2, "antennas": dict(enumerate(PLACES)), "tags": TAGS}}
    )
    tag = {card: tag for tag, card in TAGS.items()}
    moves = [("Ah", 0), ("Kd", 1), ("Qc", 0), ("Js", 1), ("2c", 3), ("3c 4c 5c", 2), ("Ah Qc", 4)]
    for hand in range(hands):
        lies: dict[str, int] = {}
        at = 0
        yield json.dumps({"hand": hand, "begin": True, "at_ms": 0})
        for cards, place in moves:
            for card in cards.split():
                lies[tag[card]] = place
            for _ in range(12):
                for antenna in range(len(PLACES)):
                    at += 10
                    read = [one for one, where in lies.items() if where == antenna]
                    yield json.dumps(
                        {"hand": hand, "at_ms": at, "visited_ms": at - 2, "antenna": antenna, "tags": read}
                    )
        yield json.dumps({"hand": hand, "end": True, "at_ms": at})


def test_a_recording_without_its_first_line_is_complained_of_once() -> None:
    out, complaints = io.StringIO(), io.StringIO()
    lines = list(recording())[1:]
    read, skipped = sense(lines, out, complaints)
    assert (read, skipped, out.getvalue()) == (0, len(lines), "")
    assert complaints.getvalue().splitlines() == ['line 1: the first line must be {"table": {...}}; skipped']


def test_after_the_table_has_come_each_line_that_is_no_reading_is_named() -> None:
    out, complaints = io.StringIO(), io.StringIO()
    first, *rest = recording()
    sense(["no table", "neither", first, "what", *rest, "garbage"], out, complaints)
    assert [line.partition(":")[0] for line in complaints.getvalue().splitlines()] == [
        "line 1",
        "line 4",
        f"line {4 + len(rest) + 1}",
    ]


def test_sense_prints_where_each_card_went() -> None:
    out, complaints = io.StringIO(), io.StringIO()
    read, skipped = sense(recording(2), out, complaints)
    assert (read, skipped, complaints.getvalue()) == (1 + 2 * (2 + 7 * 12 * 5), 0, "")
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    for hand in (0, 1):
        reported = [(event["card"], event["place"]) for event in events if event["hand"] == hand]
        assert reported[:5] == [
            ("Ah", "seat 1"),
            ("Kd", "seat 2"),
            ("Qc", "seat 1"),
            ("Js", "seat 2"),
            ("2c", "burn"),
        ]
        assert sorted(reported[5:]) == sorted(
            [("3c", "board"), ("4c", "board"), ("5c", "board"), ("Ah", "muck"), ("Qc", "muck")]
        )
    assert all(event["at_ms"] % 10 == 0 for event in events)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not JSON"),
        ("[]", "one JSON object"),
        ('{"at_ms": 1}', '"hand" and "at_ms"'),
        ('{"hand": 0, "at_ms": 1, "antenna": "x", "tags": []}', "antenna"),
        ('{"hand": 0, "at_ms": 1, "antenna": 0, "tags": [7]}', "tags"),
        ('{"table": {"seats": "?"}}', "the table needs"),
        ('{"hand": 0, "at_ms": 1e999, "antenna": 0, "tags": []}', "milliseconds"),
    ],
)
def test_sense_names_and_skips_what_it_cannot_read(line: str, words: str) -> None:
    lines = list(recording())
    lines.insert(4, line)
    out, complaints, clean = io.StringIO(), io.StringIO(), io.StringIO()
    assert sense(lines, out, complaints)[1] == 1
    assert complaints.getvalue().startswith("line 5: ")
    assert words in complaints.getvalue()
    sense(recording(), clean, io.StringIO())
    assert out.getvalue() == clean.getvalue()


def test_sense_ends_with_2_where_nothing_can_be_read() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", "sense"],
        input="nonsense\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "line 1: " in done.stderr
    assert "1 of 1 lines were skipped" in done.stderr
    assert "Traceback" not in done.stderr


def site_file(folder: Path, port: int = 18830) -> Path:
    path = folder / "site.toml"
    path.write_text(f"""
        state_dir = "{folder}"
        [broker]
        port = {port}
        [[table]]
        name = "one"
        group = "alone"
        [[table.device]]
        name = "reader"
        driver = "line"
        port = "/dev/null"
        antennas = {{ 3 = "seat 1" }}
    """)
    return path


def lay(number: int) -> list[str]:
    return [
        json.dumps({"kind": "sweep", "antenna": 3, "tags": tags, "visits": 3}) for tags in ([UID(number)], [])
    ]


def test_enrol_from_lines_saves_each_card_and_goes_on(tmp_path: Path) -> None:
    arguments = ["red", "--site", str(site_file(tmp_path)), "--kind", "32", "--readings", "-"]
    lines = [*lay(1), *lay(2), *lay(2), "undo", "rubbish", *lay(3)]
    result = CliRunner().invoke(enrol, arguments, input="\n".join(lines))
    assert result.exit_code == 0
    assert "2 of 32 cards" in result.stdout
    assert "line 8: " in result.stderr
    assert "card 2 of the deck already" in result.stderr.replace("\n", " ")
    path = tmp_path / "decks" / "red.toml"
    assert load_deck(path).cards == {UID(1): "Ah", UID(3): "7h"}
    result = CliRunner().invoke(
        enrol, arguments, input="\n".join(line for number in range(10, 60) for line in lay(number))
    )
    assert "complete: 32 cards" in result.stdout
    deck = load_deck(path)
    assert deck.missing == ()
    assert list(deck.cards.values()) == list(spread_order("32"))


def test_enrol_names_the_deck_to_which_a_tag_belongs_already(tmp_path: Path) -> None:
    arguments = ["--site", str(site_file(tmp_path)), "--kind", "32", "--readings", "-"]
    CliRunner().invoke(enrol, ["blue", *arguments], input="\n".join(lay(1)))
    result = CliRunner().invoke(enrol, ["red", *arguments], input="\n".join([*lay(1), *lay(2)]))
    assert "This tag belongs to the deck blue" in result.stderr.replace("\n", " ")
    assert load_deck(tmp_path / "decks" / "red.toml").cards == {UID(2): "Ah"}


def enrolling(site: Path) -> subprocess.Popen[str]:
    """`tablebridge enrol red` at the device `reader`."""
    command = [sys.executable, "-m", "tablebridge", "enrol", "red", "--site", str(site), "--device", "reader"]
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "100"},
    )


def test_enrol_listens_to_a_reader_on_the_bus(tmp_path: Path) -> None:
    with EmbeddedBroker(tmp_path, groups=alone({"reader": "one"})) as broker:
        user, password = broker.accounts["dev-reader"]
        client = BusClient(Broker(port=broker.port), "reader", user, password)
        process = enrolling(site_file(tmp_path, broker.port))
        try:
            path = tmp_path / "decks" / "red.toml"
            topic = READING.of("site", "one", "reader")
            deadline = time.monotonic() + 60
            number = 0
            while time.monotonic() < deadline and not (path.exists() and len(load_deck(path).cards) == 2):
                number += 1
                tags = (UID(1),) if number % 8 < 4 else (UID(2),) if number % 16 > 12 else ()
                for antenna in (3, 4):
                    sweep = Sweep(antenna, tags if antenna == 3 else (UID(9),), 2)
                    client.publish(topic, message(Stamped("reader", "e", number, START, sweep)))
                client.step(0.05)
            cards = load_deck(path).cards  # whichever it heard first is the first card
            assert (set(cards), sorted(cards.values())) == ({UID(1), UID(2)}, ["2h", "Ah"])
            process.send_signal(signal.SIGINT)
            assert "has 2 of 52 cards" in process.communicate(timeout=60)[0]
        finally:
            process.kill()
            process.communicate()
            client.close()


def test_enrol_asks_which_reader(tmp_path: Path) -> None:
    result = CliRunner().invoke(enrol, ["red", "--site", str(site_file(tmp_path)), "--device", "raeder"])
    assert "The site file has no device 'raeder'; it has reader." in str(result.exception)
