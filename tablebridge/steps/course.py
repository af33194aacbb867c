"""Which steps there are and how far they are. Pure.

| state   | what happens | then    |
| ------- | ------------ | ------- |
| open    | passed       | done    |
| open    | skipped      | skipped |
| done    | changed      | open    |
| skipped | changed      | open    |
| skipped | passed       | done    |

`passed`: the step's test passed. `changed`: what it rests on has changed (its version, or the hardware of
`hardware.bases`), or a person opened it again; nothing else brings a step back. A step is skipped with a
reason, which the doctor repeats until the step is done.
"""

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

from tablebridge.model.errors import Refused

Step = Literal["devices", "map", "calibration", "decks", "check", "signals", "people", "hand"]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
VERSIONS: Final[dict[Step, int]] = dict.fromkeys(STEPS, 1)
"""One more if a step asks for something that it did not ask before: it is open again then."""
StepState = Literal["open", "done", "skipped"]
Happened = Literal["passed", "skipped", "changed"]

TABLE: Final[dict[tuple[StepState, Happened], StepState]] = {
    ("open", "passed"): "done",
    ("open", "skipped"): "skipped",
    ("done", "changed"): "open",
    ("skipped", "changed"): "open",
    ("skipped", "passed"): "done",
}
LONGEST_REASON: Final = 200


class StepRow(msgspec.Struct, frozen=True):
    """A step and how far it is. `reason`: why it was skipped; `version`: of the step then; `base`: the
    hardware that it rested on.
    """

    step: Step
    state: StepState = "open"
    reason: str = ""
    version: int = 1
    base: str = ""


class Course:
    """The steps of one set-up. `rows`: how far they were."""

    def __init__(self, rows: tuple[StepRow, ...] = ()) -> None:
        known = {row.step: row for row in rows}
        self._rows = {step: known.get(step, StepRow(step)) for step in STEPS}
        self._bases: Mapping[Step, str] = {}
        for row in self.rows:
            if row.version != VERSIONS[row.step]:
                self.take(row.step, "changed")

    @property
    def rows(self) -> tuple[StepRow, ...]:
        """All steps, in their order."""
        return tuple(self._rows.values())

    def take(self, step: Step, happened: Happened, reason: str = "") -> bool:
        """Something happened to a step. Returns whether that changed its state."""
        following = TABLE.get((self._rows[step].state, happened))
        if following is None:
            return False
        self._rows[step] = StepRow(step, following, reason, VERSIONS[step], self._bases.get(step, ""))
        return True

    def rest_on(self, bases: Mapping[Step, str]) -> None:
        """The hardware of the steps is this from now on: a step that rested on another is open again."""
        self._bases = bases
        for row in self.rows:
            if row.base != bases.get(row.step, ""):
                self.take(row.step, "changed")

    def skip(self, step: Step, reason: str) -> None:
        """A person skips a step. Raises Refused without a reason, and if it is done."""
        text = " ".join(reason.split())
        if not text or len(text) > LONGEST_REASON or not text.isprintable():
            raise Refused(
                f"A step is skipped with a reason, of {LONGEST_REASON} characters at most: the doctor "
                "repeats it."
            )
        if not self.take(step, "skipped", text):
            raise Refused("This step is not open, so there is nothing to skip.")


__all__ = ["STEPS", "TABLE", "VERSIONS", "Course", "Happened", "Step", "StepRow", "StepState"]
