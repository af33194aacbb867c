"""From a bare box to a site file that works: readers, places, contacts, the file, a deck, and whether every
card is read.
"""

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

from tablebridge.app.check import check_site
from tablebridge.doctor.dialogue import Dialogue
from tablebridge.doctor.enrolment import enrol_deck
from tablebridge.doctor.examine import installed
from tablebridge.doctor.judge import other_standard
from tablebridge.doctor.listen import Listener, Listening
from tablebridge.doctor.readers import NONE, asking, identified, numbered, ports
from tablebridge.host import registry
from tablebridge.model.cards import spoken
from tablebridge.model.contacts import parse_contact
from tablebridge.model.decks import Deck
from tablebridge.model.errors import ConfigError
from tablebridge.model.places import parse_place
from tablebridge.model.readings import ButtonPress, Reading, Sweep
from tablebridge.settings.decks import deck_path, load_deck
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Device, Site, parse_seats
from tablebridge.steps.contacts import Contacts
from tablebridge.steps.deck_check import DeckCheck
from tablebridge.steps.mapping import Mapping
from tablebridge.steps.site_text import Part, site_text

_STEP_S: Final = 0.2
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
T = TypeVar("T")


class Setup:
    """The guided setup. `wait_s`: how long it waits for a card or a press before it leaves the place out.
    `broker_port`: of the broker that runs on the box, None if tablebridge is to start its own.
    """

    def __init__(
        self, dialogue: Dialogue, out: Path, state_dir: Path, wait_s: float, broker_port: int | None = None
    ) -> None:
        if out.exists():
            raise ConfigError(
                f"{out} is there already: give another name, and move it there when it is right."
            )
        # Checked before a card is placed.
        if not os.access(out.parent, os.W_OK):
            raise ConfigError(f"{out.parent} is no folder that may be written: give another path.")
        self._talk = dialogue
        self._out = out
        self._state_dir = state_dir
        self._wait_s = wait_s
        self._broker_port = broker_port
        self._received: SimpleQueue[tuple[str, Reading]] = SimpleQueue()
        self._mapping = Mapping()

    def run(self, given_ports: tuple[str, ...]) -> bool:
        """Run the whole setup; whether every device works. Raises ConfigError."""
        talk = self._talk
        talk.say(
            "A new site. To bring a saved one back instead, end this and run: "
            f"tablebridge restore BACKUP --key KEY --site {self._out}"
        )
        table = talk.ask("What is the table called?", "table-1", _name)
        seats = talk.ask("Which seats has it?", "1-9", _seats)
        parts = self._find(given_ports)
        devices = [
            Device(name=part.name, driver=part.driver, port=part.port, options=asking(part)) for part in parts
        ]
        with Listening(Listener(device, self._hear) for device in devices) as listening:
            self._wait_until_alive(listening)
            for part, listener in zip(parts, listening.listeners, strict=True):
                part.options = numbered(part, listener)
            self._map(seats, parts)
            self._contacts(parts)
            site = self._write(table, seats, parts)
            self._deck(site)
            dead = [listener for listener in listening.listeners if not listener.live]
        if dead:
            for listener in dead:
                talk.say(
                    f"{listener.device.name} on {listener.device.port} does not work: "
                    f"{listener.detail or 'nothing came from it.'}"
                )
            talk.say(
                f"Not ready. Fix that first; this says what is wrong: tablebridge doctor --site {self._out}"
            )
        else:
            talk.say(
                f"Ready. Look at it: tablebridge doctor --site {self._out}"
                + ("" if self._broker_port else f"\nRun it:     tablebridge run --site {self._out}")
            )
        return not dead

    # ---- readers

    def _find(self, given: tuple[str, ...]) -> list[Part]:
        parts: list[Part] = []
        for port, proposed in ports(given, installed()):
            part = identified(self._talk, port, proposed)
            if part is not None:
                part.name = f"{part.driver.rpartition(':')[2]}-{len(parts) + 1}"
                parts.append(part)
        if not parts:
            raise ConfigError(
                "No device was found: plug one in, or name its port with --port; `tablebridge ports` lists "
                "what "
                "is plugged in."
            )
        return parts

    def _wait_until_alive(self, listening: Listening) -> None:
        deadline = time.monotonic() + self._wait_s
        while time.monotonic() < deadline and not all(
            listener.tally.alive for listener in listening.listeners
        ):
            time.sleep(0.05)
        for listener in listening.listeners:
            said = (
                listener.tally.identity or listener.driver.title
                if listener.tally.alive
                else f"does not work: {listener.detail}"
            )
            self._talk.say(f"{listener.device.name}: {said}")

    # ---- places and contacts

    def _map(self, seats: str, parts: list[Part]) -> None:
        proposed = ", ".join([*(f"seat {seat}" for seat in parse_seats(seats)), "board"])
        places = self._talk.ask("Which places have an antenna?", proposed, _several(parse_place))
        by_name = {part.name: part for part in parts}
        self._settle()
        for place in places:
            self._mapping.ask(place)
            for device, number in self._mapping.lying:
                self._talk.say(f"A card lies on antenna {number} of {device} already: take it away first.")
            self._talk.say(f"Lay one card at {place}.")
            if not self._await_card(place):
                self._talk.say(f"Nothing was read at {place}; it is left out.")
                for part in parts:
                    if hint := other_standard(registry.load(part.driver), part.options):
                        self._talk.say(f"{part.name}: {hint}.")
        for (device, number), place in self._mapping.places.items():
            by_name[device].antennas[number] = place

    def _settle(self) -> None:
        """Note which tags are on the antennas before the first card is placed."""
        deadline = time.monotonic() + 2 * _STEP_S
        for device, reading in self._readings():
            if isinstance(reading, Sweep):
                self._mapping.sweep(device, reading)
            if time.monotonic() > deadline:
                return

    def _await_card(self, place: str) -> bool:
        found = False
        for device, reading in self._readings():
            step = self._mapping.sweep(device, reading) if isinstance(reading, Sweep) else None
            if step is None:
                continue
            name = f"antenna {step.spot[1]} of {step.spot[0]}"
            if step.what == "found":
                found = True
                self._talk.say(f"It is {name}. Take the card away.")
                for other, number in step.also:
                    self._talk.say(
                        f"Antenna {number} of {other} reads it as well: move the two apart, or lower the "
                        "power."
                    )
            elif step.what == "taken":
                self._talk.say(
                    f"{name} looks at {self._mapping.places[step.spot]} already; lay the card at {place}."
                )
            elif step.what == "several":
                self._talk.say("Several new tags are read: lay one card only.")
            else:
                return True
        return found

    def _contacts(self, parts: list[Part]) -> None:
        wanted = self._talk.ask(
            "Which contacts are there, such as hand, key end, key floor, all-in 1?",
            NONE,
            _several(parse_contact),
        )
        step = Contacts()
        for contact in wanted:
            step.ask(contact)
            self._talk.say(f"Close the contact for {contact}, or press its button.")
            for device, reading in self._readings():
                if isinstance(reading, ButtonPress) and step.press(device, reading):
                    self._talk.say(f"It is contact {reading.contact} of {device}.")
                    break
            else:
                self._talk.say(f"Nothing was pressed; {contact} is left out.")
        for part in parts:
            part.contacts = step.of(part.name)

    # ---- the file and the deck

    def _write(self, table: str, seats: str, parts: list[Part]) -> Site:
        try:
            self._out.write_text(
                site_text("site", str(self._state_dir), table, seats, parts, self._broker_port),
                encoding="utf-8",
            )
        except OSError as error:
            raise ConfigError(
                f"{self._out} cannot be written ({error.strerror}): give another path."
            ) from None
        check_site(self._out)
        self._talk.say(f"{self._out} is written and right.")
        return load_site(self._out)

    def _deck(self, site: Site) -> None:
        name = self._talk.ask("Which deck is to be enrolled now? A name, such as red, or none.", NONE, _name)
        if name == NONE or not self._mapping.places:
            return
        kind = self._talk.ask("What does it hold: 52, 52+joker, 40, 36 or 32?", "52", _kind)
        spot, place = next(iter(self._mapping.places.items()))
        path = deck_path(site, name)
        self._talk.say(f"Lay its cards at {place}, one after the other, as they are asked for.")
        begun = load_deck(path) if path.exists() else Deck(name, {}, kind)
        if not enrol_deck(begun, path, self._sweeps(*spot)):
            self._talk.say(
                f"The deck is not complete; go on with: tablebridge enrol {name} --site {self._out}"
            )
            return
        self._check(load_deck(path))

    def _check(self, deck: Deck) -> None:
        check = DeckCheck(deck)
        self._talk.say("Now show every card once more, on any antenna, one by one or a few at once.")
        for _, reading in self._readings():
            if isinstance(reading, Sweep) and check.sweep(reading) and not check.unread:
                break
        if check.strangers:
            self._talk.say(f"{len(check.strangers)} tags that are not of this deck were read as well.")
        if check.unread:
            names = ", ".join(sorted(spoken(deck.cards[tag]) for tag in check.unread))
            self._talk.say(
                f"Not read: {names}. Try them once more at {next(iter(self._mapping.places.values()))}."
            )
        else:
            self._talk.say(f"All {len(deck.cards)} cards are read.")

    # ---- readings

    def _hear(self, device: str, reading: Reading) -> None:
        self._received.put((device, reading))

    def _readings(self) -> Iterator[tuple[str, Reading]]:
        """The readings that arrive, for `wait_s` at most, or until Enter is typed."""
        deadline = time.monotonic() + self._wait_s
        while time.monotonic() < deadline and not self._talk.skipped():
            try:
                yield self._received.get(timeout=_STEP_S)
            except Empty:
                continue

    def _sweeps(self, device: str, antenna: int) -> Iterator[Sweep]:
        """The sweeps of one antenna; the wait begins again with each sweep that has a tag."""
        deadline = time.monotonic() + self._wait_s
        while time.monotonic() < deadline:
            for name, reading in self._readings():
                if isinstance(reading, Sweep) and (name, reading.antenna) == (device, antenna):
                    if reading.tags:
                        deadline = time.monotonic() + self._wait_s
                    yield reading


def _several(parse: Callable[[str], T]) -> Callable[[str], list[T]]:
    """A parser of answers with commas between them; `none` for an empty list."""
    return lambda answer: [] if answer == NONE else [parse(part.strip()) for part in answer.split(",")]


def _name(answer: str) -> str:
    if not _NAME.fullmatch(answer):
        raise ValueError("a name is up to 32 of a-z, 0-9, _ and -, and begins with a letter or a figure")
    return answer


def _seats(answer: str) -> str:
    parse_seats(answer)
    return answer


def _kind(answer: str) -> str:
    if answer not in ("52", "52+joker", "40", "36", "32"):
        raise ValueError("write 52, 52+joker, 40, 36 or 32")
    return answer
