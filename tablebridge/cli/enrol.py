"""`tablebridge enrol`: give the cards of a deck their tags, one after the other."""

from pathlib import Path

import click

from tablebridge.cli.options import site_option
from tablebridge.doctor.enrolment import enrol_deck
from tablebridge.doctor.hearing import UNDO, antenna_sweeps, deck_in_play, device_of, typed_sweeps
from tablebridge.model.decks import Deck
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Sweep
from tablebridge.settings.decks import deck_path, load_deck, readable_decks
from tablebridge.settings.load import load_site


@click.command("enrol", epilog="Example: tablebridge enrol red --device board --site site.toml")
@click.argument("deck")
@site_option
@click.option(
    "--device", "device_name", help="The reader on which cards are laid; needed if the site has several."
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
    spades, each from the ace over the two to the king. If the antenna reads several cards at once they may
    stay, beside each other. Each card is saved at once, so you can stop (Ctrl-C) and go on later. Type u and
    Enter to take back the last card.

    \b
    With --readings -, each line is a reading as on MQTT, or the word undo:
      {"kind": "sweep", "antenna": 1, "tags": ["E0040150ABCD0001"]}
    """
    site = load_site(site_file)
    path = deck_path(site, deck)
    if readings is None:
        device_of(site, device_name)
    if readings is None and (table := deck_in_play(site, path)):
        raise ConfigError(
            f"The deck {deck} may be in play: a hand is under way at table {table}. Enrol it when the hand "
            "is over, or take the deck from that table in the site file."
        )
    begun = load_deck(path) if path.exists() else Deck(deck, {}, kind)
    enrol_deck(
        begun,
        path,
        typed_sweeps(Sweep, UNDO) if readings else antenna_sweeps(site, device_name, antenna),
        {
            tag: other.name
            for file, other in readable_decks(site.state_dir).items()
            if file != path
            for tag in other.cards
        },
    )
