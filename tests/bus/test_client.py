"""The client against real brokers: state after every connection, last will, refusals, one loop with other
descriptors.
"""

import logging
import os
import socket
import time
from collections import Counter
from pathlib import Path

import pytest

from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import Availability, Command, decode, encode
from tablebridge.bus.topics import AVAILABILITY, COMMAND, ENGINE_AVAILABILITY, READING, STATE
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Broker

SITE = ("site", "table1")


class Heard:
    """What a client received, acknowledged at once; what is the same is kept once, its count in `times`."""

    def __init__(self, client: BusClient) -> None:
        self.messages: list[tuple[str, bytes, bool]] = []
        self.times: Counter[tuple[str, bytes, bool]] = Counter()
        client.on_message = self.take

    def take(self, topic, payload, retained, ack) -> None:  # type: ignore[no-untyped-def]
        self.times[topic, payload, retained] += 1
        if self.times[topic, payload, retained] == 1:
            self.messages.append((topic, payload, retained))
        ack()


def test_retained_state_is_published_after_every_connection(bench) -> None:  # type: ignore[no-untyped-def]
    engine = bench.client("engine")
    topic, ups, downs = STATE.of(*SITE), [], []

    def up(present: bool) -> None:
        ups.append(present)
        assert engine.publish(topic, b'{"rev":%d}' % len(ups), retain=True) is not None

    engine.on_up, engine.on_down = up, downs.append
    bench.up(engine)
    bench.until(lambda: engine.in_flight == 0)
    bench.broker.kill()
    bench.until(lambda: bool(downs))
    bench.broker.start()
    bench.until(lambda: len(ups) == 2 and engine.in_flight == 0)
    assert ups == [False, ups[1]] and len(downs) == 1
    web = bench.client("web")
    heard = Heard(web)
    web.subscribe(STATE.filter(SITE[0]))
    bench.until(lambda: bool(heard.messages))
    assert heard.messages == [(topic, b'{"rev":2}', True)]
    bench.until(lambda: heard.times[topic, b'{"rev":2}', True] == 2, what="a second look after two seconds")


def test_the_last_will_speaks_for_a_process_that_died_and_not_for_one_that_left(bench) -> None:  # type: ignore[no-untyped-def]
    topic = AVAILABILITY.of(*SITE, "feig1")
    web = bench.client("web")
    heard = Heard(web)
    web.subscribe(AVAILABILITY.filter(SITE[0]))
    dying = bench.client("dev-feig1", will=(topic, encode(Availability("offline", "e1", "the process died"))))
    leaving = bench.client("dev-feig2", will=(AVAILABILITY.of(*SITE, "feig2"), b"must not be sent"))
    bench.up(web, dying, leaving)
    dying.publish(topic, encode(Availability("online", "e1")), retain=True)
    leaving.publish(AVAILABILITY.of(*SITE, "feig2"), encode(Availability("online", "e2")), retain=True)
    bench.until(lambda: len(heard.messages) == 2)
    bench.clients.remove(leaving)
    leaving.close()
    bench.drop(dying)
    bench.until(lambda: len(heard.messages) == 3)
    assert [decode(p, Availability).state for t, p, _ in heard.messages if t == topic] == [
        "online",
        "offline",
    ]
    late = bench.client("engine")
    again = Heard(late)
    late.subscribe(topic)
    bench.until(lambda: bool(again.messages))
    assert decode(again.messages[0][1], Availability).state == "offline"


def test_a_retained_command_is_refused(bench, caplog: pytest.LogCaptureFixture) -> None:  # type: ignore[no-untyped-def]
    web, engine = bench.client("web"), bench.client("engine")
    heard = Heard(engine)
    bench.up(web, engine)
    command = encode(Command("1", "Ann", "floor", 0, ("deal",)))
    web.publish(COMMAND.of(*SITE, "web"), command, retain=True)
    bench.until(lambda: web.in_flight == 0)
    engine.subscribe(COMMAND.filter(SITE[0]))
    bench.until(lambda: engine.refused >= 1)
    web.publish(COMMAND.of(*SITE, "web"), command)
    bench.until(lambda: bool(heard.messages))
    assert heard.messages == [(COMMAND.of(*SITE, "web"), command, False)]
    assert "retained message on tb/v1/site/table1/cmd/web/do is refused" in caplog.text


def test_a_wrong_password_is_one_clear_line(bench, caplog: pytest.LogCaptureFixture) -> None:  # type: ignore[no-untyped-def]
    began = time.monotonic()
    client = bench.client("dev-feig1", password="wrong")
    bench.until(lambda: "does not accept user or password of dev-feig1" in caplog.text)
    assert client._retry.due_s - began > 3.0, "the longest wait"
    client._retry.due_s = 0.0
    attempts = client._retry._failures
    bench.until(lambda: client._retry._failures >= attempts + 2)
    assert caplog.text.count("does not accept") == 1
    assert not client.connected


def test_two_processes_with_one_client_id_are_named(bench, caplog: pytest.LogCaptureFixture) -> None:  # type: ignore[no-untyped-def]
    first, second = bench.client("web", "web-same"), bench.client("web", "web-same")

    def hurried() -> bool:
        for client in (first, second):
            client._retry.due_s = min(client._retry.due_s, time.monotonic() + 0.3)
        return "either another process uses the same client id" in caplog.text

    bench.until(hurried)


def test_other_descriptors_are_watched_in_the_same_wait(bench) -> None:  # type: ignore[no-untyped-def]
    client = bench.client("web")
    bench.up(client)
    reading, writing = os.pipe()
    try:
        assert client.step(0.01, [reading]) == []
        os.write(writing, b"x")
        bench.until(lambda: client.step(60.0, [reading]) == [reading], 50.0)
    finally:
        os.close(reading)
        os.close(writing)


def test_an_exception_of_a_callback_comes_out_of_step_and_the_message_comes_again(bench) -> None:  # type: ignore[no-untyped-def]
    web, engine = bench.client("web"), bench.client("engine", "engine-1")
    topic = COMMAND.of(*SITE, "web")

    def fails(topic, payload, retained, ack) -> None:  # type: ignore[no-untyped-def]
        raise RuntimeError("the commit failed")

    engine.on_message = fails
    engine.subscribe(COMMAND.filter(SITE[0]))
    bench.up(web, engine)
    web.publish(topic, b"{}")
    with pytest.raises(RuntimeError, match="the commit failed"):
        bench.until(lambda: False)
    bench.drop(engine)
    back = bench.client("engine", "engine-1")
    heard = Heard(back)
    bench.until(lambda: bool(heard.messages))
    assert heard.messages[0][:2] == (topic, b"{}")


def test_an_absent_broker_does_not_hold_up_the_loop(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        client = BusClient(Broker(port=nobody.getsockname()[1]), "driver-feig1")
        for _ in range(5):
            client.step(0.01)
        assert client.publish(READING.of(*SITE, "feig1"), b"{}") is None
        assert [r.levelno for r in caplog.records if "cannot be reached" in r.message] == [logging.WARNING]
        client.close()


def test_a_broker_that_never_answers_is_left_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = BusClient(Broker(port=server.getsockname()[1]), "driver-feig1")
        client.step(0.0)
        server.accept()[0].close()
        deadline = time.monotonic() + 60
        while "closes the connection before it accepts" not in caplog.text:
            assert time.monotonic() < deadline
            client.step(0.01)
        client.close()


def test_a_certificate_that_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cafile"):
        BusClient(Broker(cafile=tmp_path / "none.crt"), "driver-feig1")


def test_what_is_retained_for_the_engine_stays(bench) -> None:  # type: ignore[no-untyped-def]
    """The broker's restart keeps retained state, so that a page that starts first is not blank."""
    engine = bench.client("engine")
    bench.up(engine)
    engine.publish(ENGINE_AVAILABILITY.of(*SITE), encode(Availability("online", "e1")), retain=True)
    bench.until(lambda: engine.in_flight == 0)
    bench.drop(engine)
    bench.broker.stop()
    bench.broker.start()
    web = bench.client("web")
    heard = Heard(web)
    web.subscribe(ENGINE_AVAILABILITY.filter(SITE[0]))
    bench.until(lambda: bool(heard.messages))
    assert heard.messages[0][2]
