"""The calibration as a step: one card is laid on each place in turn, and how well it is read there, and by
antennas of other places, is shown with what it means. Pure; which visit counts is decided by
`antennas.guide`, which the terminal uses as well.

What was measured is added to what the table has learnt from play as a stay of a card for each place. The
lines of `summary`, before and after, are what a person applies.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from tablebridge.antennas.calibration import Calibration
from tablebridge.antennas.dwell import AntennaName, DwellCounts
from tablebridge.antennas.guide import FAIR, MEASURED, Guide, Measured, Verdict
from tablebridge.model.places import Place
from tablebridge.model.readings import Sweep


class MeasuredRow(msgspec.Struct, frozen=True):
    """A place that was measured. `full`: share of the visits in which its antenna read the card that lay
    there; `empty`: share in which it read the card while it lay elsewhere, None if that is unknown; `sure_s`:
    within how many seconds a card is read almost surely; `cross`: by place, the share of visits in which
    other antennas read the card; `advice`: what to do, a sentence each.
    """

    place: str
    antenna: str
    verdict: Verdict
    visits: int
    full: float
    empty: float | None = None
    sure_s: float | None = None
    cross: dict[str, float] = {}
    advice: tuple[str, ...] = ()


class CalibrationView(msgspec.Struct, frozen=True):
    """The step as it is shown. `asked`: the place at which the card is to be laid, empty if all are done;
    `lies`: it lies there, and `visits` of `of_visits` were counted; `said`: several cards are read; `number`
    of `total`: which place it is; `fair`: the rate below which a place is weak; `diff`: the lines that the
    table's calibration gets, `written` if it has them.
    """

    asked: str
    lies: bool
    visits: int
    said: Literal["", "several"]
    number: int
    total: int
    rows: tuple[MeasuredRow, ...]
    of_visits: int = MEASURED
    fair: float = FAIR
    diff: tuple[str, ...] = ()
    written: bool = False


class CalibrationStep:
    """The calibration of a table with these antennas. `done`: what was measured before a restart."""

    def __init__(self, antennas: Mapping[AntennaName, Place], done: Iterable[Measured] = ()) -> None:
        self.antennas = dict(antennas)
        self._guide = Guide(antennas, done=done)
        self._said: Literal["", "several"] = ""

    @property
    def over(self) -> bool:
        """Whether each place was measured or skipped."""
        return self._guide.place is None

    @property
    def done(self) -> list[Measured]:
        """What was measured so far."""
        return self._guide.done

    @property
    def passes(self) -> bool:
        """Whether each place was measured and none reads so badly that it must be seen to."""
        return self.over and all(measured.verdict in ("good", "fair") for measured in self._guide.done)

    def sweep(self, device: str, sweep: Sweep, at_ns: int) -> bool:
        """Take one visit or several of an antenna. Returns whether a place was measured by it."""
        said = self._guide.measure_report(device, sweep, at_ns)
        if said is not None:
            self._said = "several" if said == "several" else ""
        return said == "measured"

    def skip(self) -> None:
        """Go on with the next place."""
        self._guide.skip()

    def add_to(self, counts: DwellCounts) -> None:
        """Add what was measured to what the table has learnt."""
        self._guide.add_to(counts)

    def view(self, diff: tuple[str, ...] = (), written: bool = False) -> CalibrationView:
        """The step as it is shown. `diff`, `written`: as the view has them."""
        guide = self._guide
        return CalibrationView(
            guide.place or "",
            bool(guide.lies_at),
            guide.visits,
            self._said,
            min(len(guide.done) + 1, guide.total),
            guide.total,
            tuple(self._row(measured) for measured in guide.done),
            diff=diff,
            written=written,
        )

    def _row(self, measured: Measured) -> MeasuredRow:
        cross = {
            str(self.antennas.get(other, other)): round(rate, 3) for other, rate in measured.cross.items()
        }
        return MeasuredRow(
            measured.place,
            measured.antenna or "",
            measured.verdict,
            measured.visits,
            round(measured.rate, 3),
            self._empty(measured.antenna),
            measured.sure_s,
            cross,
            tuple(measured.advice(self.antennas)) if measured.verdict != "skipped" else (),
        )

    def _empty(self, antenna: AntennaName | None) -> float | None:
        """How often an antenna read the card while it lay at other places."""
        counted = [other.others[antenna] for other in self._guide.done if antenna in other.others]
        visits = sum(visits for visits, _ in counted)
        return round(sum(reads for _, reads in counted) / visits, 3) if visits else None


def summary(found: Calibration | None) -> str:
    """What is known of a table's antennas, a line each; empty if nothing is."""
    if found is None:
        return ""
    lines = []
    for spot, antenna in found.antennas.items():
        lines.append(
            f"{spot}, {antenna.place}: reads {antenna.hit:.1%}, worst tenth {antenna.low:.1%}, "
            f"from {antenna.stays} stays"
        )
        lines += [
            f"{spot}, {antenna.place}: also read by {other} in {rate:.1%}"
            for other, rate in found.cross.get(spot, {}).items()
        ]
    return "\n".join(lines) + "\n"


__all__ = ["CalibrationStep", "CalibrationView", "MeasuredRow", "summary"]
