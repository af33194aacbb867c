"""The floor page: the alerts of all tables, and what happens at each."""

from collections.abc import Iterable
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.model.alerts import Alert
from tablebridge.model.views import Choice
from tablebridge.web.absence import absence
from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk, TheDesk, requires
from tablebridge.web.live import StreamEvent
from tablebridge.web.ringing import Ringer, ringers

router = APIRouter(include_in_schema=False)

FloorReader = Annotated[Token, Depends(requires("floor"))]


class Queue(NamedTuple):
    """The arguments of the block `queue`, in its order."""

    alerts: list[Alert]
    closed: list[Alert]
    alive: int
    write: bool
    offered: dict[tuple[str, str], tuple[Choice, ...]]
    more: int


def queue(desk: Desk, me: Token, names: tuple[str, ...]) -> Queue:
    """The alerts of these tables as this person sees them."""
    return Queue(
        desk.hub.open_alerts(names),
        desk.hub.closed_alerts(names),
        desk.hub.alive(names),
        me.may("alerts-write"),
        desk.hub.offered(names),
        desk.hub.more_alerts(names),
    )


def ringing(desk: Desk, me: Token, names: tuple[str, ...]) -> list[Ringer]:
    """What rings at these tables for this person."""
    return ringers(desk.hub.open_alerts(names), desk.hub.notifications.state, me.name)


@router.get("/floor")
async def floor(desk: TheDesk, me: FloorReader) -> Response:
    """The whole page."""
    names = desk.names(me, "floor")
    return desk.page(
        "floor.html",
        me,
        "floor",
        shown=[desk.hub.tables[name] for name in names],
        queue=queue(desk, me, names),
        absence=absence(desk.hub, names),
        ringers=ringing(desk, me, names),
    )


@router.get("/live/floor")
async def live_floor(desk: TheDesk, me: FloorReader) -> Response:
    """The blocks of the page as they change."""
    blocks = FloorBlocks(desk, me)
    return desk.stream(me, blocks.names, ("state", "alerts", "devices"), blocks.render, all_must_run=False)


class FloorBlocks:
    """The blocks of one floor page that change. It remembers which rulings it has shown, since they come with
    the state of a table and stand in the queue of alerts.
    """

    def __init__(self, desk: Desk, me: Token) -> None:
        self.names = desk.names(me, "floor")
        self._desk = desk
        self._me = me
        self._offered = desk.hub.offered(self.names)

    def render(self, changed: set[str]) -> Iterable[StreamEvent]:
        """The blocks that these changes concern."""
        hub, assets = self._desk.hub, self._desk.assets
        for name in self.names:
            if {f"state:{name}", f"devices:{name}"} & changed:
                status = hub.tables[name]
                yield StreamEvent("block", assets.block("tile", status), str(status.rev))
        if any(key.startswith("state:") for key in changed):
            yield StreamEvent("block", assets.block("deadman", absence(hub, self.names)), "0")
        if any(key.startswith("alerts:") for key in changed):
            rings = ringing(self._desk, self._me, self.names)
            yield StreamEvent("block", assets.block("ringing", rings), "0")
        before, self._offered = self._offered, hub.offered(self.names)
        if before != self._offered or any(key.startswith("alerts:") for key in changed):
            rev = max((hub.tables[name].rev for name in self.names), default=0)
            html = assets.block("queue", *queue(self._desk, self._me, self.names))
            yield StreamEvent("block", html, str(rev))
