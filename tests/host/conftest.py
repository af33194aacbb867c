"""Devices on pseudo-terminals, and a place for readings to go."""

import itertools
import select
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from rig.feig import Feig
from rig.pty import Pty

from tablebridge.host.clock import Clock
from tablebridge.host.coalesce import Passed
from tablebridge.host.health import Health
from tablebridge.host.loop import Loop
from tablebridge.host.registry import settle
from tablebridge.host.supervisor import Supervisor
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Reading, Sweep
from tablebridge.sdk import Driver, Signal
from tablebridge.watchdog import Watchdog


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Callable[..., Pty]]:
    """Make devices: `plugged(answer)` -> Pty at tmp_path/reader. All are pulled out at the end."""
    made: list[Pty] = []

    def make(answer: Callable[[bytes], bytes] | None = None, name: str = "reader") -> Pty:
        made.append(Pty(tmp_path / name, answer or Feig()))
        return made[-1]

    yield make
    for pty in made:
        pty.unplug()


class Box:
    """Where a supervisor's readings and health go when no broker is wanted: lists, and poll in place of the
    client.
    """

    def __init__(self) -> None:
        self.kept: list[tuple[Instant, Reading]] = []
        self.reported: list[Health] = []
        self.steps = 0
        self.stop: Callable[[], None] = lambda: None
        self.show: Callable[[Signal], None] = lambda signal: None

    def keep(self, passed: Passed) -> None:
        self.kept += passed

    def report(self, health: Health) -> None:
        self.reported.append(health)

    def step(self, timeout_s: float, fds: Sequence[int]) -> list[int]:
        self.steps += 1
        return select.select(fds, [], [], timeout_s)[0]

    def deliver(self) -> None:
        """What is kept is kept."""

    @property
    def states(self) -> list[str]:
        """The states that were reported, without repetition."""
        return [state for state, _ in itertools.groupby(health.state for health in self.reported)]

    def visits(self, *tags: str) -> int:
        """How often just these tags were read."""
        return sum(
            one.visits for _, one in self.kept if isinstance(one, Sweep) and set(one.tags) == set(tags)
        )


def start_thread(loop: Loop) -> Callable[[], None]:
    """Run a loop in a thread; returns the function that stops it."""
    thread = threading.Thread(target=loop.run, daemon=True)
    thread.start()

    def stop() -> None:
        if thread.is_alive():
            loop.stop()
            thread.join(60)
            assert not thread.is_alive()

    return stop


@pytest.fixture
def run() -> Iterator[Callable[..., Box]]:
    """Run a supervisor in a thread: `run(port, driver, clock=None, **options)` -> its Box. All are stopped at
    the end.
    """
    boxes: list[Box] = []

    def start(
        port: object,
        driver: Driver,
        clock: Clock | None = None,
        named: Sequence[str] = (),
        for_chips: Sequence[int] = (),
        **options: bool | int | float | str,
    ) -> Box:
        box = Box()
        supervisor = Supervisor(
            "left",
            str(port),
            driver,
            settle(driver, options),
            box,
            clock,
            lambda: 0.0,
            named,
            for_chips,
        )
        box.show = supervisor.show
        boxes.append(box)
        box.stop = start_thread(Loop("left", [supervisor], box, Watchdog({}), clock=clock))
        return box

    yield start
    for box in boxes:
        box.stop()
