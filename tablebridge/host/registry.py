"""Which drivers are installed. They are entry points of the group `tablebridge.drivers`, ours and others'
alike.

Names are listed from the metadata of the installed distributions, so that listing imports nobody's code; only
the driver that is asked for is imported. A name that two distributions claim is refused until the site file
says `DISTRIBUTION:NAME`.
"""

import sys
from functools import cache
from importlib import metadata
from typing import Final

import msgspec

from tablebridge.model.errors import BrokenDriver, ConfigError
from tablebridge.model.nearest import nearest
from tablebridge.sdk.driver import Driver, Option, Options

GROUP: Final = "tablebridge.drivers"
_LONGEST_WHY: Final = 200


class Known(msgspec.Struct, frozen=True):
    """An installed driver: its name, its distribution, and the location of its `Driver`
    (`module:attribute`).
    """

    name: str
    distribution: str
    version: str
    location: str


class Listed(msgspec.Struct, frozen=True):
    """A driver for people to see: the description, or in a sentence why there is none."""

    known: Known
    driver: Driver | None
    broken: str = ""


def known() -> tuple[Known, ...]:
    """All installed drivers by name, from metadata alone."""
    return _known(tuple(sys.path))


@cache
def _known(_path: tuple[str, ...]) -> tuple[Known, ...]:
    """Those that are found on this path: reading the metadata of all distributions takes longer than all else
    that a driver process does at its start.
    """
    found = {
        Known(
            point.name,
            point.dist.name if point.dist else "",
            point.dist.version if point.dist else "",
            point.value,
        )
        for point in metadata.entry_points(group=GROUP)
    }
    return tuple(sorted(found, key=lambda entry: (entry.name, entry.distribution)))


def find(name: str) -> Known:
    """The driver that a site file's `driver` names, `NAME` or `DISTRIBUTION:NAME`. Raises ConfigError if
    there is none, BrokenDriver if there are two.
    """
    distribution, _, short = name.rpartition(":")
    everything = known()
    claims = [
        entry for entry in everything if entry.name == short and distribution in ("", entry.distribution)
    ]
    if not claims:
        names = sorted({entry.name for entry in everything})
        raise ConfigError(f"No driver is called {name!r}: {nearest(short, names)}")
    if len({entry.distribution for entry in claims}) > 1:
        both = " and ".join(f"{entry.distribution} {entry.version}" for entry in claims)
        raise BrokenDriver(
            f"The driver name {short!r} is claimed by {both}: choose one by "
            f'driver = "{claims[0].distribution}:{short}", or remove the other.'
        )
    return claims[0]


def load(name: str) -> Driver:
    """Import one driver. Raises ConfigError if there is none, BrokenDriver with the reason if it cannot
    be used.
    """
    entry = find(name)
    point = metadata.EntryPoint(entry.name, entry.location, GROUP)
    try:
        driver = point.load()
    except (Exception, SystemExit) as error:
        # Anybody may have written the driver: what it raises while it is imported is reported, and stops
        # nothing else.
        why = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_WHY]
        raise BrokenDriver(
            f"The driver {entry.name!r} of {entry.distribution} {entry.version} cannot be imported ({why}): "
            "update or "
            "remove that package."
        ) from error
    if not isinstance(driver, Driver):
        raise BrokenDriver(
            f"The driver {entry.name!r} of {entry.distribution} {entry.version} is broken: {entry.location} "
            "is no Driver. "
            "Update or remove that package."
        )
    return driver


def listed() -> tuple[Listed, ...]:
    """Every installed driver with its description, or why it has none. Imports them all; none of them is
    fatal.
    """
    result = []
    for entry in known():
        try:
            result.append(
                Listed(
                    entry, load(f"{entry.distribution}:{entry.name}" if entry.distribution else entry.name)
                )
            )
        except ConfigError as error:
            result.append(Listed(entry, None, str(error)))
    return tuple(result)


def settle(driver: Driver, given: Options) -> Options:
    """The options of the site file, checked, with the driver's defaults for the rest. Raises ConfigError."""
    for name in given:
        if name not in driver.options:
            names = sorted(driver.options)
            raise ConfigError(f"The driver {driver.name} has no option {name!r}: {nearest(name, names)}")
    return {
        name: _checked(driver, name, option, given[name]) if name in given else option.default
        for name, option in driver.options.items()
    }


def _checked(
    driver: Driver, name: str, option: Option, value: bool | int | float | str
) -> bool | int | float | str:
    wanted = type(option.default)
    if wanted is float and type(value) is int:
        value = float(value)
    if type(value) is not wanted:
        kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[wanted]
        raise ConfigError(
            f"The option {name!r} of the driver {driver.name} is {kind}, not {value!r}: {option.meaning}"
        )
    if option.choices and value not in option.choices:
        raise ConfigError(
            f"The option {name!r} of the driver {driver.name} is one of {', '.join(option.choices)}, "
            f"not {value!r}: {option.meaning}"
        )
    if not isinstance(value, str) and not (
        (option.lowest is None or value >= option.lowest)
        and (option.highest is None or value <= option.highest)
    ):
        low = f"at least {option.lowest:g}" if option.lowest is not None else ""
        high = f"at most {option.highest:g}" if option.highest is not None else ""
        raise ConfigError(
            f"The option {name!r} of the driver {driver.name} is {' and '.join(filter(None, (low, high)))}, "
            f"not {value!r}: {option.meaning}"
        )
    return value
