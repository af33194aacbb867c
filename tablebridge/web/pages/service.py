"""Liveness and readiness, which everybody may have, and metrics for whoever watches the box."""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from tablebridge.languages.texts import texts
from tablebridge.web.absence import absence
from tablebridge.web.answers import Answer, Liveness, Readiness
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.metrics import CONTENT_TYPE, exposition

router = APIRouter()

MetricsReader = Annotated[Token, Depends(requires("metrics"))]


@router.get("/health", response_model=None)
async def health(desk: TheDesk) -> Answer[Liveness]:
    """Whether the process serves pages."""
    return Answer(Liveness(not desk.hub.closing))


@router.get("/health/ready", response_model=None)
async def ready(desk: TheDesk) -> Answer[Readiness]:
    """Whether all tables are followed; 503 with a sentence if not."""
    missing = absence(desk.hub, tuple(desk.hub.tables), texts("en"))
    if missing is None:
        return Answer(Readiness(True, ""))
    return Answer(Readiness(False, f"{missing.summary}."), 503)


@router.get("/metrics")
async def metrics(desk: TheDesk, me: MetricsReader) -> Response:
    """What is counted and measured, for Prometheus."""
    names = desk.names(me, "metrics")
    return Response(exposition(desk.hub, names), headers={"content-type": CONTENT_TYPE})
