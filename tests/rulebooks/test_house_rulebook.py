"""A house's own rulebook: what it changes, and the sentence for everything that it cannot be."""

from pathlib import Path

import pytest

from tablebridge.app.house_rulebooks import find, load_house
from tablebridge.model.errors import ConfigError
from tablebridge.rulebooks import BOOKS

PARENT = 'parent = "tda-2022"\n'
RIVER = """\
parent = "tda-2022"
title = "River room"

[choices]
raise_cap = 4

[misdeals]
boxed-cards = false
exposed-in-cut = true

[rules]
"misdeal exposed-in-cut" = "H-3"

[remedies]
"misdeal exposed-in-cut" = ["return-bets", "reshuffle", "cut"]

[clauses]
"H-3" = {text = "A card that shows in the cut is a misdeal."}
"H-4" = {text = "Hats come off at the final table."}
"58" = {text = "A fold with no bet to face binds and costs a round."}
"""


def written(folder: Path, text: str, name: str = "house.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def faults(folder: Path, text: str) -> list[str]:
    """What is said of a file with this text, without its path."""
    with pytest.raises(ConfigError) as refused:
        load_house(written(folder, text))
    return [line.removeprefix(f"{folder / 'house.toml'}:") for line in str(refused.value).splitlines()]


def test_what_a_house_does_not_change_is_as_in_its_parent(tmp_path: Path) -> None:
    book, parent = load_house(written(tmp_path, RIVER)), BOOKS["tda-2022"]
    assert (book.name, book.title, book.parent) == ("house", "River room", "tda-2022")
    assert book.raise_cap == 4
    assert book.misdeals == parent.misdeals - {"boxed-cards"} | {"exposed-in-cut"}
    assert book.rule("misdeal", "exposed-in-cut") == "H-3"
    assert book.remedy("misdeal", "exposed-in-cut") == ("return-bets", "reshuffle", "cut")
    assert book.remedy("misdeal", "seat-skipped") == parent.remedy("misdeal", "seat-skipped")
    assert {clause.number for clause in book.clauses} == {clause.number for clause in parent.clauses} | {
        "H-3",
        "H-4",
    }


def test_how_far_the_engine_goes_with_a_clause_of_the_house(tmp_path: Path) -> None:
    hows = {clause.number: clause.how for clause in load_house(written(tmp_path, RIVER)).clauses}
    assert hows["H-3"] == "rules", "a finding names it"
    assert hows["H-4"] == "nothing", "no finding names it"
    assert hows["58"] == "rules", "as with the parent's clause of this number"


def test_a_parent_may_be_another_house(tmp_path: Path) -> None:
    written(tmp_path, RIVER, "river.toml")
    text = 'parent = "river.toml"\n[choices]\nraise_cap = 5\n[misdeals]\nexposed-in-cut = false\n'
    book = load_house(written(tmp_path, text))
    assert (book.parent, book.raise_cap, book.rule("misdeal", "exposed-in-cut")) == ("tda-2022", 5, "H-3")
    assert "exposed-in-cut" not in book.misdeals


def test_what_is_to_be_done_follows_the_choice(tmp_path: Path) -> None:
    text = (
        'parent = "tda-2017"\n[choices]\nflop_goes_back = true\n[premature]\nturn = "again"\n'
        "[voiding]\nduplicate-card = true\n[misdeals]\nout-of-order = true\n[mendable]\nout-of-order = true\n"
    )
    book, club = load_house(written(tmp_path, text)), BOOKS["raise-club"]
    assert book.remedy("flop-count", "four-cards") == club.remedy("flop-count", "four-cards")
    assert book.remedy("premature-street", "turn") == club.remedy("premature-street", "turn")
    assert book.remedy("fouled-deck", "duplicate-card") == ("return-bets", "replace-deck")
    assert book.remedy("deal-order") == ("restore-order", "call-floor")


def test_steps_that_the_house_gives_itself_stand(tmp_path: Path) -> None:
    text = PARENT + (
        "[choices]\nboxed_replaced = true\n[misdeals]\nboxed-cards = false\n"
        '[remedies]\nboxed-card = ["to-muck"]\n'
    )
    assert load_house(written(tmp_path, text)).remedy("boxed-card") == ("to-muck",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # The top of the file.
        (
            'title = "x"\n',
            "1: parent: this key is missing; name the rulebook that the house changes: tda-2024, "
            "tda-2022, tda-2017, "
            "fspr, raise-club, online-room",
        ),
        ('parent = "tda-2020"\n', "1: parent: there is no rulebook 'tda-2020'; did you mean tda-2024?"),
        (
            "parent = 7\n",
            "1: parent: there is no rulebook 7; known here: tda-2024, tda-2022, tda-2017, fspr, raise-club, "
            "online-room",
        ),
        ('parent = "club.toml"\n', "1: parent: there is no file club.toml beside this one"),
        (
            'parent = "house.toml"\n',
            "1: parent: house.toml is this rulebook's own child; a book cannot be its own parent",
        ),
        (PARENT + 'titel = "x"\n', "2: titel: there is no such key; did you mean title?"),
        (PARENT + "title = 3\n", "2: title: this is a text"),
        (PARENT + "name = 3\n", "2: name: this is a text"),
        (PARENT + 'name = "the house"\n', "2: name: a rulebook's name is made of letters, figures, - and _"),
        (PARENT + 'name = "fspr"\n', "2: name: fspr is a rulebook already; give the house's another name"),
        (
            PARENT + "choices = 3\n",
            "2: choices: this is a table; write [choices] and what belongs to it below",
        ),
        # Choices.
        (
            PARENT + "[choices]\nraise_capp = 3\n",
            "3: choices.raise_capp: there is no such choice; did you mean raise_cap?",
        ),
        (
            PARENT + "[choices]\nraise_cap = -1\n",
            "3: choices.raise_cap: this is a whole number, 0 or more, not -1",
        ),
        (
            PARENT + "[choices]\nraise_cap = true\n",
            "3: choices.raise_cap: this is a whole number, 0 or more, not true",
        ),
        (
            PARENT + "[choices]\nraise_cap = [1]\n",
            "3: choices.raise_cap: this is a whole number, 0 or more, not [1]",
        ),
        (
            PARENT + "[choices]\ncap_heads_up = 1\n",
            "3: choices.cap_heads_up: this is one of true, false, not 1",
        ),
        (
            PARENT + '[choices]\nundercall = "maybe"\n',
            '3: choices.undercall: this is one of "floor", "choice", not "maybe"',
        ),
        (
            PARENT + '[premature]\nturm = "stays"\n',
            "3: premature.turm: there is no such street; did you mean turn?",
        ),
        (
            PARENT + '[premature]\nturn = "gone"\n',
            '3: premature.turn: this is one of stays, either, again, again-then-none, not "gone"',
        ),
        # Lists of causes.
        (
            PARENT + "[misdeals]\nboxed-card = false\n",
            "3: misdeals.boxed-card: there is no such cause of misdeal; did you mean boxed-cards?",
        ),
        (PARENT + "[voiding]\nmarked-card = 1\n", "3: voiding.marked-card: this is true or false, not 1"),
        # Rules, remedies, clauses.
        (
            PARENT + '[rules]\nmisdael = "12"\n',
            "3: rules: there is no finding 'misdael'; did you mean misdeal?",
        ),
        (
            PARENT + '[rules]\n"misdeal boxed" = "12"\n',
            "3: rules: misdeal has no cause 'boxed'; did you mean boxed-cards?",
        ),
        (
            PARENT + '[rules]\n"boxed-card two" = "12"\n',
            "3: rules: boxed-card has no cause 'two'; it has none; name the finding alone",
        ),
        (
            PARENT + "[rules]\nshort-hand = 37\n",
            '3: rules."short-hand": this is the number of a clause, a text without blanks',
        ),
        (
            PARENT + '[rules]\nshort-hand = "36-A(3)"\n',
            '3: rules."short-hand": there is no clause 36-A(3); did you mean 35-A(3)?',
        ),
        (
            PARENT + '[rules]\nshort-hand = "H-9"\n',
            '3: rules."short-hand": there is no clause H-9; say what it says: [clauses] "H-9" = {text = '
            '"..."}',
        ),
        (
            PARENT + '[remedies]\nmisdeal = "reshuffle"\n',
            '3: remedies."misdeal": this is a list of steps, such as ["call-floor"]',
        ),
        (
            PARENT + '[remedies]\nmisdeal = ["reshufle"]\n',
            '3: remedies."misdeal": there is no step "reshufle"; did you mean reshuffle?',
        ),
        (
            PARENT + '[clauses]\n"H 1" = {text = "x"}\n',
            '3: clauses."H 1": a clause\'s number is up to 32 letters, figures and signs without blanks',
        ),
        (PARENT + '[clauses]\nH-1 = "x"\n', '3: clauses."H-1": write what it says: {text = "..."}'),
        (
            PARENT + '[clauses]\nH-1 = {text = "x", hwo = "rules"}\n',
            "3: clauses.\"H-1\": there is no key 'hwo'; did you mean how?",
        ),
        (
            PARENT + '[clauses]\nH-1 = {text = "x", how = "guesses"}\n',
            '3: clauses."H-1": how is one of detects, rules, prompts, records, rules and prompts, '
            'nothing, not "guesses"',
        ),
        # Choices that cannot stand together.
        (
            PARENT + "[choices]\nboxed_replaced = true\n",
            "3: boxed cards are replaced, or two of them are a misdeal, not both",
        ),
        (
            PARENT + "[mendable]\nout-of-order = true\n",
            "2: a cause that is mendable is one of the misdeals; add it there or take it out here",
        ),
        (
            PARENT + "[choices]\nboxed_fouls = 5\n",
            "3: choices.boxed_fouls says how many boxed cards foul the deck, and voiding.boxed-cards that "
            "they do; give both or "
            "neither",
        ),
        (
            PARENT + "[voiding]\nnonstandard-card = true\n",
            "3: a card that the game does not use is a misdeal or fouls the deck, not both",
        ),
        (
            'parent = "fspr"\n[voiding]\nmarked-card = true\n',
            "3: a marked card fouls the deck, or is dealt with by when it is found, not both",
        ),
        (
            PARENT + "[choices]\nmarked_by_time = true\n",
            "3: choices.marked_by_time makes a marked card a misdeal in time, and misdeals.marked-card "
            "says that it is one; give both "
            "or neither",
        ),
        (
            PARENT + "[choices]\ncap_heads_up = false\n",
            "3: choices.cap_heads_up lifts the book's own cap, and choices.raise_cap says that it has none",
        ),
        (
            PARENT + '[premature]\nriver = "again-then-none"\n',
            "3: premature.river: no street comes after the river; choose stays or again",
        ),
        (
            PARENT + '[remedies]\n"misdeal boxed-cards" = ["play-on"]\n',
            "3: a misdeal returns all bets, and its steps do not say so: add return-bets",
        ),
        (
            PARENT + '[remedies]\n"fouled-deck" = ["call-floor"]\n',
            "3: a fouled deck that stops the hand returns all bets, and its steps do not say so: "
            "add return-bets",
        ),
        (
            PARENT + "[choices]\nclock_s = 0\ncountdown_s = 0\n",
            "3: a clock that is called has seconds: give choices.clock_s or choices.countdown_s some",
        ),
        (
            PARENT + '[rules]\n"balance" = ""\n',
            '3: rules."balance": without a clause the engine would not balance tables; name one, or take '
            "this line out",
        ),
        (
            PARENT + '[rules]\n"handovr" = ""\n',
            "3: rules: there is no finding 'handovr'; did you mean handover?",
        ),
    ],
)
def test_what_a_house_rulebook_cannot_be_is_one_line_with_its_place(
    tmp_path: Path, text: str, said: str
) -> None:
    assert faults(tmp_path, text) == [said]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    said = faults(tmp_path, PARENT + '[choices]\nx = 1\n[rules]\ny = "1"\n')
    assert [line.split(":")[0] for line in said] == ["3", "5"]


def test_a_loop_of_parents_is_told(tmp_path: Path) -> None:
    written(tmp_path, 'parent = "house.toml"\n', "other.toml")
    with pytest.raises(ConfigError, match=r"other.toml:1: parent: house.toml is this rulebook's own child"):
        load_house(written(tmp_path, 'parent = "other.toml"\n'))


def test_a_fault_of_the_parent_is_told_where_it_stands(tmp_path: Path) -> None:
    written(tmp_path, PARENT + "[choices]\nraise_cap = -1\n", "river.toml")
    with pytest.raises(ConfigError, match=r"river.toml:3: choices.raise_cap"):
        load_house(written(tmp_path, 'parent = "river.toml"\n'))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tda", "There is no rulebook 'tda'; rulebooks are tda-2024,"),
        ("none.toml", "none.toml: cannot be read (No such file"),
    ],
)
def test_a_rulebook_that_is_not_there_is_a_sentence(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        find(name, tmp_path)
    assert said in str(refused.value)


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"house.toml:2: this is not TOML"):
        load_house(written(tmp_path, PARENT + "[choices\n"))


@pytest.mark.parametrize("number", ["7", "H" * 32])
def test_a_clause_may_have_a_number_of_1_to_32_signs(tmp_path: Path, number: str) -> None:
    text = f'{PARENT}[rules]\nshort-hand = "{number}"\n[clauses]\n"{number}" = {{text = "A short hand."}}\n'
    assert load_house(written(tmp_path, text)).rule("short-hand") == number
