"""Live streams: what changed on a page, as server-sent events.

A stream begins with a snapshot and then sends changes: `block` carries the HTML of one block of the page,
`table` the JSON of a table; the id is the journal record that it is true of. `beat` is sent every two
seconds, whatever else happens, with the server's time, the version of the pages, and for how long the table
itself has been away: from it the page decides whether what it shows is live. A stream ends when the server
stops, and within `CHECK_S` when its token was revoked or has expired.
"""

import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Final, NamedTuple, Protocol

import msgspec
from fastapi.sse import format_sse_event

from tablebridge.web.absence import absence
from tablebridge.web.assets import Assets
from tablebridge.web.hub import Hub
from tablebridge.web.watch import Watch

BEAT_S: Final = 2.0
CHECK_S: Final = 0.5
RETRY_MS: Final = 1000


class StreamEvent(NamedTuple):
    """One event of a stream: `block` with HTML or `table` with JSON; `id` as the journal counts."""

    event: str
    data: str
    id: str


class Beat(msgspec.Struct, frozen=True):
    """`away_s`: for how long the broker or the engine has been away, 0 if neither is. `alive`: how many
    tables are followed. `away`: what is not, as text; empty if all are.
    """

    wall_ms: int
    assets: str
    away_s: float
    alive: int
    away: str = ""


Render = Callable[[set[str]], Iterable[StreamEvent]]


class Watched(Protocol):
    """What a stream shows: it says which of the watched keys have changed. `closing`: all streams end."""

    closing: bool

    def watch(self, keys: Iterable[str]) -> Watch:
        """A new watch of these keys, until `unwatch`."""
        ...

    def unwatch(self, watch: Watch) -> None:
        """The reader has gone."""
        ...


async def stream(
    watched: Watched,
    keys: tuple[str, ...],
    render: Render,
    beat: Callable[[], Beat],
    *,
    may_continue: Callable[[], bool],
    while_open: AbstractContextManager[None] | None = None,
) -> AsyncIterator[bytes]:
    """The bytes of one stream over `keys`. `render` gives the events that a page must be sent when these keys
    have changed; now and then it is called without any, for events that are still owed. `beat`: what the next
    beat says. `may_continue`: whether the token is still valid. `while_open` is entered when the stream
    begins and left when it ends.
    """
    watch, stack = watched.watch(keys), ExitStack()
    stack.callback(watched.unwatch, watch)
    with stack:
        stack.enter_context(while_open or nullcontext())
        yield format_sse_event(retry=RETRY_MS)
        changed = set(keys)
        beat_due = time.monotonic()
        while not watched.closing and may_continue():
            for event in render(changed):
                yield format_sse_event(event=event.event, data_str=event.data, id=event.id)
            if time.monotonic() >= beat_due:
                yield format_sse_event(event="beat", data_str=msgspec.json.encode(beat()).decode())
                beat_due = time.monotonic() + BEAT_S
            changed = await watch.wait(min(CHECK_S, beat_due - time.monotonic()))


def beat(hub: Hub, tables: tuple[str, ...], assets: Assets, all_must_run: bool) -> Beat:
    """The beat of a page of these tables. `all_must_run`: the page shows one table, so that it is not live
    without the table's engine; a page of many shows that per table. `assets`: in the language of the page.
    """
    missing = absence(hub, tables, assets.texts)
    return Beat(
        time.time_ns() // 1_000_000,
        assets.version,
        round(hub.away_s(tables if all_must_run else ()), 1),
        hub.alive(tables),
        missing.summary if missing else "",
    )
