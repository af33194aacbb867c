"""Waiting with a deadline."""

import time
from collections.abc import Callable

import pytest


def wait_for(condition: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Poll until the condition holds; fail by saying what did not happen. Waits between polls grow from 5 ms
    to 100 ms, since a condition may ask a process that has other work to do.
    """
    deadline = time.monotonic() + seconds
    pause_s = 0.005
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"after {seconds} s still not: {what}")
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.3, 0.1)
