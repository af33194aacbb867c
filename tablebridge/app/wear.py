"""What tags did over the nights, on disk beside their decks: `decks/NAME.reads.json`, mode 0600. It names
tags, no faces.

A night is named by the day on which it began, in UTC, a day beginning at noon. Nights before the last
`NIGHTS` are dropped.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from tablebridge.antennas.wear import ReadCounts, Tally
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.settings.decks import deck_paths, load_deck
from tablebridge.settings.site import Site, Table
from tablebridge.settings.state import write_private

NIGHTS: Final = 60
_log: Final = logging.getLogger(__name__)


class TagWear(msgspec.Struct, frozen=True):
    """What was counted of one deck. `since`: the night in which it was enrolled or first played with;
    `nights`: by night, by tag.
    """

    since: str
    hands: int = 0
    shuffles: int = 0
    nights: dict[str, dict[str, Tally]] = {}

    def tallies(self, tags: tuple[str, ...], last: int = NIGHTS) -> dict[str, Tally]:
        """The sums for these tags, over the last nights."""
        nights = [self.nights[night] for night in sorted(self.nights)[-last:]]
        return {tag: sum((night[tag] for night in nights if tag in night), Tally()) for tag in tags}


_DECODER: Final = msgspec.json.Decoder(TagWear)


def wear_path(deck: Path) -> Path:
    """The path of the counts of the deck in this file."""
    return deck.with_suffix(".reads.json")


def night_of(at: Instant) -> str:
    """The night of an instant, such as `2026-11-21`."""
    return f"{datetime.fromtimestamp(at.wall_ns / 1e9, UTC) - timedelta(hours=12):%Y-%m-%d}"


def load_wear(path: Path) -> TagWear | None:
    """The counts in this file, None if there is none. Raises ConfigError if it cannot be read."""
    try:
        return _DECODER.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); check its permissions.") from None
    except msgspec.DecodeError:
        raise ConfigError(
            f"{path}: holds no counts of reads; put it aside, and counting begins anew."
        ) from None


def begin_wear(path: Path, at: Instant) -> None:
    """A deck is new. Raises ConfigError if the file cannot be written."""
    _save(path, TagWear(night_of(at)))


class WearKeeper:
    """Keeps what one table counts, hand by hand. What cannot be kept is logged: play does not stop for it."""

    def __init__(self, site: Site, table: Table) -> None:
        self._decks = {
            deck.name: (path, deck) for path in deck_paths(site, table) for deck in (load_deck(path),)
        }
        self._hand: int | None = None

    def hand(self, number: int, take: Callable[[], ReadCounts], now: Instant) -> None:
        """This hand is under way or was the last one. A new number: the one before is over."""
        if number != self._hand:
            if self._hand is not None:
                self._add(take(), now)
            self._hand = number

    def _add(self, counted: ReadCounts, now: Instant) -> None:
        night = night_of(now)
        for name, (file, deck) in self._decks.items():
            mine = {tag: tally for tag, tally in counted.tags.items() if tag in deck.cards}
            hands, shuffles = counted.hands.get(name, 0), counted.shuffles.get(name, 0)
            if not mine and not hands:
                continue
            path = wear_path(file)
            try:
                wear = load_wear(path) or TagWear(night)
                before = wear.nights.get(night, {})
                merged = {**before, **{tag: before.get(tag, Tally()) + tally for tag, tally in mine.items()}}
                nights = dict(sorted({**wear.nights, night: merged}.items())[-NIGHTS:])
                _save(path, TagWear(wear.since, wear.hands + hands, wear.shuffles + shuffles, nights))
            except ConfigError as error:
                _log.warning("the reads of deck %s are not counted: %s", name, error)


def _save(path: Path, wear: TagWear) -> None:
    write_private(path, msgspec.json.encode(wear).decode() + "\n")
