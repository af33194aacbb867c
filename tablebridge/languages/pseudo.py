"""The pseudo-language: English texts with accents, stretched by 40 %.

What shows without accents is not translated; what is clipped has no room for a longer language.
"""

import re
from gettext import NullTranslations
from typing import Final

STRETCH: Final = 1.4
_FIELDS: Final = re.compile(r"(%\(\w+\)s|%%|\{[^}]*\}|<[^>]*>|&\w+;)")
_ACCENTED: Final = str.maketrans("aeiouyAEIOUYcnsCNS", "áéíóúýÁÉÍÓÚÝçñšÇÑŠ")


class Pseudo(NullTranslations):
    """Translates by stretching."""

    def gettext(self, message: str) -> str:
        return stretched(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return stretched(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return stretched(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return stretched(msgid1 if n == 1 else msgid2)


def stretched(english: str) -> str:
    """The text with accents and at least 40 % longer; its fields and tags stay as they are."""
    parts = _FIELDS.split(english)
    return "".join(part if number % 2 else _longer(part) for number, part in enumerate(parts))


def _longer(part: str) -> str:
    """Each word longer by its share, so that lines break as they would in another language."""
    return re.sub(r"[^\W\d_]+", lambda found: _word(found[0]), part)


def _word(word: str) -> str:
    missing = -(-len(word) * 4 // 10)
    spread = [sign + (sign.lower() if number < missing else "") for number, sign in enumerate(word)]
    return "".join(spread).translate(_ACCENTED) + ("" if set(word.lower()) & set("aeiouycns") else "·")
