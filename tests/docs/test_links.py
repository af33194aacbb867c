"""Every link leads somewhere, and every page can be reached."""

import re
from pathlib import Path

import pytest
from rig.documents import DOCS, ROOT, anchors, files, links, name

MARKDOWN = files(".md")
CEILING = 200_000


@pytest.mark.parametrize("page", MARKDOWN, ids=name)
def test_every_relative_link_and_image_is_there(page: Path) -> None:
    for link in links(page):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        target, _, anchor = link.partition("#")
        to = (page.parent / target).resolve() if target else page
        assert to.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in anchors(to), f"{link}: {name(to)} has no such heading"


@pytest.mark.parametrize("page", MARKDOWN, ids=name)
def test_every_file_of_the_repository_that_is_named_is_there(page: Path) -> None:
    spans = re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|md|txt|toml|conf|acl|json|html))`", page.read_text())
    own = [span for span in spans if not span.startswith(("state_dir/", "/"))]
    below = (ROOT, ROOT / "tablebridge", ROOT / "drivers", ROOT / "tablebridge" / "sensing", page.parent)
    assert [span for span in own if not any((folder / span).exists() for folder in below)] == []


def test_the_map_leads_to_every_document() -> None:
    led = {(DOCS / link).resolve() for link in links(DOCS / "index.md")}
    assert [name(page) for page in DOCS.glob("*.md") if page.name != "index.md" and page not in led] == []


def test_every_picture_is_used_and_small() -> None:
    shown = {(page.parent / link).resolve() for page in MARKDOWN for link in links(page)}
    for picture in (DOCS / "images").iterdir():
        assert picture in shown, f"{picture.name} is on no page"
        assert picture.stat().st_size < CEILING, f"{picture.name} is larger than {CEILING} bytes"


def test_the_readme_names_its_neighbours() -> None:
    assert {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "docs/index.md"} <= set(
        links(ROOT / "README.md")
    )
