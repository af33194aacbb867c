"""The account of a hand, from which every format is written: its entries are folded again and the result of
each is noted.

An action is noted as it was ruled, not as it was said. A hand that ended is `over`; a hand that was `void` (a
misdeal, a fouled deck) is dealt again as another hand; the last hand may still be `running`. Steps are in the
order in which things happened, even if that was not the order of turns: `turns.py` puts them into that order
for formats that know no other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from tablebridge.engine import hand_start
from tablebridge.engine.cards import upcards
from tablebridge.engine.corrections import CORRECTIONS, effective
from tablebridge.engine.fold import Fold
from tablebridge.engine.games import Form
from tablebridge.engine.hand import Hand
from tablebridge.engine.outcome import Ruled
from tablebridge.engine.script.writer import line_of
from tablebridge.engine.seating.positions import Positions
from tablebridge.engine.setup import Setup, Stakes
from tablebridge.engine.table import Table
from tablebridge.model import events as ev
from tablebridge.model.blind_events import Straddle
from tablebridge.model.cards import UNKNOWN, Card, is_known
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.places import BURN

Deed = Literal[
    "ante", "bb-ante", "blind", "bring-in", "fold", "check", "call", "bet", "raise", "dead", "chips", "street"
]
State = Literal["over", "void", "running"]
ACTIONS: Final = ("bring-in", "fold", "check", "call", "bet", "raise")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened. `put`: chips that went in with it, negative if some came back; `total`:
    what the seat then had in front for the round; `pot`: all chips in the middle then, bets in front
    included.

    `dead` is a hand that died or was thrown away out of turn, `chips` are chips that moved without an action
    of their own, `street` begins the street with that index among the streets of the game, `run` being the
    number of the board if there are several.
    """

    deed: Deed
    at: Instant
    seat: int = 0
    put: int = 0
    total: int = 0
    pot: int = 0
    all_in: bool = False
    street: int = 0
    run: int = 1


@dataclass(frozen=True, slots=True)
class Account:
    """One hand. By seat: `start` and `finish` (valid for the seats in `known_stacks`), `names`,
    `public_names`, `holes` (as many cards as a whole hand has on the last street, `??` for cards that are not
    known). `order`: order of play. `untracked`: nobody enters the betting. `blind_bets`: straddles and the
    kill, by seat; `bomb`: there was no betting before the flop.

    `draws`: by index of the street and seat, the cards discarded and the cards received. `opens`: by index of
    the street the seat after which its turns began. `live`: the seats whose hands are not dead in the end.
    `shown`: seats whose hands counted at the showdown, of those in `show_order`, which came to it.
    `payments`: each pot, main pot first, and who got what of it. `given_up`: a bet was forfeited, or went
    back with a flop. `opened`: the cards that lay open. `first_board`: the first of two if the game has two
    boards or the board was run again, `board` being the last; `between_boards`: those between. `entries`: the
    first and the last entry.
    `rake`: what the house took out of the pots; `dealer`: who dealt, empty if nobody said.
    """

    table: str
    number: int
    state: State
    form: Form
    rulebook: str
    blind_first: bool
    stakes: Stakes
    positions: Positions
    order: tuple[int, ...]
    blind_bets: dict[int, int]
    bomb: bool
    start: dict[int, int]
    finish: dict[int, int]
    known_stacks: frozenset[int]
    untracked: bool
    names: dict[int, str]
    public_names: dict[int, str]
    steps: tuple[Step, ...]
    holes: dict[int, tuple[Card, ...]]
    first_holes: dict[int, tuple[Card, ...]]
    draws: dict[tuple[int, int], tuple[tuple[Card, ...], tuple[Card, ...]]]
    opens: dict[int, int]
    board: tuple[Card, ...]
    first_board: tuple[Card, ...]
    between_boards: tuple[tuple[Card, ...], ...]
    burns: tuple[Card, ...]
    opened: frozenset[Card]
    live: frozenset[int]
    show_order: tuple[int, ...]
    shown: tuple[int, ...]
    payments: tuple[tuple[int, dict[int, int]], ...]
    findings: tuple[Finding, ...]
    rulings: tuple[tuple[ev.Ruling, str], ...]
    incomplete: tuple[str, ...]
    given_up: bool
    began: Instant
    ended: Instant
    entries: tuple[int, int]
    rake: int
    dealer: str

    def public(self) -> "Account":
        """The same account without any face that was never open, and with the names for the public."""

        def seen(cards: Iterable[Card]) -> tuple[Card, ...]:
            return tuple(card if card in self.opened else UNKNOWN for card in cards)

        holes = {seat: seen(cards) for seat, cards in self.holes.items()}
        return replace(
            self,
            names=self.public_names,
            holes=holes,
            first_holes={seat: seen(cards) for seat, cards in self.first_holes.items()},
            draws={key: (seen(gone), seen(came)) for key, (gone, came) in self.draws.items()},
            board=seen(self.board),
            first_board=seen(self.first_board),
            between_boards=tuple(map(seen, self.between_boards)),
            burns=seen(self.burns),
            shown=tuple(seat for seat in self.shown if UNKNOWN not in holes[seat]),
        )

    def ruling_lines(self) -> tuple[str, ...]:
        """The floor's rulings as in a table script, with who gave them; a card in them only if it lay
        open.
        """
        lines = (
            (line_of(ruling, hide=lambda card: card not in self.opened), by) for ruling, by in self.rulings
        )
        return tuple(line.removeprefix("ruling ") + (f" by {by}" if by else "") for line, by in lines)

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """The boards, the first first."""
        return (self.first_board, *self.between_boards, self.board) if self.first_board else (self.board,)

    def board_of(self, street: int, run: int = 1) -> tuple[Card, ...]:
        """The cards that the street of this place put on the board, in this run, or on this one of two
        boards.
        """
        board = self.boards[min(run, len(self.boards)) - 1]
        first = self.form.board_after(self.form.streets[street - 1].name) if street else 0
        return board[first : self.form.board_after(self.form.streets[street].name)]


def accounts(
    entries: Iterable[ev.Entry],
    name: str = "table",
    *,
    folded: Callable[[], None] = lambda: None,
    start: Table | None = None,
) -> Iterator[Account]:
    """The hands of one table in order. `entries`: all of them from the first on, corrections included, or
    from the beginning of a hand on, to which the table was folded that is `start`; it is not changed.

    `folded` is called after each entry that was folded.
    """
    setup, table = (Setup(), Table("again")) if start is None else (start.setup.kept().setup(), start.copy())
    fold, writer = Fold(name, setup), None
    for entry, overruled in _holding(list(entries), table):
        if isinstance(entry.event, ev.Hand) and writer is not None:
            if not hand_start.untouched(writer.hand):
                # The next hand ends the one under way as `end` does.
                writer.take(fold, ev.Entry(entry.id, entry.at, ev.End(), entry.basis), overruled=False)
                yield writer.account(fold)
            writer = None
        if writer is not None:
            writer.take(fold, entry, overruled=overruled)
            if writer.hand.over:
                yield writer.account(fold)
                writer = None
        else:
            before = fold.hand
            notes = fold.step(entry, overruled=overruled)
            if fold.hand is not None and fold.hand is not before:
                writer = _Writer(fold.hand, entry, fold.setup.dealer, notes.findings)
        folded()
    if writer is not None:
        yield writer.account(fold)


def _holding(log: list[ev.Entry], table: Table) -> Iterator[tuple[ev.Entry, bool]]:
    """The entries that hold, and of each whether the floor ruled to play on although it is cause for a
    misdeal.

    Only the table knows which corrections have an effect and which rulings overrule what: the entries are
    applied to `table` if there are any.
    """
    play_on: dict[int, int] = {}
    if any(isinstance(entry.event, CORRECTIONS) or _plays_on(entry.event) for entry in log):
        kept = []
        for entry in log:
            hand = table.hand
            if (
                _plays_on(entry.event)
                and hand is not None
                and hand.street == "void"
                and hand.void_by is not None
            ):
                play_on[entry.id] = hand.void_by
            outcome = table.apply(entry)
            if not (outcome.ignored and isinstance(entry.event, CORRECTIONS)):
                kept.append(entry)
        log = effective(kept)
    held = {entry.id for entry in log}
    overruled = {void for ruling, void in play_on.items() if ruling in held}
    return ((entry, entry.id in overruled) for entry in log)


def _plays_on(event: ev.TableEvent) -> bool:
    return isinstance(event, ev.Ruling) and event.ruling == "play-on"


class _Writer:
    """Writes down one hand while it is folded."""

    def __init__(self, hand: Hand, entry: ev.Entry, dealer: str, findings: Sequence[Finding]) -> None:
        self.hand = hand
        self._dealer = dealer
        self._positions, self._order = hand.positions, hand.order
        self._first_entry = self._last_entry = entry
        self._findings = list(findings)
        self._rulings: list[tuple[ev.Ruling, str]] = []
        self._steps: list[Step] = []
        # What each seat has put in, and the place of the street under way.
        self._in = dict.fromkeys(hand.order, 0)
        self._street, self._run = 0, 1
        # Of a game with two boards, how many cards the second had when its street was noted down.
        self._second = 0
        self._opens: dict[int, int] = {}
        # Hands before and after what was discarded, by street and seat.
        self._draws: dict[tuple[int, int], tuple[tuple[Card, ...], tuple[Card, ...]]] = {}
        self._show_order: tuple[int, ...] | None = None
        self._face_up = False
        self._given_up = False
        self._post(entry.at)

    def take(self, fold: Fold, entry: ev.Entry, *, overruled: bool) -> None:
        """Fold an entry of this hand and note what came of it."""
        hand, event, at = self.hand, entry.event, entry.at
        if isinstance(event, ev.End):
            self._showdown()
        turn, bringer, live, bet = hand.round.to_act, hand.round.bringer, set(hand.live), dict(hand.chips.bet)
        held = tuple(hand.felt.cards.get(event.seat, ())) if isinstance(event, ev.Draw) else ()
        forfeits = None if hand.round.unfinished is None else hand.round.unfinished.seat
        notes = fold.step(entry, overruled=overruled)
        self._given_up |= any(ruled.action == "fold" and ruled.seat == forfeits for ruled in notes.ruled)
        self._given_up |= isinstance(event, ev.Street) and bool(notes.returned)
        self._last_entry = entry
        self._findings += (*notes.findings, *notes.lasting)
        if isinstance(event, ev.Ruling):
            self._rulings.append((event, entry.by))
        if (hand.positions, hand.order) != (self._positions, self._order):
            self._dealt_to_others(at)
            return
        self._street_begins(at)
        if isinstance(event, ev.Draw) and not notes.ignored:
            self._draws[self._street, event.seat] = held, tuple(hand.felt.cards[event.seat])
        gone = live - hand.live
        for number, ruled in enumerate(notes.ruled):
            early = ruled.action == "fold" and (turn is None or (number == 0 and ruled.seat != turn))
            self._acted(at, ruled, bet, early=early, opens=ruled.seat == bringer)
            gone.discard(ruled.seat)
        if not hand.over:
            self._other_chips(at, "blind" if isinstance(event, Straddle) else "chips")
        for seat in sorted(gone, key=hand.order.index):
            if seat not in (self._show_order or ()):
                self._add("dead", at, seat)
        for seat in hand.live - live:
            self._live_again(seat)
        if hand.deal.street_dealt and not (hand.round.street_actions or hand.blind_bets.no_looks):
            self._opens[self._street] = hand.round.turn_from
        self._showdown()

    def account(self, fold: Fold) -> Account:
        """The hand as it stands."""
        hand, seats, truth = self.hand, self._show_order or (), self.hand.veil.truth
        holes = {seat: self._whole(hand.felt.cards[seat]) for seat in hand.order}
        return Account(
            table=fold.name,
            number=hand.number,
            state="over" if hand.street == "over" else "void" if hand.street == "void" else "running",
            form=hand.form,
            rulebook=hand.book.name,
            blind_first=hand.book.short_big_blind == "blind-first",
            stakes=hand.stakes,
            positions=hand.positions,
            order=hand.order,
            blind_bets={seat: bet for seat in hand.order if (bet := hand.blind_bets.of(seat))},
            bomb=hand.blind_bets.bomb,
            start=dict(hand.chips.start),
            finish=dict(hand.chips.stack),
            known_stacks=frozenset(filter(hand.chips.known, hand.order)),
            untracked=hand.untracked,
            names={seat: name for seat, name in fold.setup.names.items() if seat in hand.order},
            public_names={seat: name for seat, name in fold.setup.public_names.items() if seat in hand.order},
            steps=tuple(self._steps),
            holes=holes,
            first_holes={seat: self._first(seat) for seat in hand.order},
            draws=self._all_draws(),
            opens=dict(self._opens),
            board=_known(hand.felt.board),
            first_board=_known(hand.felt.earlier[0]) if hand.felt.earlier else (),
            between_boards=tuple(map(_known, hand.felt.earlier[1:])),
            burns=tuple(truth(card) for card, place in hand.felt.places.items() if place == BURN),
            opened=frozenset(card for card in hand.felt.open_cards if truth(card) == card),
            live=frozenset(hand.live),
            show_order=seats,
            shown=tuple(seat for seat in seats if self._counts(seat, holes[seat])),
            payments=tuple((amount, dict(won)) for amount, won in hand.chips.payments),
            findings=tuple(self._findings),
            rulings=tuple(self._rulings),
            incomplete=tuple(hand.incomplete),
            given_up=self._given_up,
            began=self._first_entry.at,
            ended=self._last_entry.at,
            entries=(self._first_entry.id, self._last_entry.id),
            rake=hand.chips.raked,
            dealer=self._dealer,
        )

    def _add(
        self,
        deed: Deed,
        at: Instant,
        seat: int = 0,
        put: int = 0,
        total: int = 0,
        *,
        street: int = 0,
        run: int = 1,
    ) -> None:
        if seat:
            self._in[seat] += put
        pot = (self._steps[-1].pot if self._steps else 0) + put
        all_in = put > 0 and self.hand.chips.known(seat) and self._in[seat] >= self.hand.chips.start[seat]
        self._steps.append(Step(deed, at, seat, put, total, pot, all_in, street, run))

    def _post(self, at: Instant) -> None:
        """Antes and blinds, as far as the stacks went."""
        hand = self.hand
        for seat in hand.order:
            if ante := hand.chips.paid[seat] - hand.chips.bet[seat]:
                self._add("ante", at, seat, ante)
        if hand.chips.dead_money:
            self._add("bb-ante", at, hand.positions.big, hand.chips.dead_money)
        for seat in hand.order:
            if blind := hand.chips.bet[seat]:
                self._add("blind", at, seat, blind, blind)

    def _dealt_to_others(self, at: Instant) -> None:
        """The button was corrected, or a seat came or went with what it posted: everything but folds went
        back, and the blinds are posted again.
        """
        self._positions, self._order = self.hand.positions, self.hand.order
        gone = [step.seat for step in self._steps if step.deed in ("fold", "dead")]
        self._steps.clear()
        self._in = dict.fromkeys(self.hand.order, 0)
        self._post(at)
        for seat in gone:
            self._add("dead", at, seat)

    def _street_begins(self, at: Instant) -> None:
        form = self.hand.form
        last = len(form.streets) - 1
        now = form.places.get(self.hand.street, last if self.hand.street == "showdown" else self._street)
        if self.hand.felt.run_from is not None and self._run <= len(self.hand.felt.earlier):
            self._run = len(self.hand.felt.earlier) + 1
            self._street = max(
                place
                for name, place in form.places.items()
                if form.board_after(name) <= self.hand.felt.run_from
            )
        elif now < self._street:
            # The flop went back into the stub.
            self._steps = [step for step in self._steps if step.deed != "street" or step.street <= now]
        for street in range(self._street + 1, now + 1):
            self._add("street", at, street=street, run=self._run)
        self._street = now
        if (
            form.boards > 1
            and len(self.hand.felt.board) >= form.board_after(form.streets[now].name) > self._second
        ):
            self._second = len(self.hand.felt.board)
            self._add("street", at, street=now, run=2)

    def _acted(self, at: Instant, ruled: Ruled, bet: dict[int, int], *, early: bool, opens: bool) -> None:
        seat, highest = ruled.seat, max(bet.values())
        if ruled.action == "fold":
            self._add("dead" if early else "fold", at, seat, total=bet[seat])
            return
        deed: Deed = "check"
        if ruled.amount > highest:
            deed = "raise" if highest else "bet"
            if opens and ruled.amount <= self.hand.stakes.bring_in:
                deed = "bring-in"
        elif ruled.amount > bet[seat]:
            deed = "call"
        elif ruled.action != "check":
            return  # What had been ruled is said again, with the chips that were put forward for it.
        self._add(deed, at, seat, ruled.amount - bet[seat], ruled.amount)
        bet[seat] = ruled.amount

    def _other_chips(self, at: Instant, deed: Literal["blind", "chips"]) -> None:
        """Chips that no action accounts for: uncalled bets that go back, chips that must stay in the pot,
        straddles.
        """
        hand = self.hand
        for seat in hand.order:
            held = self._in[seat] - hand.chips.dead_chips.get(seat, 0)
            if hand.chips.paid[seat] != held:
                self._add(deed, at, seat, hand.chips.paid[seat] - held, hand.chips.bet[seat])

    def _live_again(self, seat: int) -> None:
        """Remove the fold of a hand that the floor ruled live."""
        last = next(
            (step for step in reversed(self._steps) if step.seat == seat and step.deed in ("fold", "dead")),
            None,
        )
        if last is not None:
            self._steps.remove(last)

    def _showdown(self) -> None:
        """From here hands are tabled or mucked: note who comes to it, in the order in which they must
        show.
        """
        hand = self.hand
        if (
            self._show_order is None
            and len(hand.live) > 1
            and (upcards.face_up(hand) or hand.street == "showdown")
        ):
            self._face_up = upcards.face_up(hand)
            self._show_order = upcards.order(hand)

    def _counts(self, seat: int, cards: tuple[Card, ...]) -> bool:
        """Whether the seat's hand was seen at the showdown; if nobody tabled, the hands that were read
        decided.
        """
        hand = self.hand
        decided = hand.street == "over" and (not hand.showdown.tabled or self._face_up)
        return seat in hand.live and UNKNOWN not in cards and (seat in hand.showdown.tabled or decided)

    def _whole(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        due = self.hand.form.cards_after(self.hand.form.streets[self._street].name)
        known = _known(map(self.hand.veil.truth, cards[:due]))
        return (*known, *[UNKNOWN] * (due - len(known)))

    def _first(self, seat: int) -> tuple[Card, ...]:
        """The initial hand: what the seat held before its first draw."""
        drawn = [held for (_, other), (held, _) in sorted(self._draws.items()) if other == seat]
        due = self.hand.form.cards_after(self.hand.form.first.name)
        return self._whole(drawn[0] if drawn else self.hand.felt.cards[seat])[:due]

    def _all_draws(self) -> dict[tuple[int, int], tuple[tuple[Card, ...], tuple[Card, ...]]]:
        """What each draw took away and brought. A card whose face is not known is unknown in both."""
        made = {}
        for (street, seat), (held, kept) in self._draws.items():
            later = [
                other
                for (place, owner), (other, _) in sorted(self._draws.items())
                if owner == seat and place > street
            ]
            after = self._whole(later[0] if later else self.hand.felt.cards[seat])
            held, kept = (tuple(map(self.hand.veil.truth, cards)) for cards in (held, kept))
            known = tuple(card for card in held if card not in kept and is_known(card))
            came = tuple(card for card in after if card not in kept and is_known(card))
            count = len(held) - len(kept)
            made[street, seat] = (
                (*known, *[UNKNOWN] * (count - len(known)))[:count],
                (*came, *[UNKNOWN] * (count - len(came)))[:count],
            )
        return made


def _known(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards, with unknown ones in place of those that have no face that can be written."""
    return tuple(card if is_known(card) else UNKNOWN for card in cards)
