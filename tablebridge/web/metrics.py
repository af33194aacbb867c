"""The metrics of a box in the format of Prometheus, made from what the web process hears on the bus.

Only this process listens on a port; engine and drivers report their counters on the bus, so none of them
opens a listener for its metrics. They can be asked when the broker is away: `tablebridge_broker_connected` is
0 then, and the counters stand still.

`METRICS` declares each metric once; `python docs/metrics.py` prints docs/metrics.md. Labels are names of the
site file and values of our own lists, so the number of series is bounded; no label and no value names a card,
a tag or a person.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from prometheus_client import CollectorRegistry
from prometheus_client import exposition as prometheus
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from tablebridge import __version__
from tablebridge.bus.messages import TableCounters
from tablebridge.model.alerts import Alert
from tablebridge.model.commit_times import BOUNDS_MS
from tablebridge.model.findings import KINDS
from tablebridge.model.readings import HIDDEN_FACE, TOO_MANY_TAGS
from tablebridge.sdk.driver import Reason
from tablebridge.web.hub import Hub
from tablebridge.web.status import DeviceStatus, TableStatus

CONTENT_TYPE: Final = prometheus.CONTENT_TYPE_LATEST
_PREFIX: Final = "tablebridge_"
_OTHER: Final = "other"
_REASONS: Final = frozenset({*(reason.value for reason in Reason), TOO_MANY_TAGS, HIDDEN_FACE})
_ALERT_STATES: Final = ("raised", "acknowledged", "taken", "ruled")
_SEVERITIES: Final = ("critical", "warning")

Kind = Literal["counter", "gauge", "histogram", "info"]
Labels = tuple[str, ...]
Sample = tuple[Labels, float]


class Declared(msgspec.Struct, frozen=True):
    """One metric. `name`: without the prefix, and without the `_total` of counters. `labels`: beside them it
    has none.
    """

    name: str
    kind: Kind
    labels: Labels
    meaning: str

    @property
    def full_name(self) -> str:
        """The name of its samples; of a histogram, the name that `_bucket`, `_sum` and `_count` follow."""
        return _PREFIX + self.name + {"counter": "_total", "info": "_info"}.get(self.kind, "")


def _declared(*rows: tuple[str, Kind, str, str]) -> dict[str, Declared]:
    return {
        name: Declared(name, kind, tuple(labels.split()), meaning) for name, kind, labels, meaning in rows
    }


METRICS: Final = _declared(
    ("build", "info", "version", "always 1; the version of the web process"),
    ("broker_connected", "gauge", "", "1 while the web process is connected to the broker"),
    ("streams_open", "gauge", "", "live streams of pages and overlays"),
    ("commands_waiting", "gauge", "", "commands that wait for the engine's reply"),
    ("messages_refused", "counter", "reason", "messages of the bus that could not be taken here"),
    ("webhook_waiting", "gauge", "webhook", "events that wait for the receiver"),
    ("webhook_sent", "counter", "webhook", "events that the receiver accepted"),
    ("webhook_failures", "counter", "webhook", "attempts that got no answer or a fault"),
    ("webhook_lost", "counter", "webhook", "events that were given up"),
    ("notifications_up", "gauge", "", "1 while the process that notifies people runs; nothing without one"),
    ("notifications_failing", "gauge", "", "ways to people that failed last"),
    ("engine_up", "gauge", "table", "1 while the table's engine runs and can be heard"),
    ("engine_away_seconds", "gauge", "table", "how long engine or broker have been away, else 0"),
    ("hands", "counter", "table", "hands that began since the engine started"),
    ("findings", "counter", "table finding", "findings since the engine started, by name"),
    ("alerts_open", "gauge", "table severity state", "alerts that are not closed"),
    ("alert_oldest_seconds", "gauge", "table severity", "age of the oldest that nobody has seen; 0: none"),
    ("alerts_more", "gauge", "table", "open alerts beside those that are counted by severity"),
    ("readings_waiting", "gauge", "table", "readings that have arrived and wait for the engine"),
    ("engine_messages_waiting", "gauge", "table", "messages of its engine process that wait for the broker"),
    ("overlay_pictures_waiting", "gauge", "table", "pictures that wait for their delay"),
    ("overlay_delay_seconds", "gauge", "table", "the delay of the overlay that is in force"),
    ("journal_commit_seconds", "histogram", "table", "how long commits of the journal take"),
    ("gaps_asked", "counter", "table device", "how often readings were asked for again"),
    ("readings_lost", "counter", "table device", "readings that can never come"),
    ("device_live", "gauge", "table device", "1 while it proves that it works; 0: stale or lost"),
    ("device_process_up", "gauge", "table device", "1 while the process of the device's driver runs"),
    ("device_silence_seconds", "gauge", "table device", "how long ago it last proved that it works"),
    ("device_readings", "counter", "table device", "readings since the driver's process started"),
    ("device_rejects", "counter", "table device reason", "what the driver could not decode, by reason"),
    ("device_reconnects", "counter", "table device", "links that broke"),
    ("device_outbox_waiting", "gauge", "table device", "readings in the outbox, not yet acknowledged"),
)  # fmt: skip
"""All metrics, by their short name."""


class _Box(Collector):
    """The metrics of one moment, of these tables."""

    def __init__(self, hub: Hub, names: Sequence[str], wall_ns: Callable[[], int]) -> None:
        self._hub = hub
        self._tables = [hub.tables[name] for name in names]
        self._wall_ns = wall_ns

    def collect(self) -> Iterable[Metric]:
        """Each metric that has a sample."""
        samples: dict[str, list[tuple[Labels, Any]]] = {}
        for name, labels, value in self._samples():
            samples.setdefault(name, []).append((labels, value))
        for name, declared in METRICS.items():
            if name in samples:
                yield _family(declared, samples[name])

    def _samples(self) -> Iterator[tuple[str, Labels, Any]]:
        hub = self._hub
        yield "build", (), {"version": __version__}
        yield "broker_connected", (), not hub.bus_away
        yield "streams_open", (), hub.readers
        yield "commands_waiting", (), hub.requests.commands_waiting
        for reason, count in hub.refused.items():
            yield "messages_refused", (reason,), count
        for hook in hub.webhooks.hooks:
            waiting = hook.deliveries
            yield "webhook_waiting", (hook.name,), len(waiting)
            yield "webhook_sent", (hook.name,), waiting.sent
            yield "webhook_failures", (hook.name,), waiting.failures
            yield "webhook_lost", (hook.name,), waiting.lost
        notifier = hub.notifications.state
        if notifier is not None:
            yield "notifications_up", (), notifier.state == "online"
            yield "notifications_failing", (), len(notifier.failing) + notifier.more_failing
        for status in self._tables:
            yield from self._of_table(status)
            for device in status.devices.values():
                yield from self._of_device((status.name, device.name), device)

    def _of_table(self, status: TableStatus) -> Iterator[tuple[str, Labels, Any]]:
        table = (status.name,)
        away_s = self._hub.away_s(table)
        yield "engine_up", table, self._hub.alive(table)
        yield "engine_away_seconds", table, away_s
        for severity in _SEVERITIES:
            alerts = [alert for alert in status.alerts.values() if alert.severity == severity]
            for state in _ALERT_STATES:
                count = sum(alert.state == state for alert in alerts)
                yield "alerts_open", (*table, severity, state), count
            yield "alert_oldest_seconds", (*table, severity), self._oldest_s(alerts)
        yield "alerts_more", table, status.more_alerts
        if status.counters is not None:
            yield from _counted(table, status.counters, status.devices)

    def _oldest_s(self, alerts: Iterable[Alert]) -> float:
        raised = [alert.raised_at.wall_ns for alert in alerts if alert.state == "raised"]
        return self._age_s(min(raised)) if raised else 0.0

    def _of_device(self, device: Labels, status: DeviceStatus) -> Iterator[tuple[str, Labels, Any]]:
        yield "device_live", device, status.state == "live"
        yield "device_process_up", device, status.process is not None and status.process.state == "online"
        health = status.health
        if health is None:
            return
        if health.alive_wall_ns:
            yield "device_silence_seconds", device, self._age_s(health.alive_wall_ns)
        yield "device_readings", device, health.frames
        yield "device_reconnects", device, health.reconnects
        yield "device_outbox_waiting", device, health.outbox
        for reason, count in _known(health.rejects, _REASONS):
            yield "device_rejects", (*device, reason), count

    def _age_s(self, wall_ns: int) -> float:
        """Never below 0, whatever a clock did."""
        return max(0.0, (self._wall_ns() - wall_ns) / 1e9)


def _counted(
    table: Labels, counters: TableCounters, devices: Mapping[str, Any]
) -> Iterator[tuple[str, Labels, Any]]:
    """What the engine has counted of a table."""
    yield "hands", table, counters.hands
    for finding, count in _known(counters.findings, KINDS):
        yield "findings", (*table, finding), count
    yield "readings_waiting", table, counters.waiting
    yield "engine_messages_waiting", table, counters.unsent
    yield "overlay_pictures_waiting", table, counters.overlay_waiting
    yield "overlay_delay_seconds", table, counters.overlay_delay_s
    yield "journal_commit_seconds", table, counters
    for name, counts in (("gaps_asked", counters.gaps), ("readings_lost", counters.lost)):
        for device in devices:
            yield name, (*table, device), counts.get(device, 0)


def _known(counts: Mapping[str, int], names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """The counts of these names; those of all others together."""
    known = frozenset(names)
    other = 0
    for name, count in counts.items():
        if name in known:
            yield name, count
        else:
            other += count
    if other:
        yield _OTHER, other


def _family(declared: Declared, samples: Iterable[tuple[Labels, Any]]) -> Metric:
    name, meaning, labels = _PREFIX + declared.name, declared.meaning, declared.labels
    if declared.kind == "info":
        return InfoMetricFamily(name, meaning, value=next(iter(samples))[1])
    if declared.kind == "histogram":
        histogram = HistogramMetricFamily(name, meaning, labels=labels)
        for values, counters in samples:
            histogram.add_metric(values, _buckets(counters.commits), counters.commits_ns / 1e9)
        return histogram
    kind = CounterMetricFamily if declared.kind == "counter" else GaugeMetricFamily
    family = kind(name, meaning, labels=labels)
    for values, value in samples:
        family.add_metric(values, float(value))
    return family


def _buckets(counts: Sequence[int]) -> list[tuple[str, int]]:
    """Prometheus counts what is up to a bound, all smaller bounds included."""
    bounds = [*(str(bound / 1000) for bound in BOUNDS_MS), "+Inf"]
    total, buckets = 0, []
    for bound, count in zip(bounds, [*counts, *[0] * len(bounds)], strict=False):
        total += count
        buckets.append((bound, total))
    return buckets


def exposition(hub: Hub, names: Sequence[str], wall_ns: Callable[[], int] = time.time_ns) -> bytes:
    """The metrics of these tables as text. `wall_ns`: the clock by which ages are counted."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Box(hub, names, wall_ns))
    text: bytes = prometheus.generate_latest(registry)
    return text
