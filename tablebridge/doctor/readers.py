"""Finding out what is connected to a port: by its USB numbers, by what a person says, or by trying each
driver.
"""

import time
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.doctor.dialogue import Dialogue
from tablebridge.doctor.judge import shown
from tablebridge.doctor.listen import Listener
from tablebridge.doctor.trial import RunningTrial
from tablebridge.host import registry
from tablebridge.host.discovery import discover
from tablebridge.host.links.opening import way
from tablebridge.host.plugged import plugged
from tablebridge.model.errors import ConfigError, LinkError
from tablebridge.model.toml_text import parse_toml
from tablebridge.sdk.boards import ANY, BOARD, board_in
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
    found: Options = {}
    if driver == TRY:
        answered = _found(dialogue, port)
        if answered is None:
            return None
        driver, found = answered
    options = _options(dialogue, driver) if registry.load(driver).options else {}
    return Part(name="", driver=driver, port=port, options={**found, **options})


def _options(dialogue: Dialogue, name: str) -> Options:
    driver = registry.load(name)

    def parse(answer: str) -> Options:
        return parsed_options(driver, "" if answer == NONE else answer)

    listed = ", ".join(f"{key} ({option.default})" for key, option in driver.options.items())
    return dialogue.ask(f"Options of the driver {name}, of {listed}?", NONE, parse)


def asking(part: Part) -> Options:
    """The options with which a device that is set up is listened to: it is asked for its own number, if its
    driver can do that and nobody has said which one it has.
    """
    known = BOARD in part.options or BOARD not in registry.load(part.driver).options
    return part.options if known else {**part.options, BOARD: ANY}


def numbered(part: Part, listener: Listener) -> Options:
    """The options of a device for the site file: with its own number, if it was asked and has said one."""
    with listener.lock:
        number = board_in(listener.tally.identity)
    return {**part.options, BOARD: number} if number and BOARD not in part.options else part.options


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


class Tried(msgspec.Struct, frozen=True):
    """A driver and options with which a device is spoken to. `settle_s`: how long it is left alone after its
    port was opened. `name`: both, for people.
    """

    name: str
    driver: str
    options: Options
    settle_s: float


def _found(dialogue: Dialogue, port: str) -> tuple[str, Options] | None:
    """The driver and the options with which the device is understood; None if nothing understands it."""
    tries = {each.name: each for each in tried(port)}
    if not tries:
        dialogue.say(f"No driver can be tried at {port}; it is left out.")
        return None
    limits: dict[AttemptState, float] = {
        "opening": LIMITS_S["opening"],
        "asking": max(each.settle_s for each in tries.values()) + ANSWER_S,
        "identified": LIMITS_S["identified"],
    }
    attempt = Attempt(tuple(tries), time.monotonic(), limits)
    running = RunningTrial(attempt, port, {name: (each.driver, each.options) for name, each in tries.items()})
    said, reported = "", set[str]()
    try:
        while not attempt.over:
            if attempt.driver != said:
                said = attempt.driver
                dialogue.say(f"{port}: trying {said}")
            running.step(time.monotonic())
            for name in running.heard.keys() - reported - {attempt.driver}:
                reported.add(name)
                dialogue.say(f"{port}: {name} does not understand it. {shown(running.heard[name])}")
            time.sleep(0.02)
    finally:
        running.stop()
    if attempt.state == "failed":
        heard = max(running.heard.values(), key=len, default=b"")
        dialogue.say(
            f"No driver understands what is connected to {port}; it is left out. {shown(heard)} If it speaks "
            "at a speed or in a dialect that was not tried, begin again and answer with its driver's name: "
            "its options are asked for then."
        )
        return None
    dialogue.say(f"{port}: {running.identity} (driver {attempt.driver})")
    return running.driver, running.options


def tried(port: str) -> Iterator[Tried]:
    """What is tried at this port: each driver as it comes, the commonest first, then with other speeds and
    dialects.
    """
    drivers = [
        listed.driver
        for listed in registry.listed()
        if listed.driver is not None
        and listed.driver.port is not None
        and not listed.driver.shows
        and listed.driver.name not in _NOT_TRIED
    ]
    drivers.sort(key=lambda driver: (driver.name not in _FIRST, driver.name))
    for driver in drivers:
        yield from _fitting(port, driver, {})
    for driver in drivers:
        for variant in driver.variants:
            yield from _fitting(port, driver, variant)


def _fitting(port: str, driver: Driver, options: Options) -> Iterator[Tried]:
    """This driver with these options, if it can speak at the port."""
    try:
        settings = way(port, driver, registry.settle(driver, options))
    except (LinkError, ConfigError):
        return
    if isinstance(settings, SerialPort) and not settings.contacts:
        named = ", ".join(f"{key} = {value}" for key, value in options.items())
        yield Tried(
            f"{driver.name} ({named})" if named else driver.name, driver.name, options, settings.settle_s
        )


__all__ = ["Tried", "asking", "file_of", "identified", "numbered", "parsed_options", "ports", "tried"]
