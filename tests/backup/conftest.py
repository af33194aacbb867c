"""A site on disk: two tables with records, a deck, chips, people's access and house rulebooks."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablebridge import private
from tablebridge.backup.keys import load_key, new_key
from tablebridge.cli import cli
from tablebridge.journal.records import SetupRecord
from tablebridge.journal.store import Journal
from tablebridge.model.cards import deck_of
from tablebridge.model.decks import Deck
from tablebridge.settings.decks import save_chips, save_deck
from tablebridge.web.auth import Tokens

SECRET = "a-planted-word-that-nobody-may-read"
TAG = "E0040150ABCD0001"


def site_text(state: Path) -> str:
    return f"""
name = "club"
state_dir = "{state}"
[[table]]
name = "one"
rulebook = "house.toml"
[[table]]
name = "two"
"""


def write_records(path: Path, table: str, count: int) -> str:
    """Append records to a journal; the last hash of its chain."""
    private.own_folder(path.parent)
    with closing(Journal(path, table)) as journal:
        for number in range(count):
            with journal.transaction():
                journal.record("setup", SetupRecord(f"{SECRET} {number}"))
        return journal.head


class Club:
    """The site, its folder, and the key of its backups."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.site = folder / "site.toml"
        self.site.write_text(site_text(self.state))
        (folder / "house.toml").write_text('parent = "mine.toml"\n')
        (folder / "mine.toml").write_text('parent = "tda-2022"\n')
        self.heads = {
            name: write_records(self.state / "journal" / f"{name}.sqlite", name, count)
            for name, count in (("one", 40), ("two", 3))
        }
        save_deck(self.state / "decks" / "red.toml", Deck("red", {TAG: deck_of("52")[0]}))
        save_chips(self.state / "chips" / "chips.toml", {TAG[:-1] + "2": 100})
        Tokens(self.state).add("floor", "Anna", None, None)
        self.key = folder / "my.key"
        self.public = new_key(self.key)
        self.identity = load_key(self.key)

    def files(self) -> dict[str, bytes]:
        """What is in the state folder and must come back, journals apart: SQLite lays its pages out anew."""
        return {
            str(path.relative_to(self.state)): path.read_bytes()
            for path in sorted(self.state.rglob("*"))
            if path.suffix in (".toml", ".json") and path.name != "restored.json"
        }


@pytest.fixture
def club(tmp_path: Path) -> Club:
    folder = tmp_path / "club"
    folder.mkdir()
    return Club(folder)


@pytest.fixture
def run() -> Callable[..., tuple[int, str]]:
    """A command line; its exit status and all that it printed."""

    def call(*arguments: object) -> tuple[int, str]:
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments], catch_exceptions=True)
        text = result.output + (f"{result.exception}" if result.exception else "")
        return result.exit_code, text

    return call
