"""Orders of a director, as a stream deck sends them."""

from typing import Any

from .hall import Hall

AT_FIRST = (
    "show-hole-cards",
    "show-all",
    "hide-chip-counts",
    "hide-history",
    "show-sponsor",
    "focus-seat/0",
    "lower-third/0",
    "theme/own",
    "layout/left",
)
"""Nothing is hidden, and nothing is shown beside the table."""


def order(hall: Hall, what: str) -> Any:
    """An address with a key, and nothing else."""
    return hall.http.post(
        f"{hall.url}/api/director/main/{what}", params={"key": hall.secret("director", "Dora")}
    )


def as_at_first(hall: Hall) -> None:
    for what in AT_FIRST:
        assert order(hall, what).status_code == 200
