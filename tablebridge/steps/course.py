"""Which steps there are and how far they are. Pure.

| state   | what happens | then    |
| ------- | ------------ | ------- |
| open    | passed       | done    |
| open    | skipped      | skipped |
| done    | changed      | open    |
| skipped | changed      | open    |
| skipped | passed       | done    |

`passed`: the step's test passed. `changed`: what it rests on has changed, or a person opened it again. A step
is skipped with a reason, which the doctor repeats until the step is done.
"""

from typing import Final, Literal

import msgspec

from tablebridge.model.errors import Refused

Step = Literal["devices", "map", "decks", "check"]
STEPS: Final[tuple[Step, ...]] = ("devices", "map", "decks", "check")
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
    """A step and how far it is. `reason`: why it was skipped."""

    step: Step
    state: StepState = "open"
    reason: str = ""


class Course:
    """The steps of one set-up. `rows`: how far they were."""

    def __init__(self, rows: tuple[StepRow, ...] = ()) -> None:
        known = {row.step: row for row in rows}
        self._rows = {step: known.get(step, StepRow(step)) for step in STEPS}

    @property
    def rows(self) -> tuple[StepRow, ...]:
        """All steps, in their order."""
        return tuple(self._rows.values())

    def take(self, step: Step, happened: Happened, reason: str = "") -> bool:
        """Something happened to a step. Returns whether that changed its state."""
        following = TABLE.get((self._rows[step].state, happened))
        if following is None:
            return False
        self._rows[step] = StepRow(step, following, reason)
        return True

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


__all__ = ["STEPS", "TABLE", "Course", "Happened", "Step", "StepRow", "StepState"]
