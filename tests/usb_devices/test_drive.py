"""`tablebridge drive` as it is run, for USB devices: its own process, a real broker, libusb in between."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from rig.buttons import BigRedButton
from rig.groups import alone
from rig.lights import Luxafor
from rig.usb import UsbDevice
from rig.wait import wait_for

from tablebridge.bus import messages, topics
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import ActiveAlerts, Availability, Command, ReadingBatch, TableSignal
from tablebridge.host.clock import SystemClock
from tablebridge.model.alerts import Alert, AlertChange
from tablebridge.model.readings import ButtonPress
from tablebridge.sdk.lights import Colour
from tablebridge.settings.site import Broker
from tablebridge_drivers import luxafor

Plug = Callable[..., UsbDevice]
SITE = """
name = "club"
state_dir = "{folder}/state"
[broker]
port = {port}
[[table]]
name = "t1"
group = "alone"
[[table.device]]
name = "light"
driver = "luxafor"
port = "usb://04d8:f372"
[[table.device]]
name = "floor"
driver = "big-red-button"
port = "usb://1d34:000d"
contacts = {{ 1 = "key floor" }}
"""


class Engine:
    """The engine's account on the bus. `heard`: messages by the name of their topic."""

    def __init__(self, broker: EmbeddedBroker) -> None:
        self.heard: list[Any] = []
        self.client = BusClient(Broker(port=broker.port), "engine", *broker.accounts["engine"])
        self.client.on_message = self._message
        self.client.subscribe(topics.READING.filter("club"))

    def until(self, condition: Callable[[], object], what: str) -> None:
        def stepped() -> object:
            self.client.step(0.02)
            return condition()

        wait_for(stepped, what)

    def say(self, topic: topics.Topic, message: Any) -> None:
        self.until(
            lambda: (
                self.client.publish(topic.of("club", "t1"), messages.encode(message), retain=True) is not None
            ),
            "the broker takes it",
        )

    def _message(self, _topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        self.heard += [one.reading for one in messages.decode(payload, ReadingBatch).readings]
        ack()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[EmbeddedBroker]:
    with EmbeddedBroker(
        tmp_path / "state", site="club", groups=alone(dict.fromkeys(("light", "floor"), "t1"))
    ) as broker:
        (tmp_path / "site.toml").write_text(SITE.format(folder=tmp_path, port=broker.port))
        yield broker


@pytest.fixture
def engine(broker: EmbeddedBroker) -> Iterator[Engine]:
    engine = Engine(broker)
    yield engine
    engine.client.close()


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    processes = []

    def start(name: str) -> Any:
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "tablebridge", "drive", name, "--site", str(tmp_path / "site.toml")],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def test_a_light_shows_what_the_engine_says_and_that_nothing_is_known_without_one(
    plug: Plug, broker: EmbeddedBroker, engine: Engine, drive: Callable[[str], Any]
) -> None:
    light = Luxafor()
    plug(light)
    process = drive("light")
    engine.until(lambda: light.shown[-1:] == ["blue"], "nothing is known")
    engine.say(topics.SIGNAL, TableSignal("clear"))
    engine.say(topics.ENGINE_AVAILABILITY, Availability("online", "1"))
    engine.until(lambda: light.shown[-1] == "dark", "no alert is open")
    engine.say(topics.SIGNAL, TableSignal("critical", taken=True))
    engine.until(lambda: light.shown[-1] == "red", "an alert")
    engine.say(topics.ENGINE_AVAILABILITY, Availability("offline", "1"))
    engine.until(lambda: light.shown[-1] == "blue", "the engine is away")
    engine.say(topics.ENGINE_AVAILABILITY, Availability("online", "2"))
    engine.until(lambda: light.shown[-1] == "red", "the engine is back")
    broker.kill()
    engine.until(lambda: light.shown[-1] == "blue", "the broker is away")
    broker.start()
    engine.say(topics.SIGNAL, TableSignal("clear"))
    engine.say(topics.ENGINE_AVAILABILITY, Availability("online", "2"))
    engine.until(lambda: light.shown[-1] == "dark", "the broker is back")
    process.terminate()
    assert process.wait(60) == 0


def test_a_dealer_who_calls_is_a_white_light_until_somebody_has_come(
    plug: Plug, broker: EmbeddedBroker, drive: Callable[[str], Any], tmp_path: Path
) -> None:
    light, button = Luxafor(), BigRedButton()
    plug(light), plug(button, "1-2", 2)
    drive("light"), drive("floor")
    core = subprocess.Popen(
        [sys.executable, "-m", "tablebridge", "engine", "--site", str(tmp_path / "site.toml")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    floor = Floor(broker)
    try:
        floor.until(lambda: light.reports[-1:] == [luxafor.paint(Colour.DARK)], "no alert is open")
        button.state = 0x16
        floor.until(lambda: light.reports[-1] == luxafor.paint(Colour.WHITE), "the dealer calls")
        floor.change("taken")
        before = len(light.reports)
        floor.until(lambda: len(light.reports) > before + 2, "it is painted again and again")
        assert set(light.reports[before:]) == {luxafor.paint(Colour.WHITE)}, "steady"
        floor.change("closed")
        floor.until(lambda: light.reports[-1] == luxafor.paint(Colour.DARK), "it is closed")
    finally:
        core.kill()
        core.wait()
        floor.client.close()


class Floor:
    """The pages' account on the bus. `alerts`: those that are open."""

    def __init__(self, broker: EmbeddedBroker) -> None:
        self.alerts: tuple[Alert, ...] = ()
        self.client = BusClient(Broker(port=broker.port), "web", *broker.accounts["web"])
        self.client.on_message = self._message
        self.client.subscribe(topics.ALERTS.filter("club"))

    def until(self, condition: Callable[[], object], what: str) -> None:
        def stepped() -> object:
            self.client.step(0.02)
            return condition()

        wait_for(stepped, what)

    def change(self, to: Literal["taken", "closed"]) -> None:
        """Anna does something to the alert."""
        self.until(lambda: self.alerts, "the alert")
        alert = AlertChange(self.alerts[0].id, to, "Anna", "Seen to.")
        at = SystemClock().now()
        command = Command(f"change-{to}", "Anna", "floor", at.wall_ns + 60_000_000_000, alert=alert)
        topic = topics.COMMAND.of("club", "t1", "web")
        self.until(lambda: self.client.publish(topic, messages.encode(command)) is not None, "it is sent")

    def _message(self, _topic: str, payload: bytes, _retained: bool, ack: Callable[[], None]) -> None:
        self.alerts = messages.decode(payload, ActiveAlerts).alerts
        ack()


def test_a_button_unplugged_for_a_while_ends_no_process(
    plug: Plug, engine: Engine, drive: Callable[[str], Any]
) -> None:
    button = BigRedButton()
    device = plug(button)
    process = drive("floor")
    engine.until(lambda: ButtonPress(1, False) in engine.heard, "its state")
    for address in (9, 10, 11):
        device.unplug_after = 2
        engine.until(lambda: device.gone, "pulled out in the midst of a report")
        engine.heard.clear()
        button.state = 0x16
        device.plug(address)
        engine.until(lambda: ButtonPress(1, True) in engine.heard, "pressed after it is back")
        button.state = 0x15
        engine.until(lambda: ButtonPress(1, False) in engine.heard, "let go")
    assert process.poll() is None
    process.terminate()
    assert process.wait(60) == 0
    assert "Traceback" not in process.stderr.read()
