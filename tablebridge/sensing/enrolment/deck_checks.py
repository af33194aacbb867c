"""Deck checks at a table: when one is under way, what is read at the board and the tray is of the check."""

from tablebridge.model.events import DeckCheck, ForeignTag
from tablebridge.model.places import Place
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.enrolment.spread import PLACES, SpreadCheck
from tablebridge.sensing.tags.registry import DeckRegistry


class DeckChecks:
    """The deck checks of one table, one after the other."""

    def __init__(self, registry: DeckRegistry) -> None:
        self._registry = registry
        self._check: SpreadCheck | None = None

    @property
    def running(self) -> bool:
        """Whether a check is under way."""
        return self._check is not None

    @property
    def wake_ns(self) -> int | None:
        """When the check ends though nothing is read."""
        return None if self._check is None else self._check.until_ns

    def drop(self) -> None:
        """A hand begins: nothing comes of a check that is under way."""
        self._check = None

    def note_entry(self, event: DeckCheck, now_ns: int) -> None:
        """A check was begun or ended, or its result was entered."""
        if event.state == "begin":
            self._check = SpreadCheck(self._registry, now_ns)
        elif event.state == "end":
            if self._check is not None:
                self._check.end(now_ns)
        else:
            self._check = None

    def read_spread(
        self, antenna: tuple[str, int], place: Place, tags: tuple[str, ...], visits: int, now_ns: int
    ) -> bool:
        """An antenna read tags. Returns whether they belong to a check, and to nothing else then."""
        if self._check is None or place not in PLACES:
            return False
        self._check.collect(antenna, place, tags, visits, now_ns)
        return True

    def release_check(self, now_ns: int) -> tuple[list[Conclusion], tuple[str, ...]]:
        """The check that is over: tags of other decks, then the deck itself; and the tags of the deck that
        were not read, if most of them were.
        """
        if self._check is None or self._check.until_ns > now_ns:
            return [], ()
        result = self._check.result()
        self._check = None
        unread = result.unread if 2 * len(result.unread) < len(result.cards) else ()
        strays = [Conclusion(ForeignTag(place, deck)) for deck, place in result.strays.items() if deck]
        return [*strays, Conclusion(DeckCheck(result.cards, result.deck))], unread
