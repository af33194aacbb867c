"""What tags did in real hands: counted by the engine, kept beside the deck, shown by the command; and a
deck's receipt.
"""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablebridge.antennas.wear import SILENT
from tablebridge.app.core import TableCore
from tablebridge.app.opening import open_core
from tablebridge.app.wear import WearKeeper, begin_wear, load_wear, night_of, wear_path
from tablebridge.cli import cli
from tablebridge.journal.read import entries, findings
from tablebridge.journal.store import Journal
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.decks import spread_order
from tablebridge.model.errors import ConfigError
from tablebridge.model.events import DeviceState
from tablebridge.model.instant import Instant, later
from tablebridge.model.places import BOARD, BURN, seat_place
from tablebridge.model.sentences import sentence_of
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import END_KEY, HAND_KEY, TAGS, Recording


class Fixed:
    def now(self) -> Instant:
        return START


def played(site: Site, recording: Recording) -> TableCore:
    core = open_core(site, site.tables[0], Fixed())
    keeper = WearKeeper(site, site.tables[0])
    for one in stamp(recording.readings):
        core.readings([one], one.at)
        core.tick(one.at)
        keeper.hand(core.table.hand_number, core.take_reads, one.at)
    return core


class Hands(Recording):
    """Hands of three seats to the flop, which lies for a while; then all goes back. The betting is told by
    nobody.
    """

    def to_flop(self, *, falls_silent: bool = False) -> Card:
        """One of the cards of the flop."""
        self._lies.clear()
        self._deck = iter(DECK_52)
        self.press(HAND_KEY)
        self.cycles(3)
        order = [self._button % 3 + 1, (self._button + 1) % 3 + 1, self._button]
        for seat in order * 2:
            self.put(seat_place(seat))
        self.put(BURN)
        first, *_ = self.put(BOARD, 3)
        self.cycles(20)
        if falls_silent:
            del self._lies[TAGS[first]]
            self.cycles(SILENT + 1)
        self.press(END_KEY)
        self._button = order[0]
        return first


@pytest.fixture
def site(site: Site, tmp_path: Path) -> Site:
    path = tmp_path / "site.toml"
    path.write_text(path.read_text().replace("stacks = 10000", 'betting = "untold"'))
    return load_site(path)


@pytest.fixture
def recording() -> Recording:
    made = Hands()
    for _ in range(3):
        made.to_flop()
    made.press(HAND_KEY)
    return made


def decoded(site: Site) -> Iterator[object]:
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    yield from (entry.event for entry in entries(journal))
    yield from findings(journal)
    journal.close()


def test_hands_and_reads_are_kept_beside_the_deck(site: Site, recording: Recording) -> None:
    played(site, recording).close()
    path = wear_path(site.state_dir / "decks" / "red.toml")
    wear = load_wear(path)
    assert wear is not None
    assert (wear.hands, wear.since) == (3, night_of(START))
    (night,) = wear.nights.values()
    assert [tally.stays for tally in night.values()] == [3, 3, 3]
    assert all(tally.rates == pytest.approx(3) for tally in night.values())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not any(f'"{card}"' in path.read_text() for card in spread_order("52"))


def test_a_tag_that_falls_silent_on_the_board_is_told(site: Site) -> None:
    recording = Hands()
    card = recording.to_flop(falls_silent=True)
    played(site, recording).close()
    told = list(decoded(site))
    (event,) = (one for one in told if isinstance(one, DeviceState) and one.silent)
    assert event.silent == card
    (found,) = (one for one in told if getattr(one, "finding", "") == "device-degraded")
    assert (found.cards, found.public_cards, found.device) == ((card,), (card,), "board")
    assert card not in sentence_of(found)


def test_what_cannot_be_kept_stops_nothing(
    site: Site, recording: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    path = wear_path(site.state_dir / "decks" / "red.toml")
    path.write_text("no counts")
    played(site, recording).close()
    assert "put it aside" in caplog.text
    with pytest.raises(ConfigError, match="counting begins anew"):
        load_wear(path)


def test_a_new_deck_begins_at_nothing(tmp_path: Path) -> None:
    path = tmp_path / "red.reads.json"
    begin_wear(path, START)
    assert load_wear(path) == load_wear(path).__class__(night_of(START))
    assert load_wear(tmp_path / "blue.reads.json") is None
    assert night_of(later(START, 86400)) != night_of(START)


def test_the_commands(site: Site, recording: Recording, tmp_path: Path) -> None:
    run = CliRunner().invoke
    arguments = ["deck", "health", "red", "--site", str(tmp_path / "site.toml")]
    assert "Nothing is counted" in run(cli, arguments).output
    played(site, recording).close()
    shown = run(cli, [*arguments, "--all"])
    assert shown.exit_code == 0, shown.output
    assert "3 hands" in shown.output
    assert " of hearts" not in shown.output, "faces only on a terminal"
    told = json.loads(run(cli, [*arguments, "--json"]).output)
    assert [card["stays"] for card in told["cards"]][:4] == [3, 3, 3, 0]
    journal = str(site.state_dir / "journal" / "one.sqlite")
    receipt = run(cli, ["deck", "receipt", journal])
    assert receipt.exit_code == 0, receipt.output
    assert "3 hands" in receipt.output
    head = Journal(Path(journal), "one", readonly=True)
    assert head.head in receipt.output
    head.close()
    unknown = run(cli, ["deck", "receipt", journal, "--deck", "green"])
    assert isinstance(unknown.exception, ConfigError)
