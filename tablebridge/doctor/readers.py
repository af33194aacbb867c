"""Finding out what is connected to a port: by its USB numbers, by what a person says, or by trying each
driver.
"""

import time
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tablebridge.doctor.dialogue import Dialogue
from tablebridge.doctor.judge import shown
from tablebridge.doctor.listen import Listener, Listening
from tablebridge.doctor.sitefile import Part
from tablebridge.host import registry
from tablebridge.host.discovery import discover
from tablebridge.host.links.opening import way
from tablebridge.host.plugged import plugged
from tablebridge.model.errors import ConfigError, LinkError
from tablebridge.model.toml_text import parse_toml
from tablebridge.sdk.driver import Driver, Options, SerialPort
from tablebridge.settings.site import Device

TRY: Final = "try"
NONE: Final = "none"
_ANSWER_S: Final = 1.5
_NOT_TRIED: Final = ("template", "simulator")
_FIRST: Final = ("feig", "metratec", "line")


def ports(given: Iterable[str], drivers: Iterable[Driver]) -> Iterator[tuple[str, str]]:
    """The ports to be set up and what is proposed for each: a driver that knows the device, else nothing. A
    port that is named twice, under two of its names, is one.
    """
    named: dict[str, str] = {}
    for port in given:
        named.setdefault(_of_file(port), port)
    yield from ((port, NONE) for port in named.values())
    for found in discover(plugged(), drivers):
        if (found.candidates or found.adapter) and _of_file(found.port) not in named:
            yield found.port, found.candidates[0].driver if found.candidates else NONE


def _of_file(port: str) -> str:
    """The file that a port's name leads to, through links such as those of /dev/serial; else the name."""
    return str(Path(port).resolve()) if port.startswith("/") else port


def identified(dialogue: Dialogue, port: str, proposed: str) -> Part | None:
    """The device at a port as a person says or as it says itself; None if it is to be left alone."""

    def known(answer: str) -> str:
        return answer if answer in (TRY, NONE) else registry.find(answer).name and answer

    driver = dialogue.ask(
        f"What is connected to {port}? A driver's name, `{TRY}` to speak to it with one driver after the "
        "other, or "
        f"`{NONE}` to leave it alone; a device that is no reader may take such bytes for a command.",
        proposed,
        known,
    )
    if driver == NONE:
        return None
    if driver == TRY:
        driver, heard = _tried(dialogue, port)
        if not driver:
            dialogue.say(
                f"No driver understands what is connected to {port}; it is left out. {shown(heard)} If it "
                "speaks at another speed, or in another dialect, begin again and answer with its driver's "
                "name: its options are asked for then."
            )
            return None
    options = _options(dialogue, driver) if registry.load(driver).options else {}
    return Part(name="", driver=driver, port=port, options=options)


def _options(dialogue: Dialogue, name: str) -> Options:
    driver = registry.load(name)

    def parse(answer: str) -> Options:
        try:
            given: Options = parse_toml(f"options = {{ {answer} }}")["options"] if answer != NONE else {}
        except tomllib.TOMLDecodeError:
            raise ValueError("write options as in the site file, such as antennas = 4") from None
        registry.settle(driver, given)
        return given

    listed = ", ".join(f"{key} ({option.default})" for key, option in driver.options.items())
    return dialogue.ask(f"Options of the driver {name}, of {listed}?", NONE, parse)


def _tried(dialogue: Dialogue, port: str) -> tuple[str, bytes]:
    """The driver that understands the device, empty if none does; and the most that it said to any."""
    most = b""
    drivers = [listed.driver for listed in registry.listed() if listed.driver is not None]
    for driver in sorted(drivers, key=lambda driver: (driver.name not in _FIRST, driver.name)):
        if driver.port is None or driver.shows or driver.name in _NOT_TRIED:
            continue
        try:
            settings = way(port, driver, registry.settle(driver, {}))
        except (LinkError, ConfigError):
            continue
        if not isinstance(settings, SerialPort) or settings.contacts:
            continue
        dialogue.say(f"{port}: trying {driver.name}")
        listener = Listener(Device(name="tried", driver=driver.name, port=port))
        with Listening([listener]):
            deadline = time.monotonic() + settings.settle_s + _ANSWER_S
            while not listener.tally.alive and time.monotonic() < deadline:
                time.sleep(0.02)
        if listener.tally.alive:
            dialogue.say(f"{port}: {listener.tally.identity or driver.title} (driver {driver.name})")
            return driver.name, b""
        most = max(most, listener.tally.heard, key=len)
    return "", most


__all__ = ["identified", "ports"]
