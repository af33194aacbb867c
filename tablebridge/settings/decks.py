"""Deck files and the chip file: which tag is which card, which tag is worth what. They are the technician's,
mode 0600.

A deck file names each card once with its tag, in the order of the spread:

    name = "red"
    kind = "52"
    [cards]
    Ah = "E0040150ABCD0001"

The chip file gives the tags of each denomination: `[chips]`, then `100 = ["E0040150ABCD1001", ...]`.
"""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tablebridge.model.cards import Card, deck_of, parse_card
from tablebridge.model.decks import Deck, Inventory, parse_uid, spread_order
from tablebridge.model.errors import ConfigError
from tablebridge.model.nearest import nearest
from tablebridge.settings.site import Site, Table
from tablebridge.settings.state import CHIP_FILE, DECK_FILE, write_private
from tablebridge.settings.toml import Document, Fault, Key, read_toml

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


def deck_path(site: Site, name: str) -> Path:
    """The file of the deck with this name. Raises ConfigError if that is no name."""
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} is no name for a deck; use up to 32 of a-z, 0-9, _ and -.")
    return DECK_FILE.path(site.state_dir, name)


def load_deck(path: Path) -> Deck:
    """The deck in this file, complete or not. Raises ConfigError with one line per fault."""
    document = read_toml(path)
    data = document.data
    faults = list(_unknown(document, data, ("name", "kind", "cards")))
    name, kind = data.get("name", path.stem), data.get("kind", "52")
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        faults.append(Fault(document.line(("name",)), "name: a deck's name is up to 32 of a-z, 0-9, _ and -"))
    try:
        faces = deck_of(kind)
    except ValueError as error:
        faults.append(Fault(document.line(("kind",)), f"kind: {error}"))
        faces = deck_of("52+joker")
    cards = data.get("cards", {})
    tags: dict[str, Card] = {}
    for text, tag in cards.items() if isinstance(cards, dict) else ():
        key: Key = ("cards", text)
        try:
            card = parse_card(text)
            if card not in faces:
                raise ValueError(f"a deck of kind {kind} has no card {text!r}")
            _add(tags, tag, card, document, key)
        except ValueError as error:
            faults.append(Fault(document.line(key), str(error)))
    if not isinstance(cards, dict):
        faults.append(
            Fault(document.line(("cards",)), "cards: this is a table of cards and their tags: [cards]")
        )
    if faults:
        raise document.refuse(faults)
    return Deck(name, tags, kind)


def readable_decks(state_dir: Path) -> dict[Path, Deck]:
    """The decks of a state folder by their files; one that cannot be read is left to the doctor."""
    found = {}
    for path in DECK_FILE.paths(state_dir):
        with contextlib.suppress(ConfigError):
            found[path] = load_deck(path)
    return found


def save_deck(path: Path, deck: Deck) -> None:
    """Write the deck, whole or not at all, readable by its owner only. Raises ConfigError if it cannot be
    written.
    """
    tag_of = {card: tag for tag, card in deck.cards.items()}
    lines = [f'name = "{deck.name}"', f'kind = "{deck.kind}"', "", "[cards]"]
    lines += [f'{card} = "{tag_of[card]}"' for card in spread_order(deck.kind) if card in tag_of]
    write_private(path, "\n".join(lines) + "\n")


def load_chips(path: Path) -> dict[str, int]:
    """Tag to denomination. Raises ConfigError with one line per fault."""
    document = read_toml(path)
    faults = list(_unknown(document, document.data, ("chips",)))
    chips: dict[str, int] = {}
    section = document.data.get("chips", {})
    for text, tags in section.items() if isinstance(section, dict) else ():
        key: Key = ("chips", text)
        if not (text.isascii() and text.isdigit() and int(text) > 0):
            faults.append(
                Fault(document.line(key), f"{text!r} is no denomination; write a whole number above 0")
            )
        elif not isinstance(tags, list):
            faults.append(
                Fault(document.line(key), f'{text}: this is a list of tags: {text} = ["E0040150ABCD1001"]')
            )
        else:
            for tag in tags:
                try:
                    _add(chips, tag, int(text), document, key)
                except ValueError as error:
                    faults.append(Fault(document.line(key), str(error)))
    if faults:
        raise document.refuse(faults)
    return chips


def chips_path(site: Site) -> Path:
    """The file of the box's chips."""
    return CHIP_FILE.path(site.state_dir)


def save_chips(path: Path, chips: dict[str, int]) -> None:
    """Write the chips, whole or not at all, readable by their owner only. Raises ConfigError if they
    cannot be written.
    """
    lines = ["[chips]"]
    for value in sorted(set(chips.values())):
        tags = ",\n".join(f'    "{tag}"' for tag, worth in chips.items() if worth == value)
        lines.append(f"{value} = [\n{tags},\n]")
    write_private(path, "\n".join(lines) + "\n")


def deck_paths(site: Site, table: Table) -> list[Path]:
    """The files of all decks of the box, those of the table first."""
    own = table.deck_files
    known = {path.resolve() for path in own}
    return [*own, *(path for path in DECK_FILE.paths(site.state_dir) if path.resolve() not in known)]


def load_inventory(site: Site, table: Table) -> Inventory:
    """All decks and chips of the box; the table's own are those that the site file names.

    A tag that two decks claim is refused, since no reading could distinguish them. Raises ConfigError.
    """
    paths = deck_paths(site, table)
    decks: list[Deck] = []
    owner: dict[str, str] = {}
    for path in paths:
        deck = load_deck(path)
        if any(deck.name == other.name for other in decks):
            raise ConfigError(
                f"{path}: another deck is called {deck.name!r} too; give each deck a name of its own."
            )
        for tag in deck.cards:
            if tag in owner:
                raise ConfigError(
                    f"{path}: a tag of this deck belongs to the deck {owner[tag]!r} too; enrol one of them "
                    "again."
                )
            owner[tag] = deck.name
        decks.append(deck)
    chip_file = chips_path(site)
    chips = load_chips(chip_file) if chip_file.exists() else {}
    if any(tag in owner for tag in chips):
        raise ConfigError(f"{chip_file}: a chip has the tag of a card; enrol one of them again.")
    at_table = tuple(deck.name for deck in decks[: len(table.deck_files)])
    return Inventory(tuple(decks), chips, at_table[0] if len(at_table) == 1 else None, at_table)


def _add(tags: dict[str, Any], tag: object, meaning: object, document: Document, key: Key) -> None:
    uid = parse_uid(tag) if isinstance(tag, str) else parse_uid("")
    if uid in tags:
        first = document.line((key[0], str(tags[uid])))
        raise ValueError(f"{key[-1]}: this tag is on line {first} already; a tag is one piece only")
    tags[uid] = meaning


def _unknown(document: Document, data: dict[str, Any], known: tuple[str, ...]) -> Iterator[Fault]:
    for name in data:
        if name not in known:
            yield Fault(document.line((name,)), f"{name}: there is no such key; {nearest(name, list(known))}")
