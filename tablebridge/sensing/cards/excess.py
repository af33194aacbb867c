"""Whether the antennas of a table read each other's cards more often than the filter can hold, found while
the hand is dealt and before it misleads.

**Theory.** What is counted is a *return*: a card is read at its place, then by another antenna, then at its
place again. A card on its way never does that, so how cards are dealt does not matter. Each card, place and
other antenna counts once: a card near an edge is read there again and again, and is still one card. At the
worst table that the filter holds, the number of returns has at most the mean

    mu = before + edge * stays + far * visits

(`ExcessOdds`), with the stays that began outside the stub and all visits between two reads of a card at its
place. The probability of `k` or more is then at most exp(k - mu - k ln(k / mu)) (Chernoff's bound for a
Poisson number, k > mu). If that is less than `chance`, the table is doubted until the hand is over. As a hand
begins it is doubted if enough antennas are known to read cards of other places (`CrossReads.talk`).
"""

import math
from collections import Counter
from collections.abc import Mapping

from tablebridge.model.places import STUB, Place
from tablebridge.sensing.cards.card_filter import CrossTalk, Overwhelmed
from tablebridge.sensing.dynamics import ExcessOdds


class Excess:
    """The returns of one hand.

    `found`: once there are too many, the two antennas with most of them; it stays until the hand is over.
    """

    def __init__(self, odds: ExcessOdds, talk: Mapping[Place, CrossTalk]) -> None:
        """`talk`: by antenna, what cross-reading was known as the hand began."""
        self._odds = odds
        self._expected = odds.before
        self._returned: set[tuple[str, Place, Place]] = set()
        self._pairs: Counter[tuple[Place, Place]] = Counter()
        self.found: Overwhelmed | None = None
        if len(talk) >= odds.antennas:
            reader = max(talk, key=lambda place: talk[place].rate)
            self.found = Overwhelmed(talk[reader].home, reader)

    def count_stay(self, home: Place) -> None:
        """A card came to lie at a place."""
        if home != STUB:  # the stub as a whole lies well inside its field
            self._expected += self._odds.edge

    def count_visits(self, visits: int) -> None:
        """A card was read again where it lies, after this many visits."""
        self._expected += self._odds.far * visits

    def count_return(self, tag: str, home: Place, other: Place) -> None:
        """A card was read at its place, by another antenna, and at its place again."""
        if (tag, home, other) in self._returned:
            return
        self._returned.add((tag, home, other))
        self._pairs[home, other] += 1
        if self.found is None and self._too_many(len(self._returned)):
            (home, other), _ = self._pairs.most_common(1)[0]
            self.found = Overwhelmed(home, other)

    def _too_many(self, count: int) -> bool:
        """Whether this number of returns cannot be luck."""
        mean = self._expected
        if count < self._odds.fewest or count <= mean:
            return False
        return count - mean - count * math.log(count / mean) < math.log(self._odds.chance)
