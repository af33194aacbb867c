"""The state of one hand: chips, cards, whose turn it is. It changes only through the functions of the other
modules.

A hand goes along the streets of its game; a void hand leaves the road at any point, a closed one from any
point.

| street | cards | it ends when | then |
| --- | --- | --- | --- |
| the first | the initial deal | nobody has to act | the next |
| one with board cards | burn, board cards | nobody has to act | the next |
| one with cards to the seats (stud) | burn, a card to each live seat | nobody has to act | the next |
| one with a draw | each live seat discards and gets as many | nobody has to act | the next |
| the last | | nobody has to act | showdown |
| showdown | hands are tabled or mucked | `end` | over |
| any | | one live hand is left, and `end` | over |
| any | | a misdeal or a fouled deck | void |
| any | | `end` or the next `hand`, the winner unknown | over, with the reasons in `incomplete` |

Chips are conserved: `stack`, `paid` and `dead_chips` of all seats and `raked` add up to what lay in front of
the players at the start.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from tablebridge.engine.games import Form
from tablebridge.engine.hand_parts import Early, LastDealt, Pending, Unfinished
from tablebridge.engine.notes import Kind, Notes
from tablebridge.engine.setup import UNTOLD, Positions, Stakes
from tablebridge.engine.veil import Veil, veil_of
from tablebridge.model.cards import JOKER, Card, face
from tablebridge.model.events import Basis
from tablebridge.model.findings import Finding
from tablebridge.model.places import BURN, MUCK, seat_place
from tablebridge.rulebooks import Rulebook

BESIDE: Final = "beside the board"
"""Where a card lies that was turned up together with a street, or that waits to become the first burn."""


@lru_cache(maxsize=1024)
def _laps(order: tuple[int, ...]) -> Mapping[int, tuple[int, ...]]:
    """Of each seat of this order, who comes after it, itself last. A table has the same few orders all night."""
    return {seat: order[at:] + order[:at] for at, seat in enumerate(order, 1)}


@dataclass(slots=True)
class Hand:
    """One hand. Amounts in the smallest unit; `order` is the order of play, the seat left of the button
    first.
    """

    number: int
    book: Rulebook
    form: Form
    stakes: Stakes
    positions: Positions
    order: tuple[int, ...]
    # Of each seat, who comes after it in the order of play, itself last.
    laps: Mapping[int, tuple[int, ...]] = field(init=False)
    start: dict[int, int]
    unit: int
    denominations: frozenset[int]
    deck: frozenset[str]
    house: dict[str, str]
    absent: set[int]
    penalty: frozenset[int]
    # Whether nobody tells this table's betting: hands are followed by their cards alone, without turns and
    # chips.
    untold: bool
    # Seats that were absent when this hand was dealt before, where that kills them in the re-deal too.
    absent_before: frozenset[int] = frozenset()

    street: str = ""
    over: bool = False
    findings: list[Finding] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    # The entry that made the hand void.
    void_by: int | None = None
    # Findings of the last thing that happened that are the floor's to rule on; whether the floor let a
    # misdeal stand.
    asked: tuple[Finding, ...] = ()
    void_stands: bool = False
    # The hand is over and its setup carried on.
    left: bool = False
    # Whether the deck was shuffled and cut, where this table tells of it at all.
    shuffles_told: bool = False
    shuffled: bool = False
    cut: bool = False

    # Which of the cards below only antennas know.
    veil: Veil = field(init=False)
    # Cards. A seat's list grows by one for each card that lies there, `??` where its face is not known.
    cards: dict[int, list[Card]] = field(default_factory=dict)
    # Those of them that lie open as they should (stud), and how many the dealer exposed.
    up: dict[int, list[Card]] = field(default_factory=dict)
    exposed_at: dict[int, int] = field(default_factory=dict)
    # Whether all cards of the street have been dealt, so that its round could begin.
    street_dealt: bool = True
    # Whether somebody typed that a street of cards to the seats began, or a draw.
    streets_typed: bool = False
    # The cards that each seat discarded in the draw under way, and all faces known to be among the discards.
    drawn: dict[int, int] = field(default_factory=dict)
    discards: list[Card] = field(default_factory=list)
    discarded: int = 0
    # Seats that folded while nobody had bet in the round and are still dealt cards (stud, by book).
    still_dealt: set[int] = field(default_factory=set)
    last_dealt: LastDealt | None = None
    # Cards that the dealer reported as exposed without their faces: seat and place there.
    unnamed_exposed: set[tuple[int, int]] = field(default_factory=set)
    # A downcard that the dealer exposed and that is to be exchanged for the first burn (by book), and its
    # seat.
    exchange: tuple[int, Card] | None = None
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
    dealt_by: set[Basis] = field(default_factory=set)
    off_deck: int = 0
    exposed: int = 0
    boxed: int = 0
    boxed_seen: int = 0
    # What is wrong with the deal and may be mended.
    mend: str | None = None
    deal_over: bool = False
    # Seats where a dead device hides the cards: they are not missed there.
    unwatched: frozenset[int] = frozenset()
    early: Early | None = None
    # The burn for the coming street, and who told of it.
    burned: bool = False
    burn_card: Card | None = None
    burn_basis: Basis | None = None
    burns: int = 0
    # Streets before which antennas saw no burn: it may have lain there unread.
    unseen_burns: int = 0
    # A street that wants no burn, because a premature one had its own.
    burnless: str = ""
    # A flop without a burn that is to go back (by book), as long as nobody has acted on it; whether it stayed
    # for an action and may still go back when another one is dealt.
    gone_flop: tuple[Card, ...] = ()
    flop_may_go: bool = False
    # The second of two burns, and whether the street lies there without one: what putting the order right
    # begins with.
    second_burn: Card | None = None
    unburned: bool = False

    # Chips.
    stack: dict[int, int] = field(default_factory=dict)
    bet: dict[int, int] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    # What a seat has in the pots beside its bets: the ante for all, and what it forfeited above the bet.
    dead_chips: dict[int, int] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)
    # What the house takes out of the pots, and what of it they were paid without.
    rake: int = 0
    raked: int = 0
    # How each pot was paid, main pot first: its amount, and what each winner got of it.
    payments: list[tuple[int, dict[int, int]]] = field(default_factory=list)

    # Betting. `current`: what must be matched this round; `level`: what raises are counted from, the same but
    # in limit after an all-in of less than half a bet; `least`: the largest full bet or raise of the round.
    live: set[int] = field(default_factory=set)
    to_act: int | None = None
    turn_from: int = 0
    current: int = 0
    level: int = 0
    least: int = 0
    # What short blinds lack; the pot as announced, and the bet that was made on it: seat, the pot, actions
    # before.
    blinds_short: int = 0
    pot_count: int | None = None
    pot_bet: tuple[int, int, int, int] | None = None
    acted: set[int] = field(default_factory=set)
    # Those of them that have acted since the last full bet or raise.
    answered: set[int] = field(default_factory=set)
    # Seats killed since nobody was there to play, or on penalty.
    away: set[int] = field(default_factory=set)
    # Who opens the round, and whether that is only guessed since no card that lies open is known.
    opener: int | None = None
    guessed: bool = False
    # Who has the bring-in to post, whether it may fold instead, and who posted it.
    bringer: int | None = None
    may_decline: bool = False
    brought: int | None = None
    # A pair that lies open allows the big bet; a card that came too soon caps the round at what was bet.
    doubled: bool = False
    closed: bool = False
    # Bets and raises of the round, the big blind being the first before the flop; and who made the last.
    raises: int = 0
    aggressor: int | None = None
    round_open: bool = True
    # How many seats were live when the round began.
    began: int = 0
    actions: int = 0
    chip_actions: int = 0
    street_actions: int = 0
    ever_acted: set[int] = field(default_factory=set)
    # What words, rulings and pulled-back chips take from a seat's choices this round.
    no_raise: set[int] = field(default_factory=set)
    no_fold: set[int] = field(default_factory=set)
    must_bet: set[int] = field(default_factory=set)
    pending: list[Pending] = field(default_factory=list)
    # A bet or raise that was made good and that its seat may still forfeit by folding (by book).
    unfinished: Unfinished | None = None
    # Actions out of turn since the skipped seat should have acted: seat and action.
    strays: list[tuple[int, str]] = field(default_factory=list)
    skipped_told: bool = False
    # Chips in front that were not changed yet, by seat: those of a post, less what was pulled back.
    fronts: dict[int, list[int]] = field(default_factory=dict)
    pulled: set[int] = field(default_factory=set)
    # The last action as it was taken.
    taken: Kind | None = None
    # Who acted last and whether by words or by silent chips; who declared a bet without its amount; an
    # undercall and its chips.
    motion: tuple[int, str] | None = None
    declared: int | None = None
    undercall: tuple[int, int] | None = None
    last: dict[int, str] = field(default_factory=dict)

    # Chips as they were counted. Denominations that were told to be out of play; what the pot held, how much
    # that differs, and the finding that stands for it; the chips that a seat posted, and those that it put in
    # this round, with whether they were for its words.
    odd_told: frozenset[int] = frozenset()
    pot_seen: int | None = None
    pot_variance: int = 0
    pot_finding: str = ""
    posted: dict[int, int] = field(default_factory=dict)
    shown: dict[int, tuple[int, bool]] = field(default_factory=dict)

    # Showdown.
    tabled: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    face_up_told: bool = False
    # Seats before which the all-in button stands.
    marked: set[int] = field(default_factory=set)
    # Whether this table uses the buttons, and the seat whose action the button before it waits for.
    buttons_used: bool = False
    button_waits: int | None = None

    def __post_init__(self) -> None:
        self.play_in(self.order)
        self.veil = veil_of(self.deck, joker=self.form.deck.endswith(JOKER))

    def play_in(self, order: tuple[int, ...]) -> None:
        """The order of play is this one."""
        self.order, self.laps = order, _laps(order)

    @property
    def substantial(self) -> bool:
        """Substantial action (TDA 36): two actions in turn of which one put chips in, or any three. A book
        may have its own. Where the betting is not told, it has occurred when the flop comes.
        """
        if self.untold:
            return self.street != self.form.first.name
        return self.substantial_of(self.actions, self.chip_actions)

    def substantial_of(self, actions: int, chip_actions: int) -> bool:
        """Whether so many actions are substantial, of which so many put chips in."""
        if self.book.misdeal_until == "two-acted":
            return actions >= 2
        return actions >= 3 or (actions == 2 and chip_actions > 0)

    @property
    def too_late(self) -> bool:
        """Whether it is too late for a misdeal."""
        if self.book.misdeal_until == "first-action" and not self.untold:
            return self.actions > 0 or bool(self.strays)
        return self.substantial

    @property
    def moment(self) -> tuple[int, int, int]:
        """Another one after each card, burn and action."""
        return self.off_deck, self.actions, len(self.strays)

    @property
    def hole(self) -> int:
        """How many cards a whole hand has."""
        return self.form.hole - self.community

    @property
    def due_board(self) -> int:
        """How many cards the whole board has."""
        return self.form.board + self.community

    @property
    def boards(self) -> tuple[list[Card], ...]:
        """The boards, the first first: one, but in a game with two and where the hand is run twice."""
        return (self.board,) if self.first_board is None else (self.first_board, self.board)

    def live_order(self) -> tuple[int, ...]:
        """Seats with a live hand, in order of play."""
        live = self.live
        return tuple([seat for seat in self.order if seat in live])

    def dealt_order(self) -> tuple[int, ...]:
        """Seats to which the cards of a street are dealt, in order of play."""
        if not self.still_dealt:
            return self.live_order()
        return tuple(seat for seat in self.order if seat in self.live or seat in self.still_dealt)

    @property
    def dead_money(self) -> int:
        """Chips in the pots that are no bets."""
        return sum(self.dead_chips.values())

    def put_in(self, seat: int) -> int:
        """All chips of this hand that the seat has put in."""
        return self.paid[seat] + self.dead_chips.get(seat, 0)

    def pot(self) -> int:
        """Chips in the middle, bets in front included."""
        return sum(self.paid.values()) + self.dead_money

    def told(self, seat: int) -> bool:
        """Whether the stack of the seat is known at all."""
        return self.start.get(seat, 0) < UNTOLD

    def find(
        self,
        notes: Notes,
        finding: str,
        sentence: str,
        *,
        cause: str | None = None,
        seat: int | None = None,
        cards: Iterable[Card] = (),
        rule: str | None = None,
        clause: str = "",
        remedy: tuple[str, ...] | None = None,
    ) -> None:
        """Raise a finding of this hand under its rulebook."""
        notes.find(
            self.book,
            finding,
            sentence,
            cause=cause,
            seat=seat,
            cards=cards,
            public=self.open_cards,
            rule=rule,
            clause=clause,
            remedy=remedy,
            truth=self.veil.truth,
        )

    def void(self, notes: Notes) -> None:
        """All bets go back; the hand is to be dealt again (TDA 35-C, 35-E). The floor may have ruled
        otherwise.
        """
        if notes.overruled:
            return
        for seat in self.order:
            if self.put_in(seat):
                notes.give_back(seat, self.put_in(seat))
        self.give_all_back()
        self.end("void")
        self.void_by = notes.entry

    def end(self, street: Literal["over", "void"]) -> None:
        """The hand is over."""
        self.street, self.over, self.to_act = street, True, None

    def give_all_back(self) -> None:
        """Every seat has again what it had at the start."""
        for seat in self.order:
            self.stack[seat] = self.start[seat]
            self.paid[seat] = self.bet[seat] = 0
        self.dead_chips.clear()
        self.to_act = None
        self.pending.clear()

    def drop(self, seat: int) -> None:
        """The seat's hand is no longer live; its cards lie in the muck."""
        self.live.discard(seat)
        if self.pending:
            self.pending = [one for one in self.pending if one.seat != seat]
        for card in self.cards[seat]:
            if card in self.places:
                self.places[card] = MUCK

    def revive(self, seat: int) -> None:
        """The seat's hand is live; its cards are back from the muck."""
        self.live.add(seat)
        for card in self.cards[seat]:
            if self.places.get(card) == MUCK:
                self.places[card] = seat_place(seat)

    def burns_go_back(self) -> None:
        """The burn cards went back into the stub."""
        self.off_deck -= self.burns
        self.burns = 0
        for card in [card for card, place in self.places.items() if place == BURN]:
            self.forget(card)

    def forget(self, card: Card) -> None:
        """A card went back into the stub: it may come again."""
        self.veil.covered(card)
        self.places.pop(card, None)
        self.open_cards.discard(card)
        self.faces.pop(face(card), None)
