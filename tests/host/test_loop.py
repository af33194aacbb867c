"""How often a loop wakes: once per tick for readers that only answer, at once for what speaks by itself."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rig.feig import Feig
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.host import registry
from tablebridge.host.loop import RESTING_TICK_NS, Loop
from tablebridge.host.supervisor import Supervisor
from tablebridge.watchdog import Watchdog

from .conftest import Box, start_thread

Plug = Callable[..., Pty]
MANY = 8
TAG = "E004010000000001"


def supervisor(box: Box, folder: Path, name: str, driver: str, **options: int) -> Supervisor:
    loaded = registry.load(driver)
    return Supervisor(name, str(folder / name), loaded, registry.settle(loaded, options), box)


@contextmanager
def table(
    box: Box, folder: Path, plugged: Plug, **options: int
) -> Iterator[tuple[Loop, dict[str, Pty], list[Feig]]]:
    """A loop with many FEIG readers and a tag reader that speaks by itself, all live."""
    readers = [Feig(TAG) for _ in range(MANY)]
    ports = {f"seat{number}": plugged(reader, name=f"seat{number}") for number, reader in enumerate(readers)}
    devices = [supervisor(box, folder, name, "feig", **options) for name in ports]
    ports["push"] = plugged(name="push")
    devices.append(supervisor(box, folder, "push", "rdm6300"))
    loop = Loop("table", devices, box, Watchdog({}))
    stop = start_thread(loop)
    try:
        wait_for(lambda: all(reader.inventories > 5 for reader in readers), "all readers are asked")
        yield loop, ports, readers
    finally:
        stop()


def test_many_readers_wake_the_loop_once_per_tick_and_not_with_each_answer(
    tmp_path: Path, plugged: Plug
) -> None:
    box = Box()
    with table(box, tmp_path, plugged) as (_, _, readers):
        began, steps, asked = time.monotonic_ns(), box.steps, sum(one.inventories for one in readers)
        wait_for(lambda: sum(one.inventories for one in readers) > asked + 60 * MANY, "they are asked")
        steps, took_ns = box.steps - steps, time.monotonic_ns() - began
    # Without rest each visit has four wake-ups, and a tick some twelve.
    assert steps <= 2 * took_ns / RESTING_TICK_NS + 10
    assert box.visits(TAG) >= 60 * MANY


def test_what_speaks_by_itself_ends_the_rest(tmp_path: Path, plugged: Plug) -> None:
    box = Box()
    with table(box, tmp_path, plugged) as (loop, ports, _):
        loop._tick_ns = 3_600 * 1_000_000_000
        time.sleep(4 * RESTING_TICK_NS / 1e9)
        before = box.visits("0123456789")
        ports["push"].say(b"\x02012345678989\x03")
        wait_for(lambda: len(box.kept) and box.visits("0123456789") > before, "the tag is kept")


def test_readers_that_are_asked_as_often_as_they_can_answer_are_not_kept_waiting(
    tmp_path: Path, plugged: Plug
) -> None:
    box = Box()
    with table(box, tmp_path, plugged, poll_interval_ms=0, quiet_ms=0) as (loop, _, _):
        assert not loop._rests
