"""Antennas live in the terminal: what is read at which place and how often; tags are shortened, faces are
never known here.
"""

from rich.table import Table

from tablebridge.doctor.listen import Listener
from tablebridge.doctor.tally import AntennaTally, shortened

_TAGS = 6


def table(listeners: list[Listener]) -> Table:
    """A table with a row for each antenna of each device."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("device", "state", "antenna", "looks at", "every", "tags now", "how well"):
        made.add_column(column)
    for listener in listeners:
        health = listener.health
        state = health.state if health is not None else "…"
        with listener.lock:
            numbers = sorted({*listener.device.antennas, *listener.tally.antennas})
            for row, number in enumerate(numbers):
                place = listener.device.antennas.get(number, "no place in the site file")
                antenna = listener.tally.antennas.get(number)
                name = (listener.device.name, state) if row == 0 else ("", "")
                made.add_row(*name, str(number), place, *_cells(antenna))
            if not numbers:
                made.add_row(
                    listener.device.name,
                    state,
                    "",
                    ", ".join(
                        f"contact {n}: {count}" for n, count in sorted(listener.tally.contacts.items())
                    ),
                    "",
                    "",
                    "",
                )
    return made


def _cells(antenna: AntennaTally | None) -> tuple[str, str, str]:
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
