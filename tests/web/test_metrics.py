"""Metrics: what they say, to whom, and that nothing in them is secret or without a bound."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tablebridge.bus import topics
from tablebridge.bus.messages import (
    ActiveAlerts,
    Availability,
    DeviceHealth,
    EngineBeat,
    TableCounters,
    encode,
)
from tablebridge.bus.topics import Topic
from tablebridge.floor.alerts import Alerts
from tablebridge.model.calls import NotifierState
from tablebridge.model.commit_times import BOUNDS_MS, CommitTimes
from tablebridge.model.instant import Instant
from tablebridge.settings.site import Device, Site, Table, Web, Webhook
from tablebridge.web.hub import Hub
from tablebridge.web.metrics import METRICS, exposition
from tablebridge.web.webhooks.hook import Hook
from tablebridge.web.webhooks.webhooks import Webhooks

from .hall import Hall, misdeal, until, view
from .live import Room

NOW_NS = 1_800_000_000_000_000_000
YEAR_NS = 365 * 86_400 * 10**9
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def read(text: bytes) -> Samples:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples[f"tablebridge_{name}", frozenset(labels.items())]


def publish(hub: Hub, topic: Topic, message: object, *names: str) -> None:
    hub.take(topic.of("hall", "main", *names), encode(message))


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """One table that has said something of everything."""
    device = Device(name="reader", driver="line", port="/dev/null")
    table = Table(name="main", device=(device,), names={4: "Chen"})  # type: ignore[call-arg]
    site = Site(name="hall", state_dir=tmp_path, web=Web(port=0), table=(table, Table(name="side")))  # type: ignore[call-arg]
    hub = Hub(site, lambda: 50.0)
    hub.bus(True)
    publish(hub, topics.ENGINE_AVAILABILITY, Availability("online", "1"))
    publish(hub, topics.ENGINE_BEAT, EngineBeat("1"))
    commits = CommitTimes()
    for ms in (0.5, 3, 3, 5_000):
        commits.took(round(ms * 1e6))
    counters = TableCounters(
        "1",
        7,
        {"misdeal": 2, "no-such-finding": 1},
        {"reader": 3},
        {"reader": 12},
        5,
        6,
        8,
        300.0,
        tuple(commits.counts),
        commits.total_ns,
    )
    publish(hub, topics.COUNTERS, counters)
    publish(hub, topics.STATE, view())
    alerts = Alerts()
    alerts.raise_(misdeal(severity="critical"), Instant(NOW_NS - 90 * 10**9, 0))
    publish(hub, topics.ALERTS, ActiveAlerts(alerts.active(), 5, 3))
    rejects = {"checksum": 4, "E004010012345678": 1, "As": 2}
    health = DeviceHealth("reader", "live", Instant(NOW_NS, 0), NOW_NS - 2 * 10**9, "", 1, 900, rejects, 11)
    publish(hub, topics.HEALTH, health, "reader")
    publish(hub, topics.AVAILABILITY, Availability("online", "1"), "main")
    hub.take("elsewhere", b"")
    hub.notifications.take_state(NotifierState("online", "1", failing=("mail of Vera",), more_failing=2))
    lights = Hook(Webhook(name="lights", url="http://192.168.7.30/"), "secret")
    hub.webhooks = Webhooks((lights,), tmp_path / "events.sqlite")
    yield hub
    hub.close()


def test_every_metric_says_what_was_heard(hub: Hub) -> None:
    samples = read(exposition(hub, ("main", "side"), lambda: NOW_NS))
    assert value(samples, "broker_connected") == 1
    assert value(samples, "messages_refused_total", reason="unknown-topic") == 1
    assert (value(samples, "notifications_up"), value(samples, "notifications_failing")) == (1, 3)
    assert (value(samples, "engine_up", table="main"), value(samples, "engine_up", table="side")) == (1, 0)
    assert value(samples, "hands_total", table="main") == 7
    assert value(samples, "findings_total", table="main", finding="misdeal") == 2
    assert value(samples, "alerts_open", table="main", severity="critical", state="raised") == 1
    assert value(samples, "alert_oldest_seconds", table="main", severity="critical") == 90
    assert value(samples, "alerts_more", table="main") == 3
    reader = {"table": "main", "device": "reader"}
    for name, expected in (
        ("gaps_asked_total", 3),
        ("readings_lost_total", 12),
        ("device_live", 1),
        ("device_process_up", 1),
        ("device_silence_seconds", 2),
        ("device_readings_total", 900),
        ("device_reconnects_total", 1),
        ("device_outbox_waiting", 11),
    ):
        assert value(samples, name, **reader) == expected, name
    assert value(samples, "device_rejects_total", **reader, reason="checksum") == 4
    for name, expected in (
        ("readings_waiting", 5),
        ("engine_messages_waiting", 6),
        ("overlay_pictures_waiting", 8),
        ("overlay_delay_seconds", 300),
    ):
        assert value(samples, name, table="main") == expected, name


def test_commits_are_a_histogram(hub: Hub) -> None:
    samples = read(exposition(hub, ("main",), lambda: NOW_NS))
    counts = [
        value(samples, "journal_commit_seconds_bucket", table="main", le=bound)
        for bound in (*(str(ms / 1000) for ms in BOUNDS_MS), "+Inf")
    ]
    assert counts == [1, 1, 3, 3, 3, 3, 3, 3, 3, 4]
    assert value(samples, "journal_commit_seconds_count", table="main") == 4
    assert value(samples, "journal_commit_seconds_sum", table="main") == pytest.approx(5.0065)


def test_what_is_declared_is_shown_and_nothing_else(hub: Hub) -> None:
    text = exposition(hub, ("main", "side"), lambda: NOW_NS).decode()
    shown = {line.split()[2] for line in text.splitlines() if line.startswith("# HELP")}
    assert shown == {metric.full_name for metric in METRICS.values()}


def test_labels_come_from_lists_so_their_number_is_bounded(hub: Hub) -> None:
    samples = read(exposition(hub, ("main",), lambda: NOW_NS))
    reader = {"table": "main", "device": "reader"}
    assert value(samples, "device_rejects_total", **reader, reason="other") == 3
    assert value(samples, "findings_total", table="main", finding="other") == 1


def test_nothing_names_a_card_a_tag_or_a_player(hub: Hub) -> None:
    text = exposition(hub, ("main", "side"), lambda: NOW_NS).decode()
    for planted in ("E004010012345678", '"As"', "Ah", "Td", "Chen", "Vera", "Boris"):
        assert planted not in text, planted


@pytest.mark.parametrize("jump_ns", [-YEAR_NS, YEAR_NS])
def test_a_clock_that_jumps_a_year_makes_no_age_negative(hub: Hub, jump_ns: int) -> None:
    samples = read(exposition(hub, ("main",), lambda: NOW_NS + jump_ns))
    ages = [number for (name, _), number in samples.items() if name.endswith("_seconds")]
    assert len(ages) >= 4 and min(ages) >= 0
    assert value(samples, "device_live", table="main", device="reader") == 1


def test_a_token_for_one_table_sees_that_table_alone(hall: Hall) -> None:
    headers = {"authorization": f"Bearer {hall.secret('metrics', 'prometheus', 'side')}"}
    answer = hall.http.get(hall.url + "/metrics", headers=headers)
    assert answer.headers["content-type"].startswith("text/plain")
    assert 'table="side"' in answer.text and 'table="main"' not in answer.text


def test_a_real_engine_reports_its_hands_findings_and_commits(room: Room) -> None:
    headers = {"authorization": f"Bearer {room.secret('metrics', 'prometheus')}"}

    def samples() -> Samples:
        return read(room.http.get(f"{room.pages.url}/metrics", headers=headers).content)

    def known(name: str, **labels: str) -> float:
        return samples().get((f"tablebridge_{name}", frozenset({"table": "main", **labels}.items())), -1)

    until(lambda: known("hands_total") >= 0, "the engine has reported", 40)
    hands, commits = known("hands_total"), known("journal_commit_seconds_count")
    room.restart()
    room.restart()
    until(lambda: known("hands_total") >= hands + 2, "two hands more", 40)
    assert known("journal_commit_seconds_count") > commits
    assert known("overlay_delay_seconds") == 300
