"""Declarations in players' words."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tablebridge.engine.declarations import LANGUAGES, Said, understand
from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.model.events import Entry, Say
from tablebridge.model.instant import START

NUMERALS = {word for language in LANGUAGES for word in language.numerals}
ZEROS = ("zero", "ноль", "ноля")
HUNDREDS = (5, 500, 5_000)


def figure(number: int) -> tuple[int, ...]:
    """What a number in figures can mean."""
    return (number, 100 * number, 1_000 * number)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Call", Said("call")),
        ("I call.", Said("call")),
        ("check", Said("check")),
        ("All-in!", Said("allin")),
        ("fold", Said("fold")),
        ("raise", Said("raise")),
        ("pot", Said("pot")),
        ("I'm all in", Said("allin")),
        ("raise 8000", Said("raise", 8000, figure(8000))),
        ("raise to 8,000", Said("raise", 8000, figure(8000))),
        ("bet five hundred", Said("bet", 500)),
        ("I make it 1200", Said("amount", 1200, figure(1200))),
        ("1400", Said("amount", 1400, figure(1400))),
        ("five", Said("amount", 5, HUNDREDS)),
        ("5", Said("amount", 5, HUNDREDS)),
        ("$500", Said("amount", 500, figure(500))),
        ("one hundred and fifty", Said("amount", 150)),
        ("twenty-five hundred", Said("amount", 2500)),
        ("raise, eight thousand", Said("raise", 8000)),
        ("2k", Said("amount", 2000)),
        ("two thousand five hundred", Said("amount", 2500)),
        ("1.5k", Said("amount", 1500)),
        ("1,5 тысячи", Said("amount", 1500)),
        ("a thousand", Said("amount", 1000)),
        ("raise a hundred", Said("raise", 100)),
        ("hundred", Said("amount", 100)),
        ("one fifty thousand", Said("amount", 150_000)),
        ("two million", Said("amount", 2_000_000)),
        ("if you bet, I will raise", Said("conditional")),
        ("если поставишь", Said("conditional")),
        ("I play the board", Said("board")),
        ("играю доску", Said("board")),
        ("reraise", Said("raise")),
        ("re-raise", Said("raise")),
        ("cap", Said("raise")),
        ("call and raise", Said("call")),
        ("min raise", Said("raise", least=True)),
        ("raise the minimum", Said("raise", least=True)),
        ("min bet", Said("bet", least=True)),
        ("минимальный рейз", Said("raise", least=True)),
        ("raise 500 more", Said("raise", 500, figure(500), more=True)),
        ("raise by 500", Said("raise", 500, figure(500), more=True)),
        ("call and raise 500", Said("call")),
        ("call and raise to 500", Said("call")),
        ("чек", Said("check")),
        ("Колл", Said("call")),
        ("уравниваю", Said("call")),
        ("колл 300", Said("call")),
        ("бет", Said("bet")),
        ("ставлю 500", Said("bet", 500, figure(500))),
        ("рейз", Said("raise")),
        ("рэйз 380", Said("raise", 380, figure(380))),
        ("ререйз", Said("raise")),
        ("ре-рейз", Said("raise")),
        ("повышаю до тысячи", Said("raise", 1000)),
        ("рейз до трёхсот", Said("raise", 300)),
        ("рейз до полутора тысяч", Said("raise", 1500)),
        ("повышаю на пятьсот", Said("raise", 500, more=True)),
        ("пас", Said("fold")),
        ("фолд", Said("fold")),
        ("кэп", Said("raise")),
        ("рэйз-олын", Said("allin")),
        ("рейз — олын", Said("allin")),
        ("рейз олл-ин", Said("allin")),
        ("raise all-in", Said("allin")),
        ("бэт", Said("bet")),
        ("сброс", Said("fold")),
        ("кол", Said("call")),
        ("РЕРЭЙЗ", Said("raise")),
        ("рирэйз", Said("raise")),
        ("реррейз", Said("raise")),
        ("оллин", Said("allin")),
        ("олын", Said("allin")),
        ("ва — банк", Said("allin")),
        ("пот", Said("pot")),
        ("халф-пот", Said("half-pot")),
        ("полбанка", Said("half-pot")),
        ("half pot", Said("half-pot")),
        ("время", Said("time")),
        ("рейз 5 тыс.", Said("raise", 5000)),
        ("рейз 5 т.", Said("raise", 5000)),
        ("рейз 5к", Said("raise", 5000)),
        ("пять тысяч", Said("amount", 5000)),
        ("триста", Said("amount", 300)),
        ("четыреста", Said("amount", 400)),
        ("пятьсот", Said("amount", 500)),
        ("ва-банк", Said("allin")),
        ("олл-ин", Said("allin")),
        ("алл ин", Said("allin")),
        ("банк", Said("pot")),
        ("ставлю банк", Said("pot")),
        ("ставлю всё", Said("allin")),
        ("сто", Said("amount", 100)),
        ("двести", Said("amount", 200)),
        ("триста пятьдесят", Said("amount", 350)),
        ("полторы тысячи", Said("amount", 1500)),
        ("две тысячи пятьсот", Said("amount", 2500)),
        ("двадцать пять тысяч", Said("amount", 25_000)),
        ("пять сотен", Said("amount", 500)),
    ],
)
def test_words_mean(words: str, said: Said) -> None:
    assert understand(words) == said


@pytest.mark.parametrize(
    ("words", "unknown"),
    [
        ("I'm folding, no wait", "no"),
        ("flush", "flush"),
        ("call me a cab", "me"),
        ("не 300", "не"),
        ("рейз, шучу", "шучу"),
        ("レイズ 300", "レイズ"),
        ("raise 300 🙂", "🙂"),
        ("raise -300", "-"),
        ("raise —300", "—"),
        ("raise 300%", "%"),
        ("300 or 400", "or"),
        ("raise ³00", "³"),
        ("raise ٣٠٠", "٣"),
        ("call?", "?"),
        ("raise 3oo", "oo"),
        ("rаise 300", "rаise"),
        ("r_300", "r"),
        ("5 " * 300, "…"),
    ],
)
def test_a_word_that_is_not_understood_refuses_the_whole_declaration(words: str, unknown: str) -> None:
    assert understand(words) == Said("none", unknown=unknown)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "300 400",
        "300, 500",
        "three hundred five hundred",
        "raise call",
        "check raise",
        "fold 300",
        "all in 500",
        "raise 1.5",
        "8.000",
        "100-200",
        "three to fifty",
        "five five five",
        "hundred hundred",
        "thousand million",
        "call 200 raise 500",
        "raise raise",
        "1" + 12 * "0",
        "two thousand three thousand",
        "twelve five",
        "рейз ноу лук",
        "малый блайнд",
        "анте",
        "бринг-ин",
        "играет 500",
        "one million 2000 thousand",
        "one thousand twelve hundred",
        "twenty ten five",
    ],
)
def test_words_that_make_no_declaration_mean_nothing(words: str) -> None:
    said = understand(words)
    assert (said.meaning, said.amount) == ("none", None)


@pytest.mark.parametrize(
    ("words", "meanings"),
    [
        ("three fifty", (350, 350_000)),
        ("twelve fifty", (1_250, 1_250_000)),
        ("two twenty-five", (225, 225_000)),
        ("twenty twenty-five", (2_025, 2_025_000)),
        ("two five", (2_500,)),
        ("one two", (1_200,)),
    ],
)
def test_numbers_said_one_after_the_other_are_not_added_up(words: str, meanings: tuple[int, ...]) -> None:
    said = understand(f"bet {words}")
    assert (said.meaning, said.amount, said.meanings, said.clear) == ("bet", meanings[0], meanings, False)


@pytest.mark.parametrize(
    "words", ["300 400", "raise five five five", "bet twelve five", "ставлю двести триста", "1.5"]
)
def test_an_amount_that_is_no_number_is_not_read(words: str) -> None:
    assert understand(words) == Said("none", unreadable=True)


@given(st.lists(st.sampled_from(sorted(NUMERALS)), min_size=2, max_size=5))
def test_no_number_is_ever_added_up_of_parts_that_another_order_would_not_give(words: list[str]) -> None:
    """Each word counts: a number without one of its words is another number, or none."""
    said = understand("bet " + " ".join(words))
    if said.amount is None or said.amount == 0:
        return
    for at in range(len(words)):
        rest = understand("bet " + " ".join((*words[:at], *words[at + 1 :])))
        article = words[at] in ("a", "one", "один", "одна", "одну", "одной", "одного")
        assert article or words[at] in ZEROS or rest != said, (words, words[at])


KNOWN = [
    *sorted({word for language in LANGUAGES for word in (*language.vocabulary, *language.numerals)}),
    "300",
    "1,500",
    "2.5",
    "5",
]
PARTS = {part for word in KNOWN for part in word.split()}
STRANGE = st.text(st.characters(categories=("L",)), min_size=1, max_size=8).filter(
    lambda word: word.lower() not in PARTS
)
SETUP = ("rules fspr", "game nlhe 100/200", "seats 1-4", "button 4", "stacks 10000", "hand", "dealt")
SENTENCES = st.lists(
    st.tuples(st.just(True), st.sampled_from(KNOWN)) | st.tuples(st.just(False), STRANGE), max_size=8
)


@given(SENTENCES)
@example([(False, "не"), (True, "300")])
@example([(True, "raise"), (True, "300"), (False, "later")])
def test_either_everything_was_understood_or_nothing_is_ruled(sentence: list[tuple[bool, str]]) -> None:
    words = " ".join(word for _, word in sentence)
    table = Table("table")
    for number, line in enumerate(SETUP):
        table.apply(Entry(number, START, parse_line(line)))
    outcome = table.apply(Entry(99, START, Say(3, words)))
    ruled = outcome.ruled or [
        found
        for found in outcome.findings
        if found.cause != "conditional" and found.finding not in ("contradictory-bet", "clock")
    ]
    if all(known for known, _ in sentence):
        assert "not understood" not in outcome.ignored
    else:
        assert not ruled
        assert understand(words).amount is None
    assert bool(ruled or (table.hand and table.hand.bindings.must_bet)) == (
        understand(words).meaning not in ("none", "conditional", "time")
    )
