"""What the uplink counts, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, start_http_server


class UplinkMetrics:
    """The metrics of one uplink."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._records = Counter(
            "tablebridge_uplink_records",
            "Records that the stream has acknowledged.",
            ["table"],
            registry=self.registry,
        )
        self._bytes = Counter(
            "tablebridge_uplink_bytes", "Bytes of their messages.", ["table"], registry=self.registry
        )
        self._behind = Gauge(
            "tablebridge_uplink_behind",
            "Numbers of the journal after the last acknowledged record.",
            ["table"],
            registry=self.registry,
        )
        self._failures = Counter(
            "tablebridge_uplink_failures", "Attempts that have failed.", ["table"], registry=self.registry
        )
        self._pictures = Counter(
            "tablebridge_uplink_picture_failures",
            "Attempts to write live pictures that have failed.",
            registry=self.registry,
        )
        self._connected = Gauge(
            "tablebridge_uplink_connected", "Whether the link to the room is up.", registry=self.registry
        )

    def serve(self, port: int) -> None:
        """Serve them on this port of the machine itself. Raises OSError."""
        start_http_server(port, "127.0.0.1", self.registry)

    def sent(self, table: str, records: int, size: int) -> None:
        """So many records of the table were acknowledged."""
        self._records.labels(table).inc(records)
        self._bytes.labels(table).inc(size)

    def behind(self, table: str, numbers: int) -> None:
        """The table's journal is so far ahead."""
        self._behind.labels(table).set(numbers)

    def failed(self, table: str) -> None:
        """An attempt of the table has failed."""
        self._failures.labels(table).inc()

    def no_picture(self) -> None:
        """An attempt to write live pictures has failed."""
        self._pictures.inc()

    def connected(self, is_up: bool) -> None:
        """The link is up, or is not."""
        self._connected.set(is_up)
