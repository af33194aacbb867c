"""The cards of a hand: where each lies, and which of them lie open."""

from dataclasses import dataclass, field

from tablebridge.model.cards import Card
from tablebridge.model.events import Basis


@dataclass(slots=True)
class Felt:
    """Cards by place."""

    # A seat's list grows by one for each card that lies there, `??` where its face is not known.
    cards: dict[int, list[Card]] = field(default_factory=dict)
    # Those of them that lie open as they should (stud), and how many the dealer exposed.
    up: dict[int, list[Card]] = field(default_factory=dict)
    exposed_at: dict[int, int] = field(default_factory=dict)
    # The cards that each seat discarded in the draw under way, and all faces known to be among the discards.
    drawn: dict[int, int] = field(default_factory=dict)
    discards: list[Card] = field(default_factory=list)
    discarded: int = 0
    # Cards that the dealer reported as exposed without their faces: seat and place there.
    unnamed_exposed: set[tuple[int, int]] = field(default_factory=set)
    # One card for all in place of a last card to each seat.
    community: bool = False
    # Who told of a seat's unknown cards, and who told of the deal at all.
    unnamed_by: dict[int, Basis] = field(default_factory=dict)
    board: list[Card] = field(default_factory=list)
    # The first board, where the game has two, or where the hand is run twice and the second run has begun;
    # how many of its cards are common to both then.
    first_board: list[Card] | None = None
    run_from: int | None = None
    # Faces of this hand, to the card that showed it first, and where each named card lies.
    faces: dict[str, Card] = field(default_factory=dict)
    places: dict[Card, str] = field(default_factory=dict)
    open_cards: set[Card] = field(default_factory=set)
    off_deck: int = 0

    @property
    def boards(self) -> tuple[list[Card], ...]:
        """The boards, the first first: one, but in a game with two and where the hand is run twice."""
        return (self.board,) if self.first_board is None else (self.first_board, self.board)
