"""What holds on every page, for every role, in every language.

In each of these tests X1 and X3 hold as well: nothing is asked of another host, and the console says nothing.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tablebridge.languages import NAMES, PSEUDO
from tablebridge.web.app import create_app
from tablebridge.web.hub import Hub
from tablebridge.web.stream_limits import PER_TOKEN

from .axe import contrast_faults, faults
from .every import LEAVES, Everywhere, Visitor, is_page
from .fit import SIZES, clipped, overlapping, untranslated
from .hall import site
from .test_access import ROUTES
from .test_languages import NAMES_SHOWN as OF_THE_HALL

pytestmark = pytest.mark.browser
NAMES_SHOWN = (*OF_THE_HALL, "one", "Ines", "board", "TDA", "RP")
FIRST = [(leaf, next(iter(leaf.roles), None)) for leaf in LEAVES]
"""Each page for one who may open it."""


@pytest.fixture
def visitors(everywhere: Everywhere, browser: Browser) -> Iterator[Any]:
    made: dict[Any, Visitor] = {}

    def visitor(role: Any, language: str = "", own: str = "", **options: Any) -> Visitor:
        key = (role, language, own)
        if key not in made:
            made[key] = Visitor(everywhere, browser, role, language, **options)
        return made[key]

    yield visitor
    for one in made.values():
        one.context.close()
    assert [url for one in made.values() for url in one.elsewhere] == []
    assert [said for one in made.values() for said in one.complaints] == []


def pattern(address: str) -> str:
    """The route of an address of the matrix."""
    for part, field in (
        ("/main", "/{table}"),
        ("/hands/7", "/hands/{hand}"),
        ("/setup/devices", "/setup/{leaf}"),
    ):
        address = address.replace(part, field)
    return address


def test_every_page_is_listed_for_every_role(tmp_path: Any) -> None:
    here = site(tmp_path)
    served = {
        route.path
        for holder in create_app(here, Hub(here)).routes
        for route in getattr(getattr(holder, "original_router", None), "routes", [holder])
        if "GET" in route.methods and is_page(route.path)
    }
    assert served == {leaf.route for leaf in LEAVES if leaf.route}
    listed: dict[str, set[Any]] = {}
    for leaf in (leaf for leaf in LEAVES if leaf.route):
        listed.setdefault(leaf.route, set()).update(set(leaf.roles) - {"guest"})
    for named, roles in ROUTES.items():
        route = pattern(named.removeprefix("GET "))
        assert listed.get(route, roles) == roles, route


def test_x1_x2_x3_every_role_in_english(visitors: Any) -> None:
    found = []
    for leaf in LEAVES:
        for role in leaf.roles or (None,):
            page = visitors(role, color_scheme="light").open(leaf)
            found += [(leaf.address, role, fault) for fault in faults(page)]
            page.emulate_media(color_scheme="dark")
            found += [(leaf.address, role, "dark", fault) for fault in contrast_faults(page)]
            page.emulate_media(color_scheme="light")
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("language", [name for name in NAMES if name != "en"])
def test_x2_every_page_in_every_language(visitors: Any, language: str) -> None:
    found = []
    for leaf, role in FIRST:
        page = visitors(role, language=language).open(leaf)
        found += [(leaf.address, fault) for fault in faults(page)]
    assert not found, "\n".join(map(str, found))


def test_every_text_of_floor_dealer_and_figures_is_in_the_catalogues(visitors: Any) -> None:
    found = []
    for leaf, role in FIRST:
        if not leaf.address.startswith(("/floor", "/dealer", "/figures", "/devices", "/login", "/nowhere")):
            continue
        page = visitors(role, PSEUDO).open(leaf)
        found += [(leaf.address, fault) for fault in untranslated(page, *NAMES_SHOWN)]
    assert not found, "\n".join(sorted(set(map(str, found))))


def test_x9_no_text_is_clipped_or_covered_when_it_is_longer_by_two_fifths(visitors: Any) -> None:
    found = []
    for leaf, role in FIRST:
        if leaf.on_air:
            continue
        visitor = visitors(role, language=PSEUDO)
        page = visitor.open(leaf)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            found += [(leaf.address, width, fault) for fault in clipped(page) + overlapping(page)]
    assert not found, "\n".join(map(str, found))


def test_x3_over_a_whole_hand_no_page_complains(everywhere: Everywhere, visitors: Any) -> None:
    live = [(leaf, role) for leaf, role in FIRST if leaf.live]
    # As many pages as one person may have open.
    live = [one for at, one in enumerate(live) if [role for _, role in live[:at]].count(one[1]) < PER_TOKEN]
    pages = {leaf.address: visitors(role, own=leaf.address).open(leaf) for leaf, role in live}
    everywhere.hand()
    expect(pages["/console/one"].locator("#turn")).to_have_attribute("data-street", "over")
    for address, page in pages.items():
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        assert page.evaluate("document.documentElement.lang") == "en", address
