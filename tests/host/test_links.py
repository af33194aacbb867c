"""Ports: real pyserial on pseudo-terminals, real sockets."""

import errno
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rig.pty import Pty

from tablebridge.host.links.link import Link, LinkRefused
from tablebridge.host.links.opening import open_link
from tablebridge.host.links.serial import refusal
from tablebridge.host.links.sight import sight
from tablebridge.model.errors import LinkError
from tablebridge.sdk import SerialPort

LINE = SerialPort(38400)
EVEN = SerialPort(38400, parity="E")


def read(link: Link, count: int, seconds: float = 60.0) -> bytes:
    deadline, data = time.monotonic() + seconds, b""
    while len(data) < count and time.monotonic() < deadline:
        select.select([link.fileno()], [], [], 0.1)
        data += link.read()
    return data


def test_bytes_go_both_ways(plugged: Callable[..., Pty]) -> None:
    pty = plugged(lambda data: data.upper())
    link = open_link(str(pty.link), LINE)
    assert link.read() == b""
    assert link.send(b"hello")
    assert read(link, 5) == b"HELLO"
    link.close()


def test_parity_on_a_pseudo_terminal_at_the_second_opening(plugged: Callable[..., Pty]) -> None:
    pty = plugged(lambda data: data)
    for _ in range(3):
        link = open_link(str(pty.link), EVEN)
        link.send(b"x")
        assert read(link, 1) == b"x"
        link.close()


def test_what_arrived_before_the_cable_was_pulled_is_given_out(plugged: Callable[..., Pty]) -> None:
    pty = plugged()
    link = open_link(str(pty.link), LINE)
    pty.say(b"abc")
    assert read(link, 3) == b"abc"
    pty.unplug()
    with pytest.raises(LinkError, match=r"went away.*check cable and power"):
        read(link, 1)
    with pytest.raises(LinkError, match="went away"):
        link.send(b"x")
    link.close()
    link.close()


def test_reopened_a_hundred_times(plugged: Callable[..., Pty]) -> None:
    pty = plugged(lambda data: data)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        open_link(str(pty.link), LINE).close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_port_held_by_another_program(plugged: Callable[..., Pty]) -> None:
    pty = plugged()
    link = open_link(str(pty.link), LINE)
    with pytest.raises(LinkRefused, match=r"held by another program.*fuser"):
        open_link(str(pty.link), LINE)
    link.close()
    open_link(str(pty.link), LINE).close()


def test_a_port_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match="is not there: plug the device in") as caught:
        open_link(str(tmp_path / "nothing"), LINE)
    assert not isinstance(caught.value, LinkRefused)


@pytest.mark.parametrize("port", ["a-file", ".", "/dev/null", "rfc2217://127.0.0.1:7"])
def test_what_is_no_port(tmp_path: Path, port: str) -> None:
    (tmp_path / "a-file").write_text("")
    with pytest.raises(LinkRefused, match=r"is no (serial )?port"):
        open_link(port if "/" in port else str(tmp_path / port), LINE)


def test_a_missing_right_names_the_group(plugged: Callable[..., Pty]) -> None:
    pty = plugged()
    assert "usermod -aG dialout" in str(refusal("/dev/ttyUSB0", OSError(errno.EACCES, "no")))
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody without the right")
    pty.link.parent.chmod(0o755)
    os.chmod(pty.link.resolve(), 0o600)
    code = (
        "import os, sys, serial; from tablebridge.host.links.opening import open_link\n"
        "from tablebridge.sdk import SerialPort\n"
        "from tablebridge.host.links.link import LinkRefused\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try: open_link(sys.argv[1], SerialPort(9600))\n"
        "except LinkRefused as error: print(error)"
    )
    # By its own name: the folders of the tests are closed to others.
    told = subprocess.run(
        [sys.executable, "-c", code, str(pty.link.resolve())], capture_output=True, text=True, check=True
    )
    assert "may not be opened" in told.stdout and "dialout" in told.stdout


def test_a_device_that_takes_nothing_is_given_up(plugged: Callable[..., Pty]) -> None:
    there, slave = os.openpty()
    link = open_link(os.ttyname(slave), LINE)
    with pytest.raises(LinkError, match="accepts no bytes any more"):
        for _ in range(1000):
            link.send(b"x" * 1024)
    link.close()
    os.close(there)
    os.close(slave)


def test_another_terminal_under_the_same_link_looks_different(plugged: Callable[..., Pty]) -> None:
    pty = plugged()
    before = sight(str(pty.link))
    assert before is not None and sight(str(pty.link)) == before
    plugged(name="blocker")
    pty.unplug()
    assert sight(str(pty.link)) is None
    plugged(name="taker")
    pty.plug()
    assert sight(str(pty.link)) not in (None, before)


def test_a_socket_goes_both_ways_and_its_end_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        link = open_link(f"socket://127.0.0.1:{port}", LINE)
        peer, _ = server.accept()
        assert link.read() == b""
        assert link.send(b"ask")
        assert peer.recv(10) == b"ask"
        peer.sendall(b"answer")
        peer.close()
        assert read(link, 6) == b"answer"
        with pytest.raises(LinkError, match=r"hung up|broke"):
            read(link, 1)
        link.close()
    with pytest.raises(LinkError, match="nobody answers at socket://127"):
        open_link(f"socket://127.0.0.1:{port}", LINE)


@pytest.mark.parametrize(
    "url", ["socket://", "socket://host", "socket://host:", "socket://host:port", "socket://host:99999"]
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(LinkRefused, match="write socket://HOST:PORT"):
        open_link(url, LINE)
