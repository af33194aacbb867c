"""`tablebridge enrol`: give the cards of a deck their tags, one after the other."""

import contextlib
import secrets
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from tablebridge.app.wear import begin_wear, wear_path
from tablebridge.bus.account import account
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import ReadingMessage, decode
from tablebridge.bus.topics import READING
from tablebridge.host.clock import SystemClock
from tablebridge.model.cards import spoken
from tablebridge.model.decks import Deck
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Sweep, TrayReading
from tablebridge.sensing.enrolment.deck_enrolment import DeckEnrolment, EnrolmentStep
from tablebridge.settings.decks import deck_path, load_deck, save_deck
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Device, Site, Table

_UNDO: Final = "undo"
_STEP_S: Final = 0.2
TRAY_VISITS: Final = 3


@click.command("enrol", epilog="Example: tablebridge enrol red --device board --site site.toml")
@click.argument("deck")
@click.option("--site", "site_file", type=click.Path(path_type=Path), required=True, help="The site file.")
@click.option(
    "--device", "device_name", help="The reader on which cards are laid; needed where the site has several."
)
@click.option(
    "--antenna",
    type=click.IntRange(min=0),
    help="Its antenna; by default the first that the site file names.",
)
@click.option(
    "--kind",
    default="52",
    show_default=True,
    type=click.Choice(["52", "52+joker", "40", "36", "32"]),
    help="What a new deck holds.",
)
@click.option(
    "--readings",
    type=click.Choice(["-"]),
    help="Read readings as JSON lines on standard input, not from MQTT.",
)
def command(
    deck: str, site_file: Path, device_name: str | None, antenna: int | None, kind: str, readings: str | None
) -> None:
    """Give the cards of DECK their tags, so that readings become faces.

    Lay the cards on the antenna one at a time, in the order that is asked for: hearts, clubs, diamonds,
    spades, each from the ace over the two to the king. Where the antenna reads several cards at once they may
    stay, beside each other. Each card is saved at once, so you can stop (Ctrl-C) and go on later. Type u and
    Enter to take back the last card.

    \b
    With --readings -, each line is a reading as on MQTT, or the word undo:
      {"kind": "sweep", "antenna": 1, "tags": ["E0040150ABCD0001"]}
    """
    site = load_site(site_file)
    path = deck_path(site, deck)
    begun = load_deck(path) if path.exists() else Deck(deck, {}, kind)
    if readings:
        source = lines()
    else:
        table, device = device_of(site, device_name)
        source = sweeps(
            site, table, device, antenna if antenna is not None else next(iter(device.antennas), 0)
        )
    guided(begun, path, source)


def guided(deck: Deck, path: Path, source: Iterable[Sweep | str]) -> bool:
    """Ask for the cards one after the other and save each; whether the deck is complete when the sweeps end."""
    enrolment = DeckEnrolment(deck)
    if not deck.cards:
        begin_wear(wear_path(path), SystemClock().now())
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True)
    ) as bar:
        guide = _Guide(enrolment, path, bar)
        try:
            complete = any(guide.take(one) for one in source)
        except KeyboardInterrupt:
            complete = False
    have = len(enrolment.deck.cards)
    complete = complete or enrolment.wanted is None
    if complete:
        click.echo(f"Deck {deck.name} is complete: {have} cards in {path}.")
    else:
        click.echo(
            f"Deck {deck.name} has {have} of {enrolment.total} cards in {path}; run the same command to go on."
        )
    return complete


class _Guide:
    """Asks for cards, says what was wrong, saves what was right."""

    def __init__(self, enrolment: DeckEnrolment, path: Path, bar: Progress) -> None:
        self._enrolment = enrolment
        self._path = path
        self._bar = bar
        self._task = bar.add_task("", total=enrolment.total)
        self._ask()

    def take(self, one: Sweep | str) -> bool:
        """A sweep or the word undo; whether the deck is complete now."""
        if isinstance(one, str):
            position = self._enrolment.undo()
            self._say(
                "Nothing to take back."
                if position is None
                else f"Card {position} is taken back; lay it down again."
            )
            save_deck(self._path, self._enrolment.deck)
        else:
            step = self._enrolment.enrol_card(one)
            if step is not None:
                self._tell(step)
        self._ask()
        return self._enrolment.wanted is None

    def _tell(self, step: EnrolmentStep) -> None:
        if step.what == "enrolled":
            save_deck(self._path, self._enrolment.deck)
        elif step.what == "known":
            self._say(
                f"This tag is card {step.position} of the deck already; lay down the card that is asked for."
            )
        elif step.what == "several":
            self._say(
                "More than one new tag is read, and nobody can tell which is which: take up the cards laid last, "
                "then lay down only the one that is asked for."
            )

    def _ask(self) -> None:
        wanted = self._enrolment.wanted
        self._bar.update(
            self._task,
            completed=len(self._enrolment.deck.cards),
            description=f"Lay down the {spoken(wanted)}" if wanted else "Complete",
        )

    def _say(self, sentence: str) -> None:
        self._bar.console.print(sentence, highlight=False)


def lines() -> Iterator[Sweep | str]:
    """Sweeps and the word undo, a line each, of standard input."""
    decoder = msgspec.json.Decoder(Sweep)
    for number, line in enumerate(sys.stdin, 1):
        if line.strip() == _UNDO:
            yield _UNDO
        elif line.strip():
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                click.echo(f"line {number}: this is no sweep ({error}); skipped", err=True)


def device_of(site: Site, name: str | None) -> tuple[Table, Device]:
    """The device of this name and its table, or the only reader. Raises ConfigError."""
    found = [
        (table, device) for table in site.tables for device in table.devices if name in (None, device.name)
    ]
    readers = [one for one in found if one[1].antennas] if name is None else found
    if len(readers) == 1:
        return readers[0]
    names = ", ".join(device.name for table in site.tables for device in table.devices) or "none"
    if name is None:
        raise ConfigError(f"Say on which reader the cards are laid: --device NAME, of {names}.")
    raise ConfigError(f"The site file has no device {name!r}; it has {names}.")


def sweeps(site: Site, table: Table, device: Device, antenna: int) -> Iterator[Sweep | str]:
    """Sweeps of one antenna from the bus, and `undo` when u is typed."""
    came: deque[Sweep | str] = deque()
    user, password = account(site, "enrol")
    client = BusClient(site.broker, f"enrol-{secrets.token_hex(8)}", user, password, clean=True)

    def message(topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        ack()
        with contextlib.suppress(ValueError):
            reading = decode(payload, ReadingMessage).stamped.reading
            if isinstance(reading, Sweep) and reading.antenna == antenna:
                came.append(reading)
            elif isinstance(reading, TrayReading):
                # It is told when it changes only, and stands until then.
                came.append(Sweep(antenna, reading.tags, TRAY_VISITS))

    client.on_message = message
    # QoS 0: what is read while nobody enrols must not be kept for us.
    client.subscribe(READING.of(site.name, table.name, device.name), qos=0)
    keys = [sys.stdin.fileno()] if sys.stdin.isatty() else []
    try:
        while True:
            if client.step(_STEP_S, keys) and sys.stdin.readline().strip().lower() in ("u", _UNDO):
                came.append(_UNDO)
            while came:
                yield came.popleft()
    finally:
        client.close()
