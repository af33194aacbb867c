"""A last will that comes late, after its client has come back, is not believed and does not stay."""

import os
import signal
import time
from collections.abc import Callable
from typing import Literal

import pytest

from tablebridge.app.engine import EngineProcess
from tablebridge.app.group_link import GroupLink
from tablebridge.bus.availability import Life, is_news
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import Availability, DeviceHealth, decode, encode
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.topics import AVAILABILITY, ENGINE_AVAILABILITY, HEALTH
from tablebridge.journal.read import entries
from tablebridge.journal.store import Journal
from tablebridge.model.events import DeviceState
from tablebridge.model.instant import Instant
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tests.bus.conftest import SITE, Bench


def site_of(bench: Bench) -> Site:
    path = bench.folder / "site.toml"
    path.write_text(
        f'name = "site"\nstate_dir = "{bench.folder}"\n[broker]\nport = {bench.broker.port}\n[[table]]\n'
        'name = "table1"\ngroup = "alone"\n[[table.device]]\nname = "feig1"\ndriver = "line"\n'
        'port = "/dev/null"\n'
        'antennas = { 0 = "seat 1" }\n'
    )
    return load_site(path)


def link_of(bench: Bench) -> GroupLink:
    outbox, site = Outbox(bench.folder / "outbox" / "feig1"), site_of(bench)
    made = GroupLink(site, site.groups[0], outbox, *bench.broker.accounts["dev-feig1"])
    bench.rounds.append(lambda: (made.step(0.002, ()), None)[1])
    return made


class Page:
    """Who looks at the pages: what the newest message says of one process, and what pages believe. `said`:
    all of it.
    """

    def __init__(self, bench: Bench, account: str, topic: str) -> None:
        self.said: list[str] = []
        self._known: Availability | None = None
        self.client = bench.client(account)
        self.client.on_message = self._take
        self.client.subscribe(topic)

    def _take(self, topic: str, payload: bytes, retained: bool, ack: Callable[[], None]) -> None:
        availability = decode(payload, Availability)
        self.said.append(availability.state)
        if is_news(self._known, availability):
            self._known = availability
        ack()

    @property
    def believes(self) -> str:
        """What the pages show: a broker may deliver a late will after its correction."""
        return "" if self._known is None else self._known.state

    @property
    def shows(self) -> str:
        return self.said[-1] if self.said else ""


def test_an_offline_of_a_connection_before_the_known_one_is_not_believed() -> None:
    times = iter((5, 10, 20))
    life = Life("e", "gone", lambda: next(times))
    late = life.will()
    first = life.says("online")
    will = life.will()
    online = life.says("online")
    assert (late.since_wall_ns, first.since_wall_ns, will.since_wall_ns) == (10, 10, 20)
    assert [is_news(known, late) for known in (None, first, online)] == [True, True, False]
    assert is_news(online, will) and is_news(online, life.says("offline", "stopped"))
    assert is_news(will, first), "a clock may be set back: who says that it runs is believed"


@pytest.mark.parametrize("who", ["driver", "engine"])
def test_who_runs_corrects_its_own_late_will(bench: Bench, who: str) -> None:
    engine, topic = None, AVAILABILITY.of(*SITE, "feig1")
    if who == "driver":
        client: BusClient = link_of(bench)._client
    else:
        engine, topic = EngineProcess(site_of(bench)), ENGINE_AVAILABILITY.of(*SITE)
        client = engine._client
        bench.rounds.append(engine.step)
    page = Page(bench, "web", topic)
    bench.until(lambda: page.shows == "online" and client.subscribed, what="it runs")
    client.publish(
        topic, encode(Availability("offline", "", "the will of a connection that is over", 1)), retain=True
    )
    bench.until(lambda: page.said[-2:] == ["offline", "online"], what="it says so again")
    late = Page(bench, "engine" if who == "driver" else "listen-floor", topic)
    bench.until(lambda: bool(late.said), what="what the broker retains")
    assert late.said[0] == "online"


def test_the_engine_raises_nothing_for_the_late_will_of_a_driver_that_is_back(bench: Bench) -> None:
    engine, driver = EngineProcess(site_of(bench)), bench.client("dev-feig1")
    bench.rounds.append(engine.step)
    bench.up(driver, engine._client)

    def says(state: str, since: int) -> None:
        driver.publish(
            AVAILABILITY.of(*SITE, "feig1"), encode(Availability(state, "e", "", since)), retain=True
        )  # type: ignore[arg-type]

    def lost() -> list[str]:
        record = Journal(bench.folder / "journal" / "table1.sqlite", "table1", readonly=True)
        try:
            return [entry.event.state for entry in entries(record) if isinstance(entry.event, DeviceState)]
        finally:
            record.close()

    says("online", 20)
    says("offline", 10)
    says("online", 30)
    until = time.monotonic() + 1.5
    bench.until(lambda: time.monotonic() > until)
    assert lost() == []
    says("offline", 30)
    bench.until(lambda: lost() == ["lost"], what="the will of the present connection is believed")


def test_what_a_crashed_broker_had_retained_of_a_device_is_no_news(bench: Bench) -> None:
    """The reader was lost and is back; the broker forgot the second when it crashed."""
    engine = EngineProcess(site_of(bench))
    bench.rounds.append(engine.step)
    bench.up(engine._client)

    def receives(state: Literal["live", "lost"], at_ns: int, *, retained: bool) -> list[str]:
        health = DeviceHealth("feig1", state, Instant(at_ns, at_ns))
        engine._message(HEALTH.of(*SITE, "feig1"), encode(health), retained, lambda: None)
        until = time.monotonic() + 0.3
        bench.until(lambda: time.monotonic() > until)
        record = Journal(bench.folder / "journal" / "table1.sqlite", "table1", readonly=True)
        try:
            return [entry.event.state for entry in entries(record) if isinstance(entry.event, DeviceState)]
        finally:
            record.close()

    assert receives("lost", 10, retained=True) == ["lost"]
    assert receives("live", 20, retained=False) == ["lost", "live"]
    assert receives("lost", 10, retained=True) == ["lost", "live"]
    assert receives("lost", 15, retained=False) == ["lost", "live", "lost"], "a clock may be set back"


@pytest.mark.slow
def test_a_broker_that_stood_still_longer_than_clients_wait_leaves_a_running_driver_online(
    bench: Bench,
) -> None:
    link_of(bench)
    page = Page(bench, "web", AVAILABILITY.of(*SITE, "feig1"))
    bench.until(lambda: page.shows == "online")
    assert bench.broker.pid is not None
    os.kill(bench.broker.pid, signal.SIGSTOP)
    try:
        until = time.monotonic() + 22
        bench.until(lambda: time.monotonic() > until, 60)
    finally:
        os.kill(bench.broker.pid, signal.SIGCONT)
    # By now the broker has published the wills of the connections that it took for dead.
    until = time.monotonic() + 12
    bench.until(lambda: time.monotonic() > until, 60)
    late = Page(bench, "engine", AVAILABILITY.of(*SITE, "feig1"))
    bench.until(
        lambda: (page.believes, late.believes) == ("online", "online"),
        what="the driver has corrected a late will",
    )
