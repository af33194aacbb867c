"""How surely each irregularity of the deal is noticed, how soon, and how often one is seen that was none.

The emulated table in virtual time (`tablebridge/sim/virtual.py`): antennas of each level of noise,
coalescing, sensing and the hand engine. A table of each seed plays `PLAYED` regular hands, in which sensing
learns its noise, then each irregularity of `tablebridge/sim/irregular.py` and `astray.py` in a hand of its
own, hand after hand; each table begins with another one. *In the first hand* is beside it: a new table for
each try, of which nothing is known yet.

An irregularity counts as *noticed* where the finding comes that it calls for; *as such*, where it comes with
its cause, too. Irregularities that only words tell (a card flashed, an action out of turn) are typed and show
whether the rest stays right. The delay is from the moment at which the table is wrong: the last card that
makes it so has landed.

A *false alarm* is any finding of severity warning or critical in a hand in which nothing was wrong. The first
`PLAYED` hands of each table are counted apart. In all these hands it is also measured how long it takes from
the landing of a card (the last one of a street, or of a hand in the muck) until its event is entered in the
record: readings held back, the card filter's doubt and the assembler's waits together.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from benchmarks.figures import Figure, Options, Say, percentile
from tablebridge.model.events import Burn, Deal, Muck, Street
from tablebridge.model.findings import KINDS
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, Place, seat_of
from tablebridge.sensing.cards.rates import kind_of
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sim.astray import astray
from tablebridge.sim.irregular import IRREGULAR, Irregular
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.virtual import VirtualTable

SEED: Final = 400
EACH, QUICK = 20, 2
PLAYED: Final = 5
"""Regular hands in which sensing has learnt the noise of a table, about."""
REGULAR: Final = 300
_AT_ONE_TABLE: Final = 15
_SEATS: Final = 9

Landing = tuple[float, str, Place, Place | None]
"""When a tag came to lie where, and where it lay before."""


class Found(msgspec.Struct):
    """What became of one irregularity at one level. `delays_s`: of those noticed whose moment is known."""

    tries: int = 0
    noticed: int = 0
    as_such: int = 0
    delays_s: list[float] = msgspec.field(default_factory=list)


class _Witness:
    """Sees where cards land."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._lay: dict[str, Place] = {}
        self.landings: list[Landing] = []
        table.table.watch(self._touched)

    def _touched(self, place: Place) -> None:
        for tag in self._table.table.lying(place):
            before = self._lay.get(tag)
            if before != place:
                self._lay[tag] = place
                self.landings.append((self._table.now_s, tag, place, before))


def _nth(number: int, wanted: Callable[[Landing], bool]) -> Callable[[list[Landing]], float | None]:
    def moment(landings: list[Landing]) -> float | None:
        these = [landing[0] for landing in landings if wanted(landing)]
        return these[number] if len(these) > number else None

    return moment


def _pitched(number: int) -> Callable[[list[Landing]], float | None]:
    return _nth(number, lambda landing: seat_of(landing[2]) is not None)


def _came(place: Place, number: int) -> Callable[[list[Landing]], float | None]:
    return _nth(number, lambda landing: landing[2] == place)


MOMENTS: Final[dict[str, Callable[[list[Landing]], float | None]]] = {
    "first-card-wrong-seat": _pitched(0),
    "seat-skipped": _pitched(2),
    "unentitled-seat": _pitched(_SEATS),
    "wrong-card-count": _pitched(_SEATS + 1),
    "flop-four-cards": _came(BOARD, 3),
    "flop-two-cards": _came(BOARD, 1),
    "burn-missing": _came(BOARD, 3),
    "burn-extra": _came(BURN, 2),
    "premature-flop": _came(BOARD, 2),
    "premature-turn": _came(BOARD, 3),
    "premature-river": _came(BOARD, 4),
    "card-out-of-place": _nth(0, lambda it: seat_of(it[2]) is not None and it[3] == STUB),
    "muck-to-seat": _nth(0, lambda it: seat_of(it[2]) is not None and it[3] == MUCK),
    "muck-to-board": _nth(0, lambda it: it[2] == BOARD and it[3] == MUCK),
}
"""When the table is wrong. For `card-out-of-place` only landings after the flop count, see `tried`. A foreign
card is seen in the stub already, before it is dealt.
"""


def names() -> list[str]:
    """All irregularities that are measured."""
    return [*IRREGULAR, *astray([])]


class Played:
    """A table at which irregularities are played, hand after hand. `regular`: the number of regular hands
    before them.
    """

    def __init__(self, level: str, seed: int, regular: int) -> None:
        self._table = VirtualTable(level, seed)
        self._make: dict[str, Callable[[], Irregular]] = {
            **IRREGULAR,
            **astray(list(self._table.other.values())),
        }
        for _ in range(regular):
            self._table.play()
        self._witness = _Witness(self._table)

    def try_one(self, name: str, found: Found) -> None:
        """A hand with the irregularity of this name."""
        table, make = self._table, self._make[name]
        before, landed = len(table.findings), len(self._witness.landings)
        wanted = make()
        table.play(make)
        found.tries += 1
        fitting = [
            (at_s, finding) for at_s, finding in table.findings[before:] if finding.finding == wanted.finding
        ]
        if not fitting:
            return
        found.noticed += 1
        found.as_such += any(wanted.cause in (None, finding.cause) for _, finding in fitting)
        at_s = _moment(name, self._witness.landings[landed:])
        later = [found_s for found_s, _ in fitting if at_s is not None and found_s >= at_s]
        if at_s is not None and later:
            found.delays_s.append(later[0] - at_s)


def _moment(name: str, landings: list[Landing]) -> float | None:
    """When the table came to be wrong in a hand; None if that is not known."""
    if name == "card-out-of-place":
        flop_s = next((landing[0] for landing in landings if landing[2] == BOARD), 0.0)
        landings = [landing for landing in landings if landing[0] > flop_s]
    moment = MOMENTS.get(name)
    return moment(landings) if moment else None


def tried(level: str, each: int, seed: int) -> dict[str, Found]:
    """All irregularities by name, at tables that have played; `each`: the number of tables."""
    every = {name: Found() for name in names()}
    for number in range(each):
        table = Played(level, seed + number, PLAYED)
        first = number * len(every) // each
        for name in [*every][first:] + [*every][:first]:
            table.try_one(name, every[name])
    return every


def tried_first(level: str, each: int, seed: int) -> dict[str, Found]:
    """The same, each in the first hand of a table: one for each try."""
    every = {name: Found() for name in names()}
    for name, found in every.items():
        for number in range(each):
            Played(level, seed + number, 0).try_one(name, found)
    return every


def waits(
    table: VirtualTable,
    landings: list[Landing],
    sensed: list[tuple[float, Conclusion]],
    recorded: dict[str, list[float]],
) -> None:
    """Adds how long after its landing each event of a hand was recorded, in ms, by kind. What was not
    recorded adds nothing.
    """
    faces = table.deck
    came: dict[tuple[str, str], float] = {(tag, kind_of(place)): at_s for at_s, tag, place, _ in landings}
    held: dict[int, list[str]] = {}
    for at_s, one in sensed:
        match one.event:
            case Deal(seat=seat, card=card) if card in faces:
                kind, tags = "seat", [faces[card]]
                held.setdefault(seat, []).append(faces[card])
            case Burn(card=card) if card in faces:
                kind, tags = "burn", [faces[card]]
            case Street(cards=cards):
                kind, tags = "board", [faces[card] for card in cards if card in faces]
            case Muck(seat=seat):
                kind, tags = "muck", held.get(seat, [])
            case _:
                continue
        moments = [came[tag, kind] for tag in tags if (tag, kind) in came]
        if moments and at_s >= max(moments):
            recorded.setdefault(kind, []).append(1e3 * (at_s - max(moments)))


class Alarms(msgspec.Struct):
    """What calls somebody in regular hands though nothing is wrong. `counted`: by finding."""

    hands: int = 0
    counted: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def per_100(self) -> float:
        """In a hundred hands."""
        return 100 * sum(self.counted.values()) / self.hands


def alarms(
    level: str, hands: int, seed: int, recorded: dict[str, list[float]] | None = None
) -> tuple[Alarms, Alarms]:
    """False alarms in regular hands of tables that have played, and in the first `PLAYED` hands of each.
    `recorded`: see `waits`.
    """
    later, first = Alarms(), Alarms()
    for number in range(hands):
        at_table = number % _AT_ONE_TABLE
        if at_table == 0:
            table = VirtualTable(level, seed + number)
            witness = _Witness(table)
            before = 0
        sensed, landed = len(table.sensed), len(witness.landings)
        table.play()
        if recorded is not None:
            waits(table, witness.landings[landed:], table.sensed[sensed:], recorded)
        found = first if at_table < PLAYED else later
        found.hands += 1
        for _, finding in table.findings[before:]:
            if KINDS[finding.finding].severity in ("warning", "critical"):
                found.counted[finding.finding] = found.counted.get(finding.finding, 0) + 1
        before = len(table.findings)
    return later, first


def run(options: Options, say: Say) -> list[Figure]:
    figures = []
    each = QUICK if options.quick else EACH
    for level in LEVELS:
        say(f"irregular: {level}, tables that have played")
        every = tried(level, each, SEED)
        say(f"irregular: {level}, first hands")
        first = tried_first(level, each, SEED)
        for name, found in every.items():
            figures += _of_each(f"{level}, {name}", found)
            new = first[name]
            figures.append(
                Figure(f"{level}, {name}: noticed in the first hand", 100 * new.noticed / new.tries, "%")
            )
        say(f"irregular: {level}, regular hands")
        recorded: dict[str, list[float]] = {}
        hands = 2 * _AT_ONE_TABLE if options.quick else REGULAR
        figures += _of_all(level, every, first)
        figures += _of_regular(level, *alarms(level, hands, SEED, recorded))
        figures += [
            Figure(f"{level}: {kind} recorded p{percent}", percentile(found_ms, percent), "ms")
            for kind, found_ms in recorded.items()
            for percent in (50, 99)
        ]
    return figures


def _of_each(prefix: str, found: Found) -> list[Figure]:
    figures = [Figure(f"{prefix}: noticed", 100 * found.noticed / found.tries, "%")]
    if found.as_such < found.noticed:
        figures.append(Figure(f"{prefix}: as such", 100 * found.as_such / found.tries, "%"))
    if found.delays_s:
        figures.append(Figure(f"{prefix}: delay p50", percentile(found.delays_s, 50), "s"))
    return figures


def _of_all(level: str, every: dict[str, Found], first: dict[str, Found]) -> list[Figure]:
    tries = sum(found.tries for found in every.values())
    delays_s = [delay_s for found in every.values() for delay_s in found.delays_s]
    noticed_first = sum(found.noticed for found in first.values())
    return [
        Figure(f"{level}: noticed", 100 * sum(found.noticed for found in every.values()) / tries, "%"),
        Figure(f"{level}: as such", 100 * sum(found.as_such for found in every.values()) / tries, "%"),
        Figure(f"{level}: noticed in the first hand", 100 * noticed_first / tries, "%"),
        Figure(f"{level}: delay p50", percentile(delays_s, 50), "s"),
        Figure(f"{level}: delay p90", percentile(delays_s, 90), "s"),
    ]


def _of_regular(level: str, later: Alarms, first: Alarms) -> list[Figure]:
    return [
        Figure(f"{level}: false alarms", later.per_100, "per 100 hands"),
        Figure(f"{level}: false alarms in first hands", first.per_100, "per 100 hands"),
        *(
            Figure(f"{level}: {label}, {name}", 100 * count / found.hands, "per 100 hands")
            for label, found in (("false alarms", later), ("false alarms in first hands", first))
            for name, count in sorted(found.counted.items())
        ),
    ]
