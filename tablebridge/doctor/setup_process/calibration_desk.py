"""The calibration of the set-up process: one card on each place, and what the table knows of its antennas."""

from pathlib import Path

import msgspec

from tablebridge.antennas.calibration import learn
from tablebridge.antennas.dwell import AntennaName, DwellCounts, antenna_name
from tablebridge.app.antenna_counts import hand_over, known_counts
from tablebridge.doctor.setup_process.progress import Progress
from tablebridge.model.errors import Refused
from tablebridge.model.places import Place, parse_place
from tablebridge.model.readings import Sweep
from tablebridge.steps.calibration import CalibrationStep, CalibrationView, summary
from tablebridge.steps.mapping import Spot
from tablebridge.steps.site_text import changes


class CalibrationDesk:
    """The calibration of the table whose files are below `state_dir`. Raises ConfigError if what the table
    knows cannot be read.
    """

    def __init__(self, state_dir: Path, progress: Progress) -> None:
        self._state_dir = state_dir
        self._step: CalibrationStep | None = None
        self._diff: tuple[str, ...] = ()
        self._written = False
        if progress.measuring:
            places = {name: parse_place(place) for name, place in progress.measuring.items()}
            self._step = CalibrationStep(places, progress.measured)
            if self._step.over:
                self._diff = self._changes(self._step, progress.table)

    def keep(self, progress: Progress) -> None:
        """Write down what was measured and is not applied yet."""
        if self._step is not None and not self._written:
            progress.measuring = {name: str(place) for name, place in self._step.antennas.items()}
            progress.measured = self._step.done

    def begin(self, places: dict[Spot, Place], only: str = "") -> None:
        """Measure these antennas, or the one place `only`. Raises Refused."""
        wanted = {
            antenna_name(device, number): place
            for (device, number), place in places.items()
            if only in ("", place)
        }
        if not wanted:
            raise Refused("No place has an antenna yet: step 2 lays the test card on each.")
        self._step, self._diff, self._written = CalibrationStep(wanted), (), False

    def sweep(self, table: str, device: str, sweep: Sweep, at_ns: int) -> bool:
        """One visit or several of an antenna. Returns whether a place was measured by it. Raises ConfigError
        if what the table knows cannot be read.
        """
        if self._step is None or not self._step.sweep(device, sweep, at_ns):
            return False
        if self._step.over:
            self._diff = self._changes(self._step, table)
        return True

    def skip(self, table: str) -> None:
        """Go on with the next place. Raises Refused if nothing is measured, ConfigError."""
        step = self._running()
        step.skip()
        if step.over:
            self._diff = self._changes(step, table)

    def apply(self, table: str) -> bool:
        """Leave what was measured for the engine, which takes it between two hands. Returns whether each
        place reads well. Raises Refused, ConfigError.
        """
        step = self._running()
        if not step.over or self._written:
            raise Refused("Measure every place first, or skip it: then the lines are written.")
        counts = DwellCounts()
        step.add_to(counts)
        if counts.total:
            hand_over(self._state_dir, table, counts)
        self._written = True
        return step.passes

    def view(self) -> CalibrationView | None:
        """The step as it is shown; None if it has not begun."""
        return None if self._step is None else self._step.view(self._diff, self._written)

    def _running(self) -> CalibrationStep:
        if self._step is None:
            raise Refused("Nothing is measured: begin the calibration first.")
        return self._step

    def _changes(self, step: CalibrationStep, table: str) -> tuple[str, ...]:
        """The lines of the table's calibration before and after what was measured."""
        counts = known_counts(self._state_dir, table)
        after = msgspec.json.decode(msgspec.json.encode(counts), type=DwellCounts)
        step.add_to(after)
        known: dict[AntennaName, Place] = step.antennas
        return changes(summary(learn(counts, known)), summary(learn(after, known)))


__all__ = ["CalibrationDesk"]
