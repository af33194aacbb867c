"""Nothing is lost: real brokers, real kills. What the engine side commits is every number once and in
order.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bus.conftest import Bench, DriverSide, EngineSide

PROCESS = Path(__file__).with_name("driver_process.py")


def everything(bench: Bench, driver: DriverSide, engine: EngineSide, count: int) -> None:
    bench.until(
        lambda: len(engine.committed) >= count and driver.sender.idle, what=f"{count} readings, each once"
    )
    assert engine.seqs() == list(range(1, count + 1))
    assert engine.lost == []


def after_readings(bench: Bench, count: int) -> tuple[DriverSide, EngineSide]:
    """A driver and an engine that has committed the driver's first readings."""
    driver, engine = DriverSide(bench), EngineSide(bench)
    bench.up(driver.client, engine.client)
    driver.read(count)
    everything(bench, driver, engine, count)
    return driver, engine


def test_readings_wait_in_the_outbox_while_the_broker_is_away(bench: Bench) -> None:
    driver, engine = after_readings(bench, 30)
    bench.broker.kill()
    bench.until(lambda: not driver.client.connected, what="the loss is noticed")
    driver.read(300)
    assert driver.client.publish("tb/v1/site/table1/obs/feig1", b"{}") is None
    assert driver.outbox.waiting == 300
    bench.broker.start()
    everything(bench, driver, engine, 330)
    driver.outbox.close()


def test_a_broker_killed_in_full_flight_that_comes_back_with_its_store(bench: Bench) -> None:
    driver, engine = DriverSide(bench), EngineSide(bench)
    bench.up(driver.client, engine.client)
    driver.read(2_000)
    bench.until(lambda: driver.outbox.acked_to > 300)
    bench.broker.kill()
    bench.broker.start()
    everything(bench, driver, engine, 2_000)
    driver.outbox.close()


def test_a_broker_that_comes_back_without_its_store_while_the_engine_was_away(bench: Bench) -> None:
    """The worst: readings acknowledged to the driver, never delivered, and forgotten by the broker."""
    driver, engine = after_readings(bench, 40)
    bench.drop(engine.client)
    bench.rounds.remove(engine.due)
    driver.read(400)
    bench.until(lambda: driver.sender.idle, what="the broker has taken all")
    bench.broker.kill()
    for store in ("nats", "mosquitto"):
        shutil.rmtree(bench.folder / "broker" / store, ignore_errors=True)
    (bench.folder / "broker" / "mosquitto").mkdir(exist_ok=True)
    bench.broker.start()
    back = EngineSide(bench)
    back.committed, back.inbox = engine.committed, type(engine.inbox)(engine.inbox.positions())
    everything(bench, driver, back, 440)
    driver.outbox.close()


def test_a_driver_process_killed_in_full_flight(bench: Bench) -> None:
    engine = EngineSide(bench)
    bench.up(engine.client)
    _, password = bench.broker.accounts["dev-feig1"]
    process = subprocess.Popen(
        [sys.executable, str(PROCESS), str(bench.folder), str(bench.broker.port), password, "100000"],
        stdout=subprocess.DEVNULL,
    )
    try:
        bench.until(lambda: len(engine.committed) > 200, what="the process publishes")
    finally:
        process.kill()
        process.wait()
    driver = DriverSide(bench)
    count = driver.outbox.next_seq("feig1") - 1
    everything(bench, driver, engine, count)
    driver.outbox.close()


@pytest.mark.parametrize("engine_is", ["early", "late"])
def test_what_was_sent_into_a_hanging_broker_by_a_driver_that_then_died(bench: Bench, engine_is: str) -> None:
    """Written to the socket is not delivered: only PUBACK lets a row count as sent. An engine that returns
    late finds a broker that forgot its session and has given the rows to nobody.
    """
    driver, engine = DriverSide(bench), EngineSide(bench)
    bench.up(driver.client, engine.client)
    bench.until(lambda: engine.knows(driver.device), what="the engine hears of the device")
    assert bench.broker.pid is not None
    os.kill(bench.broker.pid, signal.SIGSTOP)
    driver.read(50)
    driver.sender.pump()
    assert driver.client.in_flight >= 50
    bench.drop(driver.client)
    bench.rounds.remove(driver.sender.pump)
    driver.outbox.close()
    bench.broker.kill()
    bench.broker.start()
    back = DriverSide(bench)
    assert back.outbox.waiting == 50
    if engine_is == "late":
        bench.clients.remove(engine.client)
        bench.until(lambda: back.sender.idle, what="the broker has taken all")
        bench.clients.append(engine.client)
    everything(bench, back, engine, 50)
    back.outbox.close()


def test_what_was_not_acknowledged_comes_again_to_an_engine_that_died(bench: Bench) -> None:
    driver, engine = DriverSide(bench), EngineSide(bench)
    seen: list[str] = []
    engine.client.on_message = lambda topic, payload, retained, ack: seen.append(
        topic
    )  # dies before every commit
    bench.until(lambda: bool(seen), what="birth: the subscription stands")
    driver.read(50)
    bench.until(lambda: sum("/obs/" in topic for topic in seen) >= 50)
    bench.drop(engine.client)
    bench.rounds.remove(engine.due)
    back = EngineSide(bench)
    everything(bench, driver, back, 50)
    driver.outbox.close()


def test_a_range_is_replayed(bench: Bench) -> None:
    driver, engine = after_readings(bench, 500)
    engine.inbox, engine.committed = type(engine.inbox)({("feig1", driver.outbox.epoch): 101}), []
    driver.read(1)
    bench.until(lambda: len(engine.committed) == 401)
    assert engine.seqs() == list(range(101, 502))
    driver.outbox.close()


def test_what_is_gone_from_a_range_is_told(bench: Bench) -> None:
    """Nothing of the range is under way: what is still replayed would not be gone."""
    driver, engine = after_readings(bench, 500)
    driver.outbox._files.prune(driver.outbox.acked_to, 0)
    gone = driver.outbox.first_seq("feig1") - 1
    assert gone > 300
    engine.inbox, engine.committed = type(engine.inbox)({("feig1", driver.outbox.epoch): 301}), []
    driver.read(1)
    bench.until(lambda: len(engine.committed) == 501 - gone)
    assert engine.seqs() == list(range(gone + 1, 502))
    assert [(lost.first, lost.last) for lost in engine.lost] == [(301, gone)]
    driver.outbox.close()
