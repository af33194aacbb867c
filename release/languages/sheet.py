"""A sheet: texts without translations, as a file to be filled in.

    # where the text stands
    @ CONTEXT
    = English text | its plural form
    ru first form | second form | third form
    es
    zh

Blocks are separated by empty lines; a text without context has no line `@`. Forms of a number that a language
has and the sheet does not are filled: the last Russian form, that of fractions, by the second; the second
Spanish form, that of millions, by the last.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from release.languages.catalogues import TRANSLATED, Forms, forms_of
from release.languages.extract import Key, Text
from tablebridge.languages import Language

BETWEEN: Final = " | "
_FILLED: Final[Mapping[tuple[Language, int], tuple[int, ...]]] = {
    ("ru", 3): (0, 1, 2, 1),
    ("es", 2): (0, 1, 1),
}
"""By language and number of forms given: which of them stands for each form of the language."""


class SheetError(Exception):
    """What is wrong with a sheet, in a sentence with the line."""


def sheet(texts: Mapping[Key, Text], known: Mapping[Language, Mapping[Key, Forms]]) -> str:
    """The sheet of all texts that lack a translation in some language, with those that they have."""
    blocks = []
    for key, text in texts.items():
        forms = {language: known[language].get(key, ()) for language in TRANSLATED}
        if all(any(each) and all(each) for each in forms.values()):
            continue
        lines = [f"# {', '.join(text.places)}"]
        lines += [f"@ {key.context}"] if key.context else []
        lines.append(f"= {key.english}" + (f"{BETWEEN}{text.plural}" if text.plural else ""))
        lines += [f"{language} {BETWEEN.join(each)}".rstrip() for language, each in forms.items()]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def filled_in(sheet: str, texts: Mapping[Key, Text]) -> Iterator[tuple[Language, Key, Forms]]:
    """The translations that a sheet has. Raises SheetError for a text that is not there any more, and for a
    wrong number of forms.
    """
    context, key = "", None
    for number, line in enumerate(sheet.splitlines(), 1):
        mark, _, rest = line.partition(" ")
        if not line.strip() or mark == "#":
            context, key = ("", None) if not line.strip() else (context, key)
        elif mark == "@":
            context = rest
        elif mark == "=":
            key = Key(context, rest.partition(BETWEEN)[0])
            if key not in texts:
                raise SheetError(
                    f"line {number}: no page has the text {key.english!r} in {context!r} any more"
                )
        elif mark in TRANSLATED and key is not None:
            if rest.strip():
                yield mark, key, _forms(number, mark, rest, texts[key])
        else:
            raise SheetError(f"line {number}: begin it with #, @, = or a language, after a line with =")


def _forms(number: int, language: Language, given: str, text: Text) -> Forms:
    """The forms that a line of the sheet has, all that the language has."""
    if not text.plural:
        return (given,)
    forms = tuple(given.split(BETWEEN))
    if len(forms) == 1:
        return forms * forms_of(language)
    order = _FILLED.get((language, len(forms)), tuple(range(len(forms))))
    if len(order) != forms_of(language):
        raise SheetError(
            f"line {number}: {language} has {forms_of(language)} plural forms; {len(forms)} are given"
        )
    return tuple(forms[place] for place in order)
