"""The way of a reading over the bus: append, publish, deliver, take, acknowledge; beside plain paho with the
same payload.

Publisher and receiver are two processes with one clock. 300 readings at 100 a second, then 3,000 as fast as
they go. Ours: outbox on disk, Sender, BusClient, Inbox, acknowledgement by hand. Plain: paho's own loops, QoS
1, nothing on disk.
"""

import multiprocessing as mp
import tempfile
import time
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from benchmarks.figures import Figure, Options, Say, percentile
from tablebridge.bus.batches import batches
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.inbox import Inbox
from tablebridge.bus.messages import ReadingBatch, decode
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.sender import Sender
from tablebridge.bus.topics import READING
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.settings.site import Broker, Group

PACED, FLAT, GAP_S = 300, 3_000, 0.01
TOPIC = READING.of("site", "table1", "bench")
SWEEP = Sweep(1, ("E004015012AB3401", "E004015012AB3402"))


def receive_ours(port: int, user: tuple[str, str], ready: Any, results: Any) -> None:
    client, inbox, delays, times = BusClient(Broker(port=port), "bench-engine", *user), Inbox(), [], []

    def take(_topic: str, payload: bytes, _retained: bool, ack: Any) -> None:
        now = time.monotonic_ns()
        for stamped in inbox.take(decode(payload, ReadingBatch).stamped()[0], now).ready:
            delays.append(now - stamped.at.monotonic_ns)
            times.append(now)
        ack()

    client.on_message = take
    client.subscribe(TOPIC)
    while len(delays) < PACED + FLAT:
        client.step(1.0)
        if client.subscribed:
            ready.set()
    results.put((delays, times))
    client.close()


def receive_plain(port: int, user: tuple[str, str], ready: Any, results: Any) -> None:
    delays: list[int] = []
    times: list[int] = []
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id="bench-plain")
    client.username_pw_set(*user)

    def take(_client: Any, _data: Any, message: Any) -> None:
        now = time.monotonic_ns()
        delays.append(now - decode(message.payload, ReadingBatch).at.monotonic_ns)
        times.append(now)
        if len(delays) == PACED + FLAT:
            client.disconnect()

    client.on_message = take

    def connected(*_: object) -> None:
        client.subscribe(TOPIC, 1)

    client.on_connect = connected
    client.on_subscribe = lambda *_: ready.set()
    client.connect("127.0.0.1", port)
    client.loop_forever()
    results.put((delays, times))


def publish_ours(port: int, user: tuple[str, str], folder: Path) -> float:
    client, outbox = BusClient(Broker(port=port), "bench-driver", *user), Outbox(folder / "bench")
    sender = Sender(client, outbox, TOPIC)
    while not client.connected:
        client.step(0.01)
    cost = 0
    for _ in range(PACED):
        until = time.monotonic() + GAP_S
        now = time.monotonic_ns()
        outbox.append([("bench", Instant(0, now), SWEEP)])
        cost += time.monotonic_ns() - now
        sender.pump()
        while (rest := until - time.monotonic()) > 0:
            client.step(rest)
            sender.pump()
    for _ in range(FLAT):
        outbox.append([("bench", Instant(0, time.monotonic_ns()), SWEEP)])
        sender.pump()
        client.step(0)
    while not sender.idle:
        sender.pump()
        client.step(0.01)
    client.close()
    outbox.close()
    return cost / PACED / 1000


def publish_plain(port: int, user: tuple[str, str], _folder: Path) -> float:
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id="bench-plain-driver")
    client.username_pw_set(*user)
    client.connect("127.0.0.1", port)
    client.loop_start()
    while not client.is_connected():
        time.sleep(0.01)
    for number in range(PACED + FLAT):
        stamped = Stamped("bench", "e", number + 1, Instant(0, time.monotonic_ns()), SWEEP)
        client.publish(TOPIC, batches("bench", [stamped])[0][0], 1)
        if number < PACED:
            time.sleep(GAP_S)
    while client._out_messages:
        time.sleep(0.01)
    client.disconnect()
    client.loop_stop()
    return 0.0


def measured(
    broker: EmbeddedBroker, receive: Any, publish: Any, folder: Path
) -> tuple[float, float, float, float]:
    """Delay p50 and p99 in microseconds, readings per second flat out, microseconds to append one."""
    ready = mp.Event()
    results: mp.Queue[Any] = mp.Queue()
    receiver = mp.Process(target=receive, args=(broker.port, broker.accounts["engine"], ready, results))
    receiver.start()
    ready.wait(10)
    append_us = publish(broker.port, broker.accounts["dev-bench"], folder)
    delays, times = results.get(timeout=60)
    receiver.join()
    paced = [delay / 1000 for delay in delays[20:PACED]]
    return percentile(paced, 50), percentile(paced, 99), FLAT / (times[-1] - times[PACED]) * 1e9, append_us


def run(options: Options, say: Say) -> list[Figure]:
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedBroker(Path(folder), groups=[Group("bench", "table1", ("bench",))]) as broker,
    ):
        say("bus: plain paho")
        plain = measured(broker, receive_plain, publish_plain, Path(folder))
        say("bus: outbox, sender, client, inbox")
        ours = measured(broker, receive_ours, publish_ours, Path(folder))
    return [
        Figure("outbox to inbox at 100 readings/s, p50", ours[0], "us", "plain paho", plain[0]),
        Figure("outbox to inbox at 100 readings/s, p99", ours[1], "us", "plain paho", plain[1]),
        Figure("outbox to inbox flat out", ours[2], "readings/s", "plain paho", plain[2], better="higher"),
        Figure("append of one reading to the outbox", ours[3], "us"),
    ]
