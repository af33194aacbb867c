"""Antennas live in the terminal: what is read where, how often; a tag is shortened, a face is never known
here.
"""

from rich.table import Table

from tablebridge.doctor.listen import Listener
from tablebridge.doctor.tally import Antenna, shortened

_TAGS = 6


def table(listeners: list[Listener]) -> Table:
    """A row for each antenna of each device."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("device", "state", "antenna", "looks at", "every", "tags now", "how well"):
        made.add_column(column)
    for one in listeners:
        health = one.health
        state = health.state if health is not None else "…"
        with one.lock:
            numbers = sorted({*one.device.antennas, *one.tally.antennas})
            for row, number in enumerate(numbers):
                place = one.device.antennas.get(number, "no place in the site file")
                antenna = one.tally.antennas.get(number)
                name = (one.device.name, state) if row == 0 else ("", "")
                made.add_row(*name, str(number), place, *_cells(antenna))
            if not numbers:
                made.add_row(
                    one.device.name,
                    state,
                    "",
                    ", ".join(f"contact {n}: {count}" for n, count in sorted(one.tally.contacts.items())),
                    "",
                    "",
                    "",
                )
    return made


def _cells(antenna: Antenna | None) -> tuple[str, str, str]:
    if antenna is None:
        return "never", "", ""
    every = "…" if antenna.cycle_s is None else f"{1000 * antenna.cycle_s:.0f} ms"
    now = antenna.now[:_TAGS]
    more = f" and {len(antenna.now) - _TAGS} more" if len(antenna.now) > _TAGS else ""
    return (
        every,
        " ".join(map(shortened, now)) + more or "none",
        " ".join(f"{antenna.tags[tag].share:.0%}" for tag in now),
    )


__all__ = ["table"]
