"""What the broadcast shows of players beside their names: from a folder of the site, with bounds."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tablebridge.bus import topics
from tablebridge.model.overlay import OverlayView, PlayerNote
from tablebridge.web.assets import Assets
from tablebridge.web.gallery import states
from tablebridge.web.players import MOST_BYTES, Players

from .hall import Hall

PICTURE = next(state.picture for state in states() if state.name == "raise")
CARD = Assets().cards["back"]
LIST = '[[player]]\nname = "Chen Wei"\nflag = "CHN"\nline = "Won it in 2024"\npicture = "chen.png"\n'
REVS = itertools.count(5000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "players.toml").write_text(LIST)
    (tmp_path / "chen.png").write_bytes(CARD)
    return tmp_path


def test_who_sits_at_the_table_is_noted_and_a_change_of_the_list_counts_at_once(folder: Path) -> None:
    players = Players(folder)
    assert players.noted(PICTURE).players == (PlayerNote(4, "CHN", "Won it in 2024", "chen.png"),)
    (folder / "players.toml").write_text(LIST.replace("CHN", "SGP") + "\n")
    assert players.noted(PICTURE).players[0].flag == "SGP"
    (folder / "players.toml").write_text("what?")
    assert players.noted(PICTURE).players == ()
    (folder / "players.toml").unlink()
    assert players.noted(PICTURE).players == () == Players(None).noted(PICTURE).players


def test_the_pictures_of_logo_and_sponsor_are_found_by_their_names(folder: Path) -> None:
    assert (Players(folder).noted(PICTURE).logo, Players(folder).noted(PICTURE).sponsor) == ("", "")
    (folder / "logo.webp").write_bytes(CARD)
    (folder / "sponsor.png").write_bytes(CARD)
    noted = Players(folder).noted(PICTURE)
    assert (noted.logo, noted.sponsor) == ("logo.webp", "sponsor.png")


def test_only_small_pictures_of_the_folder_itself_are_served(folder: Path) -> None:
    players = Players(folder)
    found = players.picture("chen.png")
    assert found is not None and (found.body, found.media_type) == (CARD, "image/png")
    (folder / "large.png").write_bytes(CARD + bytes(MOST_BYTES))
    (folder / "page.png").write_text("<svg onload='x'/>")
    (folder / "link.png").symlink_to(folder / "chen.png")
    (folder / "in").mkdir()
    for name in (
        "large.png",
        "page.png",
        "link.png",
        "in",
        "../chen.png",
        "players.toml",
        "none.png",
        ".hidden",
        "",
    ):
        assert players.picture(name) is None, name
    assert Players(None).picture("chen.png") is None


@pytest.fixture
def pictures(hall: Hall) -> Iterator[Path]:
    folder = hall.folder / "pictures"
    folder.mkdir()
    (folder / "players.toml").write_text(LIST)
    (folder / "chen.png").write_bytes(CARD)
    yield folder


@pytest.mark.browser
def test_the_lower_third_has_flag_line_and_picture(hall: Hall, browser: Browser, pictures: Path) -> None:
    fields = {name: getattr(PICTURE, name) for name in OverlayView.__struct_fields__}
    hall.engine.show(OverlayView(**{**fields, "table": "main", "rev": next(REVS)}), topics.OVERLAY)
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{hall.url}/overlay/main?key={hall.secret('broadcast')}&show=player&seat=4")
    third = page.locator(".third")
    expect(third.locator(".flag")).to_have_text("CHN")
    expect(third.locator(".about")).to_contain_text("Won it in 2024")
    with page.expect_response("**/players/chen.png*") as answer:
        page.reload()
    assert answer.value.headers["content-type"] == "image/png"
    expect(third.locator(".portrait")).to_have_css("width", re.compile("^137"))
    (pictures / "sponsor.png").write_bytes(CARD)
    page.goto(f"{hall.url}/overlay/main?key={hall.secret('broadcast')}")
    expect(page.locator(".sponsor")).to_have_css("background-image", re.compile("players/sponsor.png"))
    page.add_style_tag(content=":root { --tb-sponsor: none }")
    expect(page.locator(".sponsor")).to_have_css("background-image", "none")
    assert failed == []
    page.close()
