"""What the tests of the pages share: a hall with our engine, a room with a real engine, and a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from .bench import AtTheBox, Bench, bench_in
from .every import Everywhere, everywhere_in
from .hall import Hall, hall_in
from .live import Room, room_in

ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
expect.set_options(timeout=60_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall_in(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with room_in(tmp_path_factory.mktemp("room")) as room:
        yield room


@pytest.fixture(scope="session")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everywhere]:
    with everywhere_in(tmp_path_factory.mktemp("everywhere")) as site:
        yield site


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A box with two readers that is being set up."""
    with bench_in(tmp_path, "one", "two") as bench:
        yield bench


@pytest.fixture
def person(browser: Browser) -> Iterator[Callable[..., AtTheBox]]:
    """Opens the page of set-up for another person."""
    made: list[AtTheBox] = []

    def come(link: str, **options: object) -> AtTheBox:
        made.append(AtTheBox(browser, link, **options))
        return made[-1]

    yield come
    for someone in made:
        someone.context.close()
