"""Table scripts as files: what `check` and `replay` share."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from tablebridge.app.house_games import load_game
from tablebridge.app.house_rulebooks import find
from tablebridge.engine.games.variant import text_of as game_text
from tablebridge.engine.script.reader import Script, read, read_in
from tablebridge.engine.script.runner import Played, play
from tablebridge.engine.script.statements import HOUSE_FILE
from tablebridge.engine.table import Table
from tablebridge.model.errors import ConfigError, ScriptError
from tablebridge.model.events import Game, Rules, TableEvent
from tablebridge.room.script import LANGUAGE, is_room
from tablebridge.room.script import play as play_room
from tablebridge.rulebooks import text_of

SUFFIX = ".table"


def load(path: Path) -> Script[TableEvent]:
    """The script of a table in a file. Raises ScriptError, for a folder and a script of a room too."""
    text = _text(path)
    if is_room(text):
        raise ScriptError(f"{path}: a script of a room; only check and replay take it")
    return _with_files(read(text, str(path)), path.parent)


def played(path: Path, table: Table | None = None) -> Iterator[Played[Any]]:
    """The statements of a script, played: of a table, or of a room. Raises ScriptError as `load` does."""
    text = _text(path)
    if is_room(text):
        return play_room(read_in(LANGUAGE, text, str(path)))
    return play(_with_files(read(text, str(path)), path.parent), table)


def _text(path: Path) -> str:
    if path.is_dir():
        inside = any(path.rglob(f"*{SUFFIX}"))
        raise ScriptError(
            f"{path}: a folder; give one of the files in it that end in {SUFFIX}"
            if inside
            else f"{path}: a folder in which no file ends in {SUFFIX}"
        )
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ScriptError(f"{path}: the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ScriptError(f"{path}: a table script is UTF-8 text; save the file as UTF-8") from None


def _with_files(script: Script[TableEvent], folder: Path) -> Script[TableEvent]:
    """The script with the house rulebooks and games that it names read in; a script's own folder is where
    their files are.
    """
    statements = []
    for statement in script.statements:
        event = statement.event
        what = "rulebook" if isinstance(event, Rules) else "game"
        try:
            if isinstance(event, Rules) and event.rulebook.endswith(HOUSE_FILE):
                event = Rules(event.rulebook, text_of(find(event.rulebook, folder)))
            elif isinstance(event, Game) and event.game.endswith(HOUSE_FILE):
                event = msgspec.structs.replace(event, text=game_text(load_game(folder / event.game)))
        except ConfigError as error:
            raise ScriptError(
                f"{script.name}:{statement.number}: the {what} cannot be used.\n{error}"
            ) from None
        statements.append(replace(statement, event=event))
    return replace(script, statements=tuple(statements))


def script_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files; for a folder all table scripts in and below it, or the folder itself if it has none."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob(f"*{SUFFIX}")) or [path]
        else:
            yield path
