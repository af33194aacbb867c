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
from tablebridge.doctor.trial import RunningTrial
from tablebridge.host import registry
from tablebridge.host.discovery import discover
from tablebridge.host.links.opening import way
from tablebridge.host.plugged import plugged
from tablebridge.model.errors import ConfigError, LinkError
from tablebridge.model.toml_text import parse_toml
from tablebridge.sdk.driver import Driver, Options, SerialPort
from tablebridge.steps.attempt import LIMITS_S, Attempt, AttemptState
from tablebridge.steps.site_text import Part

TRY: Final = "try"
NONE: Final = "none"
ANSWER_S: Final = 1.5
_NOT_TRIED: Final = ("template", "simulator")
_FIRST: Final = ("feig", "metratec", "line")


def ports(given: Iterable[str], drivers: Iterable[Driver]) -> Iterator[tuple[str, str]]:
    """The ports to be set up and what is proposed for each: a driver that knows the device, else nothing. A
    port that is named twice, under two of its names, is one.
    """
    named: dict[str, str] = {}
    for port in given:
        named.setdefault(file_of(port), port)
    yield from ((port, NONE) for port in named.values())
    for found in discover(plugged(), drivers):
        if (found.candidates or found.adapter) and file_of(found.port) not in named:
            yield found.port, found.candidates[0].driver if found.candidates else NONE


def file_of(port: str) -> str:
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
        return parsed_options(driver, "" if answer == NONE else answer)

    listed = ", ".join(f"{key} ({option.default})" for key, option in driver.options.items())
    return dialogue.ask(f"Options of the driver {name}, of {listed}?", NONE, parse)


def parsed_options(driver: Driver, text: str) -> Options:
    """The options of a driver, written as in the site file. Raises ValueError, and ConfigError for those that
    the driver does not have.
    """
    try:
        given: Options = parse_toml(f"options = {{ {text} }}")["options"]
    except tomllib.TOMLDecodeError:
        raise ValueError("write options as in the site file, such as antennas = 4") from None
    registry.settle(driver, given)
    return given


def _tried(dialogue: Dialogue, port: str) -> tuple[str, bytes]:
    """The driver that understands the device, empty if none does; and the most that it said to any."""
    drivers = {driver.name: settle_s for driver, settle_s in tried_drivers(port)}
    if not drivers:
        return "", b""
    limits: dict[AttemptState, float] = {
        "opening": ANSWER_S,
        "asking": max(drivers.values()) + ANSWER_S,
        "identified": LIMITS_S["identified"],
    }
    running = RunningTrial(Attempt(tuple(drivers), time.monotonic(), limits), port, {})
    said = ""
    try:
        while not running.attempt.over:
            if said != running.attempt.driver:
                said = running.attempt.driver
                dialogue.say(f"{port}: trying {said}")
            running.step(time.monotonic())
            time.sleep(0.02)
    finally:
        running.stop()
    if running.attempt.state == "failed":
        return "", running.most
    dialogue.say(f"{port}: {running.identity} (driver {said})")
    return said, b""


def tried_drivers(port: str) -> Iterator[tuple[Driver, float]]:
    """The drivers that are tried at this port, the commonest first, and how long each leaves the device alone
    after opening it, in seconds.
    """
    drivers = [listed.driver for listed in registry.listed() if listed.driver is not None]
    for driver in sorted(drivers, key=lambda driver: (driver.name not in _FIRST, driver.name)):
        if driver.port is None or driver.shows or driver.name in _NOT_TRIED:
            continue
        try:
            settings = way(port, driver, registry.settle(driver, {}))
        except (LinkError, ConfigError):
            continue
        if isinstance(settings, SerialPort) and not settings.contacts:
            yield driver, settings.settle_s


__all__ = ["file_of", "identified", "parsed_options", "ports", "tried_drivers"]
