"""The state of one hand: chips, cards, whose turn it is. Each part of it (`parts`) is changed by its own
methods alone, and what belongs to no part by those of the hand.

A hand goes along the streets of its game. A street with board cards wants a burn and its cards; one with
cards to the seats (stud) a burn and a card to each live seat; one with a draw has each live seat discard and
get as many. Each ends when nobody has to act. What leads from street to showdown, to the end, or to a void
hand stands in `phases.py`.

Chips are conserved: `stack`, `paid` and `dead_chips` of all seats and `raked` add up to what lay in front of
the players at the start.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, Literal

import msgspec

from tablebridge.engine.games import Form
from tablebridge.engine.hidden.veil import Veil
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.bindings import Bindings
from tablebridge.engine.parts.blind_bets import BlindBets
from tablebridge.engine.parts.boxes import Boxes
from tablebridge.engine.parts.burns import Burns
from tablebridge.engine.parts.chips import CountedChips, Stacks
from tablebridge.engine.parts.deal import Deal
from tablebridge.engine.parts.doubts import Doubts
from tablebridge.engine.parts.draws import Draws
from tablebridge.engine.parts.entries import Entries
from tablebridge.engine.parts.felt import Felt
from tablebridge.engine.parts.hand_time import HandTime
from tablebridge.engine.parts.out_of_turn import OutOfTurn
from tablebridge.engine.parts.round import AnnouncedPot, Round
from tablebridge.engine.parts.showdown import Showdown
from tablebridge.engine.parts.shuffle import Shuffle
from tablebridge.engine.phases import PHASES, TRANSITIONS, Step
from tablebridge.engine.seating.positions import Positions
from tablebridge.engine.setup import Stakes
from tablebridge.model.cards import Card, face
from tablebridge.model.events import Payments
from tablebridge.model.findings import Arg, Finding
from tablebridge.model.places import BURN, Place
from tablebridge.rulebooks import Rulebook

BESIDE: Final = Place("beside the board")
"""Where a card lies that was turned up together with a street, or that waits to become the first burn."""


@lru_cache(maxsize=1024)
def laps_of(order: tuple[int, ...]) -> Mapping[int, tuple[int, ...]]:
    """Who comes after each seat of this order, itself last. A table has few orders in a night."""
    return {seat: order[at:] + order[:at] for at, seat in enumerate(order, 1)}


class Hand(msgspec.Struct):
    """One hand. Amounts in the smallest unit; `order` is the order of play, the seat left of the button
    first.
    """

    number: int
    book: Rulebook
    form: Form
    stakes: Stakes
    positions: Positions
    order: tuple[int, ...]
    # For each seat who comes after it in the order of play, itself last.
    laps: Mapping[int, tuple[int, ...]]
    chips: Stacks
    unit: int
    denominations: frozenset[int]
    deck: frozenset[str]
    # Which of the cards only antennas know.
    veil: Veil
    house: dict[str, str]
    absent: set[int]
    penalty: frozenset[int]
    # Whether nobody reports this table's betting: its cards alone are followed, without turns and chips.
    untracked: bool
    # Seats that were absent when this hand was dealt before, if that kills them in the re-deal too.
    absent_before: frozenset[int] = frozenset()

    street: str = ""
    over: bool = False
    findings: list[Finding] = []
    incomplete: list[str] = []
    # How the pots were paid, if faces that decided it were deleted from the record since.
    paid: Payments = ()
    # The entry that made the hand void.
    void_by: int | None = None
    # Findings of the last thing that happened that are the floor's to rule on; whether the floor let a
    # misdeal stand.
    asked: tuple[Finding, ...] = ()
    void_stands: bool = False
    # The hand was cancelled: it is not dealt again.
    cancelled: bool = False
    # The hand is over and its setup carried on.
    left: bool = False
    # Seats that folded while nobody had bet in the round and are still dealt cards (stud, by book).
    still_dealt: set[int] = set()
    # Seats with a live hand; those killed since nobody was there to play, or on penalty.
    live: set[int] = set()
    away: set[int] = set()

    shuffle: Shuffle = msgspec.field(default_factory=Shuffle)
    felt: Felt = msgspec.field(default_factory=Felt)
    deal: Deal = msgspec.field(default_factory=Deal)
    burns: Burns = msgspec.field(default_factory=Burns)
    counted: CountedChips = msgspec.field(default_factory=CountedChips)
    round: Round = msgspec.field(default_factory=Round)
    bindings: Bindings = msgspec.field(default_factory=Bindings)
    out_of_turn: OutOfTurn = msgspec.field(default_factory=OutOfTurn)
    announced_pot: AnnouncedPot = msgspec.field(default_factory=AnnouncedPot)
    showdown: Showdown = msgspec.field(default_factory=Showdown)
    boxes: Boxes = msgspec.field(default_factory=Boxes)
    blind_bets: BlindBets = msgspec.field(default_factory=BlindBets)
    doubts: Doubts = msgspec.field(default_factory=Doubts)
    entries: Entries = msgspec.field(default_factory=Entries)
    time: HandTime = msgspec.field(default_factory=HandTime)
    draws: Draws = msgspec.field(default_factory=Draws)

    def play_in(self, order: tuple[int, ...]) -> None:
        """The order of play is this one."""
        self.order, self.laps = order, laps_of(order)

    def deal_to(self, order: tuple[int, ...]) -> None:
        """These seats play, before anything happened in the hand."""
        self.live = set(order)
        self.play_in(order)

    @property
    def moment(self) -> tuple[int, int, int]:
        """Another one after each card, burn and action."""
        return self.felt.off_deck, self.round.actions, len(self.out_of_turn.strays)

    @property
    def hole(self) -> int:
        """How many cards a whole hand has."""
        return self.form.hole - self.felt.community

    @property
    def due_board(self) -> int:
        """How many cards the whole board has."""
        return self.form.board + self.felt.community

    def live_order(self) -> tuple[int, ...]:
        """Seats with a live hand, in order of play."""
        live = self.live
        return tuple([seat for seat in self.order if seat in live])

    def dealt_order(self) -> tuple[int, ...]:
        """Seats to which the cards of a street are dealt, in order of play."""
        if not self.still_dealt:
            return self.live_order()
        return tuple(seat for seat in self.order if seat in self.live or seat in self.still_dealt)

    def to_call(self, seat: int) -> int:
        """What the seat must add to call, as far as its stack goes; or to complete too few chips."""
        unfinished = self.round.unfinished
        if unfinished is not None and unfinished.seat == seat:
            return unfinished.total - self.chips.bet[seat]
        return max(0, min(self.round.current - self.chips.bet[seat], self.chips.stack[seat]))

    def find(
        self,
        notes: Notes,
        finding: str,
        text: str = "",
        *,
        args: Mapping[str, Arg] | None = None,
        cause: str | None = None,
        seat: int | None = None,
        cards: Iterable[Card] = (),
        rule: str | None = None,
        case: str = "",
        remedy: tuple[str, ...] | None = None,
    ) -> None:
        """Raise a finding of this hand under its rulebook. Of its cards the record has the true faces, and
        people get those that lie open.
        """
        named = tuple(cards)
        notes.find(
            self.book,
            finding,
            text,
            args=args,
            cause=cause,
            seat=seat,
            cards=map(self.veil.truth, named),
            public_cards=filter(self.felt.open_cards.__contains__, named),
            rule=rule,
            case=case,
            remedy=remedy,
        )

    def void(self, notes: Notes) -> None:
        """All bets go back; the hand is to be dealt again (TDA 35-C, 35-E). The floor may have ruled
        otherwise.
        """
        if notes.overruled:
            return
        for seat in self.order:
            if self.chips.put_in(seat):
                notes.give_back(seat, self.chips.put_in(seat))
        self.give_all_back()
        self.end("void")
        self.void_by = notes.entry

    def end(self, street: Literal["over", "void"]) -> None:
        """The hand is over."""
        self._go("ended" if street == "over" else "voided", street)
        self.over = True
        self.round.turn_to(None)

    def deal_street(self, name: str) -> None:
        """The street under way is this one."""
        self._go("dealt", name)

    def take_back_to(self, name: str) -> None:
        """The street under way is this one again; the one after it is to be dealt once more."""
        self._go("taken back", name)

    def show_down(self) -> None:
        """Nobody has to act any more: hands are tabled or mucked."""
        self._go("betting over", "showdown")

    def run_again(self, name: str) -> None:
        """The second run begins after this street."""
        self._go("run again", name)

    def _go(self, step: Step, street: str) -> None:
        phase = TRANSITIONS[PHASES.get(self.street, "street")].get(step)
        assert phase == PHASES.get(street, "street"), f"{step} on {self.street} does not lead to {street}"
        self.street = street

    def move_button(self, positions: Positions) -> None:
        """Button and blinds stand here."""
        self.positions = positions

    def arrive(self, seat: int) -> None:
        """The player of the seat is there in time."""
        self.absent.discard(seat)

    def raised(self, findings: Iterable[Finding]) -> None:
        """These findings are of this hand."""
        self.findings.extend(findings)

    def ask(self, findings: tuple[Finding, ...]) -> None:
        """These findings are the floor's to rule on, too."""
        self.asked += findings

    def ask_no_more(self) -> None:
        """The floor has ruled, or the hand went on all the same."""
        self.asked = ()

    def let_void_stand(self, *, again: bool = True) -> None:
        """The floor let the misdeal stand. `again`: the hand is dealt again."""
        self.void_stands, self.cancelled = True, not again

    def leave_open(self, reason: str) -> None:
        """The hand cannot be completed, and why."""
        self.incomplete.append(reason)

    def leave(self) -> None:
        """What the hand leaves for the next one was carried on."""
        self.left = True

    def play_at(self, stakes: Stakes) -> None:
        """The hand is played at these stakes from here on."""
        self.stakes = stakes

    def mark_away(self, seat: int) -> None:
        """Nobody is there to play the seat's hand, or its player serves a penalty."""
        self.away.add(seat)

    def deal_on_to(self, seat: int) -> None:
        """The seat folded and is dealt further cards all the same (stud, by book)."""
        self.still_dealt.add(seat)

    def deal_to_live_only(self) -> None:
        """Somebody bet: who folded is dealt no further cards."""
        self.still_dealt.clear()

    def give_all_back(self) -> None:
        """Every seat has again what it had at the start."""
        self.chips.refund_all()
        self.round.turn_to(None)
        self.out_of_turn.drop_all()

    def drop(self, seat: int) -> None:
        """The seat's hand is no longer live; its cards lie in the muck."""
        self.live.discard(seat)
        if self.out_of_turn.pending or self.out_of_turn.changeable is not None:
            self.out_of_turn.drop(seat)
        self.felt.muck(seat)

    def revive(self, seat: int) -> None:
        """The seat's hand is live; its cards are back from the muck."""
        self.live.add(seat)
        self.felt.unmuck(seat)

    def burns_go_back(self) -> None:
        """The burn cards went back into the stub."""
        self.felt.put_back(self.burns.all_back())
        for card in self.felt.at(BURN):
            self.forget(card)

    def forget(self, card: Card) -> None:
        """A card went back into the stub: it may come again."""
        self.veil.covered(card)
        self.felt.forget(card, face(card))
