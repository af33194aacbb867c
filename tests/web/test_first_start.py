"""The first start: who is let in, and what nobody may do from the page."""

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from rig.wait import wait_for

from .bench import Bench, bench_in


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with bench_in(tmp_path, "one") as bench:
        yield bench


@pytest.fixture
def inside(bench: Bench) -> Iterator[httpx.Client]:
    """Whoever opened the link."""
    link = bench.start()
    base = link.partition("/login")[0]
    with httpx.Client(base_url=base, timeout=60, headers={"sec-fetch-site": "same-origin"}) as client:
        assert client.get(link).status_code == 200
        wait_for(lambda: "Choose devices" in client.get("/setup").text, "the set-up process is there")
        yield client


def wish(client: httpx.Client, id: str, **what: str) -> tuple[int, str]:
    answer = client.post("/api/setup", json={"id": id, "wish": what})
    return answer.status_code, answer.json()["sentence"]


def test_the_link_is_good_once_on_this_box_alone_and_opens_the_set_up_alone(bench: Bench) -> None:
    link = bench.start()
    base = link.partition("/login")[0]
    assert httpx.URL(link).host == "127.0.0.1"
    with httpx.Client(base_url=base, timeout=60) as first, httpx.Client(base_url=base, timeout=60) as second:
        assert first.get("/setup").status_code == 401
        assert first.get(link).status_code == 200
        assert first.get("/setup").status_code == 200
        assert second.get(link).status_code == 401 and second.get("/setup").status_code == 401
        kept = first.cookies["tablebridge"]
        assert kept not in link, "the browser has another secret than the link"
        for path in ("/floor", "/devices", "/api/tables", "/overlay/main"):
            assert first.get(path).status_code == 404, path
    assert not list(bench.state.glob("tokens*")), "nothing of it is on the disk"


def test_nothing_is_chosen_by_itself_and_nothing_while_choosing_is_closed(
    bench: Bench, inside: httpx.Client
) -> None:
    port = bench.port("one")
    wait_for(lambda: port in inside.get("/setup/devices").text, "the port is listed")
    assert bench.ptys["one"].heard == 0, "nothing was sent to it"
    status, sentence = wish(inside, "adopt-001", type="adopt", port=port, driver="feig")
    assert status == 409 and sentence.startswith("Adopting is closed")
    assert bench.ptys["one"].heard == 0
    assert wish(inside, "open-0001", type="open-adopting")[0] == 200
    unknown = wish(inside, "adopt-002", type="adopt", port="/dev/ttyS77", driver="feig")
    assert unknown[0] == 409 and "Nothing is known at" in unknown[1]
    assert wish(inside, "adopt-003", type="adopt", port=port, driver="fieg")[0] == 409
    assert wish(inside, "adopt-004", type="adopt", port=port, driver="feig")[0] == 200
    wait_for(lambda: "feig-1" in inside.get("/setup/devices").text, "it is chosen")
    again = wish(inside, "adopt-005", type="adopt", port=port, driver="feig")
    assert again == (409, f"{port} is the device feig-1 already: a device is added once only.")


def test_a_wish_is_done_once_and_what_is_no_wish_is_refused(inside: httpx.Client) -> None:
    taken_back = [wish(inside, "same-0001", type="skip", step="decks", reason="none here") for _ in range(2)]
    assert [status for status, _ in taken_back] == [200, 200], "the second was the first"
    assert wish(inside, "other-001", type="skip", step="decks", reason="none here")[0] == 409
    assert wish(inside, "odd-00001", type="delete-everything")[0] == 400
    elsewhere = inside.post(
        "/api/setup",
        json={"id": "cross-001", "wish": {"type": "finish"}},
        headers={"sec-fetch-site": "cross-site"},
    )
    assert elsewhere.status_code == 403
    assert "skipped: none here" in inside.get("/setup/decks").text


def test_the_socket_is_private_and_cuts_off_who_sends_something_else(bench: Bench) -> None:
    bench.start()
    path = bench.state / "setup" / "socket"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.settimeout(60)
        caller.connect(str(path))
        caller.sendall(b'{"id": "12345678", "by": "x", "wish": {"type": "shell", "run": "id"}}\n')
        received = b""
        while part := caller.recv(65_536):
            received += part
    assert all("picture" in json.loads(line) for line in received.splitlines())


def test_run_without_a_site_file_opens_the_set_up_for_whoever_sits_at_the_terminal(tmp_path: Path) -> None:
    terminal, keyboard = os.openpty()
    command = [sys.executable, "-m", "tablebridge", "run", "--site", str(tmp_path / "site.toml")]
    process = subprocess.Popen(
        command, stdin=keyboard, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        assert process.stdout.readline().endswith("site.toml yet: the set-up writes it.\n")
        assert process.stdout.readline() == "Open on this box; the link is good once:\n"
        link = process.stdout.readline().strip()
        assert httpx.get(link, timeout=60).status_code == 200
        process.terminate()
        assert process.wait(60) == 2
        assert "run the same command to go on" in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        os.close(terminal)
        os.close(keyboard)
