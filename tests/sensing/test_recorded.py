"""`tablebridge sense` on files, captures and journals: the same recording gives the same bytes, in any
process.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from tablebridge.app.opening import open_core
from tablebridge.cli.sense import command
from tablebridge.model.errors import TablebridgeError
from tablebridge.model.instant import Instant, later
from tablebridge.model.readings import ButtonPress, Reading, Stamped, Sweep
from tablebridge.settings.decks import save_deck
from tablebridge.settings.load import load_site
from tablebridge.sim.dealing import Dealing
from tablebridge.sim.hands import random_hand
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.obid import crc
from tablebridge.sim.polling import LINES, PLACES, SEATED, RoundRobin, poll
from tablebridge.sim.rig import new_deck
from tests.app.recording import DECK, Recording, site_text

START = Instant(1_800_000_000_000_000_000, 10**12, "boot")


class Fixed:
    def now(self) -> Instant:
        return START


def sense(*arguments: str, seed: str = "0", stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tablebridge", "sense", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )


def noisy(path: Path) -> str:
    """A hand read as in a harsh place, as JSON lines."""
    rng = Random(3)
    deck = new_deck(rng)
    hand = random_hand(rng, SEATED, 9, (50, 100), dict.fromkeys(SEATED, 10_000))
    dealing = Dealing(LEVELS["harsh"], hand, deck, rng)
    lines = [
        {
            "table": {
                "seats": SEATED,
                "button": 9,
                "antennas": dict(enumerate(PLACES)),
                "tags": {tag: card for card, tag in deck.items()},
            }
        },
        {"hand": 0, "begin": True, "at_ms": 0},
    ]
    for report in poll(dealing, LEVELS["harsh"], LINES["harsh"], RoundRobin(), rng):
        lines.append({"hand": 0, "at_ms": report.at_s * 1e3, "antenna": report.antenna, "tags": report.tags})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_text(text)
    return text


def site(folder: Path) -> Path:
    save_deck(folder / "decks" / "red.toml", DECK)
    path = folder / "site.toml"
    path.write_text(site_text(folder, 18830))
    return path


def readings() -> list[Reading]:
    recording = Recording()
    recording.hand()
    recording.hand(flop=4)
    return recording.readings


def journal(path: Path) -> None:
    """The journal of the same readings."""
    loaded = load_site(path)
    core = open_core(loaded, loaded.tables[0], Fixed())
    for number, reading in enumerate(readings(), 1):
        at = later(START, number * 0.01)
        core.readings([Stamped("board", "e", number, at, reading)], at)
        core.tick(at)
    core.close()


def capture(path: Path) -> None:
    """The same readings as the board would say them."""

    def line(number: int, ms: int, *fields: object) -> bytes:
        text = ",".join(map(str, ("v1", number, ms, *fields))).encode()
        low, high = crc(text)
        return text + f"*{high:02X}{low:02X}\n".encode()

    edges: Counter[int] = Counter()
    pieces = [(0, "tx", b"?\n"), (1, "rx", line(0, 0, "h", "board/1", 7, 2, "power"))]
    for number, reading in enumerate(readings(), 1):
        ms = 10 * number
        if isinstance(reading, Sweep):
            pieces.append((ms, "rx", line(number, ms, reading.antenna, "=", reading.visits, *reading.tags)))
        elif isinstance(reading, ButtonPress):
            edges[reading.contact] += 1
            pieces.append(
                (
                    ms,
                    "rx",
                    line(number, ms, "k", reading.contact, int(reading.pressed), edges[reading.contact]),
                )
            )
    path.write_text(
        "".join(
            json.dumps({"ms": ms, "direction": what, "hex": data.hex()}) + "\n" for ms, what, data in pieces
        )
    )


@pytest.mark.parametrize("kind", ["file", "pipe", "capture", "journal"])
def test_the_same_recording_gives_the_same_bytes(tmp_path: Path, kind: str) -> None:
    path = site(tmp_path)
    stdin = None
    if kind in ("file", "pipe"):
        text = noisy(tmp_path / "readings.jsonl")
        arguments, stdin = ([str(tmp_path / "readings.jsonl")], None) if kind == "file" else ([], text)
    elif kind == "capture":
        capture(tmp_path / "board.jsonl")
        arguments = [f"board={tmp_path / 'board.jsonl'}", "--site", str(path)]
    else:
        journal(path)
        arguments = [str(tmp_path / "journal" / "one.sqlite"), "--site", str(path)]
    runs = [sense(*arguments, seed=seed, stdin=stdin) for seed in ("1", "77")]
    assert [run.returncode for run in runs] == [0, 0], runs[0].stderr
    here = CliRunner().invoke(command, arguments, input=stdin)
    assert runs[0].stdout == runs[1].stdout == here.stdout
    reported = [json.loads(line) for line in here.stdout.splitlines()]
    assert len(reported) > 15
    assert {"seat 1", "burn", "board", "muck"} <= {event["place"] for event in reported}


def test_captures_and_journals_tell_both_hands_alike(tmp_path: Path) -> None:
    path = site(tmp_path)
    capture(tmp_path / "board.jsonl")
    journal(path)
    outputs = [
        CliRunner().invoke(command, [source, "--site", str(path)]).stdout
        for source in (f"board={tmp_path / 'board.jsonl'}", str(tmp_path / "journal" / "one.sqlite"))
    ]
    reported = [[json.loads(line) for line in output.splitlines()] for output in outputs]
    hands = [
        [
            [(event["card"], event["place"]) for event in events if event["hand"] == hand]
            for hand in sorted({event["hand"] for event in events})
        ]
        for events in reported
    ]
    assert hands[0] == hands[1]
    assert [len(hand) for hand in hands[0]] == [14, 15]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a.jsonl", "b.jsonl"], "Give one file of readings"),
        (["one.sqlite"], "--site"),
        (["missing.jsonl"], "cannot be read"),
        (["board=x.jsonl", "--site", "SITE"], "x.jsonl cannot be read"),
        (["two.sqlite", "--site", "SITE"], "no journal two.sqlite"),
        (["one.sqlite", "--site", "SITE"], "there is no journal"),
        (["door=x.jsonl", "--site", "SITE"], "devices door"),
        (["board=BAD", "--site", "SITE"], "is no capture"),
    ],
)
def test_what_cannot_be_sensed_is_said_in_a_sentence(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "bad").write_text("nonsense\n")
    path = site(tmp_path)
    done = CliRunner().invoke(
        command, [one.replace("SITE", str(path)).replace("BAD", str(tmp_path / "bad")) for one in arguments]
    )
    assert isinstance(done.exception, SystemExit | TablebridgeError)
    assert words in " ".join(f"{done.exception} {done.stderr}".split())
