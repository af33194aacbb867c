"""What a finding says in words is true of what it found, under each book."""

import pytest

from tablebridge.engine.script.reader import read
from tablebridge.engine.script.runner import play
from tablebridge.model.sentences import sentence_of

HOLDEM = "game nlhe 50/100\nseats 1-2\nbutton 2\nstacks 10000\nhand\n"
NO_LIMIT = (
    "game nlhe 100/200\nseats 1-3\nbutton 3\nstacks 10000\nhand\ndealt\n"
    "call 3\ncall 1\ncheck 2\nburn\nflop 2c 7d Jh\n"
)


def said(book: str, script: str) -> str:
    """The sentence of the last finding of the last line of a script."""
    *_, last = play(read(f"rules {book}\n{script}", "said"))
    return sentence_of(last.outcome.findings[-1])


@pytest.mark.parametrize(
    ("book", "sentence"),
    [
        ("tda-2022", "the deck is fouled and all bets go back."),
        ("raise-club", "the deck is fouled and all bets go back."),
        ("tda-2017", "the deck is fouled; the floor rules."),
        ("fspr", "the deck is fouled; the floor rules."),
    ],
)
def test_bets_are_said_to_go_back_for_a_duplicate_only_if_they_do(book: str, sentence: str) -> None:
    script = f"{HOLDEM}deal 1 Ah\ndeal 2 2c\ndeal 1 3c\ndeal 2 Ah*"
    assert said(book, script).endswith(sentence)
    *_, last = play(read(f"rules {book}\n{script}", "said"))
    assert bool(last.outcome.returned) == ("go back" in sentence)


@pytest.mark.parametrize(
    ("book", "paper"), [("tda-2022", True), ("tda-2024", True), ("tda-2017", False), ("fspr", False)]
)
def test_a_card_is_a_scrap_of_paper_only_in_the_books_that_say_so(book: str, paper: bool) -> None:
    sentence = said(book, f"{NO_LIMIT}check 1\ncheck 2\ncheck 3\nburn\nturn joker")
    assert ("scrap of paper" in sentence) == paper
    assert ("the floor rules" in sentence) != paper


@pytest.mark.parametrize(
    ("book", "reason"),
    [
        ("fspr", "it is the first winner in the order of play"),
        ("tda-2022", "it has the highest card by suit"),
    ],
)
def test_the_odd_chip_of_stud_is_said_to_go_where_it_goes_for_the_reason_for_which_it_does(
    book: str, reason: str
) -> None:
    script = (
        "game stud 10/20\nante 1\nbring-in 3\nchips 1\nseats 1-3\nstacks 1000\nhand\n"
        "dealt\ndealt up 2c 3d Kh\nbet 1 3\ncall 2\nfold 3\n"
        "burn\ndealt up 9h 9s\ncheck 2\ncheck 1\nburn\ndealt up Th Ts\ncheck 2\ncheck 1\n"
        "burn\ndealt up Jh Js\ncheck 2\ncheck 1\nburn\ndealt\ncheck 2\ncheck 1\n"
        "table 1 Qh Kd 2c 9h Th Jh 3c\ntable 2 Qs Kc 3d 9s Ts Js 4d\nend"
    )
    *_, last = play(read(f"rules {book}\n{script}", "said"))
    odd = [finding for finding in last.outcome.findings if finding.finding == "odd-chip"]
    assert [sentence_of(finding).split(": ")[1] for finding in odd] == [f"{reason}."]


def test_a_round_that_an_early_card_closed_is_not_said_to_have_all_its_raises() -> None:
    script = (
        "game stud 10/20\nante 1\nbring-in 3\nseats 1-3\nstacks 1000\nhand\ndealt\ndealt up 2c 9d Kh\n"
        "bet 1 3\n"
        "call 2\ncall 3\nburn\ndealt up 9h 9s 4c\ncheck 2\nburn\ndeal 1 5c up\nbet 3 10"
    )
    assert (
        said("raise-club", script)
        == "A card came before the betting was over: seat 3 may put in no more than was bet."
    )


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (f"{NO_LIMIT}chips-in 1 1000", "one oversized chip is a bet."),
        (f"{NO_LIMIT}bet 1 300\nchips-in 2 1000", "one oversized chip is a call."),
        (f'{NO_LIMIT}say 1 "five"', "the highest meaning that is not above the pot."),
        (f'{NO_LIMIT}say 1 "three fifty"', "the highest meaning that is not above the pot."),
        (
            f'{NO_LIMIT}say 1 "seven"',
            "the lowest meaning; every one that is enough for a bet or call is above the pot.",
        ),
    ],
)
def test_a_ruling_on_chips_and_words_says_what_was_done(script: str, sentence: str) -> None:
    assert said("tda-2022", script).split(": ")[1] == sentence


def test_words_that_are_not_understood_are_answered_with_the_first_of_them() -> None:
    *_, last = play(read(f'rules fspr\n{NO_LIMIT}say 1 "ставлю не 300"', "said"))
    assert last.outcome.ignored == "“не” is not understood, so nothing of what seat 1 said is ruled on."
