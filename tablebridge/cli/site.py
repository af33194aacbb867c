"""`tablebridge site check`: is a site file right, and what does it describe."""

import json
from pathlib import Path

import click

from tablebridge.host import registry
from tablebridge.model.errors import ConfigError
from tablebridge.settings.decks import load_inventory
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tablebridge.settings.toml import Key, read_toml


@click.group("site")
def command() -> None:
    """Check a site file."""


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def check(file: Path, as_json: bool) -> None:
    """Check FILE, whether its drivers are installed, and the deck and chip files that it leads to.

    Prints ok and what the site has, or every fault with its line. Exit status 2 where there is a fault.
    """
    try:
        site = load_site(file)
        faults = _driver_faults(site, file) + _deck_faults(site)
    except ConfigError as error:
        faults, site = str(error).splitlines(), None
    if as_json:
        click.echo(json.dumps({"ok": not faults, "errors": faults, "tables": _tables(site) if site else []}))
    elif site is not None and not faults:
        click.echo("\n".join(_summary(site)))
    else:
        click.echo("\n".join(faults), err=True)
    if faults:
        raise SystemExit(2)


def _driver_faults(site: Site, file: Path) -> list[str]:
    """Drivers, their options and antennas, each with its line."""
    document = read_toml(file)
    faults = []
    for number, table in enumerate(site.tables):
        for index, device in enumerate(table.devices):
            at: Key = ("table", number, "device", index)
            try:
                driver = registry.load(device.driver)
            except ConfigError as error:
                faults.append((document.line((*at, "driver")), str(error)))
                continue
            try:
                registry.settle(driver, device.options)
            except ConfigError as error:
                faults.append((document.line((*at, "options")), str(error)))
            faults += [(document.line((*at, "antennas", str(antenna))),
                        f"The driver {driver.name} has no antenna {antenna}; it has {_range(driver.antennas)}.")
                       for antenna in device.antennas if antenna not in driver.antennas]
    return [f"{file}:{line}: {text}" for line, text in sorted(faults)]


def _range(antennas: tuple[int, ...]) -> str:
    return f"{antennas[0]} to {antennas[-1]}" if len(antennas) > 1 else str(antennas[0])


def _deck_faults(site: Site) -> list[str]:
    faults: dict[str, None] = {}
    for table in site.tables:
        try:
            load_inventory(site, table)
        except ConfigError as error:
            faults.update(dict.fromkeys(str(error).splitlines()))
    return list(faults)


def _tables(site: Site) -> list[dict[str, object]]:
    return [{
        "name": table.name, "rulebook": table.rulebook, "game": table.game, "stakes": table.stakes,
        "seats": list(table.seat_numbers),
        "decks": [deck.name for deck in load_inventory(site, table).decks] if not _deck_faults(site) else [],
        "devices": [{
            "name": device.name, "driver": device.driver, "port": device.port,
            "places": list(dict.fromkeys(device.antennas.values())), "contacts": list(device.contacts.values()),
        } for device in table.devices],
    } for table in site.tables]


def _summary(site: Site) -> list[str]:
    lines = [f"ok: site {site.name}, tables: {len(site.tables)}"]
    if not site.web.on_loopback:
        lines.append(f"note: the pages can be reached from other machines ({site.web.listen})")
    for table in site.tables:
        places = {place for device in table.devices for place in device.antennas.values()}
        decks = load_inventory(site, table).decks
        lines.append(f"table {table.name}: {table.game} {table.stakes}, seats {table.seats}, {table.rulebook}, "
                     f"devices: {len(table.devices)}, places: {len(places)}, decks: {len(decks)}")
        for device in table.devices:
            sees = ", ".join(dict.fromkeys(device.antennas.values())) or "no place"
            keys = "; contacts: " + ", ".join(device.contacts.values()) if device.contacts else ""
            lines.append(f"  {device.name}: {device.driver} on {device.port}, sees {sees}{keys}")
        lines += [f"  note: deck {deck.name} is not complete: {len(deck.missing)} cards have no tag"
                  for deck in decks if deck.missing]
    return lines
