"""One line of table script as tokens, taken one after the other; whatever is wrong is a ScriptError with what
was expected.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from tablebridge.model.cards import Card, parse_card, parse_chips
from tablebridge.model.errors import ScriptError
from tablebridge.model.places import SEATS

# From here on an amount cannot be a stack (the engine takes it for a stack that nobody reported), and a count
# no count of chips.
_MOST_DIGITS: Final = 12
_LONGEST_NAME: Final = 64
_MOST_CHIPS: Final = 10_000
# An error lists at most this number of words that were allowed.
_MOST_LISTED: Final = 24
_WORD: Final = re.compile(r'"([^"]*)"|(#)|([^\s"#]+)|(")')


def split(text: str) -> tuple[list[str], str | None]:
    """The words of a line without its comment, and what it quotes as its last word. Raises ScriptError for an
    open quote.
    """
    tokens: list[str] = []
    quoted = None
    for found in _WORD.finditer(text):
        if found[2]:
            break
        if found[4]:
            raise ScriptError('expected a closing "')
        if quoted is not None:
            raise ScriptError("expected the end of the line after the quoted words")
        if found[1] is not None:
            quoted = found[1]
        else:
            tokens.append(found[3])
    return tokens, quoted


class Tokens:
    """The tokens of one line that are not taken yet. `usage`: its form, shown in every error."""

    def __init__(self, usage: str, tokens: list[str], quoted: str | None) -> None:
        self.usage = usage
        self._tokens = tokens
        self._quoted = quoted
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._tokens)

    def error(self, expected: str, found: str | None = None) -> ScriptError:
        """What was expected instead of `found`."""
        shown = "" if found is None else f", found {shown_word(found)}"
        return ScriptError(f"expected {expected}{shown}, as in: {self.usage}")

    @property
    def quotes(self) -> bool:
        """Whether quoted words are left."""
        return self._quoted is not None

    def peek(self) -> str:
        """The next word, without taking it; empty at the end."""
        return self._tokens[self._at] if self else ""

    def ahead(self, places: int) -> str:
        """The word this many places after the next one, without taking any; empty beyond the end."""
        return self._tokens[self._at + places] if self._at + places < len(self._tokens) else ""

    def word(self, what: str) -> str:
        if not self:
            raise self.error(what, None if self._quoted is None else "quoted words")
        self._at += 1
        return self._tokens[self._at - 1]

    def choice(self, what: str, choices: Iterable[str]) -> str:
        known = tuple(choices)
        listed = f"{what}: {', '.join(known)}" if len(known) <= _MOST_LISTED else what
        found = self.word(listed)
        if found not in known:
            near = get_close_matches(found.lower(), known, 1)
            raise self.error(f"{what} (perhaps {near[0]})" if near else listed, found)
        return found

    def took(self, word: str) -> bool:
        """Take the next word if it is this one."""
        if self and self._tokens[self._at] == word:
            self._at += 1
            return True
        return False

    def flags(self, *names: str) -> dict[str, bool]:
        """The rest: some of these words, each once, in any order."""
        given = dict.fromkeys(names, False)
        while self:
            name = self.choice(
                "the end of the line or one of", [name for name, there in given.items() if not there]
            )
            given[name] = True
        return given

    def number(self, what: str, most: int = 10**_MOST_DIGITS - 1) -> int:
        found = self.word(what)
        if not _is_number(found) or int(found) > most:
            large = found.isascii() and found.isdigit()
            raise self.error(
                f"{what}, a whole number up to {most}" if large else f"{what}, a whole number", found
            )
        return int(found)

    def amount(self, what: str = "an amount") -> int:
        return self.number(what)

    def gain(self) -> int:
        """An amount, below 0 if it was lost."""
        word = self.word("what was gained, such as 10 or -10")
        if not _is_number(word.removeprefix("-")) or len(word) > _MOST_DIGITS:
            raise self.error("what was gained, such as 10 or -10", word)
        return int(word)

    def seat(self) -> int:
        return self._seat(self.word("a seat from 1 to 10"))

    def seats(self) -> tuple[int, ...]:
        """The rest: one seat or more, each once, in the order given."""
        seats = [self.seat()]
        while self:
            seats.append(self.seat())
        return self._each_once(seats)

    def seat_list(self) -> tuple[int, ...]:
        """The rest: seats and ranges of seats `1-6`, ascending."""
        seats: list[int] = []
        while self or not seats:
            word = self.word("seats such as 1-6 or 1 2 4")
            first, dash, last = word.partition("-")
            if dash and not (first and last):
                raise self.error("a range of seats such as 1-6", word)
            low, high = self._seat(first), self._seat(last if dash else first)
            if high < low:
                raise self.error("a range of seats that ascends", word)
            seats.extend(range(low, high + 1))
        return tuple(sorted(self._each_once(seats)))

    def seat_amounts(self) -> dict[int, int]:
        """The rest: `SEAT:AMOUNT` once or more."""
        amounts: dict[int, int] = {}
        while self or not amounts:
            word = self.word("SEAT:AMOUNT")
            seat, colon, amount = word.partition(":")
            if not colon or not _is_number(amount):
                raise self.error("SEAT:AMOUNT", word)
            self._each_once([*amounts, self._seat(seat)])
            amounts[int(seat)] = int(amount)
        return amounts

    def card(self) -> Card:
        word = self.word("a card such as Kh")
        try:
            return parse_card(word)
        except ValueError:
            raise self.error("a card such as Kh (rank 23456789TJQKA, suit cdhs, ?? unknown)", word) from None

    def cards(self) -> tuple[Card, ...]:
        """The rest: one card or more."""
        cards = [self.card()]
        while self:
            cards.append(self.card())
        return tuple(cards)

    def chips(self, *, none_too: bool = False) -> tuple[int, ...]:
        """A chip list; `none_too` allows one without a chip, `0x100`."""
        word = self.word("a chip list such as 1000+3x100")
        counts = [part.partition("x")[0] if "x" in part else "1" for part in word.split("+")]
        if (
            any(len(number) > _MOST_DIGITS for number in re.findall(r"\d+", word))
            or sum(int(count) for count in counts if _is_number(count)) > _MOST_CHIPS
        ):
            raise self.error(f"a chip list of at most {_MOST_CHIPS} chips", word)
        try:
            chips = parse_chips(word)
        except ValueError:
            raise self.error("a chip list such as 1000+3x100", word) from None
        if not chips and not none_too:
            raise self.error("one chip or more", word)
        return chips

    def stakes(self) -> tuple[int, int]:
        """Two amounts `50/100`."""
        word = self.word("stakes such as 50/100")
        small, slash, big = word.partition("/")
        if not slash or not _is_number(small) or not _is_number(big):
            raise self.error("stakes such as 50/100", word)
        return int(small), int(big)

    def quote(self) -> str:
        """Words between double quotes, the last of the line."""
        if self or self._quoted is None or not self._quoted.strip():
            raise self.error(
                'words between double quotes, such as "raise 8000"', self.word("") if self else None
            )
        quoted, self._quoted = self._quoted, None
        return quoted

    def name(self) -> str:
        """What somebody is called, between double quotes, the last of the line."""
        name = self.quote()
        if len(name) > _LONGEST_NAME:
            raise self.error(f"a name of {_LONGEST_NAME} characters at most")
        return name

    def end(self) -> None:
        if self or self._quoted is not None:
            raise self.error("the end of the line", self.word("") if self else "quoted words")

    def _seat(self, word: str) -> int:
        if not _is_number(word) or int(word) not in SEATS:
            raise self.error("a seat from 1 to 10", word)
        return int(word)

    def _each_once(self, seats: list[int]) -> tuple[int, ...]:
        if len(set(seats)) != len(seats):
            raise self.error("each seat once")
        return tuple(seats)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS


def shown_word(word: str) -> str:
    """The word as an error repeats it; one that begins like a card is not repeated, for an error may be read
    by anybody.
    """
    try:
        parse_card(word[:2])
    except ValueError:
        return repr(word[:40])
    return "a card"
