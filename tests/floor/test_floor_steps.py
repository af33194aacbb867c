"""Nobody at the floor's page is left with an alert and nothing to do."""

import pytest

from tablebridge.model.findings import KINDS, REMEDIES, severity_of
from tablebridge.model.floor_steps import FLOOR_STEPS, floor_steps
from tablebridge.rulebooks import BOOKS

ALERTS = [
    (finding, cause)
    for finding, kind in KINDS.items()
    for cause in (kind.causes or ("",))
    if severity_of(finding, cause) in ("warning", "critical")
]
WITH_STEPS = ("disclosure-changed",)
"""Findings that the engine raises with their steps."""


@pytest.mark.parametrize("book", BOOKS)
def test_every_alert_of_every_book_has_a_step_beside_calling_the_floor(book: str) -> None:
    without = [
        (finding, cause)
        for finding, cause in ALERTS
        if not floor_steps(finding, cause, BOOKS[book].remedy(finding, cause) or KINDS[finding].remedy)
        and finding not in WITH_STEPS
    ]
    assert len(ALERTS) > 80 and not without


def test_the_steps_of_a_book_come_first_and_alone() -> None:
    steps = ("call-floor", "replace-deck")
    assert floor_steps("fouled-deck", "foreign-card", steps) == [REMEDIES["replace-deck"]]
    assert floor_steps("fouled-deck", "foreign-card", ("call-floor",)) == list(FLOOR_STEPS["fouled-deck", ""])
    assert floor_steps("fouled-deck", "marked-card", ()) == list(FLOOR_STEPS["fouled-deck", "marked-card"])
    assert floor_steps("rabbit-hunt", None, ()) == []


def test_steps_are_written_for_alerts_alone_and_for_causes_that_exist() -> None:
    known = {*ALERTS, *((finding, "") for finding, _ in ALERTS)}
    assert set(FLOOR_STEPS) <= known


def test_each_step_is_a_short_sentence() -> None:
    for key, step in ((key, step) for key, steps in FLOOR_STEPS.items() for step in steps):
        assert step.endswith(".") and step[0].isupper() and len(step) <= 110, (key, step)
    assert all(2 <= len(steps) <= 4 for steps in FLOOR_STEPS.values())
