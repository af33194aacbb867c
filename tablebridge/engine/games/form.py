"""What a game is to the engine: its streets, who opens them, how much may be bet, which hands win. Data, no
behaviour.

A game is written down as a `Form` in the file of its family. The rest of the engine asks the form and never
the name, so that another variant is another definition and no code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from tablebridge.engine.showdown.wild import Wild

Limit = Literal["no-limit", "pot-limit", "half-pot", "limit", "none"]

OF_THE_POT: Final[frozenset[Limit]] = frozenset({"pot-limit", "half-pot"})
"""Limits that are reckoned from the pot."""
OVER: Final = ("showdown", "over", "void")
"""Where a hand is that is on no street any more."""


@dataclass(frozen=True, slots=True)
class Street:
    """One street and the betting round after it.

    `down`, `up`: cards to each seat with a live hand, face down first; `board`: cards on the board. `draw`:
    each seat first discards what it likes and gets as many cards. `burn`: a card is burned before it.
    `big_bet`: in limit, bets are the big bet. `pair_bet`: in limit, some rulebooks let a pair that lies open
    bet the big bet.
    """

    name: str
    down: int = 0
    up: int = 0
    board: int = 0
    draw: bool = False
    burn: bool = False
    big_bet: bool = False
    pair_bet: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One game.

    `forced`: two blinds, one blind on the button, or a bring-in by the lowest or highest card that lies open.
    `opens`: who opens the later rounds: the first seat left of the button, or the seat with the high or low
    hand showing. `rankings`: words of `ranking`; of two the pot is divided between the best high and the best
    low hand. `low_ace`: aces that lie open are low. `odd`: odd chips go in the order of play, or to the high
    card by suit. `shows`: without a bet in the last round the seat that opened it shows first, or the first
    in the order of play. `banked`: played against the house, whose hand lies at the last seat; nobody bets.
    `deck`: the deck that the game is played with unless another is named; `wild`: which cards of it are.
    `antes_to_bring_in`: the bring-in in antes, unless it is named. `most_seats`, `least_seats`: how many may
    play; `table_seats`: for how many the game has seats. `boards`: how many boards are dealt, one or two;
    each street is dealt to the first and then to the second, and each is worth
    half of every pot.
    """

    name: str
    title: str
    limit: Limit
    streets: tuple[Street, ...]
    rankings: tuple[str, ...]
    forced: Literal["blinds", "button-blind", "low-card", "high-card", "none"] = "blinds"
    opens: Literal["button", "high", "low"] = "button"
    low_ace: bool = False
    odd: Literal["order", "suit"] = "order"
    shows: Literal["opener", "order"] = "opener"
    banked: bool = False
    deck: str = "52"
    wild: Wild = "none"
    antes_to_bring_in: int = 0
    most_seats: int = 10
    table_seats: int = 10
    least_seats: Literal[1, 2] = 2
    boards: Literal[1, 2] = 1

    # What follows from these, worked out once since every card and every action asks for it. `first`: the
    # street of the initial deal; `button`: whether there is one, else it is dealt from the first seat and the
    # button stays where it is; `dealt`: how many cards the initial deal gives a seat; `hole`: how many cards
    # a whole hand has, `open`: how many of them lie open, `board`: how many a whole board has, each of two as
    # many; `open_cards`: the numbers of those that lie open, in the order in which a seat gets them;
    # `seven_card_stud`: whether it is that, high or low, since some clauses are about it alone;
    # `places`: the place of each street among the streets, past which a hand at its showdown, or over, is.
    first: Street = field(init=False, repr=False, compare=False)
    last: Street = field(init=False, repr=False, compare=False)
    button: bool = field(init=False, repr=False, compare=False)
    dealt: int = field(init=False, repr=False, compare=False)
    hole: int = field(init=False, repr=False, compare=False)
    open: int = field(init=False, repr=False, compare=False)
    board: int = field(init=False, repr=False, compare=False)
    open_cards: tuple[int, ...] = field(init=False, repr=False, compare=False)
    seven_card_stud: bool = field(init=False, repr=False, compare=False)
    places: Mapping[str, int] = field(init=False, repr=False, compare=False)
    # Cards of a hand, those of them that lie open, and board cards, by street; all of them once the streets
    # are over.
    _so_far: Mapping[str, tuple[int, int, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cards = up = board = 0
        so_far: dict[str, tuple[int, int, int]] = {}
        open_cards: list[int] = []
        for street in self.streets:
            open_cards += range(cards + street.down, cards + street.down + street.up)
            cards, up, board = cards + street.down + street.up, up + street.up, board + street.board
            so_far[street.name] = (cards, up, board)
        so_far |= dict.fromkeys(OVER, (cards, up, board))
        first = self.streets[0]
        worked_out = {
            "first": first,
            "last": self.streets[-1],
            "button": self.forced in ("blinds", "button-blind"),
            "dealt": first.down + first.up,
            "hole": cards,
            "open": up,
            "board": board,
            "open_cards": tuple(open_cards),
            "seven_card_stud": first.up > 0 and cards == 7,
            "_so_far": so_far,
            "places": {street.name: place for place, street in enumerate(self.streets)},
        }
        for name, value in worked_out.items():
            object.__setattr__(self, name, value)

    def street(self, name: str) -> Street:
        """The street of this name; the last one for a hand at its showdown or over."""
        return self.streets[self.places.get(name, -1)]

    def next(self, name: str) -> Street | None:
        """The street after the one of this name; None after the last and for a hand that is on none."""
        place = self.places.get(name, len(self.streets)) + 1
        return self.streets[place] if place < len(self.streets) else None

    def cards_after(self, name: str) -> int:
        """How many cards a hand has when the street of this name has been dealt."""
        return self._so_far[name][0]

    def up_after(self, name: str) -> int:
        """How many of them lie open."""
        return self._so_far[name][1]

    def board_after(self, name: str) -> int:
        """How many cards lie on the board when the street of this name has been dealt."""
        return self._so_far[name][2]


BOARD: Final = (
    Street("flop", board=3, burn=True),
    Street("turn", board=1, burn=True, big_bet=True),
    Street("river", board=1, burn=True, big_bet=True),
)
"""The streets of a board game after the initial deal."""
