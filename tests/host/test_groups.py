"""Several devices in one process: read side by side, each with its own faults and numbers."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from rig.feig import Feig
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.app.check import find_group
from tablebridge.bus.messages import ReplayRequest
from tablebridge.model.errors import ConfigError
from tablebridge.settings.load import load_site

from .test_drive import A, B, Box, Engine, Plug, box  # noqa: F401

DRIVER = """
import time
from tablebridge.sdk import Driver, SerialPort, Sweep, Turn

class Session:
    def __init__(self):
        self.turns = 0
    def start(self, now):
        return Turn(wake_ns=now.monotonic_ns + 20_000_000, alive=True)
    def received(self, data, now):
        return self.due(now)
    def due(self, now):
        self.turns += 1
        if self.turns == 50:
            {what}
        return Turn((Sweep(0, ("E004010000000009",)),), wake_ns=now.monotonic_ns + 20_000_000, alive=True)

DRIVER = Driver("{name}", "t", "own protocol", "s", "nowhere", stale_after_s=1.0,
                port=lambda options: SerialPort(9600), session=lambda options: Session(), antennas=(0,))
"""


def install(folder: Path, name: str, what: str) -> str:
    """A driver that works for a second and then does this; the path on which it is found."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / f"{name}.py").write_text(DRIVER.format(name=name, what=what))
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[tablebridge.drivers]\n{name} = {name}:DRIVER\n")
    return str(folder)


@pytest.fixture
def two(box: Box, plugged: Plug, tmp_path: Path) -> Callable[[str], Pty]:  # noqa: F811
    """A site with a reader `left` at tmp_path/reader and `right`, of any driver, at tmp_path/right."""

    def make(driver: str) -> Pty:
        other = plugged(Feig(B), name="right")
        box.group = "table"
        box.write(f"""driver = "feig"
[[table.device]]
name = "right"
driver = "{driver}"
port = "{tmp_path / "right"}"
antennas = {{ 0 = "seat 2" }}""")
        return other

    return make


def of(engine: Engine, device: str) -> list[int]:
    return [one.seq for one in engine.applied if one.device == device]


def test_two_readers_share_a_process_and_messages_and_one_that_is_pulled_out_harms_no_other(
    box: Box,  # noqa: F811
    plugged: Plug,
    two: Callable[[str], Pty],
) -> None:
    left = Feig(A)
    plugged(left)
    right = two("feig")
    engine = Engine(box.broker)
    process = box.drive("t1")
    engine.until(lambda: engine.tags == {A, B}, "both are read")
    engine.until(
        lambda: any(len({one.device for one in batch.readings}) == 2 for batch in engine.said["reading"]),
        "a message with readings of both",
    )
    assert {batch.group for batch in engine.said["reading"]} == {"t1"}
    engine.until(lambda: {one.device for one in engine.said["meta"]} == {"left", "right"}, "both births")
    right.unplug()
    engine.until(
        lambda: any(one.device == "right" and one.state == "stale" for one in engine.said["health"]), "away"
    )
    before = left.inventories
    wait_for(lambda: left.inventories > before + 20, "the other is asked")
    right.plug()
    seen = len(of(engine, "right"))
    engine.until(lambda: len(of(engine, "right")) > seen + 5, "it is back")
    for device in ("left", "right"):
        assert of(engine, device) == list(range(1, len(of(engine, device)) + 1))
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0


def test_a_gap_of_one_device_is_sent_again_without_the_readings_of_the_other(
    box: Box,  # noqa: F811
    plugged: Plug,
    two: Callable[[str], Pty],
) -> None:
    plugged(Feig(A))
    two("feig")
    engine = Engine(box.broker)
    box.drive("left")
    engine.until(lambda: len(of(engine, "left")) > 9 and len(of(engine, "right")) > 9, "readings of both")
    before = len(engine.said["reading"])
    engine.ask(ReplayRequest(engine.last("meta").epoch, 2, 4))

    engine.until(
        lambda: (
            [
                (one.device, one.seq)
                for batch in engine.said["reading"][before:]
                for one in batch.readings
                if one.seq < 5
            ]
            == [("left", 2), ("left", 3), ("left", 4)]
        ),
        "the three readings again",
    )


def test_kills_lose_and_double_nothing_of_either(
    box: Box,  # noqa: F811
    plugged: Plug,
    two: Callable[[str], Pty],
) -> None:
    left = Feig(A)
    plugged(left)
    two("feig")
    engine = Engine(box.broker)
    for _ in range(4):
        process = box.drive("t1")
        seen = left.inventories
        engine.until(lambda: left.inventories > seen + 30, "it reads")  # noqa: B023
        process.kill()
        process.wait(20)
    box.drive("t1")
    ends = {device: len(of(engine, device)) for device in ("left", "right")}
    engine.until(lambda: all(len(of(engine, device)) > ends[device] + 5 for device in ends), "both go on")
    for device in ends:
        assert of(engine, device) == list(range(1, len(of(engine, device)) + 1))
    assert len({(one.device, one.epoch) for one in engine.applied}) >= 8


def test_a_driver_that_raises_is_its_own_devices_fault(
    box: Box,  # noqa: F811
    plugged: Plug,
    two: Callable[[str], Pty],
    tmp_path: Path,
) -> None:
    left = Feig(A)
    plugged(left)
    two("raising")
    packages = install(tmp_path / "packages", "raising", "raise RuntimeError('the licence has run out')")
    engine = Engine(box.broker)
    process = box.drive("t1", PYTHONPATH=packages)
    engine.until(
        lambda: any(
            one.device == "right" and "the driver raising failed (RuntimeError" in one.detail
            for one in engine.said.get("health", ())
        ),
        "it is said whose fault it is",
    )
    before = left.inventories
    wait_for(lambda: left.inventories > before + 20, "the other is asked")
    assert process.poll() is None


def test_a_driver_that_blocks_ends_the_process_and_is_held_out_at_the_next_start(
    box: Box,  # noqa: F811
    plugged: Plug,
    two: Callable[[str], Pty],
    tmp_path: Path,
) -> None:
    plugged(Feig(A))
    two("blocking")
    packages = install(tmp_path / "packages", "blocking", "time.sleep(3600)")
    engine = Engine(box.broker)
    process = box.drive("t1", PYTHONPATH=packages)
    engine.until(lambda: process.poll() is not None, "the process ends", 90)
    assert process.returncode == 1
    assert "blocking.py" in (tmp_path / "state" / "outbox" / "t1" / "stuck").read_text(), "where it stood"
    box.drive("t1", PYTHONPATH=packages)
    engine.until(
        lambda: any(
            one.device == "right" and "has stopped the process of its group 1 times" in one.detail
            for one in engine.said["health"]
        ),
        "why it is held out",
        60,
    )
    before = len(of(engine, "left"))
    engine.until(lambda: len(of(engine, "left")) > before + 10, "the other is read")
    seen = len(of(engine, "right"))
    engine.until(lambda: len(of(engine, "right")) > seen, "it is tried again", 60)


def test_a_driver_that_cannot_be_imported_is_lost_and_the_others_run(
    box: Box,  # noqa: F811
    plugged: Plug,
    two: Callable[[str], Pty],
    tmp_path: Path,
) -> None:
    plugged(Feig(A))
    two("gone")
    packages = install(tmp_path / "packages", "gone", "pass")
    (tmp_path / "packages" / "gone.py").write_text("raise ValueError('the licence has run out')")
    engine = Engine(box.broker)
    box.drive("t1", PYTHONPATH=packages)
    engine.until(
        lambda: any(
            one.device == "right" and one.state == "lost" and "the licence has run out" in one.detail
            for one in engine.said.get("health", ())
        ),
        "it is lost, and why",
    )
    engine.until(lambda: A in engine.tags, "the other is read")


SITE = """
[[table]]
name = "one"
group = "{group}"
[[table.device]]
name = "a"
driver = "line"
port = "/dev/a"
{a}
[[table.device]]
name = "b"
driver = "line"
port = "/dev/b"
{b}
[[table]]
name = "two"
[[table.device]]
name = "c"
driver = "line"
port = "/dev/c"
{c}
"""


@pytest.mark.parametrize(
    ("group", "a", "b", "wanted"),
    [
        ("table", "", "", {"one": ("a", "b"), "two": ("c",)}),
        ("alone", "", "", {"a": ("a",), "b": ("b",), "two": ("c",)}),
        ("bus", "", "", {"bus": ("a", "b"), "two": ("c",)}),
        ("table", 'group = "alone"', "", {"a": ("a",), "one": ("b",), "two": ("c",)}),
        ("alone", 'group = "hub"', 'group = "hub"', {"hub": ("a", "b"), "two": ("c",)}),
        ("table", 'group = "left"', 'group = "right"', {"left": ("a",), "right": ("b",), "two": ("c",)}),
    ],
)
def test_the_site_file_says_which_devices_share_a_process(
    tmp_path: Path, group: str, a: str, b: str, wanted: dict[str, tuple[str, ...]]
) -> None:
    (tmp_path / "site.toml").write_text(SITE.format(group=group, a=a, b=b, c=""))
    site = load_site(tmp_path / "site.toml")
    assert {one.name: one.devices for one in site.groups} == wanted
    for name, devices in wanted.items():
        assert find_group(site, name).name == name
        assert all(find_group(site, device).name == name for device in devices if device not in wanted)
    with pytest.raises(ConfigError, match="No group or device is called 'd'"):
        find_group(site, "d")


@pytest.mark.parametrize(
    ("a", "c"),
    [
        ('group = "bus"', 'group = "bus"'),
        ("", 'group = "one"'),
        ('group = "c"', 'group = "alone"'),
    ],
)
def test_two_groups_of_one_name_are_refused(tmp_path: Path, a: str, c: str) -> None:
    (tmp_path / "site.toml").write_text(SITE.format(group="table", a=a, b="", c=c))
    with pytest.raises(ConfigError, match=r"site.toml:21: .*two groups called"):
        load_site(tmp_path / "site.toml")
