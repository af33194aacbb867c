"""Games of a house as text: what can be written, what is wrong with it and where, and that it is kept."""

from pathlib import Path

import pytest

from tablebridge.app.house_games import load_game
from tablebridge.engine.games import FORMS
from tablebridge.engine.games.variant import VariantError, parse, text_of
from tablebridge.engine.setup import Setup
from tablebridge.model import events as ev
from tablebridge.model.errors import ConfigError
from tests.engine.tables import Script

EXAMPLE = Path(__file__).parents[1] / "hands/house-rulebooks/tahoe.toml"
TEXT = EXAMPLE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if not form.banked])
def test_a_built_in_game_is_the_same_from_its_text(name: str) -> None:
    assert parse(text_of(FORMS[name]), ()) == FORMS[name]


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if form.banked])
def test_a_game_against_the_house_has_no_text(name: str) -> None:
    with pytest.raises(ValueError, match="against the house"):
        text_of(FORMS[name])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("betting =", "beting =", "4: beting: there is no such key; did you mean betting?"),
        ('"half-pot"', '"spread"', "4: betting: expected one of no-limit, pot-limit, half-pot, limit"),
        ('"low8"', '"low9"', "5: wins: there is no 'low9' here; did you mean low8?"),
        ('name = "tahoe"', 'name = "plo"', "2: name: plo is a game already; give the house's another name"),
        ("boards = 2", "boards = 3", "7: boards: expected a whole number from 1 to 2"),
        ("most_seats = 9", "most_seats = true", "8: most_seats: expected a whole number from 2 to 10"),
        ("down = 3", "donw = 3", "12: donw: there is no such key; did you mean down?"),
        ("down = 3", "down = 8", "12: down: expected a whole number from 0 to 7"),
        ("down = 3", "down = 2", "5: wins: a hand is made of 3 to 6 own cards"),
        ("board = 3", "board = 4", "16: board: flop puts 3 cards on the board"),
        ('"flop"', '"flopp"', "15: name: there is no such street; did you mean flop?"),
        ('"turn"', '"flop"', "20: street flop: there are two of this name"),
        ("down = 3", "down = 3\nup = 1", "forced: a bring-in wants a card that lies open"),
        ("boards = 2", 'wild = "joker"', '7: wild: "joker" and "bug" go with the deck "52+joker"'),
        ("boards = 2", 'deck = "52+joker"', 'wild: "joker" and "bug" go with the deck "52+joker"'),
        ("boards = 2", 'wild = "deuces"\ndeck = "36"', "7: wild: the deck 36 has no deuces"),
        ("boards = 2", 'wild = "duces"', "7: wild: expected one of none, deuces, joker, bug"),
        ("down = 3", "down = 6", "8: most_seats: the deck has cards for 7 seats"),
        (
            "boards = 2",
            'forced = "blind"',
            "7: forced: expected one of blinds, button-blind, low-card, high-card",
        ),
    ],
)
def test_what_is_wrong_with_a_game_is_said_with_its_line(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_game(path)
    assert said in str(refused.value) and str(path) in str(refused.value)


@pytest.mark.parametrize(
    "text", ["", "street = 3", "wins = 3\nstreet = [3]", "[[street]]\nname = 3", "x = ["]
)
def test_no_text_makes_a_game_by_half(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text, FORMS)
    setup, form = Setup(), Setup().form
    script = Script(ev.Game("own.toml", (50, 100), text=text or "x"))
    assert script.table.setup.form == form == setup.form


def test_a_setup_keeps_the_game_of_a_house() -> None:
    script = Script(ev.Game("tahoe.toml", (50, 100), text=TEXT))
    kept = script.table.setup.kept()
    assert kept.setup().form == parse(TEXT, FORMS) == script.table.setup.form


def test_all_faults_are_said_at_once() -> None:
    with pytest.raises(VariantError) as refused:
        parse(TEXT.replace("betting", "beting").replace("burn", "brun"), FORMS)
    faults = refused.value.faults
    assert len(faults) == 5 and str(refused.value) == "; ".join(sentence for _, sentence in faults)


def test_the_example_of_the_documents_is_the_one_that_is_played() -> None:
    page = (Path(__file__).parents[2] / "docs/table-script.md").read_text(encoding="utf-8")
    block = page.partition("### A house's own game")[2].partition("    name = ")[2].partition("\nOther")[0]
    written = "name = " + "\n".join(line.removeprefix("    ") for line in block.splitlines())
    assert parse(written, FORMS) == parse(TEXT, FORMS)
