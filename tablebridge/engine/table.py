"""The fold of one table: entries in, the state of the table and what is to be said about it out.

Theory. `Table.apply` takes one entry of the journal after another. What stands between hands is `Setup`, what
belongs to a hand is `Hand`; an event changes one or both through the functions of the module that knows its
subject, and what there is to say is gathered in `Notes`. Nothing that can be entered raises: what cannot be
is flagged or ignored.

Corrections are entries too (`history.py`). Everything but `apply` and `reports` is a question and changes
nothing.
"""

from tablebridge.engine import expect, hand_start, substantial_action
from tablebridge.engine.betting import actions
from tablebridge.engine.cards import upcards
from tablebridge.engine.floor import asking, conduct
from tablebridge.engine.hand import Hand
from tablebridge.engine.hidden import entrance
from tablebridge.engine.history import History
from tablebridge.engine.parts.boxes import Settlement
from tablebridge.engine.seating.asked import Players
from tablebridge.engine.seating.entitled import next_hand
from tablebridge.engine.setup import UNKNOWN_STACK, Setup
from tablebridge.engine.showdown import tabling
from tablebridge.model.cards import Card
from tablebridge.model.events import Entry, TableEvent
from tablebridge.model.expectation import Expectation
from tablebridge.model.findings import Finding
from tablebridge.model.places import SEATS, seat_place


class Table(History):
    """One table. `apply` is the only way to change it; everything else reads. Seats are 1 to 10, amounts
    whole numbers.
    """

    @property
    def setup(self) -> Setup:
        """What stands between hands: read only."""
        return self.fold.setup

    @property
    def hand(self) -> Hand | None:
        """The hand under way, or the last one: read only."""
        return self.fold.hand

    # What can be asked.

    @property
    def street(self) -> str:
        return "over" if self.hand is None else self.hand.street

    @property
    def hand_number(self) -> int:
        return self.setup.hand_number

    @property
    def seats(self) -> tuple[int, ...]:
        """Seats of the hand under way, or those entitled to the next, ascending."""
        return self.setup.seats if self.hand is None or self.hand.over else tuple(sorted(self.hand.order))

    @property
    def button(self) -> int | None:
        if self.hand is not None:
            return self.hand.positions.button or None
        return self.setup.button

    @property
    def button_may_move(self) -> bool:
        """Whether a button that was moved wrongly can be put right in the hand under way."""
        return self.hand is not None and hand_start.button_may_move(self.hand)

    @property
    def next_button(self) -> int | None:
        """Where the button is for the next hand, as things stand."""
        coming = next_hand(self.setup)
        return None if coming is None else coming.positions.button or None

    @property
    def players(self) -> Players:
        """Who is away and who waits, and what they owe."""
        return Players(self.setup, self.hand)

    def ladder(self, seat: int, offence: str) -> tuple[str, ...]:
        """What the book gives for the seat's next offence of this kind."""
        return conduct.ladder(self.setup, seat, offence)

    def penalty_left(self, seat: int) -> int:
        """The hands that the seat still has to miss."""
        return self.setup.penalties.get(seat, 0)

    @property
    def settlement(self) -> Settlement | None:
        """How the house settled the boxes of the last hand; None before its end, and if it had none."""
        return None if self.hand is None else self.hand.boxes.settlement

    @property
    def to_act(self) -> int | None:
        return None if self.hand is None else self.hand.round.to_act

    @property
    def acting(self) -> int | None:
        """The seat to act, but nobody while cards of the deal are due."""
        return expect.acting(self.hand)

    @property
    def turn(self) -> str:
        """Names the present turn: two moments have the same name only if an act at both means the same."""
        hand = self.hand
        if hand is None:
            return ""
        actions, strays = hand.round.actions, len(hand.out_of_turn.strays)
        return f"{hand.number}.{hand.street}.{actions}.{strays}.{self.acting or 0}"

    @property
    def asked(self) -> tuple[Finding, ...]:
        """The findings on which the floor is to rule now."""
        return asking.asked(self.hand)

    @property
    def substantial_action(self) -> bool:
        return self.hand is not None and substantial_action.occurred(self.hand)

    @property
    def live(self) -> tuple[int, ...]:
        return () if self.hand is None else tuple(sorted(self.hand.live))

    @property
    def dead(self) -> tuple[int, ...]:
        """Seats of this hand whose hands are not live."""
        return () if self.hand is None else tuple(sorted(set(self.hand.order) - self.hand.live))

    @property
    def board(self) -> tuple[Card, ...]:
        """The cards on the board; if there are several, those on the last."""
        return () if self.hand is None else tuple(self.hand.felt.board)

    @property
    def first_board(self) -> tuple[Card, ...]:
        """The first board of a game with two, and of a hand that is run again when the second has begun."""
        boards = () if self.hand is None else self.hand.felt.boards
        return tuple(boards[0]) if len(boards) > 1 else ()

    @property
    def pot(self) -> int:
        """Chips in the middle, bets in front included."""
        return 0 if self.hand is None else self.hand.chips.pot()

    @property
    def pots(self) -> tuple[int, ...]:
        """Main pot first, then side pots."""
        if self.hand is None or self.hand.over:
            return ()
        return tuple(pot.amount for pot in tabling.pots(self.hand))

    @property
    def face_up(self) -> bool:
        """Whether all live hands must be face up now."""
        return self.hand is not None and upcards.face_up(self.hand)

    @property
    def show_order(self) -> tuple[int, ...]:
        return () if self.hand is None else upcards.order(self.hand)

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """Findings of this hand, with devices that are still lost and doubts that still stand."""
        setup = self.setup
        standing = [*setup.device_findings.values(), *setup.doubts.values()]
        if setup.tray_finding is not None:
            standing.append(setup.tray_finding)
        standing += [finding for _, finding in setup.stack_findings.values()]
        found = {finding.id: finding for finding in standing}
        if self.hand is not None:
            found.update((finding.id, finding) for finding in self.hand.findings)
        found.update(
            (finding.id, finding) for finding in self.lasting.values() if finding.hand == self.hand_number
        )
        return tuple(found.values())

    @property
    def not_working(self) -> frozenset[str]:
        """The ids of the findings that say what of a device does not work now."""
        return frozenset(finding.id for finding in self.setup.device_findings.values())

    @property
    def miscounted(self) -> frozenset[str]:
        """The findings of the tray, of stacks and of this hand's pot whose counts still do not fit."""
        tray = self.setup.tray_finding
        pot = "" if self.hand is None else self.hand.counted.finding
        stacks = [finding.id for _, finding in self.setup.stack_findings.values()]
        return frozenset(filter(None, (pot, "" if tray is None else tray.id, *stacks)))

    @property
    def floor_called(self) -> bool:
        """Whether the floor was called and that is not settled yet."""
        return self.setup.called

    @property
    def in_doubt(self) -> bool:
        """Whether readings do not settle where a card is, or what is recorded of the hand is in doubt."""
        return bool(self.setup.doubts or self.doubted)

    @property
    def doubted(self) -> tuple[int, ...]:
        """The seats whose record is in doubt, ascending; 0 for the hand as such."""
        return () if self.hand is None else tuple(sorted(self.hand.doubts.of))

    @property
    def hides(self) -> bool:
        """Whether antennas know faces, of the hands that can still be corrected, that did not lie open."""
        return any(mark.hand.veil.names for mark in self.fold.marks)

    @property
    def doubtful_seats(self) -> frozenset[int]:
        """The seats at which a doubtful card may lie."""
        lists = (finding.args.get("places") for finding in self.setup.doubts.values())
        places = {
            member.get("place") for members in lists if isinstance(members, tuple) for member in members
        }
        return frozenset(seat for seat in SEATS if seat_place(seat) in places)

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Why the hand could not be completed; empty if it was or still can be."""
        return () if self.hand is None else tuple(self.hand.incomplete)

    def stack(self, seat: int) -> int:
        """What is in front of the seat and not bet; 0 if nobody reported its stack."""
        if self.hand is not None and seat in self.hand.chips.stack and not self.hand.over:
            return self.hand.chips.stack[seat] if self.hand.chips.known(seat) else 0
        stack = self.setup.stack(seat)
        return 0 if stack >= UNKNOWN_STACK or seat not in self.setup.seats else stack

    def bet(self, seat: int) -> int:
        """What the seat has in front for this round."""
        return 0 if self.hand is None else self.hand.chips.bet.get(seat, 0)

    def won(self, seat: int) -> int:
        """What the seat got from the pots of this hand."""
        return 0 if self.hand is None else self.hand.chips.won.get(seat, 0)

    def may(self, seat: int) -> frozenset[str]:
        """The seat's choices at its turn, of fold, check, call, bet, raise."""
        return frozenset() if self.hand is None else actions.choices(self.hand, seat)

    def to_call(self, seat: int) -> int:
        """What the seat must add to call."""
        return 0 if self.hand is None or seat not in self.hand.live else self.hand.to_call(seat)

    def min_raise(self, seat: int) -> int | None:
        """The smallest total that the seat may bet or raise to, None if it may not."""
        if self.hand is None or not self.may(seat) & {"bet", "raise"}:
            return None
        return actions.least_total(self.hand, seat)

    def max_raise(self, seat: int) -> int | None:
        """The largest total that the seat may bet or raise to, None if it may not or nobody reported
        its stack.
        """
        if self.hand is None or not self.may(seat) & {"bet", "raise"} or not self.hand.chips.known(seat):
            return None
        return actions.most_total(self.hand, seat)

    def cards_of(self, seat: int) -> tuple[Card, ...]:
        """The cards at the seat as they are, hidden ones too, `??` if a face is not known."""
        return (
            () if self.hand is None else tuple(map(self.hand.veil.truth, self.hand.felt.cards.get(seat, ())))
        )

    def open_of(self, seat: int) -> tuple[Card, ...]:
        """The cards at the seat that lie open, as they were read or typed there."""
        return tuple(
            card
            for card in (() if self.hand is None else self.hand.felt.cards.get(seat, ()))
            if self.is_public(card)
        )

    def is_public(self, card: Card) -> bool:
        """Whether the card lies open: on the board, exposed, boxed or tabled."""
        return (
            self.hand is not None and card in self.hand.felt.open_cards and card not in self.hand.veil.truths
        )

    def known(self, entry: Entry) -> TableEvent:
        """The event of an entry that was taken, as people may know it: `??` for cards that lie down."""
        return entrance.known(self.hand, entry)

    def expectation(self) -> Expectation:
        """What is expected to happen next: a prior for sensing."""
        return expect.expectation(self.hand)
