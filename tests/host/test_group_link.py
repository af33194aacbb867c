"""A device's way to the broker when the disk is full: what could not be kept is told, once there is room."""

import logging
from pathlib import Path

import pytest
from rig.groups import readings_of
from rig.wait import wait_for

from tablebridge.app.group_link import DeviceLink, GroupLink
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import DeviceHealth, DeviceMeta, decode
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.topics import HEALTH, META
from tablebridge.host.health import Health
from tablebridge.model.instant import Instant
from tablebridge.model.readings import DeviceStatus, Sweep
from tablebridge.settings.site import Broker, Group, Site

GROUP = Group("main", "t1", ("left",))


def links(site: Site, outbox: Outbox, broker: EmbeddedBroker, antenna: int) -> tuple[GroupLink, DeviceLink]:
    """Those of a group and of its device, which has this antenna."""
    group = GroupLink(site, GROUP, outbox, *broker.accounts["dev-main"])
    return group, group.device("left", "feig", [antenna])


def test_a_full_outbox_ends_nothing_and_the_loss_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        EmbeddedBroker(tmp_path, site="club", groups=[GROUP]) as broker,
        caplog.at_level(logging.ERROR),
    ):
        outbox = Outbox(tmp_path / "main", limit_bytes=100_000, file_bytes=10_000)
        site = Site(name="club", state_dir=tmp_path, broker=Broker(port=broker.port))
        group, link = links(site, outbox, broker, 0)
        broker.kill()
        appended = 0
        for number in range(1000):
            before = outbox.next_seq("left")
            link.keep([(Instant(number, number), Sweep(0, (f"E0040100000{number:05X}",)))])
            group.step(0, ())
            appended += outbox.next_seq("left") - before
        assert 0 < appended < 1000

        broker.start()

        def drained() -> bool:
            group.step(0.02, ())
            return outbox.waiting == 0

        wait_for(drained, "the broker took what was kept")
        link.keep([(Instant(1, 1), Sweep(0, ()))])
        following = outbox.next_seq("left")
        wait_for(lambda: (group.step(0.02, ()), outbox.next_seq("left") == following + 2)[1], "it is kept")
        ((_, payload),) = outbox.replay("left", following, following + 1, 9)
        status, sweep = readings_of(payload)
        assert status.reading == DeviceStatus(
            "degraded", f"{1000 - appended} readings lost: the outbox could not be written"
        )
        assert sweep.reading == Sweep(0, ())
        group.close()
        outbox.close()
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("tablebridge.app")]
    assert len(lines) == 2 and "is full" in lines[0] and f"{1000 - appended} readings are lost" in lines[1]


def test_an_antenna_without_a_place_is_told_in_the_health(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    said: list[str] = []
    with (
        EmbeddedBroker(tmp_path, site="club", groups=[GROUP]) as broker,
        caplog.at_level(logging.WARNING),
    ):
        outbox = Outbox(tmp_path / "main")
        site = Site(name="club", state_dir=tmp_path, broker=Broker(port=broker.port))
        group, link = links(site, outbox, broker, 1)
        web = BusClient(site.broker, "web", *broker.accounts["web"])
        web.on_message = lambda topic, payload, retained, ack: (
            said.append(decode(payload, DeviceHealth).detail),
            ack(),
        )[1]
        web.subscribe(HEALTH.of("club", "t1", "left"))
        link.report(Health("live", Instant(1, 1)))
        for number in range(3):
            link.keep(
                [
                    (Instant(number, number), Sweep(antenna, tags))
                    for antenna, tags in ((1, ("E004010000000001",)), (4, ()), (7, ("E004010000000002",)))
                ]
            )

        def told() -> bool:
            group.step(0.02, ())
            web.step(0.02)
            return bool(said and said[-1])

        wait_for(told, "the health says it")
        group.close()
        web.close()
        outbox.close()
    assert said[-1] == "antenna 7 reads tags and has no place in the site file: what it reads is not used."
    assert sum("has no place" in record.getMessage() for record in caplog.records) == 1


def test_a_damaged_outbox_is_told_as_a_reading_and_the_driver_goes_on(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "main")
    box.append([("left", Instant(1, 1), Sweep(0, (f"E0040100000{number:05X}",))) for number in range(500)])
    before = box.epoch
    box.close()
    path = min((tmp_path / "main").glob("*.log"))
    data = bytearray(path.read_bytes())
    data[500] ^= 1
    path.write_bytes(data)
    births: list[DeviceMeta] = []
    with EmbeddedBroker(tmp_path, site="club", groups=[GROUP]) as broker:
        outbox = Outbox(tmp_path / "main")
        site = Site(name="club", state_dir=tmp_path, broker=Broker(port=broker.port))
        group, link = links(site, outbox, broker, 0)
        web = BusClient(site.broker, "web", *broker.accounts["web"])
        web.on_message = lambda topic, payload, retained, ack: (
            births.append(decode(payload, DeviceMeta)),
            ack(),
        )[1]
        web.subscribe(META.of("club", "t1", "left"))
        link.report(Health("live", Instant(2, 2)))
        link.keep([(Instant(3, 3), Sweep(0, ()))])

        def done() -> bool:
            group.step(0.02, ())
            web.step(0.02)
            return outbox.waiting == 0 and bool(births) and births[-1].epoch == outbox.epoch

        wait_for(done, "the broker took what was kept, and the birth of the new epoch")
        group.close()
        web.close()
        kept = [one for _, payload in outbox.unsent(0, 9) for one in readings_of(payload)] or [
            one for _, payload in outbox.replay("left", 1, 9, 9) for one in readings_of(payload)
        ]
        outbox.close()
    (aside,) = (tmp_path / "main").glob("*.damaged-*")
    status, sweep = kept
    assert isinstance(status.reading, DeviceStatus) and aside.name in status.reading.detail
    assert (status.reading.state, status.epoch, status.seq) == ("degraded", births[-1].epoch, 1)
    assert status.epoch != before and sweep.reading == Sweep(0, ())
