"""Is a site file right that somebody else has made for this box: all that `tablebridge check` asks, and that
it leads nowhere but to the files that came with it.

What a fault says goes back to whom has made it, and a fault quotes the file that it is in: so a name must not
lead to any other file of the box. What would cut the box off, or leave its record behind, is the box's own.
"""

from collections.abc import Iterator
from pathlib import Path

from tablebridge.app.check import check_tables, faults_of_devices
from tablebridge.app.house_rulebooks import SUFFIX
from tablebridge.model.errors import ConfigError
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tablebridge.settings.toml import Document, Fault, read_toml


def check_pushed(path: Path, running: Path, files: frozenset[str]) -> Site:
    """The site in the file at `path`, beside which lie `files`, in the place of the one at `running`. Decks
    are not read. Raises ConfigError with one line per fault.
    """
    before, document = load_site(running), read_toml(path)
    site = load_site(path)
    faults = [*_own(document, site, before, running), *_elsewhere(document, site, before, path, files)]
    if faults:
        raise document.refuse(faults)
    for name in sorted(files):
        _check_parent(path.parent / name, files)
    if wrong := list(_names(path.parent, running.parent, files, _rulebooks_of(site), _rulebooks_of(before))):
        raise ConfigError("\n".join(wrong))
    if faults := list(faults_of_devices(document, site)):
        raise document.refuse(faults)
    return check_tables(path)


def _names(
    folder: Path, beside: Path, files: frozenset[str], named: set[Path], known: set[Path]
) -> Iterator[str]:
    """Files that nobody names, and those that would take the place of something else beside the site file."""
    for name in sorted(files):
        if folder / name not in named:
            yield f"{folder / name}:1: no table of the site file names this file; leave it out"
        elif (beside / name).exists() and beside / name not in known:
            yield f"{folder / name}:1: the box has another file of that name; call this one otherwise"


def _rulebooks_of(site: Site) -> set[Path]:
    """The files of rulebooks and games that the site names, and the parents of rulebooks."""
    left = [Path(name) for table in site.tables for name in (table.rulebook, table.game)]
    found: set[Path] = set()
    while left:
        path = left.pop()
        if path.suffix == SUFFIX and path not in found and path.is_file():
            found.add(path)
            parent = read_toml(path).data.get("parent")
            left.append(path.parent / parent if isinstance(parent, str) else path)
    return found


def _check_parent(path: Path, files: frozenset[str]) -> None:
    """Raises ConfigError if a rulebook's parent is a file that did not come with it."""
    document = read_toml(path)
    parent = document.data.get("parent")
    if isinstance(parent, str) and parent.endswith(SUFFIX) and parent not in files:
        line = document.line(("parent",))
        raise document.refuse([Fault(line, f"parent: that file did not come with it; {_came(files)}")])


def _came(files: frozenset[str]) -> str:
    return f"those that did: {', '.join(sorted(files)) or 'none'}"


def _own(document: Document, site: Site, before: Site, running: Path) -> Iterator[Fault]:
    """What is the box's own."""
    people = read_toml(running).data.get("people")
    kept = (
        ("name", site.name, before.name),
        ("state_dir", site.state_dir, before.state_dir),
        ("broker", site.broker, before.broker),
        ("people", document.data.get("people"), people),
    )
    for key, wanted, there in kept:
        if wanted != there:
            yield Fault(document.line((key,)), f"{key}: this is the box's own; leave it as it is there")


def _elsewhere(
    document: Document, site: Site, before: Site, path: Path, files: frozenset[str]
) -> Iterator[Fault]:
    """Names that lead to files that did not come with it."""
    allowed = {str(path.parent / name) for name in files}
    decks = {deck for table in before.tables for deck in (table.deck, *table.decks) if deck is not None}
    for number, table in enumerate(site.tables):
        for key, name in (("rulebook", table.rulebook), ("game", table.game)):
            if name.endswith(SUFFIX) and name not in allowed:
                yield Fault(
                    document.line(("table", number, key)),
                    f"table[{number + 1}].{key}: that file did not come with the site file; {_came(files)}",
                )
        for key, named in (("deck", (table.deck,)), ("decks", table.decks)):
            if any(deck is not None and deck not in decks for deck in named):
                yield Fault(
                    document.line(("table", number, key)),
                    f"table[{number + 1}].{key}: decks are enrolled at the box; name one "
                    "that its site file names",
                )
