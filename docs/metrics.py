"""Writes docs/metrics.md from what the processes count: `python docs/metrics.py > docs/metrics.md`."""

import sys
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry

from tablebridge.archive.metrics import ArchiveMetrics
from tablebridge.archive.store import Outcome
from tablebridge.uplink.metrics import UplinkMetrics
from tablebridge.web.metrics import METRICS

HEAD: Final = """\
# Metrics

All that a process counts or measures, in the format of Prometheus. [operations.md](operations.md#metrics)
says how to read them. Made by `python docs/metrics.py > docs/metrics.md`.

No metric names a card, a tag or a person. Labels are names from the site file and values of fixed lists, else
`other`. Counters begin at 0 with each start of their process. Of a histogram the samples end in `_bucket`,
`_sum` and `_count`.
"""
BOX: Final = """\
## A box

`/metrics` of its pages. Engine, drivers and notifications report to these over the bus, so none of them
listens on a port.

"""
UPLINK: Final = """\
## The uplink of a box

`tablebridge uplink --metrics PORT`, on 127.0.0.1.

"""
ARCHIVE: Final = """\
## An archive worker

`tablebridge archive --metrics PORT`, on 127.0.0.1.

"""
TABLE: Final = "| metric | kind | labels | what it is |\n| --- | --- | --- | --- |\n"


class Metric(NamedTuple):
    """A metric. `name`: that of its samples; of a histogram what stands before `_bucket`."""

    name: str
    kind: str
    labels: tuple[str, ...]
    meaning: str


def box() -> list[Metric]:
    """The metrics of a box."""
    return [Metric(one.full_name, one.kind, one.labels, one.meaning) for one in METRICS.values()]


def uplink() -> list[Metric]:
    """The metrics of an uplink that has done everything once."""
    metrics = UplinkMetrics()
    metrics.sent("table", 1, 1)
    metrics.behind("table", 1)
    metrics.failed("table")
    metrics.connected(True)
    return list(registered(metrics.registry))


def archive() -> list[Metric]:
    """The metrics of a worker that has done everything once."""
    metrics = ArchiveMetrics()
    metrics.took(Outcome([], [], [], [], 0), 0.0, 0.0)
    return list(registered(metrics.registry))


def registered(registry: CollectorRegistry) -> Iterator[Metric]:
    """What this registry holds. Raises ValueError if a metric has no sample yet, so that its labels are not
    known.
    """
    for family in registry.collect():
        if not family.samples:
            raise ValueError(f"{family.name} has no sample: let uplink() or archive() make one")
        labels = tuple(dict.fromkeys(label for sample in family.samples for label in sample.labels))
        name = family.name + ("_total" if family.type == "counter" else "")
        yield Metric(name, family.type, tuple(one for one in labels if one != "le"), family.documentation)


def rows(metrics: Iterable[Metric]) -> str:
    """These metrics as a table."""
    lines = (f"| `{one.name}` | {one.kind} | {', '.join(one.labels)} | {one.meaning} |\n" for one in metrics)
    return TABLE + "".join(lines)


def text() -> str:
    """The whole page."""
    return "\n".join([HEAD, BOX + rows(box()), UPLINK + rows(uplink()), ARCHIVE + rows(archive())])


if __name__ == "__main__":
    sys.stdout.write(text())
