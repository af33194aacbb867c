"""Sentences that processes send in English and without their ids: what the table expects next, what the
floor may rule, why a line changed nothing or a command was refused, what the doctor found. A page recognises
them by their form (`forms`) and says them in its language; what it does not recognise it shows as it came.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from string import Formatter
from typing import Final

from tablebridge.languages.texts import Texts
from tablebridge.model.cards import DECK_52, spoken
from tablebridge.model.sentences import filled
from tablebridge.web import wording
from tablebridge.web.forms import FORMS, NUMBERS
from tablebridge.web.terms import TERMS

_BETWEEN: Final = "; "
_STOP: Final = "Stop: "
_TO_COLON: Final = re.compile(r"^[^:：]*[:：] ?")
_SENTENCES: Final = re.compile(r"(?<=[.?]) (?=\S)")
_MOST_SENTENCES: Final = 8
_KEPT: Final = 2048
"""How many sentences are recognised without being looked at again."""
_CARDS: Final = {spoken(card): card for card in DECK_52}


def heard(texts: Texts, english: str) -> str:
    """A sentence of a process in the language of the page; of several sentences each that is recognised."""
    if _recognised(english) is not None:
        return _said(texts, english)
    parts = _SENTENCES.split(english, _MOST_SENTENCES)
    said = []
    while parts:
        known = next((end for end in range(len(parts), 1, -1) if _recognised(" ".join(parts[:end]))), 1)
        said.append(_said(texts, " ".join(parts[:known])))
        del parts[:known]
    return " ".join(said)


def _said(texts: Texts, english: str) -> str:
    """What has one form, in this language; what has none as it came."""
    found = _recognised(english)
    if found is None:
        return english
    template, given = found
    args = dict(given)
    form = texts.lookup(template)
    for _, name, spec, _ in Formatter().parse(template):
        if name and spec == "card" and args[name] in _CARDS:
            args[name] = wording.card_name(texts, _CARDS[args[name]])
        elif name and spec == "said":
            args[name] = heard(texts, args[name])
        elif name and spec in ("alert", "role", "right"):
            args[name] = texts.lookup(TERMS[spec].get(args[name], args[name]), spec)
        elif name and spec == "n":
            form = texts.counted(template, int(args[name]))
    return filled(form, args, texts)


def consequence(texts: Texts, english: str) -> str:
    """What follows from a ruling: what changes, and what the table expects then, each in the language of the
    page.
    """
    return _BETWEEN.join(_part(texts, part) for part in english.split(_BETWEEN))


def _part(texts: Texts, part: str) -> str:
    """One thing that follows; what the table expects begins there with a small letter, without the stop."""
    if _recognised(part) is not None:
        return heard(texts, part)
    whole = part[:1].upper() + part[1:]
    if _recognised(whole) is not None:
        said = heard(texts, whole)
        return said[:1].lower() + said[1:]
    if _recognised(_STOP + part) is not None:
        return _TO_COLON.sub("", heard(texts, _STOP + part))
    return part


@lru_cache(_KEPT)
def _recognised(english: str) -> tuple[str, Mapping[str, str]] | None:
    """The template that a sentence is made of, and what is put into it; None if there is no such."""
    for template, form in _forms().items():
        found = form.fullmatch(english)
        if found is not None:
            return template, found.groupdict()
    return None


@cache
def _forms() -> Mapping[str, re.Pattern[str]]:
    return {template: re.compile(_form(template)) for template in FORMS}


def _form(template: str) -> str:
    parts = []
    for literal, name, spec, _ in Formatter().parse(template):
        parts.append(re.escape(literal))
        if name:
            value = r"\d{1,15}" if name in NUMBERS else r"\w{1,20}" if spec == "street" else ".{1,200}?"
            parts.append(f"(?P<{name}>{value})")
    return "".join(parts)
