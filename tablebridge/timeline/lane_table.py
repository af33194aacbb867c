"""A lane of a hand as a table, which any spreadsheet reads."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from tablebridge.timeline.hand import ALERTS, FINDINGS, HandTimeline

COLUMNS: Final = ("row", "utc", "hand_ms", "kind", "what", "by", "detail")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")

Row = tuple[int, float, str, str, str, str]


def table_of(hand: HandTimeline, lane: str) -> str:
    """The lane as CSV (RFC 4180), in order of time."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for number, t, *texts in sorted(_rows(hand, lane), key=lambda row: (row[1], row[0])):
        at = datetime.fromtimestamp((hand.began_wall_ms + t) / 1e3, UTC)
        utc = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        writer.writerow((number, utc, f"{t:.3f}", *map(_plain, texts)))
    return out.getvalue()


def _rows(hand: HandTimeline, lane: str) -> Iterator[Row]:
    for event in hand.events:
        if lane in event.lanes:
            yield event.n, event.t, "event", event.line, event.by or event.basis, f"sure {event.sure:.4f}"
    for read in hand.readings:
        if read.lane == lane:
            device, epoch = hand.sources[read.source]
            what = read.said or "cards " + (" ".join(map(str, read.cards)) or "none")
            detail = f"antenna {read.antenna}, {read.visits} visits" if read.antenna is not None else ""
            yield read.n, read.t, "reading", what, f"{device}/{epoch}/{read.seq}", detail
    if lane == FINDINGS:
        for found in hand.findings:
            yield found.n, found.t, found.severity, found.finding, found.id, found.sentence
    if lane == ALERTS:
        for act in hand.acts:
            yield act.n, act.t, "alert", f"{act.alert} {act.to}", act.by, act.note
    for gap in hand.gaps:
        if gap.lane == lane:
            yield 0, gap.start, "gap", gap.why, "", f"until {gap.end:.3f} ms"


def _plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
