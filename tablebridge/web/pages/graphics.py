"""The graphics for other programs: OGraf, CasparCG, SPX, and the start file for OBS. They hold no secret and
no table: everybody may have them, one by one or as a package.
"""

import io
import zipfile
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from tablebridge.web.assets import Asset, Assets
from tablebridge.web.desk import TheDesk
from tablebridge.web.guard import Denied

router = APIRouter(include_in_schema=False)

PACKAGE: Final = "tablebridge-graphics.zip"
_SHARED: Final = (
    "elements.js",
    "live.js",
    "morph.js",
    "overlay.css",
    "overlay_cards.js",
    "overlay_options.js",
    "overlay_parts.js",
    "overlay_screen.js",
    "overlay_words.js",
    "table.js",
    "tokens.css",
    "words.js",
)
_SHARED_BEGIN: Final = ("theme-", "inter-", "roboto-condensed-")
_START_FILE: Final = "tablebridge-overlay.html"
_TEMPLATE: Final = "tablebridge.html"
_TEXTS: Final = "words.json"


@router.get("/graphics/{name}")
async def graphic(desk: TheDesk, name: str) -> Response:
    """A file of the graphics, or all of them as a package."""
    if name == PACKAGE:
        return Response(package(desk.assets), media_type="application/zip")
    asset = files(desk.assets).get(name)
    if asset is None:
        raise Denied(
            404,
            "There is no file %(name)s among the graphics. All of them: /graphics/%(package)s.",
            name=name,
            package=PACKAGE,
        )
    return Response(asset.body, media_type=asset.media_type)


def files(assets: Assets) -> dict[str, Asset]:
    """The files of the graphics by name: they lie beside each other."""
    shared = {
        name: asset
        for name, asset in assets.files.items()
        if name in _SHARED or name.startswith(_SHARED_BEGIN)
    }
    texts = Asset(assets.block("overlay_texts").strip().encode(), "application/json")
    return {**shared, **assets.graphics, _TEXTS: texts}


def package(assets: Assets) -> bytes:
    """All graphics and the start file of OBS in a ZIP file, the same bytes each time."""
    kept = {f"ograf/{name}": asset for name, asset in files(assets).items() if name != _TEMPLATE}
    kept |= {_TEMPLATE: assets.graphics[_TEMPLATE], _START_FILE: assets.files[_START_FILE]}
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, asset in sorted(kept.items()):
            archive.writestr(zipfile.ZipInfo(f"tablebridge/{name}"), asset.body, zipfile.ZIP_DEFLATED)
    return body.getvalue()
