"""docs/site.md names each metric and each finding, and no other."""

import re

from rig.documents import DOCS

from tablebridge.archive.findings import KINDS
from tablebridge.archive.metrics import ArchiveMetrics
from tablebridge.uplink.metrics import UplinkMetrics

PAGE = (DOCS / "site.md").read_text()


def test_every_metric_is_documented() -> None:
    exported = set()
    for registry in (ArchiveMetrics().registry, UplinkMetrics().registry):
        for family in registry.collect():
            exported.add(family.name + ("_total" if family.type == "counter" else ""))
    assert set(re.findall(r"^\| `(tablebridge_\w+)` \|", PAGE, re.M)) == exported


def test_every_finding_is_documented() -> None:
    (table,) = re.findall(r"^\| finding \| \|\n(.*?)\n\n", PAGE, re.M | re.S)
    assert {
        name for line in table.splitlines()[1:] for name in re.findall(r"`([a-z-]+)`", line.split("|")[1])
    } == set(KINDS)
