"""`tablebridge drive` as it is run: its own process, a device on a pseudo-terminal, a real broker, and what
befalls them.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import psutil
import pytest
from rig.feig import Feig, crc
from rig.groups import alone, readings_of
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.bus import messages, topics
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.inbox import Arrived, Inbox
from tablebridge.bus.messages import DeviceMeta, ReadingBatch, ReplayRequest
from tablebridge.bus.outbox import Outbox
from tablebridge.host.sanitize import sanitized
from tablebridge.model.readings import DeviceStatus, Stamped, Sweep
from tablebridge.settings.site import Broker, Group

A, B = "E004010000000001", "E004010000000002"
Plug = Callable[..., Pty]


class Engine:
    """What the engine does with the bus: inbox, replay requests, acknowledgement."""

    def __init__(self, broker: EmbeddedBroker) -> None:
        self.inbox = Inbox()
        self.applied: list[Stamped] = []
        self.said: dict[str, list[Any]] = {}
        self.client = BusClient(Broker(port=broker.port), "engine", *broker.accounts["engine"])
        self.client.on_message = self._message
        self.client.subscribe(
            *(
                topic.filter("club")
                for topic in (topics.READING, topics.AVAILABILITY, topics.META, topics.HEALTH)
            )
        )

    def until(self, condition: Callable[[], object], what: str, seconds: float = 60.0) -> None:
        def stepped() -> object:
            self.client.step(0.02)
            for taken in self.inbox.due(time.monotonic_ns()):
                self._apply(taken)
            return condition()

        wait_for(stepped, what, seconds)

    def ask(self, request: ReplayRequest) -> None:
        self.client.publish(topics.REPLAY.of("club", "t1", "left"), messages.encode(request))

    def last(self, name: str) -> Any:
        return self.said[name][-1]

    @property
    def tags(self) -> set[str]:
        return {tag for one in self.applied if isinstance(one.reading, Sweep) for tag in one.reading.tags}

    def _message(self, topic: str, payload: bytes, _retained: bool, ack: Ack) -> None:
        parsed = topics.parse(topic)
        assert parsed is not None
        message: Any = messages.decode(payload, messages.MESSAGES[parsed.topic.message])
        self.said.setdefault(parsed.topic.name, []).append(message)
        if isinstance(message, ReadingBatch):
            for stamped in message.stamped():
                self._apply(self.inbox.take(stamped, time.monotonic_ns()))
        elif isinstance(message, DeviceMeta):
            self._apply(self.inbox.meta(message, time.monotonic_ns()))
        ack()

    def _apply(self, taken: Arrived) -> None:
        assert taken.lost is None
        self.applied += taken.ready
        if taken.ask is not None:
            self.ask(taken.ask.request)


class Box:
    """The site's folder, its broker, and driver processes."""

    def __init__(self, folder: Path, broker: EmbeddedBroker) -> None:
        self.folder = folder
        self.broker = broker
        self.site = folder / "site.toml"
        self.processes: list[subprocess.Popen[str]] = []
        self.group = "alone"
        self.write()

    def write(self, device: str = 'driver = "feig"', broker: str = "") -> None:
        self.site.write_text(f"""
name = "club"
state_dir = "{self.folder / "state"}"
[broker]
port = {self.broker.port}
{broker}
[[table]]
name = "t1"
group = "{self.group}"
[[table.device]]
name = "left"
port = "{self.folder / "reader"}"
antennas = {{ 0 = "seat 1" }}
{device}
""")

    def drive(self, name: str = "left", **environ: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "drive", name, "--site", str(self.site)],
            env=os.environ | environ,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        return process

    def fails(self, name: str = "left", **environ: str) -> str:
        """What a start that must fail says: one line, status 2."""
        _, told = self.drive(name, **environ).communicate(timeout=60)
        assert self.processes[-1].returncode == 2, told
        assert "Traceback" not in told
        return told


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with EmbeddedBroker(
        tmp_path / "state",
        site="club",
        groups=(*alone({"left": "t1", "right": "t1"}), Group("t1", "t1", ("left", "right"))),
    ) as broker:
        box = Box(tmp_path, broker)
        yield box
        for process in box.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()


def test_birth_life_and_end(box: Box, plugged: Plug) -> None:
    plugged(Feig(A))
    engine = Engine(box.broker)
    process = box.drive()
    engine.until(lambda: A in engine.tags, "the tag")
    engine.until(lambda: {"meta", "health", "availability"} <= set(engine.said), "birth")
    meta, health = engine.last("meta"), engine.last("health")
    assert (meta.device, meta.driver, meta.first_seq) == ("left", "feig", 1)
    assert health.state == "live" and health.alive_wall_ns > 0
    assert engine.last("availability").state == "online"
    engine.until(lambda: engine.last("meta").identity.startswith("FEIG"), "the device's identity")
    process.terminate()
    engine.until(lambda: engine.last("availability").state == "offline", "offline")
    assert engine.last("availability").reason == "stopped"
    assert process.wait(60) == 0
    assert engine.last("availability").epoch == meta.epoch
    with_all = Outbox(box.folder / "state" / "outbox" / "left")
    assert with_all.waiting == 0
    with_all.close()


def test_mosquittos_client_hears_the_tag_that_an_emulated_reader_reads(box: Box, plugged: Plug) -> None:
    """Debian's mosquitto_sub, with the engine's account, as a program that never saw our code."""
    plugged(Feig(A))
    name, password = box.broker.accounts["engine"]
    box.drive()
    arguments = ("-p", str(box.broker.port), "-i", name, "-u", name, "-P", password, "-q", "1", "-W", "60")
    heard = subprocess.run(
        ["mosquitto_sub", *arguments, "-C", "1", "-F", "%t %p", "-t", topics.READING.filter("club")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    topic, _, payload = heard.stdout.partition(" ")
    assert topic == topics.READING.of("club", "t1", "left"), heard.stderr
    assert "readings" in payload or A in payload


def test_a_killed_process_is_offline_by_its_last_will(box: Box, plugged: Plug) -> None:
    plugged(Feig(A))
    engine = Engine(box.broker)
    process = box.drive()
    engine.until(lambda: "availability" in engine.said and engine.tags, "online")
    process.kill()
    engine.until(lambda: engine.last("availability").state == "offline", "the last will")
    assert engine.last("availability").reason != "stopped"


def test_a_broker_that_goes_away_loses_nothing(box: Box, plugged: Plug) -> None:
    feig = Feig(A)
    plugged(feig)
    engine = Engine(box.broker)
    box.drive()
    engine.until(lambda: A in engine.tags, "the tag")
    box.broker.kill()
    wanted = {A}
    for number in range(40):
        tag = f"E0040100000002{number:02X}"
        wanted.add(tag)
        feig.put(tag)
        seen = feig.inventories
        wait_for(lambda seen=seen: feig.inventories > seen + 2, "the tag was read while the broker was away")
    box.broker.start()
    engine.until(lambda: engine.tags == wanted, "all tags after the broker is back")
    assert [one.seq for one in engine.applied] == list(range(1, len(engine.applied) + 1))
    engine.until(lambda: engine.last("availability").state == "online", "online again")


def test_kills_at_any_moment_lose_and_double_nothing(box: Box, plugged: Plug) -> None:
    rng, feig = Random(7), Feig()
    plugged(feig)
    engine = Engine(box.broker)
    number = 0
    for _ in range(6):
        process = box.drive()
        seen, moments = feig.inventories, rng.randrange(3, 60)
        deadline = time.monotonic() + 60
        while feig.inventories < seen + moments:
            assert time.monotonic() < deadline, "the reader is not asked"
            number += 1
            feig.put(f"E00401000003{number % 0x10000:04X}")
            engine.client.step(0.003)
        process.kill()
        process.wait(60)
    box.drive()
    feig.put(B)
    engine.until(lambda: B in engine.tags, "the last tag")
    box.processes[-1].terminate()
    assert box.processes[-1].wait(60) == 0
    outbox = Outbox(box.folder / "state" / "outbox" / "left")
    kept = [
        one
        for _, payload in outbox.replay("left", 1, outbox.next_seq("left"), 10_000)
        for one in readings_of(payload)
    ]
    outbox.close()
    assert len(kept) > 50 and [one.seq for one in kept] == list(range(1, len(kept) + 1))
    engine.until(lambda: len(engine.applied) >= len(kept), "all that was appended")
    assert engine.applied == kept


def test_a_gap_is_sent_again_and_what_is_gone_is_answered_by_birth(box: Box, plugged: Plug) -> None:
    plugged(Feig(A))
    engine = Engine(box.broker)
    box.drive()
    engine.until(lambda: len(engine.applied) >= 5 and "meta" in engine.said, "some readings")
    epoch = engine.last("meta").epoch
    before = len(engine.said["reading"])
    engine.ask(ReplayRequest(epoch, 2, 4))
    engine.until(
        lambda: (
            [one.seq for batch in engine.said["reading"][before:] for one in batch.readings if one.seq < 5]
            == [2, 3, 4]
        ),
        "the three readings again",
    )
    births = len(engine.said["meta"])
    engine.ask(ReplayRequest("another", 1, 9))
    engine.until(lambda: len(engine.said["meta"]) > births, "birth")
    engine.client.publish(topics.REPLAY.of("club", "t1", "left"), b"{nonsense")
    engine.ask(ReplayRequest(epoch, 1, 1))
    engine.until(
        lambda: any(one.seq == 1 for batch in engine.said["reading"][before:] for one in batch.readings),
        "a request behind nonsense is answered",
    )


def test_systemd_is_told(box: Box, plugged: Plug, tmp_path: Path) -> None:
    plugged(Feig(A))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        heard: list[str] = []

        def told(word: str) -> bool:
            try:
                while True:
                    heard.append(manager.recv(4096).decode())
            except BlockingIOError:
                return any(word in one for one in heard)

        process = box.drive(NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="200000")
        wait_for(lambda: told("READY=1"), "READY")
        wait_for(lambda: told("WATCHDOG=1"), "WATCHDOG")
        wait_for(lambda: told("STATUS=left: live"), "STATUS")
        heard.clear()
        process.send_signal(signal.SIGSTOP)
        wait_for(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED, "it hangs")
        told("")
        heard.clear()
        began = time.monotonic()
        wait_for(lambda: told("WATCHDOG=1") or time.monotonic() > began + 0.6, "time passes")
        assert not any("WATCHDOG=1" in one for one in heard), (
            "a process that hangs must not feed the watchdog"
        )
        process.send_signal(signal.SIGCONT)
        wait_for(lambda: told("WATCHDOG=1"), "WATCHDOG again")
        process.send_signal(signal.SIGINT)
        wait_for(lambda: told("STOPPING=1"), "STOPPING")
        assert process.wait(60) == 0


def test_the_process_is_lean(box: Box, plugged: Plug) -> None:
    plugged(Feig(A))
    engine = Engine(box.broker)
    process = box.drive()
    engine.until(lambda: engine.tags, "it runs")
    code = (
        "import sys, tablebridge.app.drive, tablebridge.cli.drive, tablebridge.logs;"
        "print(*{m.split('.')[0] for m in sys.modules})"
    )
    loaded = set(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
    )
    assert not loaded & {
        "fastapi",
        "starlette",
        "jinja2",
        "rich",
        "uvicorn",
        "asyncio",
        "phevaluator",
        "tablebridge_drivers",
    }
    assert psutil.Process(process.pid).memory_info().rss < 60 * 2**20


def test_what_a_user_can_get_wrong_is_one_sentence(box: Box, plugged: Plug, tmp_path: Path) -> None:
    assert "No group or device is called 'lefft' in the site file: did you mean left?" in box.fails("lefft")
    box.write('driver = "fieg"')
    assert "No driver is called 'fieg': did you mean feig?" in box.fails()
    box.write('driver = "feig"\noptions = { bauds = 9600 }')
    assert "has no option 'bauds': did you mean baud?" in box.fails()
    box.write()
    password = box.folder / "state" / "broker" / "accounts" / "dev-left.password"
    password.rename(tmp_path / "aside")
    assert "broker's password cannot be read" in box.fails()
    (tmp_path / "aside").rename(password)
    box.site.write_text("nonsense")
    box.fails()
    box.site.unlink()
    box.fails()


def test_a_group_has_one_process(box: Box, plugged: Plug) -> None:
    plugged(Feig(A))
    engine = Engine(box.broker)
    box.drive()
    engine.until(lambda: engine.tags, "the first runs")
    assert "open in another process: a group of devices has one driver process" in box.fails()


class Stranger(Feig):
    """A model and a firmware that nobody has heard of."""

    def _answer(self, control: int, data: bytes) -> bytes:
        answer = super()._answer(control, data)
        if control not in (0x65, 0x66):
            return answer
        body = answer[:4] + bytes.fromhex("FFFFFFFFFAFFFF") + answer[11:-2]
        return body + crc(body)


def test_a_model_and_a_firmware_never_seen_are_told_and_read(box: Box, plugged: Plug) -> None:
    plugged(Stranger(A))
    engine = Engine(box.broker)
    box.drive()
    engine.until(lambda: A in engine.tags, "the tag")
    engine.until(lambda: "meta" in engine.said and engine.last("meta").identity, "the device's identity")
    assert "reader of unknown type 250, firmware 255.255" in engine.last("meta").identity


def test_what_a_device_says_of_itself_can_be_shown_anywhere(box: Box, plugged: Plug) -> None:
    cable = plugged(lambda data: b"")
    box.write('driver = "simulator"')
    engine = Engine(box.broker)
    process = box.drive()
    said = {
        "kind": "status",
        "state": "identified",
        "detail": ("V1.0\x1b[2J\nERROR all is lost\u202e" + "x" * 300)[:200],
    }
    endless = {**said, "detail": "x" * 201}
    assert sanitized(DeviceStatus("identified", "x" * 201)).detail == "x" * 200  # type: ignore[union-attr]
    wanted = "V1.0?[2J?ERROR all is lost?"

    def told() -> bool:
        # What it says before its port is opened is lost.
        # What is longer than a reading may be is refused, and ends nothing.
        cable.say(msgspec.json.encode(endless) + b"\n" + msgspec.json.encode(said) + b"\n")
        return (
            "meta" in engine.said and engine.last("meta").identity.startswith(wanted) and bool(engine.applied)
        )

    engine.until(told, "the identity")
    details = [one.reading.detail for one in engine.applied if isinstance(one.reading, DeviceStatus)]
    assert details and all(one.startswith(wanted) and len(one) == 200 for one in details)
    assert process.poll() is None


def test_a_port_that_another_device_of_the_site_has_is_told_and_the_first_goes_on(
    box: Box, plugged: Plug
) -> None:
    """The site file names it twice, as it may happen with links of udev."""
    reader = Feig(A)
    plugged(reader)
    (box.folder / "by-id").symlink_to(box.folder / "reader")
    box.write(f'''driver = "feig"
[[table.device]]
name = "right"
driver = "feig"
port = "{box.folder / "by-id"}"
antennas = {{ 0 = "seat 2" }}''')
    engine = Engine(box.broker)
    box.drive()
    engine.until(lambda: A in engine.tags, "the first runs")
    second = box.drive("right")
    engine.until(
        lambda: any(
            "is held by" in one.detail or "another program" in one.detail
            for one in engine.said.get("health", ())
        ),
        "the second says that the port is taken",
    )
    assert second.poll() is None
    reader.put(B)
    engine.until(lambda: B in engine.tags, "the first goes on")
    assert {one.device for one in engine.applied} == {"left"}


def test_a_device_that_speaks_another_protocol_is_lost_with_what_to_check(box: Box, plugged: Plug) -> None:
    """A talking device whose driver understands nothing: no reading, no "no card", a reason."""
    plugged(lambda data: b"IVF 00\r\n")
    engine = Engine(box.broker)
    box.write('driver = "feig"')
    process = box.drive()
    engine.until(
        lambda: (
            "health" in engine.said and "check the device's power, and driver" in engine.last("health").detail
        ),
        "what to check",
    )
    health = engine.last("health")
    assert health.state in ("stale", "lost") and health.rejects and not engine.tags
    assert not any(isinstance(one.reading, Sweep) for one in engine.applied) and process.poll() is None


def test_the_password_comes_from_systemds_credentials(box: Box, plugged: Plug, tmp_path: Path) -> None:
    plugged(Feig(A))
    box.write(broker="embedded = false")
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "broker-password").write_text(box.broker.accounts["dev-left"][1] + "\n")
    engine = Engine(box.broker)
    box.drive(CREDENTIALS_DIRECTORY=str(credentials))
    engine.until(lambda: A in engine.tags, "the tag")
