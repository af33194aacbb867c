"""Waiting with a deadline."""

import time
from collections.abc import Callable

import pytest


def wait_for(condition: Callable[[], object], what: str, seconds: float = 30.0) -> None:
    """Poll until the condition holds; fail by saying what did not happen."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"after {seconds} s still not: {what}")
        time.sleep(0.005)
