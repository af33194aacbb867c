"""What an archive worker counts, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from tablebridge.archive.store import Outcome


class ArchiveMetrics:
    """The metrics of one worker."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._records = Counter(
            "tablebridge_archive_records",
            "Records by what became of them: stored, doubles, waiting, refused.",
            ["became"],
            registry=self.registry,
        )
        self._findings = Counter(
            "tablebridge_archive_findings", "Findings about records, each once.", registry=self.registry
        )
        self._batch = Histogram(
            "tablebridge_archive_batch_seconds",
            "How long the transaction of a batch took.",
            registry=self.registry,
        )
        self._age = Gauge(
            "tablebridge_archive_age_seconds",
            "How long ago the oldest record of the last batch came into the stream.",
            registry=self.registry,
        )
        self._failures = Counter(
            "tablebridge_archive_failures",
            "Batches that the database or the stream has refused.",
            registry=self.registry,
        )

    def serve(self, port: int) -> None:
        """Serve them on this port of the machine itself. Raises OSError."""
        start_http_server(port, "127.0.0.1", self.registry)

    def took(self, outcome: Outcome, seconds: float, age_s: float) -> None:
        """A batch was stored."""
        for became in ("stored", "doubles", "waiting", "refused"):
            self._records.labels(became).inc(len(getattr(outcome, became)))
        self._findings.inc(outcome.noticed)
        self._batch.observe(seconds)
        self._age.set(max(0.0, age_s))

    def failed(self) -> None:
        """A batch was refused, or none could be had."""
        self._failures.inc()
