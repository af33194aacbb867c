"""What the uplink counts, for Prometheus, and whether it can do its work."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge

from tablebridge.monitor import Condition, Monitor

_AWAY: Final = "The room cannot be reached: records wait in the journals, and it is tried again."


class UplinkMetrics:
    """The metrics of one uplink."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.condition = Condition(_AWAY)
        self._failing: set[str] = set()
        self._records = Counter(
            "tablebridge_uplink_records",
            "records that the stream has acknowledged",
            ["table"],
            registry=self.registry,
        )
        self._bytes = Counter(
            "tablebridge_uplink_bytes", "bytes of their messages", ["table"], registry=self.registry
        )
        self._behind = Gauge(
            "tablebridge_uplink_behind",
            "numbers of the journal after the last acknowledged record; readings count, too",
            ["table"],
            registry=self.registry,
        )
        self._failures = Counter(
            "tablebridge_uplink_failures", "attempts that have failed", ["table"], registry=self.registry
        )
        self._pictures = Counter(
            "tablebridge_uplink_picture_failures",
            "attempts to write live pictures of the tables that have failed",
            registry=self.registry,
        )
        self._connected = Gauge(
            "tablebridge_uplink_connected", "1 while the link to the room is up", registry=self.registry
        )

    def serve(self, port: int) -> None:
        """Serve them on this port of the machine itself. Raises ConfigError."""
        Monitor(self.registry, self.condition).serve(port)

    def sent(self, table: str, records: int, size: int) -> None:
        """So many records of the table were acknowledged."""
        self._records.labels(table).inc(records)
        self._bytes.labels(table).inc(size)

    def behind(self, table: str, numbers: int) -> None:
        """The table's journal is so far ahead."""
        self._behind.labels(table).set(numbers)

    def worked(self, table: str) -> None:
        """An attempt of the table has not failed."""
        self._failing.discard(table)

    def failed(self, table: str) -> None:
        """An attempt of the table has failed."""
        self._failures.labels(table).inc()
        self._failing.add(table)

    def no_picture(self) -> None:
        """An attempt to write live pictures has failed."""
        self._pictures.inc()

    def connected(self, is_up: bool) -> None:
        """The link is up, or is not; the loop did a pass."""
        self._connected.set(is_up)
        failing = ", ".join(sorted(self._failing))
        waiting = f"Records wait in the journal, and the log says why: {failing}." if failing else ""
        self.condition.passed(waiting if is_up else _AWAY)
