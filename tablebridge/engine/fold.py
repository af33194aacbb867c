"""One entry, one step: every type of event and the function that knows what it does.

A step changes `Setup`, the hand, or both. Events of setting up change what the next hand begins with and
never the hand under way. Events of a hand do nothing while there is none.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from tablebridge.engine import hand_start
from tablebridge.engine.betting import actions, adjudicate, all_in_button, announced_pots, round_start
from tablebridge.engine.cards import (
    board_streets,
    dealing,
    deck_checks,
    exposed_cards,
    misdeals,
    seat_streets,
    shuffler,
)
from tablebridge.engine.chips import counting
from tablebridge.engine.floor import asking, rulings
from tablebridge.engine.games import FORMS
from tablebridge.engine.hand import Hand
from tablebridge.engine.hidden import entrance
from tablebridge.engine.hidden.claims import Claims
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.engine.showdown import tabling
from tablebridge.model import chip_events as chip
from tablebridge.model import events as ev
from tablebridge.model import key_events as key
from tablebridge.model.cards import UNKNOWN, deck_of
from tablebridge.model.places import SEATS, seat_of
from tablebridge.rulebooks import load, parse

_SEATS: Final = frozenset(SEATS)


class Mark(msgspec.Struct, frozen=True):
    """Where a hand begins in the log: its entry, what stood before it, how many findings closing the last one
    raised.
    """

    entry: int
    setup: Setup
    first: int


class Fold:
    """The state of a table: what stands between hands, and the hand, which stays to be looked at until the
    next begins.
    """

    __slots__ = ("claims", "ended", "hand", "marks", "name", "setup")

    def __init__(self, name: str, setup: Setup, claims: Claims | None = None) -> None:
        self.name = name
        self.claims = Claims() if claims is None else claims
        # The entry with which the last hand that was played to its end ended.
        self.ended = 0
        self.setup = setup
        self.hand: Hand | None = None
        self.marks: list[Mark] = []

    def step(self, entry: ev.Entry, first: int = 0, overruled: bool = False) -> Notes:
        """Take one entry. `first`: the number of its first finding; `overruled`: it makes no hand void."""
        hand, event = self.hand, entry.event
        notes = Notes(
            entry.id,
            entry.basis,
            self.name,
            self.setup.hand_number,
            "over" if hand is None else hand.street,
            first,
            overruled,
        )
        if hand is not None and (hand.veil.names or entry.basis not in ev.TYPED):
            event = entrance.entered(hand, entry, self.claims)
        in_hand = _IN_HAND.get(type(event))
        if in_hand is not None:
            if hand is None or hand.over:
                self._between(notes, event)
                return notes
            in_hand(hand, notes, event)
            if hand.deal.early is not None and hand.deal.early.stands:
                board_streets.early_stands(hand, notes, hand.deal.early)
            if hand.asked or notes.findings:
                asking.after(hand, notes, event)
        else:
            other = _OTHER.get(type(event))
            if other is not None:
                other(self, notes, event)
            hand = self.hand
        if hand is not None:
            if self.setup.verdicts:
                shuffler.compare(self.setup, hand, notes)
            if hand.over and not hand.left:
                self._leave(hand, notes)
            if notes.findings:
                # What was said of the end of the hand before is not of the one that has begun.
                hand.findings.extend(one for one in notes.findings if one.hand == notes.hand)
        return notes

    def _between(self, notes: Notes, event: ev.TableEvent) -> None:
        """What is seen of the deck between two hands; all else that belongs to a hand is nothing then."""
        hand = self.hand
        if isinstance(event, (ev.Marked, ev.Back)):
            deck_checks.unfit_between(
                self.setup,
                notes,
                event.card,
                "marked-card" if isinstance(event, ev.Marked) else "mixed-backs",
            )
        elif (
            isinstance(event, ev.Seen) and hand is not None and dealing.fouled_after(hand, notes, event.card)
        ):
            self.setup.last = self.marks[-1].setup.last
            hand_start.leave(self.setup, hand)
        elif (
            isinstance(event, ev.Ruling)
            and event.ruling == "misdeal"
            and hand is not None
            and hand.street == "void"
        ):
            hand.void_stands = True
        else:
            notes.ignored = "There is no hand under way."

    def _leave(self, hand: Hand, notes: Notes) -> None:
        """The hand is over: what it leaves for the next one, and what its cards say of the shuffle."""
        hand.left = True
        hand_start.leave(self.setup, hand)
        deck_checks.shuffle(self.setup, hand, notes)
        self.claims.weigh(hand, notes, self.marks[-1].entry)
        if hand.street == "over":
            self.ended = notes.entry

    def begin(self, notes: Notes) -> None:
        """A new hand begins, if it can. One that is under way is paid if it can be, and closed as incomplete
        if not.
        """
        hand, marks, setup = self.hand, self.marks, self.setup
        if hand is not None and not hand.over:
            if hand_start.untouched(hand):
                self.setup, self.marks = setup.copy(), marks[:-1]
                hand_start.again(self.setup, marks[-1].setup)
            else:
                tabling.finish(hand, notes)
                self._leave(hand, notes)
        mark = Mark(notes.entry, self.setup.copy(), notes.first + len(notes.findings))
        begun = hand_start.begin(self.setup, notes)
        if begun is not None:
            self.hand = begun
            self.marks.append(mark)
            counting.overdue(self.setup, notes)
        else:
            self.setup, self.marks = setup, marks


def _betting(adjudged: Callable[[Hand, Notes, Any], None]) -> Callable[[Hand, Notes, Any], None]:
    """Betting ends the deal of a street."""

    def handler(hand: Hand, notes: Notes, event: Any) -> None:
        if not hand.deal.over:
            dealing.finish_deal(hand, notes)
            if hand.over:
                return
        if not hand.deal.street_dealt:
            seat_streets.settle(hand)
        if hand.burns.gone_flop:
            board_streets.flop_stands(hand, notes)
        if not hand.form.button:
            round_start.opener_told(hand, event.seat)
        adjudged(hand, notes, event)
        if hand.showdown.button_waits is not None:
            all_in_button.acted(hand, notes)
        if hand.positions.button in hand.round.ever_acted:
            misdeals.short_button(hand, notes)

    return handler


def _clock_expired(hand: Hand, notes: Notes, event: ev.ClockExpired) -> None:
    seat = event.seat
    if seat != hand.round.to_act:
        return
    hand.find(notes, "clock", f"Time has run out for seat {seat}.", cause="expired", seat=seat)
    if hand.round.current > hand.chips.bet[seat] or hand.book.clock_without_bet == "dead":
        hand.find(
            notes, "dead-hand", f"Seat {seat}'s time has run out: the hand is dead.", cause="clock", seat=seat
        )
        actions.kill(hand, notes, seat)
    else:
        actions.act(hand, notes, seat, "check", None)
        actions.settle(hand, notes)


def _boxed(hand: Hand, notes: Notes, event: ev.Boxed) -> None:
    if event.card == UNKNOWN or dealing.shows(hand, notes, event.card, "stub"):
        dealing.found_boxed(hand, notes, event.card)


def _clock(hand: Hand, notes: Notes, event: ev.Clock) -> None:
    hand.find(notes, "clock", f"The clock is called on seat {event.seat}.", cause="called", seat=event.seat)


def _tabled(hand: Hand, notes: Notes, event: ev.Tabled) -> None:
    all_in_button.unmarked(hand, notes)
    tabling.table(hand, notes, event.seat, event.cards)


def _street(hand: Hand, notes: Notes, event: ev.Street) -> None:
    if hand.counted.shown or hand.counted.pot is not None:
        counting.swept(hand, notes)
    all_in_button.unmarked(hand, notes)
    board_streets.street(hand, notes, event.street, event.cards)


_IN_HAND: Final[dict[type[Any], Callable[[Hand, Notes, Any], None]]] = {
    ev.Unshuffled: lambda hand, notes, event: misdeals.not_prepared(hand, notes, "not-shuffled"),
    ev.Uncut: lambda hand, notes, event: misdeals.not_prepared(hand, notes, "not-cut"),
    ev.Deal: dealing.deal,
    ev.Dealt: lambda hand, notes, event: (
        dealing.dealt_up(hand, notes, event.up) if event.up else dealing.dealt(hand, notes)
    ),
    ev.Holds: lambda hand, notes, event: dealing.holds(hand, notes, event.seat, event.count),
    ev.Boxed: _boxed,
    ev.Burn: lambda hand, notes, event: board_streets.burn(hand, notes, event.card),
    ev.Street: _street,
    ev.RunTwice: lambda hand, notes, event: board_streets.run_twice(hand, notes),
    ev.BoardExposed: lambda hand, notes, event: board_streets.board_exposed(hand, notes, event.card),
    ev.Draw: lambda hand, notes, event: seat_streets.draw(hand, notes, event.seat, event.count, event.cards),
    ev.Expose: lambda hand, notes, event: tabling.expose(
        hand, notes, event.seat, event.card, dropped=event.dropped
    ),
    ev.PickUp: lambda hand, notes, event: seat_streets.pick_up(hand, notes, event.seat),
    ev.Tabled: _tabled,
    ev.Muck: lambda hand, notes, event: tabling.muck(hand, notes, event.seat),
    ev.Ask: lambda hand, notes, event: tabling.ask(hand, notes, event.seat, event.other),
    ev.Mixed: lambda hand, notes, event: tabling.mixed(hand, notes, event.seat),
    ev.Seen: lambda hand, notes, event: dealing.seen(
        hand, notes, event.card, event.place, seat_of(event.place)
    ),
    ev.Marked: lambda hand, notes, event: deck_checks.unfit(hand, notes, event.card, "marked-card"),
    ev.Back: lambda hand, notes, event: deck_checks.unfit(hand, notes, event.card, "mixed-backs"),
    ev.Stub: deck_checks.stub,
    ev.Action: _betting(adjudicate.action),
    ev.Say: _betting(adjudicate.say),
    ev.ChipsIn: _betting(adjudicate.chips_in),
    ev.PotCount: announced_pots.pot_count,
    ev.ChipsBack: adjudicate.chips_back,
    ev.Post: adjudicate.post,
    ev.AllinButton: lambda hand, notes, event: all_in_button.placed(hand, notes, event.seat),
    ev.Clock: _clock,
    ev.ClockExpired: _clock_expired,
    ev.Ruling: rulings.ruling,
    chip.PotChips: counting.pot,
    chip.Rake: lambda hand, notes, event: counting.rake(hand, event),
    ev.End: lambda hand, notes, event: tabling.finish(hand, notes),
}


# What belongs to no hand, or also stands between hands.


def _rules(fold: Fold, notes: Notes, event: ev.Rules) -> None:
    try:
        fold.setup.book = parse(event.text, event.rulebook) if event.text else load(event.rulebook)
    except ValueError as error:
        notes.ignored = f"{error}."


def _game(fold: Fold, notes: Notes, event: ev.Game) -> None:
    form = FORMS.get(event.game)
    if form is None:
        notes.ignored = f"The engine does not follow the game {event.game}."
        return
    fold.setup.form = form
    _stakes(fold, event.stakes, event.blinds)


def _stakes(fold: Fold, stakes: tuple[int, int], blinds: tuple[int, int] | None) -> None:
    """In limit games the stakes are the bets, and the blinds half the small bet and the small bet unless
    given. Stud has none; where only the button posts a blind it is the second number.
    """
    first, second = max(stakes[0], 0), max(stakes[1], 0)
    form = fold.setup.form
    small, big = blinds or ((first // 2, first) if form.limit == "limit" else stakes)
    if form.forced != "blinds":
        small, big = 0, big if form.button else 0
    fold.setup.stakes = replace(
        fold.setup.stakes, small=max(small, 0), big=max(big, 0), small_bet=first, big_bet=second
    )


def _seats(fold: Fold, notes: Notes, event: ev.Seats) -> None:
    fold.setup.seats = tuple(sorted(_SEATS.intersection(event.seats)))


def _stacks(fold: Fold, notes: Notes, event: ev.Stacks) -> None:
    if event.everyone is not None:
        fold.setup.everyone = max(event.everyone, 0)
        fold.setup.stacks.clear()
    fold.setup.stacks.update(
        {seat: amount if amount > 0 else 0 for seat, amount in event.by_seat.items() if seat in _SEATS}
    )


def _button(fold: Fold, notes: Notes, event: ev.Button) -> None:
    hand = fold.hand
    if event.seat not in SEATS:
        return
    if hand is None or hand.over or hand.book.button_error == "next-hand":
        fold.setup.button = event.seat
    else:
        hand_start.put_button_right(hand, notes, event.seat)


def _level(fold: Fold, notes: Notes, event: ev.Level) -> None:
    setup = fold.setup
    before = setup.stakes
    _stakes(fold, event.stakes, None)
    if setup.pushed and setup.book.push_begins_hand:
        setup.stakes, setup.next_stakes = before, setup.stakes


def _arrives(fold: Fold, notes: Notes, event: ev.Arrives) -> None:
    fold.setup.absent -= {event.seat}
    if fold.hand is not None and not fold.hand.deal.over:
        fold.hand.absent.discard(event.seat)


def _deck(fold: Fold, notes: Notes, event: ev.Deck) -> None:
    try:
        deck_of(event.deck)
    except ValueError as error:
        notes.ignored = f"{error}."
        return
    fold.setup.deck_named = event.deck


def _house(fold: Fold, notes: Notes, event: ev.House) -> None:
    fold.setup.house[event.key] = event.value


def _dealer_change(fold: Fold, notes: Notes, event: ev.DealerChange) -> None:
    fold.setup.deck_checked = False
    fold.setup.pushed = fold.hand is not None and fold.hand.over


def _shuffled(fold: Fold, notes: Notes, event: ev.Shuffled | ev.Cut) -> None:
    fold.setup.reports_shuffles = True
    if fold.hand is not None and not fold.hand.over:
        deck_checks.prepared(fold.hand, notes, event)
    elif isinstance(event, ev.Shuffled):
        fold.setup.shuffled = True
    else:
        fold.setup.cut = True


def _set(field: str, value: Callable[[Any], Any]) -> Callable[[Fold, Notes, Any], None]:
    def handler(fold: Fold, notes: Notes, event: Any) -> None:
        setattr(fold.setup, field, value(event))

    return handler


def _stake(field: str) -> Callable[[Fold, Notes, Any], None]:
    def handler(fold: Fold, notes: Notes, event: Any) -> None:
        amount = max(event.amount, 0)
        if amount != getattr(fold.setup.stakes, field):
            fold.setup.stakes = replace(fold.setup.stakes, **{field: amount})

    return handler


_OTHER: Final[dict[type[Any], Callable[[Fold, Notes, Any], None]]] = {
    ev.Rules: _rules,
    ev.Game: _game,
    ev.Ante: _stake("ante"),
    ev.BbAnte: _stake("bb_ante"),
    ev.BringIn: _stake("bring_in"),
    ev.Seats: _seats,
    ev.Button: _button,
    ev.Stacks: _stacks,
    ev.Chips: lambda fold, notes, event: counting.in_play(fold.setup, fold.hand, notes, event),
    ev.Absent: _set("absent", lambda event: frozenset(event.seats)),
    ev.Penalty: _set("penalty", lambda event: frozenset(event.seats)),
    ev.Deck: _deck,
    ev.House: _house,
    ev.Names: _set("names", lambda event: dict(event.by_seat)),
    ev.Level: _level,
    ev.Arrives: _arrives,
    ev.Hand: lambda fold, notes, event: fold.begin(notes),
    chip.Tray: lambda fold, notes, event: counting.tray(fold.setup, notes, event),
    chip.Fill: lambda fold, notes, event: counting.moved(fold.setup, notes, event.chips),
    chip.Credit: lambda fold, notes, event: counting.moved(fold.setup, notes, event.chips, out=True),
    chip.Pay: lambda fold, notes, event: counting.paid(fold.setup, notes, event.chips, out=True),
    chip.Take: lambda fold, notes, event: counting.paid(fold.setup, notes, event.chips, out=False),
    chip.ForeignChip: lambda fold, notes, event: counting.foreign_chip(fold.setup, notes, event),
    ev.Shuffled: _shuffled,
    ev.Cut: _shuffled,
    ev.DeckCheck: lambda fold, notes, event: deck_checks.check(fold.setup, notes, event),
    ev.DeckInPlay: lambda fold, notes, event: deck_checks.in_play(fold.setup, notes, event),
    ev.DealerChange: _dealer_change,
    ev.Shuffler: lambda fold, notes, event: shuffler.report(fold.setup, fold.hand, notes, event),
    key.ShufflerLid: lambda fold, notes, event: shuffler.lid(fold.setup, fold.hand, notes, event),
    key.CallFloor: lambda fold, notes, event: notes.find(
        fold.setup.book, "floor-called", "The dealer calls the floor."
    ),
    key.Exposed: lambda fold, notes, event: exposed_cards.last_dealt(fold.setup.book, fold.hand, notes),
    ev.Doubt: lambda fold, notes, event: deck_checks.doubt(fold.setup, notes, event),
    ev.ForeignTag: lambda fold, notes, event: deck_checks.foreign_tag(fold.setup, notes, event),
    ev.ClonedTag: lambda fold, notes, event: deck_checks.cloned_tag(fold.setup, notes, event),
    ev.DeviceState: lambda fold, notes, event: deck_checks.device(fold.setup, fold.hand, notes, event),
    ev.Fault: lambda fold, notes, event: deck_checks.fault(fold.setup, notes, event),
    ev.BrokenJournal: lambda fold, notes, event: deck_checks.broken_journal(fold.setup, notes, event),
    ev.Access: lambda fold, notes, event: deck_checks.access(fold.setup, notes, event),
    ev.Disclosure: lambda fold, notes, event: deck_checks.disclosure(fold.setup, notes, event),
}
