"""Reads a site file and names everything that is wrong with it at once, each fault with its line."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from tablebridge import __version__
from tablebridge.model.errors import ConfigError
from tablebridge.model.nearest import nearest
from tablebridge.model.places import stack_seat_of
from tablebridge.settings.site import Broker, Device, Retention, Ringing, Site, Table, Web, Webhook
from tablebridge.settings.toml import Document, Fault, Key, read_toml

_SECTIONS: Final[dict[tuple[str, ...], type[BaseModel]]] = {
    (): Site,
    ("broker",): Broker,
    ("web",): Web,
    ("retention",): Retention,
    ("ringing",): Ringing,
    ("webhook",): Webhook,
    ("table",): Table,
    ("table", "device"): Device,
}
_WHOLE, _NUMBER, _BOOL, _TABLE, _LIST = (
    "a whole number stands here",
    "a number stands here",
    "true or false stands here, without quotes",
    "this is a table; write its name between [ and ], and what belongs to it below",
    'this is a list, such as ["a", "b"]',
)
_WANTED: Final = {
    "int_parsing": _WHOLE,
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "bool_parsing": _BOOL,
    "bool_type": _BOOL,
    "string_type": "this is a text; write it between quotes",
    "path_type": "this is a file or folder; write its path between quotes",
    "dict_type": _TABLE,
    "model_type": _TABLE,
    "tuple_type": _LIST,
    "too_long": "too many stand here",
}
"""What to write in place of a value of the wrong type, by pydantic's word for that error."""
_UNKNOWN: Final = ("extra_forbidden", "literal_error")
"""What a newer version may have that this one does not know: keys, and choices of a key."""
_VERSION: Final = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}")
_NAME_FORM: Final = "a name is up to 32 of a-z, 0-9, _ and -, and begins with a letter or a figure"


def load_site(path: Path) -> Site:
    """The site file at `path`. Raises ConfigError with one line per fault: file, line, key and what to write
    instead.

    Whether a driver of a given name exists, and what its options are, is checked by the host.
    """
    if not path.exists():
        raise ConfigError(
            f"{path}: cannot be read (No such file or directory). `tablebridge setup --out {path}` makes a "
            f"site file; `tablebridge restore BACKUP --key KEY --site {path}` brings a saved site back."
        )
    document = read_toml(path)
    faults = [
        Fault(document.line(key), text) for key, text in (*_across(document.data), *_hooks(document.data))
    ]
    try:
        site = Site.model_validate(document.data)
        faults += [
            Fault(document.line(key), text)
            for key, text in (*_undelayed(site), *_two_groups(site), *_seatless(site))
        ]
    except ValidationError as invalid:
        faults += explained(document, invalid, _SECTIONS)
    if faults:
        raise document.refuse(faults)
    return _beside(site, path.parent)


def _beside(site: Site, folder: Path) -> Site:
    """The site with the full paths of its house rulebooks, games and its file of people: the site file names
    them relative to itself.
    """
    tables = tuple(
        table.model_copy(
            update={
                key: str(folder / name)
                for key, name in (("rulebook", table.rulebook), ("game", table.game))
                if name.endswith(".toml")
            }
        )
        for table in site.tables
    )
    people = None if site.people is None else folder / site.people
    return site.model_copy(update={"tables": tables, "people": people})


def explained(
    document: Document, invalid: ValidationError, sections: Mapping[tuple[str, ...], type[BaseModel]]
) -> Iterator[Fault]:
    """One fault for each key, in our words. `sections`: the model of each table of the file. What fits no
    member of a union is reported by each member: it is named once.
    """
    reported: set[Key] = set()
    newer = _newer(document.data.get("written_for"))
    for error in invalid.errors(include_url=False):
        location: Key = error["loc"]
        line = document.line(location)
        key = _known_part(document, location)
        if error["type"] != "missing":
            if key in reported:
                continue
            reported.add(key)
        sentence = newer if newer and error["type"] in _UNKNOWN else _sentence(error, location, sections)
        yield Fault(line, f"{_spelled(location if error['type'] == 'missing' else key)}: {sentence}")


def _newer(written_for: object) -> str:
    """What to say of what is not known here, if the file was written for a newer version; else nothing."""
    if not (isinstance(written_for, str) and _VERSION.fullmatch(written_for)):
        return ""
    if _numbers(written_for) <= _numbers(__version__):
        return ""
    return (
        f"this is not known to tablebridge {__version__}; the file was written for {written_for}. Update "
        "tablebridge, or take it out and set written_for to your version"
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))


def _known_part(document: Document, location: Key) -> Key:
    """The part of a location that is written in the file: what follows are branches that pydantic tried."""
    value: Any = document.data
    for depth, part in enumerate(location):
        if isinstance(value, dict) and part in value:
            value = value[str(part)]
        elif isinstance(value, list) and isinstance(part, int):
            value = value[part]
        else:
            return location[:depth]
    return location


def _sentence(error: Any, location: Key, sections: Mapping[tuple[str, ...], type[BaseModel]]) -> str:
    kind = error["type"]
    name = str(location[-1])
    if kind == "extra_forbidden":
        section = sections[tuple(str(part) for part in location[:-1] if isinstance(part, str))]
        known = [field.alias or key for key, field in section.model_fields.items()]
        return f"there is no such key; {nearest(name, known)}"
    if kind == "missing":
        return "this key is missing; add it"
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind == "string_pattern_mismatch" and name == "written_for":
        return f"{error['input']!r} is no version; write one such as {__version__}"
    if kind == "string_pattern_mismatch":
        return f"{error['input']!r} is no name; {_NAME_FORM}"
    if "options" in location:
        return "an option is true, false, a number or a text"
    if kind == "tuple_type" and name in ("webhook", "person"):
        return f"write [[{name}]] with two brackets above each"
    if kind == "tuple_type" and name in ("table", "device"):
        header = "table" if name == "table" else "table.device"
        return f"write [[{header}]] with two brackets above each, a [[table]] before its devices"
    if kind in ("int_parsing", "float_parsing", "bool_parsing"):
        return f"{_WANTED[kind]}, not {str(error['input'])[:40]!r}"
    if kind in ("less_than_equal", "greater_than_equal"):
        most = "most" if kind == "less_than_equal" else "least"
        return f"a number of at {most} {next(iter(error['ctx'].values()))} stands here, not {error['input']}"
    return _WANTED.get(kind) or str(error["msg"]).replace("Input should be", "should be").replace(
        "String should", "should"
    )


def _spelled(key: Key) -> str:
    """`table[1].device[2].port`, counting from one as people do."""
    text = ""
    for part in key:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _share_a_bus(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Whether two devices differ by their addresses on one line. Works on data of any types."""
    options = [device.get("options") for device in (first, second)]
    addresses = [given.get("address") if isinstance(given, dict) else None for given in options]
    return (
        first.get("driver") == second.get("driver") and None not in addresses and addresses[0] != addresses[1]
    )


def _across(data: dict[str, Any]) -> Iterator[tuple[Key, str]]:
    """What no single key shows: the same name, port or antenna twice; a button at no seat. Works on data of
    any types.
    """
    tables: dict[str, int] = {}
    names: dict[str, str] = {}
    ports: dict[str, tuple[str, list[dict[str, Any]]]] = {}
    for number, table in enumerate(_dicts(data.get("table"))):
        at: Key = ("table", number)
        called = table.get("name")
        if isinstance(called, str) and tables.setdefault(called, number) != number:
            yield (*at, "name"), f"two tables are called {called!r}; a name is used once in a site"
        for index, device in enumerate(_dicts(table.get("device"))):
            here: Key = (*at, "device", index)
            name, port = device.get("name"), device.get("port")
            mine = _spelled(here)
            if isinstance(name, str) and names.setdefault(name, mine) != mine:
                yield (
                    (*here, "name"),
                    f"two devices are called {name!r} ({names[name]} is the other); a name is used once",
                )
            if isinstance(port, str):
                other, there = ports.setdefault(port, (mine, []))
                if not all(_share_a_bus(device, earlier) for earlier in there):
                    yield (
                        (*here, "port"),
                        f"two devices are on port {port!r} ({other} is the other); a port has one device, or "
                        "several of one driver with different `address` in options",
                    )
                there.append(device)
            for section, what in (("antennas", "antenna"), ("contacts", "contact")):
                yield from _twice(device.get(section), (*here, section), what)


def _undelayed(site: Site) -> Iterator[tuple[Key, str]]:
    """Hole cards without any delay may be had on this machine only, to try things."""
    if site.web.overlay_hole_cards and site.web.overlay_delay_s == 0 and not site.web.on_loopback:
        yield (
            ("web", "overlay_delay_s"),
            (
                "web.overlay_delay_s: hole cards without a delay may not leave this machine, and the pages "
                "listen on "
                f"{site.web.listen}; write a delay in seconds, or overlay_hole_cards = false"
            ),
        )


def _seatless(site: Site) -> Iterator[tuple[Key, str]]:
    """Antennas for the stack of a seat that the table has not."""
    for number, table in enumerate(site.tables):
        for index, device in enumerate(table.devices):
            for antenna, place in device.antennas.items():
                seat = stack_seat_of(place)
                if seat is not None and seat not in table.seat_numbers:
                    key: Key = ("table", number, "device", index, "antennas", str(antenna))
                    yield (
                        key,
                        f"{_spelled(key)}: the table has no seat {seat}; its seats are {table.seats}",
                    )


def _hooks(data: dict[str, Any]) -> Iterator[tuple[Key, str]]:
    """Webhooks with the same name, or of a table that is not there. Works on data of any types."""
    names: set[str] = set()
    tables = {table.get("name") for table in _dicts(data.get("table"))}
    for number, hook in enumerate(_dicts(data.get("webhook"))):
        called, wanted = hook.get("name"), hook.get("tables")
        if isinstance(called, str) and called in names:
            yield ("webhook", number, "name"), f"two webhooks are called {called!r}; a name is used once"
        names |= {called} if isinstance(called, str) else set()
        for table in wanted if isinstance(wanted, list) else ():
            if isinstance(table, str) and table not in tables:
                yield (
                    ("webhook", number, "tables"),
                    f"webhook[{number + 1}].tables: there is no table {table!r}",
                )


def _two_groups(site: Site) -> Iterator[tuple[Key, str]]:
    """Groups that would have one name and are two: the name of a table, of a device that is alone, or of
    anything else is used for one of these, at one table.
    """
    meant: dict[str, tuple[str, str]] = {}
    for number, table in enumerate(site.tables):
        for index, device in enumerate(table.devices):
            group = device.group or table.group
            means = (table.name, device.name if group == "alone" else group)
            name = table.group_of(device)
            if meant.setdefault(name, means) != means:
                yield (
                    ("table", number, "device", index, "group" if device.group else "name"),
                    f"{_spelled(('table', number, 'device', index))}: there would be two groups called "
                    f"{name!r}; write another name for one of them, group = ...",
                )


def _twice(section: object, at: Key, what: str) -> Iterator[tuple[Key, str]]:
    """Keys that are one number: `1` and `01`."""
    seen: set[int] = set()
    for key in section if isinstance(section, dict) else ():
        if key.isascii() and key.isdigit():
            if int(key) in seen:
                yield (*at, key), f"{what} {int(key)} stands here a second time; it can have one meaning only"
            seen.add(int(key))


def _dicts(value: object) -> list[dict[str, Any]]:
    return [member if isinstance(member, dict) else {} for member in value] if isinstance(value, list) else []
