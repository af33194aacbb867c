"""Deck and chip files."""

import stat
from pathlib import Path

import pytest

from tablebridge.host import registry
from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, Inventory, spread_order
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Sweep
from tablebridge.sensing.tags.registry import DeckRegistry, Known
from tablebridge.settings.decks import (
    chips_path,
    deck_path,
    load_chips,
    load_deck,
    load_inventory,
    save_chips,
    save_deck,
)
from tablebridge.settings.site import Site, Table

UID = "E0040100000000{:02X}".format


def test_a_deck_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    for kind in ("52", "52+joker", "32"):
        deck = Deck("red", {UID(number): card for number, card in enumerate(spread_order(kind))}, kind)
        path = tmp_path / "decks" / "red.toml"
        save_deck(path, deck)
        assert load_deck(path) == deck
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert [one.name for one in path.parent.iterdir()] == ["red.toml"]


@pytest.mark.parametrize(
    ("driver", "line"),
    [
        ("wiegand", b"A1B2C3\r\n"),
        ("wiegand", b"01010000110110010110000110\r\n"),
        ("wedge", b"00A1B2C3D4\r\n"),
    ],
)
def test_a_deck_keeps_the_tags_that_readers_of_badges_give(tmp_path: Path, driver: str, line: bytes) -> None:
    sweep, *_ = registry.load(driver).decode(line)
    assert isinstance(sweep, Sweep)
    path = tmp_path / "red.toml"
    save_deck(path, Deck("red", {sweep.tags[0]: Card("Ah")}))
    assert DeckRegistry(Inventory((load_deck(path),))).card(sweep.tags[0]) == Known("red", Card("Ah"))


def test_a_deck_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "red.toml"
    save_deck(path, Deck("red", {UID(1): Card("Ah")}))
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        save_deck(tmp_path / "file" / "red.toml", Deck("red", {}))
    assert load_deck(path).cards == {UID(1): "Ah"}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[cards]\nAh = "E00401AB"\nKd = "e00401ab"\n', 3, "this tag is on line 2 already"),
        ('[cards]\nAh = "E00401AB"\nAh = "E00401AC"\n', 3, "stands a second time"),
        ('[cards]\nXx = "E00401AB"\n', 2, "no card is written"),
        ('[cards]\nAh = "E004"\n', 2, "6 or more"),
        ("[cards]\nAh = 7\n", 2, "6 or more"),
        ('kind = "32"\n[cards]\n2h = "E00401AB"\n', 3, "a deck of kind 32 has no card"),
        ('kind = "53"\n', 1, "no deck is called"),
        ('name = "Red Deck"\n', 1, "a deck's name"),
        ('[crads]\nAh = "E00401AB"\n', 1, "did you mean cards"),
        ("cards = 3\n", 1, "table of cards"),
    ],
)
def test_a_wrong_deck_file_is_named_at_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    path = tmp_path / "red.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as wrong:
        load_deck(path)
    assert str(wrong.value).startswith(f"{path}:{line}: ")
    assert words in str(wrong.value)
    assert "E00401" not in str(wrong.value).replace("E0040150ABCD0001", ""), "no tag in an error"


def test_all_faults_of_a_deck_at_once(tmp_path: Path) -> None:
    path = tmp_path / "red.toml"
    path.write_text('nmae = "red"\n[cards]\nAh = "E0"\nXx = "E00401AB"\n')
    with pytest.raises(ConfigError) as wrong:
        load_deck(path)
    assert [line.split(":")[1] for line in str(wrong.value).splitlines()] == ["1", "3", "4"]


def test_chips(tmp_path: Path) -> None:
    path = tmp_path / "chips.toml"
    path.write_text('[chips]\n100 = ["E00401AA", "E00401AB"]\n25 = ["E00401AC"]\n')
    assert load_chips(path) == {"E00401AA": 100, "E00401AB": 100, "E00401AC": 25}
    path.write_text('[chips]\n100 = ["E00401AA"]\n25 = ["E00401AA"]\n0 = []\n5 = "x"\n')
    with pytest.raises(ConfigError) as wrong:
        load_chips(path)
    assert [line.split(":")[1] for line in str(wrong.value).splitlines()] == ["3", "4", "5"]


def test_the_inventory_of_a_box(tmp_path: Path) -> None:
    site = Site(state_dir=tmp_path)
    table = Table(name="one")
    assert load_inventory(site, table) == Inventory()
    save_deck(deck_path(site, "red"), Deck("red", {UID(1): Card("Ah")}))
    save_deck(deck_path(site, "blue"), Deck("blue", {UID(2): Card("Ah")}))
    save_chips(chips_path(site), {UID(9): 100})
    assert load_inventory(site, table).in_play is None
    named = load_inventory(site, Table(name="one", deck=deck_path(site, "red")))
    both = load_inventory(site, Table(name="one", decks=(deck_path(site, "red"), deck_path(site, "blue"))))
    assert (both.in_play, both.at_table) == (None, ("red", "blue"))
    assert (named.in_play, [deck.name for deck in named.decks]) == ("red", ["red", "blue"])
    registry = DeckRegistry(named)
    assert registry.card(UID(2)) == Known("blue", Card("Ah"))
    assert (registry.card(UID(9)), registry.chip(UID(9)), registry.in_play) == (None, 100, "red")
    save_deck(deck_path(site, "green"), Deck("green", {UID(1): Card("Kd")}))
    with pytest.raises(ConfigError, match="belongs to the deck"):
        load_inventory(site, table)
    with pytest.raises(ConfigError, match="no name for a deck"):
        deck_path(site, "../red")
    with pytest.raises(ValueError, match="enrolled twice"):
        DeckRegistry(Inventory((Deck("a", {UID(1): Card("Ah")}), Deck("b", {UID(1): Card("Ah")}))))
