"""Ways to conclude from antenna reports where each card lies: tablebridge's own, and those that it is
compared with.

Each is given the reports of one hand in the order of arrival and names a card and a place when it takes the
card to lie there. `naive`: where it was read last. `window K/W`: where it was read in K of the last W visits,
and more often than elsewhere. `smurf E`: the adaptive window of Jeffery, Garofalakis and Franklin (VLDB 2006)
over epochs of E visits for each card and antenna, and the place of the fullest window. `hmm P`: a hidden
Markov model for each card alone, which knows the noise of the level; it names a place when that has
probability P. `read N, known`: knows the truth and waits for N reads: no method that does without inference
can be better.
"""

import json
import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from tablebridge.model.cards import Card, parse_card
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_of
from tablebridge.sensing.sensor import Sensor
from tablebridge.sim.dealing import Landing
from tablebridge.sim.noise import LIFTED_READ, Noise, miss
from tablebridge.sim.polling import PLACES, SEATED, Report
from tablebridge.sim.table import NEAR, NOT_WEAK, Near
from tablebridge.tracking.stream import Stream

Named = Iterable[tuple[str, Place]]


class Method(Protocol):
    """One method for one hand."""

    def report(self, report: Report) -> Named:
        """The cards whose place changes by a report, each with its tag."""


class Naive:
    """Where it was read last."""

    def __init__(self) -> None:
        self._at: dict[str, Place] = {}

    def report(self, report: Report) -> Named:
        place = PLACES[report.antenna]
        for tag in report.tags:
            if self._at.get(tag, STUB) != place:
                self._at[tag] = place
                yield tag, place


class Window:
    """Where it was read in `least` of the last `size` visits, and more often than at any other antenna."""

    def __init__(self, least: int, size: int) -> None:
        self._least = least
        self._visits: list[deque[tuple[str, ...]]] = [deque(maxlen=size) for _ in PLACES]
        self._at: dict[str, Place] = {}

    def report(self, report: Report) -> Named:
        self._visits[report.antenna].append(report.tags)
        place = PLACES[report.antenna]
        for tag in report.tags:
            if self._at.get(tag, STUB) != place:
                counts = [sum(tag in tags for tags in visits) for visits in self._visits]
                mine = counts[report.antenna]
                if mine >= self._least and counts.count(max(counts)) == 1 and mine == max(counts):
                    self._at[tag] = place
                    yield tag, place


class Smurf:
    """An adaptive window for each card and antenna; the card is where its window is fullest."""

    _DELTA: Final = 0.05

    def __init__(self, epoch: int) -> None:
        self._epoch = epoch
        self._visits: list[list[tuple[str, ...]]] = [[] for _ in PLACES]
        self._known: list[set[str]] = [set() for _ in PLACES]
        self._shares: dict[tuple[str, int], list[float]] = {}
        self._windows: dict[tuple[str, int], int] = {}
        self._at: dict[str, Place] = {}

    def report(self, report: Report) -> Named:
        antenna = report.antenna
        visits = self._visits[antenna]
        visits.append(report.tags)
        if len(visits) < self._epoch:
            return
        read = {tag: sum(tag in tags for tags in visits) / self._epoch for tags in visits for tag in tags}
        visits.clear()
        self._known[antenna].update(read)
        for tag in sorted(self._known[antenna]):
            self._epoch_over((tag, antenna), read.get(tag, 0.0))
            place = self._fullest(tag)
            if place is not None and place != self._at.get(tag, STUB):
                self._at[tag] = place
                yield tag, place

    def _epoch_over(self, key: tuple[str, int], share: float) -> None:
        shares = self._shares.setdefault(key, [])
        shares.append(share)
        window = min(self._windows.get(key, 1), len(shares))
        seen = [share for share in shares[-window:] if share]
        if not seen:
            window = 1
        else:
            mean = sum(seen) / len(seen)
            enough = math.ceil(math.log(1 / self._DELTA) / mean)
            if enough > window:
                window = min(window + 2, enough)
            elif abs(len(seen) - window * mean) > 2 * math.sqrt(window * mean * (1 - mean)):
                window = max(1, min(window // 2, enough))
        self._windows[key] = window
        if not seen:
            del self._shares[key], self._windows[key]
            self._known[key[1]].discard(key[0])

    def _fullest(self, tag: str) -> Place | None:
        best, place = 0.0, None
        now = self._at.get(tag, STUB)
        for antenna, here in enumerate(PLACES):
            shares = self._shares.get((tag, antenna))
            if shares:
                window = self._windows[tag, antenna]
                full = sum(shares[-window:]) / window
                if full > best or (full == best and here == now):
                    best, place = full, here
        return place


class Hmm:
    """A hidden Markov model for each card alone, in continuous time: at a place, lifted from it, or on its
    way.

    The belief of a card is updated when it is read, or when it may lie at the antenna that was visited.
    `near`: the antennas next to each; `weak`: those that are worse than the others, as `Table` has them.
    """

    _LEAST: Final = 1e-9

    def __init__(
        self, noise: Noise, sure: float, near: Near = NEAR, weak: Mapping[Place, float] = NOT_WEAK
    ) -> None:
        self._sure = sure
        self._noise = noise
        self._near = near
        self._hit = {place: 0.97 * (1 - miss(noise, _pile(place), weak.get(place, 0.0))) for place in PLACES}
        self._belief: dict[str, dict[str, float]] = {}
        self._since: dict[str, float] = {}
        self._at: dict[str, Place] = {}
        self._rates = _rates()
        self._chances = {
            place: {state: self._reads(state, place) for state in self._rates} for place in PLACES
        }

    def report(self, report: Report) -> Named:
        place = PLACES[report.antenna]
        chances = self._chances[place]
        for tag in report.tags:
            self._belief.setdefault(tag, {STUB: 1.0})
            self._since.setdefault(tag, 0.0)
        for tag, belief in self._belief.items():
            read = tag in report.tags
            if not read and belief.get(place, 0.0) + belief.get(f"lifted {place}", 0.0) < 1e-5:
                continue
            self._pass(tag, report.visited_s)
            belief = self._belief[tag]
            for state in belief:
                belief[state] *= chances[state] if read else 1 - chances[state]
            total = sum(belief.values())
            for state, share in belief.items():
                belief[state] = max(share / total, self._LEAST)
            share, best = max(
                (belief.get(here, 0.0) + belief.get(f"lifted {here}", 0.0), here)
                for here in PLACES
                if here in belief
            )
            if share > self._sure and best != self._at.get(tag, STUB):
                self._at[tag] = best
                yield tag, best

    def _pass(self, tag: str, now_s: float) -> None:
        belief = self._belief[tag]
        left_s = max(0.0, now_s - self._since[tag])
        self._since[tag] = max(now_s, self._since[tag])
        steps = math.ceil(left_s / 0.1)
        for _ in range(min(steps, 50)):
            step_s = left_s / steps
            after = dict(belief)
            for state, share in belief.items():
                if share > self._LEAST:
                    for to, rate in self._rates[state]:
                        moved = share * rate * step_s
                        after[state] -= moved
                        after[to] = after.get(to, 0.0) + moved
            belief = after
        self._belief[tag] = belief

    def _reads(self, state: str, place: Place) -> float:
        noise = self._noise
        floor = max(noise.ghost / 52, 1e-6) + noise.anywhere
        if state == place:
            return min(max(self._hit[place], 0.05), 0.999)
        if state == f"lifted {place}":
            return 0.3 if noise.single else LIFTED_READ
        if state in ("dealt", "thrown"):
            return 0.05 * noise.pass_over + 0.001
        if place in self._near.get(Place(state), ()):
            return max(noise.edge * noise.edge_read + noise.far, 2e-4) + noise.anywhere
        return floor


def _pile(place: Place) -> int:
    return {BOARD: 1, BURN: 2, MUCK: 5, STUB: 3}.get(place, 2)


def _rates() -> dict[str, list[tuple[str, float]]]:
    """Where a card goes from each state, and at which rate per second."""
    seats = [place for place in PLACES if seat_of(place) is not None]
    rates: dict[str, list[tuple[str, float]]] = {
        STUB: [("dealt", 1 / 60)],
        "dealt": [*((seat, 2.0 / len(seats)) for seat in seats), (BOARD, 0.5), (BURN, 0.3)],
        "thrown": [(MUCK, 1.25)],
        MUCK: [],
        BOARD: [("thrown", 1 / 300)],
        BURN: [("thrown", 1 / 300)],
    }
    for seat in seats:
        rates[seat] = [(f"lifted {seat}", 1 / 8), ("thrown", 1 / 30)]
        rates[f"lifted {seat}"] = [(seat, 1 / 1.5), ("thrown", 1 / 10)]
    return rates


class Ours:
    """tablebridge's filter behind `tablebridge sense`: readings in, card events out, no engine. What it
    learns of a table it keeps from hand to hand. `seated`: the seats that are dealt in, the last has the
    button.
    """

    def __init__(self, deck: dict[Card, str], seated: Sequence[int] = SEATED) -> None:
        self._stream = Stream()
        self._tag = {str(card): tag for card, tag in deck.items()}
        antennas = {str(number): place for number, place in enumerate(PLACES)}
        table = {
            "seats": list(seated),
            "button": seated[-1],
            "antennas": antennas,
            "tags": {tag: str(card) for card, tag in deck.items()},
        }
        self._feed({"table": table})
        self.begin_hand()

    @property
    def sensor(self) -> Sensor:
        """What the hands so far have taught."""
        assert self._stream.sensor is not None
        return self._stream.sensor

    def begin_hand(self) -> None:
        """The next hand of the same table begins."""
        self._feed({"hand": 0, "begin": True, "at_ms": 0})

    def report(self, report: Report) -> Named:
        events = self._feed(
            {
                "hand": 0,
                "at_ms": report.at_s * 1e3,
                "visited_ms": report.visited_s * 1e3,
                "antenna": report.antenna,
                "tags": list(report.tags),
            }
        )
        return self._named(events)

    def end_hand(self) -> Named:
        """The hand is over: the cards that are concluded to lie elsewhere by that."""
        return self._named(self._feed({"hand": 0, "end": True, "at_ms": 0}))

    def _named(self, events: list[dict[str, str]]) -> Named:
        return [(self._tag[str(parse_card(event["card"]))], Place(event["place"])) for event in events]

    def _feed(self, record: dict[str, object]) -> list[dict[str, str]]:
        return self._stream.feed(json.dumps(record))


class Knowing:
    """Knows where each card lies and names it at the `wanted`th read there."""

    def __init__(self, landings: Sequence[Landing], wanted: int) -> None:
        self._landings: dict[tuple[str, Place], list[Landing]] = {}
        for landing in landings:
            self._landings.setdefault((landing.tag, landing.place), []).append(landing)
        self._left = {id(landing): wanted for landing in landings}

    def report(self, report: Report) -> Named:
        place = PLACES[report.antenna]
        for tag in report.tags:
            for landing in self._landings.get((tag, place), ()):
                if landing.at_s <= report.visited_s < landing.until_s:
                    self._left[id(landing)] -= 1
                    if self._left[id(landing)] == 0:
                        yield tag, place


def end_hand(method: Method) -> Named:
    """The hand is over. Of the methods only ours makes something of that."""
    return method.end_hand() if isinstance(method, Ours) else ()


Maker = Callable[[Noise, dict[Card, str], Sequence[Landing]], Method]

METHODS: Final[dict[str, Maker]] = {
    "tablebridge": lambda _noise, deck, _landings: Ours(deck),
    "naive": lambda *_: Naive(),
    **{
        f"window {least}/{size}": lambda *_, least=least, size=size: Window(least, size)
        for least, size in ((2, 3), (3, 5), (5, 8))
    },
    **{f"smurf {epoch}": lambda *_, epoch=epoch: Smurf(epoch) for epoch in (1, 3)},
    **{f"hmm {sure}": lambda noise, *_, sure=sure: Hmm(noise, sure) for sure in (0.9, 0.99, 0.999)},
    **{
        f"read {reads}, known": lambda _noise, _deck, landings, reads=reads: Knowing(landings, reads)  # type: ignore[misc]
        for reads in (1, 2)
    },
}
