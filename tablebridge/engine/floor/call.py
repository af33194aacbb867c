"""The dealer's call of the floor, from the call until it is settled; and steps of remedies that were done."""

from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model.key_events import CallFloor, FloorSettled, StepDone


def called(setup: Setup, notes: Notes, event: CallFloor) -> None:
    """The floor is called, or called again."""
    setup.called = True
    notes.find(setup.book, "floor-called", cause=event.reason or None)


def settled(setup: Setup, notes: Notes, event: FloorSettled) -> None:
    """What the floor was called for is settled."""
    if not setup.called:
        notes.ignored = "The floor was not called."
    setup.called = False


def step_done(setup: Setup, notes: Notes, event: StepDone) -> None:
    """A step of a remedy was done: this changes no ruling. Pages show it beside the finding."""
