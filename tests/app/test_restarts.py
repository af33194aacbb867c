"""When the runner starts again what ended."""

import pytest

from tablebridge.app.runner import _Restarts


def test_what_does_not_last_is_started_again_later_each_time_and_at_least_every_half_minute() -> None:
    restarts, now, waits = _Restarts(), 100.0, []
    for _ in range(10):
        restarts.began(now)
        restarts.ended(now)
        due = next(tenth for tenth in range(1, 1000) if restarts.due(now + tenth / 10 + 1e-6))
        waits.append(due / 10)
        now += waits[-1] + 0.1
    assert waits == pytest.approx([0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0, 30.0])
    assert restarts.count == 10


def test_what_lasted_is_started_again_as_soon_as_at_first() -> None:
    restarts = _Restarts()
    for began, ended in ((0.0, 1.0), (2.0, 3.0), (5.0, 15.0)):
        restarts.began(began)
        restarts.ended(ended)
    assert restarts.count == 1
    assert not restarts.due(15.3) and restarts.due(15.5)
