"""A site on disk with an enrolled deck, and readings as an outbox would number them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tablebridge.model.instant import Instant, later
from tablebridge.model.readings import Reading, Stamped
from tablebridge.settings.decks import save_deck
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site

from .recording import DECK, site_text

START = Instant(1_800_000_000_000_000_000, 10**12, "boot")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    save_deck(tmp_path / "decks" / "red.toml", DECK)
    path = tmp_path / "site.toml"
    path.write_text(site_text(tmp_path, 18830))
    return load_site(path)


def stamp(readings: Iterable[Reading], begin: Instant = START) -> list[Stamped]:
    """Ten milliseconds apart."""
    return [
        Stamped("board", "e", number, later(begin, number * 0.01), reading)
        for number, reading in enumerate(readings, 1)
    ]
