"""The container image, as far as it can be seen without building it: how it is written, what the compose file
asks of it, and how its first process watches over the second. tests/package runs it.
"""

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from release.image import CONTAINER, broker_settings
from release.oci import pack, tar_of, write_image
from release.tree import ROOT, Fault

FILES = ROOT / "tablebridge/install/files"
COMPOSE = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
MAJORS = {"ttyUSB": 188, "ttyACM": 166, "ttyS": 4, "ttyAMA": 204, "usb_device": 189, "input": 13}
"""The kernel's numbers of what the driver's unit names."""


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The first process of a container, with a program of ours in the place of tablebridge."""
    spec = importlib.util.spec_from_file_location("entry", CONTAINER / "entry.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/engine.password").write_text("secret")
    monkeypatch.setattr(module, "SETTINGS", tmp_path / "etc")
    monkeypatch.setattr(module, "RUN", tmp_path / "run")
    monkeypatch.setattr(module, "ALIVE", tmp_path / "run/alive")
    return module


def program(tmp_path: Path, text: str) -> str:
    """A program that can report as systemd expects it."""
    path = tmp_path / "program"
    path.write_text(
        f"#!{sys.executable}\nimport os, pathlib, signal, socket, sys, time\n"
        "def report(text):\n"
        "    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:\n"
        "        own.sendto(text.encode(), os.environ['NOTIFY_SOCKET'])\n" + text
    )
    path.chmod(0o755)
    return str(path)


def image(folder: Path) -> Path:
    """An image of one layer, which holds a file and a link."""
    tree = folder / "tree"
    (tree / "etc").mkdir(parents=True)
    (tree / "etc/hosts").write_text("127.0.0.1 localhost\n")
    (tree / "link").symlink_to("etc/hosts")
    tar_of(tree, folder / "layer.tar", 1_700_000_000)
    layer = pack(folder / "layer.tar")
    platform = {"architecture": "amd64", "os": "linux"}
    write_image(
        folder / "image.tar", "tablebridge:1.0", platform, {"User": "a"}, [layer], "2026-01-01T00:00:00Z"
    )
    return folder / "image.tar"


def test_an_image_is_the_same_each_time_and_every_digest_in_it_holds(tmp_path: Path) -> None:
    one, two = (image(tmp_path / folder) for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    with tarfile.open(one) as archive:
        parts = {member.name: archive.extractfile(member).read() for member in archive}  # type: ignore[union-attr]
    for name, content in parts.items():
        if name.startswith("blobs/sha256/"):
            assert hashlib.sha256(content).hexdigest() == Path(name).name

    def blob(digest: str) -> bytes:
        return parts[f"blobs/sha256/{digest.removeprefix('sha256:')}"]

    (listed,) = json.loads(parts["index.json"])["manifests"]
    manifest = json.loads(blob(listed["digest"]))
    config = json.loads(blob(manifest["config"]["digest"]))
    (layer,) = manifest["layers"]
    assert (len(blob(layer["digest"])), config["architecture"]) == (layer["size"], "amd64")
    (docker,) = json.loads(parts["manifest.json"])
    assert docker["Layers"] == [f"blobs/sha256/{layer['digest'].removeprefix('sha256:')}"]
    (tmp_path / "layer.tar.gz").write_bytes(blob(layer["digest"]))
    with tarfile.open(tmp_path / "layer.tar.gz") as unpacked:
        assert [(one.name, one.uid, one.mtime) for one in unpacked] == [
            (name, 0, 1_700_000_000) for name in ("etc", "etc/hosts", "link")
        ]


def test_the_brokers_settings_are_those_of_a_box_but_for_its_place_in_the_network() -> None:
    text = (FILES / "mosquitto.conf").read_text()
    ours = broker_settings(text)
    assert (
        "listener 1883\n" in ours
        and "allow_anonymous false\n" in ours
        and "/etc/mosquitto/t" not in re.sub(r"^#.*$", "", ours, flags=re.M)
    )
    with pytest.raises(Fault, match="has no line"):
        broker_settings(text.replace("listener 1883 127.0.0.1", "listener 1884"))


def test_no_process_of_the_compose_file_is_root_or_may_write_beside_its_volumes() -> None:
    assert set(COMPOSE["services"]) == {
        "prepare",
        "broker",
        "engine",
        "web",
        "notify",
        "room",
        "table-1",
        "setup",
    }
    for name, service in COMPOSE["services"].items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"] and "privileged" not in service
        if name not in ("prepare", "setup"):
            assert service["user"] != "root" and "cap_add" not in service
            assert service["restart"] == "unless-stopped" and service["healthcheck"]["test"]
            assert service["mem_limit"] == service["memswap_limit"], "nothing of it is swapped out"
            assert all(
                volume.endswith(":ro") for volume in service["volumes"] if volume.startswith((".", "/"))
            )
    assert COMPOSE["networks"]["bus"] == {"internal": True}
    assert COMPOSE["services"]["web"]["ports"] == ["127.0.0.1:8090:8090"]
    assert COMPOSE["services"]["notify"]["profiles"] == ["notify"], "it runs where people are named"
    assert [name for name, one in COMPOSE["services"].items() if "front" in one.get("networks", ())] == [
        "web",
        "notify",
    ]


def test_users_and_devices_of_the_compose_file_are_those_of_an_installed_box() -> None:
    users = set(re.findall(r"^u (\S+)", (FILES / "tablebridge.sysusers").read_text(), re.M))
    named = {service["user"].partition(":")[0] for service in COMPOSE["services"].values()}
    # The uplink is for installed boxes alone: in a container nobody has the right to read another's journals.
    assert named == users - {"tablebridge-uplink"} | {"mosquitto", "root"}
    unit = (FILES / "tablebridge-driver@.service").read_text()
    allowed = re.findall(r"^DeviceAllow=char-(\S+) rw$", unit, re.M)
    rules = [f"c {MAJORS[name]}:* rw" for name in allowed]
    assert sorted(COMPOSE["services"]["table-1"]["device_cgroup_rules"]) == sorted(rules)


def test_the_password_is_handed_over_and_the_exit_status_back(
    entry: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "folder = pathlib.Path(os.environ['CREDENTIALS_DIRECTORY'])\n"
        "assert (folder / 'broker-password').read_text() == 'secret'\n"
        "report('READY=1')\n"
        "alive = folder.parent / 'alive'\n"
        "while not alive.exists(): time.sleep(0.01)\n"
        "sys.exit(7)\n"
    )
    monkeypatch.setattr(entry, "PROGRAM", program(tmp_path, text))
    assert entry.main(["engine"]) == 7
    assert not entry.ALIVE.exists(), "an ended process is not healthy"


def test_the_process_that_notifies_is_served_like_the_others(
    entry: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "report('READY=1')\nsys.exit(5 if sys.argv[1] == 'notify' else 1)\n"
    monkeypatch.setattr(entry, "PROGRAM", program(tmp_path, text))
    (entry.SETTINGS / "notify.password").write_text("secret")
    assert entry.main(["notify"]) == 5


def test_a_process_that_is_silent_is_killed(
    entry: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(entry, "PROGRAM", program(tmp_path, "report('READY=1')\ntime.sleep(600)\n"))
    monkeypatch.setattr(entry, "WATCHDOG_S", 0.1)
    assert entry.main(["engine"]) == 128 + 9
    assert "is killed" in capsys.readouterr().err


def test_a_missing_password_is_a_sentence(entry: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["web"]) == 2
    assert "web.password cannot be read (No such file or directory)" in capsys.readouterr().err


def test_an_engine_that_found_another_is_not_started_again_but_stands_still(tmp_path: Path) -> None:
    """Standing still is seen from outside: the process is there until it is asked to end."""
    (tmp_path / "engine.password").write_text("secret")
    text = (CONTAINER / "entry.py").read_text()
    changed = (
        text.replace('Path("/etc/tablebridge")', f"Path({str(tmp_path)!r})")
        .replace('Path("/tmp/tablebridge")', f"Path({str(tmp_path / 'run')!r})")
        .replace('"/opt/tablebridge/bin/tablebridge"', repr(program(tmp_path, "sys.exit(3)\n")))
    )
    script = tmp_path / "entry.py"
    script.write_text(changed)
    with subprocess.Popen(
        [sys.executable, str(script), "engine"], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert "not started again until a person does that" in process.stderr.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.terminate()
        assert process.wait(60) == 3
