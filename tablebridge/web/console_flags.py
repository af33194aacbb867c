"""The flags of a hand: what the operator may still want to put right, each with its reason."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tablebridge.model.findings import Severity
from tablebridge.model.views import LineView, SeatView, TableView


class Flag(NamedTuple):
    """One flag. `key`: the same as long as it stands; `entry`: the line that it is about, 0 for none; `seat`:
    of a doubt, 0 for the hand.
    """

    key: str
    kind: Literal["doubt", "finding", "ignored"]
    reason: str
    entry: int = 0
    seat: int = 0
    severity: Severity | None = None


def flags_of(view: TableView | None) -> tuple[Flag, ...]:
    """The open flags of the hand: doubts first, then what its lines are flagged for."""
    if view is None:
        return ()
    return (*_doubts(view), *(flag for line in view.lines if not line.undone for flag in _of_line(line)))


def disagrees(seat: SeatView) -> bool:
    """Whether antennas read cards of a seat that folded."""
    return seat.state == "folded" and seat.read.lying > 0


def _doubts(view: TableView) -> Iterator[Flag]:
    for seat in view.doubted:
        about = next((line for line in reversed(view.lines) if _is_doubt_of(line, seat)), None)
        reason = next((found.sentence for found in about.findings), "") if about else ""
        name = f"Seat {seat} is in doubt." if seat else "This hand is in doubt."
        yield Flag(f"doubt-{seat}", "doubt", reason or name, about.entry if about else 0, seat)


def _is_doubt_of(line: LineView, seat: int) -> bool:
    parts = line.line.split()
    return parts[:1] == ["in-doubt"] and parts[1:2] == ([str(seat)] if seat else parts[1:2])


def _of_line(line: LineView) -> Iterator[Flag]:
    if line.ignored:
        yield Flag(f"ignored-{line.entry}", "ignored", line.ignored, line.entry)
    for number, found in enumerate(line.findings):
        if found.severity in ("warning", "critical"):
            yield Flag(
                f"{line.entry}-{number}", "finding", found.sentence, line.entry, severity=found.severity
            )
