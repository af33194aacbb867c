"""The files of the pages, which everybody may have."""

from fastapi import APIRouter
from starlette.responses import Response

from tablebridge.web.desk import TheDesk
from tablebridge.web.guard import Denied

router = APIRouter()


@router.get("/static/{version}/{name}", include_in_schema=False)
async def static(desk: TheDesk, version: str, name: str) -> Response:
    """A script, style sheet or picture of the pages."""
    asset = desk.assets.files.get(name)
    if asset is None:
        raise Denied(404, "There is no file %(name)s.", name=repr(name))
    # An address names its version, so that an old one may be kept and a new one is always fetched.
    keep = "public, max-age=31536000, immutable" if version == desk.assets.version else "no-store"
    return Response(asset.body, media_type=asset.media_type, headers={"cache-control": keep})
