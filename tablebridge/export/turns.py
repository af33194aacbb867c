"""A hand as a format must see it that knows actions in turn only, and no hand but one that folds or is mucked
at the showdown.

Theory. The account is played again strictly in turn. A hand that died, or was thrown away out of turn, folds
when its turn comes: at once, later in the round, or in a later round. If it has no chips left it cannot fold
and mucks at the showdown. While it waits for that, others who are live may be given a turn that they did not
have at the table: they check. When the table was done with the hand because all others were dead, but in turn
they are not out yet, streets go on with unknown cards until they are. A bet that went back because its own
hand died before anybody answered is as if it had not been made.

| `Play.what` | |
| --- | --- |
| an action | of `seat`, to `total`; `made` is true if the table had no such action |
| `street` | the street of this place begins |
| `show`, `muck` | at the showdown, or as soon as all hands must be open; `street`: the present street |
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from tablebridge.export.account import ACTIONS, Account, Step
from tablebridge.model.cards import UNKNOWN
from tablebridge.model.instant import Instant

What = Literal["bring-in", "fold", "check", "call", "bet", "raise", "street", "show", "muck"]
_FORCED: Final = ("ante", "bb-ante", "blind")


@dataclass(frozen=True, slots=True)
class Play:
    """One thing in turn."""

    what: What
    at: Instant
    seat: int = 0
    total: int = 0
    street: int = 0
    made: bool = False


def in_turn(account: Account) -> tuple[Play, ...]:
    """The hand after its forced bets, in turn."""
    return tuple(_Turns(account).play())


class _Turns:
    def __init__(self, account: Account) -> None:
        self._account = account
        self._in = set(account.order)
        self._dead: set[int] = set()
        self._stack = dict(account.start)
        self._bet = dict.fromkeys(account.order, 0)
        self._acted: set[int] = set()
        self._last = account.opens.get(0, account.positions.big)
        self._street = 0
        # The street at which hands were shown; those of a game whose last card comes down show it in the end.
        self._shown: int | None = None
        self._hides_last = account.form.last.down > 0

    def play(self) -> Iterator[Play]:
        """Everything in turn, once."""
        account, at = self._account, self._account.began
        for step in _without_taken_back(account.steps):
            at = step.at
            if step.deed in _FORCED:
                self._pay(step.seat, step.put, step.put if step.deed == "blind" else 0)
            elif step.deed in ACTIONS and not self._beside(step):
                yield from self._does(Play(step.deed, at, step.seat, step.total))
            elif step.deed == "dead":
                self._dead.add(step.seat)
            elif step.deed == "street":
                yield from self._closes(at)
                if len(self._in) > 1 or self._shown is None or self._shown == self._street:
                    yield from self._begins(step.street, at)
            yield from self._drains(at)
            yield from self._shows(at)
        if account.state == "over":
            yield from self._ends(at)

    def _beside(self, step: Step) -> bool:
        """Whether an action has no turn here, because the bet that it answered is left out. A fold then comes
        later.
        """
        beside = step.seat != self._due() and step.total <= self._bet[step.seat]
        if beside and step.deed == "fold":
            self._dead.add(step.seat)
        return beside

    def _does(self, play: Play) -> Iterator[Play]:
        seat = play.seat
        if seat not in self._in:
            return
        self._acted.add(seat)
        self._last = seat
        if play.what == "fold":
            self._in.discard(seat)
        elif play.what != "check":
            self._pay(seat, play.total - self._bet[seat], play.total - self._bet[seat])
        yield play

    def _pay(self, seat: int, amount: int, front: int) -> None:
        self._stack[seat] -= amount
        self._bet[seat] += front

    def _due(self) -> int | None:
        """Whose turn it is; None when the round is over."""
        order = self._account.order
        if len(self._in) < 2:
            return None
        highest = max(self._bet.values())
        alone = sum(self._stack[seat] > 0 for seat in self._in) < 2
        at = order.index(self._last) + 1 if self._last in order else 0
        for seat in order[at:] + order[:at]:
            if seat not in self._in or self._stack[seat] <= 0:
                continue
            if self._bet[seat] < highest or (seat not in self._acted and not alone):
                return seat
        return None

    def _drains(self, at: Instant) -> Iterator[Play]:
        """Dead hands whose turn it is fold."""
        while (seat := self._due()) is not None and seat in self._dead:
            yield from self._does(Play("fold", at, seat, self._bet[seat], made=True))

    def _closes(self, at: Instant) -> Iterator[Play]:
        """The round is over at the table: who still has a turn here folds or checks, as long as there is
        nothing to call.
        """
        while (seat := self._due()) is not None and (
            seat in self._dead or self._bet[seat] >= max(self._bet.values())
        ):
            what: What = "fold" if seat in self._dead else "check"
            yield from self._does(Play(what, at, seat, self._bet[seat], made=True))

    def _begins(self, street: int, at: Instant) -> Iterator[Play]:
        self._street = street
        self._bet = dict.fromkeys(self._account.order, 0)
        self._acted.clear()
        self._last = self._account.opens.get(street, self._account.positions.button)
        yield Play("street", at, street=street)

    def _shows(self, at: Instant) -> Iterator[Play]:
        """All hands must lie open when nobody can bet any more, or after the last round."""
        last = self._street == len(self._account.form.streets) - 1
        chips = sum(self._stack[seat] > 0 for seat in self._in)
        ready = len(self._in) > 1 and self._due() is None and (last or chips < 2)
        if (
            not ready
            or self._shown == self._street
            or (self._shown is not None and not (last and self._hides_last))
        ):
            return
        self._shown = self._street
        shown, order = self._account.shown, self._account.show_order or self._account.order
        for seat in [seat for seat in (*order, *sorted(self._in - set(order))) if seat in self._in]:
            face_up = not last and seat not in self._dead and UNKNOWN not in self._account.holes[seat]
            if seat in shown or face_up:
                # Before the last street all hands are face up, even if somebody mucks afterwards (TDA 16).
                yield Play("show", at, seat, street=self._street)
            elif self._account.state == "over" and (shown or seat not in self._account.live):
                # If nobody showed, a live hand is left in: it won without showing.
                self._in.discard(seat)
                yield Play("muck", at, seat)

    def _ends(self, at: Instant) -> Iterator[Play]:
        """The table was done with the hand; play on until this is so in turn, too."""
        if self._account.untracked:
            yield from self._closes(at)
            yield from self._shows(at)
        last = len(self._account.form.streets) - 1
        while len(self._in) > 1 and len(self._in - self._dead) == 1:
            yield from self._closes(at)
            yield from self._shows(at)
            if (seat := self._due()) is not None:
                yield from self._does(Play("call", at, seat, max(self._bet.values()), made=True))
            elif len(self._in) > 1 and self._street < last:
                yield from self._begins(self._street + 1, at)
            else:
                break
        if self._shown is not None and len(self._in) == 1 and self._shown == self._street < last:
            # Left alone by mucked hands that were all-in: the pot is given with the next street.
            yield from self._begins(self._street + 1, at)


def _without_taken_back(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps without what went back to a hand that died before anybody answered its bet."""
    out: list[Step] = []
    for step in steps:
        died = any(other.seat == step.seat and other.deed == "dead" for other in steps)
        if step.deed == "chips" and step.put < 0 and died:
            at = max(
                (place for place, other in enumerate(out) if other.seat == step.seat and other.put > 0),
                default=None,
            )
            if at is not None and out[at].deed in ("bet", "raise"):
                round_ = max(
                    (place for place, other in enumerate(out[:at]) if other.deed == "street"), default=0
                )
                before = max((other.total for other in out[round_:at] if other.seat != step.seat), default=0)
                total = out[at].total + step.put
                if total <= before:
                    out[at] = replace(out[at], total=total, put=out[at].put + step.put, deed="call")
        out.append(step)
    return tuple(out)
