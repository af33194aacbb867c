"""What the board is wired to: one JSON file on the board, checked key by key.

A fault is a sentence that names its key. What it belongs to is left out; the rest goes on. docs/firmware.md
has the keys.
"""

import json

from .shuffler import REPORTS, STATES

LARGEST = 16384
"""Bytes of the file."""
_MOST = 64

_RC522 = {"antenna", "chip", "spi", "cs", "reset", "gain"}
_PN532 = {"antenna", "chip", "spi", "cs", "i2c", "reset"}
_PN5180 = {"antenna", "chip", "spi", "cs", "busy", "reset", "standards"}
_CHIPS = {"rc522": _RC522, "pn532": _PN532, "pn5180": _PN5180}
_NEEDS = {"rc522": ("spi", "cs"), "pn532": (), "pn5180": ("spi", "cs", "busy", "reset")}
_STANDARDS = ("iso15693", "iso14443")
_SPI = {"sck": None, "mosi": None, "miso": None, "baud": 1000000}
_I2C = {"scl": None, "sda": None, "baud": 100000}
_CONTACT = {"number": None, "pin": None, "closed": "low", "debounce_ms": 20}
_SCALE = {"data": None, "clock": None, "denomination": None, "zero": None, "chip": None}
_LAMP = {"pin": None, "on": None, "off": None, "hold_ms": 1500}
_MOTOR = {"pin": None, "on": None, "off": None, "rest": 32768, "hold_ms": 800}
_TRAY = {"pin": None, "closed": "low", "debounce_ms": 50}
_TOP = {"name", "spi", "i2c", "chips", "contacts", "scales", "shuffler"}
_PIN_KEYS = {"sck", "mosi", "miso", "scl", "sda", "cs", "busy", "reset", "pin", "data", "clock"}
_HIGHEST = {"baud": 10000000, "gain": 7, "debounce_ms": 5000, "hold_ms": 60000, "denomination": 4294967295}
_HIGHEST.update({"on": 65535, "off": 65535, "rest": 65535, "antenna": 64, "number": 64})


class Configuration:
    """What can be used of the file, and `faults`: sentences about what cannot."""

    def __init__(self):
        self.name = "board"
        self.spi, self.i2c = {}, {}
        self.chips, self.contacts, self.scales = [], [], []
        self.shuffler = None
        self.faults = []


class _Wrong(Exception):
    """What is wrong with a key; never leaves this module."""


def read(text):
    """The configuration in this text. Raises nothing."""
    made = Configuration()
    try:
        if len(text) > LARGEST:
            raise _Wrong("board.json is longer than " + str(LARGEST) + " bytes: shorten it")
        found = json.loads(text)
        if not isinstance(found, dict):
            raise _Wrong("board.json is no JSON object: begin it with {")
    except _Wrong as wrong:
        made.faults.append(str(wrong))
        return made
    except (ValueError, RuntimeError):
        made.faults.append("board.json is no JSON: write it with tablebridge firmware config")
        return made
    for key in sorted(found):
        if key not in _TOP:
            made.faults.append(key + ": no such key; the keys are " + " ".join(sorted(_TOP)))
    _name(made, found.get("name", "board"))
    made.spi = _buses(made, "spi", found.get("spi", {}), _SPI)
    made.i2c = _buses(made, "i2c", found.get("i2c", {}), _I2C)
    made.chips = _each(made, "chips", found.get("chips", []), lambda entry: _chip(made, entry), "antenna")
    made.contacts = _each(
        made, "contacts", found.get("contacts", []), lambda entry: _keys(entry, _CONTACT), "number"
    )
    made.scales = _each(
        made, "scales", found.get("scales", []), lambda entry: _keys(entry, _SCALE), "denomination"
    )
    if "shuffler" in found:
        made.shuffler = _shuffler(made, found["shuffler"])
    return made


def _name(made, name):
    if isinstance(name, str) and 0 < len(name) <= 32 and all("!" <= c <= "~" and c not in ",*" for c in name):
        made.name = name
    else:
        made.faults.append("name: 1 to 32 letters and digits without blank or comma")


def _buses(made, kind, found, keys):
    if not isinstance(found, dict):
        made.faults.append(kind + ': an object of buses by number like {"1": {...}}')
        return {}
    buses = {}
    for number in sorted(found):
        try:
            if number not in ("0", "1", "2"):
                raise _Wrong("a bus has the number 0 or 1 or 2")
            buses[number] = _keys(found[number], keys)
        except _Wrong as wrong:
            made.faults.append(kind + "." + number[:20] + ": " + str(wrong))
    return buses


def _each(made, where, found, check, unique):
    """The usable ones of a list. Two that share a number are both a mistake: the first counts."""
    if not isinstance(found, list):
        made.faults.append(where + ": a list like [{...}]")
        return []
    if len(found) > _MOST:
        made.faults.append(where + ": at most " + str(_MOST) + "; the others are left out")
    usable = []
    for place, entry in enumerate(found[:_MOST]):
        try:
            checked = check(entry)
            if checked[unique] in [other[unique] for other in usable]:
                raise _Wrong(unique + " " + str(checked[unique]) + " is there twice")
            usable.append(checked)
        except _Wrong as wrong:
            made.faults.append(where + "[" + str(place) + "]: " + str(wrong))
    return usable


def _chip(made, entry):
    if not isinstance(entry, dict) or entry.get("chip") not in _CHIPS:
        raise _Wrong("chip is one of " + " ".join(sorted(_CHIPS)))
    kind = entry["chip"]
    for key in entry:
        if key not in _CHIPS[kind]:
            raise _Wrong(key + ": a " + kind + " has no such key")
    checked = {"chip": kind}
    for key in ("antenna",) + _NEEDS[kind]:
        if key not in entry:
            raise _Wrong(key + " is missing")
    for key in sorted(entry):
        if key == "standards":
            checked[key] = _standards(entry[key])
        elif key in ("spi", "i2c"):
            checked[key] = str(entry[key])
            if checked[key] not in (made.spi if key == "spi" else made.i2c):
                raise _Wrong(key + ": no bus " + checked[key][:20] + " is described under " + key)
        elif key != "chip":
            checked[key] = _number(key, entry[key], 1 if key == "antenna" else 0)
    if kind == "pn532" and ("spi" in checked) == ("i2c" in checked):
        raise _Wrong("spi or i2c: a pn532 is on one of them")
    if kind == "pn532" and "spi" in checked and "cs" not in checked:
        raise _Wrong("cs is missing")
    return checked


def _standards(found):
    if not isinstance(found, list) or not found or any(each not in _STANDARDS for each in found):
        raise _Wrong("standards: a list of " + " ".join(_STANDARDS))
    return found


def _keys(entry, keys):
    """An object with just these keys; those with a default may be left out."""
    if not isinstance(entry, dict):
        raise _Wrong("an object like {...}")
    for key in entry:
        if key not in keys:
            raise _Wrong(key + ": no such key; the keys are " + " ".join(sorted(keys)))
    checked = {}
    for key in sorted(keys):
        value = entry.get(key, keys[key])
        if value is None:
            raise _Wrong(key + " is missing")
        if key == "closed":
            if value not in ("low", "high"):
                raise _Wrong("closed: low or high")
            checked[key] = value
        elif key in ("zero", "chip"):
            if (
                isinstance(value, bool)
                or not isinstance(value, (int, float))
                or (key == "chip" and not value)
            ):
                raise _Wrong(key + ": a number as the scale gives it")
            checked[key] = value
        else:
            checked[key] = _number(key, value, 1 if key in ("number", "baud", "denomination") else 0)
    return checked


def _number(key, value, lowest):
    highest = 48 if key in _PIN_KEYS else _HIGHEST.get(key, 65535)
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise _Wrong(key + ": a whole number from " + str(lowest) + " to " + str(highest))
    return value


def _shuffler(made, found):
    """What looks at a shuffler, and what its lamps say: sensors by name, and conditions by report."""
    if not isinstance(found, dict):
        made.faults.append("shuffler: an object like {...}")
        return None
    sensors, says = {}, {}
    for key in sorted(found):
        if key not in ("lamps", "motor", "tray", "says"):
            made.faults.append("shuffler." + key[:20] + ": no such key; the keys are lamps motor says tray")
    lamps = found.get("lamps", {})
    if not isinstance(lamps, dict):
        made.faults.append('shuffler.lamps: an object of lamps by name like {"green": {...}}')
        lamps = {}
    wanted = [(name, "lamps." + name, "lamp", lamps[name], _LAMP) for name in sorted(lamps)[:8]]
    wanted += [
        (name, name, name, found[name], keys)
        for name, keys in (("motor", _MOTOR), ("tray", _TRAY))
        if name in found
    ]
    for name, where, kind, entry, keys in wanted:
        try:
            checked = _keys(entry, keys)
            if kind == "lamp" and checked["on"] == checked["off"]:
                raise _Wrong("on and off differ or the lamp flickers at its threshold")
            if kind == "motor" and checked["on"] < checked["off"]:
                raise _Wrong("off: at most as much as on")
            sensors[name] = (kind, checked)
        except _Wrong as wrong:
            made.faults.append("shuffler." + where[:30] + ": " + str(wrong))
    conditions = found.get("says", {})
    for report in sorted(conditions) if isinstance(conditions, dict) else ():
        try:
            says[report] = _conditions(report, conditions[report], sensors)
        except _Wrong as wrong:
            made.faults.append("shuffler.says." + report[:20] + ": " + str(wrong))
    if not says:
        made.faults.append("shuffler.says: what ready and jam and started look like is missing")
        return None
    return sensors, says


def _conditions(report, texts, sensors):
    if report not in REPORTS:
        raise _Wrong("the reports are " + " ".join(sorted(REPORTS)))
    found = []
    for text in texts if isinstance(texts, list) else [texts]:
        words = text.split() if isinstance(text, str) else ()
        if len(words) != 2 or words[0] not in sensors:
            raise _Wrong("a sensor and its state like " + " ".join(sorted(sensors)) + " and lit")
        states = STATES[sensors[words[0]][0]]
        if words[1] not in states:
            raise _Wrong(words[0] + " is one of " + " ".join(states))
        found.append((words[0], words[1]))
    if not found:
        raise _Wrong("at least one condition")
    return found
