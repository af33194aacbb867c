"""Sentences that the engine sends in English and without their ids: what the table expects next, what the
floor may rule, and why a command was refused. A page recognises them by their form and says them in its
language; what it does not recognise it shows as it came.

`{seat}`, `{count}`, `{amount}`: numbers, and `{count:n}` decides the plural form; `{street:street}`,
`{card:card}`, `{role:role}`: words that are translated as well; any other field is a name.
"""

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Final

from tablebridge.languages.texts import Texts
from tablebridge.model.cards import DECK_52, spoken
from tablebridge.model.sentences import filled
from tablebridge.web import wording
from tablebridge.web.terms import TERMS

EXPECTED: Final = (
    "Start the next hand",
    "Stop: replace the deck, then deal the hand again from the same button",
    "Stop: deal the hand again from the same button",
    "Stop: the floor must rule",
    "Deal the next card to seat {seat}",
    "Exchange the exposed card of seat {seat} for the first burn card",
    "Seat {seat} to act: {amount} to call",
    "Seat {seat} to act: to bring it in",
    "Seat {seat} to act: nothing to call",
    "Push the pot and end the hand",
    "Push the pots and end the hand",
    "Seat {seat} to draw",
    "Show the hands, then end the hand",
    "Burn, then 1 card for all",
    "Burn, then a card to each seat",
    "Burn, then 1 card",
    "Burn, then {count:n} cards",
    "Deal the {street:street} of the second board: 1 card",
    "Deal the {street:street} of the second board: {count:n} cards",
    "Deal the {street:street}: 1 card",
    "Deal the {street:street}: {count:n} cards",
    "Deal {street:stud street due}: 1 card for all",
    "Deal {street:stud street due}: a card to each seat",
)
"""What the table expects next (`engine/expect.py`)."""

RULINGS: Final = (
    "The misdeal stands",
    "No misdeal: play on",
    "The {card:card} is the burn",
    "Seat {seat} must make it a full call",
    "Seat {seat} folds and forfeits the chips",
    "Play on as it is",
    "Seat {seat} may call or fold, not raise",
    "Seat {seat}'s hand is dead",
    "Seat {seat}'s hand is live",
    "Misdeal",
    "pot {amount} → {then}",
    "all bets are back",
    "seat {seat} is out",
)
"""What the floor may rule, and what follows from it (`engine/floor/questions.py`)."""

REFUSALS: Final = (
    "This alert is closed already.",
    "There is no such alert; reload the page.",
    "An alert is changed by a person with a name; sign in with a token that has one.",
    "{name} was first: the alert is {state:alert} already.",
    "{name} has taken this alert; say that you act in {again}'s place.",
    "This alert stays until the floor has ruled on it: press Ruled first.",
    "A retained command is never done; clear it from the broker.",
    "The command came too late and was not done. Enter it again; this copy is never done.",
    "Only the floor changes alerts; sign in with a floor token.",
    "There is no line of yours to take back in this hand.",
    "Nothing of yours is taken back in this hand.",
    "You have written another line since; there is nothing to bring back.",
    "A command holds 1 to {count} lines.",
    "A house rulebook's file is named in the site file; write it there and start the engine again.",
    "A hand is under way; set up the table when it is over.",
    "No hand is under way; begin one with the shuffler's button or the line: hand",
    "Only the floor rules; sign in with a floor token.",
    "There is no line {entry} in this hand or the one before it; reload the page.",
    "That is taken back already.",
    "That hand is over; the floor can take the line back.",
    "Only the {role:role} may {what:right}; sign in with a token of that role.",
    "The table waits for the floor: choose one of the rulings of this alert.",
    "The table does not wait for this ruling; look at it again.",
    "Nobody is on the way: the alert is {state:alert}.",
    "A critical alert is never put on the shelf.",
    "Write why the alert can wait.",
    "This alert is not on the shelf.",
    "That line is taken back; bring it back, or choose the one after it.",
    "Where a hand begins or ends is not changed; take the line back and write it again.",
    "One line of the hand stands in the place of another; take this one back instead.",
    "That hand is over; the floor can take the fact back.",
    "That hand is over: say why it is corrected.",
    "A dealer reports facts without a face and calls the floor; this is neither.",
    "Only the floor shelves alerts and puts devices out of service.",
    "Only the director directs the broadcast; sign in with a director's token.",
    "The table waits for the floor: this alert cannot be put on the shelf.",
    "Give the reason in the note: the call was not settled at the table, where the dealer ends it.",
)
"""Why the engine has not done a command (`floor/alerts.py`, `app/commands.py` and their neighbours)."""

TEMPLATES: Final = (*EXPECTED, *RULINGS, *REFUSALS)
_NUMBERS: Final = ("seat", "count", "amount", "then", "entry")
_BETWEEN: Final = "; "
_STOP: Final = "Stop: "
_TO_COLON: Final = re.compile(r"^[^:：]*[:：] ?")
_CARDS: Final = {spoken(card): card for card in DECK_52}


def heard(texts: Texts, english: str) -> str:
    """A sentence of the engine in the language of the page."""
    found = _recognised(english)
    if found is None:
        return english
    template, args = found
    form = texts.lookup(template)
    for _, name, spec, _ in Formatter().parse(template):
        if name and spec == "card" and args[name] in _CARDS:
            args[name] = wording.card_name(texts, _CARDS[args[name]])
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


def _recognised(english: str) -> tuple[str, dict[str, str]] | None:
    """The template that a sentence is made of, and what is put into it; None if there is no such."""
    for template, form in _forms().items():
        found = form.fullmatch(english)
        if found is not None:
            return template, dict(found.groupdict())
    return None


@cache
def _forms() -> Mapping[str, re.Pattern[str]]:
    return {template: re.compile(_form(template)) for template in TEMPLATES}


def _form(template: str) -> str:
    parts = []
    for literal, name, spec, _ in Formatter().parse(template):
        parts.append(re.escape(literal))
        if name:
            value = r"\d{1,15}" if name in _NUMBERS else r"\w{1,20}" if spec == "street" else ".{1,200}?"
            parts.append(f"(?P<{name}>{value})")
    return "".join(parts)
