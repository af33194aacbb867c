"""The languages of the pages: which there are, and how each is called by those who speak it.

`texts` has the texts of a language. They stand in the catalogues `LANGUAGE.po` beside this file, by their
English text; docs/languages.md says how they are made and kept whole.
"""

from typing import Final, Literal

Language = Literal["en", "ru", "es", "zh"]
NAMES: Final[dict[Language, str]] = {"en": "English", "ru": "Русский", "es": "Español", "zh": "中文"}
"""The languages that a person can choose, each by its own name."""
PSEUDO: Final = "en-XA"
"""English with accents and 40 % longer: it shows on a page what is not translated and what does not fit."""
Shown = Language | Literal["en-XA"]
"""A language in which pages can be rendered."""
