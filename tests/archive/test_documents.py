"""docs/site.md names each finding, and no other."""

import re

from rig.documents import DOCS

from tablebridge.archive.findings import KINDS

PAGE = (DOCS / "site.md").read_text()


def test_every_finding_is_documented() -> None:
    (table,) = re.findall(r"^\| finding \| \|\n(.*?)\n\n", PAGE, re.M | re.S)
    assert {
        name for line in table.splitlines()[1:] for name in re.findall(r"`([a-z-]+)`", line.split("|")[1])
    } == set(KINDS)
