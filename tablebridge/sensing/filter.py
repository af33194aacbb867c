"""Where each card lies, from what antennas read: the card filter and its first implementation.

**Theory.** A card lies at one place, or is in the air: being moved, or held up out of the field. For each card the filter
keeps the probability of every place, of the air, and of being above the antenna that read it last on its way elsewhere. The
sum is one, so a card is at one place only, and a read here is evidence against there. Each visit of an antenna is one step:

- a read: what the card was at other places leaves it with a small probability, lands here with the probability that `prior`
  gives to the way, and all is multiplied by how likely the read is from each of them. A card that was read elsewhere and
  then again where it lies, lies near the edge: until it moves, further reads there prove less;
- a miss of a card that may lie here: it may have left, and lying here is multiplied by how likely a miss is. A miss under
  the stub means nothing, since only the top of a pile answers;
- everything else about the card is as it was: no time passes, so a table that is played faster senses the same.

A card has moved when one place other than its last has `SURE`. Misses alone move nothing: a card that is looked at goes into
the air and comes back. Cards of which one place is certain, and that are read there, cost one look-up.

Reports of different readers do not come in the order of their visits: a report that repeats itself may be held back for a
second. What it says of the time before a card was read elsewhere is history and changes nothing.

After `reset` all cards are in the stub. Reports still under way may tell of the hand before, so a card read where it lay then
is ignored there until that antenna has missed it, or for `LEFTOVER_VISITS`.
"""

from collections.abc import Collection
from typing import Final, Protocol

import msgspec

from tablebridge.model.expectation import Expectation
from tablebridge.model.places import STUB, Place
from tablebridge.sensing import prior
from tablebridge.sensing.look import Look

SURE: Final = 0.985
CERTAIN: Final = 1 - 1e-6
LEFTOVER_VISITS: Final = 30
_MOST_STEPS: Final = 12
_NOTHING: Final = 1e-9
_PROOFS: Final = 4


class Move(msgspec.Struct, frozen=True):
    """A card came to lie at `place`; it lay at `origin` before. `evidence`: the readings that showed it there."""

    tag: str
    origin: Place
    place: Place
    sure: float
    evidence: tuple[str, ...]


class CardFilter(Protocol):
    """Readings in, moves out. Pure: the same calls give the same moves."""

    def reset(self) -> None:
        """A hand begins: all cards are in the stub."""

    def sweep(self, look: Look, expect: Expectation) -> tuple[Move, ...]:
        """An antenna was visited, once or several times."""

    def place(self, tag: str) -> Place:
        """Where the card was last sure to lie."""

    def gone(self, tag: str) -> float:
        """The probability that the card no longer lies there."""

    def odds(self, tag: str) -> dict[Place, float]:
        """The places where the card may lie, each with its probability."""

    def assume(self, tag: str, place: Place) -> None:
        """It was concluded from something else that the card lies there: believe it until readings speak against it."""


class _Card(msgspec.Struct):
    """What is believed of one card; `at`, `air` and `over` sum to one. `over`: above the antenna of `over_at`, on its way.

    `strayed`: it was read there and not at its place since. `edge`: the place that reads it though it lies elsewhere.
    `read_at`, `read_ns`: where and when it was read last.
    """

    place: Place = STUB
    at: dict[Place, float] = msgspec.field(default_factory=lambda: {STUB: 1.0})
    air: float = 0.0
    over: float = 0.0
    over_at: Place | None = None
    strayed: Place | None = None
    edge: Place | None = None
    read_at: Place | None = None
    read_ns: int = 0
    proof_at: Place | None = None
    proof: list[str] = []


class BeliefFilter:
    """The implementation that the module's text describes. `shared`: places with more than one antenna."""

    def __init__(self, shared: Collection[Place] = ()) -> None:
        self._shared = frozenset(shared)
        self._cards: dict[str, _Card] = {}
        self._here: dict[Place, dict[str, None]] = {}
        self._leftover: dict[Place, dict[str, int]] = {}

    def reset(self) -> None:
        """A hand begins: all cards are in the stub."""
        self._leftover = {place: {tag: 0 for tag in tags if self._cards[tag].at.get(place, 0) > 0.01}
                          for place, tags in self._here.items()}
        self._cards.clear()
        self._here.clear()

    def sweep(self, look: Look, expect: Expectation) -> tuple[Move, ...]:
        """See `CardFilter.sweep`."""
        place = look.place
        tags = self._without_leftovers(look)
        moves: list[Move] = []
        cards = self._cards
        for tag in tags:
            card = cards.get(tag)
            if card is None:
                card = cards[tag] = _Card()
            steps = self._visits(card, look)
            if card.read_at != place and not steps:
                continue
            card.read_at, card.read_ns = place, look.at_ns
            if card.at.get(place, 0.0) < CERTAIN:
                self._here.setdefault(place, {})[tag] = None
                if card.proof_at != place:
                    card.proof_at, card.proof = place, []
                if len(card.proof) < _PROOFS:
                    card.proof.append(look.reading)
                for _ in range(min(steps, _MOST_STEPS)):
                    self._read(card, place, expect)
                    if card.at[place] >= CERTAIN:
                        break
                self._strayed(card, place)
                self._judge(tag, card, moves)
        if look.complete and place in self._here:
            here = self._here[place]
            for tag in [tag for tag in here if tag not in tags]:
                card = cards[tag]
                if place == STUB and card.place == STUB:
                    continue
                for _ in range(min(self._visits(card, look), _MOST_STEPS)):
                    self._missed(card, place)
                if place != card.place and card.at.get(place, 0.0) < _NOTHING and card.over_at != place:
                    card.at.pop(place, None)
                    del here[tag]
                self._judge(tag, card, moves)
        return tuple(moves)

    def place(self, tag: str) -> Place:
        """Where the card was last sure to lie."""
        card = self._cards.get(tag)
        return card.place if card else STUB

    def gone(self, tag: str) -> float:
        """The probability that the card no longer lies there."""
        card = self._cards.get(tag)
        return 1 - card.at.get(card.place, 0.0) if card else 0.0

    def odds(self, tag: str) -> dict[Place, float]:
        """The places where the card may lie, each with its probability."""
        card = self._cards.get(tag)
        return {place: round(share, 3) for place, share in card.at.items() if share >= 0.001} if card else {STUB: 1.0}

    def assume(self, tag: str, place: Place) -> None:
        """See `CardFilter.assume`."""
        self._cards[tag] = _Card(place=place, at={place: 0.9}, air=0.1)
        self._here.setdefault(place, {})[tag] = None

    def _visits(self, card: _Card, look: Look) -> int:
        """The visits that tell something new of the card: a report that was held back is older than reads elsewhere."""
        return look.visits if card.read_at in (None, look.place) else look.after(card.read_ns)

    def _without_leftovers(self, look: Look) -> Collection[str]:
        left = self._leftover.get(look.place)
        if not left:
            return look.tags
        for tag in list(left):
            if tag in look.tags:
                left[tag] += look.visits
                if left[tag] > LEFTOVER_VISITS:
                    del left[tag]
            elif look.complete:
                del left[tag]
        return [tag for tag in look.tags if tag not in left]

    def _read(self, card: _Card, place: Place, expect: Expectation) -> None:
        """One visit of the place's antenna read the card."""
        at = card.at
        for other, share in at.items():
            if other != place:
                left = share * prior.leaves(other)
                cross = prior.CROSS_EDGE if place == card.edge and other == card.place else prior.crosses(other, place)
                at[other] = (share - left) * cross
                card.air += left
        if card.over_at != place:
            card.air += card.over
            card.over, card.over_at = 0.0, place
        stays = card.over * prior.OVER_STAYS
        card.air += card.over - stays
        landed = card.air * prior.LANDS * prior.goes(card.place, place, expect)
        above = card.air * prior.passes(place)
        card.air = (card.air - landed - above) * prior.reads_air(card.place, place)
        card.over = (stays + above) * prior.OVER_READ
        at[place] = (at.get(place, 0.0) + landed) * (1 - self._miss(place))
        self._normalise(card)

    def _strayed(self, card: _Card, place: Place) -> None:
        """Notices a card that lies near the edge of its field."""
        if place != card.place:
            card.strayed = place
        elif card.strayed is not None and place != STUB and card.at[place] >= SURE:
            card.edge, card.strayed = card.strayed, None

    def _missed(self, card: _Card, place: Place) -> None:
        """One visit of the place's antenna did not read the card, which may lie there."""
        share = card.at.get(place, 0.0)
        left = share * prior.leaves(place)
        card.air += left
        card.at[place] = (share - left) * self._miss(place)
        if card.over_at == place:
            stays = card.over * prior.OVER_STAYS
            card.air += card.over - stays
            card.over = stays * (1 - prior.OVER_READ)
            if card.over < _NOTHING:
                card.air += card.over
                card.over, card.over_at = 0.0, None
        self._normalise(card)

    def _miss(self, place: Place) -> float:
        return prior.TWO_ANTENNAS_MISS if place in self._shared else prior.miss(place)

    def _normalise(self, card: _Card) -> None:
        total = sum(card.at.values()) + card.air + card.over
        card.at = {place: share / total for place, share in card.at.items() if share > _NOTHING * total or place == card.place}
        card.air /= total
        card.over /= total

    def _judge(self, tag: str, card: _Card, moves: list[Move]) -> None:
        """Whether the card has moved."""
        place, share = max(card.at.items(), key=lambda item: item[1])
        if share >= SURE and place != card.place:
            proof = tuple(card.proof) if card.proof_at == place else ()
            moves.append(Move(tag, card.place, place, round(min(share, CERTAIN), 6), proof))
            card.place, card.strayed, card.edge = place, None, None
