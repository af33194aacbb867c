"""Live streams: what changed on a page, as server-sent events.

A stream begins with a snapshot and then tells changes: `block` carries the HTML of one block of the page,
`table` the JSON of a table; the id is the journal record that it is true of. `beat` comes every two seconds,
whatever else happens, with the server's time, the version of the pages, and for how long the table itself has
been away: the page judges by it whether what it shows is live. A stream ends when the server stops, and
within `CHECK_S` when its token was taken back or is past its time.
"""

import time
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final, NamedTuple

import msgspec
from fastapi.sse import format_sse_event

from tablebridge.web.deadman import away as lacking
from tablebridge.web.hub import Hub

BEAT_S: Final = 2.0
CHECK_S: Final = 0.5
RETRY_MS: Final = 1000


class Piece(NamedTuple):
    """One event of a stream: `block` with HTML or `table` with JSON; `id` as the journal counts."""

    event: str
    data: str
    id: str


class Beat(msgspec.Struct, frozen=True):
    """`away_s`: for how long the broker or the engine has been away, 0 when all is well. `alive`: tables that
    are there. `away`: what is not, in words; empty when all are.
    """

    wall_ms: int
    assets: str
    away_s: float
    alive: int
    away: str = ""


Pieces = Callable[[set[str]], Iterable[Piece]]


async def stream(
    hub: Hub,
    tables: tuple[str, ...],
    keys: tuple[str, ...],
    pieces: Pieces,
    assets: str,
    *,
    may_go_on: Callable[[], bool],
    all_must_run: bool,
) -> AsyncIterator[bytes]:
    """The bytes of one stream over `keys`. `pieces` gives what a page must be sent when these keys changed;
    it is asked with none of them now and then, for what it still owes. `may_go_on`: whether the token is
    still good.

    `all_must_run`: the page shows one table, so that without its engine the page is not live; a page of many
    says so by table.
    """

    def beat() -> bytes:
        away = hub.away_s(tables if all_must_run else ())
        lacks = lacking(hub, tables)
        now = Beat(
            time.time_ns() // 1_000_000,
            assets,
            round(away, 1),
            hub.alive(tables),
            lacks.words if lacks else "",
        )
        return format_sse_event(event="beat", data_str=msgspec.json.encode(now).decode())

    watch = hub.watch(keys)
    try:
        yield format_sse_event(retry=RETRY_MS)
        changed = set(keys)
        beat_due = time.monotonic()
        while not hub.closing and may_go_on():
            for piece in pieces(changed):
                yield format_sse_event(event=piece.event, data_str=piece.data, id=piece.id)
            if time.monotonic() >= beat_due:
                yield beat()
                beat_due = time.monotonic() + BEAT_S
            changed = await watch.wait(min(CHECK_S, beat_due - time.monotonic()))
    finally:
        hub.unwatch(watch)
