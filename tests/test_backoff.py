"""When something is tried again: one set of numbers for all that is tried again."""

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig.documents import ROOT

from tablebridge.backoff import FIRST_S, LONGEST_S, SHORT_LIFE_S, SPREAD, Backoff

EVENTS = ("failed", "refused", "began", "ended", "worked", "appeared")


def longest() -> Backoff:
    """Chance that takes nothing away."""
    return Backoff(lambda: 1.0)


def test_what_never_failed_is_due() -> None:
    assert longest().is_due(0.0)


def test_failures_wait_as_the_table_says() -> None:
    backoff, waits = longest(), []
    for _ in range(7):
        backoff.failed(100.0)
        waits.append(backoff.due_s - 100.0)
    assert waits == [0.25, 0.5, 1, 2, 4, 5, 5]


def test_a_refusal_waits_longest_at_once() -> None:
    backoff = longest()
    backoff.refused(7.0)
    assert backoff.due_s == 7.0 + LONGEST_S


def test_what_lasted_is_tried_again_soon_and_what_did_not_flaps() -> None:
    backoff = longest()
    for _ in range(6):
        backoff.failed(0.0)
    backoff.began(100.0)
    backoff.ended(100.0 + SHORT_LIFE_S)
    assert backoff.due_s == 100.0 + SHORT_LIFE_S + FIRST_S and not backoff.flapping
    for times in (1, 2, 3):
        backoff.began(200.0)
        backoff.ended(201.0)
        assert backoff.flapping == (times == 3)
    assert backoff.due_s == 201.0 + 2.0, "the waits went on growing"
    backoff.worked()
    backoff.failed(300.0)
    assert backoff.due_s == 300.0 + FIRST_S and not backoff.flapping


def test_what_appears_is_due_now_and_never_later_than_before() -> None:
    backoff = longest()
    backoff.refused(10.0)
    backoff.appeared(11.0)
    assert backoff.is_due(11.0)
    backoff.appeared(20.0)
    assert backoff.due_s == 11.0


@given(st.lists(st.tuples(st.sampled_from(EVENTS), st.floats(0, 40), st.floats(0, 1)), max_size=200))
def test_whatever_happens_no_wait_is_longer_than_the_longest(events: list[tuple[str, float, float]]) -> None:
    chance, now = [0.0], 0.0
    backoff = Backoff(lambda: chance[0])
    for name, later, drawn in events:
        now, chance[0] = now + later, drawn
        before = backoff.due_s
        if name == "worked":
            backoff.worked()
        else:
            getattr(backoff, name)(now)
        assert backoff.due_s <= max(before, now + LONGEST_S + 1e-6)
        if name in ("failed", "ended", "refused"):
            assert backoff.due_s >= now + FIRST_S * (1 - SPREAD) - 1e-6


@pytest.mark.parametrize("file", ["tablebridge/backoff.py", "tablebridge/host/backoff.py"])
def test_nobody_sleeps_or_looks_at_a_clock_in_it(file: str) -> None:
    tree = ast.parse((ROOT / file).read_text())
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules <= {"collections.abc", "typing", "tablebridge"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


def test_no_other_file_has_numbers_of_its_own() -> None:
    """Whoever raises a wait to a power and caps it has a second set of numbers. For how long a driver that
    has stopped its process is held out is no attempt to connect, and has its own.
    """
    own = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tablebridge").rglob("*.py")
        if re.search(r"min\([^\n]*\*\* ?min\(", path.read_text())
    ]
    assert sorted(own) == ["tablebridge/backoff.py", "tablebridge/host/guard.py"]
