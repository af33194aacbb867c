"""The flags of a hand: what the operator may still want to put right, each with its reason."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tablebridge.model.views import FoundView, LineView, SeatView, TableView


class Flag(NamedTuple):
    """One flag. `key`: the same as long as it stands; `entry`: the line that it is about, 0 for none; `seat`:
    of a doubt, 0 for the hand. `found`: the finding that says why; without one `ignored` does, and a doubt
    needs no reason.
    """

    key: str
    kind: Literal["doubt", "finding", "ignored"]
    entry: int = 0
    seat: int = 0
    found: FoundView | None = None
    ignored: str = ""


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
        found = next(iter(about.findings), None) if about else None
        yield Flag(f"doubt-{seat}", "doubt", about.entry if about else 0, seat, found)


def _is_doubt_of(line: LineView, seat: int) -> bool:
    parts = line.line.split()
    return parts[:1] == ["in-doubt"] and parts[1:2] == ([str(seat)] if seat else parts[1:2])


def _of_line(line: LineView) -> Iterator[Flag]:
    if line.ignored:
        yield Flag(f"ignored-{line.entry}", "ignored", line.entry, ignored=line.ignored)
    for number, found in enumerate(line.findings):
        if found.severity in ("warning", "critical"):
            yield Flag(f"{line.entry}-{number}", "finding", line.entry, found=found)
