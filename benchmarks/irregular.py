"""How surely each irregularity of the deal is noticed, how soon, and how often one is seen that was none.

The emulated table in virtual time (`tablebridge/sim/virtual.py`): antennas of each level of noise,
coalescing, sensing and the hand engine. Each irregularity of `tablebridge/sim/irregular.py` and `astray.py`
is done in hands of its own, one table a seed. It counts as *noticed* where the finding comes that it calls
for; *as such*, where it comes with its cause, too. Irregularities that only words tell (a card flashed, an
action out of turn) are typed and show whether the rest stays right. The delay is from the moment at which the
table is wrong: the last card that makes it so has landed. A *false alarm* is any finding of severity warning
or critical in a hand in which nothing was wrong. In these hands it is also measured how long it takes from
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
REGULAR: Final = 300
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


def tried(level: str, name: str, seed: int, found: Found) -> None:
    """One hand with the irregularity, on a table of its own after a regular hand."""
    table = VirtualTable(level, seed)
    make: Callable[[], Irregular] = {**IRREGULAR, **astray(list(table.other.values()))}[name]
    table.play()
    witness = _Witness(table)
    before = len(table.findings)
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
    landings = witness.landings
    if name == "card-out-of-place":
        flop_s = next((landing[0] for landing in landings if landing[2] == BOARD), 0.0)
        landings = [landing for landing in landings if landing[0] > flop_s]
    moment = MOMENTS.get(name)
    at_s = moment(landings) if moment else None
    later = [found_s for found_s, _ in fitting if at_s is not None and found_s >= at_s]
    if at_s is not None and later:
        found.delays_s.append(later[0] - at_s)


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


def alarms(
    level: str, hands: int, seed: int, recorded: dict[str, list[float]] | None = None
) -> dict[str, int]:
    """What is seen in regular hands that calls somebody, counted by finding. `recorded`: see `waits`."""
    counted: dict[str, int] = {}
    for number in range(hands):
        if number % 10 == 0:
            table = VirtualTable(level, seed + number)
            witness = _Witness(table)
            before = 0
        sensed, landed = len(table.sensed), len(witness.landings)
        table.play()
        if recorded is not None:
            waits(table, witness.landings[landed:], table.sensed[sensed:], recorded)
        for _, finding in table.findings[before:]:
            if KINDS[finding.finding].severity in ("warning", "critical"):
                counted[finding.finding] = counted.get(finding.finding, 0) + 1
        before = len(table.findings)
    return counted


def run(options: Options, say: Say) -> list[Figure]:
    figures = []
    for level in LEVELS:
        whole = Found()
        for name in names():
            say(f"irregular: {level}, {name}")
            found = Found()
            for number in range(QUICK if options.quick else EACH):
                tried(level, name, SEED + number, found)
            figures.append(Figure(f"{level}, {name}: noticed", 100 * found.noticed / found.tries, "%"))
            if found.as_such < found.noticed:
                figures.append(Figure(f"{level}, {name}: as such", 100 * found.as_such / found.tries, "%"))
            if found.delays_s:
                figures.append(Figure(f"{level}, {name}: delay p50", percentile(found.delays_s, 50), "s"))
            whole.tries += found.tries
            whole.noticed += found.noticed
            whole.as_such += found.as_such
            whole.delays_s += found.delays_s
        hands = 20 if options.quick else REGULAR
        recorded: dict[str, list[float]] = {}
        false = alarms(level, hands, SEED, recorded)
        figures += [
            Figure(f"{level}: noticed", 100 * whole.noticed / whole.tries, "%"),
            Figure(f"{level}: as such", 100 * whole.as_such / whole.tries, "%"),
            Figure(f"{level}: delay p50", percentile(whole.delays_s, 50), "s"),
            Figure(f"{level}: delay p90", percentile(whole.delays_s, 90), "s"),
            Figure(f"{level}: false alarms", 100 * sum(false.values()) / hands, "per 100 hands"),
            *(
                Figure(f"{level}: {kind} recorded p{percent}", percentile(found_ms, percent), "ms")
                for kind, found_ms in recorded.items()
                for percent in (50, 99)
            ),
            *(
                Figure(f"{level}: false alarms, {name}", 100 * count / hands, "per 100 hands")
                for name, count in sorted(false.items())
            ),
        ]
    return figures
