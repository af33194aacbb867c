"""The floor page: the incidents of all tables, and what happens at each; and the same for a wall, to read
from afar.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Depends
from markupsafe import Markup
from starlette.responses import Response

from tablebridge.floor.incidents import Incident, TableIncidents
from tablebridge.model.rooms import RoomView
from tablebridge.model.views import Choice
from tablebridge.web.absence import Absence, absence
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.floor_picture import FloorPicture
from tablebridge.web.live import StreamEvent
from tablebridge.web.ringing import Ringer, ringers
from tablebridge.web.room_link import is_due
from tablebridge.web.status import TableStatus, offered

router = APIRouter(include_in_schema=False)

FloorReader = Annotated[Token, Depends(requires("floor"))]
_SAME: Final = Markup('<li class="incident" id="incident-{}" data-same></li>')
"""What stands for an incident that the page has already: `morph.js` leaves it as it is."""
_SAME_CLOSED: Final = Markup('<details id="closed" data-same></details>')


class Queue(NamedTuple):
    """The arguments of the block `queue`, in its order. `me`: who looks; `write`: who may act; `drawn`: what
    stands for each incident, by its id; `closed`: what stands for the alerts that were closed.
    """

    picture: FloorPicture
    offered: dict[tuple[str, str], tuple[Choice, ...]]
    me: str
    write: bool
    drawn: Mapping[str, Markup]
    closed: Markup


class Tile(NamedTuple):
    """The arguments of the blocks `tile` and `walltile`, in their order. `away_wall_ns`: since when the table
    is not followed, 0 if it is.
    """

    status: TableStatus
    open: TableIncidents
    away_wall_ns: int
    write: bool


class Wall(NamedTuple):
    """The arguments of the block `wall`, in its order. `zone_s`: by how much the clock of the house is ahead
    of UTC.
    """

    tiles: list[Tile]
    picture: FloorPicture
    absence: Absence | None
    zone_s: int


@router.get("/floor")
async def floor(desk: TheDesk, me: FloorReader, wall: str | None = None) -> Response:
    """The whole page; with `?wall` the one for a wall."""
    blocks = FloorBlocks(desk, me)
    if wall is not None:
        return desk.page("wall.html", None, wall=blocks.wall())
    return desk.page(
        "floor.html",
        me,
        "floor",
        tiles=[blocks.tile(name) for name in blocks.names],
        queue=blocks.queue(),
        absence=absence(desk.hub, blocks.names, desk.texts),
        ringers=blocks.ringing(),
        room_band=blocks.room(),
    )


@router.get("/live/floor")
async def live_floor(desk: TheDesk, me: FloorReader, wall: str | None = None) -> Response:
    """The blocks of the page as they change."""
    blocks = FloorBlocks(desk, me)
    render = blocks.render if wall is None else blocks.render_wall
    return desk.stream(me, blocks.names, ("state", "alerts", "devices", "room"), render, all_must_run=False)


class FloorBlocks:
    """The blocks of one floor page that change. It remembers which rulings it has shown, since they come with
    the state of a table and stand in the queue; whether there was a flood, which ends by itself; and what its
    stream was sent, so that nothing is sent twice.
    """

    def __init__(self, desk: Desk, me: Token) -> None:
        self.names = desk.names(me, "floor")
        self._desk = desk
        self._me = me
        self._write = me.may("alerts-write")
        self._picture = desk.pictures.of(desk.hub, self.names)
        self._offered = offered(desk.hub.tables[name] for name in self.names)
        self._sent: dict[str, str] = {}
        self._queued: Mapping[str, str] = {}
        self._closed = ""

    def queue(self) -> Queue:
        """What stands in the queue."""
        drawn = {incident.id: Markup(self._incident(incident)) for incident in self._picture.incidents}
        return Queue(
            self._picture, self._offered, self._me.name, self._write, drawn, Markup(self._closed_lately())
        )

    def ringing(self) -> list[Ringer]:
        """What rings for this person: neither what is hidden nor what waits on the shelf, and in a flood only
        what is critical.
        """
        incidents = self._picture.incidents
        unseen = {(mark.alert.table, mark.alert.id) for incident in incidents for mark in incident.suppressed}
        shown = (alert for incident in incidents for alert in incident.members)
        flooded = self._picture.flood is not None
        standing = (
            alert
            for alert in shown
            if (alert.table, alert.id) not in unseen and (alert.severity == "critical" or not flooded)
        )
        return ringers(standing, self._desk.hub.notifications.state, self._me.name, self._desk.texts)

    def tile(self, name: str) -> Tile:
        """What stands on the tile of a table."""
        hub = self._desk.hub
        away_s = hub.away_s([name])
        since = time.time_ns() - round(away_s * 1e9) if away_s else 0
        return Tile(hub.tables[name], self._picture.tables[name], since, self._write)

    def room(self) -> tuple[RoomView | None, bool]:
        """The room of a tournament, None if this person sees none, and whether something is due."""
        view = self._desk.hub.room.view if self._me.may("room") else None
        return view, view is not None and is_due(view)

    def wall(self) -> Wall:
        """What stands on the wall."""
        tiles = [self.tile(name) for name in self.names]
        zone_s = time.localtime().tm_gmtoff
        return Wall(tiles, self._picture, absence(self._desk.hub, self.names, self._desk.texts), zone_s)

    def render(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The blocks that these changes concern: of the queue those incidents that are others."""
        queue_changed = self._look(changed)
        if queue_changed:
            yield from self._once("ringing", self.ringing())
            yield StreamEvent("block", self._queue_as_changed(), self._rev())
        if any(key.startswith("state:") for key in changed):
            yield from self._once("deadman", absence(self._desk.hub, self.names, self._desk.texts))
        if any(key.startswith("room:") for key in changed):
            yield from self._once("room_band", *self.room())
        for name in self.names:
            if {f"state:{name}", f"alerts:{name}", f"devices:{name}"} & changed:
                yield StreamEvent("block", self._tile("tile", name), str(self._desk.hub.tables[name].rev))

    def render_wall(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The parts of the wall that these changes, or the end of a flood, have made others."""
        if not self._look(changed) and not changed:
            return
        wall = self.wall()
        yield from self._once("wallhead", wall.picture, wall.absence, wall.zone_s, len(wall.tiles))
        for name in self.names:
            yield from self._if_new(f"wall-{name}", self._tile("walltile", name))

    def _look(self, changed: set[str]) -> bool:
        """Look at the tables again if these changes make it worth while. Whether the queue is another."""
        hub, before = self._desk.hub, self._picture
        if not changed and before.flood is None:
            return False
        self._picture = self._desk.pictures.of(hub, self.names)
        choices, self._offered = self._offered, offered(hub.tables[name] for name in self.names)
        return (
            choices != self._offered
            or before != self._picture
            or any(key.startswith("alerts:") for key in changed)
        )

    def _tile(self, block: str, name: str) -> str:
        """A tile, drawn once for all who see it alike."""
        status, incidents = self._desk.hub.tables[name], self._picture.tables[name]
        return self._desk.drawn.block(
            (block, name, self._write, self._desk.texts.tag),
            (status.changes, incidents),
            lambda: self._desk.assets.block(block, *self.tile(name)),
        )

    def _incident(self, incident: Incident) -> str:
        """An incident, drawn once for all who see it alike: whoever has taken none of it."""
        mine = {(alert.table, alert.id) for alert in incident.members}
        choices = {alert: some for alert, some in self._offered.items() if alert in mine}
        takers = {alert.life[-1].by for alert in incident.members if alert.state == "taken"}
        me = self._me.name
        return self._desk.drawn.block(
            ("incident", incident.id, me if me in takers else "", self._write, self._desk.texts.tag),
            (incident, choices),
            lambda: self._desk.assets.block("incident", incident, me, self._write, choices),
        )

    def _closed_lately(self) -> str:
        """The alerts that were closed last, drawn once for all who see the same tables."""
        closed, more = self._picture.closed, self._picture.more_closed
        return self._desk.drawn.block(
            ("closed", self.names, self._desk.texts.tag),
            (tuple(closed), more),
            lambda: self._desk.assets.block("closed_lately", closed, more),
        )

    def _queue_as_changed(self) -> str:
        """The queue for a page that has it as it was sent last: what is the same is only named."""
        queue = self.queue()
        before, self._queued = self._queued, queue.drawn
        closed_before, self._closed = self._closed, queue.closed
        if queue.closed and queue.closed == closed_before:
            queue = queue._replace(closed=_SAME_CLOSED)
        as_changed = {
            id: _SAME.format(id) if before.get(id) == html else html for id, html in queue.drawn.items()
        }
        return self._desk.assets.block("queue", *queue._replace(drawn=as_changed))

    def _once(self, block: str, *values: object) -> Iterator[StreamEvent]:
        yield from self._if_new(block, self._desk.assets.block(block, *values))

    def _if_new(self, id: str, html: str) -> Iterator[StreamEvent]:
        if self._sent.get(id) != html:
            self._sent[id] = html
            yield StreamEvent("block", html, self._rev())

    def _rev(self) -> str:
        return str(max((self._desk.hub.tables[name].rev for name in self.names), default=0))
