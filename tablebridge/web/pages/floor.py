"""The floor page: the incidents of all tables, and what happens at each; and the same for a wall, to read
from afar.
"""

import time
from collections.abc import Iterable
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.floor.incidents import TableIncidents
from tablebridge.model.views import Choice
from tablebridge.web.absence import Absence, absence
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.floor_picture import FloorPicture, floor_picture
from tablebridge.web.live import StreamEvent
from tablebridge.web.ringing import Ringer, ringers
from tablebridge.web.status import TableStatus

router = APIRouter(include_in_schema=False)

FloorReader = Annotated[Token, Depends(requires("floor"))]


class Queue(NamedTuple):
    """The arguments of the block `queue`, in its order. `me`: who looks; `write`: who may act."""

    picture: FloorPicture
    offered: dict[tuple[str, str], tuple[Choice, ...]]
    me: str
    write: bool


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
    )


@router.get("/live/floor")
async def live_floor(desk: TheDesk, me: FloorReader, wall: str | None = None) -> Response:
    """The blocks of the page as they change."""
    blocks = FloorBlocks(desk, me)
    render = blocks.render if wall is None else blocks.render_wall
    return desk.stream(me, blocks.names, ("state", "alerts", "devices"), render, all_must_run=False)


class FloorBlocks:
    """The blocks of one floor page that change. It remembers which rulings it has shown, since they come with
    the state of a table and stand in the queue; and whether there was a flood, which ends by itself.
    """

    def __init__(self, desk: Desk, me: Token) -> None:
        self.names = desk.names(me, "floor")
        self._desk = desk
        self._me = me
        self._write = me.may("alerts-write")
        self._picture = floor_picture(desk.hub, self.names)
        self._offered = desk.hub.offered(self.names)

    def queue(self) -> Queue:
        """What stands in the queue."""
        return Queue(self._picture, self._offered, self._me.name, self._write)

    def ringing(self) -> list[Ringer]:
        """What rings for this person: neither what is hidden nor what waits on the shelf."""
        incidents = self._picture.incidents
        unseen = {(mark.alert.table, mark.alert.id) for incident in incidents for mark in incident.suppressed}
        shown = (alert for incident in incidents for alert in incident.members)
        standing = (alert for alert in shown if (alert.table, alert.id) not in unseen)
        return ringers(standing, self._desk.hub.notifications.state, self._me.name, self._desk.texts)

    def tile(self, name: str) -> Tile:
        """What stands on the tile of a table."""
        hub = self._desk.hub
        away_s = hub.away_s([name])
        since = time.time_ns() - round(away_s * 1e9) if away_s else 0
        return Tile(hub.tables[name], self._picture.tables[name], since, self._write)

    def wall(self) -> Wall:
        """What stands on the wall."""
        tiles = [self.tile(name) for name in self.names]
        zone_s = time.localtime().tm_gmtoff
        return Wall(tiles, self._picture, absence(self._desk.hub, self.names, self._desk.texts), zone_s)

    def render(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The blocks that these changes concern."""
        assets = self._desk.assets
        queue_changed = self._look(changed)
        for name in self.names:
            if {f"state:{name}", f"alerts:{name}", f"devices:{name}"} & changed:
                tile = self.tile(name)
                yield StreamEvent("block", assets.block("tile", *tile), str(tile.status.rev))
        if any(key.startswith("state:") for key in changed):
            away = absence(self._desk.hub, self.names, self._desk.texts)
            yield StreamEvent("block", assets.block("deadman", away), "0")
        if queue_changed:
            yield StreamEvent("block", assets.block("ringing", self.ringing()), "0")
            yield StreamEvent("block", assets.block("queue", *self.queue()), self._rev())

    def render_wall(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The wall, if these changes concern it."""
        if self._look(changed) or changed:
            yield StreamEvent("block", self._desk.assets.block("wall", *self.wall()), self._rev())

    def _look(self, changed: set[str]) -> bool:
        """Look at the tables again if these changes make it worth while. Whether the queue is another."""
        hub, before = self._desk.hub, self._picture
        if not changed and before.flood is None:
            return False
        self._picture = floor_picture(hub, self.names)
        offered, self._offered = self._offered, hub.offered(self.names)
        return (
            offered != self._offered
            or before != self._picture
            or any(key.startswith("alerts:") for key in changed)
        )

    def _rev(self) -> str:
        return str(max((self._desk.hub.tables[name].rev for name in self.names), default=0))
