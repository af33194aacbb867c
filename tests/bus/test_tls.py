"""The TLS listener of the committed configuration, switched on, with certificates for broker and client."""

import os
import pwd
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig.groups import alone
from rig.ports import free_port

from tablebridge.bus.access import accounts_of, mosquitto_acl
from tablebridge.bus.client import BusClient
from tablebridge.settings.site import Broker

CONFIG = Path(__file__).parents[2] / "tablebridge/install/files/mosquitto.conf"


def signed(folder: Path, name: str, *more: str) -> None:
    """A key and a certificate with this common name, signed by the folder's authority."""
    subject = ["-subj", f"/CN={name}", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    by = ["-CA", f"{folder}/ca.crt", "-CAkey", f"{folder}/ca.key"] if name != "ca" else []
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-days",
            "2",
            *subject,
            *by,
            *more,
            "-keyout",
            f"{folder}/{name}.key",
            "-out",
            f"{folder}/{name}.crt",
        ],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    binary = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
    assert binary is not None
    signed(tmp_path, "ca")
    signed(
        tmp_path,
        "broker",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-addext",
        "basicConstraints=critical,CA:FALSE",
    )
    signed(tmp_path, "dev-feig1", "-addext", "basicConstraints=critical,CA:FALSE")
    number = free_port()
    (tmp_path / "acl").write_text(mosquitto_acl("s", accounts_of(alone({"feig1": "t"}))))
    text = re.sub(
        r"^#([a-z_]+ ?\S*)$", r"\1", CONFIG.read_text(), flags=re.M
    )  # a key behind a bare # is one to switch on
    text = re.sub(r"^(listener 1883|password_file).*\n", "", text, flags=re.M)
    for line, mine in {
        "listener 8883": f"listener {number} 127.0.0.1",
        "/etc/mosquitto/certs": str(tmp_path),
        "/etc/mosquitto/tablebridge.acl": f"{tmp_path}/acl",
    }.items():
        assert line in text
        text = text.replace(line, mine)
    # Debian's own mosquitto.conf has the folder; without it the store is written where the tests are started.
    head = f"user {pwd.getpwuid(os.getuid()).pw_name}\npersistence_location {tmp_path}/\n"
    (tmp_path / "tls.conf").write_text(head + text)
    with (tmp_path / "log").open("wb") as output:
        process = subprocess.Popen([binary, "-c", str(tmp_path / "tls.conf")], stdout=output, stderr=output)
    deadline = time.monotonic() + 60
    while "running" not in (tmp_path / "log").read_text():
        assert process.poll() is None and time.monotonic() < deadline, (tmp_path / "log").read_text()
        time.sleep(0.02)
    yield number
    process.terminate()
    process.wait()


def test_who_has_a_certificate_gets_in_and_who_has_none_does_not(port: int, tmp_path: Path) -> None:
    heard: list[str] = []
    with_one = BusClient(
        Broker(
            port=port,
            cafile=tmp_path / "ca.crt",
            certfile=tmp_path / "dev-feig1.crt",
            keyfile=tmp_path / "dev-feig1.key",
        ),
        "driver-feig1",
    )
    without = BusClient(Broker(port=port, cafile=tmp_path / "ca.crt"), "driver-feig2")
    with_one.on_message = lambda topic, payload, retained, ack: heard.append(topic)
    with_one.subscribe("tb/v1/s/t/dev/feig1/meta")
    deadline = time.monotonic() + 60
    token = None
    while not with_one.subscribed or with_one.in_flight or token is None:
        assert time.monotonic() < deadline
        with_one.step(0.02)
        without.step(0.02)
        if token is None:
            token = with_one.publish("tb/v1/s/t/dev/feig1/meta", b"x" * 60_000, retain=True)
    assert "u'dev-feig1'" in (tmp_path / "log").read_text(), "the common name is the account"
    assert not without.connected
    with_one.close()
    without.close()
