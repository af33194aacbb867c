"""What is to be translated: the texts in templates and in the code of the pages, and the tables of words and
sentences.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file

from release.tree import ROOT
from tablebridge.model.findings import REMEDIES
from tablebridge.model.floor_steps import FLOOR_STEPS
from tablebridge.model.sentences import COMMA, PHRASES, SENTENCES, number_of
from tablebridge.web.forms import FORMS
from tablebridge.web.terms import TERMS

FOLDERS: Final = ("tablebridge/web", "tablebridge/hall")
"""Where templates and code have texts."""
_KEYWORDS: Final[dict[str, Any]] = {**DEFAULT_KEYWORDS, "Denied": (2,)}
_TEMPLATE: Final = {"newstyle_gettext": "true", "trim_blocks": "true", "lstrip_blocks": "true"}


class Key(NamedTuple):
    """By what a catalogue finds a text: its context, and the English text or its form for one thing."""

    context: str
    english: str


class Text(NamedTuple):
    """A text to be translated. `plural`: its English form for several things, if it has forms. `places`: the
    files and tables that have it.
    """

    key: Key
    plural: str = ""
    places: tuple[str, ...] = ()


def texts() -> dict[Key, Text]:
    """All texts that are to be translated, sorted."""
    found: dict[Key, Text] = {}
    for text in (*_in_files(), *_in_tables()):
        known = found.get(text.key, text)
        if known.plural and text.plural and known.plural != text.plural:
            raise ValueError(f"{text.key.english!r} has two plural forms: {known.plural!r}, {text.plural!r}")
        places = tuple(sorted({*known.places, *text.places}))
        found[text.key] = Text(text.key, known.plural or text.plural, places)
    return dict(sorted(found.items()))


def _in_files() -> Iterator[Text]:
    """The texts in the calls of gettext's functions, and the sentences of refusals."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".py", ".html"):
                continue
            method = "python" if path.suffix == ".py" else "jinja2.ext:babel_extract"
            options = {} if path.suffix == ".py" else _TEMPLATE
            place = str(path.relative_to(ROOT))
            for _, message, _, context in extract_from_file(
                method, path, keywords=_KEYWORDS, options=options
            ):
                singular, plural = message if isinstance(message, tuple) else (message, "")
                yield Text(Key(context or "", singular), plural, (place,))


def _in_tables() -> Iterator[Text]:
    """The sentences and phrases of findings, the steps of the floor, the words for values."""
    for finding, sentences in SENTENCES.items():
        for text, english in sentences.items():
            counted = english if number_of(finding, text) else ""
            yield Text(Key("", english), counted, (f"finding {finding}: {text}",))
    for kind, phrases in PHRASES.items():
        for english in phrases.values():
            yield Text(Key(kind, english), "", (f"phrase {kind}",))
    yield Text(Key("each", COMMA), "", ("between the members of a list",))
    for step, english in REMEDIES.items():
        yield Text(Key("", english), "", (f"remedy {step}",))
    for (finding, cause), steps in FLOOR_STEPS.items():
        for english in steps:
            yield Text(Key("", english), "", (f"steps {finding} {cause}".strip(),))
    for english in FORMS:
        yield Text(Key("", english), english if ":n}" in english else "", ("said by a process",))
    for kind, terms in TERMS.items():
        for english in terms.values():
            yield Text(Key(kind, english), "", (f"term {kind}",))
