"""A device speaks for itself alone: what others say in its name is not taken, on any broker."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig.groups import message

from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import Availability, DeviceHealth, DeviceMeta, encode
from tablebridge.bus.topics import AVAILABILITY, HEALTH, META, READING
from tablebridge.journal.aside import positions_of
from tablebridge.journal.read import entries
from tablebridge.journal.store import Journal
from tablebridge.model.events import DeviceState
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped, Sweep
from tests.bus.conftest import SITE, Bench, DriverSide

FORGED = Sweep(0, ("E004015000000BAD",))


@pytest.fixture
def journal(bench: Bench) -> Iterator[Path]:
    """The journal of an engine process at the bench's broker."""
    device = (
        '[[table.device]]\nname = "{0}"\ndriver = "line"\nport = "/dev/{0}"\n'
        'antennas = {{ 0 = "seat {1}" }}\n'
    )
    site = bench.folder / "site.toml"
    site.write_text(
        f'name = "site"\nstate_dir = "{bench.folder}"\n[broker]\nport = {bench.broker.port}\n'
        f'[[table]]\nname = "table1"\nseats = "1-3"\ngroup = "alone"\n'
        + device.format("feig1", 1)
        + device.format("feig2", 2)
    )
    engine = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "engine", "--site", str(site)],
        stdin=subprocess.DEVNULL,
        env=os.environ,
    )
    yield bench.folder / "journal" / "table1.sqlite"
    engine.kill()
    engine.wait()


def forged(client: BusClient, attempt: int) -> None:
    """One of several ways in which the device feig2 may try to be feig1."""
    reading = message(Stamped("feig1", "forged", 1 + attempt // 5, Instant(1, 1), FORGED))
    meta = encode(DeviceMeta("feig1", "line", "forged", 1, 1 + attempt, "1"))
    topic, payload = [
        (READING.of(*SITE, "feig1"), reading),
        (READING.of(*SITE, "feig2"), reading),
        (META.of(*SITE, "feig1"), meta),
        (AVAILABILITY.of(*SITE, "feig1"), encode(Availability("offline", "forged", "", 1 << 62))),
        (HEALTH.of(*SITE, "feig1"), encode(DeviceHealth("feig1", "lost", Instant(1, 1)))),
    ][attempt % 5]
    client.publish(topic, payload, retain=topic.split("/")[4] == "dev")


def test_of_fifty_forged_messages_of_another_device_none_is_taken(bench: Bench, journal: Path) -> None:
    driver = DriverSide(bench, "feig1")
    driver.read(5)
    bench.until(lambda: journal.exists() and positions_of(journal) == {("feig1", driver.outbox.epoch): 6}, 60)
    for attempt in range(50):
        thief = bench.client("dev-feig2")
        bench.up(thief)
        forged(thief, attempt)
        bench.until(lambda: not thief.in_flight or not thief.connected)  # noqa: B023
        bench.drop(thief)
    driver.read(5)
    other = DriverSide(bench, "feig2")
    other.read(1)
    bench.until(lambda: len(positions_of(journal)) == 2 and driver.sender.idle and other.sender.idle, 60)
    bench.until(
        lambda: (
            positions_of(journal) == {("feig1", driver.outbox.epoch): 11, ("feig2", other.outbox.epoch): 2}
        )
    )
    record = Journal(journal, "table1", readonly=True)
    assert not [entry for entry in entries(record) if isinstance(entry.event, DeviceState)], (
        "nor what was said of its health"
    )
    record.close()
    for one in (driver, other):
        one.outbox.close()
