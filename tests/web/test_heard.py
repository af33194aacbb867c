"""What engines say in English is said by pages in their language: every sentence of the engine is known."""

import re
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from rig.documents import ROOT

from tablebridge.engine import expect
from tablebridge.engine.floor.questions import questions
from tablebridge.engine.script.reader import read
from tablebridge.engine.script.runner import play
from tablebridge.engine.table import Table
from tablebridge.languages import NAMES
from tablebridge.languages.texts import texts
from tablebridge.model.findings import Finding
from tablebridge.model.sentences import sentence_of
from tablebridge.room.script import is_room
from tablebridge.web.heard import consequence, heard
from tablebridge.web.wording import place

RUSSIAN, CHINESE, ENGLISH = texts("ru"), texts("zh"), texts("en")
LATIN = re.compile(r"[A-Za-z]{3}")


def played() -> Iterator[tuple[Table, tuple[Finding, ...]]]:
    """Every eleventh of the table scripts, statement by statement."""
    scripts = sorted(path for path in (ROOT / "tests" / "hands").rglob("*.table"))
    for path in scripts[::11]:
        text = path.read_text()
        # A house rulebook is read from beside its script.
        if is_room(text) or ".toml" in text:
            continue
        table = Table("table")
        for step in play(read(text, path.name), table):
            yield table, step.outcome.findings


def test_what_the_table_expects_and_what_the_floor_may_rule_is_known() -> None:
    expected, ruled, follows = set(), set(), set()
    for table, _ in played():
        expected.add(expect.sentence(table.hand))
        for question in questions(table) if table.asked else ():
            ruled |= {choice.words for choice in question.choices}
            follows |= {choice.consequence for choice in question.choices}
    assert len(expected) > 50 and len(ruled) > 10 and len(follows) > 20
    assert not [said for said in expected | ruled if LATIN.search(heard(RUSSIAN, said))]
    assert not [said for said in follows if LATIN.search(consequence(RUSSIAN, said))]
    assert all(heard(ENGLISH, said) == said for said in expected | ruled)
    assert all(consequence(ENGLISH, said) == said for said in follows)


def test_every_finding_of_the_scripts_is_said_in_each_language() -> None:
    said = {
        language: {sentence_of(finding, texts(language)) for _, findings in played() for finding in findings}
        for language in NAMES
    }
    assert len(said["en"]) > 100
    assert not [sentence for sentences in said.values() for sentence in sentences if "{" in sentence]
    assert not [sentence for sentence in said["ru"] if LATIN.search(sentence)]
    assert not [sentence for sentence in said["zh"] if LATIN.search(sentence)]
    assert not said["es"] & said["en"]


def test_words_in_a_sentence_are_translated_as_well() -> None:
    assert heard(RUSSIAN, "The ten of hearts is the burn") == "Сожжённая карта: десятка червей"
    assert heard(CHINESE, "The ten of hearts is the burn") == "红桃10为烧牌"
    assert heard(RUSSIAN, "Burn, then 3 cards") == "Сожгите карту, затем 3 карты"
    assert heard(RUSSIAN, "Anna was first: the alert is taken already.").endswith("уже «идут».")
    assert consequence(CHINESE, "pot 400 → 0; all bets are back; the floor must rule") == (
        "底池400→0; 所有下注已退回; 须由裁判裁定"
    )


def test_several_sentences_are_recognised_one_by_one() -> None:
    said = "Ignored: Seat 3 has no live hand. Ignored: This game has no board."
    assert heard(RUSSIAN, said) == "Не принято: У места 3 нет живой руки. Не принято: В этой игре нет борда."
    assert heard(RUSSIAN, "This game has no board. Nobody knows that. 7") == (
        "В этой игре нет борда. Nobody knows that. 7"
    )


def test_a_place_is_said_in_the_language_of_the_page() -> None:
    said = heard(RUSSIAN, "antenna 4 (seat 3) was never visited; visited were 1, 2.")
    assert said == "антенна 4 (место 3) не опрашивалась ни разу; опрашивались 1, 2."
    assert place(CHINESE, "burn") == "烧牌区" and place(CHINESE, "reader-1/2") == "reader-1/2"


@given(st.text(max_size=300))
def test_what_is_not_recognised_is_shown_as_it_came(said: str) -> None:
    assert heard(RUSSIAN, said) == said and isinstance(consequence(RUSSIAN, said), str)
