"""The fold of one table: entries in, the state of the table and what is to be said about it out.

Theory. `Table.apply` takes one entry of the journal after another. What stands between hands is `Setup`, what
belongs to a hand is `Hand`; an event changes one or both through the functions of the module that knows its
subject, and what there is to say is gathered in `Notes`. Nothing that can be entered raises: what cannot be
is flagged or ignored.

A correction is an entry too. The table keeps the entries since the last hand ended and what stood then;
`Undo`, `Amend` and a ruling to play on after a misdeal fold the corrected history (`corrections.py`) again
from there, which gives exactly the state that would have come of it. Earlier hands can no longer be changed.
What was typed of hidden cards, and how often such lines were taken back, is not taken back with them.
"""

from msgspec.structs import replace

from tablebridge.engine import expect, hand_start
from tablebridge.engine.betting import actions, limits
from tablebridge.engine.cards import upcards
from tablebridge.engine.corrections import effective, taken_back
from tablebridge.engine.floor import asking
from tablebridge.engine.fold import Fold
from tablebridge.engine.hand import Hand
from tablebridge.engine.hidden import entrance
from tablebridge.engine.hidden.claims import Claims
from tablebridge.engine.notes import Notes
from tablebridge.engine.outcome import NOTHING, Outcome
from tablebridge.engine.setup import UNTOLD, Setup
from tablebridge.engine.showdown import tabling
from tablebridge.model.cards import Card
from tablebridge.model.events import TYPED, Amend, Entry, Ruling, TableEvent, Undo
from tablebridge.model.events import Hand as NewHand
from tablebridge.model.expectation import Expectation
from tablebridge.model.findings import Finding

# Hands that a correction can reach: the one under way and the one before it.
_HANDS_KEPT = 2
_PROBES = 3
"""So many lines about hidden cards that are taken back in a hand are no slips any more; it is told again at
each doubling.
"""


class Table:
    """One table. `apply` is the only way to change it; everything else reads. Seats are 1 to 10, amounts
    whole numbers.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._claims = Claims()
        self._fold = Fold(name, Setup(), self._claims)
        # From here the log gives the present state: what stood then, and the number of the log's first
        # finding.
        self._base = Setup()
        self._first = 0
        self._log: list[Entry] = []
        # Rulings to play on, with the entries whose misdeal they overrule; and all findings of the log.
        self._play_on: dict[int, int] = {}
        self._raised: dict[str, Finding] = {}
        # Why entries of the log changed nothing.
        self._ignored: dict[int, str] = {}
        # Lines about hidden cards that were taken back in the hand of this number, and findings that stand
        # whatever is.
        self._probed = 0, 0
        self._lasting: dict[str, Finding] = {}

    def apply(self, entry: Entry) -> Outcome:
        """Fold one entry. It never raises, whatever the entry and the state."""
        event = entry.event
        kind = type(event)
        self._log.append(entry)
        if (kind is Ruling or kind is Undo or kind is Amend) and (
            target := self._corrects(entry.id, event)
        ) is not None:
            return self._correct(entry, target)
        notes = self._fold.step(entry)
        said = notes.findings or notes.ignored or notes.lasting
        if said:
            self._keep(notes)
        if kind is NewHand and len(self._fold.marks) > _HANDS_KEPT:
            self._cut()
        if notes.ruled or said or notes.returned:
            return notes.outcome()
        return NOTHING

    def reports(self, *, shuffles: bool, checks: bool, buttons: bool) -> None:
        """Say before the first entry that this table tells of shuffles and cuts, of deck checks, of all-in
        buttons. Else it is known when the first of them is told.
        """
        for setup in (self._fold.setup, self._base):
            setup.reports_shuffles, setup.reports_checks, setup.buttons_used = shuffles, checks, buttons

    def copy(self) -> "Table":
        """Another table in the same state, which goes its own way from here."""
        twin = Table(self.name)
        twin._base, twin._first, twin._log = self._base, self._first, list(self._log)
        twin._play_on = dict(self._play_on)
        twin._claims, twin._probed, twin._lasting = self._claims.copy(), self._probed, dict(self._lasting)
        twin._refold()
        return twin

    @property
    def setup(self) -> Setup:
        """What stands between hands: read only."""
        return self._fold.setup

    @property
    def hand(self) -> Hand | None:
        """The hand under way, or the last one: read only."""
        return self._fold.hand

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
        hand = self.hand
        if hand is not None and hand.street == "void":
            return hand.positions.button or None
        positions = self.setup.next_positions()
        return None if positions is None else positions.button or None

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
        return f"{hand.number}.{hand.street}.{hand.round.actions}.{len(hand.round.strays)}.{self.acting or 0}"

    @property
    def asked(self) -> tuple[Finding, ...]:
        """The findings on which the floor is to rule now."""
        return asking.asked(self.hand)

    @property
    def taken_back(self) -> dict[int, Entry]:
        """The entries that do not hold, among those that can still be corrected, each with the undo that
        holds against it.
        """
        return taken_back(self._log)

    @property
    def substantial_action(self) -> bool:
        return self.hand is not None and self.hand.substantial

    @property
    def live(self) -> tuple[int, ...]:
        return () if self.hand is None else tuple(sorted(self.hand.live))

    @property
    def dead(self) -> tuple[int, ...]:
        """Seats of this hand whose hands are not live."""
        return () if self.hand is None else tuple(sorted(set(self.hand.order) - self.hand.live))

    @property
    def board(self) -> tuple[Card, ...]:
        """The cards on the board; where there are two, those on the second."""
        return () if self.hand is None else tuple(self.hand.felt.board)

    @property
    def first_board(self) -> tuple[Card, ...]:
        """The first board of a game with two, and of a hand that is run twice when the second has begun."""
        return () if self.hand is None else tuple(self.hand.felt.first_board or ())

    @property
    def pot(self) -> int:
        """Chips in the middle, bets in front included."""
        return 0 if self.hand is None else self.hand.chips.pot()

    @property
    def pots(self) -> tuple[int, ...]:
        """Main pot first, then side pots."""
        return (
            ()
            if self.hand is None or self.hand.over
            else tuple(pot.amount for pot in tabling.pots(self.hand))
        )

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
        found = {finding.id: finding for finding in standing}
        if self.hand is not None:
            found.update((finding.id, finding) for finding in self.hand.findings)
        found.update(
            (finding.id, finding) for finding in self._lasting.values() if finding.hand == self.hand_number
        )
        return tuple(found.values())

    @property
    def not_working(self) -> frozenset[str]:
        """The ids of the findings that say what of a device does not work now."""
        return frozenset(finding.id for finding in self.setup.device_findings.values())

    @property
    def miscounted(self) -> frozenset[str]:
        """The findings of the tray and of this hand's pot whose counts still do not fit."""
        tray = self.setup.tray_finding
        pot = "" if self.hand is None else self.hand.counted.finding
        return frozenset(filter(None, (pot, "" if tray is None else tray.id)))

    @property
    def in_doubt(self) -> bool:
        return bool(self.setup.doubts)

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Why the hand could not be completed; empty where it was or still can be."""
        return () if self.hand is None else tuple(self.hand.incomplete)

    def stack(self, seat: int) -> int:
        """What is in front of the seat and not bet; 0 where nobody told its stack."""
        if self.hand is not None and seat in self.hand.chips.stack and not self.hand.over:
            return self.hand.chips.stack[seat] if self.hand.chips.known(seat) else 0
        told = self.setup.stack(seat)
        return 0 if told >= UNTOLD or seat not in self.setup.seats else told

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
        return 0 if self.hand is None or seat not in self.hand.live else actions.to_call(self.hand, seat)

    def min_raise(self, seat: int) -> int | None:
        """The smallest total that the seat may bet or raise to, None where it may not."""
        if self.hand is None or not self.may(seat) & {"bet", "raise"}:
            return None
        return min(limits.least(self.hand), actions.whole(self.hand, seat))

    def max_raise(self, seat: int) -> int | None:
        """The largest total that the seat may bet or raise to, None where it may not or nobody told its
        stack.
        """
        if self.hand is None or not self.may(seat) & {"bet", "raise"} or not self.hand.chips.known(seat):
            return None
        return limits.most(self.hand, seat)

    def cards_of(self, seat: int) -> tuple[Card, ...]:
        """The cards at the seat as they are, hidden ones too, `??` where a face is not known."""
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

    def reaches(self, entry: int) -> bool:
        """Whether there is such an entry that can still be corrected."""
        return any(one.id == entry for one in self._within())

    def ended_after(self, entry: int) -> bool:
        """Whether a hand was played to its end with this entry or after it."""
        return entry <= self._fold.ended

    def expectation(self) -> Expectation:
        """What is expected to happen next: a prior for sensing."""
        return expect.expectation(self.hand)

    def said_of(self, entry: int) -> tuple[tuple[Finding, ...], str]:
        """What there is to say of an entry as the history stands now: its findings, and why it changed
        nothing.
        """
        findings: list[Finding] = []
        while (finding := self._raised.get(f"{entry}.{len(findings)}")) is not None:
            findings.append(finding)
        return tuple(findings), self._ignored.get(entry, "")

    def next_entry(self) -> int:
        """A number that no entry has yet."""
        return self._log[-1].id + 1 if self._log else 1

    # How it is done.

    def _corrects(self, entry: int, event: TableEvent) -> int | None:
        """The entry from which on the history is another now, if it is. The floor plays on after a misdeal
        from its ruling.
        """
        if isinstance(event, (Undo, Amend)):
            return event.entry
        plays_on = isinstance(event, Ruling) and event.ruling == "play-on"
        return entry if plays_on and self.hand is not None and self.hand.street == "void" else None

    def _correct(self, entry: Entry, target: int) -> Outcome:
        """Fold the corrected history. The outcome is what it says that was not said before."""
        if not self.reaches(target):
            return Outcome(ignored="The entry to correct belongs to no hand that can still be changed.")
        probed = self._probing(entry, target)
        before = self._raised
        self._refold()
        # A finding is another one to people only by what they see of it.
        return Outcome(
            (
                *probed,
                *(
                    finding
                    for key, finding in self._raised.items()
                    if key not in before or replace(before[key], cards=()) != replace(finding, cards=())
                ),
            )
        )

    def _within(self) -> list[Entry]:
        """What a correction can reach. The first hand of the log began with the end of one that is gone."""
        return self._log[1:] if self._log and isinstance(self._log[0].event, NewHand) else self._log

    def _probing(self, entry: Entry, target: int) -> tuple[Finding, ...]:
        """A line is taken back, or amended: if it named a hidden card, how often was that done in this hand?"""
        hand = self.hand
        line = next(one for one in self._log if one.id == target)
        if hand is None or entry.basis not in TYPED or not entrance.names_hidden(hand, line):
            return ()
        number, count = self._probed
        count = count + 1 if number == hand.number else 1
        self._probed = hand.number, count
        thirds, rest = divmod(count, _PROBES)
        if rest or not thirds or thirds & (thirds - 1):
            return ()
        notes = Notes(entry.id, entry.basis, self.name, hand.number, hand.street)
        notes.find(
            hand.book, "faces-probed", f"{count} lines that name hidden cards were taken back in this hand."
        )
        self._lasting.update((finding.id, finding) for finding in notes.findings)
        return notes.findings

    def _refold(self) -> None:
        self._fold = Fold(self.name, self._base.copy(), self._claims)
        self._raised, self._ignored = {}, {}
        history = effective(self._log)
        rulings = {
            entry.id
            for entry in history
            if isinstance(entry.event, Ruling) and entry.event.ruling == "play-on"
        }
        overruled = {void for ruling, void in self._play_on.items() if ruling in rulings}
        first = self._first
        for entry in history:
            hand = self._fold.hand
            if (
                entry.id in rulings
                and entry.id not in self._play_on
                and hand is not None
                and hand.void_by is not None
            ):
                # Only here is it known which misdeal the floor overrules: once more from the beginning,
                # without it.
                self._play_on[entry.id] = hand.void_by
                self._refold()
                return
            self._keep(self._fold.step(entry, first=first, overruled=entry.id in overruled))
            first = 0

    def _keep(self, notes: Notes) -> None:
        if notes.ignored and not notes.ruled:
            self._ignored[notes.entry] = notes.ignored
        self._raised.update((finding.id, finding) for finding in (*notes.findings, *notes.lasting))
        self._lasting.update((finding.id, finding) for finding in notes.lasting)

    def _cut(self) -> None:
        """Let go of what lies before the last hands: it can no longer be corrected."""
        del self._fold.marks[:-_HANDS_KEPT]
        mark = self._fold.marks[0]
        self._base, self._first = mark.setup, mark.first
        self._log = self._log[next(at for at, entry in enumerate(self._log) if entry.id == mark.entry) :]
        self._claims.cut(mark.entry)
        kept = {entry.id for entry in self._log}
        self._play_on = {ruling: void for ruling, void in self._play_on.items() if ruling in kept}
        self._raised = {key: finding for key, finding in self._raised.items() if finding.evidence[0] in kept}
        self._ignored = {entry: why for entry, why in self._ignored.items() if entry in kept}
        self._lasting = {
            key: finding for key, finding in self._lasting.items() if finding.evidence[0] in kept
        }
