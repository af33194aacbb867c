"""The decks of the set-up process: which are there, which is being enrolled, and which is checked."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tablebridge.app.wear import begin_wear, wear_path
from tablebridge.doctor.setup_process.progress import Progress
from tablebridge.host.clock import SystemClock
from tablebridge.model.cards import Card
from tablebridge.model.decks import Deck, spread_order
from tablebridge.model.errors import Refused
from tablebridge.model.readings import Sweep
from tablebridge.settings.decks import deck_path, readable_decks, save_deck
from tablebridge.settings.site import Site
from tablebridge.steps.antenna_map import named
from tablebridge.steps.deck_check import CheckView, DeckCheck
from tablebridge.steps.deck_step import DeckStep, DeckView
from tablebridge.steps.mapping import Spot
from tablebridge.steps.picture import Receipt

KINDS: Final = ("52", "52+joker", "40", "36", "32")


class DeckDesk:
    """The decks below `state_dir`. `in_play`: the table at which a deck may be in play, empty for none."""

    def __init__(self, state_dir: Path, in_play: Callable[[Path], str]) -> None:
        # Only its folder is asked for; the tables need not be there yet.
        self._site = Site(state_dir=state_dir)
        self._in_play = in_play
        self._known = readable_decks(state_dir)
        self._step: DeckStep | None = None
        self._spot: Spot | None = None
        self._check: DeckCheck | None = None
        self.receipt: Receipt | None = None

    @property
    def decks(self) -> tuple[tuple[str, int, int], ...]:
        """The decks of the box: name, how many cards have tags, how many it has when it is complete."""
        return tuple(
            (deck.name, len(deck.cards), len(spread_order(deck.kind))) for deck in self._known.values()
        )

    def keep(self, progress: Progress) -> None:
        """Write down which deck is being enrolled."""
        if self._step is not None:
            progress.deck, progress.kind = self._step.deck.name, self._step.deck.kind
        progress.spot = self._spot

    def deck_view(self) -> DeckView | None:
        """The deck that is being enrolled, as it is shown."""
        if self._step is None:
            return None
        return self._step.view(named(self._spot) if self._spot else "")

    def check_view(self) -> CheckView | None:
        """The check that is under way, as it is shown."""
        return self._check.view() if self._check is not None else None

    def begin(self, name: str, kind: str, spot: Spot) -> None:
        """Enrol a deck from its first missing card on. Raises Refused, ConfigError."""
        path = deck_path(self._site, name)
        if table := self._in_play(path):
            raise Refused(
                f"The deck {name} may be in play: a hand is under way at table {table}. Enrol it when "
                "the hand is over, or take the deck from that table in the site file."
            )
        if kind not in KINDS:
            raise Refused(f"{kind!r} is no kind of deck; kinds are {', '.join(KINDS)}.")
        self._known = readable_decks(self._site.state_dir)
        decks = dict(self._known)
        deck = decks.pop(path, None)
        if deck is None:
            deck = Deck(name, {}, kind)
        if not deck.cards:
            begin_wear(wear_path(path), SystemClock().now())
        others = {tag: other.name for other in decks.values() for tag in other.cards}
        self._step, self._spot, self._check = DeckStep(deck, others), spot, None

    def undo(self) -> None:
        """Take the last card back. Raises Refused if this run has enrolled none."""
        if self._step is None or self._step.undo() is None:
            raise Refused("Nothing to take back: no card was enrolled since you began.")
        self._save(self._step)

    def pause(self) -> None:
        """Go on with the deck later: each card is saved already."""
        self._step = None

    def complete(self, name: str) -> Deck:
        """The deck of this name. Raises Refused if it is not there, or has cards without a tag."""
        self._known = readable_decks(self._site.state_dir)
        path = deck_path(self._site, name)
        deck = self._known.get(path)
        if deck is None:
            raise Refused(f"There is no deck {name!r}: enrol it first.")
        if deck.missing:
            raise Refused(f"{len(deck.missing)} cards of the deck {name} have no tag yet: enrol them first.")
        return deck

    def begin_check(self, name: str) -> None:
        """Check a deck. Raises Refused, ConfigError."""
        deck = self.complete(name)
        decks = dict(self._known)
        del decks[deck_path(self._site, name)]
        others: dict[str, tuple[Card, str]] = {
            tag: (card, other.name) for other in decks.values() for tag, card in other.cards.items()
        }
        self._check, self._step, self.receipt = DeckCheck(deck, others), None, None

    def end_check(self, by: str, at_wall_ms: int) -> bool:
        """All cards were shown. Returns whether the deck is whole. Raises Refused if none is checked."""
        if self._check is None:
            raise Refused("No deck is being checked.")
        self.receipt = Receipt(at_wall_ms, by, self._check.view())
        self._check = None
        return self.receipt.result.passes

    def sweep(self, device: str, sweep: Sweep) -> bool:
        """One visit or several of an antenna. Returns whether a deck became complete by it."""
        if self._check is not None:
            self._check.sweep(sweep, device)
        step = self._step
        if step is None or (device, sweep.antenna) != self._spot:
            return False
        said = step.sweep(sweep)
        if said in ("enrolled", "complete"):
            self._save(step)
        return said == "complete"

    def _save(self, step: DeckStep) -> None:
        path = deck_path(self._site, step.deck.name)
        save_deck(path, step.deck)
        self._known[path] = step.deck


__all__ = ["KINDS", "DeckDesk"]
