"""The container image and the compose file: a whole site in containers, its devices, its guards."""

import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from package.containers import Board, Devices, Podman
from package.machine import PATIENCE_S
from rig.wait import wait_for

from release.image import make_image
from release.tree import version

pytestmark = pytest.mark.timeout(1800)
SERVICES = ("broker", "engine", "web", "table-1")
DIALOUT = 20
SITE = """
name = "club"
state_dir = "/var/lib/tablebridge"
[broker]
embedded = false
host = "broker"
port = 1883
[web]
listen = "0.0.0.0"
allow_plain_http = true
[[table]]
name = "table-1"
seats = "1-2"
[[table.device]]
name = "line-1"
driver = "line"
port = "/dev/serial/by-path/reader"
antennas = { 1 = "seat 1", 2 = "board" }
"""
SITE_FILE = "/etc/tablebridge/site.toml"
JOURNAL = "/var/lib/tablebridge/journal/table-1.sqlite"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The image and the compose file of this checkout."""
    image, compose = make_image("amd64", tmp_path_factory.mktemp("image"))
    return image, compose


@pytest.fixture(scope="module")
def podman(built: tuple[Path, Path]) -> Iterator[Podman]:
    store = Podman()
    try:
        store.run("load", "-i", str(built[0]))
        yield store
    finally:
        store.close()


@pytest.fixture
def boards() -> Iterator[list[Board]]:
    made = [Board(DIALOUT), Board(DIALOUT)]
    yield made
    for board in made:
        board.close()


@pytest.fixture
def devices(tmp_path: Path, boards: list[Board]) -> Iterator[Devices]:
    folder = Devices(tmp_path / "dev")
    try:
        for number, board in enumerate(boards):
            folder.add(f"ttyUSB{number}", board.port)
        yield folder
    finally:
        folder.close()


@pytest.fixture
def site(tmp_path: Path, built: tuple[Path, Path], devices: Devices, podman: Podman) -> Iterator[Path]:
    """A folder with the compose file, whose /dev is the emulated one, and a site file."""
    folder = tmp_path / "site"
    (folder / "etc").mkdir(parents=True)
    text, count = re.subn("- /dev:/dev:ro", f"- {devices.folder}:/dev:ro", built[1].read_text())
    assert count == 2, "a service with devices has the machine's /dev"
    (folder / "compose.yaml").write_text(text)
    (folder / "etc/site.toml").write_text(SITE)
    yield folder
    podman.compose(folder, "down", "--volumes")


def page(podman: Podman, path: str, *headers: str) -> str:
    """What the pages answer this machine; nothing if they do not."""
    words = ("curl", "-s", "-m", "10", *(word for line in headers for word in ("-H", line)))
    return podman.there(*words, f"http://127.0.0.1:8090{path}", code=None)


def ready(podman: Podman) -> bool:
    """Whether the table is followed."""
    return '"ready":true' in page(podman, "/health/ready")


def started(podman: Podman, site: Path) -> None:
    podman.compose(site, "up", "-d")
    wait_for(lambda: ready(podman), "the table is followed", PATIENCE_S)


def metric(podman: Podman, token: str, name: str) -> float:
    """The value of a metric of the reader; -1 if it is not there yet."""
    text = page(podman, "/metrics", f"Authorization: Bearer {token}")
    found = re.search(rf"^{name}{{[^}}]*}} (\S+)$", text, re.M)
    return float(found[1]) if found else -1.0


def test_a_site_runs_and_its_reader_comes_back_at_another_port(
    podman: Podman, site: Path, devices: Devices, boards: list[Board]
) -> None:
    devices.link("reader", "ttyUSB0")
    started(podman, site)
    wait_for(lambda: all(map(podman.healthy, SERVICES)), "all services are healthy", PATIENCE_S)
    said = podman.inside("web", "tablebridge", "token", "add", "metrics", "test", "--site", SITE_FILE)
    token = re.findall(r"tb_\S+", said)[0]
    wait_for(lambda: metric(podman, token, "tablebridge_device_live") == 1, "the reader is live", PATIENCE_S)
    boards[0].close()
    wait_for(lambda: metric(podman, token, "tablebridge_device_live") == 0, "it is away", PATIENCE_S)
    devices.link("reader", "ttyUSB1")
    wait_for(lambda: metric(podman, token, "tablebridge_device_live") == 1, "it is live again", PATIENCE_S)
    podman.compose(site, "stop")
    assert [podman.state(service)["State"]["ExitCode"] for service in SERVICES] == [0] * len(SERVICES)
    said = podman.compose(site, "run", "--rm", "prepare", "journal", "verify", JOURNAL)
    assert "all sound" in said


def test_a_backup_comes_back_in_new_containers(podman: Podman, site: Path) -> None:
    started(podman, site)
    tool = ("run", "--rm", "-v", f"{site}:/mnt", "prepare")
    key = re.findall(r"age1\S+", podman.compose(site, *tool, "backup", "--new-key", "/mnt/key"))[0]
    podman.compose(site, *tool, "backup", "/mnt/club.backup", "--site", SITE_FILE, "--to", key)
    podman.compose(site, "down", "--volumes")
    shutil.rmtree(site / "etc")
    (site / "etc").mkdir()
    restore = ("restore", "/mnt/club.backup", "--key", "/mnt/key", "--site", SITE_FILE)
    podman.compose(site, *tool, *restore)
    assert (site / "etc/site.toml").read_text() == SITE
    started(podman, site)
    assert "all sound" in podman.compose(site, *tool, "journal", "verify", JOURNAL)


def test_an_engine_that_hangs_is_started_again(podman: Podman, site: Path) -> None:
    started(podman, site)
    first = podman.state("engine")["State"]["Pid"]
    (engine,) = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    os.kill(int(engine), signal.SIGSTOP)
    wait_for(lambda: podman.state("engine")["RestartCount"] == 1, "it is started again", PATIENCE_S)
    wait_for(lambda: ready(podman), "the table is followed again", PATIENCE_S)
    assert "is killed" in podman.run("logs", podman.name("engine"))


def test_no_process_can_do_or_see_more_than_it_needs(podman: Podman, site: Path, devices: Devices) -> None:
    os.mknod(devices.folder / "kmsg", 0o020666, os.makedev(1, 11))
    (devices.folder / "kmsg").chmod(0o666)
    started(podman, site)
    for service, uid in {"broker": 874, "engine": 872, "web": 873, "table-1": 871}.items():
        assert podman.inside(service, "id", "-u").strip() == str(uid)
        status = podman.inside(service, "cat", "/proc/1/status")
        assert re.search(r"^CapBnd:\s0+$", status, re.M) and re.search(r"^NoNewPrivs:\s1$", status, re.M)
        said = podman.inside(service, "sh", "-c", "echo > /usr/lib/tablebridge/entry.py", code=None)
        assert "Read-only file system" in said or "Permission denied" in said
    assert "Permission denied" in podman.inside("web", "ls", "/var/lib/tablebridge/journal", code=2)
    assert "Permission denied" in podman.inside("web", "cat", "/etc/tablebridge/engine.password", code=1)
    assert "Operation not permitted" in podman.inside("table-1", "head", "-c1", "/dev/kmsg", code=1)
    ways = podman.inside("engine", "cat", "/proc/net/route").splitlines()[1:]
    assert [line for line in ways if line.split()[1] == "00000000"] == [], "no way leads out"
    passwords = {path.read_text() for path in (site / "etc").glob("*.password")}
    assert len(passwords) == len(list((site / "etc").glob("*.password"))) >= 4


def test_the_image_holds_no_account_and_no_password(podman: Podman, built: tuple[Path, Path]) -> None:
    name = f"tablebridge:{version()}"
    bare = ("run", "--rm", "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096", "--network", "none")
    found = podman.run(
        *bare, "--user", "root", "--entrypoint", "find", name, "/etc", "/var/lib", "/opt/tablebridge",
        "-name", "*.password", "-o", "-name", "tablebridge.users", "-o", "-name", "tablebridge.acl",
    )  # fmt: skip
    assert found == ""
    assert "no $HOME" not in podman.run(*bare, name, "--version")
    numbers = podman.run(*bare, "--entrypoint", "cat", name, "/etc/passwd")
    assert "tablebridge-engine:x:872:870" in numbers and "mosquitto:x:874:874" in numbers


@pytest.mark.parametrize(
    ("line", "other", "sentence"),
    [
        ('host = "broker"', 'host = "127.0.0.1"', '[broker] needs host = "broker"'),
        ("embedded = false", "embedded = true", "needs embedded = false"),
        ('listen = "0.0.0.0"', 'listen = "127.0.0.1"', "[web] needs allow_plain_http = true"),
        ("[[table]]", "[[tabel]]", "tabel"),
    ],
)
def test_a_site_file_that_is_not_for_containers_is_a_sentence_and_starts_nothing(
    podman: Podman, site: Path, line: str, other: str, sentence: str
) -> None:
    (site / "etc/site.toml").write_text(SITE.replace(line, other))
    podman.compose(site, "up", "-d", code=1)
    said = podman.run("logs", podman.name("prepare"))
    assert sentence in said and "Traceback" not in said
    running = podman.run("ps", "--format", "{{.Names}}").split()
    assert running == []
