"""Is a site file right as a whole: what it says, and the drivers, rulebooks, games, decks and chips that it
leads to.
"""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from tablebridge.app.house_rulebooks import SUFFIX, load_house
from tablebridge.engine.games import FORMS
from tablebridge.host import registry
from tablebridge.host.links.opening import check_port
from tablebridge.model.errors import BrokenDriver, ConfigError, LinkError
from tablebridge.model.nearest import nearest
from tablebridge.rulebooks import BOOKS
from tablebridge.settings.decks import load_inventory
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Device, Group, Site
from tablebridge.settings.toml import Document, Fault, Key, read_toml


def check_site(path: Path, broken: Callable[[str], None] | None = None) -> Site:
    """The site, everything about it checked. Raises ConfigError with one line per fault.

    `broken`: is called with drivers whose package is at fault, and they are no fault of the site then.
    """
    site, document = load_site(path), read_toml(path)
    missing = list(_missing(document, site))
    faults = [*missing, *_games(document, site), *faults_of_devices(document, site, broken)]
    complaints = [*_lines(document, faults), *([] if missing else _rulebooks(site))]
    for table in site.tables if not missing else ():
        try:
            load_inventory(site, table)
        except ConfigError as error:
            complaints += str(error).splitlines()
    if complaints:
        raise ConfigError("\n".join(dict.fromkeys(complaints)))
    return site


def check_tables(path: Path) -> Site:
    """The site, its rulebooks and games checked: what an engine needs. Raises ConfigError with one line
    per fault.
    """
    site, document = load_site(path), read_toml(path)
    if complaints := [*_lines(document, list(_games(document, site))), *_rulebooks(site)]:
        raise ConfigError("\n".join(dict.fromkeys(complaints)))
    return site


def check_group(path: Path, name: str, broken: Callable[[str], None]) -> Site:
    """The site, the devices of one group of it checked: what a driver process needs. `name`: of the group or
    of a device in it. Raises ConfigError with one line per fault.

    `broken`: is called with drivers whose package is at fault, and they are no fault of the site then, unless
    the group has no other device.
    """
    site, document = load_site(path), read_toml(path)
    devices = find_group(site, name).devices
    if faults := list(_devices(document, site, devices, broken if len(devices) > 1 else None)):
        raise document.refuse(faults)
    return site


def faults_of_devices(
    document: Document, site: Site, broken: Callable[[str], None] | None = None
) -> Iterator[Fault]:
    """What is wrong with the devices of all tables: drivers, options, antennas, ports. `broken`: as in
    `check_site`.
    """
    yield from _devices(document, site, broken=broken)
    yield from _buses(document, site)


def find_group(site: Site, name: str) -> Group:
    """The group of that name, or the one that the device of that name is in. Raises ConfigError if there is
    none.
    """
    for group in site.groups:
        if group.name == name:
            return group
    for group in site.groups:
        if name in group.devices:
            return group
    names = sorted({name for group in site.groups for name in (group.name, *group.devices)})
    raise ConfigError(f"No group or device is called {name!r} in the site file: {nearest(name, names)}")


def _lines(document: Document, faults: list[Fault]) -> list[str]:
    return str(document.refuse(faults)).splitlines() if faults else []


def _missing(document: Document, site: Site) -> Iterator[Fault]:
    """Files that the site names and that are not there."""
    for number, table in enumerate(site.tables):
        named = [("deck", table.deck), *(("decks", deck) for deck in table.decks)]
        if table.rulebook.endswith(SUFFIX):
            named.append(("rulebook", Path(table.rulebook)))
        for key, file in named:
            if file is not None and not file.exists():
                yield Fault(
                    document.line(("table", number, key)),
                    f"table[{number + 1}].{key}: there is no file {file}",
                )


def _rulebooks(site: Site) -> Iterator[str]:
    """What is wrong with the files of house rulebooks and games."""
    # Rankings come with it, which the process of a driver does not need.
    from tablebridge.app.house_games import load_game

    for table in site.tables:
        files: tuple[tuple[str, Callable[[Path], object]], ...] = (
            (table.rulebook, load_house),
            (table.game, load_game),
        )
        for name, load in files:
            if name.endswith(SUFFIX):
                try:
                    load(Path(name))
                except ConfigError as error:
                    yield from str(error).splitlines()


def _games(document: Document, site: Site) -> Iterator[Fault]:
    """Rulebooks and games."""
    for number, table in enumerate(site.tables):
        for key, name, known in (("rulebook", table.rulebook, BOOKS), ("game", table.game, FORMS)):
            if name not in known and not name.endswith(SUFFIX):
                yield Fault(
                    document.line(("table", number, key)),
                    f"table[{number + 1}].{key}: there is no {key} {name!r}; {nearest(name, list(known))}",
                )


def _devices(
    document: Document, site: Site, only: Collection[str] = (), broken: Callable[[str], None] | None = None
) -> Iterator[Fault]:
    """Drivers, their options and antennas, of all devices or those of these names."""
    for number, table in enumerate(site.tables):
        for index, device in enumerate(table.devices):
            if not only or device.name in only:
                try:
                    yield from _device(document, ("table", number, "device", index), device)
                except BrokenDriver as error:
                    fault = Fault(document.line(("table", number, "device", index, "driver")), str(error))
                    if broken is None:
                        yield fault
                    else:
                        broken(f"{device.name} does not run: {_lines(document, [fault])[0]}")


def _buses(document: Document, site: Site) -> Iterator[Fault]:
    """Devices on one port that would have different processes."""
    groups = {name: group.name for group in site.groups for name in group.devices}
    first: dict[str, Device] = {}
    for number, table in enumerate(site.tables):
        for index, device in enumerate(table.devices):
            other = first.setdefault(device.port, device)
            if groups[other.name] != groups[device.name]:
                yield Fault(
                    document.line(("table", number, "device", index, "port")),
                    f"{device.name} and {other.name} are on one port, which one process opens: give them the "
                    "same group",
                )


def _device(document: Document, at: Key, device: Device) -> Iterator[Fault]:
    try:
        driver = registry.load(device.driver)
    except BrokenDriver:
        raise
    except ConfigError as error:
        yield Fault(document.line((*at, "driver")), str(error))
        return
    wrong = False
    for name, value in device.options.items():
        try:
            registry.settle(driver, {name: value})
        except ConfigError as error:
            wrong = True
            yield Fault(document.line((*at, "options", name)), str(error))
    if not wrong:
        try:
            check_port(device.port, driver, registry.settle(driver, device.options))
        except LinkError as error:
            yield Fault(document.line((*at, "port")), str(error))
    for antenna in device.antennas:
        if antenna not in driver.antennas:
            yield Fault(
                document.line((*at, "antennas", str(antenna))),
                f"The driver {driver.name} has no antenna {antenna}; it has {_range(driver.antennas)}.",
            )


def _range(antennas: tuple[int, ...]) -> str:
    if not antennas:
        return "none"
    return f"{antennas[0]} to {antennas[-1]}" if len(antennas) > 1 else str(antennas[0])
