"""A table is opened: its journal is folded, and what the site file says of it is entered if it is news."""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from tablebridge import private
from tablebridge.app.core import TableCore
from tablebridge.app.house_games import load_game
from tablebridge.app.house_rulebooks import SUFFIX, find
from tablebridge.app.installation import installation_of
from tablebridge.app.pseudonyms import public_names
from tablebridge.app.sensors import sensor_of
from tablebridge.engine.games.variant import text_of as game_text
from tablebridge.host.clock import Clock
from tablebridge.journal.aside import last_aside, positions_of, put_aside
from tablebridge.journal.restored import restored_here
from tablebridge.journal.store import Journal
from tablebridge.model.errors import JournalBroken, JournalError
from tablebridge.model.events import (
    Ante,
    BringIn,
    Button,
    Chips,
    Game,
    House,
    Names,
    Rules,
    Seats,
    Stacks,
    TableEvent,
)
from tablebridge.rulebooks import text_of
from tablebridge.seal.gate import DelayGate
from tablebridge.settings.decks import load_inventory
from tablebridge.settings.site import Site, Table
from tablebridge.settings.state import JOURNAL_FILE

_log: Final = logging.getLogger(__name__)


def setup_of(site: Site, table: Table) -> tuple[TableEvent, ...]:
    """The table's section of the site file as table events. Raises ConfigError if its house rulebook, its
    game or the secret of its pseudonyms cannot be used.
    """
    rulebook = Path(table.rulebook)
    rules = Rules(rulebook.name, text_of(find(rulebook.name, rulebook.parent)))
    events: list[TableEvent] = [
        rules,
        _game(table),
        Ante(table.ante),
        BringIn(table.bring_in),
        House("betting", table.betting),
        Seats(table.seat_numbers),
    ]
    if table.betting == "told":
        events.append(Stacks(everyone=table.stacks))
    if table.button is not None:
        events.append(Button(table.button))
    if table.chips:
        events.append(Chips(table.chips))
    if table.names:
        events.append(Names(dict(table.names), public_names(table, site.state_dir, table.names)))
    return tuple(events)


def _game(table: Table) -> Game:
    """The table's game, with its text if it is the house's own."""
    if not table.game.endswith(SUFFIX):
        return Game(table.game, table.stakes_pair)
    path = Path(table.game)
    return Game(path.name, table.stakes_pair, text=game_text(load_game(path)))


def open_core(site: Site, table: Table, clock: Clock) -> TableCore:
    """The core of one table, its journal folded. Raises ConfigError, JournalError."""
    inventory = load_inventory(site, table)
    installation = installation_of(site, table, inventory)
    terms = installation.terms
    events = setup_of(site, table)
    path = JOURNAL_FILE.path(site.state_dir, table.name)
    with suppress(OSError):  # the journal says what cannot be had
        private.own_folder(path.parent)
    restored = restored_here(site.state_dir, table.name)

    def begin() -> TableCore:
        gate = DelayGate(terms.delay_s, until_over=terms.hole_cards and terms.reveal == "hand-over")
        return _folded(
            _journal(path, table.name),
            lambda journal: TableCore(
                journal,
                sensor_of(table, inventory),
                gate,
                clock.now(),
                hole_cards=terms.hole_cards,
                keep_hands=site.keep_readings_hands,
                commit_within_s=site.commit_within_s,
                retention=site.retention,
                ringing=site.ringing,
                public_names=partial(public_names, table, site.state_dir),
            ),
        )

    try:
        core = begin()
    except JournalBroken as error:
        _log.error("%s; it is now %s and a new one is begun", error, put_aside(path, clock.now()))
        core = begin()
    aside = last_aside(path)
    if aside is not None:
        core.broken(str(aside.relative_to(path.parent)), clock.now())
    if restored is not None:
        core.restored(restored.backup, restored.made_wall_ns, clock.now())
    core.setup(_section(table, events), events, clock.now())
    core.installed(installation, clock.now())
    return core


def _journal(path: Path, table: str) -> Journal:
    """The table's journal; nothing of it is verified yet."""
    journal = Journal(path, table, whole=False)
    aside = last_aside(path)
    if journal.next_number == 1 and aside is not None:
        # What was taken for the old journal does not come again.
        journal.verify()
        with journal.transaction():
            for (device, epoch), following in positions_of(aside).items():
                journal.position(device, epoch, following)
    return journal


def _folded(journal: Journal, fold: Callable[[Journal], TableCore]) -> TableCore:
    """The core of this journal. Raises JournalError, JournalBroken if the chain does not hold."""
    try:
        try:
            return fold(journal)
        except JournalError:
            raise
        except Exception:
            # Only as much of the chain was verified as is read: what cannot be folded may be none.
            journal.verify()
            raise
    except BaseException:
        journal.close()
        raise


def _section(table: Table, events: tuple[TableEvent, ...]) -> str:
    """The table's section of the site file, with the texts of its house rulebook and game, by which a change
    is noticed.
    """
    consent = {"public_names"} if table.public_names is not None else set()
    section = table.model_dump_json(
        include=consent
        | {
            "rulebook",
            "game",
            "stakes",
            "ante",
            "bring_in",
            "seats",
            "button",
            "stacks",
            "chips",
            "betting",
            "names",
        }
    )
    return section + "".join(event.text for event in events if isinstance(event, (Rules, Game)))
