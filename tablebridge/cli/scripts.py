"""Table scripts as files: what `check` and `replay` share."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tablebridge.engine.script.reader import Script, read
from tablebridge.model.errors import ScriptError

SUFFIX = ".table"


def load(path: Path) -> Script:
    """The script in a file. Raises ScriptError, for a folder too."""
    if path.is_dir():
        raise ScriptError(f"{path}: a folder; give a file that ends in {SUFFIX}, or to check one with such files in it")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ScriptError(f"{path}: the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ScriptError(f"{path}: a table script is UTF-8 text; save the file as UTF-8") from None
    return read(text, str(path))


def script_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files, and for folders all table scripts in them and below. A folder without any is given itself."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob(f"*{SUFFIX}")) or [path]
        else:
            yield path
