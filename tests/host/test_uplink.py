"""A device's way to the broker when the disk is full: what could not be kept is told, once there is room."""

import logging
from pathlib import Path

import msgspec
import pytest
from rig.wait import wait_for

from tablebridge.app.drive import DeviceUplink
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import DeviceHealth, DeviceMeta, ReadingMessage, decode
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.topics import HEALTH, META
from tablebridge.host.health import Health
from tablebridge.model.instant import Instant
from tablebridge.model.readings import DeviceStatus, Sweep
from tablebridge.settings.site import Broker, Site


def test_a_full_outbox_ends_nothing_and_the_loss_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        EmbeddedBroker(tmp_path, site="club", devices={"left": "t1"}) as broker,
        caplog.at_level(logging.ERROR),
    ):
        outbox = Outbox(tmp_path / "left.sqlite", limit_bytes=100_000)
        site = Site(name="club", state_dir=tmp_path, broker=Broker(port=broker.port))
        uplink = DeviceUplink(site, "t1", outbox, "feig", *broker.accounts["dev-left"], antennas=[0])
        appended = 0
        for number in range(1000):
            before = outbox.next_seq
            uplink.keep([(Instant(number, number), Sweep(0, (f"E0040100000{number:05X}",)))])
            appended += outbox.next_seq - before
        assert 0 < appended < 1000

        def drained() -> bool:
            uplink.step(0.02, ())
            return outbox.waiting == 0

        wait_for(drained, "the broker took what was kept")
        uplink.keep([(Instant(1, 1), Sweep(0, ()))])
        (_, status), (_, sweep) = outbox.range(outbox.next_seq - 2, outbox.next_seq - 1)
        told = msgspec.json.decode(status, type=ReadingMessage).stamped.reading
        assert told == DeviceStatus(
            "degraded", f"{1000 - appended} readings lost: the outbox could not be written"
        )
        assert msgspec.json.decode(sweep, type=ReadingMessage).stamped.reading == Sweep(0, ())
        uplink.close()
        outbox.close()
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("tablebridge.app")]
    assert len(lines) == 2 and "is full" in lines[0] and f"{1000 - appended} readings are lost" in lines[1]


def test_an_antenna_without_a_place_is_told_in_the_health(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    said: list[str] = []
    with (
        EmbeddedBroker(tmp_path, site="club", devices={"left": "t1"}) as broker,
        caplog.at_level(logging.WARNING),
    ):
        outbox = Outbox(tmp_path / "left.sqlite")
        site = Site(name="club", state_dir=tmp_path, broker=Broker(port=broker.port))
        uplink = DeviceUplink(site, "t1", outbox, "feig", *broker.accounts["dev-left"], antennas=[1])
        web = BusClient(site.broker, "web", *broker.accounts["web"])
        web.on_message = lambda topic, payload, retained, ack: (
            said.append(decode(payload, DeviceHealth).detail),
            ack(),
        )[1]
        web.subscribe(HEALTH.of("club", "t1", "left"))
        uplink.report(Health("live", Instant(1, 1)))
        for number in range(3):
            uplink.keep(
                [
                    (Instant(number, number), Sweep(antenna, tags))
                    for antenna, tags in ((1, ("E004010000000001",)), (4, ()), (7, ("E004010000000002",)))
                ]
            )

        def told() -> bool:
            uplink.step(0.02, ())
            web.step(0.02)
            return bool(said and said[-1])

        wait_for(told, "the health says it")
        uplink.close()
        web.close()
        outbox.close()
    assert said[-1] == "antenna 7 reads tags and has no place in the site file: what it reads is not used."
    assert sum("has no place" in record.getMessage() for record in caplog.records) == 1


def test_a_damaged_outbox_is_told_as_a_reading_and_the_driver_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "left.sqlite"
    box = Outbox(path)
    box.append([Sweep(0, (f"E0040100000{number:05X}",)) for number in range(500)], Instant(1, 1))
    before = box.epoch
    box.close()
    path.write_bytes(path.read_bytes()[:9000])
    births: list[DeviceMeta] = []
    with EmbeddedBroker(tmp_path, site="club", devices={"left": "t1"}) as broker:
        outbox = Outbox(path)
        site = Site(name="club", state_dir=tmp_path, broker=Broker(port=broker.port))
        uplink = DeviceUplink(site, "t1", outbox, "feig", *broker.accounts["dev-left"], antennas=[0])
        web = BusClient(site.broker, "web", *broker.accounts["web"])
        web.on_message = lambda topic, payload, retained, ack: (
            births.append(decode(payload, DeviceMeta)),
            ack(),
        )[1]
        web.subscribe(META.of("club", "t1", "left"))
        uplink.report(Health("live", Instant(2, 2)))
        uplink.keep([(Instant(3, 3), Sweep(0, ()))])

        def done() -> bool:
            uplink.step(0.02, ())
            web.step(0.02)
            return outbox.waiting == 0 and bool(births) and births[-1].next_seq == 3

        wait_for(done, "the broker took what was kept, and the birth of the new epoch")
        uplink.close()
        web.close()
        kept = [
            msgspec.json.decode(payload, type=ReadingMessage).stamped for _, payload in outbox.range(1, 9)
        ]
        outbox.close()
    (aside,) = tmp_path.glob("left.sqlite.damaged-*")
    status, sweep = kept
    assert isinstance(status.reading, DeviceStatus) and aside.name in status.reading.detail
    assert (status.reading.state, status.epoch, status.seq) == ("degraded", births[-1].epoch, 1)
    assert status.epoch != before and sweep.reading == Sweep(0, ())
