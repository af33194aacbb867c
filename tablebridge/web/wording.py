"""How things of the table are called on pages, in the language of the page: pure functions of its texts. The
templates call them by their names and without the texts.
"""

from typing import Final

from tablebridge.languages.texts import Texts
from tablebridge.model import floor_steps as steps
from tablebridge.model.cards import BLANK, JOKER, UNKNOWN, Card, face
from tablebridge.model.findings import REMEDIES
from tablebridge.model.sentences import Worded, filled, sentence_of
from tablebridge.model.views import SeatView, TableView
from tablebridge.web.formatting import chips
from tablebridge.web.terms import TERMS, plain

BOOKS: Final = {
    "tda-2024": "TDA 2024",
    "tda-2022": "TDA 2022",
    "tda-2017": "TDA 2017",
    "fspr": "FSPR",
    "raise-club": "Raise club",
}
"""Rulebooks by the names that they have in every language."""


def term(texts: Texts, kind: str, value: str) -> str:
    """The words for a value of this kind; one that has none as it is."""
    english = TERMS[kind].get(value)
    return plain(value) if english is None else texts.lookup(english, kind)


def heading(texts: Texts, finding: str) -> str:
    """The name of a finding as a heading: `card-out-of-place` -> Card out of place."""
    known = TERMS["finding"].get(finding)
    return plain(finding).capitalize() if known is None else texts.lookup(known, "finding")


def sentence(texts: Texts, worded: Worded) -> str:
    """The sentence of a finding or alert."""
    return sentence_of(worded, texts)


def table_title(texts: Texts, name: str) -> str:
    """A table as people call it: `main` -> Table main, `table-1` -> Table 1."""
    number = name.removeprefix("table").lstrip("-") if name.startswith("table") else name
    return texts.gettext("Table %(name)s", name=plain(number)) if number else texts.gettext("Table")


def rule(texts: Texts, rulebook: str, number: str | None) -> str:
    """Where the rule is written: TDA 2022 rule 35-A(2). Empty if no rule is named."""
    if not number:
        return ""
    book = BOOKS.get(rulebook, rulebook)
    return texts.gettext("%(book)s rule %(number)s", book=book, number=number).strip()


def floor_steps(texts: Texts, finding: str, cause: str | None, remedy: tuple[str, ...]) -> list[str]:
    """What the floor does about an alert, in order."""
    return [texts.lookup(step) for step in steps.floor_steps(finding, cause, remedy)]


def remedy_step(texts: Texts, step: str) -> str:
    """A step of a remedy as a sentence: `reshuffle` -> Reshuffle the whole deck."""
    return texts.lookup(REMEDIES.get(step, step))


def street(texts: Texts, name: str) -> str:
    """The name of a street: `preflop` -> Pre-flop."""
    return term(texts, "street", name)


def place(texts: Texts, name: str) -> str:
    """A place of a table: `seat 3`. What is none, such as an antenna, as it is."""
    return filled("{name:place}", {"name": name}, texts)


def game_titles(texts: Texts) -> dict[str, str]:
    """What each game is called, as the scripts of the overlay look it up: `game-nlhe`."""
    titles = {name: term(texts, "game", name) for name in TERMS["game"]}
    return {f"game-{name}": title[:1].upper() + title[1:] for name, title in titles.items()}


def game(texts: Texts, view: TableView) -> str:
    """The game with its stakes: No-limit hold'em 100/200."""
    low, high = view.stakes
    title = term(texts, "game", view.game) if view.game in TERMS["game"] else view.game
    title = title[:1].upper() + title[1:]
    return " ".join(part for part in (title, f"{chips(low)}/{chips(high)}" if high else "") if part)


def card_name(texts: Texts, card: Card) -> str:
    """The card as it is spoken, for people who listen to pages: queen of hearts."""
    seen = face(card)
    if seen == UNKNOWN:
        return texts.gettext("unknown card")
    if seen == JOKER:
        return texts.gettext("joker")
    if seen == BLANK:
        return texts.gettext("blank card")
    return texts.gettext(
        "%(rank)s of %(suit)s", rank=term(texts, "rank", seen[0]), suit=term(texts, "suit", seen[1])
    )


def person_of(texts: Texts, by: str) -> str:
    """The person without the role: `Boris (operator)` -> Boris."""
    return by.partition(" (")[0] or texts.gettext("the table")


def action(texts: Texts, last: str) -> str:
    """An action as the engine names it, with its amount: `bet 400`."""
    name, _, amount = last.rpartition(" ")
    if not amount.isdigit():
        return term(texts, "action", last)
    return f"{term(texts, 'action', name)} {amount}"


def last_action(texts: Texts, seat: SeatView) -> str:
    """What a seat did last and how many cards it holds: bet 400 · 2 cards. A folded hand holds none, wherever
    its cards are.
    """
    state = "" if seat.state in ("in", "empty") else term(texts, "seat", seat.state)
    last = action(texts, seat.last) if seat.last else state
    cards = (
        texts.ngettext("%(num)s card", "%(num)s cards", seat.cards)
        if seat.cards and seat.state != "folded"
        else ""
    )
    return " · ".join(part for part in (last, cards) if part)


def cards_read(texts: Texts, seat: SeatView) -> str:
    """What the antennas in front of a seat read: 2 cards read; 1 card read, 1 lifted."""
    read, lifted = seat.read.lying, seat.read.lifted
    parts = []
    if read or not lifted:
        parts.append(texts.ngettext("%(num)s card read", "%(num)s cards read", read))
    if lifted:
        parts.append(texts.ngettext("%(num)s lifted", "%(num)s lifted", lifted))
    return ", ".join(parts)


FUNCTIONS: Final = (
    term,
    heading,
    sentence,
    table_title,
    rule,
    floor_steps,
    remedy_step,
    street,
    place,
    game,
    game_titles,
    card_name,
    person_of,
    action,
    last_action,
    cards_read,
)
"""What the templates may call, each without its first argument."""
