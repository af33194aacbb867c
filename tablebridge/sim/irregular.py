"""Irregularities: each is a manner of dealing that goes wrong in one thing, and the words of the finding that
it calls for.

After it the dealer does what the remedy says in its simple form: a misdeal is collected and dealt again, a
premature street goes back into the stub, one of four flop cards becomes the burn, a reader is plugged in
again.
"""

from collections.abc import Callable
from typing import Final

from tablebridge.model.places import BOARD, BURN, SEATS, STUB, seat_place
from tablebridge.sim.dealer import Dealer, Manner
from tablebridge.sim.hands import Act, Board, Hand, Step, Street

_LOST_WITHIN_S: Final = 30.0
_TYPED_S: Final = (1.0, 2.0)
_FOREIGN: Final = 2
"""The foreign card is the third of the deck."""


class Irregular(Manner):
    """A manner with a name. `finding` and `cause` are what the engine is bound to say."""

    finding: str = ""
    cause: str | None = None

    def suits(self, hand: Hand) -> bool:
        """Whether this can go wrong in the hand."""
        return True


class FirstCardWrongSeat(Irregular):
    """The deal begins one seat too late."""

    finding, cause = "misdeal", "first-card-wrong-seat"

    def pitches(self, hand: Hand) -> list[int]:
        return [*hand.order[1:], hand.order[0]] * (len(hand.deal) // len(hand.order))


class SeatSkipped(Irregular):
    """One seat is passed over in both rounds."""

    finding, cause = "misdeal", "seat-skipped"

    def suits(self, hand: Hand) -> bool:
        return len(hand.order) > 3

    def pitches(self, hand: Hand) -> list[int]:
        return [seat for seat, _ in hand.deal if seat != hand.order[2]]


class UnentitledSeat(Irregular):
    """A seat without a player gets a card."""

    finding, cause = "misdeal", "unentitled-seat"

    def suits(self, hand: Hand) -> bool:
        return len(hand.order) < len(SEATS)

    def pitches(self, hand: Hand) -> list[int]:
        seats = [seat for seat, _ in hand.deal]
        return [*seats[: len(hand.order)], _empty_seat(hand), *seats[len(hand.order) :]]


class WrongCardCount(Irregular):
    """A seat gets one card too many."""

    finding, cause = "misdeal", "wrong-card-count"

    def pitches(self, hand: Hand) -> list[int]:
        seats = [seat for seat, _ in hand.deal]
        return [*seats[: len(hand.order)], seats[0], *seats[len(hand.order) :]]


class _Announced(Irregular):
    """Cards of the deal at which everybody can see something that no reader can: it is typed, then the card
    flies.
    """

    numbers: tuple[int, ...] = ()
    word = ""

    def pitch(self, dealer: Dealer, number: int, seat: int) -> None:
        if number in self.numbers:
            dealer.pace.wait(*_TYPED_S)
            dealer.say(f"deal {seat} {dealer.card(dealer.stub[0])} {self.word}")
        dealer.pitch(seat)


class BoxedCards(_Announced):
    """Two cards come face up out of the deck."""

    finding, cause = "misdeal", "boxed-cards"
    numbers, word = (1, 3), "boxed"


class ExposedFirstTwo(_Announced):
    """The dealer flashes one of the first two cards."""

    finding, cause = "misdeal", "exposed-first-two"
    numbers, word = (0,), "exposed"


class ExposedDowncards(_Announced):
    """The dealer flashes two cards later in the deal."""

    finding, cause = "misdeal", "exposed-downcards"
    numbers, word = (2, 4), "exposed"


class _OnStreet(Irregular):
    """Something goes wrong with a street of the board."""

    street: Street = "flop"

    def suits(self, hand: Hand) -> bool:
        return any(isinstance(step, Board) and step.street == self.street for step in hand.steps)


class BurnMissing(_OnStreet):
    """The turn is dealt without a burn card."""

    finding, street = "burn-missing", "turn"

    def burns(self, street: Street) -> int:
        return 0 if street == self.street else 1


class BurnExtra(_OnStreet):
    """Two cards are burned for the turn."""

    finding, street = "burn-extra", "turn"

    def burns(self, street: Street) -> int:
        return 2 if street == self.street else 1


class FlopFourCards(_OnStreet):
    """The flop has four cards; the floor picks one of them as the next burn."""

    finding, cause = "flop-count", "four-cards"

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if not isinstance(step, Board) or step.street != "flop":
            return True
        dealer.burn()
        dealer.board, dealer.stub = dealer.stub[:4], dealer.stub[4:]
        dealer.fly(dealer.board, BOARD)
        dealer.expect(self.finding)
        picked = dealer.board.pop(dealer.rng.randrange(4))
        dealer.say(f"ruling burn {dealer.card(picked)}")
        dealer.burned.append(picked)
        dealer.fly([picked], BURN)
        return False

    def burns(self, street: Street) -> int:
        return 0 if street == "turn" else 1


class _Premature(_OnStreet):
    """The street comes while a player has yet to act. It goes back into the stub, which is shuffled; the burn
    card stays; when the betting is over the street is dealt again.
    """

    finding = "premature-street"

    def __init__(self) -> None:
        self._last_act = -1

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if number == self._last_act:
            dealer.burn()
            count = 3 if self.street == "flop" else 1
            early, dealer.stub = dealer.stub[:count], dealer.stub[count:]
            dealer.fly(early, BOARD)
            dealer.expect(self.finding)
            dealer.stub += early
            dealer.rng.shuffle(dealer.stub)
            dealer.fly(list(reversed(dealer.stub)), STUB)
        return True

    def burns(self, street: Street) -> int:
        return 0 if street == self.street else 1

    def suits(self, hand: Hand) -> bool:
        at = next(
            (
                number
                for number, step in enumerate(hand.steps)
                if isinstance(step, Board) and step.street == self.street
            ),
            0,
        )
        self._last_act = at - 1
        return at > 0 and isinstance(hand.steps[at - 1], Act)


class PrematureFlop(_Premature):
    street = cause = "flop"


class PrematureTurn(_Premature):
    street = cause = "turn"


class PrematureRiver(_Premature):
    street = cause = "river"


class DuplicateCard(Irregular):
    """A second tag with the identity of a player's card lies at another seat: a copied tag."""

    finding = "cloned-tag"

    def __init__(self) -> None:
        self._tag = ""

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if number == 0 and isinstance(step, Act):
            holder, other = [seat for seat in dealer.held if dealer.held[seat]][-2:]
            self._tag = dealer.held[holder][0]
            dealer.table.clone(self._tag, seat_place(other))
            dealer.expect(self.finding)
        return True

    def over(self, dealer: Dealer) -> None:
        if self._tag:
            dealer.table.clone(self._tag, None)


class ForeignCard(Irregular):
    """A card of another deck is among the cards. When it is noticed, the floor has all cards collected."""

    finding, cause = "fouled-deck", "foreign-card"

    def deck(self, dealer: Dealer, order: list[str]) -> list[str]:
        return [*order[:_FOREIGN], dealer.foreign, *order[_FOREIGN:]]

    def pitch(self, dealer: Dealer, number: int, seat: int) -> None:
        if number != _FOREIGN:
            dealer.pitch(seat)
            return
        dealer.fly([dealer.stub.pop(0)], seat_place(seat))
        dealer.expect(self.finding)
        dealer.say("ruling misdeal")


class MissingCard(Irregular):
    """A card is not in the deck; the shuffler counts 51."""

    finding, cause = "shuffler-fault", "count"

    def deck(self, dealer: Dealer, order: list[str]) -> list[str]:
        dealer.keys.shuffler_counts(51)
        return order[:-1]


class OutOfTurn(Irregular):
    """A player acts before the one whose turn it is."""

    finding = "out-of-turn"

    def __init__(self) -> None:
        self._at = -1

    def suits(self, hand: Hand) -> bool:
        pairs = zip(hand.steps, hand.steps[1:], strict=False)
        self._at = next(
            (
                number
                for number, pair in enumerate(pairs)
                if all(
                    isinstance(step, Act) and step.kind in ("fold", "call") and not step.all_in
                    for step in pair
                )
            ),
            -1,
        )
        self._hand = hand
        return self._at >= 0

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        early = self._hand.steps[number + 1] if number == self._at else None
        if isinstance(early, Act):
            dealer.act(early)
        return number != self._at + 1


class CardOutOfPlace(_OnStreet):
    """While the players bet on the flop, a card of the stub slides to a player's cards. The dealer takes it
    away again.
    """

    finding = "card-out-of-place"

    def after_street(self, dealer: Dealer, street: Street) -> None:
        if street == self.street:
            stray = dealer.stub.pop()
            seat = next(seat for seat, cards in dealer.held.items() if cards)
            dealer.fly([stray], seat_place(seat))
            dealer.expect(self.finding)
            dealer.fly([stray], STUB)


class FoldWithoutBet(Irregular):
    """A player folds although a check would have cost nothing."""

    finding = "fold-without-bet"

    def __init__(self) -> None:
        self._at = -1
        self._seat = 0

    def suits(self, hand: Hand) -> bool:
        live = set(hand.order)
        for number, step in enumerate(hand.steps):
            if isinstance(step, Act) and step.kind == "fold":
                live.discard(step.seat)
            elif (
                isinstance(step, Act)
                and step.kind == "check"
                and len(live) > 2
                and _idle_after(hand, number, step.seat)
            ):
                self._at, self._seat = number, step.seat
                return True
        return False

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if number == self._at:
            dealer.act(Act(self._seat, "fold"))
            return False
        return number < self._at or getattr(step, "seat", None) != self._seat


class ReaderUnplugged(Irregular):
    """The cable of a reader comes off in the middle of a hand, and is plugged in again."""

    finding = "device-offline"

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if number == 1:
            dealer.bench.unplug("board")
            dealer.expect(self.finding, _LOST_WITHIN_S)
            dealer.bench.plug("board")
        return True


class BrokerRestart(Irregular):
    """The broker goes away in the middle of a hand and comes back; nothing is lost."""

    def __init__(self, restart: Callable[[], None]) -> None:
        self._restart = restart

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if number == 1:
            self._restart()
        return True


IRREGULAR: Final[dict[str, Callable[[], Irregular]]] = {
    "first-card-wrong-seat": FirstCardWrongSeat,
    "seat-skipped": SeatSkipped,
    "unentitled-seat": UnentitledSeat,
    "wrong-card-count": WrongCardCount,
    "boxed-cards": BoxedCards,
    "exposed-first-two": ExposedFirstTwo,
    "exposed-downcards": ExposedDowncards,
    "flop-four-cards": FlopFourCards,
    "burn-missing": BurnMissing,
    "burn-extra": BurnExtra,
    "premature-flop": PrematureFlop,
    "premature-turn": PrematureTurn,
    "premature-river": PrematureRiver,
    "duplicate-card": DuplicateCard,
    "foreign-card": ForeignCard,
    "missing-card": MissingCard,
    "out-of-turn": OutOfTurn,
    "card-out-of-place": CardOutOfPlace,
    "fold-without-bet": FoldWithoutBet,
    "reader-unplugged": ReaderUnplugged,
}


BROKER_RESTART: Final = "broker-restart"
"""The one irregularity that is not the table's."""


def _empty_seat(hand: Hand) -> int:
    return next(seat for seat in reversed(SEATS) if seat not in hand.order)


def _idle_after(hand: Hand, number: int, seat: int) -> bool:
    """Whether the seat puts no chips into the pot after a step, so that the hand goes on well without it."""
    return not any(
        isinstance(step, Act) and step.seat == seat and step.kind in ("call", "bet", "raise")
        for step in hand.steps[number + 1 :]
    )


__all__ = ["BROKER_RESTART", "IRREGULAR", "BrokerRestart", "Irregular"]
