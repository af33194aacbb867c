"""The cards of a hand: what left the deck, where each card lies, and which of them lie open."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.events import Basis
from tablebridge.model.places import BURN, MUCK, Place, seat_place


@dataclass(slots=True)
class Felt:
    """Cards by place. `cards`: of each seat, in the order in which they came, `??` while a face is not known;
    `up`: those of them that lie open as they should (stud).
    """

    cards: dict[int, list[Card]] = field(default_factory=dict)
    up: dict[int, list[Card]] = field(default_factory=dict)
    # Who reported the unknown cards of a seat.
    unnamed_by: dict[int, Basis] = field(default_factory=dict)
    # How many of a seat's cards the dealer exposed; and those without a face, by seat and place there.
    exposed_at: dict[int, int] = field(default_factory=dict)
    unnamed_exposed: set[tuple[int, int]] = field(default_factory=set)
    # The cards that each seat discarded in the draw under way, and all faces known to be among the discards.
    drawn: dict[int, int] = field(default_factory=dict)
    discards: list[Card] = field(default_factory=list)
    discarded: int = 0
    # One card for all in place of a last card to each seat.
    community: bool = False
    board: list[Card] = field(default_factory=list)
    # Boards before the one under way; how often the board is run, and the cards that all runs have.
    earlier: list[list[Card]] = field(default_factory=list)
    runs: int = 1
    run_from: int | None = None
    # Faces of this hand, to the card that showed it first, and where each named card lies.
    faces: dict[str, Card] = field(default_factory=dict)
    places: dict[Card, Place] = field(default_factory=dict)
    open_cards: set[Card] = field(default_factory=set)
    # How many cards are not in the stub.
    off_deck: int = 0

    @property
    def boards(self) -> tuple[list[Card], ...]:
        """The boards in order: one, but in a game with two and if the hand is run several times."""
        return (*self.earlier, self.board)

    def join(self, seat: int) -> None:
        """Cards are due to this seat, too."""
        self.cards[seat], self.up[seat] = [], []

    def leave_out(self, seat: int) -> None:
        """No cards are due to this seat."""
        del self.cards[seat], self.up[seat]

    # The deck.

    def draw_off(self, count: int = 1) -> None:
        """Cards leave the deck."""
        self.off_deck += count

    def put_back(self, count: int) -> None:
        """Cards are in the stub again."""
        self.off_deck -= count

    # Places.

    def first_of(self, printed: str, card: Card) -> Card:
        """The card that showed this face first: this one, if none did."""
        return self.faces.setdefault(printed, card)

    def put_new(self, printed: str, card: Card, place: Place) -> bool:
        """Whether neither the face nor the card is known yet; if so, the card lies at this place."""
        if printed in self.faces or card in self.places:
            return False
        self.faces[printed] = card
        self.places[card] = place
        return True

    def put(self, card: Card, place: Place) -> None:
        """The card lies at this place."""
        self.places[card] = place

    def turn_over(self, *cards: Card) -> None:
        """The cards lie open."""
        self.open_cards.update(cards)

    def cover(self, card: Card) -> None:
        """The card does not lie open any more, or not yet."""
        self.open_cards.discard(card)

    def forget(self, card: Card, printed: str) -> None:
        """The card with this face went back into the stub: it may come again."""
        self.places.pop(card, None)
        self.open_cards.discard(card)
        self.faces.pop(printed, None)

    def at(self, place: Place) -> list[Card]:
        """The named cards that lie at a place."""
        return [card for card, lies in self.places.items() if lies == place]

    # Seats.

    def give(self, seat: int, card: Card, basis: Basis) -> None:
        """A card comes to a seat."""
        self.cards[seat].append(card)
        if card == UNKNOWN:
            self.unnamed_by[seat] = basis

    def give_unknown(self, seat: int, count: int, basis: Basis | None = None) -> None:
        """Unknown cards leave the deck for a seat. `basis`: who reported them, if anybody did."""
        self.cards[seat] += [UNKNOWN] * count
        if basis is not None:
            self.unnamed_by[seat] = basis
        self.off_deck += count

    def give_up(self, seat: int, card: Card) -> None:
        """A card of the seat lies open as it should."""
        self.up[seat].append(card)

    def name(self, seat: int, card: Card, *, last: bool = False) -> None:
        """The first unknown card of the seat, or the last one, has a face now."""
        held = self.cards[seat]
        unknown = [at for at, lies in enumerate(held) if lies == UNKNOWN]
        held[unknown[-1 if last else 0]] = card

    def name_up(self, seat: int, card: Card) -> None:
        """A card of the seat that lies open has a face now."""
        self.up[seat][self.up[seat].index(UNKNOWN)] = card

    def take(self, seat: int, card: Card) -> None:
        """A card is no longer one of the seat's."""
        self.cards[seat].remove(card)

    def replace(self, seat: int, gone: Card, card: Card, basis: Basis) -> None:
        """The seat has another card for one of its own."""
        held = self.cards[seat]
        held[held.index(gone)] = card
        if card == UNKNOWN:
            self.unnamed_by[seat] = basis

    def hold(self, seat: int, count: int) -> None:
        """The seat holds this number of cards. Nobody said which are gone: unknown ones go first."""
        held = self.cards[seat]
        while len(held) > count:
            held.remove(UNKNOWN if UNKNOWN in held else held[-1])
        held.extend([UNKNOWN] * (count - len(held)))

    def discard(self, seat: int, count: int, named: Iterable[Card]) -> None:
        """The seat discards cards, some of them named. Which of its others stay, nobody said."""
        held, named = self.cards[seat], list(named)
        for card in named:
            held.remove(card)
            self.places[card] = MUCK
        if count > len(named):
            held[:] = [UNKNOWN] * (len(held) - count + len(named))
        self.drawn[seat] = self.drawn.get(seat, 0) + count
        self.discards += named
        self.discarded += count
        self.unnamed_by.pop(seat, None)

    def shuffle_discards(self, kept: int) -> list[Card]:
        """The discards are shuffled into the stub but for a number of them: which faces may come again."""
        self.off_deck -= self.discarded - kept
        self.discarded = kept
        cards, self.discards = self.discards, []
        return cards

    def play_community(self, community: bool) -> None:
        """Whether one card for all is to come in place of a last card to each seat."""
        self.community = community

    def begin_draw(self) -> None:
        """No seat has drawn yet."""
        self.drawn.clear()

    def count_exposed(self, seat: int) -> int:
        """One more card of the seat was exposed: how many those are now."""
        self.exposed_at[seat] = self.exposed_at.get(seat, 0) + 1
        return self.exposed_at[seat]

    def expose_unnamed(self, seat: int, at: int) -> None:
        """The dealer exposed this card of the seat, and nobody named it."""
        self.unnamed_exposed.add((seat, at))

    def name_exposed(self, seat: int, card: Card) -> bool:
        """Whether this card of the seat was reported as exposed before, without its face. Now it has one."""
        place = seat, self.cards[seat].index(card)
        if place not in self.unnamed_exposed:
            return False
        self.unnamed_exposed.remove(place)
        return True

    def muck(self, seat: int) -> None:
        """The cards of the seat lie in the muck."""
        for card in self.cards[seat]:
            if card in self.places:
                self.places[card] = MUCK

    def unmuck(self, seat: int) -> None:
        """The cards of the seat are back from the muck."""
        for card in self.cards[seat]:
            if self.places.get(card) == MUCK:
                self.places[card] = seat_place(seat)

    # The board.

    def lay(self, board: list[Card], cards: tuple[Card, ...], *, off_deck: int) -> None:
        """Cards are put on a board, `off_deck` of them off the deck; those that have a face lie open."""
        self.off_deck += off_deck
        board.extend(cards)
        self.open_cards.update([card for card in cards if card != UNKNOWN] if UNKNOWN in cards else cards)

    def name_on(self, board: list[Card], card: Card) -> None:
        """An unknown card of the board has a face now."""
        board[board.index(UNKNOWN)] = card

    def take_off(self, board: list[Card], card: Card, place: Place) -> None:
        """A card of the board lies elsewhere now."""
        board.remove(card)
        if card != UNKNOWN:
            self.open_cards.discard(card)
            self.places[card] = place

    def remove_from_boards(self, card: Card) -> None:
        """The card is on no board."""
        for board in self.boards:
            if card in board:
                board.remove(card)

    def take_last(self, board: list[Card], count: int, place: Place) -> None:
        """The last cards of the board lie elsewhere now, open as they are."""
        self.places.update(dict.fromkeys(board[-count:], place))
        del board[-count:]

    def last_to_burn(self, board: list[Card], other: list[Card]) -> Card:
        """The last card of a board was its burn after all; a card of the board `other` takes its place."""
        card = board.pop()
        if len(other) > len(board):
            board.append(other.pop())
        if card != UNKNOWN:
            self.places[card] = BURN
        return card

    def divide_street(self, street: slice, first: Iterable[Card], second: Iterable[Card]) -> None:
        """Put the cards of this street, `first` and `second`, on the two boards."""
        board, other_board = self.boards
        board[street], other_board[street] = first, second

    def clear_board(self, board: list[Card]) -> None:
        """The cards of the board are gone from it."""
        board.clear()

    def run_times(self, runs: int) -> None:
        """The rest of the board is to be dealt this many times."""
        self.run_from, self.runs = len(self.board), runs

    def begin_run(self) -> None:
        """A board is complete: the next one begins with the cards that all have in common."""
        self.earlier.append(self.board)
        self.board = self.board[: self.run_from]

    def rename(self, named: Callable[[Card], Card], old: Card, new: Card) -> None:
        """The hand calls a card otherwise from now on: `new` for `old`."""
        for row in (*self.cards.values(), *self.up.values(), self.discards, *self.boards):
            row[:] = map(named, row)
        place = self.places.get(old)
        self.places = {named(card): lies for card, lies in self.places.items()}
        if place is not None:
            self.places[new] = place
        self.faces = {str(named(Card(printed))): named(card) for printed, card in self.faces.items()}
        self.open_cards = set(map(named, self.open_cards))


def run_due(felt: Felt) -> bool:
    """Whether another run is to be dealt after the one under way."""
    return felt.run_from is not None and len(felt.earlier) + 1 < felt.runs
