"""The catalogues hold every text, and their translations say what the English says."""

import gettext
import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.plural import PluralRule
from rig.documents import DOCS

from release.languages import catalogues
from release.languages.catalogues import TRANSLATED, Forms
from release.languages.extract import Key, Text, texts
from release.languages.sheet import SheetError, filled_in, sheet
from tablebridge.languages import Language
from tablebridge.languages.pseudo import STRETCH, stretched
from tablebridge.languages.texts import PLURALS

WANTED = texts()
KNOWN = {language: catalogues.read(language) for language in TRANSLATED}
NUMBERS = (
    0,
    1,
    2,
    3,
    4,
    5,
    10,
    11,
    12,
    14,
    20,
    21,
    22,
    25,
    100,
    101,
    111,
    112,
    121,
    1000,
    1_000_000,
    2_000_000,
)
SAMPLE = {
    Key("", "Seat %(seat)s"): Text(Key("", "Seat %(seat)s"), "", ("a.html",)),
    Key("", "%(num)s card"): Text(Key("", "%(num)s card"), "%(num)s cards"),
    Key("device", "live"): Text(Key("device", "live")),
}

FIELD = re.compile(r"%\(\w+\)s|\{[^}]*\}|`[^`]*`")
SCRIPTS: dict[Language, str] = {"ru": "[а-яё]", "es": "[áéíóúñ¿]", "zh": "[\u4e00-\u9fff]"}
"""What a text of the language has, if nothing else is known of it."""
COLUMNS: dict[Language, str] = {"ru": "Russian", "es": "Spanish", "zh": "Chinese"}
SAME: dict[Language, set[str]] = {
    "ru": set(),
    "es": {
        "1 out",
        "All-in",
        "Americana",
        "Ante",
        "Flop",
        "Jackpot",
        "Misdeal",
        "Muck",
        "Overlay %(table)s",
        "Rabbit hunt",
        "River",
        "Showdown",
        "String bet",
        "Turn",
        "all-in",
        "ante",
        "all-in {amount}",
        "badugi",
        "board",
        "broker",
        "floor",
        "flop",
        "muck",
        "razz",
        "river",
        "stud",
        "turn",
        "ultimate Texas hold'em",
        "zoom",
        "{number} bb",
        "{number} outs",
    },
    "zh": {"Americana"},
}
"""Texts that are the same as in English."""


def glossary() -> list[dict[str, str]]:
    """The rows of the table in docs/languages.md."""
    lines = [line for line in (DOCS / "languages.md").read_text().splitlines() if line.startswith("| ")]
    start = next(number for number, line in enumerate(lines) if line.startswith("| English |"))
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start:]]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


GLOSSARY = glossary()


def fields(text: str) -> Counter[str]:
    """What is put into a text, with how it is written there."""
    braces = [f"{{{name}:{spec}}}" for _, name, spec, _ in Formatter().parse(text) if name is not None]
    return Counter(braces + re.findall(r"%\(\w+\)s|%%", text))


LONE = re.compile(r"%(?!\()")


def faults(key: Key, text: Text, forms: Forms) -> list[str]:
    """What is wrong with a translation."""
    found = []
    for form in forms:
        english = text.plural or key.english
        if fields(form) != fields(english):
            found.append("fields differ")
        if set(re.findall(r'[<>&"|\n]', form)) - set(english):
            found.append("a sign that HTML or a sheet takes for its own")
        if len(LONE.findall(form.replace("%%", ""))) != len(LONE.findall(english.replace("%%", ""))):
            found.append("a sign % is written %%")
        if key.english.endswith(".") != form.endswith((".", "。")):
            found.append("the full stop differs")
    return found


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_fields_of_its_text_and_no_sign_of_html(language: Language) -> None:
    wrong = {
        key: found
        for key, forms in KNOWN[language].items()
        if any(forms) and (found := faults(key, WANTED[key], forms))
    }
    assert not wrong


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_has_its_translation(language: Language) -> None:
    missing = [
        key
        for key, text in WANTED.items()
        if not all(forms := KNOWN[language].get(key, ("",)))
        or len(forms) != (catalogues.forms_of(language) if text.plural else 1)
    ]
    assert not missing, "make languages, and docs/languages.md says how a text is translated"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_is_in_its_language(language: Language) -> None:
    """Nobody has copied the English text. What is the same in both is listed."""
    copied = [
        key
        for key, forms in KNOWN[language].items()
        for form in forms
        if re.search("[A-Za-z]{2}", FIELD.sub("", form)) and not re.search(SCRIPTS[language], form)
        if form == key.english or language != "es"
        if key.english not in SAME[language]
    ]
    assert not copied


@pytest.mark.parametrize("row", GLOSSARY, ids=lambda row: row["English"])
def test_a_term_is_translated_as_the_glossary_says(row: dict[str, str]) -> None:
    term = re.compile(rf"\b{re.escape(row['English'])}\b", re.IGNORECASE)
    texts = [key for key, text in WANTED.items() if term.search(FIELD.sub("", key.english))]
    assert texts, f"no text has {row['English']!r}: take it out of the glossary"
    for language, name in COLUMNS.items():
        stems = [part.partition("·")[0].strip() for part in row[name].lower().split("/")]
        others = {
            key.english: form
            for key in texts
            for form in KNOWN[language][key]
            if not any(stem in form.lower() for stem in stems)
        }
        assert not others, f"{language}: not {row[name]!r}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_is_as_it_is_written(language: Language) -> None:
    """So a change of one text changes one place of the file, and no text is fuzzy."""
    path = catalogues.path_of(language)
    assert path.read_bytes() == catalogues.written(language, WANTED, KNOWN[language]), "make languages"
    assert not [message.id for message in read_po(BytesIO(path.read_bytes())) if message.id and message.fuzzy]


@pytest.mark.parametrize("language", PLURALS)
def test_plural_forms_are_those_of_unicode(language: Language) -> None:
    rule: PluralRule = Locale(language).plural_form
    _, _, expression = PLURALS[language].partition("plural=")
    form = gettext.c2py(expression.rstrip(";"))  # type: ignore[attr-defined]
    assert catalogues.forms_of(language) == len(rule.tags) + 1
    order = [tag for tag in ("one", "few", "many", "other") if tag in {*rule.tags, "other"}]
    assert [order[form(number)] for number in NUMBERS] == [rule(number) for number in NUMBERS]


def test_a_sheet_is_filled_in_and_read_back() -> None:
    empty = {language: {} for language in TRANSLATED}
    blank = sheet(SAMPLE, empty)  # type: ignore[arg-type]
    assert blank.startswith("# a.html\n= Seat %(seat)s\nru\nes\nzh\n") and "\n@ device\n= live\n" in blank
    full = blank.replace("= Seat %(seat)s\nru", "= Seat %(seat)s\nru Место %(seat)s").replace(
        "cards\nru\nes\nzh",
        "cards\nru %(num)s a | %(num)s b | %(num)s c\nes %(num)s d | %(num)s e\nzh %(num)s f",
    )
    assert list(filled_in(full, SAMPLE)) == [
        ("ru", Key("", "Seat %(seat)s"), ("Место %(seat)s",)),
        ("ru", Key("", "%(num)s card"), ("%(num)s a", "%(num)s b", "%(num)s c", "%(num)s b")),
        ("es", Key("", "%(num)s card"), ("%(num)s d", "%(num)s e", "%(num)s e")),
        ("zh", Key("", "%(num)s card"), ("%(num)s f",)),
    ]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("= Seat\nru Место", "line 1: no page has the text 'Seat' in '' any more"),
        ("ru Место", "line 1: begin it with"),
        ("= %(num)s card | %(num)s cards\nzh a | b", "line 2: zh has 1 plural forms; 2 are given"),
    ],
)
def test_a_sheet_that_is_wrong_is_refused_with_the_line(wrong: str, why: str) -> None:
    with pytest.raises(SheetError, match=re.escape(why)):
        list(filled_in(wrong, SAMPLE))


def test_the_faults_of_a_translation_are_found() -> None:
    key = Key("", "Seat %(seat)s is {place:place}.")
    assert faults(key, Text(key), ("Место %(seat)s: {place:place}.",)) == []
    assert faults(key, Text(key), ("Место %(seta)s: {place:place}.",)) == ["fields differ"]
    assert faults(key, Text(key), ("Место %(seat)s: {place}.",)) == ["fields differ"]
    assert faults(key, Text(key), ("100% %(seat)s: {place:place}.",)) == ["a sign % is written %%"]
    assert faults(key, Text(key), ("%(seat)s <b>{place:place}",)) == [
        "a sign that HTML or a sheet takes for its own",
        "the full stop differs",
    ]


def test_a_written_catalogue_is_read_back_and_serves(tmp_path: Path) -> None:
    card = Key("", "%(num)s card")
    made = catalogues.written("ru", SAMPLE, {card: ("a", "b", "c", "b")})
    packed = BytesIO()
    write_mo(packed, read_po(BytesIO(made)))
    packed.seek(0)
    translations = gettext.GNUTranslations(packed)
    assert [
        translations.ngettext(*(card.english, "%(num)s cards"), number) for number in (1, 2, 5, 21)
    ] == list("abca")


def test_a_stretched_text_is_longer_by_two_fifths_and_keeps_its_fields() -> None:
    for text in WANTED.values():
        letters = re.sub(r"%\(\w+\)s|\{[^}]*\}|[^A-Za-z]", "", text.key.english)
        longer = stretched(text.key.english)
        assert fields(longer) == fields(text.key.english)
        assert len(longer) - len(text.key.english) >= (STRETCH - 1) * len(letters) - 0.5, text.key.english
