"""Faults of one table on their way to the record: counted at once, entered once in ten minutes for each kind
and device.
"""

from typing import Final, Literal

from tablebridge.model.fault import Fault
from tablebridge.model.instant import Instant

AGAIN_NS: Final = 600_000_000_000
FaultKind = Literal[
    "too-many-tags", "undecodable", "unforeseen", "overload", "too-long", "second-engine", "unreached"
]


class Faults:
    """Whatever happens, a few entries an hour."""

    def __init__(self) -> None:
        self._counts: dict[tuple[FaultKind, str], int] = {}
        self._entered_ns: dict[tuple[FaultKind, str], int] = {}

    def add(self, kind: FaultKind, device: str = "", count: int = 1) -> None:
        """It happened. `device`: one of the table's, or none."""
        self._counts[kind, device] = self._counts.get((kind, device), 0) + count

    def due(self, now: Instant) -> list[Fault]:
        """Those to be entered now."""
        entered = [
            key for key in self._counts if now.monotonic_ns - self._entered_ns.get(key, -AGAIN_NS) >= AGAIN_NS
        ]
        self._entered_ns.update(dict.fromkeys(entered, now.monotonic_ns))
        return [Fault(kind, device, self._counts.pop((kind, device))) for kind, device in entered]
