"""Guided enrolment: a person lays cards or chips on an antenna, and each is saved with its tag at once."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from tablebridge.app.wear import begin_wear, wear_path
from tablebridge.host.clock import SystemClock
from tablebridge.model.cards import spoken
from tablebridge.model.decks import Deck
from tablebridge.model.readings import Sweep
from tablebridge.sensing.enrolment.chip_enrolment import ChipEnrolment
from tablebridge.settings.decks import save_chips, save_deck
from tablebridge.steps.deck_step import DeckStep, Said


def enrol_deck(
    deck: Deck, path: Path, source: Iterable[Sweep | str], others: Mapping[str, str] | None = None
) -> bool:
    """Ask for the cards one after the other and save each in `path`; whether the deck is complete when the
    sweeps end. A text in `source` takes the last card back. `others`: tags of other decks, by their deck.
    """
    enrolment = DeckStep(deck, others)
    if not deck.cards:
        begin_wear(wear_path(path), SystemClock().now())
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True)
    ) as bar:
        guide = _Guide(enrolment, path, bar)
        try:
            complete = any(guide.take(heard) for heard in source)
        except KeyboardInterrupt:
            complete = False
    have = len(enrolment.deck.cards)
    complete = complete or enrolment.wanted is None
    if complete:
        click.echo(f"Deck {deck.name} is complete: {have} cards in {path}.")
    else:
        click.echo(
            f"Deck {deck.name} has {have} of {enrolment.view().total} cards in {path}; run the same "
            "command to go on."
        )
    return complete


class _Guide:
    """Asks for cards, says what was wrong, saves what was right."""

    def __init__(self, enrolment: DeckStep, path: Path, bar: Progress) -> None:
        self._enrolment = enrolment
        self._path = path
        self._bar = bar
        self._task = bar.add_task("", total=enrolment.view().total)
        self._ask()

    def take(self, heard: Sweep | str) -> bool:
        """A sweep or the word undo; whether the deck is complete now."""
        if isinstance(heard, str):
            card = self._enrolment.undo()
            self._say(
                "Nothing to take back."
                if card is None
                else f"Card {self._enrolment.position} is taken back; lay it down again."
            )
            save_deck(self._path, self._enrolment.deck)
        else:
            self._report(self._enrolment.sweep(heard))
        self._ask()
        return self._enrolment.wanted is None

    def _report(self, said: Said) -> None:
        match said:
            case "enrolled" | "complete":
                save_deck(self._path, self._enrolment.deck)
            case "known":
                self._say(
                    f"This tag is card {self._enrolment.position} of the deck already; lay down the card "
                    "that is asked for."
                )
            case "foreign":
                self._say(
                    f"This tag belongs to the deck {self._enrolment.view().other}: take it away, and lay "
                    "down the card that is asked for."
                )
            case "several":
                self._say(
                    "More than one new tag is read, and nobody can tell which is which: take up the cards "
                    "laid last, then lay down only the one that is asked for."
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


def enrol_chips(rack: ChipEnrolment, denomination: int, path: Path, source: Iterable[Sweep | str]) -> None:
    """Every chip that is read is of this denomination, until the sweeps end. Each is saved in `path`."""
    new = 0
    try:
        for heard in source:
            for found in rack.enrol_chips(heard) if not isinstance(heard, str) else ():
                if found.what == "enrolled":
                    new += 1
                    save_chips(path, rack.chips)
                elif found.what == "card":
                    click.echo("A tag on the antenna is a card of a deck; take it away.", err=True)
                elif found.denomination != denomination:
                    click.echo(
                        f"A chip on the antenna is enrolled as {found.denomination} and stays so; to change "
                        "it, "
                        f"take its tag out of {path}.",
                        err=True,
                    )
    except KeyboardInterrupt:
        pass
    total = Counter(rack.chips.values())[denomination]
    click.echo(f"{new} chips of {denomination} are new; {total} of them are in {path}.")
