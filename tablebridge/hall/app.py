"""The application of the room's pages."""

from typing import Final

from fastapi import FastAPI

from tablebridge.hall.desk import HallDesk
from tablebridge.hall.pages import entrance, floor, history, records
from tablebridge.settings.site import Web
from tablebridge.web.app import application
from tablebridge.web.pages import files, languages, signing_in

ROUTERS: Final = (
    entrance.router,
    files.router,
    signing_in.router,
    languages.router,
    floor.router,
    history.router,
    records.router,
)


def create_hall(desk: HallDesk, web: Web) -> FastAPI:
    """The application. Without a token it serves signing in, liveness and scripts, nothing else."""
    return application(desk, ROUTERS, web)
