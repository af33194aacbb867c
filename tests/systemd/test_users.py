"""Engine and pages as the users of their units, with the rights that tmpfiles and StateDirectory give."""

import os
import re
import secrets
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import httpx
import pytest
from rig.groups import alone, message
from rig.wait import wait_for

from tablebridge.bus import topics
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.host.clock import SystemClock
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.settings.site import Broker
from tablebridge.settings.state import PARTS

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become other users")

GROUP = 64_100
USERS = {"driver": 64_101, "engine": 64_102, "web": 64_103, "notify": 64_104, "room": 64_105}
SITE = """\
name = "hall"
state_dir = "{state}"
[broker]
embedded = false
port = {broker}
[web]
port = 0
[[table]]
name = "main"
group = "alone"
[[table.device]]
name = "board"
driver = "line"
port = "/dev/ttyNONE"
antennas = {{ 0 = "board", 1 = "muck" }}
"""


ENVIRONMENT = {
    **os.environ,
    "PYTHONUNBUFFERED": "1",
    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
}


def _as(user: str, python: str, code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [python, "-c", code],
        user=USERS[user],
        group=GROUP,
        extra_groups=[],
        cwd="/",
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )


@cache
def interpreter() -> str:
    """This interpreter, or the system's where other users may not start this one."""
    for one in (sys.executable, "/usr/bin/python3"):
        with suppress(OSError):
            if _as("engine", one, "import tablebridge.cli.engine, msgspec, fastapi").returncode == 0:
                return one
    pytest.fail("no Python that another user may start has what tablebridge needs")


class Box:
    """A machine's state folder as tmpfiles makes it, a broker, and processes that are started as their units'
    users.
    """

    def __init__(self, folder: Path, broker: EmbeddedBroker) -> None:
        self.folder, self.broker = folder, broker
        self.state = folder / "state"
        self.state.mkdir(mode=0o710)
        os.chown(self.state, 0, GROUP)
        for part in PARTS:
            if part.writer in USERS:
                (self.state / part.name).mkdir(mode=0o700)
                os.chown(self.state / part.name, USERS[part.writer], GROUP)
        self.site = folder / "site.toml"
        self.site.write_text(SITE.format(state=self.state, broker=broker.port))
        self.site.chmod(0o644)
        self.running: dict[str, subprocess.Popen[str]] = {}

    def give(self, path: Path, user: str) -> None:
        os.chown(path, USERS[user], GROUP)

    def run(self, user: str, *arguments: str) -> "subprocess.Popen[str]":
        """Start `tablebridge ARGUMENTS` as the user, with the password as systemd hands it over."""
        credentials = self.folder / f"{user}.credentials"
        credentials.mkdir(exist_ok=True, mode=0o700)
        (credentials / "broker-password").write_text(self.broker.accounts[user][1])  # type: ignore[index]
        for path in (credentials, *credentials.iterdir()):
            self.give(path, user)

        log = (self.folder / f"{arguments[0]}.log").open("a")
        process = subprocess.Popen(
            [interpreter(), "-m", "tablebridge", *arguments],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            user=USERS[user],
            group=GROUP,
            extra_groups=[],
            cwd="/",
            env={**ENVIRONMENT, "CREDENTIALS_DIRECTORY": str(credentials)},
        )
        log.close()
        self.running[arguments[0]] = process
        return process

    def end(self, name: str) -> None:
        process = self.running.pop(name)
        process.terminate()
        process.communicate(timeout=60)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()


@pytest.fixture
def box() -> Iterator[Box]:
    with (
        tempfile.TemporaryDirectory(prefix="tablebridge-box-") as name,
        EmbeddedBroker(
            Path(name) / "elsewhere", site="hall", groups=alone({"board": "main", "gone": "main"})
        ) as broker,
    ):
        Path(name).chmod(0o755)
        made = Box(Path(name), broker)
        try:
            yield made
        finally:
            for one in list(made.running):
                made.end(one)


class Room:
    """Engine and pages run; a driver that is only messages says what the antennas of the board read."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.clock = SystemClock()
        self.driver = BusClient(
            Broker(port=box.broker.port), "driver-of-the-test", *box.broker.accounts["dev-board"]
        )
        self.seq = 0
        token = box.run("web", "token", "add", "operator", "Boris", "--site", str(box.site))
        self.secret = re.findall(r"tb_[A-Za-z0-9_-]+", token.communicate(timeout=60)[0])[0]
        del box.running["token"]
        pages = box.run("web", "web", "--site", str(box.site))
        assert pages.stdout is not None
        said = pages.stdout.readline()
        assert said.startswith("Pages: "), box.log("web")
        self.url = said.split()[1]

    def start(self) -> None:
        """The engine, until the pages hear it."""
        self.box.run("engine", "engine", "--site", str(self.box.site))
        wait_for(
            lambda: self.get("/api/tables").json()["tables"][0]["engine"] == "online",
            "the engine is there",
            60,
        )

    def line(self, text: str) -> bool:
        body = {"id": secrets.token_hex(8), "lines": [text]}
        return (
            httpx.post(
                f"{self.url}/api/tables/main/lines", json=body, headers=self._who, timeout=60
            ).status_code
            == 200
        )

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, headers=self._who, timeout=60)

    @property
    def _who(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.secret}"}

    def hand(self, missed: int) -> None:
        """A hand in which three cards lie on the board; of so many visits each is read in one."""
        assert self.line("hand") and self.line("dealt")
        for number in range(60):
            self.seq += 1
            read = ("E0AA", "E0BB", "E0CC") if number % missed == 0 else ()
            stamped = Stamped(
                "board", "e", self.seq, self.clock.now(), Sweep(0, read, 10 if missed == 1 else 1)
            )
            payload = message(stamped)
            wait_for(lambda payload=payload: self._said(payload), "the broker takes a reading")
        wait_for(self._all_taken, "the broker has the readings")

    def _said(self, payload: bytes) -> bool:
        self.driver.step(0.01)
        return self.driver.publish(topics.READING.of("hall", "main", "board"), payload) is not None

    def _all_taken(self) -> bool:
        self.driver.step(0.01)
        return not self.driver.in_flight


def test_a_table_learns_of_its_antennas_and_says_when_one_fails_as_the_units_users(box: Box) -> None:
    room, saved = Room(box), box.state / "calibration" / "main.json"
    room.start()
    assert "antennas.svg" not in room.get("/devices").text
    for _ in range(6):
        room.hand(missed=1)
    wait_for(saved.exists, "what was learnt is kept")
    assert saved.stat().st_uid == USERS["engine"] and stat.S_IMODE(saved.stat().st_mode) == 0o600
    wait_for(lambda: "antennas.svg" in room.get("/devices").text, "the map is on the page")
    drawn = room.get("/devices/main/antennas.svg")
    assert drawn.status_code == 200 and "board" in drawn.text and "E0AA" not in drawn.text
    box.end("engine")
    room.start()
    for _ in range(8):
        room.hand(missed=2)
        if told := [
            line
            for line in room.get("/api/tables/main/state").json()["lines"]
            if any(
                (found["finding"], found.get("cause")) == ("device-degraded", "degraded")
                for found in line.get("findings", ())
            )
        ]:
            break
    assert told and told[0]["by"] == "board", "an antenna that reads worse than in earlier nights is noticed"
    room.driver.close()
    assert "Traceback" not in box.log("engine") + box.log("web")


def test_a_process_of_one_user_cannot_put_a_file_where_another_reads(box: Box) -> None:
    box.run("web", "token", "add", "floor", "Anna", "--site", str(box.site)).communicate(timeout=60)
    del box.running["token"]
    assert [path.name for path in (box.state / "tokens").glob("*.json")] == ["tokens.json"], (
        "the pages' user writes its own"
    )
    for name in (
        "chips.toml",
        "calibration/main.json",
        "chips/chips.toml",
        "decks/x.toml",
        "journal/x",
        "x/x",
        "tokens.json",
    ):
        path = box.state / name
        code = (
            f"from pathlib import Path; p = Path({str(path)!r}); "
            "p.parent.mkdir(exist_ok=True); p.write_text('')"
        )
        assert "PermissionError" in _as("web", interpreter(), code).stderr and not path.exists(), name


def test_what_engine_and_pages_cannot_take_is_set_aside_in_a_folder_of_their_own_users(box: Box) -> None:
    Room(box).start()
    for device, topic, user, folder in (
        ("board", topics.READING, "engine", "journal/aside"),
        ("gone", topics.HEALTH, "web", "aside"),
    ):
        sender = BusClient(Broker(port=box.broker.port), device, *box.broker.accounts[f"dev-{device}"])
        aside = box.state / folder / "00.message"

        def sent(sender: BusClient = sender, at: str = topic.of("hall", "main", device)) -> bool:
            sender.step(0.01)
            return sender.publish(at, b"{") is not None

        wait_for(sent, "the broker takes it")
        wait_for(
            lambda sender=sender, aside=aside: sender.step(0.01) or aside.exists(), f"{user} sets it aside"
        )
        sender.close()
        for path, mode in ((aside.parent, 0o700), (aside, 0o600)):
            assert (path.stat().st_uid, stat.S_IMODE(path.stat().st_mode)) == (USERS[user], mode)


def test_the_memory_of_engine_and_pages_is_not_their_users_to_read(box: Box) -> None:
    Room(box).start()
    for name in ("engine", "web"):
        process = Path(f"/proc/{box.running[name].pid}")
        assert (process / "mem").stat().st_uid == 0, "not dumpable: what the kernel has of it is root's"
        limits = dict(
            re.findall(
                r"^(Max (?:core file size|open files)) +(\d+) ", (process / "limits").read_text(), re.M
            )
        )
        assert limits["Max core file size"] == "0" and int(limits["Max open files"]) >= 4096
