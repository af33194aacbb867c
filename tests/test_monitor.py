"""Metrics and health of a process that serves no pages: what is answered, and to what."""

import socket
from collections.abc import Iterator

import httpx
import pytest
from prometheus_client import CollectorRegistry, Counter
from rig.wait import wait_for

from tablebridge.archive.metrics import ArchiveMetrics
from tablebridge.archive.store import Outcome
from tablebridge.model.errors import ConfigError
from tablebridge.monitor import ALIVE_S, Condition, Monitor
from tablebridge.uplink.metrics import UplinkMetrics


class Watched:
    """A monitor, the clock of its condition, and somebody who asks it."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.condition = Condition("It has not begun.", lambda: self.now_s)
        registry = CollectorRegistry()
        Counter("tablebridge_tried", "tries", registry=registry).inc()
        self.monitor = Monitor(registry, self.condition)
        self.port = self.monitor.serve(0)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=30)


@pytest.fixture
def watched() -> Iterator[Watched]:
    watched = Watched()
    yield watched
    watched.monitor.close()


def test_metrics_are_shown_by_their_one_name(watched: Watched) -> None:
    answer = watched.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    samples = [line for line in answer.text.splitlines() if not line.startswith("#")]
    assert samples == ["tablebridge_tried_total 1.0"]


def test_ready_is_what_the_loop_last_said_and_why_not(watched: Watched) -> None:
    answer = watched.get("/health/ready")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "sentence": "It has not begun."})
    watched.condition.passed()
    answer = watched.get("/health/ready")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "sentence": ""})


def test_a_loop_that_stands_still_is_not_alive_and_not_ready(watched: Watched) -> None:
    watched.condition.passed("The room is away.")
    watched.now_s += ALIVE_S - 1
    assert watched.get("/health").status_code == 200, "not ready is no reason to restart it"
    watched.now_s += 1
    assert (watched.get("/health").status_code, watched.get("/health").json()) == (503, {"ok": False})
    watched.condition.passed()
    watched.now_s += ALIVE_S
    assert "stands still" in watched.get("/health/ready").json()["sentence"]


def test_what_is_no_question_is_refused(watched: Watched) -> None:
    assert watched.get("/").status_code == watched.get("/metrics/../etc/passwd").status_code == 404
    answer = httpx.post(f"http://127.0.0.1:{watched.port}/metrics", content=b"x", timeout=30)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    for garbage in (b"\x00\xff\r\n\r\n", b"GET\r\n\r\n", b"GET /health HTTP/9\r\n\r\n", b""):
        with socket.create_connection(("127.0.0.1", watched.port), 30) as client:
            client.sendall(garbage)
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass
    assert watched.get("/health").status_code == 200


@pytest.mark.slow
def test_a_client_that_says_nothing_is_put_out(watched: Watched) -> None:
    with socket.create_connection(("127.0.0.1", watched.port), 30):
        wait_for(lambda: watched.get("/health").status_code == 200, "the next client is answered", 30)


def test_it_listens_on_this_machine_alone_and_a_port_that_is_taken_is_a_sentence(watched: Watched) -> None:
    with socket.socket() as other, pytest.raises(OSError, match="refused"):
        other.connect(("127.0.0.2", watched.port))
    with pytest.raises(ConfigError, match=r"port \d+ of 127.0.0.1 cannot be had .* another with --metrics"):
        Monitor(CollectorRegistry(), watched.condition).serve(watched.port)


def test_an_uplink_is_ready_while_the_room_is_there_and_no_table_fails() -> None:
    metrics = UplinkMetrics()
    assert "cannot be reached" in metrics.condition.why_not
    metrics.connected(True)
    assert metrics.condition.why_not == ""
    metrics.failed("side")
    metrics.failed("main")
    metrics.connected(True)
    assert metrics.condition.why_not == "Records wait in the journal, and the log says why: main, side."
    metrics.worked("main")
    metrics.worked("side")
    metrics.connected(True)
    assert metrics.condition.why_not == ""
    metrics.connected(False)
    assert "cannot be reached" in metrics.condition.why_not


def test_a_worker_is_ready_while_database_and_stream_answer() -> None:
    metrics = ArchiveMetrics()
    assert "do not answer" in metrics.condition.why_not
    metrics.passed(is_up=True)
    metrics.took(Outcome([0], [], [], [], 0), 0.1, 1.0)
    assert metrics.condition.why_not == "" and value(metrics, "tablebridge_archive_ready") == 1
    metrics.failed()
    assert "do not answer" in metrics.condition.why_not and value(metrics, "tablebridge_archive_ready") == 0


def value(metrics: ArchiveMetrics, name: str) -> float | None:
    return metrics.registry.get_sample_value(name)
