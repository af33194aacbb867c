"""Graphics for other programs: OGraf by the published schema and through the calls of a renderer, the
template for CasparCG and SPX, each on a page of another host.
"""

import io
import itertools
import json
import re
import time
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Browser, Page, expect
from referencing import Registry, Resource

from tablebridge.bus import topics
from tablebridge.model.overlay import OverlayView
from tablebridge.web.assets import Assets
from tablebridge.web.gallery import states
from tablebridge.web.pages.graphics import files

from .hall import Hall

SCHEMAS = [json.loads(path.read_text()) for path in (Path(__file__).parent / "ograf_schema").glob("*.json")]
GRAPHICS = ("table", "board")
PICTURES = {state.name: state.picture for state in states()}
REVS = itertools.count(4000)
RENDERER = """async ([address, data]) => {
  const made = await import(address);
  customElements.define("a-graphic", made.default);
  window.graphic = document.createElement("a-graphic");
  document.body.append(window.graphic);
  window.painted = () =>
    document.querySelector("a-graphic").shadowRoot?.querySelectorAll("tb-frame *").length ?? 0;
  return window.graphic.load({ data, renderType: "realtime", renderCharacteristics: {} });
}"""


def validator() -> Draft202012Validator:
    registry: Registry[Any] = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS
    )
    (manifests,) = [schema for schema in SCHEMAS if schema["$id"].endswith("graphics/schema.json")]
    return Draft202012Validator(manifests, registry=registry)


class Empty(BaseHTTPRequestHandler):
    """Answers everything with an empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><link rel=icon href=data:,><body></body>")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of another host, with nothing on it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Empty) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context(viewport={"width": 1920, "height": 1080})
        page = context.new_page()
        page.goto(f"http://localhost:{server.server_address[1]}/")
        yield page
        context.close()
        server.shutdown()


def show(hall: Hall, state: str) -> None:
    fields = {name: getattr(PICTURES[state], name) for name in OverlayView.__struct_fields__}
    hall.engine.show(OverlayView(**{**fields, "table": "main", "rev": next(REVS)}), topics.OVERLAY)


def data(hall: Hall, **more: Any) -> dict[str, Any]:
    return {"source": hall.url, "key": hall.secret("broadcast"), "table": "main", **more}


def call(page: Page, method: str, **params: Any) -> Any:
    return page.evaluate("([method, params]) => window.graphic[method](params)", [method, params])


@pytest.mark.parametrize("name", GRAPHICS)
def test_the_manifest_is_valid_by_the_published_schema(name: str) -> None:
    package = files(Assets())
    manifest = json.loads(package[f"{name}.ograf.json"].body)
    assert not list(validator().iter_errors(manifest))
    assert list(validator().iter_errors({**manifest, "extra": 1})), "the schema refuses what it does not know"
    assert manifest["main"] in package and "/" not in manifest["id"]
    assert {action["id"] for action in manifest["customActions"]} == {
        "hide-hole-cards", "show-hole-cards", "hide-all", "show-all", "focus-seat",
    }  # fmt: skip
    themes = {
        path.removeprefix("theme-").removesuffix(".css") for path in package if path.startswith("theme-")
    }
    assert set(manifest["schema"]["properties"]["theme"]["enum"]) == themes


def test_the_package_is_whole_and_has_no_secret_and_no_address_outside(hall: Hall) -> None:
    answer = hall.http.get(f"{hall.url}/graphics/tablebridge-graphics.zip")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    names = {name.removeprefix("tablebridge/"): archive.read(name) for name in archive.namelist()}
    assert {"tablebridge.html", "tablebridge-overlay.html", "ograf/table.ograf.json"} <= names.keys()
    for name, body in names.items():
        if name.endswith((".js", ".mjs", ".css")):
            for wanted in re.findall(
                r'(?:from|import) "\./([^"]+)"|url\("(inter[^"]+|roboto[^"]+)"\)', body.decode()
            ):
                assert f"ograf/{wanted[0] or wanted[1]}" in names, (name, wanted)
            assert not re.search(r"https?://(?!www\.w3\.org)", body.decode()), name
    assert b"tb_" not in b"".join(body for name, body in names.items() if not name.endswith(".woff2"))


@pytest.mark.browser
def test_a_renderer_loads_plays_stops_and_disposes_of_the_table(hall: Hall, page: Page) -> None:
    show(hall, "raise")
    loaded = page.evaluate(RENDERER, [f"{hall.url}/graphics/table.mjs", data(hall)])
    assert loaded == {"statusCode": 200} and page.evaluate("painted()") == 0, (
        "nothing is painted before it is played"
    )
    assert call(page, "playAction") == {"statusCode": 200, "currentStep": 0}
    seats, faces = page.locator("a-graphic .seat"), page.locator("a-graphic .seat [data-suit]")
    expect(seats).to_have_count(3)
    expect(faces).to_have_count(6)
    box = page.locator("a-graphic tb-table").bounding_box()
    assert box is not None and [round(box[side]) for side in ("x", "y", "width", "height")] == [
        0,
        0,
        1920,
        1080,
    ]
    assert page.evaluate(
        "document.fonts.ready.then(() => [...document.fonts].some(face => face.status === 'loaded'))"
    )
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--tb-plate')") == ""

    assert call(page, "stopAction")["statusCode"] == 200 and page.evaluate("painted()") == 0
    call(page, "playAction", skipAnimation=True)
    expect(faces).to_have_count(6)
    at_end = {"statusCode": 200, "currentStep": None}
    assert call(page, "playAction") == at_end, "past its only step"
    assert page.evaluate("painted()") == 0
    call(page, "playAction", goto=0)
    expect(faces).to_have_count(6)
    assert call(page, "dispose")["statusCode"] == 200
    assert page.evaluate("graphic.shadowRoot.childElementCount") == 0


@pytest.mark.browser
def test_a_renderer_updates_data_and_directs(hall: Hall, page: Page) -> None:
    show(hall, "raise")
    page.evaluate(RENDERER, [f"{hall.url}/graphics/table.mjs", data(hall)])
    call(page, "playAction")
    seats, faces = page.locator("a-graphic .seat"), page.locator("a-graphic .seat [data-suit]")
    expect(faces).to_have_count(6)
    assert call(page, "customAction", id="hide-hole-cards", payload=None)["statusCode"] == 200
    expect(faces).to_have_count(0)
    call(page, "customAction", id="show-hole-cards", payload=None)
    expect(faces).to_have_count(6)
    call(page, "customAction", id="focus-seat", payload={"seat": 4})
    expect(page.locator("a-graphic [data-focus]")).to_have_attribute("data-seat", "4")
    call(page, "customAction", id="hide-all", payload=None)
    expect(seats).to_have_count(0)
    call(page, "customAction", id="show-all", payload=None)
    expect(seats).to_have_count(3)
    assert call(page, "customAction", id="dance", payload=None)["statusCode"] == 400
    assert call(page, "customAction", id="focus-seat", payload={"seat": 11})["statusCode"] == 400

    plate = "getComputedStyle(graphic.shadowRoot.querySelector('.seat')).backgroundColor"
    night = page.evaluate(plate)
    call(page, "updateAction", data={"theme": "day"})
    assert page.evaluate(plate) != night, "only the theme was given: all else stays"
    expect(page.locator("a-graphic .does em").last).to_have_text("Raise to")
    call(page, "updateAction", data={"lang": "ru"})
    expect(page.locator("a-graphic .does em").last).to_have_text("Рейз до")
    call(page, "updateAction", data={"lang": "en"})
    expect(faces).to_have_count(6)


@pytest.mark.browser
def test_a_renderer_may_give_the_state_itself_and_calls_may_overlap(hall: Hall, page: Page) -> None:
    def state(name: str) -> Any:
        return msgspec.to_builtins(PICTURES[name])

    page.evaluate(RENDERER, [f"{hall.url}/graphics/board.mjs", {"state": state("flop")}])
    page.evaluate(
        """([turn, river]) => Promise.all([
          graphic.playAction({}),
          graphic.updateAction({data: {state: turn}}),
          graphic.updateAction({data: {state: river}}),
        ])""",
        [state("turn"), state("river")],
    )
    expect(page.locator("a-graphic .board .card")).to_have_count(5)
    expect(page.locator("a-graphic .pot")).to_be_visible()
    assert page.locator("a-graphic .seat, a-graphic .meta").count() == 0
    assert page.evaluate("graphic.load({renderType: 'non-realtime'})")["statusCode"] == 400


@pytest.mark.browser
def test_the_clock_of_the_level_runs_stands_and_gives_way_to_a_break(hall: Hall, page: Page) -> None:
    """Blinds alone without one."""
    begun = {**msgspec.to_builtins(PICTURES["flop"]), "level": None}
    far = time.time_ns() + 1_000_000_000_000
    level = {"stakes": [500, 1000], "timed": True, "ends_wall_ns": far, "left_s": 1000, "paused": False}

    def said(**changes: Any) -> str:
        picture = {**begun, "level": {**level, **changes} if changes else None}
        call(page, "updateAction", data={"state": picture})
        items = page.locator("a-graphic .item").all_inner_texts()
        return " | ".join(" ".join(item.split()) for item in items)

    page.evaluate(RENDERER, [f"{hall.url}/graphics/table.mjs", {"state": begun, "show": "blinds"}])
    call(page, "playAction")
    assert said() == "Blinds 500 / 1 000 | Ante 1 000"
    assert re.match(r"Level 16:[345]\d \| Blinds", said(early=False))
    assert said(ends_wall_ns=0, left_s=61, paused=True).startswith("Level, paused 1:01 | Blinds")
    assert re.match(r"Break 16:[345]\d \| Blinds", said(break_ends_wall_ns=far))
    assert said(timed=False, ends_wall_ns=0, hand_for_hand=True).startswith("Hand for hand | Blinds")


@pytest.mark.browser
@pytest.mark.parametrize("form", ["json", "xml"])
def test_caspar_and_spx_drive_the_template_by_four_functions(
    hall: Hall, browser: Browser, tmp_path: Path, form: str
) -> None:
    show(hall, "raise")
    template = tmp_path / "tablebridge.html"
    template.write_bytes(files(Assets())["tablebridge.html"].body)
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(template.as_uri())
    fields = page.evaluate("SPXGCTemplateDefinition.DataFields.map(field => field.field)")
    assert set(fields) >= {"source", "table", "key"}
    given = data(hall)
    parts = "".join(
        f'<componentData id="{name}"><data id="text" value="{value}"/></componentData>'
        for name, value in given.items()
    )
    text = json.dumps(given) if form == "json" else f"<templateData>{parts}</templateData>"
    page.evaluate("text => { update(text); play(); next(); }", text)
    seats = page.locator("tablebridge-graphic .seat")
    expect(seats).to_have_count(3)
    page.evaluate('update(\'{"layout": "9x16"}\')')
    expect(page.locator("tablebridge-graphic tb-table")).to_have_attribute("data-layout", "9x16")
    page.evaluate("stop()")
    expect(seats).to_have_count(0)
    page.evaluate("play()")
    expect(seats).to_have_count(3)
    assert errors == []
    page.close()
