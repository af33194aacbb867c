"""The cards of one seat, which leave it together: looked at and put back, or folded.

**Theory.** A hidden Markov model of the seat as a whole. What is hidden: the cards lie there as they came to
lie; they lie there again after a look, with a new quality and perhaps near another edge; they are held up, in
two stages, so that looks last neither for a moment nor for ever; they are on their way to the muck; they lie
in the muck; one card alone is held up; or one card alone has gone to the muck, which is an irregularity and
has a small share. Time moves shares along arrows between these states, each with a mean time that `SeatTimes`
names: `_arrows` has them all, and a step of dt seconds moves share * dt / mean along each. Each visit of an
antenna multiplies the shares by how likely it is what all cards of the seat did in it. So two cards that go
on answering, or that vanish together, count for more than each alone, and the muck is concluded for a card
that cannot be read there when there is no other way it can have gone.

While cards are dealt a fold is rare, while they are exchanged each card may well go, and at the end of the
hand nobody looks for long and everybody folds (`SeatTimes.dealing`, `drawing`, `playing`, `ending`). Which
cards of a seat are looked at together, `seat_groups.py` says.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final, Literal

from tablebridge.model.places import MUCK, Place, seat_of
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.rates import Qualities, Shares, shares_of, times
from tablebridge.sensing.cards.table_model import TableModel
from tablebridge.sensing.dynamics import FoldTimes, SeatTimes

Stage = Literal["dealing", "playing", "drawing", "ending"]
LYING, AGAIN, HELD, LONGER, UNDER_WAY, MUCKED, ALONE = range(7)
"""Indices into the list of shares. From `ALONE` on there is one share for each card that went to the muck
alone, then one for each that is held up alone.
"""
_Fresh = Literal["again", "held", "muck", ""]
_Arrow = tuple[int, int, float, _Fresh]
"""From one state to another with a mean time in seconds, and the placement that is fresh there, if any."""
_Arrows = tuple[tuple[int, tuple[tuple[int, float, _Fresh], ...]], ...]
"""The arrows by the state from which they lead."""
_Likely = tuple[float, float, float, float, float]
"""How likely a visit is for one card: as it came to lie, again, held up, under way, in the muck."""

_LEAST: Final = 1e-12
_POSSIBLE: Final = 1e-7
"""A share below this is not worth asking the muck's antenna about."""
_NOTICEABLE: Final = 1e-6
_WORTH_BLENDING: Final = 1e-3
"""Smaller shares, and smaller parts of them that came just now, leave a quality as it is."""
_UNDERFLOW: Final = 1e-200


def _arrows(times: SeatTimes, fold: FoldTimes, cards: int) -> _Arrows:
    """The arrows along which shares move at a seat with this number of cards."""
    arrows: list[_Arrow] = [
        (LYING, HELD, times.look_s, "held"),
        (AGAIN, HELD, times.look_s, "held"),
        (LYING, UNDER_WAY, fold.lying_s, ""),
        (AGAIN, UNDER_WAY, fold.lying_s, ""),
        (HELD, LONGER, times.held_s, ""),
        (HELD, UNDER_WAY, fold.held_s, ""),
        (LONGER, AGAIN, times.held_s, "again"),
        (LONGER, UNDER_WAY, fold.longer_s, ""),
        (UNDER_WAY, MUCKED, times.way_s, "muck"),
    ]
    for mucked in range(ALONE, ALONE + cards):
        held = mucked + cards
        arrows += [
            (LYING, mucked, fold.lying_s * times.folds_per_alone, ""),
            (mucked, MUCKED, times.follow_s, ""),
            (LYING, held, times.alone_up_s, ""),
            (held, AGAIN, times.alone_back_s, "again"),
            (held, HELD, times.alone_joined_s, "held"),
        ]
    return tuple(
        (origin, tuple((to, mean_s, fresh) for state, to, mean_s, fresh in arrows if state == origin))
        for origin in sorted({state for state, *_ in arrows})
    )


class _Placements:
    """How one card is placed in each of the states: as it came, again, held up, in the muck."""

    __slots__ = ("again", "held", "here", "muck")

    def __init__(self, model: TableModel, here: Placement) -> None:
        self.here = here
        self.again = Placement(model, here.place, model.own(here.place))
        self.held = Placement(model, here.place, model.held(here.place))
        self.muck = Placement(model, MUCK, model.own(MUCK))
        self.again.may_be_lifted = self.held.may_be_lifted = False

    def disturb(
        self, state: Literal["again", "held", "muck"], share: float, fresh: Shares, same_edge: float
    ) -> None:
        """In this share of cases the card came into the state only now. `fresh`: see `Placement.disturb`."""
        placement: Placement = getattr(self, state)
        placement.disturb(share, fresh)
        if state == "again":
            placement.recall_edges(self.here, share * same_edge)

    def lie_again(self, fresh: Placement) -> None:
        """The card lies here again, and may be looked at another time, to lie so: `fresh`."""
        self.again.weight = self.here.weight
        self.here, self.again = self.again, fresh
        fresh.may_be_lifted = False

    def lie_among(self, own: Qualities, held: Qualities) -> None:
        """Another number of cards lies at the place now."""
        self.here.lie_among(own)
        self.again.lie_among(own)
        self.held.lie_among(held)


class SeatCards:
    """The cards that came to lie at `place`, the place before a seat. `number`: the seat's."""

    def __init__(self, place: Place, model: TableModel, now_ns: int) -> None:
        self.place = place
        self.number = seat_of(place)
        self.cards: dict[str, _Placements] = {}
        self.shares = [1.0, *([0.0] * (ALONE - 1))]
        self._model = model
        self._rates = model.rates
        own = {"again": model.own(place), "held": model.held(place), "muck": model.own(MUCK)}
        self._fresh = {state: shares_of(qualities) for state, qualities in own.items()}
        self._times = model.dynamics.seat
        self._arrows: dict[tuple[Stage, int], _Arrows] = {}
        self._ns = now_ns
        self._over: Place | None = None
        self._read_by: set[Place] = set()

    def add_card(self, tag: str, here: Placement) -> None:
        """A further card lies here."""
        self.cover()
        self.cards[tag] = _Placements(self._model, here)
        self._read_by.update(here.edges)
        here.may_be_lifted = False
        lying = max(_LEAST, sum(self.shares[:UNDER_WAY]))
        self.shares = [share / lying for share in self.shares[:UNDER_WAY]] + [0.0] * (2 + 2 * len(self.cards))

    def lie_among(self) -> None:
        """Another number of cards lies on each other at the place now, these among them."""
        own, held = self._model.own(self.place, 0), self._model.held(self.place)
        for placements in self.cards.values():
            placements.lie_among(own, held)

    def cover(self) -> None:
        """A further card came to lie at the place: these may lie otherwise now."""
        share = self._times.covered
        fresh = times(self._fresh["again"], share)
        for placements in self.cards.values():
            placements.here.disturb(share, fresh)

    def divide(self) -> list["SeatCards"]:
        """Each card on its own, as all of them are now."""
        each = []
        for tag, placements in self.cards.items():
            single = SeatCards(self.place, self._model, self._ns)
            single.cards[tag] = placements
            single.shares = [*self.shares[:ALONE], 0.0, 0.0]
            single._over, single._read_by = self._over, set(self._read_by)
            single._normalise()
            each.append(single)
        return each

    def take_in(self, other: "SeatCards") -> None:
        """The cards of another group, which lie here as well, are of this one."""
        self.cards |= other.cards
        self._read_by |= other._read_by
        lying = [mine * its for mine, its in zip(self.shares[:UNDER_WAY], other.shares, strict=False)]
        self.shares = lying + [0.0] * (2 + 2 * len(self.cards))
        self._normalise()

    def weigh_look(self, odds: float) -> None:
        """A picture of the place is this many times likelier if cards lie there than if none does."""
        some = [LYING, AGAIN]
        if len(self.cards) > 1:
            some += range(ALONE, len(self.shares))
        self.shares = [share * odds if state in some else share for state, share in enumerate(self.shares)]
        self._normalise()

    def follow(self) -> None:
        """Other cards of the seat lie in the muck: these were folded with them, most likely."""
        stays = 1 - self._times.folds_together
        gone = (1 - stays) * sum(self.shares[:UNDER_WAY])
        self.shares[:UNDER_WAY] = [share * stays for share in self.shares[:UNDER_WAY]]
        self.shares[UNDER_WAY] += gone

    def remove_card(self, tag: str) -> None:
        """A card is known to lie elsewhere."""
        number = list(self.cards).index(tag)
        del self.shares[ALONE + len(self.cards) + number], self.shares[ALONE + number]
        del self.cards[tag]
        self.shares[LYING] += _LEAST
        self._normalise()

    def all_lie(self) -> float:
        """The probability that all cards lie here."""
        return self.shares[LYING] + self.shares[AGAIN]

    def gone(self, tag: str) -> float:
        """The probability that the card does not lie here any more."""
        count, number = len(self.cards), list(self.cards).index(tag)
        return (
            1
            - self.all_lie()
            - sum(self.shares[ALONE:])
            + self.shares[ALONE + number]
            + self.shares[ALONE + count + number]
        )

    def mucked(self, tag: str) -> float:
        """The probability that the card lies in the muck."""
        return self.shares[MUCKED] + self.shares[ALONE + list(self.cards).index(tag)]

    def pass_time(self, now_ns: int, stage: Stage) -> None:
        """Moves shares along the arrows until now."""
        left = min(self._times.longest_s, (now_ns - self._ns) / 1e9)
        self._ns = max(self._ns, now_ns)
        count = len(self.cards)
        arrows = self._arrows.get((stage, count))
        if arrows is None:
            fold: FoldTimes = getattr(self._times, stage)
            arrows = self._arrows[stage, count] = _arrows(self._times, fold, count)
        begun = self.shares
        came = {"again": 0.0, "held": 0.0, "muck": 0.0, "": 0.0}
        while left > 0:
            step = min(left, self._times.step_s)
            left -= step
            before = self.shares
            after = before.copy()
            for origin, ways in arrows:
                share = before[origin]
                if share:  # most are none
                    flow, stays = share * step, after[origin]
                    for to, mean_s, fresh in ways:
                        moved = flow / mean_s
                        stays -= moved
                        after[to] += moved
                        came[fresh] += moved
                    after[origin] = stays
            self.shares = after
        # What came just now lies there with a quality that is not known yet.
        if begun[AGAIN] + came["again"] > _NOTICEABLE:
            self._blend("again", begun[AGAIN], came["again"])
        if begun[HELD] + came["held"] > _NOTICEABLE:
            held = begun[HELD] + begun[LONGER] + sum(begun[ALONE + count :])
            self._blend("held", held, came["held"])
        if begun[MUCKED] + came["muck"] > _NOTICEABLE:
            self._blend("muck", begun[MUCKED], came["muck"])

    def concerns(self, place: Place, tags: Collection[str]) -> bool:
        """Whether it says something of this seat's cards that the antenna of `place` read just `tags`."""
        if place == self.place or (tags and not self.cards.keys().isdisjoint(tags)):
            return True
        if (
            place == MUCK
            and self.shares[UNDER_WAY] + sum(self.shares[MUCKED : ALONE + len(self.cards)]) > _POSSIBLE
        ):
            return True
        return place in self._read_by and any(
            place in placements.here.edges or place in placements.held.edges
            for placements in self.cards.values()
        )

    def observe_report(
        self, place: Place, tags: Collection[str], visits: int
    ) -> Callable[[], dict[str, float]]:
        """The antenna of `place` read just `tags` in each of `visits` visits: weighs the states by it.
        Returns what says for each card how likely it was what the antenna read of it, if the card is of this
        seat at all.
        """
        each = self._likelihoods(place, tags, visits)
        lying = again = held = way = muck = 1.0
        for here, lies_again, up, flies, there in each.values():
            lying *= here
            again *= lies_again
            held *= up
            way *= flies
            muck *= there
        if self.cards.keys().isdisjoint(tags):
            # If nothing is read, the antenna may be out.
            outage = self._rates.outage
            if place == self.place:
                lying, again = lying + (1 - lying) * outage, again + (1 - again) * outage
            elif place == MUCK:
                muck += (1 - muck) * outage
        before = self.shares
        self.shares = shares = [
            before[LYING] * lying,
            before[AGAIN] * again,
            before[HELD] * held,
            before[LONGER] * held,
            before[UNDER_WAY] * way,
            before[MUCKED] * muck,
            *before[ALONE:],
        ]
        count = len(each)
        for alone, gone in enumerate(each.values(), ALONE):
            mucked, taken = shares[alone], shares[alone + count]
            for likely in each.values():
                mucked *= likely[4 if likely is gone else 0]
                taken *= likely[2 if likely is gone else 0]
            shares[alone], shares[alone + count] = mucked, taken
        self._normalise()
        if self.shares[AGAIN] > self._model.dynamics.filter.rather:
            self._lie_again()
        return partial(_of_each_card, before, each)

    def _likelihoods(self, place: Place, tags: Collection[str], visits: int) -> dict[str, _Likely]:
        """By card how likely it is what the antenna did, in each state."""
        over = self._way_read(place)
        way_read, way_missed = over**visits, 1.0
        if not self.cards.keys().isdisjoint(tags):
            self._over = place
            self._read_by.add(place)
            # They are under way together: those that it missed passed the antenna as well.
            way_missed = (1 - over) ** visits
        each: dict[str, _Likely] = {}
        at_home = place == self.place
        outage = 0.0 if tags else self._rates.outage
        for tag, placements in self.cards.items():
            read = tag in tags
            each[tag] = (
                (
                    outage + (1 - outage) * placements.here.observe_own(read, visits),
                    outage + (1 - outage) * placements.again.observe_own(read, visits),
                    placements.held.observe_own(read, visits),
                    way_read if read else way_missed,
                    placements.muck.observe_visits(place, read, visits),
                )
                if at_home
                else (
                    placements.here.observe_visits(place, read, visits),
                    placements.again.observe_visits(place, read, visits),
                    placements.held.observe_visits(place, read, visits),
                    way_read if read else way_missed,
                    placements.muck.observe_visits(place, read, visits),
                )
            )
        return each

    def _way_read(self, place: Place) -> float:
        """How likely the antenna of `place` reads a card that is under way."""
        if place == self._over != MUCK:
            return self._times.still_over
        if place == MUCK or place in self._model.cross.read_by[MUCK]:
            return self._times.near_muck
        return self._rates.ghost * self._times.far_over

    def _blend(self, state: Literal["again", "held", "muck"], before: float, came: float) -> None:
        """To the share `before` of a state the share `came` was added, with a fresh quality."""
        part = 1 - before / (before + came)
        if part > _WORTH_BLENDING:
            part = min(1.0, part)
            fresh = times(self._fresh[state], part)
            for placements in self.cards.values():
                placements.disturb(state, part, fresh, self._times.same_edge)

    def _lie_again(self) -> None:
        """The cards lie here again: that is how they lie from now on."""
        own = self._model.own(self.place, 0)
        for placements in self.cards.values():
            placements.lie_again(Placement(self._model, self.place, own))
        self.shares[LYING], self.shares[AGAIN] = self.shares[AGAIN] + self.shares[LYING], 0.0

    def _normalise(self) -> None:
        total = sum(self.shares)
        if total > _UNDERFLOW:
            self.shares = [share / total for share in self.shares]
        else:
            self.shares = [1.0, *([0.0] * (len(self.shares) - 1))]


def _of_each_card(shares: list[float], each: dict[str, _Likely]) -> dict[str, float]:
    """For each card how likely a visit was, over all states. `shares`: of the states before it."""
    count = len(each)
    held = shares[HELD] + shares[LONGER]
    alone_all = sum(shares[ALONE:])
    return {
        tag: max(
            _LEAST,
            (shares[LYING] + alone_all - shares[alone]) * likely[0]
            + shares[AGAIN] * likely[1]
            + held * likely[2]
            + shares[UNDER_WAY] * likely[3]
            + (shares[MUCKED] + shares[alone]) * likely[4]
            + shares[alone + count] * (likely[2] - likely[0]),
        )
        for alone, (tag, likely) in enumerate(each.items(), ALONE)
    }
