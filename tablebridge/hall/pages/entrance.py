"""The first page, and whether the process serves pages."""

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from tablebridge.hall.desk import TheHall
from tablebridge.web.answers import Answer, Liveness

router = APIRouter(include_in_schema=False)


@router.get("/")
async def index() -> Response:
    """The floor, which sends who is not signed in to sign in."""
    return RedirectResponse("/floor", 303)


@router.get("/health", response_model=None)
async def health(desk: TheHall) -> Answer[Liveness]:
    """Whether the process serves pages."""
    return Answer(Liveness(not desk.tables.closing))
