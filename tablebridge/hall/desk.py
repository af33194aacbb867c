"""What all routes of the room's pages share."""

import hashlib
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, cast

from fastapi import Depends, Request
from starlette.responses import Response

from tablebridge.archive.settling import SiteFindings
from tablebridge.hall.acts import Acts
from tablebridge.hall.configurations import Configurations
from tablebridge.hall.history import History
from tablebridge.hall.people import People
from tablebridge.hall.tables import Tables
from tablebridge.web.auth import Token
from tablebridge.web.desk import desk_of, requires
from tablebridge.web.drawn import Drawn
from tablebridge.web.floor_picture import FloorPictures
from tablebridge.web.reception import Reception


@dataclass(frozen=True, kw_only=True)
class HallDesk(Reception):
    """Everything that the routes work with. `site`: the name of the site."""

    tokens: People
    site: str
    tables: Tables
    history: History
    acts: Acts
    configurations: Configurations
    findings: SiteFindings
    pictures: FloorPictures = field(default_factory=FloorPictures)
    drawn: Drawn = field(default_factory=Drawn)
    navigation: ClassVar[str] = "hall/navigation.html"

    @property
    def version(self) -> str:
        """What a page is made of: the pages, and which tables there are. A page with another one is old."""
        names = hashlib.sha256("\0".join(self.tables.names).encode()).hexdigest()
        return f"{self.assets.version}.{names[:8]}"

    def page(
        self, name: str, me: Token | None, here: str = "", *, http_status: int = 200, **values: Any
    ) -> Response:
        """A whole page."""
        return super().page(name, me, here, http_status=http_status, assets=self.version, **values)


def _hall_desk(request: Request) -> HallDesk:
    return cast(HallDesk, cast(Reception, desk_of(request)))


TheHall = Annotated[HallDesk, Depends(_hall_desk)]
FloorReader = Annotated[Token, Depends(requires("floor"))]
AlertWriter = Annotated[Token, Depends(requires("alerts-write"))]
TimelineReader = Annotated[Token, Depends(requires("timeline"))]
