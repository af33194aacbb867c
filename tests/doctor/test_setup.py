"""`tablebridge setup` against devices on pseudo-terminals: the test lays the cards where the command asks for
them.
"""

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig.command import tablebridge
from rig.feig import Feig
from rig.metratec_at import MetratecAt
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.doctor import readers
from tablebridge.doctor.dialogue import Dialogue
from tablebridge.host import registry
from tablebridge.model.contacts import MEANINGS
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.places import BOARD, BURN, MUCK, seat_place
from tablebridge.model.readings import Sweep
from tablebridge.settings.decks import load_deck
from tablebridge.settings.load import load_site
from tablebridge.steps.deck_check import DeckCheck
from tablebridge.steps.mapping import EMPTY, READS, Mapping, MappingStep
from tablebridge.steps.site_text import Part, site_text

Plug = Callable[..., Pty]
CARD, LEFT_OVER = "E004010000000001", "E0040100000000FF"
DECK = [f"E00401000001{number:04X}" for number in range(32)]


def seen(reader: Feig, process: "subprocess.Popen[str]") -> None:
    """The driver has asked this reader a few times more, or has seen all that it wants."""
    before = reader.inventories
    wait_for(lambda: reader.inventories >= before + 4 or process.poll() is not None, "the reader is asked on")


def started_setup(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """`tablebridge setup` with the readers `one` and `two`, its output in a pipe."""
    ports = ("--port", str(folder / "one"), "--port", str(folder / "two"))
    return subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "setup", *ports, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def enrol(reader: Feig, process: subprocess.Popen[str], deck: Path) -> None:
    """Lay the cards of the deck one after the other."""
    for number, tag in enumerate(DECK, 1):
        reader.put(tag)
        wait_for(
            lambda number=number: deck.exists() and len(load_deck(deck).cards) == number,
            f"card {number} is enrolled",
        )
        reader.put()
        seen(reader, process)


def test_from_a_bare_box_to_a_checked_deck(plugged: Plug, tmp_path: Path) -> None:
    one, two = Feig(LEFT_OVER), Feig(number=b"\0\0\0\2")
    plugged(one, "one"), plugged(two, "two")
    out, state, answers = tmp_path / "site.toml", tmp_path / "state", tmp_path / "answers"
    answers.write_text(
        "# the table\nfinal\n1-2\n# both readers, the first by trying\ntry\n\nfeig\n\n"
        "seat 1, board\nnone\nred\n32\n"
    )
    process = started_setup(tmp_path, "--out", str(out), "--state-dir", str(state), "--answers", str(answers))
    assert process.stdout is not None
    told = ""
    try:
        for line in process.stdout:
            told += line
            if line.startswith("Lay one card at seat 1"):
                two.put(CARD)
            elif line.startswith("Lay one card at board"):
                one.put(LEFT_OVER, CARD)
            elif "Take the card away" in line:
                one.put(LEFT_OVER)
                two.put()
            elif line.startswith("Lay its cards at"):
                break
        enrol(two, process, state / "decks" / "red.toml")
        for line in process.stdout:
            told += line
            if line.startswith("Now show every card"):
                for begin in range(0, 32, 8):
                    two.put(*DECK[begin : begin + 8])
                    seen(two, process)
        assert process.wait(60) == 0, told
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert "FEIG ID ISC.MR101-A, firmware 3.2, reads ISO 15693" in told and "Lay its cards at seat 1" in told
    assert "All 32 cards are read." in told
    # What lay on the antennas before is no answer, and the file says where each antenna looks.
    (table,) = load_site(out).tables
    assert (table.name, table.seats) == ("final", "1-2")
    assert {device.port.rpartition("/")[2]: dict(device.antennas) for device in table.devices} == {
        "one": {0: "board"},
        "two": {0: "seat 1"},
    }
    assert {device.options["board"] for device in table.devices} == {"0BA75E01", "00000002"}
    checked = tablebridge("site", "check", out)
    assert checked.returncode == 0, checked.stderr
    again = tablebridge("setup", "--out", out, stdin="")
    assert again.returncode == 2 and "is there already" in again.stderr


def test_setup_is_not_ready_with_a_device_that_does_not_work(plugged: Plug, tmp_path: Path) -> None:
    plugged(Feig(), "one")
    plugged(lambda data: b"", "mute")
    out = tmp_path / "site.toml"
    done = tablebridge(
        "setup",
        "--out",
        out,
        "--state-dir",
        tmp_path / "state",
        "--port",
        tmp_path / "one",
        "--port",
        tmp_path / "mute",
        "--wait",
        "1",
        stdin="\n\nfeig\n\nfeig\nantennas = 2\nboard\nkey end\n",
    )
    assert done.returncode == 1, done.stderr
    assert "feig-2: does not work" in done.stdout
    *_, dead, last = done.stdout.splitlines()
    assert dead.startswith("feig-2 on ") and "does not work" in dead and last.startswith("Not ready. "), (
        done.stdout
    )
    assert "Ready. Look" not in done.stdout
    assert "Nothing was read at board" in done.stdout and "key end is left out" in done.stdout
    (table,) = load_site(out).tables
    assert [(device.antennas, device.options) for device in table.devices] == [
        ({}, {"board": "0BA75E01"}),
        ({}, {"antennas": 2}),
    ], "the reader that answered said its own number"


def test_a_wrong_answer_ends_it_in_a_sentence_and_nothing_is_written(plugged: Plug, tmp_path: Path) -> None:
    plugged(Feig(), "one")
    out = tmp_path / "site.toml"
    for lines, told in (
        ("Final Table\n", "a name is up to 32"),
        ("\n0-99\n", "are no seats"),
        ("\n\nfeigg\n", "did you mean feig?"),
        ('\n\nfeig\nantennas = "x"\n', "is a whole number"),
        ("\n\nnone\n", "No device was found"),
        ("\n\nfeig\n\nseat 77\n", "no place is called"),
    ):
        done = tablebridge("setup", "--out", out, "--port", tmp_path / "one", "--wait", "1", stdin=lines)
        assert done.returncode == 2 and told in done.stderr, (lines, done.stderr)
        assert not out.exists()
    done = tablebridge("setup", "--out", tmp_path / "none" / "site.toml", stdin="\n")
    assert done.returncode == 2 and "is no folder that may be written" in done.stderr and not done.stdout, (
        "told at once"
    )


def laid(mapping: Mapping, device: str, antenna: int, *tags: str, visits: int = READS) -> MappingStep | None:
    return mapping.sweep(device, Sweep(antenna, tags, visits=visits))


def test_antennas_are_found_one_place_after_the_other() -> None:
    mapping = Mapping()
    assert laid(mapping, "a", 1, LEFT_OVER) is None
    mapping.ask(seat_place(1))
    assert laid(mapping, "a", 1, LEFT_OVER) is None, "it lay there before"
    assert laid(mapping, "a", 1, LEFT_OVER, CARD, visits=READS - 1) is None
    assert laid(mapping, "a", 2, CARD, visits=READS - 1) is None
    assert laid(mapping, "a", 1, LEFT_OVER, CARD, visits=1) == MappingStep("found", ("a", 1), (("a", 2),))
    assert laid(mapping, "a", 1, LEFT_OVER, visits=EMPTY) is None, "the other antenna still reads it"
    assert laid(mapping, "a", 2, visits=EMPTY) == MappingStep("lifted", ("a", 2))
    mapping.ask(BOARD)
    assert laid(mapping, "a", 1, LEFT_OVER, CARD) == MappingStep("taken", ("a", 1))
    assert laid(mapping, "a", 1, LEFT_OVER, CARD) is None, "said once"
    mapping.ask(MUCK)
    assert laid(mapping, "a", 3, "AA00000000", "BB00000000") == MappingStep("several", ("a", 3))
    mapping.ask(BURN)
    assert laid(mapping, "b", 0, "AA00000001") == MappingStep("found", ("b", 0))
    assert mapping.places == {("a", 1): "seat 1", ("b", 0): "burn"}


def test_a_port_under_two_names_is_asked_for_once(plugged: Plug, tmp_path: Path) -> None:
    plugged(name="one")
    link = tmp_path / "by-path"
    link.symlink_to(tmp_path / "one")
    given = [str(link), str(tmp_path / "one"), "socket://127.0.0.1:10001"]
    assert [port for port, _ in readers.ports(given, ())] == [given[0], given[2]]


def test_what_a_device_said_that_no_driver_understands_is_shown(
    plugged: Plug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(readers, "ANSWER_S", 0.2)
    plugged(lambda data: b"$GPTXT,01\r\n" if data else b"", "gps")
    answers = tmp_path / "answers"
    answers.write_text("try\n")
    assert readers.identified(Dialogue(answers), str(tmp_path / "gps"), "none") is None
    said = capsys.readouterr().out
    assert f"{tmp_path / 'gps'}: trying feig" in said and "it is left out. It sent " in said
    assert '"$GPTXT,01' in said and "24 47 50 54 58 54" in said


def test_a_reader_of_another_dialect_is_found_by_trying(
    plugged: Plug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(readers, "ANSWER_S", 0.4)
    # A driver that only listens would wait for as long as the others, and hear nothing.
    monkeypatch.setattr(
        readers, "_NOT_TRIED", tuple({known.name for known in registry.known()} - {"feig", "metratec"})
    )
    plugged(MetratecAt({1: (CARD,)}), "at")
    answers = tmp_path / "answers"
    answers.write_text("try\nantennas = 1\n")
    part = readers.identified(Dialogue(answers), str(tmp_path / "at"), "none")
    assert part is not None and part.driver == "metratec"
    assert part.options["dialect"] == "at"
    said = capsys.readouterr().out
    assert "trying metratec (dialect = at)" in said
    assert "metratec does not understand it. It sent " in said


def test_what_is_tried_begins_with_each_driver_as_it_comes(tmp_path: Path) -> None:
    tries = list(readers.tried(str(tmp_path / "port")))
    bare = [one for one in tries if not one.options]
    assert tries[: len(bare)] == bare and [one.driver for one in bare[:3]] == ["feig", "line", "metratec"]
    assert ("feig (parity = N)", {"parity": "N"}) in [(one.name, one.options) for one in tries]
    assert len({one.name for one in tries}) == len(tries)


def test_a_card_that_lies_there_already_is_named_and_counts_once_it_was_away() -> None:
    mapping = Mapping()
    lying = Sweep(2, ("E004010000000001",))
    assert mapping.sweep("left", lying) is None
    mapping.ask(seat_place(1))
    assert mapping.lying == [("left", 2)]
    assert [mapping.sweep("left", lying) for _ in range(9)] == [None] * 9
    # A weak card is missed in some visits; it is still the one that lay there.
    for _ in range(3):
        assert mapping.sweep("left", Sweep(2, (), 4)) is None and mapping.sweep("left", lying) is None
    assert mapping.sweep("left", Sweep(2, (), 8)) is None and mapping.lying == []
    steps = [mapping.sweep("left", lying) for _ in range(4)]
    assert steps[:3] == [None] * 3 and steps[3] is not None and steps[3].what == "found"


def test_a_deck_is_checked_by_what_is_still_unread() -> None:
    order = spread_order("32")
    check = DeckCheck(Deck("red", dict(zip(DECK[:3], order, strict=False)), "32"))
    assert check.sweep(Sweep(0, (DECK[0], CARD))) == 1 and check.sweep(Sweep(0, (DECK[0],))) == 0
    assert check.unread == set(DECK[1:3]) and check.strangers == set(), "one read may be a ghost"
    check.sweep(Sweep(0, (CARD,), visits=2))
    assert check.strangers == {CARD}


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
parts = st.builds(
    Part,
    name=st.just("x"),
    driver=texts,
    port=texts.filter(bool),
    options=st.dictionaries(
        st.from_regex(r"[a-z_]{1,8}", fullmatch=True),
        st.booleans() | st.integers(0, 9999) | texts,
        max_size=3,
    ),
    antennas=st.dictionaries(st.integers(0, 40), st.sampled_from([BOARD, seat_place(3)]), max_size=4),
    contacts=st.dictionaries(st.integers(0, 40), st.sampled_from(sorted(MEANINGS)), max_size=3),
)


@given(found=st.lists(parts, max_size=3), folder=texts)
def test_whatever_is_found_the_file_says_just_that(found: list[Part], folder: str) -> None:
    for number, part in enumerate(found):
        part.name, part.port = f"feig-{number}", f"{part.port}{number}"
    text = site_text("site", folder, "t1", "1-9", found)
    assert tomllib.loads(text)["state_dir"] == folder
    with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        (table,) = load_site(Path(file.name)).tables
    assert [
        (one.name, one.driver, one.port, one.antennas, one.contacts, one.options) for one in table.devices
    ] == [(one.name, one.driver, one.port, one.antennas, one.contacts, one.options) for one in found]
