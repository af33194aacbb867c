"""The texts of one language: what the catalogue has for an English text, and how numbers and times are
written.

Plural forms follow Unicode's rules: two in English, three in Spanish, four in Russian, one in Chinese.
"""

import gettext
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel import Locale
from babel.dates import format_datetime, format_time
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from tablebridge.languages import PSEUDO, Language, Shown
from tablebridge.languages.pseudo import Pseudo

FOLDER: Final = Path(__file__).parent
_LOCALES: Final[Mapping[Shown, str]] = {
    "en": "en_GB",
    "ru": "ru",
    "es": "es",
    "zh": "zh_Hans_CN",
    "en-XA": "en_GB",
}
_TAGS: Final[Mapping[Shown, str]] = {"zh": "zh-Hans"}
PLURALS: Final[Mapping[Language, str]] = {
    "en": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=3; plural=(n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2);",
    "ru": (
        "nplurals=4; plural=(n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4"
        " && (n % 100 < 12 || n % 100 > 14) ? 1 : n == n ? 2 : 3);"
    ),
    "zh": "nplurals=1; plural=0;",
}
"""Which form a number takes, as the head of a catalogue says it. The last Russian form is that of
fractions.
"""


class Texts:
    """The texts of one language. `tag`: the language as HTML names it.

    The methods have the names of gettext's, by which extraction finds their texts. Each takes the English
    text and the values of its fields, `%(seat)s`; a sign % is written %%.
    """

    def __init__(self, language: Shown) -> None:
        self.language = language
        self.tag = _TAGS.get(language, language)
        self.translations = _translations(language)
        self._locale = Locale.parse(_LOCALES[language])

    def gettext(self, english: str, /, **values: Any) -> str:
        """The text in this language."""
        return self.translations.gettext(english) % values

    def ngettext(self, singular: str, plural: str, num: int, /, **values: Any) -> str:
        """The text in the form of this number, which is `%(num)s` in it."""
        return self.translations.ngettext(singular, plural, num) % {"num": num, **values}

    def pgettext(self, context: str, english: str, /, **values: Any) -> str:
        """The text as it is meant in this context."""
        return self.translations.pgettext(context, english) % values

    def lookup(self, english: str, context: str = "") -> str:
        """The text in this language with its fields as they are."""
        if context:
            return self.translations.pgettext(context, english)
        return self.translations.gettext(english)

    def counted(self, english: str, number: int) -> str:
        """The text in the form of this number, with its fields as they are."""
        return self.translations.ngettext(english, english, number)

    def number(self, value: float) -> str:
        """A count or measure with the separators of the language: 12,500.5. Amounts of chips are written the
        same in all languages: `formatting.chips`.
        """
        return format_decimal(value, locale=self._locale)

    def moment(self, wall_ns: int) -> str:
        """A date with the time of day at this machine: 22 Nov 2026, 21:14:03."""
        return format_datetime(_local(wall_ns), "medium", locale=self._locale)

    def clock(self, wall_ns: int) -> str:
        """The time of day at this machine: 21:14:03."""
        return format_time(_local(wall_ns), "medium", locale=self._locale)


@cache
def texts(language: Shown) -> Texts:
    """The texts of a language, read at the first call."""
    return Texts(language)


def _translations(language: Shown) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    if language == PSEUDO:
        return Pseudo()
    with (FOLDER / f"{language}.po").open("rb") as file:
        catalogue = read_po(file)
    packed = BytesIO()
    write_mo(packed, catalogue)
    packed.seek(0)
    return gettext.GNUTranslations(packed)


def _local(wall_ns: int) -> datetime:
    return datetime.fromtimestamp(wall_ns / 1e9).astimezone()
