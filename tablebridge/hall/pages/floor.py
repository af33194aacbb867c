"""The floor of a room: its tables, and one queue of the alerts of all; the same for a wall."""

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter
from fastapi.sse import EventSourceResponse
from markupsafe import Markup
from starlette.responses import Response

from tablebridge.bus.messages import Reply
from tablebridge.floor.incidents import Incident, TableIncidents
from tablebridge.hall.acts import Act
from tablebridge.hall.desk import AlertWriter, FloorReader, HallDesk, TheHall
from tablebridge.hall.tables import Link
from tablebridge.web.answers import Answer
from tablebridge.web.api.alerts import ChangeBody
from tablebridge.web.api.commands import body_as
from tablebridge.web.auth import Token
from tablebridge.web.floor_picture import FloorPicture
from tablebridge.web.guard import Denied
from tablebridge.web.heard import heard
from tablebridge.web.live import Beat, StreamEvent, stream
from tablebridge.web.status import TableStatus

router = APIRouter(include_in_schema=False)

_ROOM: Final = "room:all"
_ACTS: Final[dict[str, Act]] = {"taken": "taken", "acknowledged": "acknowledged"}


class Tile(NamedTuple):
    """A table on the page. `heard_wall_ns`: when its box was heard last."""

    status: TableStatus
    open: TableIncidents
    link: Link
    heard_wall_ns: int
    box: str


class Wall(NamedTuple):
    """The arguments of the block `hall_wall`, in its order. `zone_s`: by how much the clock of the house is
    ahead of UTC.
    """

    tiles: list[Tile]
    picture: FloorPicture
    zone_s: int


@router.get("/floor")
async def floor(desk: TheHall, me: FloorReader) -> Response:
    """The tables and the queue."""
    blocks = HallBlocks(desk, me)
    return desk.page("hall/floor.html", me, "floor", tiles=blocks.tiles(), queue=blocks.queue())


@router.get("/wall")
async def wall(desk: TheHall, me: FloorReader) -> Response:
    """The same for a wall: nothing to press, no name of anybody."""
    return desk.page("hall/wall.html", None, wall=HallBlocks(desk, me).wall())


@router.get("/live/floor")
async def live_floor(desk: TheHall, me: FloorReader, wall: str | None = None) -> Response:
    """The blocks of either page as they change."""
    blocks = HallBlocks(desk, me)
    keys = (_ROOM, *(f"table:{name}" for name in desk.tables.names))
    render = blocks.render if wall is None else blocks.render_wall
    return EventSourceResponse(
        stream(
            desk.tables,
            keys,
            render,
            lambda: beat_of(desk),
            may_continue=lambda: desk.tokens.is_valid(me),
        )
    )


@router.post("/api/tables/{table}/alerts/{alert}/{to}", response_model=None)
async def act(
    desk: TheHall,
    table: str,
    alert: str,
    to: str,
    me: AlertWriter,
    body: Annotated[ChangeBody, body_as(ChangeBody)],
) -> Answer[Reply]:
    """Take an alert, or say that it was seen. The table's engine decides and answers."""
    seen = desk.tables.seen(table)
    if seen is None or alert not in seen.status.alerts:
        raise Denied(404, "This alert is not open. Look at the queue again.")
    wanted = _ACTS.get(to)
    if wanted is None:
        raise Denied(404, "The room takes alerts and marks them as seen. Rule on them at the table's box.")
    if seen.link != "live":
        raise Denied(503, "The table cannot be reached. Nothing was written; go there, or call.")
    reply = await desk.acts.act(seen.place, alert, me, wanted, body.id)
    return Answer(Reply(reply.id, reply.ok, heard(desk.texts, reply.sentence)), 200 if reply.ok else 409)


def beat_of(desk: HallDesk) -> Beat:
    """The next beat of a page of the room."""
    tables, texts = desk.tables, desk.texts
    away_s = tables.servers_away_s
    alive, total = tables.alive(tables.tables), len(tables.tables)
    away = ""
    if away_s:
        away = texts.gettext("the servers of the room cannot be reached")
    elif alive < total:
        away = texts.ngettext(
            "%(alive)s of %(num)s table followed", "%(alive)s of %(num)s tables followed", total, alive=alive
        )
    return Beat(time.time_ns() // 1_000_000, desk.version, round(away_s, 1), alive, away)


class HallBlocks:
    """The blocks of one page that change, and what its stream was sent, so that nothing is sent twice."""

    def __init__(self, desk: HallDesk, me: Token) -> None:
        self.names = desk.tables.names
        self._desk = desk
        self._me = me
        self._write = me.may("alerts-write")
        self._picture = desk.pictures.of(desk.tables, self.names)
        self._sent: dict[str, str] = {}

    def tiles(self) -> list[Tile]:
        """All tables."""
        return [self.tile(name) for name in self.names]

    def tile(self, name: str) -> Tile:
        """What stands on the tile of a table."""
        tables = self._desk.tables
        seen = tables.seen(name)
        assert seen is not None
        return Tile(
            seen.status, self._picture.tables[name], seen.link, tables.heard_wall_ns(name), seen.place.box
        )

    def queue(self) -> tuple[FloorPicture, Mapping[str, Markup], int]:
        """The arguments of the block `hall_queue`, in its order."""
        drawn = {one.id: Markup(self._incident(one)) for one in self._picture.incidents}
        return self._picture, drawn, len(self.names)

    def wall(self) -> Wall:
        """What stands on the wall."""
        return Wall(self.tiles(), self._picture, time.localtime().tm_gmtoff)

    def render(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The blocks that these changes concern."""
        self._look(changed)
        yield from self._once("queue", "hall_queue", *self.queue())
        for name in self._of(changed):
            yield from self._once(f"tile-{name}", "hall_tile", self.tile(name))

    def render_wall(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The parts of the wall that these changes have made others."""
        self._look(changed)
        yield from self._once(
            "wallhead", "hall_wallhead", self._picture, time.localtime().tm_gmtoff, len(self.names)
        )
        for name in self._of(changed):
            yield from self._once(f"wall-{name}", "hall_walltile", self.tile(name))

    def _of(self, changed: set[str]) -> Iterator[str]:
        return (name for name in self.names if f"table:{name}" in changed)

    def _look(self, changed: set[str]) -> None:
        if changed or self._picture.flood is not None:
            self._picture = self._desk.pictures.of(self._desk.tables, self.names)

    def _incident(self, incident: Incident) -> str:
        """An incident, drawn once for all who see it alike."""
        me = self._me.name if incident.taken_by == self._me.name else ""
        seen = self._desk.tables.seen(incident.table)
        link: Link = "gone" if seen is None else seen.link
        return self._desk.drawn.block(
            ("incident", incident.id, me, self._write, self._desk.texts.tag),
            (incident, link),
            lambda: self._desk.assets.block("hall_incident", incident, self._me.name, self._write, link),
        )

    def _once(self, id: str, block: str, *values: object) -> Iterator[StreamEvent]:
        html = self._desk.assets.block(block, *values)
        if self._sent.get(id) != html:
            self._sent[id] = html
            yield StreamEvent("block", html, "0")
