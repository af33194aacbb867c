"""What an archive worker counts, for Prometheus, and whether it can do its work."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from tablebridge.archive.store import Outcome
from tablebridge.monitor import Condition, Monitor

_AWAY: Final = "Database or stream do not answer, and the log says why: records wait in the stream."


class ArchiveMetrics:
    """The metrics of one worker."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.condition = Condition(_AWAY)
        self._records = Counter(
            "tablebridge_archive_records",
            "records by what became of them: `stored`, `doubles`, `waiting`, `refused`",
            ["became"],
            registry=self.registry,
        )
        self._findings = Counter(
            "tablebridge_archive_findings", "findings about records, each once", registry=self.registry
        )
        self._batch = Histogram(
            "tablebridge_archive_batch_seconds",
            "how long the transaction of a batch took",
            registry=self.registry,
        )
        self._age = Gauge(
            "tablebridge_archive_age_seconds",
            "how long ago the oldest record of the last batch came into the stream",
            registry=self.registry,
        )
        self._pending = Gauge(
            "tablebridge_archive_pending",
            "records of the stream that no worker has taken yet",
            registry=self.registry,
        )
        self._failures = Counter(
            "tablebridge_archive_failures",
            "batches that the database or the stream has refused",
            registry=self.registry,
        )
        self._ready = Gauge(
            "tablebridge_archive_ready",
            "1 while database and stream answer",
            registry=self.registry,
        )

    def serve(self, port: int) -> None:
        """Serve them on this port of the machine itself. Raises ConfigError."""
        Monitor(self.registry, self.condition).serve(port)

    def took(self, outcome: Outcome, seconds: float, age_s: float) -> None:
        """A batch was stored."""
        for became in ("stored", "doubles", "waiting", "refused"):
            self._records.labels(became).inc(len(getattr(outcome, became)))
        self._findings.inc(outcome.noticed)
        self._batch.observe(seconds)
        self._age.set(max(0.0, age_s))

    def pending(self, records: int) -> None:
        """So many records of the stream wait for a worker."""
        self._pending.set(records)

    def passed(self, *, is_up: bool) -> None:
        """The loop did a pass; database and stream answer, or do not."""
        self._ready.set(is_up)
        self.condition.passed("" if is_up else _AWAY)

    def failed(self) -> None:
        """A batch was refused, or none could be had."""
        self._failures.inc()
        self.passed(is_up=False)
