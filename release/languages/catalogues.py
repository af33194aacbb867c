"""The catalogues as files: each has every text with its translations, sorted, and nothing else.

A file is written the same whenever its texts are, so that a change shows what has changed.
"""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from release.languages.extract import Key, Text
from tablebridge.languages import Language
from tablebridge.languages.texts import FOLDER, PLURALS

TRANSLATED: Final[tuple[Language, ...]] = ("ru", "es", "zh")
"""The languages that have a catalogue; English texts stand in the code."""
Forms = tuple[str, ...]
"""A translation: one form, or those of a number in the order of the language."""
_HEAD: Final = ('"Language:', '"Plural-Forms:', '"Content-Type:')
"""Lines of the head; the others change with time or say nothing."""


def path_of(language: Language) -> Path:
    """The file of a catalogue."""
    return FOLDER / f"{language}.po"


def forms_of(language: Language) -> int:
    """How many plural forms a language has."""
    return int(PLURALS[language].partition(";")[0].removeprefix("nplurals="))


def read(language: Language) -> dict[Key, Forms]:
    """What the catalogue has; fuzzy translations are none."""
    path = path_of(language)
    if not path.exists():
        return {}
    found: dict[Key, Forms] = {}
    for message in read_po(BytesIO(path.read_bytes())):
        if message.id and not message.fuzzy:
            english = message.id if isinstance(message.id, str) else message.id[0]
            given = message.string
            forms = (given or "",) if isinstance(given, str | None) else tuple(given)
            found[Key(message.context or "", english)] = forms
    return found


def written(language: Language, texts: Mapping[Key, Text], known: Mapping[Key, Forms]) -> bytes:
    """The catalogue as a file, with empty strings for what is not translated."""
    catalogue = Catalog(locale=language, charset="utf-8", fuzzy=False, header_comment="")
    catalogue.mime_headers = [
        ("Plural-Forms", PLURALS[language]),
        ("Content-Type", "text/plain; charset=utf-8"),
    ]
    for key, text in texts.items():
        forms = known.get(key, ())
        places = list(text.places)
        if text.plural:
            forms = forms if len(forms) == forms_of(language) else ("",) * forms_of(language)
            catalogue.add((key.english, text.plural), forms, (), (), places, context=key.context or None)
        else:
            catalogue.add(key.english, "".join(forms[:1]), (), (), places, context=key.context or None)
    made = BytesIO()
    write_po(made, catalogue, width=0, no_location=True, sort_output=False)
    lines = made.getvalue().decode().strip().splitlines()
    head = lines.index("")
    kept = [line for line in lines[:head] if not line.startswith('"') or line.startswith(_HEAD)]
    return ("\n".join((*kept, *lines[head:])) + "\n").encode()
