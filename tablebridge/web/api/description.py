"""The description of the REST interface for programs."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, Response

from tablebridge.web.auth import Token
from tablebridge.web.desk import requires
from tablebridge.web.openapi import document

router = APIRouter(prefix="/api", include_in_schema=False)

StateReader = Annotated[Token, Depends(requires("state"))]


@router.get("/openapi.json")
async def description(request: Request, me: StateReader) -> Response:
    """The OpenAPI document of this interface."""
    return JSONResponse(document(request.app))
