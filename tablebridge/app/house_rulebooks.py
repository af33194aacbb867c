"""House rulebooks as files: a TOML file, and its parent, which may be another house's file, and so on up to a
book's name.
"""

from pathlib import Path
from typing import Final

from tablebridge.model.errors import ConfigError
from tablebridge.rulebooks import BOOKS, Rulebook
from tablebridge.rulebooks.house_rulebook import HouseError, make, parent_sentence
from tablebridge.settings.toml import Document, Fault, read_toml

SUFFIX: Final = ".toml"
"""What the name of a house rulebook ends in, wherever a rulebook is named."""


def find(name: str, folder: Path) -> Rulebook:
    """The rulebook of this name, or of the file of this name, seen from `folder`. Raises ConfigError with one
    line per fault.
    """
    if name.endswith(SUFFIX):
        return load_house(folder / name)
    if name not in BOOKS:
        raise ConfigError(
            f"There is no rulebook {name!r}; rulebooks are {', '.join(BOOKS)}, and files that end in "
            f"{SUFFIX}."
        )
    return BOOKS[name]


def load_house(path: Path) -> Rulebook:
    """The house rulebook in this file. Raises ConfigError with one line per fault: file, line, key and what
    to write instead.
    """
    return _load(path, ())


def _load(path: Path, children: tuple[Path, ...]) -> Rulebook:
    document = read_toml(path)
    parent = _parent(path, document, (*children, path.resolve()))
    try:
        return make(document.data, path.stem, parent, BOOKS)
    except HouseError as error:
        raise document.refuse([Fault(document.line(at), text) for at, text in error.faults]) from None


def _parent(path: Path, document: Document, family: tuple[Path, ...]) -> Rulebook:
    name = document.data.get("parent")
    line = document.line(("parent",))
    if not (isinstance(name, str) and name.endswith(SUFFIX)):
        if not isinstance(name, str) or name not in BOOKS:
            raise document.refuse([Fault(line, parent_sentence(name, BOOKS))])
        return BOOKS[name]
    parent = path.parent / name
    if parent.resolve() in family:
        raise document.refuse(
            [Fault(line, f"parent: {name} is this rulebook's own child; a book cannot be its own parent")]
        )
    if not parent.is_file():
        raise document.refuse([Fault(line, f"parent: there is no file {name} beside this one")])
    return _load(parent, family)
