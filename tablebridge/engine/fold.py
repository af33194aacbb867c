"""One entry, one step: every type of event and the function that knows what it does.

A step changes `Setup`, the hand, or both. Events of setting up change what the next hand begins with and
never the hand under way. Events of a hand do nothing while there is none.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from tablebridge.engine import hand_start, set_up, table_findings
from tablebridge.engine.betting import (
    adjudicate,
    all_in_button,
    announced_pots,
    blind_bets,
    kill_pots,
    pushed_chips,
    round_start,
    rounds,
    spoken,
)
from tablebridge.engine.cards import (
    board_streets,
    dealing,
    deck,
    deck_checks,
    draws,
    exposed_cards,
    faces,
    misdeals,
    seat_streets,
    shuffle_cycle,
    shuffler,
)
from tablebridge.engine.chips import behind, charges, colour_up, counting, stacks
from tablebridge.engine.consequences import (
    NONE,
    Consequences,
    FindTurn,
    Kill,
    OpenerKnown,
    StartRound,
    Void,
)
from tablebridge.engine.floor import (
    asking,
    call,
    clock,
    conduct,
    doubts,
    handover,
    levels,
    requests,
    rulings,
)
from tablebridge.engine.hand import Hand
from tablebridge.engine.hidden import entrance
from tablebridge.engine.hidden.claims import Claims
from tablebridge.engine.house import bets
from tablebridge.engine.notes import Notes
from tablebridge.engine.seating import arrivals, chips_bought, posting
from tablebridge.engine.setup import Setup
from tablebridge.engine.showdown import tabling
from tablebridge.model import blind_events as blind
from tablebridge.model import chip_events as chip
from tablebridge.model import clock_events as timed
from tablebridge.model import conduct_events as deed
from tablebridge.model import events as ev
from tablebridge.model import house_events as house
from tablebridge.model import key_events as key
from tablebridge.model import request_events as ask
from tablebridge.model import seat_events as sit
from tablebridge.model import shuffle_events as shuffling
from tablebridge.model.instant import START, Instant
from tablebridge.model.places import SEATS

InHand = Callable[[Hand, Notes, Any], Consequences | None]
"""Takes an event of the hand under way."""


class Mark(msgspec.Struct, frozen=True):
    """The beginning of a hand in the log. `entry`: its number; `setup`: what stood before it; `first`: how
    many findings were raised by closing the last hand; `hand`: what became of it.
    """

    entry: int
    setup: Setup
    first: int
    hand: Hand


class Fold:
    """The state of a table: what stands between hands, and the hand, which stays to be looked at until the
    next begins.
    """

    __slots__ = ("at", "claims", "ended", "hand", "marks", "name", "setup")

    def __init__(self, name: str, setup: Setup, claims: Claims | None = None) -> None:
        self.name = name
        self.claims = Claims() if claims is None else claims
        # The entry with which the last hand that was played to its end ended.
        self.ended = 0
        self.setup = setup
        # When the last entry happened.
        self.at: Instant = START
        self.hand: Hand | None = None
        self.marks: list[Mark] = []

    def step(self, entry: ev.Entry, first: int = 0, overruled: bool = False) -> Notes:
        """Take one entry. `first`: the number of its first finding; `overruled`: it makes no hand void."""
        hand, setup, event = self.hand, self.setup, entry.event
        notes = Notes(
            entry.id,
            entry.basis,
            self.name,
            setup.hand_number,
            "over" if hand is None else hand.street,
            first,
            overruled,
            entry.at,
        )
        self.at = entry.at
        if hand is not None:
            if hand.time.running is not None:
                carry_out(hand, notes, clock.pass_time(setup, hand, notes))
            if hand.veil.names or entry.basis not in ev.TYPED:
                event = entrance.entered(hand, entry, self.claims)
        in_hand = _IN_HAND.get(type(event))
        if hand is None or hand.over:
            if charges.CHARGE in setup.house:
                charges.pass_time(setup, notes, entry)
            if in_hand is not None:
                self._between(notes, event)
                notes.name_refunds()
                return notes
        before = -1  # Only what happens in a hand takes a first card off its deck.
        if hand is None or in_hand is None:
            self._set_up(notes, event)
            hand, setup = self.hand, self.setup
        else:
            before = hand.felt.off_deck
            consequences = in_hand(hand, notes, event)
            if consequences:
                carry_out(hand, notes, consequences)
            early = hand.deal.early
            if early is not None and early.stands:
                carry_out(hand, notes, board_streets.early_stands(hand, notes, early))
            if hand.asked or notes.findings:
                notes.name_refunds()
                asking.after(hand, notes, event)
        if setup.seating.players and setup.house.get("waiting-list", "0") != "0":
            arrivals.away_long(setup, notes)
        if hand is not None:
            if setup.cycle.reported:
                shuffle_cycle.off_the_deck(setup, hand, notes, event, before)
            if hand.entries.gone or setup.verdicts or hand.over or hand.time.time_s or notes.findings:
                self._after(setup, hand, notes, entry)
        return notes

    def _after(self, setup: Setup, hand: Hand, notes: Notes, entry: ev.Entry) -> None:
        """What follows for the hand from whatever has just happened."""
        if hand.entries.gone:
            carry_out(hand, notes, conduct.turn_of_gone(hand, notes))
        if setup.verdicts:
            shuffler.compare(setup, hand, notes)
        if hand.over and not hand.left:
            self._leave(hand, notes)
            if charges.CHARGE in setup.house:
                charges.pass_time(setup, notes, entry)
        if hand.time.time_s:
            clock.turn(setup, hand, entry.at)
        if notes.findings:
            notes.name_refunds()
            # What was said of the end of the hand before is not of the one that has begun.
            hand.raised([finding for finding in notes.findings if finding.hand == notes.hand])

    def _set_up(self, notes: Notes, event: ev.TableEvent) -> None:
        """Take an event that belongs to no hand, or also stands between hands."""
        in_setup = _IN_SETUP.get(type(event))
        if in_setup is not None:
            in_setup(self.setup, notes, event)
            return
        at_table = _AT_TABLE.get(type(event))
        if at_table is not None:
            consequences = at_table(self, notes, event)
            if consequences is not None and self.hand is not None:
                carry_out(self.hand, notes, consequences)

    def _between(self, notes: Notes, event: ev.TableEvent) -> None:
        """What is seen of the deck between two hands; all else that belongs to a hand is nothing then."""
        hand = self.hand
        if isinstance(event, (ev.Marked, ev.Back)):
            deck.unfit_between(self.setup, notes, event)
        elif (
            isinstance(event, ev.Seen)
            and hand is not None
            and faces.twice_after_the_end(hand, notes, event.card)
        ):
            self.setup.last = self.marks[-1].setup.last
            hand_start.leave(self.setup, hand)
        elif (
            isinstance(event, ev.Ruling)
            and event.ruling == "misdeal"
            and hand is not None
            and hand.street == "void"
        ):
            hand.let_void_stand()
        else:
            notes.ignored = "There is no hand under way."

    def _leave(self, hand: Hand, notes: Notes) -> None:
        """The hand is over: what it leaves for the next one, and what its cards say of the shuffle."""
        hand.leave()
        clock.stop(self.setup, hand, notes.at)
        hand_start.leave(self.setup, hand)
        chips_bought.hand_over(self.setup, hand)
        shuffle_cycle.after_hand(self.setup, hand)
        deck.judge_shuffle(self.setup, hand, notes)
        self.claims.weigh(hand, notes, self.marks[-1].entry)
        if hand.street == "over":
            conduct.served(self.setup, hand, notes)
            levels.ended(self.setup, notes.at)
            self.ended = notes.entry

    def begin(self, notes: Notes, event: ev.Hand) -> None:
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
        before, first = self.setup.copy(), notes.first + len(notes.findings)
        begun = hand_start.begin(self.setup, notes, event)
        if begun is not None:
            self.hand = begun
            self.marks.append(Mark(notes.entry, before, first, begun))
            counting.overdue(self.setup, notes)
            stacks.hand_begins(self.setup)
        else:
            self.setup, self.marks = setup, marks


def carry_out(hand: Hand, notes: Notes, consequences: Consequences) -> None:
    """Execute each consequence where it comes. A hand that is over has no further ones."""
    for consequence in consequences:
        _CONSEQUENCES[type(consequence)](hand, notes, consequence)
        if hand.over:
            return


def _void(hand: Hand, notes: Notes, _: Void) -> None:
    hand.void(notes)


def _kill(hand: Hand, notes: Notes, consequence: Kill) -> None:
    rounds.kill(hand, notes, consequence.seat)


def _start_round(hand: Hand, notes: Notes, _: StartRound) -> None:
    round_start.start_round(hand)
    if hand.draws.pat or hand.draws.early:
        draws.all_drew(hand, notes)


def _find_turn(hand: Hand, notes: Notes, _: FindTurn) -> None:
    rounds.settle(hand, notes)


def _opener_known(hand: Hand, notes: Notes, _: OpenerKnown) -> None:
    round_start.opener_known(hand)


_CONSEQUENCES: Final[dict[type[Any], Callable[[Hand, Notes, Any], None]]] = {
    Void: _void,
    Kill: _kill,
    StartRound: _start_round,
    FindTurn: _find_turn,
    OpenerKnown: _opener_known,
}


def _betting(adjudged: Callable[[Hand, Notes, Any], None]) -> InHand:
    """Betting ends the deal of a street."""

    def acted(hand: Hand, notes: Notes, event: Any) -> Consequences:
        betting, deal, form = hand.round, hand.deal, hand.form
        if betting.to_act is None and draws.waits(hand):
            return draws.acted_early(hand, notes, event)
        if not deal.over or not deal.street_dealt or hand.burns.gone_flop:
            return deal_and_action(hand, notes, event)
        if betting.unfinished is not None:
            adjudicate.taken_as_completed(hand, notes, event.seat)
        if hand.out_of_turn.changeable is not None:
            rounds.stands_unless_changed(hand, notes, event.seat)
        if not form.button:
            round_start.opener_acts(hand, event.seat)
        if form.banked and isinstance(event, ev.Action) and bets.acted(hand, notes, event):
            return NONE
        adjudged(hand, notes, event)
        if hand.showdown.button_waits is not None:
            all_in_button.acted(hand, notes)
        button = hand.positions.button
        if button in betting.ever_acted and len(hand.felt.cards.get(button, ())) < form.dealt:
            return misdeals.short_button(hand, notes)
        return NONE

    def deal_and_action(hand: Hand, notes: Notes, event: Any) -> Consequences:
        yield from dealing.finish_deal(hand, notes)
        yield from seat_streets.settle(hand, notes)
        if hand.burns.gone_flop:
            yield from board_streets.flop_stands(hand, notes)
        yield from acted(hand, notes, event)

    return acted


def _street(hand: Hand, notes: Notes, event: ev.Street) -> Consequences:
    if hand.counted.shown or hand.counted.pot is not None:
        counting.swept(hand, notes)
    all_in_button.unmarked(hand, notes)
    if hand.time.stops == "held":
        steps = ("set-aside", "call-floor")
        hand.find(notes, "hand-for-hand", "board", cause="dealt-on", cards=event.cards, remedy=steps)
    return board_streets.street(hand, notes, event)


_IN_HAND: Final[dict[type[Any], InHand]] = {
    ev.Unshuffled: misdeals.not_shuffled,
    ev.Uncut: misdeals.not_cut,
    ev.Deal: dealing.deal,
    ev.Dealt: dealing.dealt,
    ev.Holds: dealing.holds,
    ev.Boxed: dealing.boxed,
    ev.Burn: board_streets.burn,
    ev.Street: _street,
    ev.RunAgain: board_streets.run_twice,
    ev.BoardExposed: board_streets.board_exposed,
    ev.Draw: draws.draw,
    ev.Expose: tabling.expose,
    ev.PickUp: seat_streets.pick_up,
    ev.Tabled: tabling.table,
    ev.Muck: tabling.muck,
    ev.Ask: tabling.ask,
    ev.Mixed: tabling.mixed,
    ev.Seen: dealing.seen,
    ev.Marked: deck.unfit,
    ev.Back: deck.unfit,
    ev.Stub: deck.stub,
    ev.Action: _betting(spoken.action),
    ev.Say: _betting(spoken.say),
    ev.ChipsIn: _betting(pushed_chips.chips_in),
    ev.PotCount: announced_pots.pot_count,
    ev.ChipsBack: pushed_chips.chips_back,
    ev.AllinButton: all_in_button.placed,
    ev.ClockExpired: clock.expired,
    timed.DrawClock: clock.to_draw,
    ev.Ruling: rulings.ruling,
    ev.InDoubt: doubts.in_doubt,
    chip.PotChips: counting.pot,
    chip.Rake: charges.rake,
    chip.Behind: behind.found,
    blind.NoLook: blind_bets.no_look,
    blind.Straddle: blind_bets.straddle,
    ask.AskPot: requests.ask_pot,
    ask.TokenBet: requests.token,
    ask.CalledOn: requests.called_on,
    house.Play: bets.play,
    house.SetHand: bets.set_hand,
    ev.End: tabling.end,
}


# Between hands, or also between hands.


def _button(fold: Fold, notes: Notes, event: ev.Button) -> None:
    hand = fold.hand
    if event.seat not in SEATS:
        return
    if hand is None or hand.over or hand.book.button_error == "next-hand":
        fold.setup.button = event.seat
    else:
        hand_start.put_button_right(hand, notes, event.seat)


def _arrives(fold: Fold, notes: Notes, event: ev.Arrives) -> None:
    fold.setup.absent -= {event.seat}
    if fold.hand is not None:
        conduct.back(fold.hand, event.seat)


def _dealer_change(fold: Fold, notes: Notes, event: ev.DealerChange) -> None:
    fold.setup.dealer = event.name
    handover.pushed(fold.setup, fold.hand, notes)
    shuffle_cycle.changed(fold.setup, dealer=True)
    fold.setup.deck_checked = False
    levels.pushed(fold.setup, notes)
    fold.setup.pushed = fold.hand is not None and fold.hand.over


def _shuffled(fold: Fold, notes: Notes, event: ev.Shuffled | ev.Cut) -> Consequences | None:
    if notes.basis != "dealer":
        # A dealer reports a cut when there is cause to; nobody is to wait for one in every hand then.
        fold.setup.reports_shuffles = True
    if isinstance(event, ev.Shuffled):
        shuffle_cycle.whole(fold.setup)
    else:
        shuffle_cycle.cut(fold.setup, notes)
    if fold.hand is not None and not fold.hand.over:
        return deck.prepared(fold.hand, notes, event)
    if isinstance(event, ev.Shuffled):
        fold.setup.shuffled = True
    else:
        fold.setup.cut = True
    return None


def _begin(fold: Fold, notes: Notes, event: ev.Hand) -> None:
    fold.begin(notes, event)


def _clock(fold: Fold, notes: Notes, event: ev.Clock) -> None:
    if fold.hand is None or fold.hand.over:
        notes.ignored = "There is no hand under way."
    else:
        there = event.caller is None or clock.is_there(fold.setup, event.caller)
        clock.called(fold.hand, notes, event, there=there)


def _level(fold: Fold, notes: Notes, event: ev.Level) -> Consequences:
    return levels.level(fold.setup, fold.hand, notes, event)


def _exposed(fold: Fold, notes: Notes, _: key.Exposed) -> Consequences:
    return exposed_cards.last_dealt(fold.setup.book, fold.hand, notes)


def _absent(fold: Fold, notes: Notes, event: ev.Absent) -> Consequences:
    return conduct.absent(fold.setup, fold.hand, notes, event)


def _leaves(fold: Fold, notes: Notes, event: deed.Leaves) -> Consequences:
    return conduct.leaves(fold.setup, fold.hand, notes, event)


def _disqualified(fold: Fold, notes: Notes, event: deed.Disqualified) -> Consequences:
    return conduct.disqualified(fold.setup, fold.hand, notes, event)


def _with_hand(
    handler: Callable[[Setup, Hand | None, Notes, Any], None],
) -> Callable[[Fold, Notes, Any], None]:
    """A handler that changes the setup and looks at the hand, if there is one."""
    return lambda fold, notes, event: handler(fold.setup, fold.hand, notes, event)


_IN_SETUP: Final[dict[type[Any], Callable[[Setup, Notes, Any], None]]] = {
    ev.Rules: set_up.rules,
    ev.Game: set_up.game,
    ev.Ante: set_up.stake("ante"),
    ev.BbAnte: set_up.stake("bb_ante"),
    ev.BringIn: set_up.stake("bring_in"),
    ev.Seats: set_up.seats,
    ev.Stacks: set_up.stacks,
    ev.Penalty: set_up.assign("penalty", lambda event: frozenset(event.seats)),
    deed.Warned: conduct.warned,
    deed.Infraction: conduct.infraction,
    deed.MissedHands: conduct.misses,
    deed.PenaltyOver: conduct.over,
    sit.SitsOut: arrivals.sits_out,
    sit.MissedBlind: arrivals.missed,
    sit.ButtonCard: arrivals.button_card,
    ev.Deck: set_up.deck,
    ev.House: set_up.house,
    ev.Names: set_up.names,
    key.CallFloor: call.called,
    key.FloorSettled: call.settled,
    key.StepDone: call.step_done,
    chip.Tray: counting.tray,
    chip.Fill: counting.fill,
    chip.Credit: counting.credit,
    chip.Pay: counting.pay,
    chip.Take: counting.take,
    chip.ForeignChip: counting.foreign_chip,
    chip.Lammer: charges.lammer,
    blind.Kill: kill_pots.placed,
    blind.Bomb: set_up.bomb,
    house.PayTable: bets.table_named,
    ev.DeckCheck: deck_checks.check,
    ev.DeckInPlay: deck_checks.in_play,
    ev.Doubt: table_findings.doubt,
    ev.ForeignTag: table_findings.foreign_tag,
    ev.ClonedTag: table_findings.cloned_tag,
    ev.Fault: table_findings.fault,
    ev.BrokenJournal: table_findings.broken_journal,
    ev.RestoredJournal: table_findings.restored_journal,
    ev.Access: table_findings.access,
    ev.Disclosure: table_findings.disclosure,
    ev.Directed: lambda setup, notes, event: None,
    timed.Tick: lambda setup, notes, event: None,
    timed.LevelClock: levels.clock,
}
"""Events that change what the next hand begins with, and no hand."""

_AT_TABLE: Final[dict[type[Any], Callable[[Fold, Notes, Any], Consequences | None]]] = {
    ev.Hand: _begin,
    ev.Button: _button,
    ev.Arrives: _arrives,
    ev.Shuffled: _shuffled,
    ev.Cut: _shuffled,
    ev.DealerChange: _dealer_change,
    shuffling.Riffle: _with_hand(shuffle_cycle.step),
    shuffling.Strip: _with_hand(shuffle_cycle.step),
    shuffling.Square: _with_hand(shuffle_cycle.step),
    shuffling.Wash: _with_hand(shuffle_cycle.wash),
    key.Exposed: _exposed,
    ev.Clock: _clock,
    ev.Level: _level,
    timed.Break: _with_hand(levels.pause),
    timed.HandForHand: _with_hand(levels.hand_for_hand),
    ev.Chips: _with_hand(counting.in_play),
    chip.StackChips: _with_hand(stacks.counted),
    chip.ChipsOf: _with_hand(colour_up.chips_of),
    chip.Race: _with_hand(colour_up.race),
    chip.RaceCard: _with_hand(colour_up.race_card),
    chip.RaceOver: _with_hand(colour_up.race_over),
    chip.Exchange: _with_hand(colour_up.exchange),
    chip.Collect: _with_hand(charges.collect),
    house.Box: _with_hand(bets.placed),
    ev.Absent: _absent,
    ev.Post: _with_hand(posting.post),
    deed.Leaves: _leaves,
    sit.Enters: _with_hand(arrivals.enters),
    sit.Returns: _with_hand(arrivals.returns),
    sit.ChangesSeat: _with_hand(arrivals.changes_seat),
    sit.Adds: _with_hand(chips_bought.adds),
    sit.Removes: _with_hand(chips_bought.removes),
    sit.Rebuys: _with_hand(chips_bought.rebuys),
    ask.Dispute: _with_hand(requests.dispute),
    deed.Disqualified: _disqualified,
    ev.Shuffler: _with_hand(shuffler.report),
    key.ShufflerLid: _with_hand(shuffler.lid),
    ev.DeviceState: _with_hand(table_findings.device),
}
"""Events between hands that look at the hand under way, or change it."""
