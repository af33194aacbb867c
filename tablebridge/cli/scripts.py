"""Table scripts as files: what `check` and `replay` share."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tablebridge.app.house_rulebooks import find
from tablebridge.engine.script.reader import Script, read
from tablebridge.engine.script.statements import HOUSE_FILE
from tablebridge.model.errors import ConfigError, ScriptError
from tablebridge.model.events import Rules
from tablebridge.rulebooks import text_of

SUFFIX = ".table"


def load(path: Path) -> Script:
    """The script in a file. Raises ScriptError, for a folder too."""
    if path.is_dir():
        inside = any(path.rglob(f"*{SUFFIX}"))
        raise ScriptError(
            f"{path}: a folder; give one of the files in it that end in {SUFFIX}"
            if inside
            else f"{path}: a folder in which no file ends in {SUFFIX}"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ScriptError(f"{path}: the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ScriptError(f"{path}: a table script is UTF-8 text; save the file as UTF-8") from None
    return _with_rulebooks(read(text, str(path)), path.parent)


def _with_rulebooks(script: Script, folder: Path) -> Script:
    """The script with the house rulebooks that it names read in; a script's own folder is where their files
    are.
    """
    statements = []
    for statement in script.statements:
        event = statement.event
        if isinstance(event, Rules) and event.rulebook.endswith(HOUSE_FILE):
            try:
                event = Rules(event.rulebook, text_of(find(event.rulebook, folder)))
            except ConfigError as error:
                raise ScriptError(
                    f"{script.name}:{statement.number}: the rulebook cannot be used.\n{error}"
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
