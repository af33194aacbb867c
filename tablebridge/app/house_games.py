"""A house's own games as files."""

from pathlib import Path

from tablebridge.engine.games import FORMS, Form
from tablebridge.engine.games.variant import VariantError, make
from tablebridge.settings.toml import Fault, read_toml


def load_game(path: Path) -> Form:
    """The game in this file. Raises ConfigError with one line per fault: file, line, key and what to write
    instead.
    """
    document = read_toml(path)
    try:
        return make(document.data, FORMS)
    except VariantError as error:
        raise document.refuse([Fault(document.line(at), text) for at, text in error.faults]) from None
